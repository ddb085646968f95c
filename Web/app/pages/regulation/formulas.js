// The numbers in formulas and conditions, such as weights, shares and bars, each as an input at its place in the rule.

import { h } from '../../core/page/dom.js';
import { label, t } from '../../core/text/i18n.js';
import { ambiguity, fromInput } from '../../core/text/numbers.js';

// A document may have more formulas than users want to read in a form; the rest is changed in the text.
const MOST = 100;

/** The formulas of the last answer, as forms; null if none has a number. */
export function formulasView(editor) {
  const rules = rulesOf(editor.review.last);
  if (rules.length === 0) return null;
  const shown = rules.slice(0, MOST);
  return h('fieldset', { key: 'formulas', class: 'values' },
    h('legend', null, t('regulation.values.formula')),
    h('p', { class: 'hint' }, t('regulation.formulasText')),
    shown.map(rule => ruleForm(editor, rule)),
    rules.length > MOST && h('p', { class: 'hint' }, t('regulation.moreFormulas', { count: rules.length - MOST })));
}

function ruleForm(editor, { item, kind, pieces }) {
  const name = label(item.label, item.name);
  let number = 0;
  return h('div', { key: item.origin, class: 'formula-form', role: 'group', 'aria-label': name },
    h('strong', null, name, kind && h('span', { class: 'muted' }, ' · ', label(kind.label, kind.name))),
    h('p', { class: 'formula', dir: 'ltr' }, pieces.map((piece, place) => {
      if (!piece.isNumber) return h('span', { key: place }, piece.text);
      number += 1;
      return input(editor, piece, place, t('regulation.numberOf', { name, number }));
    })));
}

function input(editor, range, key, name) {
  const place = editor.review.currentRange(range);
  const text = place ? editor.text.slice(place.start, place.end) : range.text;
  return h('input', {
    key, type: 'text', inputmode: 'decimal', 'aria-label': name, value: text, disabled: place === null,
    autocomplete: 'off',
    style: { width: `${Math.max(4, text.length + 3)}ch` },
    onchange: event => {
      const typed = event.target.value.trim();
      const written = fromInput(typed);
      // Anything but a number has to be written in the text, where faults can be shown.
      const fault = ambiguity(typed) ?? (/^\d+(\.\d+)?$/.test(written) ? null : t('regulation.noNumber'));
      if (fault && written !== text) editor.app.say(fault, 'bad');
      if (fault || written === text) event.target.value = text;
      else editor.write(range, written);
    },
  });
}

const known = new WeakMap();

/** The rules of an answer with numbers, in text order: `[{item, kind, pieces: [{text, start, end, isNumber}]}]`. */
export function rulesOf(last) {
  if (!known.has(last)) known.set(last, found(last));
  return known.get(last);
}

function found({ text, outline, marks }) {
  const numbers = marks.filter(mark => mark.sort === 'number');
  const kinds = new Map(outline.filter(item => item.sort === 'entry').map(item => [item.name, item]));
  return outline.flatMap(item => {
    const place = item.formula ?? (item.sort === 'outcome' ? conditionsOf(text, item) : null);
    const inside = place ? within(numbers, place) : [];
    return inside.length === 0 ? [] : [{ item, kind: kinds.get(item.of) ?? null, pieces: cut(text, place, inside) }];
  });
}

// The lines of a declaration are indented below it.
function conditionsOf(text, { end }) {
  let start = text.indexOf('\n', end) + 1;
  if (start === 0) return { start: end, end };
  const first = start;
  while (start < text.length && /[ \t]/.test(text[start])) {
    const next = text.indexOf('\n', start) + 1;
    start = next === 0 ? text.length : next;
  }
  return { start: first, end: start };
}

// The ranges that begin within another one; `ranges` are in order, so they are found by binary search.
function within(ranges, { start, end }) {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ranges[middle].start < start) low = middle + 1;
    else high = middle;
  }
  const first = low;
  while (low < ranges.length && ranges[low].end <= end) low += 1;
  return ranges.slice(first, low);
}

function cut(text, { start, end }, numbers) {
  const pieces = [];
  let at = start;
  for (const number of numbers) {
    pieces.push({ text: text.slice(at, number.start) }, {
      text: text.slice(number.start, number.end), start: number.start, end: number.end, isNumber: true,
    });
    at = number.end;
  }
  pieces.push({ text: text.slice(at, end).trimEnd() });
  pieces[0].text = pieces[0].text.trimStart();
  return pieces.filter(piece => piece.text !== '');
}
