// The history of a record, newest first, with a chart of the main figure if the server provides its values.

import { h, named } from '../../core/page/dom.js';
import { delayText } from '../../core/text/delays.js';
import { date, dateTime, t, toInput } from '../../core/text/i18n.js';
import { dialog } from '../frame/dialog.js';
import { problemText } from '../frame/problem.js';
import { valueIn } from '../../core/values/own.js';
import { kindOf } from '../../core/data/kinds.js';
import { statusText } from '../../core/text/statuses.js';
import { outcomeWord } from '../../core/text/outcomes.js';
import { roundedText } from '../../core/text/rounding.js';
import { exactText } from '../../core/text/traceWords.js';
import { figureOf } from './figure.js';
import { SOME_KIND, figureName, outcomeName } from './figureNames.js';

export function historySheet(desk, mainFigure) {
  let state = { items: null, next: null, error: null };
  const load = async (path = `/v1/records/${desk.book.id}/history`) => {
    try {
      const { body, next } = await desk.app.http.get(path);
      state = { items: [...(state.items ?? []), ...body.items], next, error: null };
    } catch (error) {
      state = { ...state, error };
    }
    desk.redraw();
  };
  load();
  // Loads the maxima of results; a record that is too long for this has a history without them.
  desk.book.assemble().then(desk.redraw, () => {});
  const undo = async () => {
    const done = await desk.attempt(async () => {
      const { body, place } = await desk.app.http.post(`/v1/records/${desk.book.id}/undo`, {}, { match: desk.place });
      // The next change builds on this version, even if the push has not come yet.
      desk.app.documents.accept(desk.book.topic, place, body);
    });
    if (done) {
      state = { items: null, next: null, error: null };
      await load();
    }
  };
  return {
    view: () => dialog({ key: 'history', title: t('history.title'), close: desk.close, className: 'sheet' },
      state.error && h('p', { class: 'alert' }, problemText(state.error)),
      !state.items && !state.error && h('p', { class: 'muted' }, t('state.loading')),
      state.items
        && line(state.items,
          [mainFigure, ...desk.scheme.figures.find(item => item.name === mainFigure && !item.kind)?.was ?? []]),
      state.items?.length > 0 && desk.book.editable && h('button', { class: 'button quiet', onclick: undo },
        t('history.undo')),
      state.items && h('ol', { class: 'history' }, state.items.map(item => row(desk, item))),
      state.items?.length === 0 && h('p', { class: 'muted' }, t('history.empty')),
      state.next && h('button', { class: 'button quiet', onclick: () => load(state.next) }, t('action.more'))),
  };
}

function row(desk, item) {
  return h('li', { key: item.version },
    h('div', { class: 'history-head' },
      h('strong', null, t(`history.op.${operation(item)}`), subject(desk, item)),
      h('time', { datetime: item.at }, dateTime(item.at))),
    results(desk, item),
    steps(item).map(step => changes(desk, step)),
    h('p', { class: 'muted' }, t('history.by', { name: item.by?.displayName ?? '–', version: item.version }),
      item.reason ? ` · ${item.reason}` : ''));
}

// The results that an act of a class changed, and the lines that it showed or hid.
function results(desk, { cells = [], shown = [], hidden = [] }) {
  if (cells.length + shown.length + hidden.length === 0) return null;
  const titleOf = ({ title }) => title ?? t('history.gone');
  return h('ul', { class: 'changes' },
    cells.map((cell, index) => h('li', { key: `cell-${cell.line ?? index}` },
      t('field.name', { name: titleOf(cell) }), ' ', h('del', null, named(cellText(desk, cell.line, cell.before))),
      ' → ', h('ins', null, named(cellText(desk, cell.line, cell.after))))),
    shown.map(line => h('li', { key: `shown-${line.line}` }, t('history.shown', { title: titleOf(line) }))),
    hidden.map(line => h('li', { key: `hidden-${line.line}` }, t('history.hidden', { title: titleOf(line) }))));
}

function cellText(desk, line, { values = {}, status = null, late = null }) {
  const entry = line && desk.entry(line);
  const max = valueIn(entry?.fields, 'max') ?? null;
  const texts = Object.entries(values).map(([name, value]) => {
    const text = desk.fieldText(line, name, value);
    return max !== null && name !== 'grade' ? `${text} / ${toInput(max)}` : text;
  });
  return [...texts, status && statusText(status, kindOf(desk.scheme, entry?.kind)),
    late && t('history.late', { delay: delayText(late) })].filter(Boolean).join(', ')
    || '–';
}

// A change may have several steps; each is shown like a separate change.
const steps = item => (Array.isArray(item.after) ? item.after : [item]);

// A class puts an entry into the record of a student who joins, and takes it out when the student leaves.
function operation(item) {
  if (item.op !== 'class') return item.op;
  const operations = new Set(steps(item).map(({ op }) => op));
  return operations.size !== 1
    ? 'class'
    : operations.has('add')
    ? 'joined'
    : operations.has('delete')
    ? 'left'
    : 'class';
}

const sideOf = (step, side) => step[side]?.fields ?? {};

function subject(desk, item) {
  const found = steps(item);
  if (found.length !== 1) return null;
  const [step] = found;
  const title = (step.entry && desk.pathText(step.entry)) || sideOf(step, 'after').title
    || sideOf(step, 'before').title;
  return title ? [' – ', named(title)] : null;
}

