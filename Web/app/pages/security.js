// How I sign in: the password, the second factor, the e-mail address, who else vouches for me, and where I am signed in.

import { h } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { Activity } from '../parts/activity.js';
import { EmailAddress } from '../parts/email.js';
import { Identities } from '../parts/identities.js';
import { icon } from '../parts/icons.js';
import { Passkeys } from '../parts/passkeys.js';
import { passwordForm } from '../parts/password.js';
import { SecondFactor } from '../parts/secondFactor.js';
import { sessionList } from '../parts/sessions.js';
import { ownTokens } from '../parts/tokens.js';

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
