// Marks changes by others for a moment, and announces them once.

// How long a change is marked, and the time between two announcements, in milliseconds.
const LASTING = 5000;

export class FreshMarks {
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

  add(key, version) {
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
