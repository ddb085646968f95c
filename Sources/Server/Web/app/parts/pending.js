// Changes that wait for the connection, were refused, or met somebody else's change: shown, never lost silently.

import { h } from '../core/dom.js';
import { t, time, toInput } from '../core/i18n.js';
import { faultText } from './problem.js';

export function pendingCards(desk, stored) {
  const edits = desk.app.edits.of(stored.id);
  const waiting = edits.filter(edit => edit.state === 'waiting');
  return [
    waiting.length > 0 && h('div', { class: 'banner waiting', role: 'status', key: 'waiting' },
      h('p', null, t('pending.waiting', { count: waiting.length, time: time(waiting[0].at) }))),
    edits.filter(edit => edit.state === 'refused').map(edit => refused(desk, edit)),
    edits.filter(edit => edit.state === 'conflict').map(edit => conflict(desk, stored, edit)),
  ];
}

function refused(desk, edit) {
  return h('section', { class: 'card problem', role: 'alert', key: edit.id },
    h('h2', null, t('pending.refused')),
    h('p', null, edit.faults.length > 0 ? edit.faults.map(faultText).join(' ') : edit.detail),
    h('button', { class: 'button quiet', onclick: () => desk.app.edits.discard(edit.id) }, t('pending.discard')));
}

function conflict(desk, stored, edit) {
  const rows = edit.ops.flatMap(op => differences(desk, stored, edit, op));
  return h('section', { class: 'card conflict', role: 'alert', key: edit.id },
    h('h2', null, t('conflict.title')),
    h('p', null, t('conflict.text')),
    h('div', { class: 'scroll' }, h('table', null,
      h('thead', null, h('tr', null, ['conflict.what', 'conflict.before', 'conflict.theirs', 'conflict.mine'].map(key =>
        h('th', { scope: 'col' }, t(key))))),
      h('tbody', null, rows.map(row => h('tr', null,
        h('th', { scope: 'row' }, row.what), h('td', null, row.before), h('td', null, row.theirs), h('td', null, row.mine)))))),
    h('div', { class: 'actions' },
      h('button', { class: 'button', onclick: () => desk.attempt(() => desk.app.edits.insist(edit.id)) }, t('conflict.keepMine')),
      h('button', { class: 'button quiet', onclick: () => desk.app.edits.discard(edit.id) }, t('conflict.keepTheirs'))));
}

function differences(desk, stored, edit, op) {
  const entry = op.entry ? desk.entry(op.entry) : null;
  const now = op.op === 'fields' ? stored.doc.record.fields : entry?.fields;
  const base = edit.base[op.entry ?? ''] ?? {};
  const title = op.entry ? desk.pathText(op.entry) || t('conflict.deleted') : '';
  return Object.keys(base).filter(name => (now?.[name] ?? null) !== base[name] || op.fields?.[name] !== undefined).map(name => ({
    what: [title, desk.fieldLabel(op.entry, name)].filter(Boolean).join(' · '),
    before: shown(base[name]),
    theirs: now ? shown(now[name]) : t('conflict.deleted'),
    mine: op.op === 'delete' ? t('conflict.deleted') : shown(op.fields?.[name]),
  }));
}

const shown = value => (value === null || value === undefined ? '–' : toInput(value));
