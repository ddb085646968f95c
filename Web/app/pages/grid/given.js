// Figures of a row's total that people gave beside the computed ones.

import { dateTime, t, toInput } from '../../core/text/i18n.js';
import { valueIn } from '../../core/values/own.js';

/** What was given of a figure of a row, `{value, by, at, reason, computed}`; null where it is computed. */
export const givenOf = (row, column) => valueIn(row.given, column.figure) ?? null;

// What was computed beside what was given, in words.
const computedText = given => [given.computed ?? '–'].flat().filter(Boolean).map(toInput).join(' ');

/** Who gave a figure, when and why, and what was computed. */
export function givenText(desk, given) {
  const by = t('override.by', { name: desk.personName(given.by), time: dateTime(given.at) });
  return [by, given.reason && t('override.why', { reason: given.reason }), t('override.computed', { value: computedText(given) })].filter(Boolean).join(' ');
}
