// Asks the server for the effect of unsaved drafts while the user types: one request at a time, then only the newest of
// those that wait. The book shows the answer until the drafts are saved or discarded.

import { shared } from '../../core/values/sharing.js';

export class Preview {
  #desk;
  #wanted = null;
  #busy = false;

  constructor(desk) {
    this.#desk = desk;
  }

  /** Shows the figures that `ops` would produce. */
  async show(ops) {
    this.#wanted = ops;
    if (this.#busy) return;
    this.#busy = true;
    while (this.#wanted) await this.#ask(this.#wanted);
    this.#busy = false;
  }

  /** Shows the real figures again. */
  end() {
    this.#wanted = null;
    this.#desk.book.previewed = null;
  }

  async #ask(ops) {
    const { book } = this.#desk;
    // Drafts that cannot be computed yet leave the figures unchanged; their faults are shown when they are saved.
    const standing = ops.length > 0 ? await book.preview(ops).catch(() => book.previewed?.standing ?? null) : null;
    if (this.#wanted === null) return;
    if (this.#wanted === ops) this.#wanted = null;
    book.previewed = standing && { standing: shared(book.standing, standing), ops };
    this.#desk.redraw();
  }
}
