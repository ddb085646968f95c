// The names under which this browser keeps unsent edits: prefix, account, edit.

export const PREFIX = 'gradecast.edit.';
/** Under which calculations without a record are kept: prefix, scheme. */
export const CALCULATION = 'gradecast.calculation.';

/** The keys in `storage` that begin with `prefix`. */
export const keysIn = (storage, prefix) => Object.keys(storage).filter(key => key.startsWith(prefix));

export const keysOfEdits = () => keysIn(localStorage, PREFIX);

export const forgetCalculations = () => keysIn(sessionStorage, CALCULATION).forEach(key => sessionStorage.removeItem(key));
