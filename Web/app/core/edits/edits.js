// Every change to a stored record goes through here. It is kept before it is sent, in the order in which it was made,
// and leaves the shelf when it is in the record or when its author gives it up. A change carries the version it was
// made on; when somebody else was faster, it is sent again on the new version if it touches nothing that moved, and
// becomes a visible conflict otherwise. One tab sends at a time, for all tabs of the account.

import { Unreachable, newKey } from '../net/http.js';
import { EditShelf } from './editShelf.js';
import { FleetingShelf } from '../storage/shelf.js';
import {
  afterFailure, baseOf, clashes, following, inOrder, isForgotten, isUnsent, named, namesOf, nextOf, requestOf, verdictOn,
} from './editRules.js';

// So long does a request take at most, and so long does a form wait for its answer, in milliseconds.
const DEADLINE = 20000;
const PATIENCE = 10000;

export class Edits {
  #http;
  #store;
  #documents;
  #waker;
  #shelf = null;
  // Of browsers that cannot seal, by account: what a session leaves waits for the same person's next one.
  #fleeting = new Map();
  #isSending = 0;
  #turn = 0;
  // Stands in for the lock where the browser has none.
  #line = Promise.resolve();
  #touched = new Map();
  #keeping = new Set();
  // What came of edits whose forms are open: only those forms hear of it.
  #awaited = new Map();
  // The ids of entries that this page still knows by a pending name: a sheet may have been opened before. Whichever tab
  // sends an addition tells the others.
  #names = new Map();
  #tabs = 'BroadcastChannel' in globalThis ? new BroadcastChannel('gradecast.names') : null;

