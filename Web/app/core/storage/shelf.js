// Stores the values of one account in a browser storage, encrypted for the account: one key each, so that tabs and
// people never overwrite each other's values.

import { keysIn } from './kept.js';

export class Shelf {
  #storage;
  #prefix;
  #seal;
  #opened = new Map();

  /** Each value has an `id` and is stored under `prefix`, which names the account. */
  constructor(storage, prefix, seal) {
    this.#storage = storage;
    this.#prefix = prefix;
    this.#seal = seal;
  }

  /** All values. One that cannot be opened (the server's key changed) has the state `locked`. */
  async list() {
    const texts = new Map(keysIn(this.#storage, this.#prefix).map(key => [key, this.#storage.getItem(key)]));
    for (const key of this.#opened.keys()) if (!texts.has(key)) this.#opened.delete(key);
    return Promise.all([...texts].filter(([, text]) => text !== null).map(([key, text]) => this.#read(key, text)));
  }

  async #read(key, text) {
    const known = this.#opened.get(key);
    if (known?.text === text) return known.value;
    const id = key.slice(this.#prefix.length);
    const value = (await this.#seal.open(text, key)) ?? { id, state: 'locked', order: 0, ops: [] };
    this.#opened.set(key, { text, value });
    return value;
  }

  /** Stores a value; throws if the browser's storage is full. */
  async put(value) {
    const key = this.#prefix + value.id;
    this.#storage.setItem(key, await this.#seal.close(value, key));
  }

  /** Stores a new state of a value, unless it was removed meanwhile. */
  async replace(value) {
    const key = this.#prefix + value.id;
    const text = await this.#seal.close(value, key);
    if (this.#storage.getItem(key) !== null) this.#storage.setItem(key, text);
  }

  remove(id) {
    this.#storage.removeItem(this.#prefix + id);
  }
}

/** For browsers that cannot seal: values live as long as the page. */
export class FleetingShelf {
  #values = new Map();

  get isHolding() {
    return this.#values.size > 0;
  }

  async list() {
    return [...this.#values.values()];
  }

  async put(value) {
    this.#values.set(value.id, value);
  }

  async replace(value) {
    if (this.#values.has(value.id)) this.#values.set(value.id, value);
  }

  remove(id) {
    this.#values.delete(id);
  }
}
