// How many are where, as bars. A group too small to be told of has a hatched bar and says so.

import { h } from '../core/dom.js';
import { t } from '../core/i18n.js';

/** `groups`: `{name, count}`; a count of null is a small group. */
export function bars(text, groups) {
  const most = Math.max(1, ...groups.map(group => group.count ?? 0));
  return h('ul', { class: 'bars', 'aria-label': text }, groups.map(({ name, count }) =>
    h('li', { key: name, 'data-few': count === null },
      h('span', null, name),
      h('span', { class: 'bars-line', 'aria-hidden': 'true' },
        count > 0 && h('span', { style: { width: `${(count / most) * 100}%` } })),
      h('span', null, countText(count)))));
}

/** A count, or that the group is too small for one. */
export const countText = count => (count === null ? t('cohort.few') : String(count));
