// Where edits are kept until they are entered: one key of the browser's storage each, so that tabs and people never
// overwrite each other's, sealed for the account that made them.

import { PREFIX, keysOfEdits } from './kept.js';

// Edits of earlier versions: one list in the clear, of everybody who used the browser.
const OLD = 'gradecast.edits';

export class EditShelf {
  #account;
  #prefix;
  #seal;
  #opened = new Map();

  constructor(account, seal) {
    this.#account = account;
    this.#prefix = `${PREFIX}${account}.`;
    this.#seal = seal;
  }

  /** Every edit of the account. One that does not open (the server's key changed) has the state `locked`. */
  async list() {
    const texts = new Map(keysOfEdits(this.#prefix).map(key => [key, localStorage.getItem(key)]));
    for (const key of this.#opened.keys()) if (!texts.has(key)) this.#opened.delete(key);
    return Promise.all([...texts].filter(([, text]) => text !== null).map(([key, text]) => this.#read(key, text)));
  }

  async #read(key, text) {
    const known = this.#opened.get(key);
    if (known?.text === text) return known.edit;
    const id = key.slice(this.#prefix.length);
    const edit = (await this.#seal.open(text, key)) ?? { id, account: this.#account, state: 'locked', order: 0, ops: [] };
    this.#opened.set(key, { text, edit });
    return edit;
  }

  /** Keeps an edit; throws when the browser's storage is full. */
  async put(edit) {
    const key = this.#prefix + edit.id;
    localStorage.setItem(key, await this.#seal.close(edit, key));
  }

  /** Keeps another state of an edit, unless it was taken away meanwhile. */
  async replace(edit) {
    const key = this.#prefix + edit.id;
    const text = await this.#seal.close(edit, key);
    if (localStorage.getItem(key) !== null) localStorage.setItem(key, text);
  }

  remove(id) {
    localStorage.removeItem(this.#prefix + id);
  }

  /** Takes over what an earlier version kept of this account, and leaves everybody else's for them. */
  async takeOver() {
    const mine = oldEdits().filter(edit => edit.account === this.#account);
    for (const edit of mine) {
      const at = Date.parse(edit.at) || 0;
      await this.put({ ...edit, order: at, triedAt: edit.triedAt ?? at });
    }
    const others = oldEdits().filter(edit => !mine.some(({ id }) => id === edit.id));
    if (mine.length === 0) return;
    if (others.length > 0) localStorage.setItem(OLD, JSON.stringify(others));
    else localStorage.removeItem(OLD);
  }

  /** Calls `changed` when another tab kept or took away an edit. */
  static watch(changed) {
    addEventListener('storage', event => (event.key === null || event.key.startsWith(PREFIX)) && changed());
  }
}

/** For browsers that cannot seal: edits last as long as the tab. */
export class FleetingShelf {
  #edits = new Map();

  get isHolding() {
    return this.#edits.size > 0;
  }

  async list() {
    return [...this.#edits.values()];
  }

  async put(edit) {
    this.#edits.set(edit.id, edit);
  }

  async replace(edit) {
    if (this.#edits.has(edit.id)) this.#edits.set(edit.id, edit);
  }

  remove(id) {
    this.#edits.delete(id);
  }

  async takeOver() {}
}

function oldEdits() {
  try {
    const kept = JSON.parse(localStorage.getItem(OLD) ?? '[]');
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}
