// Every change to a stored record passes through here. Changes are stored before they are sent, in the order in which
// they were made, and are deleted when they are in the record or when their author discards them. A change has the
// version on which it was made. If another change came first, it is sent again on the new version if it touches nothing
// that changed; otherwise it becomes a visible conflict. One tab at a time sends for all tabs of the account.

import { Unreachable, newKey } from '../net/http.js';
import { hear, isOnline } from '../net/surroundings.js';
import { EditShelf } from './editShelf.js';
import { FleetingShelf } from '../storage/shelf.js';
import {
  afterFailure, baseOf, clashes, following, inOrder, isForgotten, isUnsent, named, namesOf, nextOf, requestOf,
  verdictOn,
} from './editRules.js';

// The greatest duration of a request, and the time that a form waits for its answer, in milliseconds.
const DEADLINE = 20000;
const PATIENCE = 10000;

export class Edits {
  #http;
  #account;
  #isLive;
  #onChange;
  #documents;
  #waker;
  // What the shelf has, in order.
  #all = [];
  #shelf = null;
  // For browsers without encryption, by account: edits that a session leaves wait in memory for the same person's next
  // session.
  #fleeting = new Map();
  #isSending = 0;
  #turn = 0;
  // Replaces the lock in browsers that have none.
  #line = Promise.resolve();
  #touched = new Map();
  #keeping = new Set();
  // The outcomes of edits whose forms are open: only these forms receive them.
  #awaited = new Map();
  // The entry identifiers for pending names that this page still uses, because a sheet may have been opened earlier.
  // The tab that sends an addition tells the other tabs.
  #names = new Map();
  #tabs = 'BroadcastChannel' in globalThis ? new BroadcastChannel('gradecast.names') : null;

