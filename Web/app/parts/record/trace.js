// Answers "Why?": the computation of a figure in one line, with its tree below, down to the entered values.

import { h, named } from '../../core/page/dom.js';
import { computation, dateTime, sentences, t, toInput } from '../../core/text/i18n.js';
import { dialog } from '../frame/dialog.js';
import { problemText } from '../frame/problem.js';
import { figureOf, figureText, reasonText } from './figure.js';
import { articleLink } from './article.js';
import { figureName } from './figureNames.js';
import { decisions } from './given.js';
import { reasonWords } from '../../core/text/messages.js';
import { isolate } from '../../core/text/isolate.js';
import { roundingOf, sentence, step, valueText } from '../../core/text/traceWords.js';
import { valueIn } from '../../core/values/own.js';
import { bandsOf, letterLimits, letterText } from './letters.js';

const LONGEST = 60;

export function whySheet(desk, name, entry, title) {
  let state = { loading: true };
  const opened = new Openings(desk.redraw);
  const load = async () => {
    try {
      state = { trace: await desk.book.explain(name, entry) };
    } catch (error) {
      state = { error };
    }
    desk.redraw();
  };
  load();
  return {
    refresh: load,
    view: () => dialog({ key: 'why', title: t('why.title', { figure: title }), close: desk.close, className: 'sheet' },
      body(desk, state, name, entry, opened),
      desk.book.mode === 'stored' && decisions(desk, name, entry, title)),
  };
}

// The open nodes, by place: initially the figure and its direct operands, until the user opens or closes some.
class Openings {
  #changed = new Map();
  #redraw;

  constructor(redraw) {
    this.#redraw = redraw;
  }

  has(place) {
    return this.#changed.get(place) ?? place.split('.').length <= 2;
  }

  set(place, isOpen) {
    if (this.has(place) === isOpen) return;
    this.#changed.set(place, isOpen);
    this.#redraw();
  }
}

function body(desk, state, name, entry, opened) {
  const figure = figureOf(desk.book, name, entry);
  if (state.loading) return h('p', { class: 'muted' }, t('state.loading'));
  if (state.error) return h('p', { class: 'alert' }, problemText(state.error));
  return [
    h('p', { class: 'why-answer' }, h('strong', { 'data-band': figure?.band ?? null }, figureText(figure)), ' ',
      h('span', null, reasonText(desk.scheme, figure) ?? '')),
    state.trace?.article && h('p', null, articleLink(desk, state.trace.article)),
    letterStep(desk, name, entry, figure),
    state.trace && computed(desk, state.trace, figure),
    state.trace
      ? h('ul', { class: 'trace' }, node(desk, state.trace, '0', opened))
      : h('p', { class: 'muted' }, t('why.none')),
  ];
}

function computed(desk, trace, figure) {
  const rounding = figure?.rounding ? { mode: figure.rounding, scale: figure.scale } : roundingOf(trace);
  return h('p', { class: 'why-formula' },
    h('code', null, computation(sentence(trace, displayIn(desk)))),
    rounding && figure?.exact && h('span', null, shownText(toInput(figure.display), rounding)));
}

// Why the figure has its letter.
function letterStep(desk, name, entry, figure) {
  const kind = entry ? desk.entry(entry.id)?.kind : null;
  const { letter } = (entry ? valueIn(desk.book.standing.entries, entry.id) : desk.book.standing) ?? {};
  const bands = bandsOf(desk,
    desk.scheme.figures.find(item => item.name === name && item.kind === kind && item.letters));
  const limits = letterLimits(bands, letter, figure);
  return limits && h('p', { class: 'why-letter' },
    sentences([
      t('why.letter', {
        value: figureText(figure), letter: isolate(letterText(desk.scheme, letter)), limit: toInput(limits.from),
      }),
      limits.better
        && t('why.nextLetter', {
          letter: isolate(letterText(desk.scheme, limits.better.label)), limit: toInput(limits.better.from),
        }),
    ]));
}

const shownText = (display, { mode, scale }) =>
  scale === null || scale === undefined
    ? t('why.shownStep', { display, mode: t(`rounding.${mode}`) })
    : t('why.shown', { display, mode: t(`rounding.${mode}`), count: scale });

const displayIn = desk => trace => (trace.op === 'figure'
  ? figureOf(desk.book, trace.figure, trace.entry ? { id: trace.entry } : null)?.display : null);

// Closed nodes are not drawn: a node may be used in many places, and each place shows all of it.
function node(desk, trace, place, opened) {
  const children = trace.children ?? [];
  const state = trace.state ?? 'used';
  const line = [
    h('span', { class: 'trace-label' }, nameOf(desk, trace)),
    state !== 'used' && h('span', { class: 'pill' }, t(`trace.${state}`)),
    h('span', { class: 'trace-value' }, valueOf(desk, trace)),
  ];
  if (children.length === 0) return h('li', { 'data-state': state }, h('div', { class: 'trace-line' }, line));
  return h('li', { 'data-state': state },
    h('details', { open: opened.has(place), onToggle: event => opened.set(place, event.currentTarget.open) },
      h('summary', { class: 'trace-line' }, line),
      opened.has(place) && place !== '0' && trace.article
        && h('p', { class: 'trace-article' }, articleLink(desk, trace.article)),
      opened.has(place) && h('ul', null,
        children.map((child, index) => node(desk, child, `${place}.${index}`, opened)))));
}

function valueOf(desk, trace) {
  if (trace.value === null && trace.reason) return reasonWords(desk.scheme, trace.reason);
  const value = computation(valueText(trace.value, displayIn(desk)(trace)));
  const own = trace.op === 'term' ? trace.children[0] : trace;
  const letter = trace.value !== null && own.value === trace.value && own.field && desk.letterIn(own.entry, own.field);
  return letter ? t('trace.letter', { letter, value }) : value;
}

function nameOf(desk, trace) {
  const title = trace.entry ? desk.titleOf(trace.entry) : '';
  // A term has the name of what it represents.
  if (trace.op === 'term') return title ? named(title) : nameOf(desk, trace.children[0]);
  const what = trace.field ? desk.fieldLabel(trace.entry, trace.field) : opName(desk, trace);
  return [title && named(title), title && ' · ', what, computationOf(desk, trace)];
}

function opName(desk, trace) {
  if (trace.op === 'figure') {
    return isDescribed(desk, trace.figure)
      ? figureName(desk.scheme, trace.figure, desk.entry(trace.entry)?.kind ?? null)
      : t('op.figure');
  }
  if (trace.op === 'given' && trace.by) return t('given.by', { name: desk.nameOf(trace.by), time: dateTime(trace.at) });
  if (trace.rounding) return t(`rounding.${roundingOf(trace).mode}`);
  if (trace.adjust) return t(`op.adjust.${trace.adjust.why}`);
  return t(`op.${trace.op}`);
}

// Values that a scheme computes on the way may have no label.
const isDescribed = ({ scheme }, name) => [...scheme.figures, ...scheme.hiddenFigures ?? []]
  .some(figure => figure.name === (figure.family ? name.split(':')[0] : name));

// The computation of a single step, which says more than its name.
function computationOf(desk, trace) {
  const text = step(trace, displayIn(desk));
  return text && text.length <= LONGEST && [' ', h('code', null, computation(text))];
}
