// Who changed what others see changed: asked of the ledger, once for all that came together.

// Milliseconds that changes gather before the ledger is asked, which it is at most once in that time.
const GATHERING = 400;
// So many lines of the ledger are looked at; what is behind them stays without a name.
const LINES = 50;

export class Authors {
  #http;
  #path;
  #changed;
  #wanted = new Set();
  // Who did what, by `version/row`.
  #known = new Map();
  #timer = null;

  /** `path` is the class's; `changed()` is called when names have come. */
  constructor(http, path, changed) {
    this.#http = http;
    this.#path = path;
    this.#changed = changed;
  }

  /** The account that changed a row at a version; undefined while that is not known. */
  of = (row, version) => this.#known.get(`${version}/${row}`);

  /** Asks who changed a row at a version. */
  ask(row, version) {
    this.#wanted.add(`${version}/${row}`);
    this.#timer ??= setTimeout(() => this.#read(), GATHERING);
  }

  close() {
    clearTimeout(this.#timer);
  }

  async #read() {
    this.#wanted = new Set();
    try {
      const { body } = await this.#http.get(`${this.#path}/ledger?limit=${LINES}`);
      // Only what is still shown needs a name.
      this.#known = new Map([...this.#known, ...body.items.map(({ v, enrolment, account }) => [`${v}/${enrolment}`, account])].slice(-4 * LINES));
      this.#changed();
    } catch {
      // The mark stands without a name.
    }
    this.#timer = this.#wanted.size > 0 ? setTimeout(() => this.#read(), GATHERING) : null;
  }
}
