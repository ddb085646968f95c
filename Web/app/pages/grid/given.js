// Figures of a row's total that people gave beside the computed ones, and its status.

import { dateTime, t, toInput } from '../../core/text/i18n.js';
import { statusText } from '../../core/text/statuses.js';
import { valueIn } from '../../core/values/own.js';
import { letterText } from '../../parts/record/letters.js';
import { valueText } from './cells.js';

/** What was given of a figure of a row, `{value, by, at, reason, computed}`; null where it is computed. */
export const givenOf = (row, column) => valueIn(row.given, column.figure) ?? null;

// What was computed beside what was given, in words.
const computedText = given => [given.computed ?? '–'].flat().filter(Boolean).map(toInput).join(' ');

/** Who gave a figure, when and why, and what was computed. */
export function givenText(desk, given) {
  const by = t('override.by', { name: desk.personName(given.by), time: dateTime(given.at) });
  return [by, given.reason && t('override.why', { reason: given.reason }), t('override.computed', { value: computedText(given) })].filter(Boolean).join(' ');
}

/** What the cell of a figure shows. */
export function figureLook(desk, row, column) {
  const given = givenOf(row, column);
  const note = [given && givenText(desk, given), row.isIncomplete && t('grid.incomplete')].filter(Boolean).join(' ') || null;
  const [value, letter] = [row.figures?.[column.figure] ?? ''].flat();
  const status = row.status && `(${statusText(row.status, desk.taught.total)})`;
  const text = [value && valueText({ type: 'number' }, value), letter && letterText(desk.scheme, letter), status].filter(Boolean).join(' ');
  return { text, state: given ? 'given' : null, note, isFrozen: true, kind: 'figure' };
}
