// The edit session: "Modifier" opens it, names and weights become drafts, "OK" saves all drafts as one change,
// "Annuler" discards them. Creating and deleting act at once and are not undone when the session is cancelled. While
// weights are drafts, the averages already show their effect.

import { h } from '../core/page/dom.js';
import { t } from '../core/text/i18n.js';
import { ambiguity } from '../core/text/numbers.js';
import { figureOf, figureText } from '../parts/record/figure.js';
import { Preview } from '../parts/record/preview.js';
import { faultText, problemText } from '../parts/frame/problem.js';
import { keeper } from '../parts/frame/refusal.js';
import { icon } from '../parts/frame/icons.js';
import { valueIn } from '../core/values/own.js';

const sessions = new WeakMap();

export function sessionOf(desk) {
  if (!sessions.has(desk)) {
    sessions.set(desk, {
      editing: false, drafts: new Map(), faults: [], unlocked: new Map(), preview: new Preview(desk), lookOf,
    });
  }
  return sessions.get(desk);
}

// The look of an entry depends on the session, too.
function lookOf(entry) {
  const unlocked = this.unlocked.get(entry.id);
  const own = [this.editing, this.faults, this.drafts.get(entry.id), unlocked?.text, unlocked?.fault];
  return [...own, ...(entry.children ?? []).flatMap(child => this.lookOf(child))];
}

export function editBar(desk, session) {
  if (!session.editing) {
    return h('div', { class: 'edit-bar' },
      h('button', { class: 'button', type: 'button', onclick: () => begin(desk, session) },
        icon('pencil'),
        t('iut.modify')));
  }
  return h('div', { class: 'edit-bar' },
    h('button', { class: 'button', type: 'button', onclick: () => save(desk, session) }, t('iut.ok')),
    h('button', { class: 'button quiet', type: 'button', onclick: () => end(desk, session) }, t('iut.cancel')),
    previewed(desk),
    session.faults.length > 0 && h('p', { class: 'alert', role: 'alert' }, session.faults.map(faultText).join(' ')),
    h('p', { class: 'muted' }, t('iut.sessionHint')));
}

// The averages stay visible while the user scrolls: the values that the drafts would produce, beside the current ones.
function previewed(desk) {
  const isPreview = Boolean(desk.book.previewed);
  return h('p', { class: 'draft-figures', role: 'status' },
    ['total', 'professional'].map(name => {
      const figure = figureOf(desk.book, name);
      const saved = valueIn(desk.book.saved.figures, name);
      const moved = isPreview && figureText(saved) !== figureText(figure);
      return h('span', { key: name }, `${t(`iut.${name}`)} `, moved && [h('del', null, figureText(saved)), ' '],
        h('strong', { 'data-band': figure?.band ?? null }, figureText(figure)));
    }));
}

function begin(desk, session) {
  Object.assign(session, { editing: true, drafts: new Map(), faults: [], unlocked: new Map() });
  desk.redraw();
}

function end(desk, session) {
  session.preview.end();
  Object.assign(session, { editing: false, drafts: new Map(), faults: [] });
  desk.redraw();
}

/** Takes a draft of an entry's name or weight and updates the figures. */
export function draft(desk, session, entry, values) {
  session.drafts.set(entry.id, { ...session.drafts.get(entry.id), ...values });
  session.preview.show(drafted(desk, session).filter(op => 'weight' in op.fields));
  desk.redraw();
}

/** What is typed and not sent: `open`, from which `retype` continues, and the texts; null if there is nothing. */
export function typed(desk) {
  const { editing, drafts, unlocked } = sessionOf(desk);
  const texts = [...[...drafts.values()].flatMap(({ title, text }) => [title, text]),
    ...[...unlocked.values()].map(({ text }) => text)].filter(Boolean);
  return texts.length > 0 ? { open: { editing, drafts: [...drafts], unlocked: [...unlocked] }, texts } : null;
}

export function retype(desk, { editing, drafts, unlocked }) {
  const session = sessionOf(desk);
  Object.assign(session, { editing, unlocked: new Map(unlocked) });
  for (const [id, values] of drafts) if (desk.entry(id)) draft(desk, session, desk.entry(id), values);
  desk.redraw();
}

// The changes of the drafts, as operations.
function drafted(desk, session) {
  const ops = [];
  for (const [id, { title, weight }] of session.drafts) {
    const entry = desk.entry(id);
    if (!entry) continue;
    const fields = {};
    if (title !== undefined && title.trim() !== entry.fields.title) fields.title = title.trim() || null;
    if (weight !== undefined && weight !== String(entry.fields.weight)) fields.weight = weight || null;
    if (Object.keys(fields).length > 0) ops.push({ op: 'patch', entry: id, fields });
  }
  return ops;
}

// Weights that can be read as two numbers.
const ambiguous = session => [...session.drafts].flatMap(([entry, { text }]) => {
  const message = text === undefined ? null : ambiguity(text);
  return message ? [{ entry, path: '/fields/weight', code: 'ambiguous_number', message }] : [];
});

async function save(desk, session) {
  session.faults = ambiguous(session);
  if (session.faults.length > 0) return desk.redraw();
  const ops = drafted(desk, session);
  if (ops.length === 0) return end(desk, session);
  const { drafts } = session;
  const keepIfLeft = keeper(() => session.drafts === drafts);
  try {
    await desk.book.apply(ops);
    end(desk, session);
  } catch (error) {
    await keepIfLeft(error);
    if (session.drafts !== drafts) return desk.app.say(problemText(error), 'bad');
    session.faults = (error.faults ?? []).map(fault => ({ ...fault, entry: ops[fault.op ?? 0]?.entry }));
    if (session.faults.length === 0) throw error;
    desk.redraw();
  }
}
