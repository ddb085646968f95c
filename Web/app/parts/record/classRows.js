// The lines of classes in a record, read again whenever the record has changed or a row of a class tells other lines.

import { problemText } from '../frame/problem.js';

export class ClassRows {
  #app;
  #book;
  #isOwn;
  #onLines;
  // By topic: the entry that stands for the row, and how to follow the row no longer.
  #followed = new Map();
  #isClosed = false;

  /** Staff have no topic of one row: for them the lines are read with the record. `onLines` is called once they are there. */
  constructor(app, book, isOwn, onLines) {
    this.#app = app;
    this.#book = book;
    this.#isOwn = isOwn;
    this.#onLines = onLines;
  }

  /** Follows the rows for which entries of the record stand by now. */
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

  /** Looks at what was told before the page was there. */
  settle() {
    for (const topic of this.#followed.keys()) {
      const held = this.#app.documents.get(topic);
      if (held) this.onDocument(topic, held);
    }
  }

  // Without an answer what was shown stays, and the next change is read again. A record that is too long for it goes without.
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
