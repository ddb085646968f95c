// The webhooks of an institution: where its events are sent, how that goes, and what was given up. An administrator
// sees them and can end them.

import { h, named } from '../core/page/dom.js';
import { dateTime, t } from '../core/text/i18n.js';
import { registers } from '../core/net/session.js';
import { confirmation, dialog } from '../parts/frame/dialog.js';
import { Form } from '../parts/frame/form.js';
import { icon } from '../parts/frame/icons.js';
import { problemText } from '../parts/frame/problem.js';

const LONGEST_TITLE = 60;
const EVENTS = [
  'record.created', 'record.changed', 'record.ended', 'program.published', 'member.added', 'member.changed',
  'member.removed', 'class.changed',
];
const CONTENTS = ['ids', 'document'];

export async function open(app, { id }) {
  const { body: { institution } } = await app.http.get(`/v1/institutions/${id}`);
  const path = `/v1/institutions/${institution.id}/webhooks`;
  const programs = await app.catalogue.programs(institution.id);
  // `letters` has what was given up, by the webhooks that are unfolded, and `outcomes` what became of tests.
  const keeps = registers(app.store.state, { institution: institution.id });
  const state = {
    app, path, programs, keeps, items: [], letters: new Map(), outcomes: new Map(), made: null, sheet: null,
  };
  await reload(state);
  return {
    wide: true,
    title: () => t('webhooks.title'),
    within: '/programs',
    view: () => h('div', { class: 'program' },
      h('div', { class: 'page-head' },
        h('a', {
          class: 'round', href: `/institutions/${institution.id}/members`, 'aria-label': t('action.back'),
        }, icon('back')),
        h('h1', { tabindex: '-1', class: 'grow' }, named(institution.title), ` – ${t('webhooks.title')}`),
        keeps && h('button', {
          class: 'button', type: 'button', onclick: () => edit(state),
        }, icon('plus'), t('webhooks.create'))),
      h('p', { class: 'help' }, t('webhooks.intro')),
      state.made && told(state),
      state.items.length === 0 && h('p', { class: 'empty' }, icon('programs'), t('webhooks.none')),
      state.items.map(webhook => card(state, webhook)),
      state.sheet?.()),
  };
}

async function reload(state) {
  state.items = (await state.app.http.get(state.path)).body.items;
  state.app.redraw();
}

function show(state, sheet) {
  state.sheet = sheet;
  state.app.redraw();
}

/** Carries out an act and reads the list again; says what is wrong if it fails. */
async function attempt(state, act) {
  try {
    await act();
    await reload(state);
  } catch (error) {
    state.app.say(problemText(error), 'bad');
    state.app.redraw();
  }
}

// The secret that was just made; it is shown only once.
function told(state) {
  const title = t('webhooks.made', { title: state.made.title });
  const close = () => {
    state.made = null;
    state.app.redraw();
  };
  return h('div', { key: 'made', class: 'recovery', role: 'group', 'aria-label': title },
    h('h2', null, title),
    h('p', null, t('secret.once')),
    h('p', null, h('code', { class: 'secret' }, state.made.secret)),
    h('div', { class: 'actions' },
      h('button', { class: 'button', type: 'button', onclick: () => copy(state) }, t('secret.copy')),
      h('button', { class: 'button quiet', type: 'button', onclick: close }, t('token.kept'))));
}

async function copy(state) {
  try {
    await navigator.clipboard.writeText(state.made.secret);
    state.app.say(t('secret.copied'), 'good');
  } catch {
    state.app.say(t('secret.copyByHand'), 'bad');
  }
}

function card(state, webhook) {
  const { title } = webhook;
  const path = `${state.path}/${webhook.id}`;
  const program = state.programs.find(item => item.id === webhook.program);
  const letters = state.letters.get(webhook.id);
  const small = (name, onclick, className = '') => h('button', {
    key: name, class: `button quiet small ${className}`, type: 'button', onclick,
    'aria-label': t(`webhooks.${name}One`, { title }),
  }, t(`webhooks.${name}`));
  return h('section', { class: 'card service', key: webhook.id },
    h('div', { class: 'page-head' },
      h('h2', { class: 'grow' }, named(title)),
      state.keeps && small('edit', () => edit(state, webhook)),
      small('end', () => end(state, webhook), 'danger')),
    h('p', null, h('code', { class: 'secret' }, webhook.url)),
    h('p', { class: 'muted' },
      [...webhook.events.map(eventText), program && named(program.title), t(`webhooks.content.${webhook.content}`)]
        .filter(Boolean).flatMap((part, index) => (index > 0 ? [' · ', part] : [part]))),
    condition(webhook),
    outcome(state.outcomes.get(webhook.id)),
    state.keeps && h('div', { key: 'acts', class: 'actions' },
      small('test', () => test(state, webhook, path)),
      small('secret', () => rotate(state, webhook, path)),
      small(webhook.enabled ? 'off' : 'on',
        () => attempt(state, () => state.app.http.patch(path, { enabled: !webhook.enabled }))),
      webhook.failed > 0 && small(letters ? 'close' : 'open', () => unfold(state, webhook, path))),
    letters && h('div', { key: 'letters', class: 'service-parts' }, deadLetters(state, webhook, path, letters)));
}

const eventText = event => t(`webhooks.event.${event}`);

const reasonText = ({ reason, status }) =>
  t(`webhooks.reason.${reason}`, { status: status === null ? '' : String(status) });

