// An unknown address.

import { h } from '../core/page/dom.js';
import { t } from '../core/text/i18n.js';
import { icon } from '../parts/frame/icons.js';
import { signInInvitation } from '../parts/account/invitation.js';

/** Explains a page for administrators to others, who may simply not be signed in. */
export const closed = app => (app.store.state.account ? open() : signInInvitation(t('admin.title')));

export const open = () => ({
  title: () => t('error.notFound'),
  view: () => h('section', { class: 'invitation' },
    icon('explore'),
    h('h1', { tabindex: '-1' }, t('error.notFound')),
    h('p', null, t('missing.text')),
    h('a', { class: 'button', href: '/' }, t('action.home'))),
});
