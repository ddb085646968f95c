// Accounts: find them by name or login, make them administrators, disable them, help with a new password.

import { h, named } from '../core/page/dom.js';
import { date, t } from '../core/text/i18n.js';
import { isAdministrator } from '../core/net/session.js';
import { avatar } from '../parts/frame/avatar.js';
import { eraseAccount, takeData } from '../parts/account/personalData.js';
import { confirmation } from '../parts/frame/dialog.js';
import { icon } from '../parts/frame/icons.js';
import { problemText } from '../parts/frame/problem.js';
import { sessionList } from '../parts/account/sessions.js';
import { closed } from './missing.js';

export async function open(app) {
  if (!isAdministrator(app.store.state)) return closed(app);
  const state = { app, items: [], next: null, query: '', which: '', link: null, asked: 0, shown: null, sheet: null };
  await search(state);
  return {
    wide: true,
    title: () => t('accounts.title'),
    view: () => h('div', { class: 'program' },
      h('div', { class: 'page-head' },
        h('a', { class: 'round', href: '/admin', 'aria-label': t('action.back') }, icon('back')),
        h('h1', { tabindex: '-1' }, t('accounts.title'))),
      filters(state),
      state.link && h('p', {
        key: state.link.address, class: 'card link-once', role: 'status', tabindex: '-1', onMount: show,
      }, t('accounts.resetLink', { name: state.link.name }), h('br'), h('code', null, state.link.address)),
      state.items.length === 0 && h('p', { class: 'empty' }, icon('people'), t('accounts.none')),
      h('ul', { class: 'record-list' }, state.items.map(account => row(state, account))),
      state.next && h('button', { class: 'button quiet', type: 'button', onclick: () => load(state, state.next) },
        t('action.more')),
      state.sheet?.()),
  };
}

// The list may be long, and the button that was pressed may be out of view.
function show(element) {
  element.scrollIntoView({ block: 'center' });
  element.focus({ preventScroll: true });
}

function search(state) {
  const query = new URLSearchParams({ limit: '50' });
  if (state.query.trim()) query.set('query', state.query.trim());
  if (state.which === 'administrator') query.set('role', 'administrator');
  if (state.which === 'disabled') query.set('disabled', 'true');
  state.items = [];
  return load(state, `/v1/accounts?${query}`);
}

// Only the answer to the newest request counts, in whatever order answers arrive.
async function load(state, path) {
  const asked = (state.asked += 1);
  const { body, next } = await state.app.http.get(path);
  if (asked !== state.asked) return;
  state.items = [...state.items, ...body.items];
  state.next = next;
  state.app.redraw();
}

function filters(state) {
  return h('form', { class: 'form', role: 'search', onsubmit: event => event.preventDefault() },
    h('div', { class: 'field' },
      h('label', { for: 'accounts-query' }, t('accounts.search')),
      h('input', {
        id: 'accounts-query', type: 'search', value: state.query,
        oninput: event => { state.query = event.target.value; search(state); },
      })),
    h('div', { class: 'field' },
      h('label', { for: 'accounts-which' }, t('accounts.which')),
      h('select', { id: 'accounts-which', onchange: event => { state.which = event.target.value; search(state); } },
        ['', 'administrator', 'disabled'].map(which =>
          h('option', { value: which, selected: which === state.which }, t(`accounts.which.${which || 'all'}`))))));
}

