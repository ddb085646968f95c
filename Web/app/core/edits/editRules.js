// Decides what becomes of an edit, as pure functions: no network, no storage, no clock.
//
// An edit is `sending` from its creation until the first answer, and `waiting` if no answer came. Then it is either
// deleted because it is in the record, or becomes a `conflict` that its author resolves, or is `refused` for a reason.
// Only the server refuses, and only an edit that it has read: after a lost connection, an ended session or a server
// fault, the edit waits.

import { Problem } from '../net/http.js';
import { valueIn } from '../values/own.js';
import { find, walk } from '../values/tree.js';

const unsent = new Set(['sending', 'waiting']);

export const isUnsent = edit => unsent.has(edit.state);

/** Compares edits by the order in which they were made. */
export const inOrder = (one, other) => one.order - other.order || (one.id < other.id ? -1 : 1);

/** The edit to send next, in order within each record. `first` is the record to begin with; records in `held` are
 *  skipped. */
export function nextOf(edits, held = new Set(), first = null) {
  const sendable = edits.filter(edit => isUnsent(edit) && !held.has(edit.record)).sort(inOrder);
  return sendable.find(edit => edit.record === first) ?? sendable[0] ?? null;
}

/** What an error says about the edit that was sent: `signedOut` (or a second factor has to be shown first), `moved`
 *  (another change came first), `refused`, `later` (the server asks the client to wait, or something else answered in
 *  its place) or `lost` (it may have arrived or not). */
export function verdictOn(error) {
  if (!(error instanceof Problem)) return 'lost';
  if (error.status === 401 || error.code === 'enrolment_required') return 'signedOut';
  if (error.code === 'version_conflict') return 'moved';
  if (error.retryable || error.status === 429 || error.status >= 500 || !error.known) return 'later';
  return 'refused';
}

/** What to do with an edit that was not entered: `{edit, then}`, the edit to keep, and whether to go on with the `next`
 *  one, to `skip` its record, or to `stop`. `triedAt` is when it may have arrived before this attempt. */
export function afterFailure(edit, error, triedAt) {
  const kept = mayHaveArrived(error) ? edit : { ...edit, triedAt };
  switch (verdictOn(error)) {
    case 'refused':
      return { edit: { ...kept, state: 'refused', faults: error.faults, detail: error.message }, then: 'next' };
    case 'later':
      return { edit: { ...kept, state: 'waiting', detail: error.message }, then: 'skip' };
    default:
      return { edit: { ...kept, state: 'waiting', detail: null }, then: 'stop' };
  }
}

// Only the server itself can tell that it did not enter the edit.
export const mayHaveArrived = error => !(error instanceof Problem && error.known && error.status < 500);

/** The values of the touched fields before the change, as its author saw them. */
export function baseOf(document, ops) {
  const base = {};
  for (const op of ops) {
    if (op.op === 'fields') base[''] = pick(document.fields ?? {}, op.fields);
    const entry = op.entry && find(document.entries, op.entry);
    if (!entry) continue;
    base[op.entry] = {
      ...base[op.entry], ...(op.op === 'delete' ? entry.fields : pick(entry.fields, op.fields ?? {})),
    };
  }
  return base;
}

const pick = (fields, names) => Object.fromEntries(Object.keys(names).map(name => [name, valueOf(fields, name)]));

/** The value of a field. The schemes choose the keys of the map, so inherited members do not count. */
export const valueOf = (fields, name) => valueIn(fields, name) ?? null;

/** Whether somebody else changed the values on which the edit is based, to something other than the edit asks for. */
export function clashes(edit, document) {
  return Object.entries(edit.base).some(([id, values]) => {
    const now = id === '' ? (document.fields ?? {}) : find(document.entries, id)?.fields;
    if (!now) return !edit.ops.every(op => op.op === 'delete');
    const wanted = wantedOf(edit, id);
    return Object.entries(values).some(([name, value]) =>
      !same(valueOf(now, name), value) && !(wanted.has(name) && same(valueOf(now, name), wanted.get(name))));
  });
}

