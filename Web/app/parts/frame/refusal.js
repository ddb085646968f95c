// A refusal is shown where the change was made. When its author has left that place meanwhile, the change is kept
// together with the refusal, and both stand on the record's page.

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
