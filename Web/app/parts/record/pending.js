// Changes that wait for the connection, were refused, or conflict with another person's change. They are shown with
// what was typed and why they are not in the record, so that none is lost silently.

import { h } from '../../core/page/dom.js';
import { kindOf } from '../../core/data/kinds.js';
import { date, dateTime, sentences, t, time } from '../../core/text/i18n.js';
import { valueOf } from '../../core/edits/editRules.js';
import { walk } from '../../core/values/tree.js';
import { fieldText } from './fieldText.js';
import { faultText } from '../frame/problem.js';

export function pendingCards(desk, stored) {
  const edits = desk.app.edits?.of(stored.id) ?? [];
  const waiting = edits.filter(edit => edit.state === 'waiting');
  return [
    waiting.length > 0 && waitingCard(desk, stored, waiting),
    edits.filter(edit => edit.state === 'refused').map(edit => refused(desk, stored, edit)),
    edits.filter(edit => edit.state === 'conflict').map(edit => conflict(desk, stored, edit)),
  ];
}

function waitingCard(desk, stored, edits) {
  const details = [...new Set(edits.map(edit => edit.detail).filter(Boolean))];
  return h('div', { class: 'banner waiting', role: 'status', key: 'waiting' },
    h('div', { class: 'grow' },
      h('p', null, howLong(edits.length, edits[0].at)),
      details.map(detail => h('p', { key: detail }, t('pending.reason', { reason: detail }))),
      h('ul', { class: 'pending' }, edits.map(edit => h('li', { key: edit.id },
        h('span', { class: 'grow' }, typed(desk, stored, edit)),
        discarding(desk, edit))))));
}

const howLong = (count, at) => (date(at) === date(new Date())
  ? t('pending.waiting', { count, time: time(at) })
  : t('pending.waitingSince', { count, time: dateTime(at) }));

const discarding = (desk, edit) =>
  h('button', { class: 'button quiet small', type: 'button', onclick: () => desk.app.edits.discard(edit.id) },
    t('pending.discard'));

const insisting = (desk, edit, text) =>
  h('button', { class: 'button', type: 'button', onclick: () => desk.attempt(() => desk.app.edits.insist(edit.id)) },
    text);

function refused(desk, stored, edit) {
  const faults = (edit.faults ?? []).map(faultText);
  return h('section', { class: 'card problem refused', role: 'alert', key: edit.id },
    h('h2', null, t(edit.isUnsure ? 'pending.unsure' : 'pending.refused')),
    h('p', null, edit.isUnsure ? t('pending.unsureText') : faults.length > 0 ? sentences(faults) : edit.detail),
    h('p', null, typed(desk, stored, edit)),
    h('div', { class: 'actions' }, insisting(desk, edit, t('pending.again')), discarding(desk, edit)));
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
        h('th', { scope: 'row' }, row.what), h('td', null, row.before), h('td', null, row.theirs),
        h('td', null, row.mine)))))),
    h('div', { class: 'actions' },
      insisting(desk, edit, t('conflict.keepMine')),
      h('button', { class: 'button quiet', type: 'button', onclick: () => desk.app.edits.discard(edit.id) },
        t('conflict.keepTheirs'))));
}

function differences(desk, stored, edit, op) {
  const entry = op.entry ? desk.entry(op.entry) : null;
  const now = op.op === 'fields' ? stored.doc.record.fields : entry?.fields;
  const base = edit.base[op.entry ?? ''] ?? {};
  return Object.keys(base).filter(name => valueOf(now, name) !== base[name] || valueOf(op.fields, name) !== null)
    .map(name => ({
      what: [titleOf(desk, op), desk.fieldLabel(op.entry, name)].filter(Boolean).join(' · '),
      before: desk.fieldText(op.entry, name, base[name]),
      theirs: now ? desk.fieldText(op.entry, name, valueOf(now, name)) : t('conflict.deleted'),
      mine: op.op === 'delete' ? t('conflict.deleted') : desk.fieldText(op.entry, name, valueOf(op.fields, name)),
    }));
}

const titleOf = (desk, op) => (op.entry ? desk.pathText(op.entry) || t('conflict.deleted') : '');

// Returns what the author typed, in one line.
const typed = (desk, stored, edit) => edit.ops.map(op => typedIn(desk, op)).filter(Boolean).join('; ');

function typedIn(desk, op) {
  if (op.op === 'delete') {
    return t('outcome.is', { name: titleOf(desk, op) || op.position, state: t('conflict.deleted') });
  }
  const values = op.op === 'add'
    ? [...walk([op])].flatMap(({ entry }) => added(desk, entry))
    : Object.entries(op.fields ?? {}).map(([name, value]) =>
      t('outcome.is', { name: desk.fieldLabel(op.entry, name), state: desk.fieldText(op.entry, name, value) }));
  const text = values.join(', ');
  return [op.op === 'add' ? '' : titleOf(desk, op), text].filter(Boolean).join(' · ');
}

// Returns the values of one added entry, without flags, which mean nothing without their name.
const added = (desk, { kind, fields = {} }) => Object.entries(fields)
  .filter(([, value]) => value !== null && value !== true && value !== false)
  .map(([name, value]) => fieldText(kindOf(desk.scheme, kind)?.fields.find(field => field.name === name), value));
