// Results that can hardly be meant: above the maximum, or far above all others of a column where there is none. They are asked
// about before they are entered. What the scheme refuses is refused, and is no question.

import { t, toInput } from '../../core/text/i18n.js';
import { addDecimals, compareDecimals, isDecimal } from '../../core/values/decimals.js';
import { misfit, valueText } from './cells.js';

// Fewer results say nothing of what is usual in a column.
const ENOUGH = 3;
// So many times the greatest of them, a decimal mark has been lost.
const FAR = 5;

const times = (count, text) => addDecimals(Array(count).fill(text));
// Whether `text` is more than `count` halves of `other`.
const isAboveHalves = (text, count, other) => compareDecimals(times(2, text), times(count, other)) > 0;

/** What stands in a column, of all its results: `{count, greatest, hasExtra}`; `hasExtra` is extra credit, up to half of `best`. */
export function standing(best, values) {
  const numbers = values.filter(value => value !== null && isDecimal(String(value))).map(String);
  const greatest = numbers.reduce((most, one) => (most === null || compareDecimals(one, most) > 0 ? one : most), null);
  return {
    count: numbers.length, greatest,
    hasExtra: best !== null && numbers.some(one => compareDecimals(one, best) > 0 && !isAboveHalves(one, 3, best)),
  };
}

/**
 * Whether a result has to be asked about: null, or `{kind, limit, likely}`, where `kind` is `above` for the maximum `limit`, or
 * `far` for the greatest result `limit`, and `likely` is the number of which a decimal mark may have been lost, null for none.
 * Up to the maximum nothing is asked. Where a result above it stands in the column, more extra credit is not asked about.
 */
export function doubtOf(value, best, { count, greatest, hasExtra }) {
  if (!isDecimal(value)) return null;
  if (best === null) {
    const isFar = count >= ENOUGH && compareDecimals(greatest, '0') > 0 && compareDecimals(value, times(FAR, greatest)) >= 0;
    return isFar ? { kind: 'far', limit: greatest, likely: shifted(value, times(2, greatest)) } : null;
  }
  if (compareDecimals(value, best) <= 0) return null;
  const isSlip = isAboveHalves(value, 3, best);
  return hasExtra && !isSlip ? null : { kind: 'above', limit: best, likely: isSlip ? shifted(value, best) : null };
}

// The number with its decimal mark one place to the left, or two, that lies within a limit.
function shifted(value, limit) {
  const [whole, fraction = ''] = value.split('.');
  for (const places of [1, 2]) {
    const digits = whole.padStart(places + 1, '0');
    const text = addDecimals([`${digits.slice(0, -places)}.${digits.slice(-places)}${fraction}`]);
    if (compareDecimals(text, limit) <= 0) return text;
  }
  return null;
}

/** What somebody is asked about results, and has said of them on this page. */
export class Doubts {
  #valuesOf;
  // The results that were meant, each with its line: one that was does not speak for others.
  #confirmed = new Set();

  /** `valuesOf(column)` answers what stands in a column. */
  constructor(valuesOf) {
    this.#valuesOf = valuesOf;
  }

  /** A function that answers what is to be asked of a change of a column's cell, in words; null for nothing. `valuesOf`
   *  answers what stands in a column where that is not what the class has. */
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

  /** A change is meant. */
  confirm(column, change) {
    const value = valueIn(column, change);
    if (value !== null) this.#confirmed.add(keyOf(column, value));
  }
}

const keyOf = ({ line }, value) => `${line}/${addDecimals([value])}`;

// The result in a change, or the own mark; null for what is none, and for what stands beside it.
function valueIn(column, change) {
  const value = String(change?.value ?? change?.mark ?? '');
  return column.field === null && ['number', 'integer'].includes(column.type) && isDecimal(value) ? value : null;
}

function doubtText(column, value, { kind, limit, likely }) {
  const text = t(`doubtful.${kind}`, { value: valueText(column, value), limit: toInput(limit) });
  return likely === null ? text : `${text} ${t('doubtful.likely', { likely: valueText(column, likely) })}`;
}
