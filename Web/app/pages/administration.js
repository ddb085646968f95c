// What an administrator looks after: institutions, accounts, the server itself.

import { h, named } from '../core/page/dom.js';
import { t } from '../core/text/i18n.js';
import { isAdministrator } from '../core/net/session.js';
import { saveFrom } from '../parts/frame/download.js';
import { Form } from '../parts/frame/form.js';
import { icon } from '../parts/frame/icons.js';
import { isProven } from '../parts/account/proof.js';
import { ServerState } from '../parts/frame/serverState.js';
import { closed } from './missing.js';

export async function open(app) {
  if (!isAdministrator(app.store.state)) return closed(app);
  const server = new ServerState(app);
  const [list, abilities] = await Promise.all([app.catalogue.institutions(), app.catalogue.abilities(), server.look()]);
  const state = { institutions: list, backup: abilities.has('GET /v1/backup') };
  const form = new Form(app.redraw, async (data, element) => {
    const body = { title: data.get('/title').trim(), slug: data.get('/slug').trim(), open: data.has('/open') };
    await app.http.post('/v1/institutions', body);
    state.institutions = await app.catalogue.institutions();
    element.reset();
  });
  return {
    wide: true,
    title: () => t('admin.title'),
    view: () => h('div', { class: 'program' },
      h('div', { class: 'page-head' },
        h('h1', { tabindex: '-1' }, t('admin.title')),
        h('a', { key: 'accounts', class: 'button', href: '/admin/accounts' }, icon('people'), t('accounts.title')),
        h('a', { key: 'providers', class: 'button quiet', href: '/admin/providers' },
          icon('key'),
          t('providers.title')),
        h('a', { key: 'audit', class: 'button quiet', href: '/admin/audit' }, icon('history'), t('audit.title'))),
      server.view(),
      state.backup && backup(app),
      institutions(state, form)),
  };
}

// The browser downloads the backup itself, so that it never has to fit into memory.
function backup(app) {
  const download = async event => {
    event.preventDefault();
    if (await isProven(app)) saveFrom('/v1/backup');
  };
  return h('section', { class: 'card' },
    h('h2', null, t('admin.backup')),
    h('p', { class: 'muted' }, t('admin.backupText')),
    h('div', { class: 'actions' },
      h('a', { class: 'button quiet', href: '/v1/backup', download: '', onclick: download },
        icon('download'),
        t('admin.backupAction'))));
}

function institutions(state, form) {
  return h('section', { class: 'card' },
    h('h2', null, t('admin.institutions')),
    h('ul', { class: 'rows' }, state.institutions.map(item => h('li', { key: item.id },
      h('span', { class: 'grow' }, h('strong', null, named(item.title)), h('span', { class: 'muted' }, item.slug)),
      item.open && h('span', { class: 'pill' }, t('admin.open')),
      h('a', { class: 'button quiet small', href: `/institutions/${item.id}/members` }, t('members.title'))))),
    h('h3', null, t('admin.found')),
    form.view([
      form.text({ name: '/title', label: t('programs.name') }),
      form.text({ name: '/slug', label: t('admin.slug'), autocapitalize: 'none' }),
      form.field({ name: '/open', label: t('admin.openLabel'), className: 'boolean' },
        attributes => h('input', { ...attributes, type: 'checkbox' })),
    ], { action: t('admin.foundAction'), quiet: true }));
}
