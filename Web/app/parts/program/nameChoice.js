// The choice by which names students are sorted: the displayed ones, first or last names.

import { h } from '../../core/page/dom.js';
import { t } from '../../core/text/i18n.js';
import { BY } from '../../core/text/names.js';

/** The choice in an arrangement; `arrange({names})` takes one of `BY`, or null for displayed names. */
export function nameChoice({ names }, arrange) {
  return h('div', { key: 'names', class: 'field' },
    h('label', { for: 'sort-names' }, t('people.names')),
    h('select', { id: 'sort-names', onchange: event => arrange({ names: event.target.value || null }) },
      h('option', { key: 'shown', value: '', selected: names === null }, t('people.names.shown')),
      BY.map(by => h('option', { key: by, value: by, selected: by === names }, t(`people.names.${by}`)))));
}
