// Results on their way into classes. What a person enters is kept first, sealed for its author, shown at once and sent in
// its order; without a network it waits, and goes when there is one again, whichever page is open. One tab sends at a time.

import { newKey } from '../net/http.js';
import { CELLS } from '../storage/kept.js';
import { FleetingShelf, Shelf } from '../storage/shelf.js';
import { batchOf, cellKey, faultsByCell, leftBehind, requestOf } from './cellRules.js';
import { inOrder, isUnsent, verdictOn } from './editRules.js';

const DEADLINE = 20000;

export class CellActs {
  #http;
  #account = null;
  #shelf = null;
  // What this tab knows of: shown before it is kept.
  #acts = [];
  #keeping = new Map();
  #unkept = new Set();
  #flying = new Set();
  #doomed = new Set();
  #listeners = new Set();
  #line = Promise.resolve();
  #waker;

  /** `createWaker` makes what tries again later, as live/waker.js does. */
  constructor(http, createWaker) {
    this.#http = http;
    this.#waker = createWaker({ isNeeded: () => this.#acts.some(isUnsent), act: () => this.flush() });
    addEventListener('storage', ({ key }) => (key === null || key.startsWith(CELLS)) && this.#look());
    addEventListener('beforeunload', event => {
      if (this.#unkept.size > 0 || (this.#shelf instanceof FleetingShelf && this.#acts.length > 0)) event.preventDefault();
    });
  }

  /** Takes up what an account left unsent; `null` while no one is signed in. */
  async open(account, seal) {
    if (account?.id === this.#account && this.#shelf) return;
    this.#account = account?.id ?? null;
    const shelf = account && (seal ? new Shelf(localStorage, `${CELLS}${account.id}.`, seal) : new FleetingShelf());
    this.#shelf = shelf;
    this.#acts = [];
    this.#unkept.clear();
    if (shelf) await this.#look();
    this.flush();
  }

  /** `listener(class, entered)` hears that the acts of a class are others; `entered` is `{v, cells}` where some were taken. */
  listen(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The acts of a class in their order. */
  of = taught => this.#acts.filter(act => act.class === taught);

  /** Keeps and sends cells: `{row, line, field, text, change, was, s}` each; as one act of many where they are a `whole`. */
  put(taught, cells, { isWhole = false } = {}) {
    const settled = cells.map(cell => this.#over(taught, cell));
    const order = Math.max(Date.now(), ...this.#acts.map(act => act.order + 1));
    this.#add({ id: newKey(), account: this.#account, class: taught, order, state: 'sending', isWhole, cells: settled });
    this.#tell(taught);
    this.flush();
  }

  /** Keeps a cell that cannot be sent as it was typed, with what is wrong with it. */
  keep(taught, cell, faults) {
    const order = Math.max(Date.now(), ...this.#acts.map(act => act.order + 1));
    const { was } = this.#over(taught, cell);
    this.#add({ id: newKey(), account: this.#account, class: taught, order, isWhole: false, cells: [{ ...cell, was }], ...leftBehind(faults) });
    this.#tell(taught);
  }

  // A cell is typed over what was refused there, and over what waits alone and has not left yet: its condition stays the
  // first one's.
  #over(taught, cell) {
    let { was } = cell;
    for (const act of this.of(taught).filter(({ cells }) => cells.length === 1 && cellKey(cells[0]) === cellKey(cell))) {
      if (this.#flying.has(act.id)) continue;
      if (isUnsent(act)) was = act.cells[0].was;
      this.#remove(act);
    }
    return { ...cell, was };
  }

  /** Gives up what stands unsent, refused or in conflict in a cell. */
  discard(taught, key) {
    for (const act of this.of(taught)) {
      if (!this.#flying.has(act.id) && act.cells.length === 1 && cellKey(act.cells[0]) === key) this.#remove(act);
    }
    this.#tell(taught);
  }

  /** Gives up everything of an account that leaves nothing behind. */
  discardAll() {
    for (const act of this.#acts) this.#remove(act);
  }

  /** Resolves once nothing of a class is on its way: each act is taken, refused or waiting. */
  async landed(taught) {
    while (this.of(taught).some(({ id }) => this.#flying.has(id))) {
      await new Promise(resolve => {
        const done = this.listen(() => {
          done();
          resolve();
        });
      });
    }
  }

  /** Gives up the last act that has not left; answers whether there was one. */
  takeBack(taught) {
    const last = this.of(taught).filter(act => isUnsent(act) && !this.#flying.has(act.id)).at(-1);
    if (last) this.#remove(last);
    if (last) this.#tell(taught);
    return Boolean(last);
  }

  #add(act) {
    this.#acts = [...this.#acts, act];
    const { id } = act;
    const keeping = this.#shelf.put(act).catch(() => this.#unkept.add(id)).finally(() => this.#keeping.delete(id));
    this.#keeping.set(id, keeping);
  }

  #remove({ id }) {
    this.#acts = this.#acts.filter(act => act.id !== id);
    this.#unkept.delete(id);
    const shelf = this.#shelf;
    const keeping = this.#keeping.get(id);
    if (!keeping) return shelf?.remove(id);
    // What is being kept is taken away once it is.
    this.#doomed.add(id);
    keeping.then(() => shelf.remove(id)).finally(() => this.#doomed.delete(id));
  }

  #become(act, changes) {
    const next = { ...act, ...changes };
    this.#acts = this.#acts.map(other => (other.id === act.id ? next : other));
    this.#shelf?.replace(next).catch(() => {});
    return next;
  }

  // Another tab may have kept something, or entered it.
  async #look() {
    const shelf = this.#shelf;
    if (!shelf) return;
    // What is kept or taken away here while the shelf is read is known better here.
    const known = new Set([...this.#acts.map(({ id }) => id), ...this.#doomed]);
    const settled = new Set(this.#acts.map(({ id }) => id).filter(id => !this.#keeping.has(id) && !this.#unkept.has(id)));
    const kept = new Map((await shelf.list()).filter(act => act.state !== 'locked').map(act => [act.id, act]));
    if (shelf !== this.#shelf) return;
    const gone = this.#acts.filter(({ id }) => settled.has(id) && !kept.has(id));
    const others = [...kept.values()].filter(({ id }) => !known.has(id) && !this.#acts.some(act => act.id === id));
    this.#acts = [...this.#acts.filter(act => !gone.includes(act)), ...others].sort(inOrder);
    for (const taught of new Set([...gone, ...others].map(act => act.class))) this.#tell(taught, gone.length > 0 ? { v: null, cells: [] } : null);
  }

  #tell(taught, entered = null) {
    for (const listener of this.#listeners) listener(taught, entered);
  }

  /** Sends what waits, oldest first. */
  flush() {
    const work = () => this.#sendAll();
    const { locks } = navigator;
    if (locks) return locks.request('gradecast.cells', work).catch(() => {});
    return (this.#line = this.#line.then(work, work));
  }

  async #sendAll() {
    const shelf = this.#shelf;
    const held = new Set();
    await Promise.all(this.#keeping.values());
    await this.#look();
    for (let batch = batchOf(this.#acts, held); batch.length > 0 && shelf === this.#shelf; batch = batchOf(this.#acts, held)) {
      const then = await this.#send(batch);
      if (then === 'stop') break;
      if (then === 'skip') held.add(batch[0].class);
    }
    this.#waker.rest();
  }

  async #send(batch) {
    await Promise.all(batch.map(({ id }) => this.#keeping.get(id)));
    const [{ class: taught, account }] = batch;
    const cells = batch.flatMap(act => act.cells);
    for (const { id } of batch) this.#flying.add(id);
    try {
      const { method, path, body } = requestOf(batch);
      const answer = await this.#http.request(method, path, { body, as: account, signal: AbortSignal.timeout(DEADLINE) });
      this.#settle(batch, cells, faultsByCell(cells.length, answer.body.faults ?? []), answer.body.v);
      return 'next';
    } catch (error) {
      const verdict = verdictOn(error);
      if (verdict === 'refused' || verdict === 'moved') {
        this.#settle(batch, cells, faultsByCell(cells.length, error.faults), null, error.message);
        return 'next';
      }
      for (const act of batch) if (this.#acts.some(({ id }) => id === act.id)) this.#become(act, { state: 'waiting' });
      if (error.retryAfter) this.#waker.rest(error.retryAfter * 1000);
      this.#tell(taught);
      return verdict === 'later' ? 'skip' : 'stop';
    } finally {
      for (const { id } of batch) this.#flying.delete(id);
    }
  }

  // What was taken is gone; each cell that was not stays as an act of its own. `v` is null where nothing was taken.
  #settle(batch, cells, faults, v, detail = null) {
    const [{ class: taught, account, order }] = batch;
    const isLeft = index => v === null || faults[index].length > 0;
    for (const act of batch) this.#remove(act);
    for (const [index, cell] of cells.entries()) {
      if (!isLeft(index)) continue;
      // What was typed on top of it meanwhile stands on what was there before.
      const later = this.of(taught).find(act => isUnsent(act) && act.cells.some(other => cellKey(other) === cellKey(cell)));
      if (later) this.#become(later, { cells: later.cells.map(other => (cellKey(other) === cellKey(cell) ? { ...other, was: cell.was } : other)) });
      else this.#add({ id: newKey(), account, class: taught, order: order + index / 1e6, isWhole: false, cells: [cell], ...leftBehind(faults[index], detail) });
    }
    const taken = cells.filter((_, index) => !isLeft(index));
    this.#tell(taught, taken.length > 0 ? { v, cells: taken } : null);
  }
}
