// The classes that one teaches.

import { h, named } from '../core/page/dom.js';
import { t } from '../core/text/i18n.js';
import { signInInvitation } from '../parts/account/invitation.js';
import { icon } from '../parts/frame/icons.js';

export async function open(app) {
  if (!app.store.state.account) return signInInvitation(t('classes.title'));
  const state = { items: [], next: null };
  await more(app, state, '/v1/classes?limit=100');
  const programs = new Map(await Promise.all([...new Set(state.items.map(item => item.program))].map(async id => [id, await app.catalogue.program(id).catch(() => null)])));
  return {
    title: () => t('classes.title'),
    view: () => h('div', null,
      h('div', { class: 'page-head' },
        h('h1', { tabindex: '-1', class: 'grow' }, t('classes.title')),
        h('a', { class: 'button quiet', href: '/programs' }, icon('programs'), t('nav.programs'))),
      h('p', { class: 'help' }, t('classes.help')),
      state.items.length === 0 && h('p', { class: 'empty' }, icon('grid'), t('classes.none')),
      classList(state.items, item => programs.get(item.program)?.title ?? ''),
      state.next && h('button', { class: 'button quiet', type: 'button', onclick: () => more(app, state, state.next) }, t('action.more'))),
  };
}

async function more(app, state, path) {
  const { body, next } = await app.http.get(path);
  state.items = [...state.items, ...body.items];
  state.next = next;
  app.redraw();
}

/** Classes as links; `about(item)` is a second line. */
export const classList = (items, about) => h('ul', { class: 'record-list' }, items.map(item => h('li', { key: item.id },
  h('a', { class: 'record-link', href: `/classes/${item.id}` },
    icon('grid'),
    h('span', { class: 'grow' }, h('strong', null, named(item.title)), h('span', { class: 'muted' }, named(about(item)))),
    item.state !== 'open' && h('span', { class: 'pill' }, t(`class.state.${item.state}`))))));
