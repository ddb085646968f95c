// All records of a program at once: counts, distributions, outcomes, and who is at risk. The page follows the records
// live.

import { h, named } from '../../core/page/dom.js';
import { has, t, toInput } from '../../core/text/i18n.js';
import { bars } from '../../parts/program/distribution.js';
import { figureName, outcomeName } from '../../parts/record/figureNames.js';
import { letterText } from '../../parts/record/letters.js';
import { help } from '../../parts/frame/help.js';
import { icon } from '../../parts/frame/icons.js';
import { studentName } from '../../parts/record/students.js';
import { openSection } from './frame.js';

export const open = (app, { id }) => openSection(app, id, 'cohort', async desk => {
  const topic = `cohort/${desk.id}`;
  const { body, place } = await app.http.get(`${desk.path}/cohort`);
  app.documents.accept(topic, place, body);
  const names = new RiskNames(desk);
  await names.learn(body);
  const unwatch = app.live.watch(topic);
  return {
    view: () => picture(app.documents.get(topic)?.doc ?? body, desk, names),
    onDocument: (changed, held) => changed === topic && names.learn(held.doc).then(app.redraw),
    close: unwatch,
  };
});

// The overview has the identifiers of records; the names of their students are requested separately.
class RiskNames {
  #desk;
  #known = new Map();

  constructor(desk) {
    this.#desk = desk;
  }

  of = record => this.#known.get(record) ?? null;

  async learn({ atRisk }) {
    const missing = [...new Set((atRisk?.items ?? []).map(item => item.record))].filter(record =>
      !this.#known.has(record)).slice(0, 200);
    if (missing.length === 0) return;
    const answer = await this.#desk.app.http.get(`${this.#desk.path}/students?records=${missing.join(',')}`)
      .catch(() => null);
    for (const item of answer?.body.items ?? []) this.#known.set(item.record, item);
  }
}

function picture(cohort, { scheme, program: { configuration } }, names) {
  return [
    help('cohort'),
    h('p', { class: 'lead', role: 'status' }, t('cohort.records', { count: cohort.records })),
    cohort.suppressed
      ? h('p', { class: 'empty' }, icon('people'), t('cohort.suppressed'))
      : [
        h('div', { class: 'cohort' },
          figures(scheme, cohort.figures).map(([name, figure]) => figureCard(scheme, name, figure)),
          Object.keys(cohort.letters).length > 0
            && lettersCard(scheme, lettersInOrder(scheme, configuration, cohort.letters)),
          Object.entries(cohort.outcomes).map(([name, states]) => outcomeCard(scheme, name, states))),
        scheme.outcomes?.length > 0 && riskCard(cohort.atRisk, scheme, names),
        h('p', { class: 'hint' }, t('cohort.smallGroups')),
      ],
  ];
}

// Credits that are the same for everyone are not a distribution. Figures are in the scheme's order, families last and
// newest first.
function figures(scheme, all) {
  const order = name => (name.includes(':')
    ? scheme.figures.length
    : scheme.figures.findIndex(figure => figure.name === name && !figure.family));
  const isPlain = name => scheme.figures.find(figure => figure.name === name.split(':')[0])?.short;
  return Object.entries(all).filter(([name, figure]) => figure.distribution.length > 1 || !isPlain(name))
    .sort(([a], [b]) => order(a) - order(b) || b.localeCompare(a, 'en', { numeric: true }));
}

// Letters are in the order of the scale, the best first.
function lettersInOrder(scheme, configuration, letters) {
  const scale = (configuration?.bands ?? scheme.figures.find(figure => figure.letters)?.letters.bands ?? [])
    .map(band => band.label);
  const place = name => (scale.includes(name) ? scale.indexOf(name) : scale.length);
  return Object.entries(letters).sort(([a], [b]) => place(a) - place(b));
}

function figureCard(scheme, name, figure) {
  const title = figureName(scheme, name);
  const bands = Object.entries(figure.bands);
  return h('section', { class: 'card', key: `figure-${name}` },
    h('h2', null, title),
    h('p', null,
      figure.mean !== null && h('strong', null, t('cohort.mean', { value: toInput(figure.mean) })), ' ',
      figure.undefined === null && h('span', { class: 'muted' }, t('cohort.definedPrivate')),
      figure.undefined !== null && figure.undefined !== 0 && h('span', { class: 'muted' },
        t('cohort.defined', { defined: figure.defined, undefined: figure.undefined }))),
    figure.distribution.length > 0 && bars(t('cohort.distribution', { name: title }),
      figure.distribution.map(bin => ({ name: binName(bin), count: bin.count }))),
    bands.length > 0 && [
      h('h3', { key: 'bands' }, t('cohort.bands')),
      bars(t('cohort.bands'),
        bands.map(([band, count]) => ({ name: has(`band.${band}`) ? t(`band.${band}`) : band, count }))),
    ]);
}

function binName(bin) {
  const [from, to] = [bin.from, bin.to].map(bound => (bound === null ? null : toInput(bound)));
  if (from === null && to === null) return t('cohort.binAll');
  if (from === null) return t('cohort.binBelow', { to });
  return to === null ? t('cohort.binFrom', { from }) : t('cohort.bin', { from, to });
}

function lettersCard(scheme, letters) {
  return h('section', { class: 'card', key: 'letters' },
    h('h2', null, t('cohort.letters')),
    h('p', { class: 'hint' }, t('cohort.lettersHint')),
    bars(t('cohort.letters'), letters.map(([letter, count]) => ({ name: letterText(scheme, letter), count }))));
}

function outcomeCard(scheme, name, states) {
  const title = outcomeName(scheme, name);
  return h('section', { class: 'card', key: `outcome-${name}` },
    h('h2', null, title),
    bars(title, Object.entries(states).map(([state, count]) => ({ name: t(`outcome.${state}`), count }))));
}

function riskCard({ count, items }, scheme, names) {
  return h('section', { class: 'card at-risk' },
    h('h2', null, t('cohort.atRisk', { count })),
    h('p', { class: 'hint' }, t('cohort.riskHint')),
    h('ul', { class: 'rows' }, items.map(item => h('li', { key: `${item.record}-${item.outcome}` },
      h('a', { class: 'grow', href: `/records/${item.record}` }, named(studentName(names.of(item.record) ?? {}))),
      h('span', { class: 'pill', 'data-state': 'unmet' },
        t('cohort.unmet', { name: outcomeName(scheme, item.outcome), state: t('outcome.unmet') }))))),
    new Set(items.map(item => item.record)).size < count && h('p', { class: 'hint' }, t('cohort.moreRisk')));
}