  /** `waker(least)` is called when something was left unsent that may be sent later by itself, `least` milliseconds
   *  from now. */
  constructor({ http, store, documents, waker }) {
    this.#http = http;
    this.#store = store;
    this.#documents = documents;
    this.#waker = waker;
    EditShelf.watch(() => this.#show());
    if (this.#tabs) this.#tabs.onmessage = ({ data }) => this.#learn(data);
    addEventListener('beforeunload', event => {
      if ([...this.#fleeting.values()].some(shelf => shelf.isHolding)) event.preventDefault();
    });
  }

  get #all() {
    return this.#store.state.edits;
  }

  /** Takes up what was left unsent by an account in earlier visits and other tabs; `null` for nobody. */
  async open(account, seal) {
    const shelf = account && (seal ? new EditShelf(account.id, seal) : this.#fleetingOf(account.id));
    this.#shelf = shelf;
    this.#awaited.clear();
    this.#store.set({ edits: [] });
    if (!shelf) return;
    // What does not fit stays where it was.
    await shelf.takeOver?.().catch(() => {});
    await this.#show();
  }

  #fleetingOf(account) {
    if (!this.#fleeting.has(account)) this.#fleeting.set(account, new FleetingShelf());
    return this.#fleeting.get(account);
  }

  /** Who types on this page, and where it is kept; for a page to hold on to until it is closed. */
  get author() {
    return { account: this.#store.state.account.id, shelf: this.#shelf };
  }

  /** Whether something waits that could be sent by itself. */
  get isWaiting() {
    return this.#all.some(isUnsent);
  }

  of(record) {
    return this.#all.filter(edit => edit.record === record);
  }

  /** Whether this page changed the entry itself a moment ago, so that its arrival is no news. What is being added has
   *  no name yet, and its push may come before the answer: while something is on its way, nothing is news. */
  isOwn(entry) {
    return this.#isSending > 0 || (this.#touched.get(entry) ?? -Infinity) > performance.now() - 5000;
  }

  /** Sends `ops` on the record as its `author` sees it, `seen` at `place`. Answers `{answer}`, `{queued: true}` or
   *  `{conflict: true}`; throws a `Problem` with faults. */
  async submit({ topic, record, ops: asked, seen, place, author: { account, shelf } }) {
    const { ops } = named({ ops: asked, base: {} }, this.#names);
    // The session may have ended while the form was open.
    const isHere = shelf === this.#shelf;
    const edit = {
      id: newKey(),
      account,
      record,
      topic,
      ops,
      base: baseOf(seen, ops),
      place,
      at: new Date().toISOString(),
      order: Math.max(Date.now(), ...this.#all.map(other => other.order + 1)),
      state: isHere && !this.of(record).some(isUnsent) ? 'sending' : 'waiting',
    };
    try {
      await this.#keep(shelf, edit);
    } catch {
      return this.#sendUnkept(edit);
    }
    await this.#show();
    if (edit.state === 'waiting') {
      if (isHere) this.flush({ first: record });
      return { queued: true };
    }
    this.#awaited.set(edit.id, null);
    await Promise.race([this.flush({ first: record }), new Promise(resolve => setTimeout(resolve, PATIENCE))]);
    return this.#outcomeOf(shelf, edit);
  }

  async #keep(shelf, edit) {
    const keeping = shelf.put(edit);
    this.#keeping.add(keeping);
    try {
      await keeping;
    } finally {
      this.#keeping.delete(keeping);
    }
  }

  /** Resolves once all that was sent from forms is kept: no form closes before that, even if a session ends. */
  async settled() {
    await Promise.allSettled(this.#keeping);
  }

  // The browser's storage is full: what cannot be kept is sent at once, or stays in its form.
  async #sendUnkept(edit) {
    if (edit.state === 'waiting') throw new Unreachable('nothing more can be kept');
    const result = await this.#exclusively(() => this.#send(edit));
    if (result.clashing) throw new Unreachable('changed meanwhile');
    return result;
  }

  async #outcomeOf(shelf, edit) {
    const known = this.#awaited.get(edit.id);
    this.#awaited.delete(edit.id);
    if (known?.error) throw known.error;
    if (known) return known;
    const now = (await shelf.list()).find(other => other.id === edit.id);
    // Another tab may have sent it.
    if (!now) return {};
    if (now.state === 'conflict') return { conflict: true };
    if (now.state === 'sending') await this.#put(shelf, { ...now, state: 'waiting' });
    this.#waker();
    return { queued: true };
  }

  /** Sends what waits, oldest first, `first` naming the record to begin with. With `ifFree`, not when another tab does
   *  so already. */
  flush({ first = null, ifFree = false } = {}) {
    return this.#exclusively(() => this.#sendAll(this.#shelf, first), ifFree);
  }

  async #exclusively(work, ifAvailable = false) {
    const { locks } = navigator;
    if (!locks) return (this.#line = this.#line.then(work, work));
    return locks.request('gradecast.edits', { ifAvailable }, lock => lock && work());
  }

  async #sendAll(shelf, first) {
    const held = new Set();
    let goesOn = shelf !== null;
    while (goesOn && shelf === this.#shelf) {
      const edits = await shelf.list();
      const edit = nextOf(edits, held, first);
      if (!edit) break;
      const then = await this.#deliver(shelf, edit);
      if (then === 'skip') held.add(edit.record);
      goesOn = then !== 'stop';
    }
    if (shelf === null) return;
    // Nobody sends any more: what is left waits.
    for (const edit of await shelf.list()) if (edit.state === 'sending') await shelf.replace({ ...edit, state: 'waiting' });
    if (shelf !== this.#shelf) return;
    await this.#show();
    if (this.isWaiting) this.#waker();
  }

  async #deliver(shelf, edit) {
    if (isForgotten(edit, Date.now())) {
      await this.#put(shelf, { ...edit, state: 'refused', faults: [], detail: null, isUnsure: true });
      return 'next';
    }
    const sent = this.#leaving(edit);
    // The tab may end before the answer. A full storage keeps nothing from being sent.
    if (sent !== edit) await shelf.replace(sent).catch(() => {});
    try {
      const result = await this.#send(sent);
      if (result.clashing) await this.#put(shelf, { ...sent, triedAt: edit.triedAt, state: 'conflict' });
      else await this.#entered(shelf, sent, result);
      this.#tell(edit, result.clashing ? { conflict: true } : { answer: result.answer });
      return 'next';
    } catch (error) {
      const { edit: kept, then } = afterFailure(sent, error, edit.triedAt);
      if (error.retryAfter) this.#waker(error.retryAfter * 1000);
      if (kept.state === 'refused' && this.#awaited.has(edit.id)) {
        await this.#remove(shelf, edit.id);
        // A form that was left meanwhile shows nothing any more.
        error.keep = () => this.#keep(shelf, kept).then(() => this.#show());
        this.#tell(edit, { error });
      } else await this.#put(shelf, kept);
      return then;
    }
  }

  // The edit as it is sent: by the names that the server gave, and with the time of its first try. Nothing leaves a
  // browser without a network.
  #leaving(edit) {
    const sent = named(edit, this.#names);
    return sent.triedAt === undefined && navigator.onLine ? { ...sent, triedAt: Date.now() } : sent;
  }

  #tell(edit, outcome) {
    if (this.#awaited.has(edit.id)) this.#awaited.set(edit.id, outcome);
  }

  // Those that rest on it first: if the tab ends here, the answer is given again.
  async #entered(shelf, edit, { answer, place }) {
    const names = namesOf(edit, answer);
    this.#learn(names);
    if (names.length > 0) this.#tabs?.postMessage(names);
    // More may have been kept while it was sent.
    const later = (await shelf.list()).filter(other => other.record === edit.record && inOrder(other, edit) > 0);
    for (const other of later) {
      const next = following(other, edit, names, place);
      if (next) await shelf.replace(next);
    }
    await this.#remove(shelf, edit.id);
  }

  #learn(names) {
    for (const [pending, id] of names) this.#names.set(pending, id);
  }

  async discard(id) {
    await this.#remove(this.#shelf, id);
  }

  async discardAll() {
    for (const { id } of this.#all) this.#shelf.remove(id);
    await this.#show();
  }

  /** Enters it after all: over the other's values in a conflict, or again after a refusal. */
  async insist(id) {
    const edit = this.#all.find(item => item.id === id);
    const held = edit && this.#documents.get(edit.topic);
    if (!held) return;
    const { faults, detail, isUnsure, triedAt, ...kept } = edit;
    // The same edit: what was made on top of it knows it by its id.
    await this.#put(this.#shelf, { ...kept, place: held.place, base: baseOf(held.doc.record, edit.ops), state: 'waiting' });
    await this.flush({ first: edit.record });
  }

  // Answers `{answer, place}`, with the place that the change made if it was made on the edit's own, or `{clashing}`.
  async #send(edit) {
    this.#isSending += 1;
    try {
      return await this.#settle(edit);
    } finally {
      this.#isSending -= 1;
    }
  }

  async #settle(edit) {
    let { place } = edit;
    for (let attempt = 0; attempt < 6; attempt += 1) {
      const { method, path, body } = requestOf(edit);
      for (const op of edit.ops) if (op.entry) this.#touched.set(op.entry, performance.now());
      try {
        const { body: answer, place: made } = await this.#http.request(method, path, {
          body, match: place, key: edit.id, as: edit.account, signal: AbortSignal.timeout(DEADLINE),
        });
        this.#touchAnswer(answer);
        this.#catchUp(edit.topic, edit.record, answer.version);
        return { answer, place: place === edit.place ? made : null };
      } catch (error) {
        if (verdictOn(error) !== 'moved') throw error;
        const held = await this.refresh(edit.topic, edit.record, edit.account);
        if (clashes(edit, held.doc.record)) return { clashing: true };
        ({ place } = held);
      }
    }
    throw new Unreachable('busy');
  }

  /** Reads the record anew and hands it to the documents. */
  async refresh(topic, record, as) {
    const { body, place } = await this.#http.get(`/v1/records/${encodeURIComponent(record)}`, {
      as, signal: AbortSignal.timeout(DEADLINE),
    });
    if (as === this.#store.state.account?.id) this.#documents.accept(topic, place, body);
    const held = this.#documents.get(topic);
    return held && held.place.e === place.e && held.place.v >= place.v ? held : { place, doc: body };
  }

  // The push normally brings the result first; without a connection it is fetched.
  #catchUp(topic, record, version) {
    const { account, connection } = this.#store.state;
    const behind = () => (this.#documents.place(topic)?.v ?? 0) < version && this.#store.state.account?.id === account?.id;
    setTimeout(() => behind() && this.refresh(topic, record, account?.id).catch(() => {}), connection.kind === 'live' ? 1500 : 0);
  }

  #touchAnswer(answer) {
    const ids = [answer.entry?.id, ...(answer.entry?.children ?? []).map(child => child.id)];
    for (const id of [...ids, ...Object.values(answer.entries ?? {})]) if (id) this.#touched.set(id, performance.now());
  }

  async #put(shelf, edit) {
    await shelf.replace(edit);
    await this.#show();
  }

  async #remove(shelf, id) {
    shelf?.remove(id);
    await this.#show();
  }

  // What is shown follows the shelf, whichever tab changed it.
  async #show() {
    const shelf = this.#shelf;
    if (!shelf) return;
    const turn = (this.#turn += 1);
    const edits = (await shelf.list()).sort(inOrder);
    if (shelf === this.#shelf && turn === this.#turn) this.#store.set({ edits });
  }
}
