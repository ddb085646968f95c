// The part of a class's lines that can be edited in a table: its columns, and the cell of a line in each of them.

import { label, t, toInput } from '../../../core/text/i18n.js';
import { ambiguity, fromInput } from '../../../core/text/numbers.js';
import { compareDecimals, isDecimal } from '../../../core/values/decimals.js';
import { valueIn } from '../../../core/values/own.js';
import { kindOf } from '../../../core/data/kinds.js';
import { sharedFields } from '../columns.js';
import { asSeen, stateOf } from './sees.js';

const isNumber = field => field.type === 'number' || field.type === 'integer';
const maximaOf = kind => [...new Set(kind.fields.map(({ bestField }) => bestField).filter(Boolean))];
const numbersOf = kind => sharedFields(kind).filter(field => isNumber(field) && !maximaOf(kind).includes(field.name));
const heldIn = (line, field) => valueIn(line.fields, field.name) ?? field.default ?? null;
// A number of things, such as dropped results, is not a weight: it is an integer, and not required.
const isCount = field => field.type === 'integer' && !field.required;

/**
 * The columns, `{key, role, name, title}`: the lines' names, the numbers that lines share, the maxima of results, the
 * day, and what students see. Numbers of things that no line sets are left to the form of a line.
 */
export function lineColumns({ structure: { lines } }, scheme) {
  const below = lines.filter(({ parent }) => parent !== null).map(line => [line, kindOf(scheme, line.kind)])
    .filter(([, kind]) => kind);
  const numbers = new Map();
  for (const [line, kind] of below) {
    for (const field of numbersOf(kind)) {
      if (!isCount(field) || heldIn(line, field) !== null) numbers.set(field.name, label(field.label, field.name));
    }
  }
  const maxima = below.flatMap(([, kind]) => maximaOf(kind).map(name => kind.fields.find(field => field.name === name)))
    .filter(Boolean);
  return [
    { key: 'title', role: 'title', title: t('structure.line') },
    ...[...numbers].map(([name, title]) => ({ key: `number/${name}`, role: 'number', name, title })),
    ...(maxima.length > 0 ? [{ key: 'best', role: 'best', title: label(maxima[0].label, maxima[0].name) }] : []),
    { key: 'due', role: 'due', title: t('line.due') },
    { key: 'sees', role: 'sees', title: t('line.sees') },
  ];
}

/** The cell of a line in a column: `{type, field, held}`, where `held` is the text as a user would type it; null if
 *  there is none. */
export function lineCell(line, { role, name }, { columns }, scheme) {
  const kind = kindOf(scheme, line.kind);
  if (role === 'title') return ofField(line, kind && sharedFields(kind).find(({ type }) => type === 'text'));
  if (line.parent === null || !kind) return null;
  if (role === 'number') return ofField(line, numbersOf(kind).find(field => field.name === name));
  if (role === 'best') return ofField(line, kind.fields.find(field => field.name === maximaOf(kind)[0]));
  if (role === 'due') return { type: 'date', field: null, held: line.due ?? '' };
  return columns.some(column => column.line === line.id) ? { type: 'sees', field: null, held: stateOf(line) } : null;
}

function ofField(line, field) {
  if (!field) return null;
  const held = heldIn(line, field);
  return { type: field.type, field, held: held === null ? '' : field.type === 'text' ? String(held) : toInput(held) };
}

/** A typed text in the server's form. */
export const readLine = ({ type }, text) => (type === 'number' || type === 'integer' ? fromInput(text) : text.trim());

/** Whether two texts of a cell mean the same. */
export function saysSame(cell, one, other) {
  const [first, second] = [one, other].map(text => readLine(cell, text));
  return first === second
    || (isNumber(cell) && isDecimal(first) && isDecimal(second) && compareDecimals(first, second) === 0);
}

/** The text of a date that is only partly entered. */
export const PARTIAL = '?';

/** Why a text is not allowed in a cell, as far as the page can tell; null if it is. */
export function lineFault(cell, text) {
  if (cell.type === 'date' && text === PARTIAL) return t('structure.partialDate');
  if (!isNumber(cell) || text.trim() === '') return null;
  return ambiguity(text) ?? (isDecimal(readLine(cell, text)) ? null : t('grid.noNumber'));
}

/** The part of its line's patch for a text of a cell. */
export function linePatch(cell, text) {
  const value = readLine(cell, text);
  if (cell.type === 'sees') return asSeen(value);
  if (cell.type === 'date') return { due: value || null };
  return { fields: { [cell.field.name]: value === '' ? null : value } };
}

/** Whether the numbers of a cell's column are summed up. */
export const isSummed = cell => cell !== null && isNumber(cell) && !isCount(cell.field);
