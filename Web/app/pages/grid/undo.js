// What the user has done in a class, and undo: only the user's own acts are undone, one after the other.

import { t } from '../../core/text/i18n.js';
import { problemText } from '../../parts/frame/problem.js';

// At most this many pages of the ledger are searched for an act.
const PAGES = 25;

export class UndoList {
  #context;
  // `{v, ids}`: the version that an act made, and the ids of the page's acts that were entered with it.
  #done = [];
  // `{v}`; `{again}`, an act that was given up before it was sent; or `{counter}`, one that takes back an act that may
  // have arrived.
  #undone = [];
  #line = Promise.resolve();
  #versions = new Set();
  #isBusy = false;

  /** `context` has `{http, path, id, acts, author, permissions, counter, say, lookAgain}`: `counter(act)` takes back an
   *  act that may have arrived and returns the id of the act that does so, `say(text, kind)` announces what happened,
   *  and `lookAgain()` reads the class and its rows again. */
  constructor(context) {
    this.#context = context;
  }

  // One after the other, because each depends on the result of the previous one.
  undo = () => this.#next(() => this.#undo());
  redo = () => this.#next(() => this.#redo());

  /** Undoes the act that made version `v`, whatever was done since. */
  undoAct = v => this.#next(() => {
    const entry = this.#done.find(each => each.v === v);
    return entry ? this.#takeBack(entry) : this.#context.say(t('grid.nothingToUndo'));
  });

  #next(work) {
    return (this.#line = this.#line.then(work).catch(error => this.#context.say(problemText(error), 'bad')));
  }

  /** Whether the user made the version of a row, as far as the page knows. */
  isOwn = v => this.#isBusy || this.#versions.has(v);

  /** After something new was done, what was undone before cannot be redone. */
  fresh() {
    this.#undone = [];
  }

  /** Remembers an act that made version `v`; returns how to undo it, or null if it changed nothing. */
  did({ v, changed = true }) {
    if (!changed) return null;
    this.fresh();
    this.#remember({ v, ids: [] });
    return () => this.undoAct(v);
  }

  /** Remembers the acts `ids` that arrived as version `v`; `counters` is the id of the act that they take back. */
  landed({ v, ids, counters }) {
    if (counters) {
      this.#versions.add(v);
      this.#done = this.#done.filter(entry => !entry.ids.includes(counters));
      this.#undone = this.#undone.map(entry => (ids.includes(entry.counter) ? { v, ids } : entry));
    } else if (ids.length > 0) this.#remember({ v, ids });
  }

  #remember(entry) {
    this.#versions.add(entry.v);
    const same = this.#done.find(({ v }) => v === entry.v);
    if (same) same.ids.push(...entry.ids);
    else this.#done.push(entry);
  }

  async #undo() {
    const { acts, author, id } = this.#context;
    await acts.landed(author, id);
    const last = acts.lastWaiting(author, id);
    if (!last) return this.#takeBack(this.#done.at(-1));
    if (acts.takeBack(author, id, last.id)) {
      this.#undone.push({ again: last });
      return this.#context.say(t('grid.undone'));
    }
    // The act may have arrived, so another act that takes it back follows it.
    this.#undone.push({ counter: this.#context.counter(last) });
    return this.#context.say(t('grid.undoWaits'));
  }

  async #redo() {
    const { acts, author, id } = this.#context;
    await acts.landed(author, id);
    const entry = this.#undone.at(-1);
    if (entry?.again) {
      this.#undone.pop();
      acts.put(author, id, entry.again.cells, { isWhole: entry.again.isWhole });
    } else if (entry?.counter) {
      if (!acts.takeBack(author, id, entry.counter)) return this.#context.say(t('grid.waits'));
      this.#undone.pop();
    } else return this.#takeBack(entry, true);
    return this.#context.say(t('grid.redone'));
  }

  async #takeBack(entry, isAgain = false) {
    const { http, path, author, permissions, say, lookAgain } = this.#context;
    if (!permissions.mayTeach) return say(t('grid.undoTeachers'));
    if (!entry) return say(t('grid.nothingToUndo'));
    this.#isBusy = true;
    try {
      const isOwn = await this.#isOwnAct(entry);
      const { body } = isOwn ? await http.post(`${path}/undo`, { v: entry.v }, { as: author.account }) : {};
      this.#done = this.#done.filter(each => each !== entry);
      this.#undone = this.#undone.filter(each => each !== entry);
      if (!isOwn) return say(t('grid.nothingToUndo'));
      this.#versions.add(body.v);
      (isAgain ? this.#done : this.#undone).push({ v: body.v, ids: [] });
      say(body.faults.length > 0
        ? t('grid.undoneInPart', { count: body.faults.length })
        : t(isAgain ? 'grid.redone' : 'grid.undone'));
      await lookAgain();
    } finally {
      this.#isBusy = false;
    }
  }

  // The version in an answer may be another person's: if a cell already held the requested value, nothing was done.
  async #isOwnAct({ v }) {
    const { http, path, author } = this.#context;
    let next = `${path}/ledger?limit=200`;
    for (let page = 0; next && page < PAGES; page += 1) {
      const answer = await http.get(next, { as: author.account });
      const line = answer.body.items.find(item => item.v <= v);
      if (line) return line.v === v && line.account === author.account;
      ({ next } = answer);
    }
    return false;
  }
}
