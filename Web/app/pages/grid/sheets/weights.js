// Weights of lines as sliders: while one is dragged the class is rehearsed, and the sheet says what its totals would be and
// whose letter would be another. Nothing is stored before it is applied.

import { h, named } from '../../../core/page/dom.js';
import { label, t, toInput } from '../../../core/text/i18n.js';
import { fromInput } from '../../../core/text/numbers.js';
import { kindOf } from '../../../core/data/kinds.js';
import { valueIn } from '../../../core/values/own.js';
import { dialog } from '../../../parts/frame/dialog.js';
import { Form } from '../../../parts/frame/form.js';
import { problemText } from '../../../parts/frame/problem.js';
import { linesAbove, titleOf } from '../columns.js';
import { changeAll, rehearseAll } from './changes.js';
import { compared, letterRows } from './compared.js';
import { figureRows } from './figureBars.js';

// Milliseconds between two rehearsals while a slider is dragged.
const PAUSE = 100;
// So many students are named whose letter would be another.
const NAMED = 30;

/** What can be weighed: `[{line, field, value}]`, the numbers that lines share beside the maxima of results. */
export function weights(desk) {
  return desk.taught.structure.lines.filter(line => line.parent !== null).flatMap(line => {
    const kind = kindOf(desk.scheme, line.kind);
    const best = new Set(kind?.fields.map(field => field.bestField).filter(Boolean));
    const numbers = (kind?.fields ?? []).filter(field => ['number', 'integer'].includes(field.type) && !field.grade && !field.perStudent && !best.has(field.name));
    return numbers.map(field => ({ line, field, value: String(valueIn(line.fields, field.name) ?? field.default ?? '') })).filter(({ value }) => value !== '');
  });
}

/** The sheet of all weights. */
export function weightsSheet(desk) {
  const state = { chosen: new Map(), effect: null, error: null, isAsking: false, isStale: false };
  const all = weights(desk);
  const steps = () => all.filter(item => state.chosen.has(nameOf(item)) && state.chosen.get(nameOf(item)) !== item.value)
    .map(item => ({ op: 'patch', line: item.line.id, fields: { [item.field.name]: state.chosen.get(nameOf(item)) } }));
  // One after the other, the newest last.
  const ask = async () => {
    state.isStale = true;
    if (state.isAsking) return;
    state.isAsking = true;
    while (state.isStale) {
      state.isStale = false;
      const asked = steps();
      try {
        state.effect = asked.length > 0 ? await rehearseAll(desk, asked) : null;
        state.error = null;
      } catch (error) {
        state.error = error;
      }
      desk.redraw();
      await new Promise(resolve => setTimeout(resolve, PAUSE));
    }
    state.isAsking = false;
  };
  const choose = (item, text) => {
    const value = fromInput(text);
    if (!/^-?\d+(\.\d+)?$/.test(value)) return;
    state.chosen.set(nameOf(item), value);
    desk.redraw();
    ask();
  };
  const form = new Form(desk.redraw, async () => {
    const changes = steps();
    if (changes.length === 0) return desk.closeSheet();
    const undo = await changeAll(desk, changes);
    desk.closeSheet();
    return desk.app.say(t('weights.saved'), 'good', undo);
  });
  return () => dialog({ key: 'weights', title: t('weights.title'), close: desk.closeSheet, className: 'sheet' },
    h('p', { class: 'help' }, t('weights.help')),
    form.view(h('div', { class: 'policy' },
      h('div', { key: 'sliders' }, all.map(item => slider(desk, item, state.chosen.get(nameOf(item)) ?? item.value, choose))),
      state.error && h('p', { key: 'error', class: 'alert', role: 'alert' }, problemText(state.error)),
      state.effect && effectOf(desk, state.effect)), { action: t('weights.apply'), cancel: desk.closeSheet }));
}

const nameOf = ({ line, field }) => `${line.id}/${field.name}`;

function slider(desk, item, value, choose) {
  const { line, field } = item;
  const [least, most] = [field.min ?? '0', field.max ?? String(Math.max(10, 2 * Number(item.value)))];
  const title = [...linesAbove(line, desk.taught.structure.lines), line].map(one => titleOf(one, desk.scheme)).join(' › ');
  const name = t('weights.of', { field: label(field.label, field.name), title });
  return h('div', { key: nameOf(item), class: 'weight' },
    h('span', { class: 'grow' }, named(title), ' ', h('span', { class: 'muted' }, label(field.label, field.name))),
    h('input', {
      type: 'range', min: least, max: String(Math.max(Number(most) > 1000 ? 2 * Number(item.value) : Number(most), Number(item.value))), step: field.type === 'integer' ? '1' : 'any', value: String(value),
      'aria-label': name, oninput: event => choose(item, rounded(event.target.value)),
    }),
    h('input', { type: 'text', class: 'mark', inputmode: 'decimal', 'aria-label': t('weights.typed', { name }), value: toInput(value), onchange: event => choose(item, event.target.value) }));
}

// What a slider says with one decimal.
const rounded = text => String(Math.round(Number(text) * 10) / 10);

function effectOf(desk, effect) {
  const others = effect.rows.filter(({ before, after }) => before && after && (before.letter ?? null) !== (after.letter ?? null));
  const name = id => desk.model.rows.get(id)?.name ?? '';
  return h('div', { key: 'effect' },
    h('p', { class: 'banner', role: 'status' },
      [t('late.effect', { count: effect.changed }), effect.refused > 0 && t('late.refused', { count: effect.refused })].filter(Boolean).join(' ')),
    compared(t('statistics.letters'), t('statistics.letter'), letterRows(effect.rows, desk)),
    compared(t('statistics.histogram'), t('statistics.range'), figureRows(effect.rows, desk)),
    others.length > 0 && h('div', { key: 'others' },
      h('h3', null, t('weights.others', { count: others.length })),
      h('ul', { class: 'changes' }, others.slice(0, NAMED).map(({ row, before, after }) => h('li', { key: row },
        t('weights.other', { name: name(row), before: before.letter ?? '–', after: after.letter ?? '–' })))),
      others.length > NAMED && h('p', { class: 'muted' }, t('weights.more', { count: others.length - NAMED }))));
}
