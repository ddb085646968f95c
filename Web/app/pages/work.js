// What the user works on, in one list: own records, managed programs and classes taught, the latest change first.

import { h, named } from '../core/page/dom.js';
import { date, t, toInput } from '../core/text/i18n.js';
import { newKey, Unreachable } from '../core/net/http.js';
import { isRegistrar, isStaff, teaches } from '../core/net/session.js';
import { icon } from '../parts/frame/icons.js';
import { problemText } from '../parts/frame/problem.js';
import { beginRecord, openPrograms, programName, schemeImage, usualTemplate } from '../parts/record/beginning.js';
import { signInInvitation } from '../parts/account/invitation.js';

export async function open(app) {
  const { account } = app.store.state;
  if (!account) return signInInvitation(t('work.title'));
  const topic = `records/${account.id}`;
  const state = { items: [], corrections: [], programs: [], schemes: new Map(), begun: null, keys: new Map() };
  const list = async path => (await app.http.get(path)).body.items;
  const read = async () => {
    [state.items, state.corrections] = await Promise.all([
      list('/v1/work?limit=100'), isRegistrar(app.store.state) ? list('/v1/corrections?limit=50') : [],
    ]);
    app.redraw();
  };
  await read();
  // If this fails, the page only lacks the suggestions for a beginning.
  if (state.items.length === 0) await learnPrograms(app, state).catch(() => {});
  // A new result in a record moves the record up.
  const unwatch = app.live.watch(topic);
  return {
    title: () => t('work.title'),
    view: () => page(app, state),
    onDocument: changed => changed === topic && read().catch(() => {}),
    close: unwatch,
  };
}

// A user who has nothing yet begins here.
async function learnPrograms(app, state) {
  const [programs, schemes] = await Promise.all([openPrograms(app), app.catalogue.schemes()]);
  Object.assign(state, { programs, schemes: new Map(schemes.map(scheme => [scheme.id, scheme])) });
}

async function begin(app, state, program) {
  if (state.begun) return;
  state.begun = program.id;
  app.redraw();
  // The key stays the same, so that a request whose answer was lost can be repeated.
  if (!state.keys.has(program.id)) state.keys.set(program.id, newKey());
  try {
    await beginRecord(app, program, usualTemplate(program), state.keys.get(program.id));
  } catch (error) {
    state.begun = null;
    if (!(error instanceof Unreachable)) state.keys.delete(program.id);
    app.say(problemText(error), 'bad');
  }
}

function page(app, shown) {
  const { items, corrections, programs, schemes } = shown;
  const { state } = app.store;
  return h('div', null,
    h('div', { class: 'page-head' },
      h('h1', { tabindex: '-1' }, t('work.title')),
      h('a', { class: 'button quiet', href: '/records' }, icon('records'), t('work.records')),
      teaches(state) && h('a', { key: 'classes', class: 'button quiet', href: '/classes' },
        icon('grid'),
        t('nav.classes')),
      isStaff(state) && h('a', { key: 'programs', class: 'button quiet', href: '/programs' },
        icon('programs'),
        t('nav.programs'))),
    corrections.length > 0 && h('section', { key: 'corrections', class: 'work-corrections' },
      h('h2', null, t('work.corrections')),
      h('ul', { class: 'record-list' }, corrections.map(correction))),
    items.length > 0 && h('p', { class: 'help' }, t('work.help')),
    items.length === 0 && programs.length === 0 && h('p', { class: 'empty' }, icon('work'), t('work.none')),
    items.length === 0 && programs.length > 0 && h('section', { key: 'begin', class: 'begin' },
      h('p', { class: 'help' }, t('work.none')),
      h('h2', null, t('work.begin')),
      h('ul', { class: 'record-list' }, programs.map(program => h('li', { key: program.id },
        h('button', {
          class: 'record-link', type: 'button', 'aria-disabled': shown.begun ? 'true' : null,
          'aria-busy': shown.begun === program.id ? 'true' : null, onclick: () => begin(app, shown, program),
        }, schemeImage(program.scheme, 44), programName(program, schemes)))))),
    h('ul', { class: 'record-list' }, items.map(item => row(item))));
}

function correction({ id, class: taught, name, at, reason }) {
  return h('li', { key: `correction-${id}` },
    h('a', { class: 'record-link', href: `/classes/${taught.id}?corrections` },
      icon('pencil'),
      h('span', { class: 'grow' },
        h('strong', null, named(taught.title)),
        h('span', null, named(reason)),
        h('span', { class: 'muted' }, t('work.correction', { name: name ?? '–', date: date(at) })))));
}

const addresses = { record: '/records', program: '/programs', class: '/classes' };

function row(item) {
  const [figure] = Object.values(item.figures ?? {});
  return h('li', { key: `${item.kind}-${item.id}` },
    h('a', { class: 'record-link', href: `${addresses[item.kind]}/${item.id}` },
      item.kind === 'class' ? icon('grid') : schemeImage(item.scheme, 44),
      h('span', { class: 'grow' },
        h('strong', null, named(item.title)),
        h('span', { class: 'muted' },
          t('work.changed', { kind: t(`work.kind.${item.kind}`), date: date(item.changedAt) }))),
      figure && h('span', { class: 'figure', 'data-band': figure.band ?? null }, toInput(figure.display) || '–'),
      item.state && h('span', { class: 'pill' }, t(`work.state.${item.state}`))));
}
