// Every change to a stored record goes through here. A change carries the version it was made on; when somebody else
// was faster, it is sent again on the new version if it touches nothing that moved, and becomes a visible conflict
// otherwise. What cannot be sent is kept, in order, and sent when the connection is back.

import { Problem, Unreachable, newKey } from './http.js';
import { find } from './tree.js';

const KEY = 'gradecast.edits';

export class Edits {
  #http;
  #store;
  #documents;
  #flushing = false;
  #onTheWay = 0;
  #touched = new Map();

  constructor({ http, store, documents }) {
    this.#http = http;
    this.#store = store;
    this.#documents = documents;
  }

  /** Takes up what was left unsent by this account in an earlier visit. */
  restore(account) {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    this.#store.set({ edits: account ? kept.filter(edit => edit.account === account.id) : [] });
    if (account) this.flush();
  }

  forget() {
    localStorage.removeItem(KEY);
    this.#store.set({ edits: [] });
  }

  of(record) {
    return this.#store.state.edits.filter(edit => edit.record === record);
  }

  /** Whether this page changed the entry itself a moment ago, so that its arrival is no news. What is being added has
   *  no name yet, and its push may come before the answer: while something is on its way, nothing is news. */
  isOwn(entry) {
    return this.#onTheWay > 0 || (this.#touched.get(entry) ?? -Infinity) > performance.now() - 5000;
  }

  /** Sends `ops`. Answers `{answer}`, `{queued: true}` or `{conflict: true}`; throws a `Problem` with faults. */
  async submit(topic, record, ops) {
    const held = this.#documents.get(topic);
    const edit = {
      id: newKey(),
      account: this.#store.state.account.id,
      record,
      topic,
      ops,
      base: baseOf(held.doc.record, ops),
      place: held.place,
      at: new Date().toISOString(),
      state: 'waiting',
    };
    if (this.of(record).some(other => other.state === 'waiting')) {
      this.#keep([...this.#store.state.edits, edit]);
      this.flush();
      return { queued: true };
    }
    try {
      return await this.#send(edit);
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      this.#keep([...this.#store.state.edits, edit]);
      return { queued: true };
    }
  }

  /** Sends what waits, oldest first; stops at the first that cannot be delivered. */
  async flush() {
    if (this.#flushing) return;
    this.#flushing = true;
    try {
      for (;;) {
        const edit = this.#store.state.edits.find(item => item.state === 'waiting');
        if (!edit) return;
        await this.#deliver(edit);
      }
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
    } finally {
      this.#flushing = false;
    }
  }

  async #deliver(edit) {
    try {
      const result = await this.#send(edit);
      if (!result.conflict) this.discard(edit.id);
    } catch (error) {
      if (error instanceof Unreachable) throw error;
      if (error instanceof Problem && error.retryable) throw new Unreachable(error.message);
      this.#replace({ ...edit, state: 'refused', faults: error.faults ?? [], detail: error.message });
    }
  }

  discard(id) {
    this.#keep(this.#store.state.edits.filter(edit => edit.id !== id));
  }

  /** The user decided for his or her own values in a conflict. */
  async insist(id) {
    const edit = this.#store.state.edits.find(item => item.id === id);
    const held = this.#documents.get(edit.topic);
    this.#replace({
      ...edit,
      id: newKey(),
      place: held.place,
      base: baseOf(held.doc.record, edit.ops),
      state: 'waiting',
    }, id);
    await this.flush();
  }

  async #send(edit) {
    this.#onTheWay += 1;
    try {
      return await this.#settle(edit);
    } finally {
      this.#onTheWay -= 1;
    }
  }

  async #settle(edit) {
    let current = edit;
    for (let attempt = 0; attempt < 6; attempt += 1) {
      const { method, path, body } = request(current);
      for (const op of current.ops) if (op.entry) this.#touched.set(op.entry, performance.now());
      try {
        const { body: answer } = await this.#http.request(method, path, { body, match: current.place, key: current.id });
        this.#touchAnswer(answer);
        this.#catchUp(edit.topic, edit.record, answer.version);
        return { answer };
      } catch (error) {
        if (!(error instanceof Problem) || error.code !== 'version_conflict') throw error;
        const { doc, place } = await this.refresh(edit.topic, edit.record);
        if (clashes(current, doc.record)) {
          this.#replace({ ...current, id: newKey(), state: 'conflict' }, edit.id);
          return { conflict: true };
        }
        current = { ...current, id: newKey(), place };
      }
    }
    throw new Unreachable('busy');
  }

  /** Reads the record anew and hands it to the documents. */
  async refresh(topic, record) {
    const { body, place } = await this.#http.get(`/v1/records/${record}`);
    this.#documents.accept(topic, place, body);
    return this.#documents.get(topic);
  }

  // The push normally brings the result first; without a connection it is fetched.
  #catchUp(topic, record, version) {
    const behind = () => (this.#documents.place(topic)?.v ?? 0) < version;
    setTimeout(() => behind() && this.refresh(topic, record).catch(() => {}),
      this.#store.state.connection.kind === 'live' ? 1500 : 0);
  }

  #touchAnswer(answer) {
    const ids = [answer.entry?.id, ...(answer.entry?.children ?? []).map(child => child.id)];
    for (const id of [...ids, ...Object.values(answer.entries ?? {})]) if (id) this.#touched.set(id, performance.now());
  }

  #replace(edit, id = edit.id) {
    const others = this.#store.state.edits;
    const known = others.some(item => item.id === id);
    this.#keep(known ? others.map(item => (item.id === id ? edit : item)) : [...others, edit]);
  }

  #keep(edits) {
    this.#store.set({ edits });
    localStorage.setItem(KEY, JSON.stringify(edits));
  }
}

function request({ record, ops }) {
  const base = `/v1/records/${record}`;
  if (ops.length !== 1) return { method: 'POST', path: `${base}/changes`, body: { changes: ops } };
  const { op, entry, position, ...rest } = ops[0];
  switch (op) {
    case 'add':
      return { method: 'POST', path: `${base}/entries`, body: rest };
    case 'patch':
      return { method: 'PATCH', path: `${base}/entries/${entry}`, body: rest };
    case 'delete':
      return position === undefined
        ? { method: 'DELETE', path: `${base}/entries/${entry}` }
        : { method: 'DELETE', path: `${base}/entries?position=${encodeURIComponent(position)}` };
    default:
      return { method: 'PATCH', path: base, body: rest };
  }
}

// What the touched values were when the change was made.
function baseOf(document, ops) {
  const base = {};
  for (const op of ops) {
    if (op.op === 'fields') base[''] = pick(document.fields ?? {}, op.fields);
    const entry = op.entry && find(document.entries, op.entry);
    if (!entry) continue;
    base[op.entry] = { ...base[op.entry], ...(op.op === 'delete' ? entry.fields : pick(entry.fields, op.fields ?? {})) };
  }
  return base;
}

const pick = (fields, names) => Object.fromEntries(Object.keys(names).map(name => [name, fields[name] ?? null]));

/** Whether somebody else changed what the edit was made on. */
export function clashes(edit, document) {
  return Object.entries(edit.base).some(([id, values]) => {
    const now = id === '' ? (document.fields ?? {}) : find(document.entries, id)?.fields;
    if (!now) return !edit.ops.every(op => op.op === 'delete');
    return Object.entries(values).some(([name, value]) => (now[name] ?? null) !== value);
  });
}
