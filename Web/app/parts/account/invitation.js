// What a private page shows to a person who is not signed in: its purpose, and a link to sign in.

import { h } from '../../core/page/dom.js';
import { t } from '../../core/text/i18n.js';
import { mark } from '../frame/frameIcons.js';

export function signInInvitation(title) {
  return {
    title: () => title,
    view: () => h('section', { class: 'invitation' },
      mark(96),
      h('h1', { tabindex: '-1' }, t('slogan')),
      h('p', null, t('invitation.text')),
      h('a', { class: 'button big', href: `/sign-in?next=${encodeURIComponent(location.pathname)}` },
        t('signIn.action')),
      h('a', { class: 'button quiet', href: '/explore' }, t('home.explore'))),
  };
}
