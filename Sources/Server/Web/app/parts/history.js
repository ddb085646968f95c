// What happened to a record, newest first, with a line of the main figure over time where the server tells it.

import { h } from '../core/dom.js';
import { dateTime, t } from '../core/i18n.js';
import { dialog } from './dialog.js';
import { problemText } from './problem.js';

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
  const undo = async () => {
    if (await desk.attempt(() => desk.app.http.post(`/v1/records/${desk.book.id}/undo`, {}, { match: desk.place }))) {
      state = { items: null, next: null, error: null };
      await load();
    }
  };
  return {
    view: () => dialog({ key: 'history', title: t('history.title'), close: desk.close, className: 'sheet' },
      state.error && h('p', { class: 'alert' }, problemText(state.error)),
      !state.items && !state.error && h('p', { class: 'muted' }, t('state.loading')),
      state.items && line(state.items, mainFigure),
      state.items?.length > 0 && desk.book.editable && h('button', { class: 'button quiet', onclick: undo }, t('history.undo')),
      state.items && h('ol', { class: 'history' }, state.items.map(item => row(desk, item))),
      state.items?.length === 0 && h('p', { class: 'muted' }, t('history.empty')),
      state.next && h('button', { class: 'button quiet', onclick: () => load(state.next) }, t('action.more'))),
  };
}

function row(desk, item) {
  return h('li', { key: item.version },
    h('div', { class: 'history-head' },
      h('strong', null, t(`history.op.${item.op}`), subject(desk, item)),
      h('time', { datetime: item.at }, dateTime(item.at))),
    changes(desk, item),
    h('p', { class: 'muted' }, t('history.by', { name: item.by?.displayName ?? '–', version: item.version }),
      item.reason ? ` · ${item.reason}` : ''));
}

function subject(desk, item) {
  const id = typeof item.entry === 'object' ? item.entry?.id : item.entry;
  const known = id && desk.pathText(id);
  const title = known || fieldsOf(item.after).title || fieldsOf(item.before).title;
  return title ? ` – ${title}` : '';
}

const fieldsOf = side => side?.fields ?? side ?? {};

function changes(desk, item) {
  const before = fieldsOf(item.before);
  const after = fieldsOf(item.after);
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter(name => plain(before[name]) && plain(after[name]) && (before[name] ?? null) !== (after[name] ?? null));
  if (names.length === 0) return null;
  const id = typeof item.entry === 'object' ? item.entry?.id : item.entry;
  return h('ul', { class: 'changes' }, names.map(name => h('li', { key: name },
    `${desk.fieldLabel(id, name)}: `,
    item.before && h('del', null, shown(before[name])),
    item.before && ' → ',
    h('ins', null, shown(after[name])))));
}

const plain = value => value === null || typeof value !== 'object';
const shown = value => (value === null || value === undefined ? '–' : String(value));

function line(items, name) {
  const points = items.map(item => item.figures?.[name]).filter(figure => figure && figure.exact !== null)
    .map(figure => Number(figure.display)).reverse();
  if (points.length < 2) return null;
  const low = Math.min(...points);
  const span = Math.max(...points) - low || 1;
  const place = (value, index) => `${(index / (points.length - 1)) * 296 + 2},${76 - ((value - low) / span) * 68}`;
  const last = items.find(item => item.figures?.[name]?.exact !== undefined).figures[name].display;
  return h('figure', { class: 'sparkline' },
    h('svg', { viewBox: '0 0 300 80', role: 'img', 'aria-label': t('history.line', { count: points.length, last }) },
      h('polyline', { points: points.map(place).join(' ') })));
}
