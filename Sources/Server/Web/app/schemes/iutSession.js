// The edit session: "Modifier" opens it, names and weights become drafts, "OK" saves all drafts as one change,
// "Annuler" forgets them. Creating and deleting act at once and stay even when the session is cancelled.

import { h } from '../core/dom.js';
import { t, fromInput, toInput } from '../core/i18n.js';
import { faultText } from '../parts/problem.js';
import { icon } from '../parts/icons.js';

const sessions = new WeakMap();

export function sessionOf(desk) {
  if (!sessions.has(desk)) sessions.set(desk, { editing: false, drafts: new Map(), faults: [], unlocked: new Map() });
  return sessions.get(desk);
}

export function editBar(desk, session) {
  if (!session.editing) {
    return h('div', { class: 'edit-bar' }, h('button', { class: 'button', type: 'button', onclick: () => begin(desk, session) }, icon('pencil'), t('iut.modify')));
  }
  return h('div', { class: 'edit-bar' },
    h('button', { class: 'button', type: 'button', onclick: () => save(desk, session) }, t('iut.ok')),
    h('button', { class: 'button quiet', type: 'button', onclick: () => end(desk, session) }, t('iut.cancel')),
    session.faults.length > 0 && h('p', { class: 'alert', role: 'alert' }, session.faults.map(faultText).join(' ')),
    h('p', { class: 'muted' }, t('iut.sessionHint')));
}

function begin(desk, session) {
  Object.assign(session, { editing: true, drafts: new Map(), faults: [], unlocked: new Map() });
  desk.redraw();
}

function end(desk, session) {
  Object.assign(session, { editing: false, drafts: new Map(), faults: [] });
  desk.redraw();
}

async function save(desk, session) {
  const ops = [];
  for (const [id, draft] of session.drafts) {
    const entry = desk.entry(id);
    if (!entry) continue;
    const fields = {};
    if (draft.title !== undefined && draft.title.trim() !== entry.fields.title) fields.title = draft.title.trim() || null;
    if (draft.weight !== undefined && draft.weight !== String(entry.fields.weight)) fields.weight = draft.weight || null;
    if (Object.keys(fields).length > 0) ops.push({ op: 'patch', entry: id, fields });
  }
  if (ops.length === 0) return end(desk, session);
  try {
    await desk.book.apply(ops);
    end(desk, session);
  } catch (error) {
    session.faults = (error.faults ?? []).map(fault => ({ ...fault, entry: ops[fault.op ?? 0]?.entry }));
    if (session.faults.length === 0) throw error;
    desk.redraw();
  }
}

/** Name and weight of a unit or subject as draft inputs. */
export function draftInputs(desk, session, entry) {
  const draft = session.drafts.get(entry.id) ?? {};
  const change = values => {
    session.drafts.set(entry.id, { ...session.drafts.get(entry.id), ...values });
    desk.redraw();
  };
  const wrong = name => session.faults.some(fault => fault.entry === entry.id && fault.path.endsWith(`/${name}`));
  return h('div', { class: 'drafts grow', key: `draft-${entry.id}` },
    h('input', {
      type: 'text', 'aria-label': t('iut.name'), initial: entry.fields.title, 'aria-invalid': wrong('title') ? 'true' : null,
      oninput: event => change({ title: event.target.value }),
    }),
    h('span', { class: 'stepper' },
      step(desk, entry, draft, -1, change),
      h('input', {
        type: 'text', inputmode: 'decimal', 'aria-label': `${t('iut.weight')} ${entry.fields.title}`, 'aria-invalid': wrong('weight') ? 'true' : null,
        value: draft.text ?? toInput(entry.fields.weight),
        oninput: event => change({ text: event.target.value, weight: fromInput(event.target.value) }),
      }),
      step(desk, entry, draft, 1, change)));
}

// Weights are small whole numbers here; the buttons move them by one, the field takes any.
function step(desk, entry, draft, by, change) {
  const now = Number(draft.weight ?? entry.fields.weight);
  const next = String(Math.max(0, (Number.isFinite(now) ? now : 0) + by));
  return h('button', {
    class: 'round', type: 'button', 'aria-label': t(by > 0 ? 'iut.heavier' : 'iut.lighter'),
    onclick: () => change({ weight: next, text: toInput(next) }),
  }, by > 0 ? '+' : '−');
}

/** Deletes at once, as the swipe does. */
export function removal(desk, entry) {
  return h('button', {
    class: 'round danger', type: 'button', 'aria-label': `${t('action.delete')} ${desk.titleOf(entry.id)}`,
    onclick: () => desk.apply([{ op: 'delete', entry: entry.id }]),
  }, icon('trash'));
}
