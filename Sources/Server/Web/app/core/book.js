// A book is a record as a page works with it, wherever it comes from: stored on the server, a what-if over a stored
// one, or a guest's calculation. All three have the same members:
//   mode, scheme, program, record {id, fields, entries}, standing, editable, apply(ops), explain()

import { applied, difference, find, toWire, pointerTo } from './tree.js';
import { Problem } from './http.js';

export class StoredBook {
  mode = 'stored';

  constructor(app, topic, scheme, program) {
    Object.assign(this, { app, topic, scheme, program });
    this.id = topic.split('/')[1];
  }

  get doc() {
    return this.app.documents.get(this.topic)?.doc ?? null;
  }

  get record() {
    const waiting = this.app.edits.of(this.id).filter(edit => edit.state === 'waiting').flatMap(edit => edit.ops);
    if (waiting.length === 0) return this.doc.record;
    let next = 0;
    return { ...this.doc.record, ...applied(this.doc.record, waiting, () => `waiting-${(next += 1)}`) };
  }

  get standing() {
    return this.doc.standing;
  }

  get editable() {
    return this.doc.record.editable ?? true;
  }

  async apply(ops) {
    try {
      return await this.app.edits.submit(this.topic, this.id, ops);
    } catch (error) {
      throw relative(error, ops.length === 1 ? [''] : ops.map((_, index) => `/changes/${index}`));
    }
  }

  async explain() {
    return (await this.app.http.get(`/v1/records/${this.id}/standing?trace=figure`)).body.traces ?? {};
  }
}

export class SandboxBook {
  mode = 'sandbox';
  editable = true;
  #next = 0;

  constructor(stored) {
    this.app = stored.app;
    this.stored = stored;
    this.id = stored.id;
    this.scheme = stored.scheme;
    this.program = stored.program;
    this.record = structuredClone(stored.doc.record);
    this.standing = stored.standing;
  }

  get changes() {
    return difference(this.stored.doc.record, this.record);
  }

  async apply(newOps) {
    const ops = newOps.map(op => this.#named(op));
    const next = applied(this.record, ops, () => this.#newRef());
    const changes = difference(this.stored.doc.record, next);
    try {
      const { body } = await this.app.http.post(`/v1/records/${this.id}/what-if`, { changes });
      this.record = { ...this.record, ...next };
      this.standing = renamed(body.standing ?? body, body.entries ?? {});
      return {};
    } catch (error) {
      throw relative(error, changes.map((_, index) => `/changes/${index}`), index => placeOf(changes[index], ops));
    }
  }

  async explain() {
    const path = `/v1/records/${this.id}/what-if?trace=figure`;
    const { body } = await this.app.http.post(path, { changes: this.changes });
    return renamed(body.standing ?? body, body.entries ?? {}).traces ?? {};
  }

  #named(op) {
    if (op.op === 'add') return this.#referenced(op);
    if (op.position === undefined) return op;
    return { op: 'delete', entry: atPosition(this.record.entries, op.position) };
  }

  #referenced(node) {
    return { ref: this.#newRef(), ...node, children: (node.children ?? []).map(child => this.#referenced(child)) };
  }

  #newRef() {
    this.#next += 1;
    return `new-${this.#next}`;
  }
}

export class CalculatorBook {
  mode = 'calculator';
  editable = true;
  id = null;
  program = null;
  #next = 0;

  constructor(app, scheme, preset) {
    Object.assign(this, { app, scheme, preset });
    this.record = { id: null, fields: {}, entries: [] };
    this.standing = { figures: {}, entries: {}, outcomes: {}, warnings: [] };
  }

  async start(entries = []) {
    await this.#evaluate({ fields: {}, entries });
  }

  async apply(newOps) {
    const ops = newOps.map(op =>
      op.position === undefined ? op : { op: 'delete', entry: atPosition(this.record.entries, op.position) });
    const next = applied(this.record, ops, () => `e${(this.#next += 1)}`);
    try {
      await this.#evaluate(next);
      return {};
    } catch (error) {
      throw relative(error, ops.map(op => this.#pointer(op, next)));
    }
  }

  async explain() {
    return (await this.#ask(this.record, '?trace=figure')).traces ?? {};
  }

  async choose(preset) {
    this.preset = preset;
    await this.#evaluate(this.record);
  }

  async #evaluate(document) {
    this.standing = await this.#ask(document, '');
    this.record = { ...this.record, ...document };
  }

  async #ask({ fields, entries }, query) {
    const body = { scheme: this.scheme.id, entries: toWire(entries), fields };
    if (this.preset) body.preset = this.preset;
    return (await this.app.http.post(`/v1/evaluate${query}`, body)).body;
  }

  #pointer(op, document) {
    if (op.op === 'fields') return '';
    const siblings = op.parent ? pointerTo(document.entries, op.parent) + '/children' : '/entries';
    if (op.op !== 'add') return pointerTo(document.entries, op.entry) ?? '';
    const count = (op.parent ? find(document.entries, op.parent).children : document.entries).length;
    return `${siblings}/${count - 1}`;
  }
}

function atPosition(entries, position) {
  const entry = entries.find(item => String(item.position) === position);
  if (entry) return entry.id;
  throw new Problem(404, { code: 'entry_not_found' });
}

// Faults point into the request; forms want them relative to the operation they came from.
function relative(error, prefixes, place = index => ({ op: index, pointer: '' })) {
  if (!(error instanceof Problem)) return error;
  error.faults = error.faults.map(fault => {
    const index = prefixes.findIndex(prefix => fault.path.startsWith(`${prefix}/`) || fault.path === prefix);
    if (index < 0) return { ...fault, op: 0 };
    const { op, pointer } = place(index);
    return { ...fault, op, path: pointer + fault.path.slice(prefixes[index].length) };
  });
  return error;
}

// In which of the form's operations, and where in it, a change of the sandbox stands.
function placeOf(change, ops) {
  const wanted = change.ref ?? change.entry;
  for (const [op, { ref, entry, children }] of ops.entries()) {
    if ((ref ?? entry) === wanted) return { op, pointer: '' };
    const pointer = within(children ?? [], wanted);
    if (pointer) return { op, pointer };
  }
  return { op: 0, pointer: '' };
}

function within(children, wanted, prefix = '/children') {
  for (const [index, child] of children.entries()) {
    if (child.ref === wanted) return `${prefix}/${index}`;
    const below = within(child.children ?? [], wanted, `${prefix}/${index}/children`);
    if (below) return below;
  }
  return null;
}

// What-if answers with the server's ids for what was added; the sandbox knows these entries by their refs.
function renamed(standing, ids) {
  const refs = new Map(Object.entries(ids).map(([ref, id]) => [id, ref]));
  const rename = map => Object.fromEntries(Object.entries(map ?? {}).map(([id, value]) => [refs.get(id) ?? id, value]));
  return { ...standing, entries: rename(standing.entries), ...(standing.traces ? { traces: rename(standing.traces) } : {}) };
}
