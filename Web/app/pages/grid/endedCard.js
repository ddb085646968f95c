// What is shown instead of a class that the user may no longer see.

import { h } from '../../core/page/dom.js';
import { t } from '../../core/text/i18n.js';

export const endedCard = () => h('section', { class: 'card problem', role: 'alert' },
  h('h1', { tabindex: '-1' }, t('class.ended')),
  h('a', { class: 'button', href: '/classes' }, t('classes.title')));
