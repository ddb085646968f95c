// An unknown address.

import { h } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { icon } from '../parts/icons.js';
import { signInInvitation } from '../parts/invitation.js';

/** Explains an administrators' page to others, who may just not be signed in. */
export const closed = app => (app.store.state.account ? open() : signInInvitation(t('admin.title')));

export const open = () => ({
  title: () => t('error.notFound'),
  view: () => h('section', { class: 'invitation' },
    icon('explore'),
    h('h1', { tabindex: '-1' }, t('error.notFound')),
    h('p', null, t('missing.text')),
    h('a', { class: 'button', href: '/' }, t('action.home'))),
});
