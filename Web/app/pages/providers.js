// The providers for signing in, as the operator configured them; each can be tried, step by step.

import { h, named } from '../core/page/dom.js';
import { t } from '../core/text/i18n.js';
import { isAdministrator } from '../core/net/session.js';
import { icon } from '../parts/frame/icons.js';
import { faultText, problemText } from '../parts/frame/problem.js';
import { closed } from './missing.js';

const MARKS = { passed: 'check', doubtful: 'warning', failed: 'close' };

export async function open(app) {
  if (!isAdministrator(app.store.state)) return closed(app);
  const { body } = await app.http.get('/v1/providers');
  const state = { app, tried: new Map(), problems: new Map(), busy: new Set() };
  return {
    title: () => t('providers.title'),
    within: '/admin',
    view: () => h('div', { class: 'program' },
      h('div', { class: 'page-head' },
        h('a', { class: 'round', href: '/admin', 'aria-label': t('action.back') }, icon('back')),
        h('h1', { tabindex: '-1' }, t('providers.title'))),
      h('p', { class: 'help' }, t('help.providers')),
      body.items.length === 0 && h('p', { class: 'empty' }, t('providers.none')),
      body.items.map(provider => card(state, provider))),
  };
}

function card(state, provider) {
  const { id, title } = provider;
  return h('section', { class: 'card provider', key: id },
    h('h2', null, named(title)),
    h('dl', { class: 'particulars' }, facts(provider).map(([name, value]) => h('div', { key: name },
      h('dt', null, t(`providers.${name}`)), h('dd', null, value)))),
    state.problems.has(id) && h('p', { class: 'alert', role: 'alert' }, state.problems.get(id)),
    h('div', { role: 'status' }, state.tried.has(id) && outcome(state.tried.get(id))),
    h('div', { class: 'actions' },
      h('button', {
        class: 'button quiet', type: 'button', disabled: state.busy.has(id),
        'aria-label': t('providers.testOne', { name: title }), onclick: () => test(state, id),
      },
        state.busy.has(id) ? t('providers.testing') : t('providers.test'))));
}

const facts = ({ id, kind, issuer, callback, signUp, institution }) => [
  ['kind', kind],
  ['id', h('code', null, id)],
  issuer !== id && ['issuer', h('code', null, issuer)],
  callback && ['callback', h('code', null, callback)],
  ['signUp', t(`providers.signUp.${signUp}`)],
  institution && ['institution', institution],
].filter(Boolean);

// A provider to which no request is sent has no steps.
const outcome = ({ works, steps }) => [
  h('p', { class: works ? 'trial-works' : 'trial-fails' },
    icon(works ? 'check' : 'warning'),
    t(steps.length === 0 ? 'providers.unasked' : works ? 'providers.works' : 'providers.fails')),
  h('ol', { class: 'trial' }, steps.map(({ step, outcome, fault }) => h('li', { key: step, 'data-outcome': outcome },
    MARKS[outcome] ? icon(MARKS[outcome]) : h('span', { class: 'icon', 'aria-hidden': 'true' }, '–'),
    h('div', null,
      h('strong', null, t(`providers.step.${step}`)), ' ',
      h('span', { class: 'outcome' }, t(`providers.outcome.${outcome}`)),
      fault && h('p', null, faultText(fault)))))),
];

async function test({ app, tried, problems, busy }, id) {
  busy.add(id);
  problems.delete(id);
  app.redraw();
  try {
    tried.set(id, (await app.http.post(`/v1/providers/${encodeURIComponent(id)}/test`)).body);
  } catch (error) {
    tried.delete(id);
    problems.set(id, problemText(error));
  }
  busy.delete(id);
  app.redraw();
}
