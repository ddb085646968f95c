// A cell as a value, `{value, status, late, fields, held, notes, marks}`; if two people mark, also the user's own
// `mark` and whether the user `decides` between those of others. Its text, the change that a typed text asks for, and
// its state afterwards. Numbers stay texts, so that nothing is rounded on the way.

import { delayText, readDelay } from '../../core/text/delays.js';
import { label, t, toInput } from '../../core/text/i18n.js';
import { ambiguity, fromInput } from '../../core/text/numbers.js';
import { statusText } from '../../core/text/statuses.js';
import { compareDecimals, isDecimal } from '../../core/values/decimals.js';
import { valueIn } from '../../core/values/own.js';

export const empty = Object.freeze({
  value: null, status: null, late: null, fields: Object.freeze({}), held: false, notes: 0, marks: Object.freeze([]),
});

const plain = value => (typeof value === 'number' ? String(value) : value ?? null);

/** The value of a cell in a column. */
export function valueOf(cell, column) {
  if (column.type === 'delay') return plain(cell.late);
  return column.field === null ? cell.value : plain(valueIn(cell.fields, column.field));
}

const choiceOf = (column, value) => column.choices.find(item => String(item.value) === String(value));

/** A value as the user writes it. */
export function valueText(column, value) {
  if (value === null || value === undefined) return '';
  if (column.type === 'choice') {
    const choice = choiceOf(column, value);
    return choice ? label(choice.label, String(choice.value)) : String(value);
  }
  if (column.type === 'delay') return delayText(value);
  if (column.type === 'boolean' || typeof value === 'boolean') {
    return t(String(value) === 'true' ? 'value.yes' : 'value.no');
  }
  return column.type === 'text' ? String(value) : toInput(value);
}

/** The text of a cell, as it is shown and copied, and as it can be typed again. */
export function cellText(column, cell) {
  const text = valueText(column, valueOf(cell, column)) || marksText(column, cell);
  if (text !== '' || column.field !== null || cell.status === null) return text;
  return statusText(cell.status, column);
}

// While there is no result yet: both marks, or the user's own one.
function marksText(column, { marks = [], mark = null }) {
  if (!column.double || column.field !== null) return '';
  if (marks.length === 2) return marks.map(({ value }) => valueText(column, value ?? null)).join(' / ');
  return valueText(column, mark);
}

/**
 * The change that a typed text asks for: `{change}`, which is null if it changes nothing, or `{fault}` if the text is
 * ambiguous. Only the server judges values.
 */
export function readTyped(column, text, cell) {
  const typed = text.trim();
  const asked = asMark(column, askedOf(column, typed, cell), cell);
  if (asked.fault) return asked;
  return { change: isAsked(asked, cell, column) ? null : asked };
}

// If two people mark, users enter their own mark, unless they decide between the marks of others.
function asMark(column, asked, cell) {
  if (!column.double || cell.decides || !('value' in asked)) return asked;
  const { value, ...rest } = asked;
  return { ...rest, mark: value };
}

function askedOf(column, typed, cell) {
  if (column.field !== null) return typedField(column, typed);
  if (typed === '') return { value: null, status: null };
  const status = column.statuses.find(item => sameWord(item, typed) || sameWord(statusText(item, column), typed));
  if (status) return { status };
  // A result with its status, as in files and copied text.
  const both = /^(.{1,100}) \(([^()]{1,60})\)$/.exec(typed);
  const beside = both
    && column.statuses.find(item => sameWord(item, both[2]) || sameWord(statusText(item, column), both[2]));
  if (beside) return { ...typedValue(column, both[1]), status: beside };
  const read = typedValue(column, typed);
  // A result removes the status in its place.
  return read.fault || cell.status === null ? read : { ...read, status: null };
}

function typedField(column, typed) {
  if (column.type === 'delay') {
    const { minutes, fault } = readDelay(typed);
    return fault ? { fault } : { late: minutes };
  }
  const read = typed === '' ? { value: null } : typedValue(column, typed);
  return read.fault ? read : { fields: { [column.field]: read.value } };
}

