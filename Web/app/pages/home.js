// The first page: for guests, what this is; for users with an account, the way to their work.

import { h } from '../core/page/dom.js';
import { t } from '../core/text/i18n.js';
import { isAdministrator, teaches } from '../core/net/session.js';
import { TryOut } from '../parts/record/tryOut.js';

export async function open(app) {
  if (app.store.state.account) {
    app.go(await landing(app), { replace: true });
    return {};
  }
  const tryOut = new TryOut(app);
  await tryOut.start();
  return {
    wide: true,
    title: () => t('home.title'),
    view: () => h('div', { class: 'home' },
      h('section', { class: 'hero' },
        h('div', { class: 'hero-words' },
          h('h1', { tabindex: '-1' }, t('slogan')),
          h('p', { class: 'lead' }, t('home.lead')),
          h('div', { class: 'actions' },
            h('a', { class: 'button big', href: '/sign-up' }, t('home.start')),
            h('a', { class: 'button big quiet', href: '/explore' }, t('home.explore')))),
        tryOut.view()),
      h('ul', { class: 'promises' }, ['exact', 'explained', 'live', 'inverse'].map(name =>
        h('li', { key: name }, h('h2', null, t(`home.${name}`)), h('p', null, t(`home.${name}Text`))))),
      h('ul', { class: 'promises audiences' }, ['students', 'teachers', 'registrars'].map(name =>
        h('li', { key: name }, h('h2', null, t(`home.${name}`)), h('p', null, t(`home.${name}Text`)))))),
  };
}

/** The first page of a user: teachers get their classes, administrators without a role in an institution the server,
 *  all others what they work on. */
async function landing({ http, store: { state } }) {
  if (teaches(state)) {
    const taught = await http.get('/v1/classes?limit=1').catch(() => null);
    if (taught?.body.items.length > 0) return '/classes';
  }
  return isAdministrator(state) && state.memberships.length === 0 ? '/admin' : '/work';
}
