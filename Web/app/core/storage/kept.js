// The storage keys of unsent edits in this browser: prefix, account, edit.

export const PREFIX = 'gradecast.edit.';
/** The storage keys of results that have not been sent to their class yet: prefix, account, act. */
export const CELLS = 'gradecast.cell.';
/** The storage keys of calculations without a record: prefix, scheme. */
export const CALCULATION = 'gradecast.calculation.';

/** The keys in `storage` that begin with `prefix`. */
export const keysIn = (storage, prefix) => Object.keys(storage).filter(key => key.startsWith(prefix));

export const keysOfEdits = () => [PREFIX, CELLS].flatMap(prefix => keysIn(localStorage, prefix));

/** Whether this browser keeps unsent results of an account. */
export const keepsCells = account => keysIn(localStorage, `${CELLS}${account}.`).length > 0;

export const forgetCalculations = () =>
  keysIn(sessionStorage, CALCULATION).forEach(key => sessionStorage.removeItem(key));
