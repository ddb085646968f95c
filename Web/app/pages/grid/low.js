// Results that are low on the scale of their column.

import { compareDecimals, isBelowShare, isDecimal } from '../../core/values/decimals.js';

/**
 * Whether a result is below a share of its column's scale, `percent`. Lower results are better where the least is best.
 */
export function isLow(column, value, percent) {
  const { best, least, most } = column;
  if (percent === null || [best, value].some(text => text === null || !isDecimal(String(text)))) return false;
  const isReversed = least !== null && most !== null && compareDecimals(String(least), String(best)) === 0;
  const worst = String((isReversed ? most : least) ?? 0);
  return compareDecimals(worst, String(best)) !== 0 && isBelowShare(String(value), percent, worst, String(best));
}
