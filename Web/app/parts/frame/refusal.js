// A refusal is shown where the change was made. If its author has left that place, the change is stored with the
// refusal, and the record's page shows both.

/** To be called where a change is made; answers what takes the error, and says whether it was kept. `isThere()` says
 *  whether its place is still shown, as long as the page is. */
export function keeper(isThere = () => true) {
  const path = location.pathname;
  return async error => {
    const isKept = Boolean(error.keep) && (location.pathname !== path || !isThere());
    if (isKept) await error.keep();
    return isKept;
  };
}
