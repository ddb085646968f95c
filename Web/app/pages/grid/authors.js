// Looks up in the ledger who made changes by others; one request covers all changes that arrived together.

// How long changes are collected before the ledger is asked, which happens at most once in that time, in milliseconds.
const GATHERING = 400;
// At most this many lines of the ledger are read; older changes stay without a name.
const LINES = 50;

export class Authors {
  #http;
  #path;
  #changed;
  #wanted = new Set();
  // The accounts by `version/row`.
  #known = new Map();
  #timer = null;

  /** `path` is the address of the class; `changed()` is called when names have arrived. */
  constructor(http, path, changed) {
    this.#http = http;
    this.#path = path;
    this.#changed = changed;
  }

  /** The account that changed a row at a version; undefined as long as it is unknown. */
  of = (row, version) => this.#known.get(`${version}/${row}`);

  /** Requests the account that changed a row at a version. */
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
      // Only changes that are still shown need a name.
      this.#known = new Map([...this.#known,
        ...body.items.map(({ v, enrolment, account }) => [`${v}/${enrolment}`, account])].slice(-4 * LINES));
      this.#changed();
    } catch {
      // The mark is shown without a name.
    }
    this.#timer = this.#wanted.size > 0 ? setTimeout(() => this.#read(), GATHERING) : null;
  }
}
