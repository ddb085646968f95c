// Keeps what was typed but not sent when a session ended, until its author is back. It is sealed for its author like an
// unsent edit but stays in its tab, because it is not a change yet.

import { newKey } from '../net/http.js';
import { FleetingShelf, Shelf } from '../storage/shelf.js';
import { putBack, typedForms, whenSent } from '../page/typed.js';

const PREFIX = 'gradecast.typed.';
// The greatest number of forms kept for an account, how long they are kept (milliseconds), and the greatest length of
// one.
const MOST = 8;
const LASTING = 12 * 3600e3;
const LARGEST = 1_000_000;

export class Drafts {
  #changed;
  #shelf = null;
  #fleeting = new Map();
  #list = [];
  // Pages whose forms were read: they may remain visible for a moment, but nothing is restored into them.
  #left = new WeakSet();
  #keeping = Promise.resolve();

  /** `changed()` is called when the list has changed. */
  constructor(changed) {
    this.#changed = changed;
  }

  /** The drafts of the account that uses the page, oldest first: `{id, path, title, text}`. */
  get list() {
    return this.#list;
  }

  /** Loads what the account had typed; `null` if nobody is signed in. */
  async open(account, seal) {
    const shelf = account && this.#shelfOf(account.id, seal);
    this.#shelf = shelf;
    this.#list = [];
    await this.#keeping;
    if (!shelf) return;
    const all = (await shelf.list()).filter(draft => draft.state !== 'locked').sort((one, other) => one.at - other.at);
    const old = all.filter((draft, index) => index < all.length - MOST || Date.now() - draft.at > LASTING);
    for (const draft of old) shelf.remove(draft.id);
    if (shelf === this.#shelf) this.#list = all.filter(draft => !old.includes(draft));
  }

  #shelfOf(account, seal) {
    if (seal) return new Shelf(sessionStorage, `${PREFIX}${account}.`, seal);
    if (!this.#fleeting.has(account)) this.#fleeting.set(account, new FleetingShelf());
    return this.#fleeting.get(account);
  }

  /** Keeps what is typed on the page at `path`. The forms are read at once. */
  keep(page, path) {
    const shelf = this.#shelf;
    if (!shelf || !page) return;
    this.#left.add(page);
    const { open = null, typed = [] } = page.again?.() ?? {};
    const forms = typedForms();
    if (forms.length === 0 && typed.length > 0) {
      forms.push({ form: null, place: null, title: page.title(), inputs: typed.map(text => ({ text })) });
    }
    for (const { form, place, title, inputs } of forms) {
      const text = inputs.map(input => input.text).filter(Boolean).join(' · ').slice(0, 300);
      const draft = {
        id: newKey(), at: Date.now(), path, open, place, title, text,
        inputs: inputs.map(({ text: read, ...input }) => input),
      };
      if (JSON.stringify(draft).length > LARGEST) continue;
      this.#list = [...this.#list, draft];
      const keeping = shelf.put(draft).catch(() => {});
      this.#keeping = Promise.all([this.#keeping, keeping]);
      if (form) whenSent(form, () => keeping.then(() => this.#drop(shelf, draft.id)));
    }
  }

  /** Opens again what was open on the page at `path`; returns whether anything was. */
  reopen(page, path) {
    const draft = this.#list.findLast(item => item.path === path && item.open);
    const isOpen = Boolean(draft && page.reopen?.(draft.open));
    if (isOpen && draft.place === null) this.discard(draft.id);
    return isOpen;
  }

  /** Puts what was typed at `path` into the page's forms, if they are open. Returns whether anything was put back. */
  place(page, path) {
    let isPlaced = false;
    if (this.#left.has(page)) return isPlaced;
    for (const draft of this.#list.filter(item => item.path === path && item.place !== null)) {
      const left = putBack(draft);
      if (left.length === draft.inputs.length) continue;
      isPlaced = true;
      if (left.length === 0) this.discard(draft.id);
      else draft.inputs = left;
    }
    return isPlaced;
  }

  discard(id) {
    this.#drop(this.#shelf, id);
  }

  discardAll() {
    for (const { id } of this.#list) this.discard(id);
  }

  #drop(shelf, id) {
    shelf?.remove(id);
    this.#list = this.#list.filter(draft => draft.id !== id);
    this.#changed();
  }
}
