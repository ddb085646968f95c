// The year of a French university institute: the two blocks that decide the diploma, then the units with their
// subjects, each average as a bar up to twenty.

import { h, memo, named } from '../core/page/dom.js';
import { has, t, toInput } from '../core/text/i18n.js';
import { valueIn } from '../core/values/own.js';
import { enteredMark } from '../parts/record/entered.js';
import { figureButton, figureOf, figureText, rangeBar, reasonText, warnings } from '../parts/record/figure.js';
import { outcomeCards, outcomePill } from '../parts/record/outcome.js';
import { shownFields, statusPill } from '../parts/record/result.js';
import { icon } from '../parts/frame/icons.js';
import { swipeable } from '../parts/frame/swipe.js';
import { sessionOf, editBar, retype, typed } from './iutSession.js';
import { draftInputs } from './iutDrafts.js';
import { gradeControl } from './iutGrade.js';

export const mainFigure = 'total';
export const wide = true;
export { retype, typed };

export function draw(desk) {
  const session = sessionOf(desk);
  return h('div', { class: `iut ${session.editing ? 'editing' : ''}` },
    h('section', { class: 'blocks' },
      block(desk, 'total', t('iut.total')),
      block(desk, 'professional', t('iut.professional'))),
    outcomeCards(desk),
    h('p', { class: 'muted' }, rule(desk)),
    warnings(desk),
    desk.book.editable && editBar(desk, session),
    h('div', { class: 'units' }, desk.book.drawn.map(unit =>
      memo(unit.id, [...desk.lookOf(unit), ...session.lookOf(unit)], () => unitCard(desk, session, unit)))),
    session.editing && h('button', { class: 'button quiet', type: 'button', onclick: () => desk.add('unit') },
      icon('plus'), t('iut.addUnit')));
}

// The conditions for the diploma, by the preset with which the program began.
function rule(desk) {
  const { preset, bar, unitBar } = desk.configuration;
  const key = `iut.rule.${preset}`;
  return t(has(key) ? key : 'iut.rule', { bar: toInput(bar), unitBar: toInput(unitBar) });
}

function block(desk, name, text) {
  const figure = figureOf(desk.book, name);
  const good = figure?.band === 'green';
  const known = figure && figure.exact !== null;
  return h('article', { key: name, class: 'block', 'data-band': figure?.band ?? 'none' },
    h('span', { class: 'block-icon' }, icon(known && good ? 'cap' : 'warning')),
    h('div', { class: 'grow' },
      h('h2', null, text),
      known
        ? figureButton(desk, name, null, text, 'large')
        : h('p', { class: 'block-none' }, reasonText(desk.scheme, figure)),
      bar(figure, text),
      rangeBar(figure, 20)));
}

function bar(figure, text) {
  const known = figure && figure.exact !== null;
  return h('div', {
    class: 'grade-bar', 'data-band': figure?.band ?? 'none', role: 'img',
    'aria-label': known ? t('outcome.is', { name: text, state: `${figureText(figure)} / 20` }) : text,
  },
    h('span', { style: { width: known ? `${Math.min(100, Number(figure.display) * 5)}%` : '0' } }));
}

function unitCard(desk, session, unit) {
  const drafts = session.editing && !desk.isOfClass(unit);
  const { title, code, weight, professional } = unit.fields;
  const figure = figureOf(desk.book, 'average', unit);
  return h('article', { class: `unit ${desk.flashing(unit)}` },
    h('div', { class: 'unit-head' },
      drafts
        ? draftInputs(desk, session, unit, figureButton(desk, 'average', unit, title))
        : h('div', { class: 'grow' },
          h('h3', null, code !== null && code !== undefined && `${code}. `, named(title)),
          h('p', { class: 'muted' },
            t('iut.coefficient', { value: toInput(weight) }),
            professional ? ` · ${t('iut.pro')}` : ''),
          enteredMark(desk, unit)),
      !drafts && [
        unit.status && h('span', { class: 'pill' }, t(`status.${unit.status}`)),
        acquired(desk, unit),
        figureButton(desk, 'average', unit, title),
      ]),
    bar(figure, title),
    h('ul', { class: 'subjects' }, (unit.children ?? []).map(subject =>
      memo(subject.id, [...desk.lookOf(subject), ...session.lookOf(subject)],
        () => subjectRow(desk, session, subject)))),
    drafts && h('button', { class: 'button quiet small', type: 'button', onclick: () => desk.add('subject', unit) },
      icon('plus'), t('iut.addSubject')));
}

function acquired(desk, unit) {
  const look = () => valueIn(desk.book.standing.entries, unit.id)?.outcomes?.acquired ?? null;
  return look() && outcomePill(desk, 'acquired', 'unit', look, t(`iut.acquired.${look().state}`));
}

function subjectRow(desk, session, subject) {
  const { title, weight, grade } = shownFields(desk, subject);
  const drafts = session.editing && !desk.isOfClass(subject);
  const content = h('div', { class: 'subject' },
    drafts
      ? draftInputs(desk, session, subject)
      : [
        h('div', { class: 'grow' },
          h('span', { class: 'subject-title' }, named(title)),
          h('span', { class: 'muted' }, t('iut.coefficient', { value: toInput(weight) })),
          enteredMark(desk, subject)),
        statusPill(desk, subject),
        subject.hidden && h('span', { class: 'pill' }, t('entry.hiddenPill')),
        gradeControl(desk, session, subject, grade),
      ]);
  return h('li', { class: desk.flashing(subject) },
    swipeable({
      enabled: session.editing && desk.mayRemove(subject), label: t('action.delete'),
      act: () => desk.attempt(() => desk.delete(subject)),
    },
      content));
}
