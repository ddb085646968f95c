// Who did what, newest first; narrowed to one account or to one thing it was done to.

import { h } from '../core/dom.js';
import { dateTime, t } from '../core/i18n.js';
import { isAdministrator } from '../core/session.js';
import { icon } from '../parts/icons.js';
import { Form } from '../parts/form.js';
import { open as missing } from './missing.js';

export async function open(app) {
  if (!isAdministrator(app.store.state)) return missing();
  const state = { app, items: [], next: null };
  const form = new Form(app.redraw, async data => {
    const query = new URLSearchParams({ limit: '100' });
    for (const name of ['account', 'subject']) if (data.get(`/${name}`).trim()) query.set(name, data.get(`/${name}`).trim());
    state.items = [];
    await load(state, `/v1/audit?${query}`);
  });
  await load(state, '/v1/audit?limit=100');
  return {
    wide: true,
    title: () => t('audit.title'),
    view: () => h('div', { class: 'program' },
      h('div', { class: 'page-head' },
        h('a', { class: 'round', href: '/admin', 'aria-label': t('action.back') }, icon('back')),
        h('h1', { tabindex: '-1' }, t('audit.title'))),
      form.view(['account', 'subject'].map(name =>
        form.text({ name: `/${name}`, label: t(`audit.only.${name}`), autocapitalize: 'none', spellcheck: 'false' })), { action: t('audit.show') }),
      state.items.length === 0 ? h('p', { class: 'empty' }, t('audit.none')) : table(state.items),
      state.next && h('button', { class: 'button quiet', type: 'button', onclick: () => load(state, state.next) }, t('action.more'))),
  };
}

async function load(state, path) {
  const { body, next } = await state.app.http.get(path);
  state.items = [...state.items, ...body.items];
  state.next = next;
  state.app.redraw();
}

function table(items) {
  return h('div', { class: 'card scroll', tabindex: '0', role: 'region', 'aria-label': t('audit.title') }, h('table', null,
    h('thead', null, h('tr', null, ['at', 'by', 'action', 'subject', 'source', 'detail'].map(name =>
      h('th', { scope: 'col', key: name }, t(`audit.${name}`))))),
    h('tbody', null, items.map(item => h('tr', { key: item.id },
      h('td', null, h('time', { datetime: item.at }, dateTime(item.at))),
      h('td', null, item.by ? h('code', null, item.by) : t('audit.server')),
      h('th', { scope: 'row' }, item.action),
      h('td', null, h('code', null, item.subject)),
      h('td', null, item.source),
      h('td', null, item.detail ? h('code', null, JSON.stringify(item.detail)) : '–'))))));
}