function changes(desk, step) {
  const before = sideOf(step, 'before');
  const after = sideOf(step, 'after');
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter(name => (valueIn(before, name) ?? null) !== (valueIn(after, name) ?? null));
  const gifts = givenChanges(desk, step);
  if (names.length === 0 && gifts.length === 0) return null;
  return h('ul', { class: 'changes' }, names.map(name => h('li', { key: name },
    t('field.name', { name: desk.fieldLabel(step.entry, name) }), ' ',
    step.before && [h('del', null, named(desk.fieldText(step.entry, name, valueIn(before, name)))), ' → '],
    h('ins', null, named(desk.fieldText(step.entry, name, valueIn(after, name)))))),
  gifts.map(({ key, name, from, to }) =>
    h('li', { key }, t('field.name', { name }), ' ', h('del', null, from), ' → ', h('ins', null, to))));
}

// The figures and outcomes that a step set or reset; "–" means the computed value.
function givenChanges(desk, step) {
  const kind = step.entry ? desk.entry(step.entry)?.kind ?? step.after?.kind ?? null : null;
  const owner = step.entry && kind === null ? SOME_KIND : kind;
  const nameOf = {
    figures: name => figureName(desk.scheme, name, owner), outcomes: name => outcomeName(desk.scheme, name, owner),
  };
  const textOf = {
    figures: (name, value) => toInput(exactText(value)),
    outcomes: (name, value) => outcomeWord(desk.scheme, name, value),
  };
  // A class sets all figures of its entry, including those that are not shown.
  const isOfClass = Boolean(step.before?.class ?? step.after?.class);
  return ['figures', 'outcomes'].flatMap(group => {
    const [before, after] = ['before', 'after'].map(side => step[side]?.given?.[group] ?? {});
    const text = values => name => {
      const found = valueIn(values, name);
      if (found?.value) return textOf[group](name, found.value);
      return isOfClass && isNumber(found?.current)
        ? classFigure(figureOf(desk.book, name, { id: step.entry }), found.current)
        : '–';
    };
    return [...new Set([...Object.keys(before), ...Object.keys(after)])]
      .filter(name => group === 'outcomes' || !isOfClass || isShown(desk.scheme, name, kind))
      .map(name =>
        ({ key: `${group}-${name}`, name: nameOf[group](name), from: text(before)(name), to: text(after)(name) }))
      .filter(({ from, to }) => from !== to);
  });
}

const isShown = (scheme, name, kind) => scheme.figures.some(item => (item.name === name || item.was?.includes(name))
  && !item.family && (item.kind ?? null) === kind);

const isNumber = text => /^-?[\d.]+(\/\d+)?$/.test(text ?? '');

// A figure that a class set, as the record shows it now; "≈" says that the exact value is another one. Where the record
// does not tell how it rounds, as for steps other than decimals, two decimals are enough.
function classFigure(figure, value) {
  const exact = exactText(value).replace('−', '-');
  const text = roundedText(value,
    roundsByDecimals(figure) ? { mode: figure.rounding, scale: figure.scale } : { mode: 'halfUp', scale: 2 });
  return Number(text) === Number(exact) ? toInput(exact) : `≈ ${toInput(text)}`;
}

function roundsByDecimals(figure) {
  if (!Number.isInteger(figure?.scale)) return false;
  return !isNumber(figure.exact)
    || Number(roundedText(figure.exact, { mode: figure.rounding, scale: figure.scale })) === Number(figure.display);
}

// A value that is undone within this time was a slip, in milliseconds.
const SLIP = 600_000;

// Leaves out slips: values that lasted only for a moment, after which the figure is what it was before.
function withoutSlips(points) {
  const kept = [];
  for (const point of points) {
    const [former, last] = kept.slice(-2);
    if (last && former.text === point.text && last.text !== point.text
      && new Date(point.at) - new Date(last.at) <= SLIP) kept.pop();
    else kept.push(point);
  }
  return kept;
}

// Draws the figure after every change, oldest on the left; changes without a value are left out. Earlier versions of
// the rules may have called it by another of its names.
function line(items, names) {
  const points = withoutSlips(items.map(item =>
    ({ at: item.at, text: names.map(name => valueIn(item.figures, name)).find(Boolean) }))
    .filter(point => point.text && !Number.isNaN(Number(point.text))).reverse());
  if (points.length < 2) return null;
  const values = points.map(point => Number(point.text));
  const [low, high] = [points[values.indexOf(Math.min(...values))], points[values.indexOf(Math.max(...values))]];
  const span = Number(high.text) - Number(low.text) || 1;
  const across = index => 8 + (index / (points.length - 1)) * 284;
  const up = value => 84 - ((value - Number(low.text)) / span) * 68;
  const slope = values.map((value, index) => `L${across(index)} ${up(value)}`).join(' ');
  const last = points.at(-1);
  return h('figure', { class: 'sparkline' },
    h('div', { class: 'sparkline-scale', 'aria-hidden': 'true' },
      h('span', null, toInput(high.text)),
      high.text !== low.text && h('span', null, toInput(low.text))),
    h('svg', {
      viewBox: '0 0 300 100', role: 'img',
      'aria-label': t('history.line', { count: points.length, last: toInput(last.text) }),
    },
      h('path', {
        class: 'area',
        d: `M${across(0)} 96 ${slope} L${across(points.length - 1)} 96 Z`,
      }),
      h('polyline', { points: values.map((value, index) => `${across(index)},${up(value)}`).join(' ') }),
      points.length <= 40
        && values.map((value, index) =>
          h('circle', { key: index, cx: across(index), cy: up(value), r: index === values.length - 1 ? 4.5 : 2.8 }))),
    h('figcaption', null,
      h('time', { datetime: points[0].at }, date(points[0].at)),
      h('strong', null, toInput(last.text)),
      h('time', { datetime: last.at }, date(last.at))));
}
