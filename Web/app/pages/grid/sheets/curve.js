// How the results of a column count: a curve, which shows its effect on results and letters before it is set.

import { h } from '../../../core/page/dom.js';
import { sentences, t, toInput } from '../../../core/text/i18n.js';
import { fromInput } from '../../../core/text/numbers.js';
import { dialog } from '../../../parts/frame/dialog.js';
import { Form } from '../../../parts/frame/form.js';
import { change, rehearse } from './changes.js';
import { compared, letterRows } from './compared.js';
import { rangeText } from './statistics.js';

const OPERATIONS = ['', 'add', 'scale', 'table'];

/** What a curve does, in a few words. */
export const curveText = ({ op, value }) => t(`curve.is.${op}`, { value: toInput(value ?? '') });

/** The sheet in which the user chooses a curve; it shows the effect before the curve is set. */
export function curveSheet(desk, column) {
  const { curve = null } = desk.lines.get(column.line);
  const state = { op: curve?.op ?? '', asked: null, effect: null };
  const form = new Form(desk.redraw, async data => {
    const step = { op: 'patch', line: column.line, curve: curveOf(data) };
    const asked = JSON.stringify(step);
    if (state.asked !== asked) {
      state.effect = await rehearse(desk, step);
      state.asked = asked;
      return;
    }
    const close = desk.sheets.closing();
    const undo = await change(desk, step);
    close();
    desk.app.say(t(step.curve ? 'curve.saved' : 'curve.removed', { title: column.title }), 'good', undo);
  });
  const other = () => {
    if (state.asked === null) return;
    state.asked = null;
    desk.redraw();
  };
  const choose = event => {
    state.op = event.target.value;
    desk.redraw();
  };
  return () => dialog({
    key: `curve-${column.key}`, title: t('curve.of', { title: [...column.path, column.title].join(' › ') }),
    close: desk.sheets.close, className: 'sheet',
  },
    h('p', { class: 'help' }, t('curve.help')),
    form.view(h('div', { class: 'policy', oninput: other },
      form.field({ name: '/curve/op', label: t('curve.op') },
        attributes => h('select', { ...attributes, onchange: choose },
          OPERATIONS.map(value =>
            h('option', { key: value, value, selected: value === state.op }, t(`curve.op.${value || 'none'}`))))),
      inputs(form, state.op, curve, column),
      effect(state, column, desk)), {
      action: t(state.asked === null ? 'late.preview' : 'action.save'), cancel: desk.sheets.close,
    }));
}

function inputs(form, op, curve, column) {
  if (op === '') return null;
  const own = curve?.op === op ? curve : null;
  return [
    op !== 'table' && form.text({
      name: '/curve/value', label: t(`curve.value.${op}`), value: own ? toInput(own.value) : '', inputmode: 'decimal',
      required: true,
    }),
    op === 'table'
      && form.field({ name: '/curve/points', label: t('curve.points'), hint: t('curve.pointsHint') }, attributes =>
        h('textarea', {
          ...attributes, rows: 5, spellcheck: 'false',
          initial: (own?.points ?? []).map(pair => pair.map(toInput).join('  ')).join('\n'),
        })),
    column.best !== null
      && form.field({ name: '/curve/cap', label: t('curve.cap', { best: toInput(column.best) }) }, attributes =>
        h('input', { ...attributes, type: 'checkbox', checked: own?.cap ?? true })),
  ];
}

function curveOf(data) {
  const op = data.get('/curve/op');
  if (op === '') return null;
  const values = op === 'table'
    ? { points: pointsOf(String(data.get('/curve/points') ?? '')) }
    : { value: fromInput(String(data.get('/curve/value') ?? '')) || null };
  return { op, ...values, cap: data.has('/curve/cap') };
}

// One point on each line: the result, and what it counts as.
const pointsOf = text => text.split('\n').map(line => line.trim()).filter(line => line !== '')
  .map(line => line.split(/\s*(?:=|→|\t)\s*|\s+/).filter(part => part !== '').map(fromInput));

function effect({ asked, effect: found }, column, desk) {
  if (asked === null) return null;
  const numbers = found.curves?.find(({ line }) => line === column.line);
  return h('div', { key: 'effect' },
    h('p', { class: 'banner', role: 'status' },
      sentences([t('late.effect', { count: found.changed }),
        found.refused > 0 && t('late.refused', { count: found.refused })])),
    numbers?.after && compared(t('statistics.histogram'), t('statistics.range'), ranges(numbers)),
    compared(t('statistics.letters'), t('statistics.letter'), letterRows(found.rows, desk)));
}

// Both histograms have the bars of the line's scale; one of them may have an additional bar beyond it.
function ranges({ before, after }) {
  const name = bar => `${bar.from}/${bar.to}`;
  const bars = after.bars.some(bar => bar.from === null) || !before
    ? after.bars
    : [...before.bars.filter(bar => bar.from === null), ...after.bars];
  const all = [...bars, ...(before?.bars ?? []).filter(bar => !bars.some(other => name(other) === name(bar)))];
  const count = (list, bar) => list?.bars.find(other => name(other) === name(bar))?.count ?? 0;
  return all.map(bar => [rangeText(bar, all), count(before, bar), count(after, bar)]);
}
