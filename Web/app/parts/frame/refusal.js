// A refusal is shown where the change was made. If its author has left that place, the change is stored with the
// refusal, and the record's page shows both.

/** Call this where a change is made. It returns a function that takes the error and resolves to whether the change was
 *  kept. While the page is still shown, `isThere()` says whether the place of the change is, too. */
export function keeper(isThere = () => true) {
  const path = location.pathname;
  return async error => {
    const isKept = Boolean(error.keep) && (location.pathname !== path || !isThere());
    if (isKept) await error.keep();
    return isKept;
  };
}
