// The sheet that is open over a page, and the one beneath it.

export class SheetStack {
  /** The function that draws the open sheet; null if there is none. */
  top = null;
  #beneath = null;
  #changed;

  constructor(changed) {
    this.#changed = changed;
  }

  /** Opens a sheet; closing it returns to the one `beneath`. */
  open = (sheet, beneath = this.#beneath) => {
    [this.top, this.#beneath] = [sheet, beneath];
    this.#changed();
  };

  close = () => this.open(this.#beneath, null);

  /** Returns a function that closes the sheet that is open now by `back`, and does nothing once another one is open: a
   *  request may be answered when the user has gone on. */
  closing(back = this.close) {
    const { top } = this;
    return () => {
      if (this.top === top) back();
    };
  }

  /** Forgets both without drawing. */
  clear() {
    [this.top, this.#beneath] = [null, null];
  }

  /** Whether a sheet is open, even beneath another one. */
  holds = sheet => [this.top, this.#beneath].includes(sheet);
}
