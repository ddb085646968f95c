// The other people in a collection: the messages `presence` and `here` of the live channel.

export class People {
  #send;
  // By topic: the callbacks, and whether this connection has delivered the collection.
  #watchers = new Map();

  /** `send(message)` sends a message while there is a connection. */
  constructor(send) {
    this.#send = send;
  }

  /** Reports the people in a collection: calls `take(message)` for each `presence`, `take(null)` once the connection is
   *  lost, and `begin()` whenever a connection has delivered the collection, from when on it may be told where the user
   *  is. Returns a function that ends this. */
  follow(topic, { begin, take }) {
    this.#watchers.set(topic, { begin, take, isThere: false });
    return () => this.#watchers.delete(topic);
  }

  /** Tells the server where in a collection the user is: `at` is `[row, line]`, or null if present without a cell. */
  here(topic, at, editing) {
    if (this.#watchers.get(topic)?.isThere) {
      this.#send({ t: 'here', topic, ...(at ? { at } : {}), ...(editing ? { editing } : {}) });
    }
  }

  /** A new connection has delivered nothing yet. */
  begin() {
    for (const watcher of this.#watchers.values()) watcher.isThere = false;
  }

  /** The connection has delivered a collection. */
  arrive(topic) {
    const watcher = this.#watchers.get(topic);
    if (!watcher || watcher.isThere) return;
    watcher.isThere = true;
    watcher.begin();
  }

  accept(message) {
    this.#watchers.get(message.topic)?.take(message);
  }

  drop(topic) {
    this.#watchers.get(topic)?.take(null);
  }

  lose() {
    this.begin();
    for (const { take } of this.#watchers.values()) take(null);
  }
}
