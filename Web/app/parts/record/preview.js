// What unsaved drafts would give, asked of the server while they are typed: one question at a time, and of those that
// wait only the newest. The book shows the answer until the drafts are saved or given up.

import { shared } from '../../core/values/sharing.js';

export class Preview {
  #desk;
  #wanted = null;
  #busy = false;

  constructor(desk) {
    this.#desk = desk;
  }

  /** Shows the figures as `ops` would make them. */
  async show(ops) {
    this.#wanted = ops;
    if (this.#busy) return;
    this.#busy = true;
    while (this.#wanted) await this.#ask(this.#wanted);
    this.#busy = false;
  }

  /** Shows the true figures again. */
  end() {
    this.#wanted = null;
    this.#desk.book.previewed = null;
  }

  async #ask(ops) {
    const { book } = this.#desk;
    // Drafts that cannot be judged yet keep the figures where they were; what is wrong is said when they are saved.
    const standing = ops.length > 0 ? await book.preview(ops).catch(() => book.previewed?.standing ?? null) : null;
    if (this.#wanted === null) return;
    if (this.#wanted === ops) this.#wanted = null;
    book.previewed = standing && { standing: shared(book.standing, standing), ops };
    this.#desk.redraw();
  }
}
