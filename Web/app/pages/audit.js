// Who did what, newest first, in words. The list can be narrowed to one person or thing, by pressing on it or by name.

import { h, named } from '../core/page/dom.js';
import { dateTime, has, t } from '../core/text/i18n.js';
import { isolate } from '../core/text/isolate.js';
import { isAdministrator } from '../core/net/session.js';
import { icon } from '../parts/frame/icons.js';
import { Form } from '../parts/frame/form.js';
import { segments } from '../parts/frame/segments.js';
import { problemText } from '../parts/frame/problem.js';
import { closed } from './missing.js';
import { particulars, schemeOf } from '../parts/program/particulars.js';
import { schemeOf as schemeOfProgram } from '../parts/program/programScheme.js';

// Actions that only read.
const READS = new Set(['account.exported', 'class.exported', 'class.read', 'record.read', 'records.listed']);
const SORTS = { all: () => true, acts: ({ action }) => !READS.has(action), reads: ({ action }) => READS.has(action) };
// Loads until there are this many lines of the chosen sort, but at most this many pages of the trail.
const WANTED = 50;
const PAGES = 10;

export async function open(app) {
  if (!isAdministrator(app.store.state)) return closed(app);
  const state = {
    app, items: [], next: null, sort: 'all', only: { account: null, subject: null }, candidates: [], asked: 0,
    unfolded: new Map(),
  };
  const form = new Form(app.redraw, data => seek(state, data.get('/person').trim()));
  await begin(state);
  return {
    wide: true,
    title: () => t('audit.title'),
    view: () => h('div', { class: 'program' },
      h('div', { class: 'page-head' },
        h('a', { class: 'round', href: '/admin', 'aria-label': t('action.back') }, icon('back')),
        h('h1', { tabindex: '-1' }, t('audit.title'))),
      form.view([
        form.text({
          name: '/person', label: t('audit.person'), type: 'search', autocapitalize: 'none', spellcheck: 'false',
        }),
      ], { action: t('audit.show'), className: 'search-line' }),
      candidates(state),
      filters(state),
      segments(t('audit.sort'), Object.keys(SORTS).map(sort => [sort, t(`audit.sort.${sort}`)]), state.sort,
        sort => sorted(state, sort)),
      shown(state).length === 0 && h('p', { class: 'empty' }, icon('history'), t('audit.none')),
      h('ol', { class: 'audit' }, shown(state).map(item => line(state, item))),
      state.next && h('button', { class: 'button quiet', type: 'button', onclick: () => load(state, state.next) },
        t('action.more'))),
  };
}

function begin(state) {
  const query = new URLSearchParams({ limit: '100' });
  for (const [name, chosen] of Object.entries(state.only)) if (chosen) query.set(name, chosen.id);
  return load(state, `/v1/audit?${query}`, true);
}

const shown = ({ items, sort }) => items.filter(SORTS[sort]);

function sorted(state, sort) {
  state.sort = sort;
  state.app.redraw();
  return state.next && shown(state).length < WANTED ? load(state, state.next) : null;
}

// Only the answer to the newest request counts, in whatever order answers arrive.
async function load(state, path, isFirst = false) {
  const asked = (state.asked += 1);
  const before = isFirst ? 0 : shown(state).length;
  try {
    for (let page = 0,
      from = path; from && page < PAGES && (page === 0 || shown(state).length < before + WANTED); page += 1) {
      const { body, next } = await state.app.http.get(from);
      if (asked !== state.asked) return;
      state.items = isFirst && page === 0 ? body.items : [...state.items, ...body.items];
      state.next = next;
      from = next;
    }
  } catch (error) {
    if (isFirst && state.items.length === 0) throw error;
    state.app.say(problemText(error), 'bad');
  }
  state.app.redraw();
}

