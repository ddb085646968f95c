// What friends share of the records that the lines of the timeline are about, live while it may be read.

import { begin, isEnded } from '../../core/live/ended.js';

// A connection follows at most 256 topics; the rest of the page needs some of them.
const MOST = 200;

export class Friends {
  #app;
  #account;
  // The records that are followed, each with the function that ends it.
  #followed = new Map();
  // The records that are not shared, as the server said.
  #refused = new Set();

  constructor(app, account) {
    this.#app = app;
    this.#account = account;
  }

  close() {
    for (const { stop } of this.#followed.values()) stop();
    this.#followed.clear();
  }

  /** Follows the first of some records, and no others. Resolves when what is shared of them was asked for once. */
  async follow(ids) {
    const wanted = new Set([...new Set(ids)].slice(0, MOST));
    for (const id of [...this.#followed.keys()]) if (!wanted.has(id)) this.#end(id);
    // What ended may be shared again.
    const begun = [...wanted].filter(id => !this.#followed.has(id) || isEnded(this.#app, topicOf(id)));
    await Promise.all(begun.map(id => this.#begin(id)));
  }

  async #begin(id) {
    const { documents, http, live } = this.#app;
    const topic = topicOf(id);
    this.#end(id);
    const entry = { stop() {} };
    this.#followed.set(id, entry);
    if (isEnded(this.#app, topic)) documents.drop(topic);
    begin(this.#app, topic);
    let answer = null;
    try {
      answer = await http.get(`/v1/records/${id}/shared`, { as: this.#account });
    } catch (error) {
      if (this.#followed.get(id) !== entry) return;
      if (error.known && error.status === 404) {
        this.#followed.delete(id);
        this.#refused.add(id);
        return;
      }
      // A request that failed says nothing of the consent: the live channel brings what is shared, or that it is not.
    }
    // Closed, or begun once more, in the meantime.
    if (this.#followed.get(id) !== entry) return;
    this.#refused.delete(id);
    if (answer) documents.accept(topic, answer.place, answer.body);
    entry.stop = live.watch(topic);
  }

  #end(id) {
    this.#followed.get(id)?.stop();
    this.#followed.delete(id);
  }

  /** What is shared of a record: null if it is shared no more, undefined if that is not known here. */
  of(id) {
    const topic = topicOf(id);
    const why = this.#app.store.state.ended[topic];
    // Too many topics on one connection are no withdrawal.
    if (this.#refused.has(id) || (why !== undefined && why !== 'limit')) return null;
    return this.#followed.has(id) && why === undefined ? this.#app.documents.get(topic)?.doc : undefined;
  }
}

const topicOf = id => `shared/${id}`;
