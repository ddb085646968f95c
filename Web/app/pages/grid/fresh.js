// Changes by others: marks them for a moment, announces them once, and remembers them as long as the page is open.

// How long a change is marked, and the time between two announcements, in milliseconds.
const LASTING = 5000;

export class FreshMarks {
  // The versions of all cells that others changed since the page opened, by row and column.
  #ever = new Map();
  #until = new Map();
  #count = 0;
  #teller = null;
  #drawer = null;
  #tell;
  #changed;

  /** `tell(count)` announces how many cells others changed; `changed()` is called when marks have expired. */
  constructor(tell, changed) {
    this.#tell = tell;
    this.#changed = changed;
  }

  /** The version at which a cell was changed a moment ago; null for all other cells. */
  at(key) {
    const { until = 0, version } = this.#until.get(key) ?? {};
    return until > performance.now() ? version : null;
  }

  /** Whether others have changed results of a row since the page opened. */
  hasRow = row => this.#ever.has(row);

  /** The version at which others last changed a cell since the page opened; null if they have not. */
  ever = (row, column) => this.#ever.get(row)?.get(column) ?? null;

  add(row, column, version) {
    if (!this.#ever.has(row)) this.#ever.set(row, new Map());
    this.#ever.get(row).set(column, version);
    const key = `${row}/${column}`;
    this.#until.set(key, { until: performance.now() + LASTING, version });
    this.#count += 1;
    this.#teller ??= setTimeout(() => {
      this.#teller = null;
      const count = this.#count;
      this.#count = 0;
      this.#tell(count);
    }, LASTING);
    clearTimeout(this.#drawer);
    this.#drawer = setTimeout(() => {
      this.#until.clear();
      this.#changed();
    }, LASTING + 50);
  }

  close() {
    clearTimeout(this.#teller);
    clearTimeout(this.#drawer);
  }
}
