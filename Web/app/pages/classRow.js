// A student's own place in a class: every line with its weight, whether results are shown, the result, and the total with
// what it can still become. Staff see the same as the student does.

import { h, named } from '../core/page/dom.js';
import { label, t, toInput } from '../core/text/i18n.js';
import { kindOf } from '../core/data/catalogue.js';
import { find } from '../core/values/tree.js';
import { valueIn } from '../core/values/own.js';
import { signInInvitation } from '../parts/account/invitation.js';
import { icon } from '../parts/frame/icons.js';
import { schemeOf } from '../parts/program/programScheme.js';
import { fieldText } from '../parts/record/fieldText.js';
import { figureText } from '../parts/record/figure.js';
import { statusText } from './grid/cells.js';
import { titleOf } from './grid/columns.js';
import { totals } from './grid/studentPart.js';
import { open as missing } from './missing.js';

export async function open(app, { id, entry }) {
  if (!app.store.state.account) return signInInvitation(t('class.mine'));
  const path = `/v1/records/${encodeURIComponent(id)}`;
  const [{ body: held }, { body: judged }] = await Promise.all([app.http.get(path), app.http.get(`${path}/program`)]);
  const link = find(held.record.entries, entry);
  if (!link?.class) return missing();
  const scheme = await schemeOf(app, judged.program);
  const own = `/v1/classes/${link.class}/rows/${link.enrolment}`;
  const page = { answer: (await app.http.get(own)).body };
  // The record hears of every result; the row is read again then.
  const topic = judged.view === 'full' ? `record/${id}/staff` : `record/${id}`;
  const unwatch = app.live.watch(topic);
  const look = async () => {
    page.answer = (await app.http.get(own).catch(() => ({ body: page.answer }))).body;
    app.redraw();
  };
  return {
    title: () => titleOf(link, scheme),
    within: '/records',
    view: () => draw(page.answer, scheme, id, link),
    onDocument: changed => changed === topic && look(),
    close: unwatch,
  };
}

function draw(answer, scheme, record, link) {
  const [root] = answer.part.entries;
  return h('div', { class: 'own-row' },
    h('div', { class: 'page-head' },
      h('a', { class: 'round', href: `/records/${record}`, 'aria-label': t('action.back') }, icon('back')),
      h('h1', { tabindex: '-1' }, named(titleOf(root ?? link, scheme)))),
    totals(scheme, answer),
    root && h('ul', { class: 'own-lines' }, (root.children ?? []).map(entry => lineOf(entry, scheme, answer.standing))));
}

function lineOf(entry, scheme, standing) {
  const kind = kindOf(scheme, entry.kind);
  const grades = kind.fields.filter(field => field.grade);
  const grade = grades.find(field => (valueIn(entry.fields, field.name) ?? null) !== null) ?? grades[0];
  const below = entry.children ?? [];
  const facts = kind.fields.filter(field => !field.grade && field.type !== 'text' && field.name !== grade?.bestField
    && (valueIn(entry.fields, field.name) ?? null) !== null && !isTitle(field, entry, kind));
  return h('li', { key: entry.id, class: below.length > 0 ? 'own-group' : 'own-line' },
    h('div', { class: 'own-head' },
      h('span', { class: 'grow' },
        h('strong', null, named(titleOf(entry, scheme))),
        facts.length > 0 && h('span', { class: 'muted' }, facts.map(field => t('field.is', { name: label(field.label, field.name), value: fieldText(field, entry.fields[field.name]) })).join(' · '))),
      below.length === 0 && grade && h('span', { class: 'own-result' }, result(entry, grade)),
      below.length > 0 && figures(entry, scheme, standing)),
    below.length > 0 && h('ul', { class: 'own-lines' }, below.map(child => lineOf(child, scheme, standing))));
}

// The choice by which a line goes is its name.
const isTitle = (field, entry, kind) => field.type === 'choice' && !kind.fields.some(other => other.type === 'text' && valueIn(entry.fields, other.name));

function result(entry, grade) {
  const value = valueIn(entry.fields, grade.name) ?? null;
  const best = grade.bestField ? valueIn(entry.fields, grade.bestField) : grade.best;
  const text = value === null ? '–' : fieldText(grade, value);
  return [
    entry.status && h('span', { class: 'pill' }, statusText(entry.status)),
    h('span', { class: 'figure' }, value !== null && best !== null && best !== undefined && grade.type !== 'choice' ? t('class.of', { value: text, best: toInput(best) }) : text),
    value === null && !entry.status && h('span', { class: 'muted' }, t('class.noResult')),
  ];
}

function figures(entry, scheme, standing) {
  const own = valueIn(standing.entries, entry.id)?.figures;
  const [first] = scheme.figures.filter(figure => figure.kind === entry.kind && !figure.family && valueIn(own, figure.name));
  return first && h('span', { class: 'figure', title: label(first.label, first.name) }, figureText(own[first.name]));
}
