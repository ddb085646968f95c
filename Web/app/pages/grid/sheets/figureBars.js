// A histogram of a figure before and after a change, from the texts of a rehearsal.

import { t, toInput } from '../../../core/text/i18n.js';
import { compareDecimals, isDecimal } from '../../../core/values/decimals.js';

const MOST = 10;

/** `[range, before, after]` for the first figure of a class; values are compared exactly. */
export function figureRows(rows, desk) {
  const [figure] = desk.taught.figures;
  const texts = when => rows.map(row => row[when]?.figures?.[figure?.name]).filter(text => text && isDecimal(text));
  const [before, after] = [texts('before'), texts('after')];
  const all = [...before, ...after];
  if (all.length === 0) return [];
  const edges = edgesOf(Math.min(...all.map(Number)), Math.max(...all.map(Number)));
  const within = (list, from, to, isLast) => list.filter(text => compareDecimals(text, from) >= 0
    && (compareDecimals(text, to) < 0 || (isLast && compareDecimals(text, to) === 0))).length;
  return edges.slice(1).map((to, index) => {
    const [from, isLast] = [edges[index], index === edges.length - 2];
    return [t(isLast ? 'statistics.lastRange' : 'cohort.bin', { from: toInput(from), to: toInput(to) }),
      within(before, from, to, isLast), within(after, from, to, isLast)];
  });
}

// Edges at distances of 1, 2 or 5 times a power of ten, as texts.
function edgesOf(least, most) {
  let power = Math.floor(Math.log10(Math.max(most - least, 0.01))) - 1;
  let factor = 1;
  const step = () => factor * 10 ** power;
  while ((Math.floor(most / step()) + 1) - Math.floor(least / step()) > MOST) {
    factor = { 1: 2, 2: 5, 5: 10 }[factor];
    if (factor === 10) [factor, power] = [1, power + 1];
  }
  const [first, last] = [Math.floor(least / step()),
    Math.max(Math.floor(least / step()) + 1, Math.ceil(most / step()))];
  return Array.from({ length: last - first + 1 },
    (_, index) => ((first + index) * step()).toFixed(Math.max(0, -power)));
}
