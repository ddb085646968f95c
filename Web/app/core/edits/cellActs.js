// Results on their way into classes. What a person enters is kept first, sealed for its author, shown at once and sent in
// its order; without a network it waits, and goes when there is one again, whichever page is open. One tab sends at a time.
//
// An author is who typed something and where that is kept, an `ActShelf`. Pages hold on to the one that they began with:
// what is typed as one person is never entered as another who has signed in meanwhile.

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

  /** `createWaker` makes what tries again later, as live/waker.js does; `changed()` hears that there are other acts. */
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

  /** Takes up what an account left unsent; `null` while no one is signed in. */
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

  /** Who uses the page; for a page to hold on to until it is closed. */
  get author() {
    return this.#author;
  }

  get #acts() {
    return this.#author?.acts ?? [];
  }

  get #unsent() {
    return this.#acts.filter(isUnsent);
  }

  /** How many acts are not entered; how many of them wait for the network, how many for a decision, and how many do not
   *  open any more. */
  get counts() {
    const [all, waiting, locked] = [this.#acts.length, this.#unsent.length, this.#author?.locked.length ?? 0];
    return { all: all + locked, waiting, undecided: all - waiting, locked };
  }

  /** `listener(class, entered)` hears that the acts of a class are others; `entered` is `{v, cells, ids, counters}` where some
   *  were taken, `ids` being the acts of this tab. `v` is null where another tab entered them. */
  listen(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #tell(taught, entered = null) {
    for (const listener of this.#listeners) listener(taught, entered);
    this.#changed();
  }

  /**
   * Keeps and sends cells: `{row, line, field, text, title, change, back, was, s}` each; as one act of many where they are a
   * `whole`. `counters` names the act that they take back. Answers the act's name.
   */
  put(author, taught, cells, { isWhole = false, counters = null } = {}) {
    const over = typedOver(author.of(taught), cells, act => this.#flying.has(act.id) || counters !== null);
    const act = { id: newKey(), account: author.account, class: taught, order: author.next, state: 'sending', isWhole, counters, cells: over.cells };
    this.#mine.add(act.id);
    this.#lay(author, over, [act]);
    this.#tell(taught);
    this.flush();
    return act.id;
  }

  /** Keeps cells that cannot be sent as they were typed, each with what is wrong in `left`. */
  keep(author, taught, cells) {
    const over = typedOver(author.of(taught).filter(act => !isUnsent(act)), cells, () => true);
    this.#lay(author, over, [this.#leftover(author, taught, author.next, over.cells)]);
    this.#tell(taught);
  }

  #leftover = ({ account }, taught, order, cells) => ({ id: newKey(), account, class: taught, order, state: 'left', isWhole: false, cells });

  #lay(author, { gone, less }, acts) {
    for (const [act, cells] of less) author.become(act, { cells });
    author.exchange(gone, acts);
  }

  /** Gives up what was not taken: in the cells with these keys, or everywhere in the class. What waits is not given up. */
  discard(author, taught, keys = null) {
    const isKept = cell => keys !== null && !keys.has(cellKey(cell));
    for (const act of author.of(taught).filter(each => !isUnsent(each))) {
      const cells = act.cells.filter(isKept);
      if (cells.length === 0) author.exchange([act], []);
      else if (cells.length < act.cells.length) author.become(act, { cells });
    }
    this.#tell(taught);
  }

  /** Gives up everything of an account that leaves nothing behind. */
  discardAll() {
    this.#author?.exchange(this.#acts, []);
    this.discardLocked();
  }

  discardLocked() {
    this.#author?.discardLocked();
    this.#changed();
  }

  /** Resolves once nothing of a class is on its way: each act is taken, not taken, or waiting. */
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

  /** The last act that waits, and is not taken back already; null for none. What has a `batch` may have arrived. */
  lastWaiting(author, taught) {
    const waiting = author.of(taught).filter(isUnsent);
    const countered = new Set(waiting.map(({ counters }) => counters));
    return waiting.findLast(({ id, counters }) => !counters && !countered.has(id)) ?? null;
  }

  /** Gives up an act that cannot have arrived; answers whether it could. */
  takeBack(author, taught, id) {
    const act = author.of(taught).find(each => each.id === id);
    if (!act || !isUnsent(act) || act.batch || this.#flying.has(id)) return false;
    author.exchange([act], []);
    this.#tell(taught);
    return true;
  }

  // Another tab has entered acts of this one.
  #hear({ account, taught, ids, v, counters }) {
    const own = ids.filter(id => this.#mine.delete(id));
    if (own.length > 0 && account === this.#author?.account) this.#tell(taught, { v, cells: [], ids: own, counters });
  }

  // Another tab may have kept something, or entered it.
  async #look(author) {
    if (!author) return;
    const { gone, others } = await author.look();
    for (const taught of new Set([...gone, ...others].map(act => act.class))) {
      this.#tell(taught, gone.some(act => act.class === taught) ? { v: null, cells: [], ids: [], counters: null } : null);
    }
  }

  /** Sends what waits, oldest first. */
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
    for (let batch = batchOf(author.acts, held); batch.length > 0 && author === this.#author; batch = batchOf(author.acts, held)) {
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
    // The key is kept with the acts before they leave: sent again, they are answered as the first time.
    const key = acts[0].batch ?? newKey();
    const batch = isFirst ? acts.map(act => author.become(act, { batch: key })) : acts;
    await author.kept();
    const [{ class: taught, account }] = batch;
    const cells = batch.flatMap(act => act.cells);
    try {
      const { method, path, body } = requestOf(batch);
      const answer = await this.#http.request(method, path, { body, key, as: account, signal: AbortSignal.timeout(DEADLINE) });
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
      for (const act of verdict === 'later' ? author.of(taught) : author.acts) if (act.state === 'sending') author.become(act, { state: 'waiting' });
      if (error.retryAfter) this.#waker.rest(error.retryAfter * 1000);
      return verdict === 'later' ? 'skip' : 'stop';
    } finally {
      for (const { id } of batch) this.#flying.delete(id);
      this.#tell(taught);
    }
  }

  // What was taken is gone; the cells that were not stay together. `v` is null where nothing was taken.
  async #settle(author, batch, cells, faults, v, detail = null) {
    const [{ class: taught, account, order, counters }] = batch;
    const ids = batch.map(({ id }) => id);
    const isLeft = index => v === null || faults[index].length > 0;
    const others = author.of(taught).filter(act => !ids.includes(act.id));
    const { left, less } = settled(cells, isLeft, index => leftBehind(faults[index], detail), others);
    const taken = cells.filter((_, index) => !isLeft(index));
    if (taken.length > 0) this.#tabs?.postMessage({ account, taught, ids, v, counters });
    const before = typedOver(others.filter(act => !isUnsent(act)), left, () => true);
    this.#lay(author, { gone: [...batch, ...before.gone], less: [...before.less, ...less] }, left.length > 0 ? [this.#leftover(author, taught, order, left)] : []);
    const own = ids.filter(id => this.#mine.delete(id));
    if (author === this.#author) this.#tell(taught, taken.length > 0 ? { v, cells: taken, ids: own, counters } : null);
  }
}
