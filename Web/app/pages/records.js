// The user's records, kept up to date by the live channel, and a new one in any open program.

import { h, named } from '../core/page/dom.js';
import { label, t, toInput } from '../core/text/i18n.js';
import { valueIn } from '../core/values/own.js';
import { Form } from '../parts/frame/form.js';
import { dialog } from '../parts/frame/dialog.js';
import { icon } from '../parts/frame/icons.js';
import { problemText } from '../parts/frame/problem.js';
import { beginRecord, openPrograms, programName, schemeImage, usualTemplate } from '../parts/record/beginning.js';
import { schemeOf } from '../parts/program/programScheme.js';
import { signInInvitation } from '../parts/account/invitation.js';

export async function open(app) {
  const { account } = app.store.state;
  if (!account) return signInInvitation(t('records.title'));
  const topic = `records/${account.id}`;
  const { body, place } = await app.http.get('/v1/records');
  app.documents.accept(topic, place ?? { e: 'none', v: 0 }, body);
  const schemes = new Map((await app.catalogue.schemes()).map(scheme => [scheme.id, scheme]));
  const state = { sheet: null, programs: new Map() };
  await learnPrograms(app, state, body.items);
  const unwatch = app.live.watch(topic);
  return {
    title: () => t('records.title'),
    view: () => draw(app, topic, schemes, state),
    async onDocument(changed, held) {
      if (changed === topic) await learnPrograms(app, state, held.doc.items);
      app.redraw();
    },
    close: unwatch,
  };
}

async function learnPrograms(app, state, items) {
  const missing = [...new Set(items.map(item => programId(item)))].filter(id => id && !state.programs.has(id));
  await Promise.all(missing.map(async id => {
    state.programs.set(id, await app.catalogue.program(id).catch(() => null));
  }));
}

const programId = item => item.program?.id ?? item.program;

function draw(app, topic, schemes, state) {
  const items = app.documents.get(topic)?.doc.items ?? [];
  return h('div', null,
    h('div', { class: 'page-head' },
      h('h1', { tabindex: '-1' }, t('records.title')),
      h('button', { class: 'button', type: 'button', onclick: () => startRecord(app, schemes, state) },
        icon('plus'),
        t('records.new'))),
    h('p', { class: 'help' }, t('help.record')),
    items.length === 0 && h('div', { class: 'empty' }, icon('records'), h('p', null, t('records.empty'))),
    h('ul', { class: 'record-list' }, items.map(item => row(item, schemes, state))),
    state.sheet?.view());
}

function row(item, schemes, state) {
  const program = state.programs.get(programId(item));
  const scheme = schemes.get(item.scheme ?? program?.scheme);
  const figures = item.figures ?? {};
  const main = valueIn(figures, valueIn(mains, scheme?.id)) ?? Object.values(figures)[0];
  return h('li', { key: item.id },
    h('a', { class: 'record-link', href: `/records/${item.id}` },
      schemeImage(scheme?.id, 44),
      h('span', { class: 'grow' },
        h('strong', null, named(item.title ?? program?.title ?? label(scheme?.title, item.scheme))),
        h('span', { class: 'muted' }, label(scheme?.title, item.scheme ?? ''))),
      main && h('span', { class: 'figure', 'data-band': main.band ?? null }, toInput(main.display) || '–')));
}

// The main figure of a record's scheme.
const mains = { chalkboard: 'gpa', 'rose-hulman': 'gpa', iut: 'total' };

async function startRecord(app, schemes, state) {
  let programs = null;
  let problem = null;
  const templates = new Map();
  const close = () => {
    state.sheet = null;
    app.redraw();
  };
  const form = new Form(app.redraw, async data => {
    await beginRecord(app, programs[Number(data.get('/program'))], data.get('/template'));
  });
  let chosen = 0;
  const choose = async index => {
    chosen = index;
    const program = programs[index];
    if (!templates.has(program.id)) {
      templates.set(program.id, (await schemeOf(app, program).catch(() => null))?.templates ?? []);
    }
    app.redraw();
  };
  state.sheet = {
    view: () => dialog({ key: 'new-record', title: t('records.new'), close },
      problem && h('p', { class: 'alert' }, problemText(problem)),
      !programs && !problem && h('p', { class: 'muted' }, t('state.loading')),
      programs?.length === 0 && h('p', null, t('records.noPrograms')),
      programs?.length > 0 && form.view([
        h('fieldset', { class: 'options' }, h('legend', null, t('records.program')), programs.map((program, index) =>
          h('label', { class: 'option', key: program.id },
            h('input', {
              type: 'radio', name: '/program', value: index, checked: index === chosen, onchange: () => choose(index),
            }),
            schemeImage(program.scheme, 36), programName(program, schemes)))),
        beginnings(programs[chosen], templates.get(programs[chosen].id) ?? []),
      ], { action: t('records.create'), cancel: close })),
  };
  app.redraw();
  try {
    programs = await openPrograms(app);
    if (programs.length > 0) await choose(0);
  } catch (error) {
    problem = error;
  }
  app.redraw();
}

function beginnings(program, templates) {
  return templates.map(({ id, label: text }) => h('label', { class: 'option', key: `${program.id}-${id}` },
    h('input', { type: 'checkbox', name: '/template', value: id, checked: id === usualTemplate(program) }),
    h('span', null, t('records.template', { name: label(text, id) }))));
}
