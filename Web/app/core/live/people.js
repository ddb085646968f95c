// Who is in a collection beside this person: the messages `presence` and `here` of the live channel.

export class People {
  #send;
  // By topic: who is told, and whether this connection has brought the collection.
  #watchers = new Map();

  /** `send(message)` sends a message while there is a connection. */
  constructor(send) {
    this.#send = send;
  }

  /** Tells of the people who are in a collection: `take(message)` for each `presence`, with null once the connection is lost,
   *  and `begin()` whenever a connection has brought the collection, and may be told where this person is. Returns a function
   *  that ends it. */
  follow(topic, { begin, take }) {
    this.#watchers.set(topic, { begin, take, isThere: false });
    return () => this.#watchers.delete(topic);
  }

  /** Says where in a collection this person is: `at` is `[row, line]`, or null for present without a cell. */
  here(topic, at, editing) {
    if (this.#watchers.get(topic)?.isThere) this.#send({ t: 'here', topic, ...(at ? { at } : {}), ...(editing ? { editing } : {}) });
  }

  /** A connection begins, which has brought nothing yet. */
  begin() {
    for (const watcher of this.#watchers.values()) watcher.isThere = false;
  }

  /** The connection has brought a collection. */
  arrive(topic) {
    const watcher = this.#watchers.get(topic);
    if (!watcher || watcher.isThere) return;
    watcher.isThere = true;
    watcher.begin();
  }

  accept(message) {
    this.#watchers.get(message.topic)?.take(message);
  }

  /** A collection has ended. */
  drop(topic) {
    this.#watchers.get(topic)?.take(null);
  }

  /** The connection is lost. */
  lose() {
    this.begin();
    for (const { take } of this.#watchers.values()) take(null);
  }
}
