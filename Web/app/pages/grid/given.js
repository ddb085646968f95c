// Figures of a row's total that people set by hand, and its status.

import { dateTime, sentences, t, toInput } from '../../core/text/i18n.js';
import { statusText } from '../../core/text/statuses.js';
import { valueIn } from '../../core/values/own.js';
import { letterText } from '../../parts/record/letters.js';
import { valueText } from './cells.js';

/** What was set by hand for a figure of a row, `{value, by, at, reason, computed}`; null if the figure is computed. */
export const givenOf = (row, column) => valueIn(row.given, column.figure) ?? null;

// The computed value beside the one set by hand, in words.
const computedText = given => [given.computed ?? '–'].flat().filter(Boolean).map(toInput).join(' ');

/** Who set a figure by hand, when and why, and what was computed. */
export function givenText(names, given) {
  const by = t('override.by', { name: names.of(given.by), time: dateTime(given.at) });
  return sentences([by, given.reason && t('override.why', { reason: given.reason }),
    t('override.computed', { value: computedText(given) })]);
}

/** What the cell of a figure shows. */
export function figureLook(row, column, { names, scheme, total }) {
  const given = givenOf(row, column);
  const [value, letter] = [row.figures?.[column.figure] ?? ''].flat();
  const figure = [value && valueText({ type: 'number' }, value), letter && letterText(scheme, letter)].filter(Boolean)
    .join(' ');
  // The status says more than the figure, and the cell has no room for both.
  const behind = row.status && figure && t('field.is', { name: column.title, value: figure });
  const note = sentences([behind, given && givenText(names, given), row.isIncomplete && t('grid.incomplete')]) || null;
  return {
    text: row.status ? statusText(row.status, total) : figure, state: given ? 'given' : null, note, isFrozen: true,
    kind: 'figure',
  };
}