function typedValue(column, typed) {
  if (column.type === 'choice') {
    const choice = column.choices.find(item => sameWord(String(item.value), typed)
      || sameWord(label(item.label, ''), typed));
    return { value: choice ? choice.value : typed };
  }
  if (column.type === 'boolean') {
    // Files of the server have the words of the API.
    const isOneOf = words => words.some(word => sameWord(word, typed));
    return { value: isOneOf([t('value.yes'), 'true']) ? true : isOneOf([t('value.no'), 'false']) ? false : typed };
  }
  if (column.type === 'text') return { value: typed };
  const fault = ambiguity(typed);
  return fault ? { fault } : { value: fromInput(typed) };
}

const fold = text => text.normalize('NFKC').toLowerCase();
const sameWord = (one, other) => fold(one) === fold(other);

/** Texts of numbers are the same if the numbers are. */
export function sameValue(one, other) {
  if (one === other) return true;
  if (one === null || other === null) return false;
  const [first, second] = [String(one), String(other)];
  return first === second || (isDecimal(first) && isDecimal(second) && compareDecimals(first, second) === 0);
}

/** Whether a cell already holds the requested values. */
export function isAsked(change, cell, column) {
  if ('value' in change && !sameValue(plain(change.value), cell.value)) return false;
  if ('mark' in change && !sameValue(plain(change.mark), cell.mark ?? null)) return false;
  if ('status' in change && change.status !== cell.status) return false;
  if ('late' in change && change.late !== (cell.late ?? null)) return false;
  return !change.fields || sameValue(plain(change.fields[column.field]), valueOf(cell, column));
}

/** A cell after a change. */
export function changed(cell, change) {
  return {
    ...cell,
    ...('value' in change ? { value: plain(change.value) } : {}),
    ...('mark' in change ? { mark: plain(change.mark), ...(cell.marks.length < 2 ? { value: null } : {}) } : {}),
    ...('status' in change ? { status: change.status } : {}),
    ...('late' in change ? { late: change.late } : {}),
    ...(change.fields ? { fields: { ...cell.fields, ...change.fields } } : {}),
  };
}

// Choices are sent as their values, which may be numbers.
const wireValue = (column, value) => choiceOf(column, value)?.value ?? value;

/** What the user saw in a cell, as the precondition of a change. */
export const seenIn = (column, cell) => (column.type === 'delay' ? { late: cell.late ?? null }
  : column.field !== null ? { fields: { [column.field]: wireValue(column, valueOf(cell, column)) } }
  : { value: wireValue(column, cell.value), ...(cell.status ? { status: cell.status } : {}) });

/** The change that takes back a change of a cell. */
export const reverted = (column, cell, change) => ({
  ...('value' in change ? { value: wireValue(column, cell.value) } : {}),
  ...('mark' in change ? { mark: cell.mark ?? null } : {}),
  ...('status' in change ? { status: cell.status } : {}),
  ...('late' in change ? { late: cell.late ?? null } : {}),
  ...(change.fields ? { fields: { [column.field]: valueOf(cell, column) } } : {}),
});

/** Why the column cannot accept a change, as far as the shape tells; null if the server has to judge. */
export function misfit(column, change) {
  if (column.isAnonymous) return t('anonymous.closed');
  if (column.isLocked) return t('grid.locked');
  const value = change.fields ? change.fields[column.field] : change.value ?? change.mark;
  if (value === null || value === undefined) return null;
  if (column.type === 'choice') return column.choices.some(item => item.value === value) ? null : t('grid.notOnScale');
  if (column.type === 'text' || column.type === 'boolean') return null;
  if (!isDecimal(String(value))) return t(/[%％]$/.test(value) ? 'file.cell.percentage' : 'grid.noNumber');
  if (column.least !== null && compareDecimals(String(value), column.least) < 0) {
    return t('grid.below', { least: toInput(column.least) });
  }
  if (column.most !== null && compareDecimals(String(value), column.most) > 0) {
    return t('grid.above', { most: toInput(column.most) });
  }
  return null;
}
