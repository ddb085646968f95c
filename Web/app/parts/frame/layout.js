// The frame around every page: name and navigation, connection state, messages.

import { h } from '../../core/page/dom.js';
import { t, time } from '../../core/text/i18n.js';
import { isAdministrator, isStaff, isUnfinished, teaches } from '../../core/net/session.js';
import { icon, mark } from './frameIcons.js';
import { avatar } from './avatar.js';
import { toasts } from './toasts.js';
import { keysOfEdits } from '../../core/storage/kept.js';

export function layout(app, page) {
  const { account, path } = app.store.state;
  return [
    h('a', { class: 'skip', href: '#content' }, t('nav.skip')),
    h('header', { class: 'bar' },
      h('a', { class: 'brand', href: '/' }, mark(32), 'Gradecast'),
      h('nav', { class: 'tabs', 'aria-label': t('nav.main') },
        links(app.store.state).map(link => tab(link, page.within ?? path))),
      connection(app),
      h('a', { class: 'round', href: '/search', 'aria-label': t('nav.search'), 'aria-keyshortcuts': '/ Control+K' },
        icon('search')),
      account
        ? h('a', { class: 'me', href: '/profile', 'aria-label': t('nav.profile') }, avatar(account, 32))
        : guest(app, path),
      app.menu?.()),
    // The elements of one address are never reused for another.
    h('main', { key: path, id: 'content', class: page.wide ? 'wide' : null, tabindex: '-1' },
      app.offerCards?.(app),
      unsent(app),
      app.draftCards?.(app),
      page.view()),
    app.proof?.(),
    app.palette?.(),
    !page.holdsToasts && toasts(app),
  ];
}

// Language and theme are also available to people who are not signed in.
const guest = (app, path) => [
  h('button', {
    key: 'look', class: 'round', type: 'button', 'aria-haspopup': 'menu', 'aria-expanded': String(Boolean(app.menu)),
    'aria-label': t('nav.look'), title: t('nav.look'),
    // If the menu cannot be loaded, the page of settings may already be there.
    onclick: ({ currentTarget }) => import('./lookMenu.js').then(({ openLookMenu }) => openLookMenu(app, currentTarget))
      .catch(() => app.go('/profile')),
  }, icon('globe')),
  h('a', { key: 'sign-in', class: 'button quiet', href: signInAddress(path) }, t('signIn.action')),
];

// From a page about one object, signing in leads back to that page.
const signInAddress = path => (path.split('/').length > 2 ? `/sign-in?next=${encodeURIComponent(path)}` : '/sign-in');

function links(state) {
  return [
    state.account && ['/work', 'work', t('nav.work')],
    state.account && !isUnfinished(state) && ['/timeline', 'bell', t('nav.timeline')],
    state.account && !isStaff(state) && ['/records', 'records', t('nav.records')],
    ['/explore', 'explore', t('nav.explore')],
    teaches(state) && ['/classes', 'grid', t('nav.classes')],
    isStaff(state) && ['/programs', 'programs', t('nav.programs')],
    isAdministrator(state) && ['/admin', 'shield', t('nav.admin')],
  ].filter(Boolean);
}

function tab([href, symbol, text], path) {
  const here = path === href || path.startsWith(`${href}/`);
  return h('a', { key: href, href, 'aria-current': here ? 'page' : null }, icon(symbol), h('span', null, text));
}

// A guest sees how many edits wait here; only their author can open them.
function unsent(app) {
  const count = app.store.state.account === null ? keysOfEdits().length : 0;
  return count > 0 && h('p', { class: 'banner', role: 'status', key: 'unsent' }, t('unsent.signedOut', { count }));
}

function retry(app) {
  app.live.wake();
  app.waker.urge();
  app.cells?.flush();
}

function connection(app) {
  const { kind, asOf } = app.store.state.connection;
  const waiting = app.store.state.edits.filter(edit => edit.state === 'waiting')
    .length + (app.cells?.counts.waiting ?? 0);
  if (kind === 'idle') return h('span', { class: 'grow' });
  const text = kind === 'asOf' || (kind === 'offline' && asOf)
    ? t(kind === 'offline' ? 'live.offlineAsOf' : 'live.asOf', { time: time(asOf) })
    : t(`live.${kind}`);
  return h('span', { class: 'grow connection', role: 'status', 'data-kind': kind },
    h('span', { class: 'dot', 'aria-hidden': 'true' }),
    h('span', null, text),
    waiting > 0 && h('span', { class: 'pill' }, t('live.waiting', { count: waiting })),
    kind !== 'live' && kind !== 'connecting' && h('button', { class: 'link', onclick: () => retry(app) },
      t('action.retry')));
}
