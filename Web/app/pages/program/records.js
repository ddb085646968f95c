// The records of a program, for those who keep them, and the link to results.

import { clamped, h, named } from '../../core/page/dom.js';
import { label, t } from '../../core/text/i18n.js';
import { outcomeText } from '../../core/text/outcomes.js';
import { figureText } from '../../parts/record/figure.js';
import { outcomeName } from '../../parts/record/figureNames.js';
import { help } from '../../parts/frame/help.js';
import { icon } from '../../parts/frame/icons.js';
import { studentName } from '../../parts/record/students.js';
import { openSection } from './frame.js';
import { valueIn } from '../../core/values/own.js';

export const open = (app, { id }) => openSection(app, id, 'records', async desk => {
  const state = { items: [], next: null };
  await more(desk, state, `/v1/records?program=${desk.id}&limit=100`);
  return { view: () => page(desk, state) };
});

async function more(desk, state, path) {
  const { body, next } = await desk.app.http.get(path);
  state.items = [...state.items, ...body.items];
  state.next = next;
  desk.app.redraw();
}

function page(desk, state) {
  const { program } = desk;
  const entersResults = desk.keeps && program.version && program.entry !== 'self';
  return [
    help('record'),
    (entersResults || desk.keeps) && h('div', { class: 'actions' },
      entersResults && h('a', { class: 'button', href: `/programs/${desk.id}/results` },
        icon('pencil'),
        t('results.open')),
      desk.keeps && program.version && h('a', { class: 'button quiet', href: `/programs/${desk.id}/people` },
        icon('plus'),
        t('program.newRecord'))),
    state.items.length === 0
      ? h('p', { class: 'empty' }, icon('records'), t('program.noRecords'))
      : table(desk, state.items),
    state.next && h('button', { class: 'button quiet', type: 'button', onclick: () => more(desk, state, state.next) },
      t('action.more')),
  ];
}

function table({ scheme }, items) {
  const figures = scheme.figures.filter(figure => !figure.kind && !figure.family);
  const outcomes = (scheme.outcomes ?? [])
    .filter(outcome => !outcome.kind && !outcome.family && items.some(item => item.outcomes?.[outcome.name]));
  return h('div', { class: 'card scroll', tabindex: '0', role: 'region', 'aria-label': t('program.records') },
    h('table', null,
      h('thead', null, h('tr', null,
        h('th', { scope: 'col' }, t('program.student')),
        figures.map(figure => h('th', { scope: 'col', key: figure.name }, clamped(label(figure.label, figure.name)))),
        outcomes.map(({ name }) => h('th', { scope: 'col', key: `outcome-${name}` }, outcomeName(scheme, name))))),
      h('tbody', null, items.map(item => h('tr', { key: item.id },
        h('th', { scope: 'row' }, h('a', { href: `/records/${item.id}` }, named(studentName(item)))),
        figures.map(figure =>
          h('td', { key: figure.name, 'data-band': item.figures?.[figure.name]?.band ?? null },
            figureText(item.figures?.[figure.name]))),
        outcomes.map(({ name }) =>
          h('td', { key: `outcome-${name}` }, outcomePill(valueIn(item.outcomes, name), scheme))))))));
}

const outcomePill = (outcome, scheme) =>
  (outcome ? h('span', { class: 'pill', 'data-state': outcome.state }, outcomeText(outcome, scheme)) : '–');
