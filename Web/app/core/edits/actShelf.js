// The acts of one account that this tab knows, and where they are kept: sealed in the browser's storage, or in memory
// if the browser cannot seal. What is kept nowhere else stays here for the same person's next session.

import { CELLS } from '../storage/kept.js';
import { FleetingShelf, Shelf } from '../storage/shelf.js';
import { inOrder } from './editRules.js';

export class ActShelf {
  /** The acts, in order. */
  acts = [];
  /** The ids of acts that cannot be opened because they were sealed with another key. */
  locked = [];
  #shelf;
  #fleeting = new FleetingShelf();
  // The pending writes of each act; they run one after the other.
  #writes = new Map();
  #unkept = new Set();
  // Acts that were removed here but may still be in the storage.
  #gone = new Set();

  constructor(account) {
    this.account = account;
    this.#shelf = this.#fleeting;
  }

  /** Begins a session of the account; `seal` is null if the browser cannot seal. */
  open(seal) {
    this.#shelf = seal ? new Shelf(localStorage, `${CELLS}${this.account}.`, seal) : this.#fleeting;
  }

  /** Ends a session: forgets what can be read from the storage again. */
  close() {
    if (this.#shelf !== this.#fleeting) {
      this.acts = this.acts.filter(({ id }) => this.#unkept.has(id) || this.#writes.has(id));
    }
    this.locked = [];
  }

  /** Whether closing the tab would lose something. */
  get isHolding() {
    return this.#unkept.size > 0 || this.#fleeting.isHolding;
  }

  /** The acts of a class, in order. */
  of = taught => this.acts.filter(act => act.class === taught);

  has = ({ id }) => this.acts.some(act => act.id === id);

  /** The `order` for a new act. */
  get next() {
    return this.acts.reduce((most, { order }) => Math.max(most, order + 1), Date.now());
  }

  /** Resolves once everything is stored that can be. */
  async kept() {
    while (this.#writes.size > 0) await Promise.all(this.#writes.values());
  }

  /** Stores a new state of an act. */
  become(act, changes) {
    const next = { ...act, ...changes };
    const shelf = this.#shelf;
    this.acts = this.acts.map(other => (other.id === act.id ? next : other));
    this.#after([act.id], () => shelf.replace(next));
    return next;
  }

  /** Replaces acts with others. The old ones are removed once the new ones are stored, so that closing the tab in
   *  between loses nothing. */
  exchange(gone, acts) {
    const [shelf, ids] = [this.#shelf, gone.map(({ id }) => id)];
    this.acts = [...this.acts.filter(({ id }) => !ids.includes(id)), ...acts].sort(inOrder);
    for (const id of ids) this.#gone.add(id);
    const away = () => {
      for (const id of ids) shelf.remove(id);
    };
    this.#after([...ids, ...acts.map(({ id }) => id)], async () => {
      for (const act of acts) await this.#keep(shelf, act, away);
      away();
      for (const id of ids) {
        this.#unkept.delete(id);
        this.#gone.delete(id);
      }
    });
  }

  // If the storage is full, there may be room once the old acts are removed.
  async #keep(shelf, act, away) {
    try {
      await shelf.put(act).catch(() => {
        away();
        return shelf.put(act);
      });
    } catch {
      this.#unkept.add(act.id);
    }
  }

  #after(ids, work) {
    const writing = Promise.all(ids.map(id => this.#writes.get(id))).then(work).catch(() => {}).then(() => {
      for (const id of ids) if (this.#writes.get(id) === writing) this.#writes.delete(id);
    });
    for (const id of ids) this.#writes.set(id, writing);
  }

  /** Removes the acts that cannot be opened. */
  discardLocked() {
    for (const id of this.locked) this.#shelf.remove(id);
    this.locked = [];
  }

  /** Reads what other tabs have stored, changed and removed. Returns `{gone, others}`: the acts that were removed, and
   *  those that are new or changed. */
  async look() {
    const shelf = this.#shelf;
    const before = new Set(this.acts.filter(act => this.#isSettled(act)));
    const met = new Set([...this.acts.map(({ id }) => id), ...this.#gone]);
    const list = await shelf.list();
    if (shelf !== this.#shelf) return { gone: [], others: [] };
    this.locked = list.filter(({ state }) => state === 'locked').map(({ id }) => id);
    const kept = new Map(list.filter(({ state }) => state !== 'locked').map(act => [act.id, act]));
    // For acts that are stored or removed here during the read, this tab's state is the newer one.
    const isOld = act => before.has(act) && this.#isSettled(act);
    const gone = this.acts.filter(act => isOld(act) && !kept.has(act.id));
    const known = new Map(this.acts.map(act => [act.id, act]));
    const others = [...kept.values()].filter(act => {
      const own = known.get(act.id);
      return own ? own !== act && isOld(own) : !met.has(act.id) && !this.#gone.has(act.id);
    });
    const changed = new Set([...gone, ...others].map(({ id }) => id));
    this.acts = [...this.acts.filter(({ id }) => !changed.has(id)), ...others].sort(inOrder);
    return { gone, others };
  }

  #isSettled = ({ id }) => !this.#writes.has(id) && !this.#unkept.has(id);
}