  /** `account()` is the id of the account that is signed in, `isLive()` whether documents come by themselves.
   *  `onChange(edits)` is called with all edits of the account, in order, when one of them changes. `waker(least)` is
   *  called when an edit was left that can be sent later without the user, at least `least` milliseconds from now.
   *  `signal` ends this for good. */
  constructor({ http, documents, account, isLive, onChange, waker, signal }) {
    this.#http = http;
    this.#documents = documents;
    this.#account = account;
    this.#isLive = isLive;
    this.#onChange = onChange;
    this.#waker = waker;
    EditShelf.watch(() => this.#show(), signal);
    if (this.#tabs) this.#tabs.onmessage = ({ data }) => this.#learn(data);
    signal?.addEventListener('abort', () => this.#tabs?.close());
    hear('beforeunload', event => {
      if ([...this.#fleeting.values()].some(shelf => shelf.isHolding)) event.preventDefault();
    }, signal);
  }

  /** Loads what an account left unsent in earlier visits and other tabs; `null` if nobody is signed in. */
  async open(account, seal) {
    await this.use(account && (seal ? new EditShelf(account.id, seal) : this.#fleetingOf(account.id)));
  }

  /** Keeps edits on a shelf from now on, and shows those that are on it. */
  async use(shelf) {
    this.#shelf = shelf;
    // An outcome that a form was already given is stored nowhere else, so the form still receives it.
    for (const [id, outcome] of this.#awaited) if (!outcome) this.#awaited.delete(id);
    this.#report([]);
    if (!shelf) return;
    // Whatever does not fit stays where it was.
    await shelf.takeOver?.().catch(() => {});
    await this.#show();
  }

  #fleetingOf(account) {
    if (!this.#fleeting.has(account)) this.#fleeting.set(account, new FleetingShelf());
    return this.#fleeting.get(account);
  }

  /** The author who types on this page, with the shelf that keeps the edits; a page holds on to it until it is
   *  closed. */
  get author() {
    return { account: this.#account(), shelf: this.#shelf };
  }

  /** Whether an edit waits that can be sent without the user. */
  get isWaiting() {
    return this.#all.some(isUnsent);
  }

  of(record) {
    return this.#all.filter(edit => edit.record === record);
  }

  /** Whether this page itself changed the entry a moment ago, so that its arrival is not news. An entry that is being
   *  added has no name yet, and its push may come before the answer: while something is being sent, nothing is news. */
  isOwn(entry) {
    return this.#isSending > 0 || (this.#touched.get(entry) ?? -Infinity) > performance.now() - 5000;
  }

  /** Sends `ops` for the record as its `author` sees it: `seen`, at version `place`. Returns `{answer}`, `{queued:
   *  true}` or `{conflict: true}`; throws a `Problem` with faults. */
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

  /** Resolves once everything that was sent from forms is stored: no form closes before that, even if a session
   *  ends. */
  async settled() {
    await Promise.allSettled(this.#keeping);
  }

  // The browser's storage is full: an edit that cannot be stored is sent at once, or stays in its form.
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

  /** Sends the waiting edits, oldest first, beginning with the record `first`. With `ifFree`, does nothing if another
   *  tab is sending already. */
  flush({ first = null, ifFree = false } = {}) {
    return this.#exclusively(() => this.#sendAll(this.#shelf, first), ifFree);
  }

  async #exclusively(work, ifAvailable = false) {
    const { locks } = globalThis.navigator ?? {};
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
    // Sending has stopped, so the remaining edits wait.
    for (const edit of await shelf.list()) {
      if (edit.state === 'sending') await shelf.replace({ ...edit, state: 'waiting' });
    }
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
    // The tab may close before the answer. A full storage does not prevent sending.
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
        // A form that was left in the meantime can no longer show the error.
        error.keep = () => this.#keep(shelf, kept).then(() => this.#show());
        // The form is told before the edit is removed, so that a change of sessions cannot lose the error.
        this.#tell(edit, { error });
        await this.#remove(shelf, edit.id);
      } else await this.#put(shelf, kept);
      return then;
    }
  }

  // Returns the edit as it is sent: with the identifiers that the server assigned, and with the time of its first
  // attempt. While offline, there is no attempt.
  #leaving(edit) {
    const sent = named(edit, this.#names);
    return sent.triedAt === undefined && isOnline() ? { ...sent, triedAt: Date.now() } : sent;
  }

  #tell(edit, outcome) {
    if (this.#awaited.has(edit.id)) this.#awaited.set(edit.id, outcome);
  }

  // Update the edits that depend on it first: if the tab closes here, the server gives the same answer again.
  async #entered(shelf, edit, { answer, place }) {
    const names = namesOf(edit, answer);
    this.#learn(names);
    if (names.length > 0) this.#tabs?.postMessage(names);
    // More edits may have been stored while it was sent.
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

  /** Enters the edit after all: over the other person's values in a conflict, or again after a refusal. */
  async insist(id) {
    const edit = this.#all.find(item => item.id === id);
    const held = edit && this.#documents.get(edit.topic);
    if (!held) return;
    const { faults, detail, isUnsure, triedAt, ...kept } = edit;
    // It keeps its identifier, by which the edits made on top of it refer to it.
    await this.#put(this.#shelf, {
      ...kept, place: held.place, base: baseOf(held.doc.record, edit.ops), state: 'waiting',
    });
    await this.flush({ first: edit.record });
  }

  // Returns `{answer, place}`, with `place` only if the change was made on the edit's own version, or `{clashing}`.
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

  /** Reads the record again and passes it to the documents. */
  async refresh(topic, record, as) {
    const { body, place } = await this.#http.get(`/v1/records/${encodeURIComponent(record)}`, {
      as, signal: AbortSignal.timeout(DEADLINE),
    });
    if (as === this.#account()) this.#documents.accept(topic, place, body);
    const held = this.#documents.get(topic);
    return held && held.place.e === place.e && held.place.v >= place.v ? held : { place, doc: body };
  }

  // The push usually brings the result; if it does not come, or there is no connection, the result is fetched.
  #catchUp(topic, record, version) {
    const account = this.#account();
    const behind = () => (this.#documents.place(topic)?.v ?? 0) < version && this.#account() === account;
    setTimeout(() => behind() && this.refresh(topic, record, account).catch(() => {}), this.#isLive() ? 1500 : 0);
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

  // Shows the edits on the shelf, whichever tab changed them.
  async #show() {
    const shelf = this.#shelf;
    if (!shelf) return;
    const turn = (this.#turn += 1);
    const edits = (await shelf.list()).sort(inOrder);
    if (shelf === this.#shelf && turn === this.#turn) this.#report(edits);
  }

  #report(edits) {
    this.#all = edits;
    this.#onChange(edits);
  }
}
