// The storage keys of unsent edits in this browser: prefix, account, edit.

export const PREFIX = 'gradecast.edit.';
/** Under which results are kept that were not sent to their class yet: prefix, account, act. */
export const CELLS = 'gradecast.cell.';
/** Under which calculations without a record are kept: prefix, scheme. */
export const CALCULATION = 'gradecast.calculation.';

/** The keys in `storage` that begin with `prefix`. */
export const keysIn = (storage, prefix) => Object.keys(storage).filter(key => key.startsWith(prefix));

export const keysOfEdits = () => [PREFIX, CELLS].flatMap(prefix => keysIn(localStorage, prefix));

/** Whether this browser keeps results of an account that were not sent yet. */
export const keepsCells = account => keysIn(localStorage, `${CELLS}${account}.`).length > 0;

export const forgetCalculations = () => keysIn(sessionStorage, CALCULATION).forEach(key => sessionStorage.removeItem(key));
