// The meaning of the name at the caret, or under the pointer: its declaration, its unit, its formula, the effect of a
// better grade, and its value for the current sample.

import { h } from '../../core/page/dom.js';
import { has, label, t, toInput } from '../../core/text/i18n.js';
import { outcomeText } from '../../core/text/outcomes.js';
import { figureText } from '../../parts/record/figure.js';
import { valueIn } from '../../core/values/own.js';
import { lineTextAt } from './source.js';

// The greatest length of a formula, and of its words, in characters.
const SHOWN = 400;

export function explanation(editor) {
  const item = editor.explained;
  return h('div', { class: 'explained', role: 'region', 'aria-label': t('regulation.meaning') },
    item ? meaning(editor, item) : h('p', { class: 'hint' }, t('regulation.pointAtName')));
}

function meaning(editor, item) {
  const place = editor.review.currentRange(item);
  const value = valueOf(editor, item);
  return [
    h('p', null,
      h('strong', null, label(item.label, item.name)),
      ' ', h('code', { translate: 'no' }, item.name), ' ',
      h('span', { class: 'muted' }, facts(item).join(t('rules.comma'))),
      ' ', item.article && h('span', { class: 'muted' }, t('regulation.inArticle', { article: item.article }))),
    h('p', null, h('code', { class: 'formula', translate: 'no' }, declared(editor, item))),
    item.words && h('p', { class: 'in-words' }, item.words.slice(0, SHOWN)),
    h('div', { class: 'actions' },
      value !== null && h('span', null, t('regulation.valueIs', { value })),
      place && !editor.isAt(place) && h('button', {
        type: 'button', class: 'link', onclick: () => editor.go(place.start, place.end),
      }, t('regulation.toDeclaration')),
      hasRow(item) && h('button', { type: 'button', class: 'link', onclick: () => editor.showResult(item) },
        t('regulation.toResult'))),
  ];
}

/** Whether the result has a line for the declaration. */
const hasRow = item => (item.sort === 'figure' && !item.hidden) || item.sort === 'outcome';

const facts = ({ sort, of, unit, type, trend, hidden }) => [
  t(`regulation.sort.${sort}`),
  of && t('regulation.of', { kind: of }),
  type && has(`regulation.type.${type}`) && t(`regulation.type.${type}`),
  unit && unit !== 'plain' && t('regulation.in', { unit }),
  hidden && t('regulation.hidden'),
  trend && t(`regulation.trend.${trend}`),
].filter(Boolean);

// The formula if there is one, or else the line of the declaration.
function declared(editor, item) {
  const { text } = editor.review.last;
  const words = item.formula ? text.slice(item.formula.start, item.formula.end) : lineTextAt(text, item.start);
  return words.split(/\s+/).filter(Boolean).join(' ').slice(0, SHOWN);
}

function valueOf(editor, item) {
  const { last } = editor.review;
  if (item.sort === 'setting') {
    const value = valueIn(editor.settings, item.name) ?? valueIn(last.configuration?.defaults?.settings, item.name);
    if (typeof value === 'boolean') return t(value ? 'value.yes' : 'value.no');
    return value === undefined ? null : toInput(value);
  }
  const standing = last.record?.standing;
  if (!standing || item.of) return null;
  if (item.sort === 'figure' && valueIn(standing.figures, item.name)) return figureText(standing.figures[item.name]);
  if (item.sort === 'outcome' && valueIn(standing.outcomes, item.name)) {
    return outcomeText(standing.outcomes[item.name]);
  }
  return null;
}
