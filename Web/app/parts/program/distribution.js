// Counts as bars. If a count is withheld because its group is too small, its bar is hatched and a text says so.

import { h } from '../../core/page/dom.js';
import { t } from '../../core/text/i18n.js';

/** `groups` are `{name, count}`; a count of null is withheld. */
export function bars(text, groups) {
  const most = Math.max(1, ...groups.map(group => group.count ?? 0));
  return h('ul', { class: 'bars', 'aria-label': text }, groups.map(({ name, count }) =>
    h('li', { key: name, 'data-few': count === null },
      h('span', null, name),
      h('span', { class: 'bars-line', 'aria-hidden': 'true' },
        count > 0 && h('span', { style: { width: `${(count / most) * 100}%` } })),
      h('span', null, countText(count)))));
}

// Returns the count as text, or the text for a withheld one.
const countText = count => (count === null ? t('cohort.few') : String(count));
