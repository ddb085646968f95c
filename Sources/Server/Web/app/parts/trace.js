// "Why?": the formula of a figure in one line, and below it the tree it came from, down to what was entered.

import { h } from '../core/dom.js';
import { has, t } from '../core/i18n.js';
import { dialog } from './dialog.js';
import { problemText } from './problem.js';
import { figureOf, figureText, reasonText } from './figure.js';
import { formula, roundingOf } from '../core/traceWords.js';

export function whySheet(desk, name, entry, title) {
  let state = { loading: true };
  const load = async () => {
    try {
      const traces = await desk.book.explain();
      state = { trace: (entry ? traces[entry.id]?.[name] : traces[name]) ?? null };
    } catch (error) {
      state = { error };
    }
    desk.redraw();
  };
  load();
  return {
    refresh: load,
    view: () => dialog({ key: 'why', title: t('why.title', { figure: title }), close: desk.close, className: 'sheet' },
      body(desk, state, figureOf(desk.book, name, entry))),
  };
}

function body(desk, state, figure) {
  if (state.loading) return h('p', { class: 'muted' }, t('state.loading'));
  if (state.error) return h('p', { class: 'alert' }, problemText(state.error));
  return [
    h('p', { class: 'why-answer' }, h('strong', { 'data-band': figure?.band ?? null }, figureText(figure)), ' ',
      h('span', null, reasonText(figure) ?? '')),
    state.trace && sentence(state.trace, figure),
    state.trace
      ? h('ul', { class: 'trace' }, node(desk, state.trace, 0))
      : h('p', { class: 'muted' }, t('why.none')),
  ];
}

function sentence(trace, figure) {
  const { text } = formula(trace);
  const rounding = figure?.rounding ? { mode: figure.rounding, scale: figure.scale } : roundingOf(trace);
  return h('p', { class: 'why-formula' },
    h('code', null, figure?.exact ? `${text} = ${figure.exact}` : text),
    rounding && figure?.exact && h('span', null, t('why.shown', {
      display: figure.display, mode: t(`rounding.${rounding.mode}`), scale: rounding.scale ?? '',
    })));
}

function node(desk, trace, depth) {
  const children = trace.children ?? [];
  const line = [
    h('span', { class: 'trace-label' }, nameOf(desk, trace)),
    h('span', { class: 'trace-value' }, trace.display ?? trace.value ?? '–'),
    trace.state && trace.state !== 'used' && h('span', { class: 'pill' }, t(`trace.${trace.state}`)),
  ];
  const state = trace.state ?? 'used';
  if (children.length === 0) return h('li', { 'data-state': state }, h('div', { class: 'trace-line' }, line));
  return h('li', { 'data-state': state },
    h('details', { open: depth < 2 },
      h('summary', { class: 'trace-line' }, line),
      h('ul', null, children.map(child => node(desk, child, depth + 1)))));
}

function nameOf(desk, trace) {
  const title = trace.entry ? desk.titleOf(trace.entry) : '';
  const field = trace.field ? desk.fieldLabel(trace.entry, trace.field) : '';
  const what = trace.label || (has(`op.${trace.op}`) ? t(`op.${trace.op}`) : trace.op);
  const parts = [title, field].filter(Boolean).join(' · ');
  if (!parts) return what;
  return trace.label && trace.label !== title ? `${parts} · ${trace.label}` : parts;
}
