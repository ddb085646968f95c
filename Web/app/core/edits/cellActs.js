// Results on their way into classes. What a user enters is stored first, sealed for its author, then shown at once and
// sent in order. Without a network it waits and is sent when the network is back, whichever page is open. One tab sends
// at a time.
//
// An author is the person who typed something, with an `ActShelf` where it is kept. A page holds on to the author with
// which it began, so that what one person typed is never entered as somebody else who has signed in meanwhile.

import { newKey } from '../net/http.js';
import { CELLS } from '../storage/kept.js';
import { ActShelf } from './actShelf.js';
import { batchOf, cellKey, faultsByCell, leftBehind, requestOf, settled, typedOver } from './cellRules.js';
import { isUnsent, mayHaveArrived, verdictOn } from './editRules.js';

const DEADLINE = 20000;

export class CellActs {
  #http;
  #changed;
  #shelves = new Map();
  #author = null;
  #flying = new Set();
  // The acts that were made in this tab, whichever tab sends them.
  #mine = new Set();
  #listeners = new Set();
  #line = Promise.resolve();
  #tabs = 'BroadcastChannel' in globalThis ? new BroadcastChannel('gradecast.cells') : null;
  #waker;

  /** `createWaker` makes the object that retries later (live/waker.js); `changed()` is called when the acts have
   *  changed. */
  constructor(http, createWaker, changed = () => {}) {
    this.#http = http;
    this.#changed = changed;
    this.#waker = createWaker({ isNeeded: () => this.#unsent.length > 0, act: () => this.flush() });
    if (this.#tabs) this.#tabs.onmessage = ({ data }) => this.#hear(data);
    addEventListener('storage', ({ key }) => (key === null || key.startsWith(CELLS)) && this.#look(this.#author));
    addEventListener('beforeunload', event => {
      if ([...this.#shelves.values()].some(shelf => shelf.isHolding)) event.preventDefault();
    });
  }

  /** Loads what an account left unsent; `null` if nobody is signed in. */
  async open(account, seal) {
    if ((account?.id ?? null) === (this.#author?.account ?? null)) return;
    this.#author?.close();
    this.#author = account ? this.#shelfOf(account.id) : null;
    this.#author?.open(seal);
    await this.#look(this.#author);
    this.#changed();
    this.flush();
  }

  #shelfOf(account) {
    if (!this.#shelves.has(account)) this.#shelves.set(account, new ActShelf(account));
    return this.#shelves.get(account);
  }

  /** The author who uses the page now; a page holds on to it until it is closed. */
  get author() {
    return this.#author;
  }

  get #acts() {
    return this.#author?.acts ?? [];
  }

  get #unsent() {
    return this.#acts.filter(isUnsent);
  }

  /** The number of acts that are not entered: how many wait for the network, how many for a decision, and how many can
   *  no longer be opened. */
  get counts() {
    const [all, waiting, locked] = [this.#acts.length, this.#unsent.length, this.#author?.locked.length ?? 0];
    return { all: all + locked, waiting, undecided: all - waiting, locked };
  }

  /** `listener(class, entered)` is called when the acts of a class have changed. `entered` is `{v, cells, ids,
   *  counters}` if some were taken, where `ids` are those that were made in this tab. `v` is null if another tab
   *  entered them. */
  listen(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #tell(taught, entered = null) {
    for (const listener of this.#listeners) listener(taught, entered);
    this.#changed();
  }

  /**
   * Stores and sends cells, each `{row, line, field, text, title, change, back, was, s}`; with `isWhole` as one act.
   * `counters` is the id of the act that they take back. Returns the id of the new act.
   */
  put(author, taught, cells, { isWhole = false, counters = null } = {}) {
    const over = typedOver(author.of(taught), cells, act => this.#flying.has(act.id) || counters !== null);
    const act = {
      id: newKey(), account: author.account, class: taught, order: author.next, state: 'sending', isWhole, counters,
      cells: over.cells,
    };
    this.#mine.add(act.id);
    this.#lay(author, over, [act]);
    this.#tell(taught);
    this.flush();
    return act.id;
  }

  /** Stores cells that cannot be sent as they were typed; `left` of each says what is wrong. */
  keep(author, taught, cells) {
    const over = typedOver(author.of(taught).filter(act => !isUnsent(act)), cells, () => true);
    this.#lay(author, over, [this.#leftover(author, taught, author.next, over.cells)]);
    this.#tell(taught);
  }

  #leftover = ({ account }, taught, order, cells) =>
    ({ id: newKey(), account, class: taught, order, state: 'left', isWhole: false, cells });

  #lay(author, { gone, less }, acts) {
    for (const [act, cells] of less) author.become(act, { cells });
    author.exchange(gone, acts);
  }

  /** Gives up cells that were not taken: those with these keys, or all of the class. Acts that still wait stay. */
  discard(author, taught, keys = null) {
    const isKept = cell => keys !== null && !keys.has(cellKey(cell));
    for (const act of author.of(taught).filter(each => !isUnsent(each))) {
      const cells = act.cells.filter(isKept);
      if (cells.length === 0) author.exchange([act], []);
      else if (cells.length < act.cells.length) author.become(act, { cells });
    }
    this.#tell(taught);
  }

  /** Gives up all acts of an account when the user chooses to leave nothing behind. */
  discardAll() {
    this.#author?.exchange(this.#acts, []);
    this.discardLocked();
  }

  discardLocked() {
    this.#author?.discardLocked();
    this.#changed();
  }

  /** Resolves once nothing of a class is being sent: each act is taken, not taken, or waiting. */
  async landed(author, taught) {
    while (author.of(taught).some(({ id }) => this.#flying.has(id))) {
      await new Promise(resolve => {
        const done = this.listen(() => {
          done();
          resolve();
        });
      });
    }
  }

  /** The last waiting act that is not taken back already; null if there is none. An act with a `batch` may have
   *  arrived. */
  lastWaiting(author, taught) {
    const waiting = author.of(taught).filter(isUnsent);
    const countered = new Set(waiting.map(({ counters }) => counters));
    return waiting.findLast(({ id, counters }) => !counters && !countered.has(id)) ?? null;
  }

  /** Gives up an act that cannot have arrived; returns whether this was possible. */
  takeBack(author, taught, id) {
    const act = author.of(taught).find(each => each.id === id);
    if (!act || !isUnsent(act) || act.batch || this.#flying.has(id)) return false;
    author.exchange([act], []);
    this.#tell(taught);
    return true;
  }

  // Another tab has entered acts of this tab.
  #hear({ account, taught, ids, v, counters }) {
    const own = ids.filter(id => this.#mine.delete(id));
    if (own.length > 0 && account === this.#author?.account) this.#tell(taught, { v, cells: [], ids: own, counters });
  }

  // Another tab may have stored acts, or entered them.
  async #look(author) {
    if (!author) return;
    const { gone, others } = await author.look();
    for (const taught of new Set([...gone, ...others].map(act => act.class))) {
      this.#tell(taught,
        gone.some(act => act.class === taught) ? { v: null, cells: [], ids: [], counters: null } : null);
    }
  }

  /** Sends the waiting acts, oldest first. */
  flush() {
    const work = () => this.#sendAll(this.#author);
    const { locks } = navigator;
    if (locks) return locks.request('gradecast.cells', work).catch(() => {});
    return (this.#line = this.#line.then(work, work));
  }

  async #sendAll(author) {
    if (!author) return;
    const held = new Set();
    await author.kept();
    await this.#look(author);
    for (let batch = batchOf(author.acts, held); batch.length > 0
      && author === this.#author; batch = batchOf(author.acts, held)) {
      const then = await this.#send(author, batch);
      if (then === 'stop') break;
      if (then === 'skip') held.add(batch[0].class);
    }
    this.#waker.rest();
  }

  async #send(author, acts) {
    const isFirst = !acts[0].batch;
    const mayLeave = navigator.onLine;
    for (const { id } of acts) this.#flying.add(id);
    // The key is stored with the acts before they are sent, so that a repeated request gets the first one's answer.
    const key = acts[0].batch ?? newKey();
    const batch = isFirst ? acts.map(act => author.become(act, { batch: key })) : acts;
    await author.kept();
    const [{ class: taught, account }] = batch;
    const cells = batch.flatMap(act => act.cells);
    try {
      const { method, path, body } = requestOf(batch);
      const answer = await this.#http.request(method, path, {
        body, key, as: account, signal: AbortSignal.timeout(DEADLINE),
      });
      await this.#settle(author, batch, cells, faultsByCell(cells.length, answer.body.faults ?? []), answer.body.v);
      return 'next';
    } catch (error) {
      const verdict = verdictOn(error);
      if (verdict === 'refused' || verdict === 'moved') {
        await this.#settle(author, batch, cells, faultsByCell(cells.length, error.faults), null, error.message);
        return 'next';
      }
      const isUntried = isFirst && (!mayLeave || !mayHaveArrived(error));
      if (isUntried) for (const act of batch) if (author.has(act)) author.become(act, { batch: undefined });
      for (const act of verdict === 'later' ? author.of(taught) : author.acts) {
        if (act.state === 'sending') author.become(act, { state: 'waiting' });
      }
      if (error.retryAfter) this.#waker.rest(error.retryAfter * 1000);
      return verdict === 'later' ? 'skip' : 'stop';
    } finally {
      for (const { id } of batch) this.#flying.delete(id);
      this.#tell(taught);
    }
  }

  // Removes what was taken; the cells that were not taken stay together. `v` is null if nothing was taken.
  async #settle(author, batch, cells, faults, v, detail = null) {
    const [{ class: taught, account, order, counters }] = batch;
    const ids = batch.map(({ id }) => id);
    const isLeft = index => v === null || faults[index].length > 0;
    const others = author.of(taught).filter(act => !ids.includes(act.id));
    const { left, less } = settled(cells, isLeft, index => leftBehind(faults[index], detail), others);
    const taken = cells.filter((_, index) => !isLeft(index));
    if (taken.length > 0) this.#tabs?.postMessage({ account, taught, ids, v, counters });
    const before = typedOver(others.filter(act => !isUnsent(act)), left, () => true);
    this.#lay(author, { gone: [...batch, ...before.gone], less: [...before.less, ...less] },
      left.length > 0 ? [this.#leftover(author, taught, order, left)] : []);
    const own = ids.filter(id => this.#mine.delete(id));
    if (author === this.#author) this.#tell(taught, taken.length > 0 ? { v, cells: taken, ids: own, counters } : null);
  }
}
