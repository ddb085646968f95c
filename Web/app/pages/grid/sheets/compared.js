// The effect of a change on a class, beside its current state.

import { h } from '../../../core/page/dom.js';
import { t } from '../../../core/text/i18n.js';
import { letterText } from '../../../parts/record/letters.js';

/** The number of students with each letter, for the figure that has letters, best first: `[letter, before, after]`. */
export function letterRows(rows, desk) {
  const known = desk.taught.figures.find(figure => figure.letters)?.letters ?? [];
  const count = (letter, when) => rows.filter(row => row[when]?.letter === letter).length;
  const counts = known.map(letter =>
    [letterText(desk.scheme, letter), count(letter, 'before'), count(letter, 'after')]);
  return counts.some(([, before, after]) => before + after > 0) ? counts : [];
}

/** A histogram as a table, with the current and the new counts side by side; `rows` are `[name, before, after]`. */
export function compared(title, what, rows) {
  if (rows.length === 0) return null;
  const most = Math.max(1, ...rows.flatMap(([, before, after]) => [before, after]));
  const bar = (count, className) => h('span', { class: `bars-line ${className}` },
    count > 0 && h('span', { style: { width: `${(count / most) * 100}%` } }));
  return h('table', { key: title, class: 'histogram compared' },
    h('caption', null, title),
    h('thead', null, h('tr', null,
      h('th', { scope: 'col' }, what), h('td', { 'aria-hidden': 'true' }), h('th', { scope: 'col' }, t('curve.before')),
      h('th', { scope: 'col' }, t('curve.after')))),
    h('tbody', null, rows.map(([name, before, after]) => h('tr', { key: name },
      h('th', { scope: 'row' }, name),
      h('td', { 'aria-hidden': 'true' }, bar(before, 'now'), bar(after, '')),
      h('td', null, String(before)),
      h('td', null, String(after))))));
}
