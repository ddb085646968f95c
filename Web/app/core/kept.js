// The names under which this browser keeps unsent edits: prefix, account, edit.

export const PREFIX = 'gradecast.edit.';

export const keysOfEdits = (prefix = PREFIX) => Object.keys(localStorage).filter(key => key.startsWith(prefix));