// Several people may have the name; then the user chooses one of them.
async function seek(state, text) {
  state.candidates = [];
  if (text === '') return narrow(state, { account: null });
  const { body } = await state.app.http.get(`/v1/accounts?${new URLSearchParams({ query: text, limit: '8' })}`);
  const exact = body.items.filter(item => item.login === text || item.displayName === text);
  const found = exact.length > 0 ? exact : body.items;
  if (found.length === 1) return narrow(state, { account: { id: found[0].id, name: found[0].displayName } });
  state.candidates = found;
  if (found.length === 0) state.app.say(t('accounts.none'), 'bad');
  state.app.redraw();
}

function narrow(state, only) {
  Object.assign(state.only, only);
  state.candidates = [];
  return begin(state);
}

function candidates(state) {
  if (state.candidates.length === 0) return null;
  return h('ul', { class: 'chips', 'aria-label': t('audit.which') },
    state.candidates.map(item => h('li', { key: item.id },
      h('button', {
        class: 'button quiet small', type: 'button',
        onclick: () => narrow(state, { account: { id: item.id, name: item.displayName } }),
      },
        named(item.displayName), ' (', named(item.login), ')'))));
}

function filters(state) {
  const chosen = Object.entries(state.only).filter(([, value]) => value);
  if (chosen.length === 0) return null;
  return h('ul', { class: 'chips' }, chosen.map(([name, { name: text }]) => h('li', { key: name },
    h('button', {
      class: 'button small', type: 'button', 'aria-label': t('audit.widen', { name: text }),
      onclick: () => narrow(state, { [name]: null }),
    },
      t(`audit.only.${name}`, { name: text }), icon('close')))));
}

function line(state, item) {
  const by = item.by && { id: item.by, name: item.names?.by?.displayName ?? t('audit.gone') };
  // A session has no name, and its owner is named already.
  const subject = item.subject && !item.action.startsWith('session') && { id: item.subject, name: subjectName(item) };
  const key = `audit.action.${item.action}`;
  return h('li', { key: item.id },
    h('div', { class: 'audit-head' },
      h('strong', { class: 'grow' }, t(has(key) ? key : 'audit.action.other')),
      h('time', { class: 'muted', datetime: item.at }, dateTime(item.at))),
    h('p', null,
      by ? choice(by.name, () => narrow(state, { account: by })) : h('span', null, t('audit.server')),
      subject && subject.id !== item.by && [
        h('span', { class: 'muted', 'aria-hidden': 'true' }, ' → '),
        choice(subject.name, () => narrow(state, { subject })),
      ],
      item.names?.institution && h('span', { class: 'muted' }, ' · ', named(item.names.institution.title)),
      item.source && h('span', { class: 'muted' }, ` · ${t('audit.from', { source: sourceName(item.source) })}`)),
    item.detail && h('details', { ontoggle: event => event.target.open && unfold(state, item) },
      h('summary', null, t('audit.detail')),
      state.unfolded.has(item.id) && particulars(item.detail, state.unfolded.get(item.id))));
}

// Settings have the names that their scheme or their document gives them. If the document is gone, the names are gone,
// too.
async function told(app, { scheme, program: id }) {
  const general = scheme ? await app.catalogue.scheme(scheme) : null;
  if (general && !general.document) return general;
  const inProgram = async program => schemeOfProgram(app, program, program.draft ? null : program.version);
  return app.catalogue.program(id).then(inProgram).catch(() => general);
}

async function unfold(state, { id, detail }) {
  if (state.unfolded.has(id)) return;
  const asked = schemeOf(detail);
  state.unfolded.set(id, asked && await told(state.app, asked).catch(() => null));
  state.app.redraw();
}

const choice = (text, onclick) => h('button', { class: 'link', type: 'button', onclick }, named(text));

// An address, or the part of the server that acted.
const sourceName = source => (has(`audit.source.${source}`) ? t(`audit.source.${source}`) : source);

function subjectName({ names }) {
  const known = names?.subject;
  if (!known) return t('audit.gone');
  if (known.kind === 'account') return known.displayName;
  return known.student ? `${isolate(known.student)}, ${isolate(known.title)}` : known.title;
}
