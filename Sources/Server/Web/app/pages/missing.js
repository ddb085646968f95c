// An address nobody knows.

import { h } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { icon } from '../parts/icons.js';

export const open = () => ({
  title: () => t('error.notFound'),
  view: () => h('section', { class: 'invitation' },
    icon('explore'),
    h('h1', { tabindex: '-1' }, t('error.notFound')),
    h('p', null, t('missing.text')),
    h('a', { class: 'button', href: '/' }, t('action.home'))),
});