function row(state, account) {
  const own = account.id === state.app.store.state.account?.id;
  return h('li', { key: account.id, class: 'record-link' },
    avatar(account, 40),
    h('span', { class: 'grow' },
      h('strong', null, named(account.displayName)),
      h('span', { class: 'muted' }, named(account.login)),
      h('span', { class: 'muted' }, t('accounts.since', { date: date(account.createdAt) }))),
    account.role === 'administrator' && h('span', { class: 'pill' }, t('role.administrator')),
    account.disabled && h('span', { class: 'pill', 'data-state': 'unmet' }, t('accounts.disabled')),
    h('div', { class: 'actions' },
      account.role === 'administrator' ? action(state, account, 'demote') : action(state, account, 'promote'),
      !own && (account.disabled
        ? h('button', { class: 'button quiet small', type: 'button', onclick: () => change(state, account, 'enable') },
          t('accounts.enable'))
        : action(state, account, 'disable')),
      h('button', { class: 'button quiet small', type: 'button', onclick: () => reset(state, account) },
        t('accounts.reset')),
      h('button', { class: 'button quiet small', type: 'button', onclick: () => askFor(state, account, takeData) },
        t('accounts.export')),
      !own && h('button', {
        class: 'button quiet small danger', type: 'button', onclick: () => askFor(state, account, eraseAccount),
      }, t('accounts.erase')),
      h('button', {
        class: 'button quiet small', type: 'button', 'aria-expanded': String(state.shown?.of === account.id),
        onclick: () => showSessions(state, account),
      }, t('accounts.sessions'))),
    state.shown?.of === account.id && state.shown.list.view());
}

// Shows the sessions of one account at a time, below its row.
function showSessions(state, account) {
  const isOpen = state.shown?.of === account.id;
  state.shown = isOpen ? null : { of: account.id, list: sessionList(state.app, `/v1/accounts/${account.id}/sessions`) };
  state.app.redraw();
}

// For each action: its request, the text that asks for confirmation, the message when it is done, and the action that
// undoes it.
const acts = {
  promote: { body: { role: 'administrator' }, text: ['promoteText'], done: 'promoted', back: 'demote' },
  demote: { body: { role: null }, text: ['demoteText'], done: 'demoted', back: 'promote', danger: true },
  disable: {
    body: { disabled: true }, text: ['disableText', 'disableKeeps'], done: 'wasDisabled', back: 'enable', danger: true,
  },
  enable: { body: { disabled: false }, done: 'wasEnabled', back: 'disable' },
};

const action = (state, account, name) =>
  h('button', { class: 'button quiet small', type: 'button', onclick: () => ask(state, account, name) },
    t(`accounts.${name}`));

function ask(state, account, name) {
  const about = { name: account.displayName };
  const close = () => {
    state.sheet = null;
    state.app.redraw();
  };
  state.sheet = () => confirmation({
    key: `${name}-${account.id}`, title: t(`accounts.${name}Title`, about), action: t(`accounts.${name}`), close,
    text: acts[name].text.map(key => t(`accounts.${key}`, about)), danger: acts[name].danger ?? false,
    confirm: () => {
      close();
      return change(state, account, name);
    },
  });
  state.app.redraw();
}

// Actions on everything stored about a person need a reason, for which the sheet asks.
function askFor(state, account, sheet) {
  state.sheet = sheet(state.app, account, {
    close: () => {
      state.sheet = null;
      state.app.redraw();
    },
    erased: () => {
      state.items = state.items.filter(item => item.id !== account.id);
    },
  });
  state.app.redraw();
}

const change = (state, account, name, isUndo = false) => attempt(state, async () => {
  const { body, done, back } = acts[name];
  const answer = await state.app.http.patch(`/v1/accounts/${account.id}`, body);
  const changed = answer.body.account ?? answer.body;
  state.items = state.items.map(item => (item.id === account.id ? changed : item));
  state.app.say(t(`accounts.${done}`, { name: account.displayName }), 'good',
    isUndo ? null : () => change(state, account, back, true));
});

const reset = (state, account) => attempt(state, async () => {
  const { body } = await state.app.http.post(`/v1/accounts/${account.id}/reset`);
  state.link = { name: account.displayName, address: body.url ?? location.origin + body.path };
});

async function attempt(state, act) {
  try {
    await act();
  } catch (error) {
    state.app.say(problemText(error), 'bad');
  }
  state.app.redraw();
}
