// How I sign in: the password, the second factor, the email address, linked providers, and where I am signed in.

import { h } from '../core/page/dom.js';
import { t } from '../core/text/i18n.js';
import { Activity } from '../parts/account/activity.js';
import { EmailAddress } from '../parts/account/email.js';
import { Identities } from '../parts/account/identities.js';
import { icon } from '../parts/frame/icons.js';
import { Passkeys } from '../parts/account/passkeys.js';
import { passwordForm } from '../parts/account/password.js';
import { SecondFactor } from '../parts/account/secondFactor.js';
import { sessionList } from '../parts/account/sessions.js';
import { ownTokens } from '../parts/account/tokens.js';

export async function open(app) {
  if (!app.store.state.account) return { title: () => t('security.title'), view: guest };
  const sessions = sessionList(app);
  const [identities, factor, passkeys] = [new Identities(app), new SecondFactor(app), new Passkeys(app)];
  const [email, activity] = [new EmailAddress(app), new Activity(app)];
  const tokens = ownTokens(app);
  await Promise.all([identities, factor, passkeys, email, activity, tokens].map(part => part.load()));
  const password = passwordForm(app, () => sessions.load());
  return {
    title: () => t('security.title'),
    within: '/profile',
    // The session may end while the page is open.
    view: () => app.store.state.account === null ? guest() : h('div', { class: 'profile' },
      h('header', { class: 'page-head' },
        h('a', { class: 'round', href: '/profile', 'aria-label': t('action.back') }, icon('back')),
        h('h1', { tabindex: '-1' }, t('security.title'))),
      identities.hasPassword && password.view(app.store.state.account),
      passkeys.view(),
      factor.view(),
      email.view(),
      identities.view(),
      sessions.view(),
      tokens.view(),
      activity.view()),
  };
}

function guest() {
  return h('section', { class: 'card narrow' },
    h('h1', { tabindex: '-1' }, t('security.title')),
    h('div', { class: 'actions' }, h('a', { class: 'button', href: '/sign-in?next=/security' }, t('signIn.action'))));
}
