// What stands in the place of a class that the person may not see any more.

import { h } from '../../core/page/dom.js';
import { t } from '../../core/text/i18n.js';

export const endedCard = () => h('section', { class: 'card problem', role: 'alert' },
  h('h1', { tabindex: '-1' }, t('class.ended')),
  h('a', { class: 'button', href: '/classes' }, t('classes.title')));
