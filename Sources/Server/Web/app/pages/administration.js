// What an administrator looks after: institutions, accounts, the server itself.

import { h } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { isAdministrator } from '../core/session.js';
import { Form } from '../parts/form.js';
import { icon } from '../parts/icons.js';
import { open as missing } from './missing.js';

export async function open(app) {
  if (!isAdministrator(app.store.state)) return missing();
  const [list, about, abilities] = await Promise.all([app.catalogue.institutions(), serverState(app), app.catalogue.abilities()]);
  const state = { institutions: list, server: about, backup: abilities.has('GET /v1/backup') };
  const form = new Form(app.redraw, async (data, element) => {
    const body = { title: data.get('/title').trim(), slug: data.get('/slug').trim(), open: data.has('/open') };
    await app.http.post('/v1/institutions', body);
    state.institutions = await app.catalogue.institutions();
    element.reset();
  });
  return {
    title: () => t('admin.title'),
    view: () => h('div', { class: 'program' },
      h('div', { class: 'page-head' },
        h('h1', { tabindex: '-1' }, t('admin.title')),
        h('a', { key: 'accounts', class: 'button', href: '/admin/accounts' }, icon('people'), t('accounts.title')),
        h('a', { key: 'audit', class: 'button quiet', href: '/admin/audit' }, icon('history'), t('audit.title'))),
      server(state),
      state.backup && backup(),
      institutions(state, form)),
  };
}

async function serverState(app) {
  const [alive, ready] = await Promise.all(['/healthz', '/readyz'].map(path =>
    app.http.get(path).then(answer => answer.body, error => ({ problem: error.message }))));
  return { version: alive.version, ready: !ready.problem, problem: ready.problem };
}

function server({ server: { version, ready, problem } }) {
  return h('section', { class: 'card' },
    h('h2', null, t('admin.server')),
    h('p', null, h('span', { class: 'pill', 'data-state': ready ? 'met' : 'unmet' }, t(ready ? 'admin.ready' : 'admin.notReady')),
      ' ', problem ?? '', version && h('span', { class: 'muted' }, ` Gradecast ${version}`)));
}

// The browser fetches it by itself, so that it never has to fit into memory.
function backup() {
  return h('section', { class: 'card' },
    h('h2', null, t('admin.backup')),
    h('p', { class: 'muted' }, t('admin.backupText')),
    h('div', { class: 'actions' },
      h('a', { class: 'button quiet', href: '/v1/backup', download: '' }, icon('download'), t('admin.backupAction'))));
}

function institutions(state, form) {
  return h('section', { class: 'card' },
    h('h2', null, t('admin.institutions')),
    h('ul', { class: 'rows' }, state.institutions.map(item => h('li', { key: item.id },
      h('span', { class: 'grow' }, h('strong', null, item.title), h('span', { class: 'muted' }, item.slug)),
      item.open && h('span', { class: 'pill' }, t('admin.open')),
      h('a', { class: 'button quiet small', href: `/institutions/${item.id}/members` }, t('members.title'))))),
    h('h3', null, t('admin.found')),
    form.view([
      form.text({ name: '/title', label: t('programs.name') }),
      form.text({ name: '/slug', label: t('admin.slug'), autocapitalize: 'none' }),
      form.field({ name: '/open', label: t('admin.openLabel'), className: 'boolean' }, attributes => h('input', { ...attributes, type: 'checkbox' })),
    ], { action: t('admin.foundAction') }));
}
