// What friends share of the records in the lines of the timeline, live while the user may read it.

import { begin, isEnded } from '../../core/live/ended.js';

// A connection follows at most 256 topics; the rest of the page needs some of them.
const MOST = 200;

export class Friends {
  #app;
  #account;
  // The records that are followed, each with the function that stops following it.
  #followed = new Map();
  // The records that are not shared, according to the server.
  #refused = new Set();

  constructor(app, account) {
    this.#app = app;
    this.#account = account;
  }

  close() {
    for (const { stop } of this.#followed.values()) stop();
    this.#followed.clear();
  }

  /** Follows the first `MOST` of these records, and no others. Resolves once what is shared of them has been
   *  requested. */
  async follow(ids) {
    const wanted = new Set([...new Set(ids)].slice(0, MOST));
    for (const id of this.#followed.keys()) if (!wanted.has(id)) this.#end(id);
    // A record that ended may be shared again.
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
      // A failed request says nothing about the consent: the live channel delivers what is shared, or that it is not.
    }
    // Closed, or begun again, in the meantime.
    if (this.#followed.get(id) !== entry) return;
    this.#refused.delete(id);
    if (answer) documents.accept(topic, answer.place, answer.body);
    entry.stop = live.watch(topic);
  }

  #end(id) {
    this.#followed.get(id)?.stop();
    this.#followed.delete(id);
  }

  /** What is shared of a record: null if it is no longer shared, undefined if that is not known here. */
  of(id) {
    const topic = topicOf(id);
    const why = this.#app.store.state.ended[topic];
    // If a connection has too many topics, that does not mean that the record is no longer shared.
    if (this.#refused.has(id) || (why !== undefined && why !== 'limit')) return null;
    return this.#followed.has(id) && why === undefined ? this.#app.documents.get(topic)?.doc : undefined;
  }
}

const topicOf = id => `shared/${id}`;
