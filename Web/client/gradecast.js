// The client of a Gradecast server for programs in JavaScript: the live channel, the requests and the waiting edits of
// the server's own page, as one module. gradecast.d.ts describes each member, docs/javascript-client.md their use.

import { createDocuments } from '../app/core/data/documents.js';
import { isUnsent, pendingName } from '../app/core/edits/editRules.js';
import { Edits } from '../app/core/edits/edits.js';
import { EditShelf } from '../app/core/edits/editShelf.js';
import { LiveChannel } from '../app/core/live/live.js';
import { honestState } from '../app/core/live/liveRules.js';
import { createWaker } from '../app/core/live/waker.js';
import { createHTTP, Problem, Unreachable } from '../app/core/net/http.js';
import { createSeal } from '../app/core/storage/seal.js';
import { FleetingShelf } from '../app/core/storage/shelf.js';
import { applied } from '../app/core/values/tree.js';

export { Problem, Unreachable };

// Who signs in acts for no account yet.
const NOBODY = { as: null, bearer: null };
const topicOf = record => `record/${record}`;

// A fault of one listener is reported, and keeps nobody else from hearing.
function tell(listener, ...values) {
  try {
    listener?.(...values);
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}

export class Gradecast {
  #origin;
  #token;
  #account = null;
  #http;
  #documents;
  #live;
  #edits;
  #waker;
  // By topic: those who follow it, each with what ends that.
  #readers = new Map();
  #status = { kind: 'idle' };
  #waiting = [];
  #listeners = { status: new Set(), edits: new Set() };
  #end = new AbortController();

  constructor(server, { token = null, language = null, client = 'gradecast.js/1.0' } = {}) {
    const { signal } = this.#end;
    this.#origin = new URL(server, globalThis.location?.href).origin;
    this.#token = token;
    this.#http = createHTTP({
      server: this.#origin,
      token: () => this.#token,
      language: () => language,
      account: () => this.#account?.id,
      onSignedOut() {},
      onUnfinished() {},
      prove: async () => false,
    });
    this.#documents = createDocuments((topic, held) => this.#show(topic, held));
    this.#live = new LiveChannel({
      url: `${this.#origin.replace(/^http/, 'ws')}/v1/live`,
      client,
      documents: this.#documents,
      ticket: () => this.#ticket(),
      fetch: (topic, path) => this.#fetch(topic, path),
      onStatus: status => this.#connected(honestState(status)),
      onEnded: (topic, why) => this.#ended(topic, why),
      onVerdict: refused => this.#connected({ ...this.#status, refused }),
      signal,
    });
    this.#edits = new Edits({
      http: this.#http,
      documents: this.#documents,
      account: () => this.#account?.id,
      isLive: () => this.#status.kind === 'live',
      onChange: edits => this.#wait(edits),
      waker: least => this.#waker.rest(least),
      signal,
    });
    this.#waker = createWaker({ isNeeded: () => this.#edits.isWaiting, act: () => this.#edits.flush(), signal });
  }

  // -- Requests

  get token() {
    return this.#token;
  }

  async signIn(login, password) {
    return this.#admitted(await this.#http.post('/v1/sessions', { login, password }, NOBODY));
  }

  async signInWithCode(challenge, code) {
    return this.#admitted(await this.#http.post('/v1/sessions/second-factor', { challenge, code }, NOBODY));
  }

  async #admitted({ body }) {
    await this.#become(body.session.token);
    return body;
  }

  async signOut() {
    try {
      await this.#http.delete('/v1/sessions/current');
    } catch (error) {
      // It has ended already.
      if (error.status !== 401) throw error;
    }
    await this.#become(null);
  }

  // What the account before has left unsent stays on its shelf.
  async #become(token) {
    await this.#edits.use(null);
    this.#token = token;
    this.#account = null;
    this.#documents.clear();
    this.#live.forget();
    this.#live.restart();
  }

  request(method, path, options) {
    return this.#http.request(method, path, options);
  }

  get(path, options) {
    return this.#http.get(path, options);
  }

  // -- Reading

  get status() {
    return this.#status;
  }

  onStatus(listener) {
    return this.#listen('status', listener);
  }

  follow(topic, onDocument, onEnd = () => {}) {
    const held = this.#documents.get(topic);
    const stop = this.#reading(topic, { onDocument, onEnd }, this.#live.watch(topic));
    if (held) tell(onDocument, held.doc, held.place.v);
    return stop;
  }

  async followRows(topic, onRows, onEnd = () => {}) {
    const end = await this.#live.collection(topic, shown => shown && tell(onRows, {
      rows: shown.rows, changed: shown.changed, structure: shown.structure, version: shown.place.v,
    }));
    return this.#reading(topic, { onEnd }, end);
  }

  #reading(topic, reader, end) {
    const readers = this.#readers.get(topic) ?? new Set();
    this.#readers.set(topic, readers.add(reader));
    reader.stop = () => {
      if (!readers.delete(reader)) return;
      end();
      if (readers.size > 0) return;
      this.#readers.delete(topic);
      this.#documents.drop(topic);
    };
    return reader.stop;
  }

  // Those who begin to follow a topic while it is told are not told twice.
  #readersOf(topic) {
    return Array.from(this.#readers.get(topic) ?? []);
  }

  #show(topic, { doc, place }) {
    for (const reader of this.#readersOf(topic)) tell(reader.onDocument, doc, place.v);
  }

  #ended(topic, why) {
    for (const reader of this.#readersOf(topic)) {
      reader.stop();
      tell(reader.onEnd, why);
    }
  }

  async #fetch(topic, path) {
    const { body, place } = await this.#http.get(path);
    if (this.#readers.has(topic)) this.#documents.accept(topic, place, body);
  }

  // A cookie opens no socket, but a one-use ticket does.
  async #ticket() {
    if (this.#token || this.#origin !== globalThis.location?.origin) return this.#token;
    try {
      return (await this.#http.post('/v1/live/tickets')).body.ticket;
    } catch (error) {
      if (error.status === 401) return null;
      throw error;
    }
  }

  #connected(status) {
    const wasLive = this.#status.kind === 'live';
    this.#status = status;
    if (status.kind === 'live' && !wasLive) this.#waker.urge();
    for (const listener of this.#listeners.status) tell(listener, status);
  }

  // -- Editing

  async edit({ shelf = null } = {}) {
    const { body: { account, sealingKey } } = await this.#http.get('/v1/session', { as: null });
    const seal = shelf || !globalThis.localStorage ? null : await createSeal(sealingKey);
    this.#account = account;
    await this.#edits.use(shelf ?? (seal ? new EditShelf(account.id, seal) : new FleetingShelf()));
    this.#waker.urge();
    return account;
  }

  change(record, ops) {
    const topic = topicOf(record);
    const held = this.#documents.get(topic);
    if (!this.#account) throw new TypeError('Call edit() before the first change.');
    if (!held) throw new TypeError(`Follow ${topic} until its first document before you change the record.`);
    return this.#edits.submit({
      topic, record, ops, seen: this.shown(record), place: held.place, author: this.#edits.author,
    });
  }

  shown(record) {
    const held = this.#documents.get(topicOf(record));
    if (!held) return null;
    let { record: document } = held.doc;
    for (const edit of this.#edits.of(record).filter(isUnsent)) {
      let number = 0;
      document = { ...document, ...applied(document, edit.ops, () => pendingName(edit, (number += 1))) };
    }
    return document;
  }

  get edits() {
    return this.#waiting;
  }

  onEdits(listener) {
    return this.#listen('edits', listener);
  }

  insist(edit) {
    return this.#edits.insist(edit);
  }

  discard(edit) {
    return this.#edits.discard(edit);
  }

  #wait(edits) {
    this.#waiting = edits;
    for (const listener of this.#listeners.edits) tell(listener, edits);
  }

  // --

  #listen(what, listener) {
    this.#listeners[what].add(listener);
    return () => this.#listeners[what].delete(listener);
  }

  close() {
    for (const listeners of Object.values(this.#listeners)) listeners.clear();
    this.#readers.clear();
    // Nothing more is sent, even if the sending of several edits has begun.
    this.#edits.use(null);
    this.#end.abort();
  }
}