function condition({ enabled, stopped, acceptedAt, refusal, waiting, failed, down }) {
  const state = enabled ? (down ? 'down' : 'enabled') : (stopped ?? 'disabled');
  return h('ul', { key: 'condition', class: 'plain' },
    h('li', { key: 'state', class: enabled && !down ? '' : 'fault' }, t(`webhooks.state.${state}`)),
    h('li', { key: 'accepted' },
      acceptedAt ? t('webhooks.accepted', { at: dateTime(acceptedAt) }) : t('webhooks.acceptedNone')),
    refusal && h('li', { key: 'refusal' },
      t('webhooks.refused', { at: dateTime(refusal.at), reason: reasonText(refusal) })),
    h('li', { key: 'waiting' }, t('webhooks.waiting', { count: waiting })),
    failed > 0 && h('li', { key: 'failed', class: 'fault' }, t('webhooks.failed', { count: failed })));
}

function outcome(found) {
  if (!found) return null;
  const text = found.accepted
    ? t('webhooks.testAccepted', { status: String(found.status) })
    : t('webhooks.testRefused', { reason: reasonText(found) });
  return h('p', { key: 'outcome', role: 'status', class: found.accepted ? '' : 'fault' },
    text, found.excerpt && [' ', h('code', null, found.excerpt)]);
}

async function test(state, webhook, path) {
  await attempt(state, async () => {
    state.outcomes.set(webhook.id, (await state.app.http.post(`${path}/test`)).body.outcome);
  });
}

async function rotate(state, webhook, path) {
  await attempt(state, async () => {
    const { body } = await state.app.http.post(`${path}/secret`);
    state.made = { title: webhook.title, secret: body.secret };
  });
}

async function unfold(state, webhook, path) {
  if (state.letters.delete(webhook.id)) return state.app.redraw();
  await attempt(state, () => readLetters(state, webhook, path));
}

async function readLetters(state, webhook, path) {
  const { body, next } = await state.app.http.get(`${path}/deliveries?state=failed&limit=50`);
  state.letters.set(webhook.id, { items: body.items, hasMore: Boolean(next) });
}

function deadLetters(state, webhook, path, { items, hasMore }) {
  const resend = place => attempt(state, async () => {
    await state.app.http.post(`${path}/${place}`);
    await readLetters(state, webhook, path);
  });
  return [
    h('h3', { key: 'title' }, t('webhooks.letters')),
    h('p', { key: 'text' }, t('webhooks.lettersText')),
    items.length > 0 && h('div', { key: 'all', class: 'actions' },
      h('button', {
        class: 'button quiet small', type: 'button', onclick: () => resend('resend'),
      }, t('webhooks.resendAll'))),
    h('ul', { key: 'rows', class: 'rows' }, items.map(letter => {
      const about = { event: eventText(letter.type), at: dateTime(letter.at) };
      return h('li', { key: letter.id },
        h('span', { class: 'grow' },
          h('strong', null, about.event),
          h('span', { class: 'muted' }, about.at, ' · ', reasonText(letter))),
        h('button', {
          class: 'button quiet small', type: 'button', 'aria-label': t('webhooks.resendOne', about),
          onclick: () => resend(`deliveries/${letter.id}/resend`),
        }, t('webhooks.resend')));
    })),
    hasMore && h('p', { key: 'more', class: 'muted' }, t('webhooks.lettersMore')),
  ];
}

/** Creates a webhook, or changes one. */
function edit(state, webhook = null) {
  const close = () => show(state, null);
  const form = new Form(state.app.redraw, async data => {
    const body = {
      title: data.get('/title').trim(), url: data.get('/url').trim(), events: data.getAll('/events'),
      program: data.get('/program') || null, content: data.get('/content'),
    };
    const { http } = state.app;
    const { body: answer } = webhook
      ? await http.patch(`${state.path}/${webhook.id}`, body) : await http.post(state.path, body);
    if (!webhook) state.made = { title: answer.webhook.title, secret: answer.secret };
    close();
    await reload(state);
  });
  const title = webhook ? t('webhooks.editOne', { title: webhook.title }) : t('webhooks.create');
  const chosen = webhook?.events ?? EVENTS;
  const select = (name, label, hint, current, choices) => form.field({ name, label, hint }, attributes =>
    h('select', attributes, choices.map(([value, text]) =>
      h('option', { key: value, value, selected: value === current }, text))));
  show(state, () => dialog({ key: 'webhook', title, close },
    form.view([
      form.text({
        name: '/title', label: t('webhooks.name'), hint: t('webhooks.nameHint'), value: webhook?.title,
        maxlength: LONGEST_TITLE, autofocus: true, required: true,
      }),
      form.text({
        name: '/url', label: t('webhooks.url'), hint: t('webhooks.urlHint'), value: webhook?.url, type: 'url',
        spellcheck: 'false', autocapitalize: 'none', required: true,
      }),
      h('fieldset', { key: 'events', class: 'checks' },
        h('legend', null, t('webhooks.events')),
        EVENTS.map(event => h('label', { key: event },
          h('input', { type: 'checkbox', name: '/events', value: event, checked: chosen.includes(event) }),
          eventText(event)))),
      select('/program', t('webhooks.program'), t('webhooks.programHint'), webhook?.program ?? '', [
        ['', t('webhooks.programAll')], ...state.programs.map(program => [program.id, program.title]),
      ]),
      select('/content', t('webhooks.contents'), t('webhooks.contentHint'), webhook?.content ?? 'ids',
        CONTENTS.map(content => [content, t(`webhooks.content.${content}`)])),
    ], { action: webhook ? t('webhooks.save') : t('webhooks.create'), className: 'stacked' })));
}

function end(state, webhook) {
  show(state, () => confirmation({
    key: 'webhook', title: t('token.endTitle', { name: webhook.title }), text: t('webhooks.endText'),
    action: t('webhooks.end'), close: () => show(state, null),
    confirm: async () => {
      show(state, null);
      await attempt(state, async () => {
        await state.app.http.delete(`${state.path}/${webhook.id}`);
        state.letters.delete(webhook.id);
      });
    },
  }));
}
