// Results that are probably mistakes: above the maximum, or, in a column without one, far above all others. The user
// has to confirm them before they are entered. What the scheme refuses is refused without asking.

import { sentences, t, toInput } from '../../core/text/i18n.js';
import { addDecimals, compareDecimals, isDecimal } from '../../core/values/decimals.js';
import { misfit, valueText } from './cells.js';

// With fewer results it is unclear what is usual in a column.
const ENOUGH = 3;
// A result of at least this many times the greatest one has probably lost a decimal mark.
const FAR = 5;

const times = (count, text) => addDecimals(Array(count).fill(text));
// Whether `text` is more than `count` halves of `other`.
const isAboveHalves = (text, count, other) => compareDecimals(times(2, text), times(count, other)) > 0;

/** A summary of all results of a column: `{count, greatest, hasExtra}`; `hasExtra` says whether there is extra credit
 *  of up to half of `best`. */
export function standing(best, values) {
  const numbers = values.filter(value => value !== null && isDecimal(String(value))).map(String);
  const greatest = numbers.reduce((most, one) => (most === null || compareDecimals(one, most) > 0 ? one : most), null);
  return {
    count: numbers.length, greatest,
    hasExtra: best !== null && numbers.some(one => compareDecimals(one, best) > 0 && !isAboveHalves(one, 3, best)),
  };
}

/**
 * Whether a result has to be confirmed: null, or `{kind, limit, likely}`. `kind` is `above` for results above the
 * maximum `limit`, or `far` for results far above the greatest one, `limit`. `likely` is the number that was probably
 * meant if a decimal mark was lost, or null. Results up to the maximum need no confirmation. If the column already has
 * extra credit, more of it needs none either.
 */
export function doubtOf(value, best, { count, greatest, hasExtra }) {
  if (!isDecimal(value)) return null;
  if (best === null) {
    const isFar = count >= ENOUGH && compareDecimals(greatest, '0') > 0
      && compareDecimals(value, times(FAR, greatest)) >= 0;
    return isFar ? { kind: 'far', limit: greatest, likely: shifted(value, times(2, greatest)) } : null;
  }
  if (compareDecimals(value, best) <= 0) return null;
  const isSlip = isAboveHalves(value, 3, best);
  return hasExtra && !isSlip ? null : { kind: 'above', limit: best, likely: isSlip ? shifted(value, best) : null };
}

// The number within a limit that results if the decimal mark moves one or two places to the left.
function shifted(value, limit) {
  const [whole, fraction = ''] = value.split('.');
  for (const places of [1, 2]) {
    const digits = whole.padStart(places + 1, '0');
    const text = addDecimals([`${digits.slice(0, -places)}.${digits.slice(-places)}${fraction}`]);
    if (compareDecimals(text, limit) <= 0) return text;
  }
  return null;
}

/** The questions about results, and what the user has confirmed on this page. */
export class Doubts {
  #valuesOf;
  // The confirmed results, each with its line: confirming one does not confirm others.
  #confirmed = new Set();

  /** `valuesOf(column)` returns the results of a column. */
  constructor(valuesOf) {
    this.#valuesOf = valuesOf;
  }

  /** A function that returns the question about a change of a column's cell, in words, or null. `valuesOf` returns the
   *  results of a column if they are not those of the class. */
  asker(valuesOf = this.#valuesOf) {
    const known = new Map();
    const of = column => {
      if (!known.has(column.key)) known.set(column.key, standing(column.best, valuesOf(column)));
      return known.get(column.key);
    };
    return (column, change) => {
      const value = valueIn(column, change);
      if (value === null || misfit({ ...column, isAnonymous: false }, change)) return null;
      const doubt = this.#confirmed.has(keyOf(column, value)) ? null : doubtOf(value, column.best, of(column));
      return doubt && doubtText(column, value, doubt);
    };
  }

  /** Confirms a change. */
  confirm(column, change) {
    const value = valueIn(column, change);
    if (value !== null) this.#confirmed.add(keyOf(column, value));
  }
}

const keyOf = ({ line }, value) => `${line}/${addDecimals([value])}`;

// The result in a change, or the user's own mark; null if it is not a number, or belongs to a field beside the result.
function valueIn(column, change) {
  const value = String(change?.value ?? change?.mark ?? '');
  return column.field === null && ['number', 'integer'].includes(column.type) && isDecimal(value) ? value : null;
}

function doubtText(column, value, { kind, limit, likely }) {
  const text = t(`doubtful.${kind}`, { value: valueText(column, value), limit: toInput(limit) });
  return sentences([text, likely !== null && t('doubtful.likely', { likely: valueText(column, likely) })]);
}
