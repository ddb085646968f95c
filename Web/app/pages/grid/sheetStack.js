// The sheet that is open over a page, and the one beneath it.

export class SheetStack {
  /** What draws the open sheet; null without any. */
  top = null;
  #beneath = null;
  #changed;

  constructor(changed) {
    this.#changed = changed;
  }

  /** Opens a sheet; closing it leads back to the one `beneath`. */
  open = (sheet, beneath = this.#beneath) => {
    [this.top, this.#beneath] = [sheet, beneath];
    this.#changed();
  };

  close = () => this.open(this.#beneath, null);

  /** Forgets both without a drawing. */
  clear() {
    [this.top, this.#beneath] = [null, null];
  }

  /** Whether a sheet is open, be it beneath another one. */
  holds = sheet => [this.top, this.#beneath].includes(sheet);
}
