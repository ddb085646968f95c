// All records of a program at once: counts, distributions, outcomes, and who is at risk. It follows the records live.

import { h } from '../core/dom.js';
import { has, label, t } from '../core/i18n.js';
import { bars, countText } from '../parts/distribution.js';
import { icon } from '../parts/icons.js';

export async function open(app, { id }) {
  const topic = `cohort/${id}`;
  const [{ body, place }, program] = await Promise.all([
    app.http.get(`/v1/programs/${id}/cohort`), app.catalogue.program(id)]);
  const scheme = await app.catalogue.scheme(program.scheme);
  app.documents.accept(topic, place, body);
  const unwatch = app.live.watch(topic);
  return {
    wide: true,
    title: () => t('cohort.title'),
    view: () => h('div', { class: 'program' },
      h('div', { class: 'page-head' },
        h('a', { class: 'round', href: `/programs/${id}`, 'aria-label': t('action.back') }, icon('back')),
        h('h1', { tabindex: '-1' }, `${program.title} – ${t('cohort.title')}`),
        h('a', { class: 'button quiet', href: `/programs/${id}/records` }, icon('records'), t('program.records'))),
      picture(app.documents.get(topic)?.doc ?? body, scheme)),
    close: unwatch,
  };
}

function picture(cohort, scheme) {
  return [
    h('p', { class: 'lead', role: 'status' }, t('cohort.records', { count: cohort.records })),
    cohort.suppressed
      ? h('p', { class: 'empty' }, icon('people'), t('cohort.suppressed'))
      : [
        h('p', { class: 'muted' }, t('cohort.smallGroups')),
        h('div', { class: 'cohort' },
          Object.entries(cohort.figures).map(([name, figure]) => figureCard(scheme, name, figure)),
          Object.keys(cohort.letters).length > 0 && lettersCard(cohort.letters),
          Object.entries(cohort.outcomes).map(([name, states]) => outcomeCard(scheme, name, states))),
        riskCard(cohort.atRisk, scheme),
      ],
  ];
}

const nameIn = (list, name) => label(list?.find(item => item.name === name && !item.kind)?.label, name);

function figureCard(scheme, name, figure) {
  const title = nameIn(scheme.figures, name);
  const bands = Object.entries(figure.bands);
  return h('section', { class: 'card', key: `figure-${name}` },
    h('h2', null, title),
    h('p', null,
      figure.mean !== null && h('strong', null, t('cohort.mean', { value: figure.mean })), ' ',
      h('span', { class: 'muted' }, t('cohort.defined', { defined: countText(figure.defined), undefined: countText(figure.undefined) }))),
    figure.distribution.length > 0 && bars(t('cohort.distribution', { name: title }),
      figure.distribution.map(bin => ({ name: t('cohort.bin', { from: bin.from ?? '…', to: bin.to ?? '…' }), count: bin.count }))),
    bands.length > 0 && [
      h('h3', { key: 'bands' }, t('cohort.bands')),
      bars(t('cohort.bands'), bands.map(([band, count]) => ({ name: has(`band.${band}`) ? t(`band.${band}`) : band, count }))),
    ]);
}

function lettersCard(letters) {
  return h('section', { class: 'card', key: 'letters' },
    h('h2', null, t('cohort.letters')),
    bars(t('cohort.letters'), Object.entries(letters).map(([name, count]) => ({ name, count }))));
}

function outcomeCard(scheme, name, states) {
  const title = nameIn(scheme.outcomes, name);
  return h('section', { class: 'card', key: `outcome-${name}` },
    h('h2', null, title),
    bars(title, Object.entries(states).map(([state, count]) => ({ name: t(`outcome.${state}`), count }))));
}

function riskCard({ count, items }, scheme) {
  return h('section', { class: 'card at-risk' },
    h('h2', null, t('cohort.atRisk', { count })),
    count === 0 && h('p', { class: 'muted' }, t('cohort.noRisk')),
    h('ul', { class: 'rows' }, items.map(item => h('li', { key: `${item.record}-${item.outcome}` },
      h('a', { class: 'grow', href: `/records/${item.record}` }, t('cohort.record', { id: item.record.slice(-6) })),
      h('span', { class: 'pill', 'data-state': 'unmet' }, `${nameIn(scheme.outcomes, item.outcome)}: ${t('outcome.unmet')}`)))),
    new Set(items.map(item => item.record)).size < count && h('p', { class: 'hint' }, t('cohort.moreRisk')));
}
