// Draws any scheme from its shape: the record's figures and outcomes on top, then the tree, each entry with its own
// fields and figures and with buttons to add entries below it.

import { clamped, h, memo, named } from '../core/page/dom.js';
import { label, t, toInput } from '../core/text/i18n.js';
import { within } from '../core/text/wording.js';
import { isolate } from '../core/text/isolate.js';
import { childKinds, kindOf, rootKinds } from '../core/data/kinds.js';
import { earlierRecords } from '../parts/record/earlier.js';
import { enteredMark } from '../parts/record/entered.js';
import { familyFigures } from '../parts/record/figureNames.js';
import { figureButton, figureOf, rangeBar, warnings } from '../parts/record/figure.js';
import { letterText } from '../parts/record/letters.js';
import { outcomeCards, outcomePill } from '../parts/record/outcome.js';
import { shownFields, statusPill } from '../parts/record/result.js';
import { icon } from '../parts/frame/icons.js';
import { swipeable } from '../parts/frame/swipe.js';
import { valueIn } from '../core/values/own.js';

export const wide = true;

export function draw(desk) {
  return h('div', { class: 'generic' },
    heading(desk),
    outcomeCards(desk),
    warnings(desk),
    desk.book.drawn.length === 0 && h('p', { class: 'empty' }, icon('records'), t('generic.empty')),
    h('div', { class: 'entries' }, desk.book.drawn.map(entry => memo(entry.id, desk.lookOf(entry), () => h('div', null,
      swipeable({ enabled: desk.mayRemove(entry), label: t('action.delete'), act: () => desk.remove(entry) },
        card(desk, entry, 2)))))),
    adders(desk, rootKinds(desk.scheme), null),
    earlierRecords(desk));
}

function heading(desk) {
  const figures = desk.scheme.figures.filter(figure => !figure.kind && desk.book.standing.figures?.[figure.name]);
  return h('section', { class: 'headline' },
    figures.map(figure => h('div', { key: figure.name, class: 'headline-figure' },
      h('h2', null, clamped(label(figure.label, figure.name))),
      figureButton(desk, figure.name, null, label(figure.label, figure.name), 'large'),
      range(desk, figure))),
    familyFigures(desk),
    letterOf(desk.scheme, desk.book.standing),
    enteredMark(desk, desk.book.record),
    desk.scheme.shape.fields?.length > 0 && desk.book.editable
      && h('button', { class: 'button quiet', type: 'button', onclick: () => desk.editRecord(t('record.fields')) },
        t('record.fields')));
}

// Figures do not tell how far their scale reaches, but the grades from which they are computed do: the narrowest of
// their ranges is taken that contains the figure's own range. If smaller values are better, the line runs from the
// greatest value down.
function range(desk, { name, rule }) {
  const own = figureOf(desk.book, name);
  if (!own || own.floor === undefined || own.floor === null) return null;
  const shown = [own.floor, own.ceiling, own.display || own.floor].map(Number);
  const scales = desk.scheme.shape.kinds.flatMap(kind => kind.fields)
    .filter(field => field.grade && field.min !== null && field.max !== null)
    .map(field => [Number(field.min), Number(field.max)])
    .filter(([least, most]) => most > least && shown.every(value => value >= least && value <= most))
    .sort((a, b) => (a[1] - a[0]) - (b[1] - b[0]));
  const [least, most] = scales[0] ?? [Math.min(0, ...shown), Math.max(1, ...shown)];
  return rule.better === 'lower' || shown[0] > shown[1] ? rangeBar(own, least, most) : rangeBar(own, most, least);
}

function card(desk, entry, level) {
  const kind = kindOf(desk.scheme, entry.kind);
  const below = childKinds(desk.scheme, entry.kind);
  return h('article', { class: `entry-card level-${level} ${desk.flashing(entry)}` },
    h('div', { class: 'entry-head' },
      h(`h${Math.min(level, 5)}`, null, named(clamped(desk.titleOf(entry.id)))),
      figures(desk, entry),
      desk.mayEdit(entry) && !kind.copies && h('button', {
        class: 'round', type: 'button', 'aria-label': `${t('action.edit')} ${isolate(desk.titleOf(entry.id))}`,
        onclick: () => desk.edit(entry),
      }, icon('pencil'))),
    pills(desk, entry),
    familyFigures(desk, entry),
    facts(desk, entry, kind),
    enteredMark(desk, entry),
    (entry.children ?? []).map(child => memo(child.id, desk.lookOf(child), () => card(desk, child, level + 1))),
    adders(desk, below, entry));
}

function figures(desk, entry) {
  const own = desk.book.standing.entries?.[entry.id] ?? {};
  return [
    desk.scheme.figures.filter(figure => figure.kind === entry.kind && valueIn(own.figures, figure.name)).map(figure =>
      figureButton(desk, figure.name, entry, label(figure.label, figure.name))),
    letterOf(desk.scheme, own),
  ];
}

// The letter of an entry, or of the whole record.
const letterOf = (scheme, { letter, band }) =>
  letter && h('strong', { class: letter.length > 3 ? 'letter word' : 'letter', 'data-band': band ?? null },
    letterText(scheme, letter));

function pills(desk, entry) {
  const outcomesOf = () => valueIn(desk.book.standing.entries, entry.id)?.outcomes ?? {};
  const outcomes = Object.keys(outcomesOf());
  const status = statusPill(desk, entry);
  if (!status && !entry.hidden && outcomes.length === 0) return null;
  return h('p', { class: 'entry-pills' },
    status,
    entry.hidden && h('span', { class: 'pill' }, t('entry.hiddenPill')),
    outcomes.map(name => outcomePill(desk, name, entry.kind, () => valueIn(outcomesOf(), name) ?? null)));
}

// The heading shows the title of the entry already.
function facts(desk, entry, kind) {
  const title = desk.titleOf(entry.id);
  const values = shownFields(desk, entry);
  const shown = kind.fields.map(field => ({ field, value: valueIn(values, field.name) }))
    .filter(({ value }) => value !== null && value !== undefined)
    .map(({ field, value }) => ({ field, text: valueText(field, value) }))
    .filter(({ text }) => text !== title);
  return shown.length > 0 && h('dl', { class: 'facts' }, shown.map(({ field, text }) => h('div', { key: field.name },
    h('dt', null, clamped(label(field.label, field.name))), h('dd', null, named(text)))));
}

function valueText(field, value) {
  if (field.type === 'boolean') return t(value ? 'value.yes' : 'value.no');
  if (field.type === 'choice') return label(field.choices.find(item => item.value === value)?.label, String(value));
  return field.type === 'text' ? value : toInput(value);
}

function adders(desk, kinds, parent) {
  if (!desk.mayAdd(parent)) return null;
  const open = kinds.filter(kind => {
    const siblings = (parent ? parent.children ?? [] : desk.book.record.entries)
      .filter(entry => entry.kind === kind.kind);
    return kind.max === null || kind.max === undefined || siblings.length < kind.max;
  });
  return open.length > 0 && h('div', { class: 'adders' }, open.map(kind =>
    h('button', { key: kind.kind, class: 'button quiet', type: 'button', onclick: () => desk.add(kind.kind, parent) },
      icon('plus'), clamped(t('entry.add', { kind: within(label(kind.label)) }), false))));
}
