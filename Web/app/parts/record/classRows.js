// The lines of classes in a record. They are read again whenever the record has changed, or a row of a class has other
// lines.

import { problemText } from '../frame/problem.js';

export class ClassRows {
  #app;
  #book;
  #isOwn;
  #onLines;
  // By topic: the entry that represents the row, and the function that stops following the row.
  #followed = new Map();
  #isClosed = false;

  /** For staff there is no topic for a single row: the lines are read with the record. `onLines` is called once they
   *  are there. */
  constructor(app, book, isOwn, onLines) {
    this.#app = app;
    this.#book = book;
    this.#isOwn = isOwn;
    this.#onLines = onLines;
  }

  /** Follows the rows that entries of the record now represent. */
  follow() {
    const links = new Map(this.#isOwn ? this.#book.links.map(link => [`row/${link.enrolment}`, link]) : []);
    for (const [topic, { stop }] of this.#followed) {
      if (links.has(topic)) continue;
      this.#followed.delete(topic);
      stop();
    }
    for (const [topic, link] of links) {
      this.#followed.set(topic, { link, stop: this.#followed.get(topic)?.stop ?? this.#app.live.watch(topic) });
    }
  }

  onDocument(topic, { doc }) {
    const row = this.#followed.get(topic);
    if (row && this.#book.differs(row.link, doc)) this.read();
  }

  /** Handles the rows that arrived before the page was there. */
  settle() {
    for (const topic of this.#followed.keys()) {
      const held = this.#app.documents.get(topic);
      if (held) this.onDocument(topic, held);
    }
  }

  // If there is no answer, the previous lines stay, and the next change triggers another reading. A record that is too
  // long for this is shown without lines.
  read = async () => {
    try {
      await this.#book.assemble();
    } catch (error) {
      if (error.status !== 422 && !this.#isClosed) this.#app.say(problemText(error), 'bad');
    }
    if (!this.#isClosed) this.#onLines();
  };

  close() {
    this.#isClosed = true;
    for (const { stop } of this.#followed.values()) stop();
  }
}