// Returns the values that an edit gives to the fields of one entry, or of the record.
const wantedOf = (edit, id) => new Map(edit.ops.filter(op => op.op !== 'add' && (op.entry ?? '') === id)
  .flatMap(op => Object.entries(op.fields ?? {})));

// Typed values are text, whereas the record has numbers, so numbers are compared in plain form.
const same = (one, other) => one === other || (one !== null && other !== null && plain(one) === plain(other));
const plain = value => {
  const number = /^(-?)0*(\d+)(?:\.(\d*?)0*)?$/.exec(String(value));
  return number ? `${number[1]}${number[2]}${number[3] ? `.${number[3]}` : ''}` : String(value);
};

/** The temporary name of an entry that an unsent edit adds: the `number`th of them, in the order of `walk`. */
export const pendingName = (edit, number) => `${edit.id}.${number}`;

/** Maps the temporary names of what an edit added to the server's ids: `[[pending, id], …]`. */
export function namesOf(edit, answer) {
  // If the request was repeated after later changes, `added` tells what it added; the entry may have changed since, or
  // be gone.
  if (answer?.added) return answer.added.map((id, index) => [pendingName(edit, index + 1), id]);
  if (!answer?.entry) return [];
  return [...walk([answer.entry])].map(({ entry }, index) => [pendingName(edit, index + 1), entry.id]);
}

/** The edit with its temporary names replaced by ids from the map `ids`; the edit itself if it has none. */
export function named(edit, ids) {
  if (!edit.ops.some(op => ids.has(op.entry) || ids.has(op.parent))) return edit;
  const real = name => ids.get(name) ?? name;
  return {
    ...edit,
    ops: edit.ops.map(op => ({
      ...op,
      ...(op.entry === undefined ? {} : { entry: real(op.entry) }),
      ...(op.parent === undefined ? {} : { parent: real(op.parent) }),
    })),
    base: Object.fromEntries(Object.entries(edit.base).map(([id, values]) => [real(id), values])),
  };
}

/** A later edit of the same record after `sent` was entered: temporary names in it become ids, and if it was made
 *  directly on top of `sent`, it moves to `place`, the version that `sent` produced. `null` if nothing changes. */
export function following(edit, sent, names, place) {
  const known = named(edit, new Map(names));
  const moves = place && samePlace(edit.place, sent.place) && restsOn(edit, sent);
  if (!moves) return known === edit ? null : known;
  return { ...known, place };
}

const samePlace = (one, other) => one?.e === other?.e && one?.v === other?.v;

// Whether the author saw the effect of `sent`, which another tab may not have shown.
const restsOn = (edit, sent) => Object.entries(edit.base).every(([id, values]) => {
  const given = wantedOf(sent, id);
  return Object.entries(values).every(([name, value]) => !given.has(name) || same(given.get(name), value));
});

// The server remembers a key for a day; one hour is kept as a margin.
const remembered = 23 * 3600e3;

/** Whether sending the edit at `now` (milliseconds) could enter it twice: it may have arrived so long ago that the
 *  server has forgotten its key. */
export function isForgotten(edit, now) {
  const since = edit.triedAt ?? (edit.state === 'sending' ? edit.order : now);
  return now - since > remembered && edit.ops.some(op => op.op === 'add');
}

/** The request that enters the edit. */
export function requestOf({ record, ops }) {
  const base = `/v1/records/${encodeURIComponent(record)}`;
  if (ops.length !== 1) return { method: 'POST', path: `${base}/changes`, body: { changes: ops } };
  const { op, entry, position, ...rest } = ops[0];
  switch (op) {
    case 'add':
      return { method: 'POST', path: `${base}/entries`, body: rest };
    case 'patch':
      return { method: 'PATCH', path: `${base}/entries/${encodeURIComponent(entry)}`, body: rest };
    case 'delete':
      return position === undefined
        ? { method: 'DELETE', path: `${base}/entries/${encodeURIComponent(entry)}` }
        : { method: 'DELETE', path: `${base}/entries?position=${encodeURIComponent(position)}` };
    default:
      return { method: 'PATCH', path: base, body: rest };
  }
}
