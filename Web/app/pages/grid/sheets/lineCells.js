// What of a class's lines is edited in a table: which columns it has, and what a line holds in each of them.

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
// What says how many, such as results that are dropped, is no weight: whole, and not asked for.
const isCount = field => field.type === 'integer' && !field.required;

/**
 * The columns, `{key, role, name, title}`: the lines' names, the numbers that lines share, the maxima of results, the day, and
 * what students see. Counts that no line has are left to the form of a line.
 */
export function lineColumns({ structure: { lines } }, scheme) {
  const below = lines.filter(({ parent }) => parent !== null).map(line => [line, kindOf(scheme, line.kind)]).filter(([, kind]) => kind);
  const numbers = new Map();
  for (const [line, kind] of below) {
    for (const field of numbersOf(kind)) if (!isCount(field) || heldIn(line, field) !== null) numbers.set(field.name, label(field.label, field.name));
  }
  const maxima = below.flatMap(([, kind]) => maximaOf(kind).map(name => kind.fields.find(field => field.name === name))).filter(Boolean);
  return [
    { key: 'title', role: 'title', title: t('structure.line') },
    ...[...numbers].map(([name, title]) => ({ key: `number/${name}`, role: 'number', name, title })),
    ...(maxima.length > 0 ? [{ key: 'best', role: 'best', title: label(maxima[0].label, maxima[0].name) }] : []),
    { key: 'due', role: 'due', title: t('line.due') },
    { key: 'sees', role: 'sees', title: t('line.sees') },
  ];
}

/** What a line holds in a column: `{type, field, held}`, where `held` is a text as one types it; null where it has none. */
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

/** What a typed text says, as the server reads it. */
export const readLine = ({ type }, text) => (type === 'number' || type === 'integer' ? fromInput(text) : text.trim());

/** Whether two texts of a cell say the same. */
export function saysSame(cell, one, other) {
  const [first, second] = [one, other].map(text => readLine(cell, text));
  return first === second || (isNumber(cell) && isDecimal(first) && isDecimal(second) && compareDecimals(first, second) === 0);
}

/** The text of a date of which only a part was entered. */
export const PARTIAL = '?';

/** Why a text cannot stand in a cell, as far as that is seen here; null where it can. */
export function lineFault(cell, text) {
  if (cell.type === 'date' && text === PARTIAL) return t('structure.partialDate');
  if (!isNumber(cell) || text.trim() === '') return null;
  return ambiguity(text) ?? (isDecimal(readLine(cell, text)) ? null : t('grid.noNumber'));
}

/** What of its line's patch a text of a cell is. */
export function linePatch(cell, text) {
  const value = readLine(cell, text);
  if (cell.type === 'sees') return asSeen(value);
  if (cell.type === 'date') return { due: value || null };
  return { fields: { [cell.field.name]: value === '' ? null : value } };
}

/** Whether the numbers of a cell's column add up to something. */
export const isSummed = cell => cell !== null && isNumber(cell) && !isCount(cell.field);
