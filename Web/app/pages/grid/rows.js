// The rows of a class as they come from the server: over the live channel, each as soon as it changes; while that is down
// the page reads what changed after each act of its own, and now and then while it is looked at.

import { Unreachable } from '../../core/net/http.js';

// Milliseconds between two looks; and so long may a push take before the page looks itself.
const PAUSE = 5000;
const PATIENCE = 2000;

export class ClassRows {
  #app;
  #topic;
  #path;
  #take;
  // What is held: of which epoch of the server, up to which version.
  #place = null;
  #timer = null;
  #reading = null;
  #isStale = false;
  #isClosed = false;
  #stop = null;
  // What came is taken in one after the other.
  #line = Promise.resolve();
  #look = () => document.hidden || this.#isLive || this.read();

  /** `take(rows, {structure, gone, isAll})` gets the rows that changed, or all of them, as they come from the server;
   *  `structure` says which columns their cells stand in, `gone` are the names of those that are no more. */
  constructor(app, id, take) {
    this.#app = app;
    this.#topic = `grid/${id}`;
    this.#path = `/v1/classes/${encodeURIComponent(id)}/rows`;
    this.#take = take;
  }

  get #isLive() {
    return this.#app.store.state.connection.kind === 'live';
  }

  /** Whether the rows may not be seen any more. */
  get isEnded() {
    return this.#app.store.state.ended[this.#topic] !== undefined;
  }

  /** Brings all rows, and keeps them up to date. */
  async start() {
    const first = new Promise(resolve => {
      this.#app.live.collection(this.#topic, shown => shown && this.#heard(shown).then(resolve)).then(stop => {
        this.#stop = stop;
        if (this.#isClosed) stop();
      });
    });
    await Promise.race([first, new Promise(resolve => setTimeout(resolve, PATIENCE))]);
    if (this.#place === null) await this.#once();
    document.addEventListener('visibilitychange', this.#look);
    addEventListener('online', this.#look);
    this.#rest();
  }

  /** Sees to it that the rows are those of version `v` at least: by the push that is under way, or by reading what changed. */
  async reach(v) {
    if (this.#isLive) await new Promise(resolve => setTimeout(resolve, PATIENCE));
    if (!this.#isClosed && (this.#place?.v ?? 0) < v) await this.read();
  }

  /** Reads what changed, now; once more where it is being read already. */
  read() {
    this.#isStale = true;
    this.#reading ??= this.#again().finally(() => { this.#reading = null; });
    return this.#reading;
  }

  close() {
    this.#isClosed = true;
    this.#stop?.();
    clearTimeout(this.#timer);
    document.removeEventListener('visibilitychange', this.#look);
    removeEventListener('online', this.#look);
  }

  #heard({ place, structure, rows, changed }) {
    return this.#next(async () => {
      const isAll = this.#place?.e !== place.e;
      if (this.#isClosed || (!isAll && place.v <= this.#place.v)) return;
      this.#place = place;
      const ids = isAll ? [...rows.keys()] : [...changed];
      await this.#take(ids.filter(id => rows.has(id)).map(id => rows.get(id)), { structure, gone: ids.filter(id => !rows.has(id)), isAll });
    });
  }

  #next(work) {
    return (this.#line = this.#line.then(work, work));
  }

  async #again() {
    clearTimeout(this.#timer);
    try {
      while (this.#isStale && !this.#isClosed) {
        this.#isStale = false;
        await this.#once();
      }
    } catch (error) {
      // What could not be read is read at the next look; a class that one may not see any more stays as it was.
      if (!(error instanceof Unreachable) && !error.retryable && error.status < 500) this.close();
    }
    this.#rest();
  }

  async #once() {
    const { rows, body } = await this.#parts();
    await this.#next(async () => {
      const isAll = body.from === 0;
      if (this.#isClosed || (this.#place?.e === body.e && body.v <= this.#place.v)) return;
      this.#place = { e: body.e, v: body.v };
      // While the structure was changed, rows of both came: the next look brings all of them.
      if (rows.some(row => row.s !== body.s)) this.#isStale = true;
      else await this.#take(rows, { structure: body.s, gone: [], isAll });
    });
  }

  // A class of many comes in parts, which are shown together.
  async #parts() {
    const rows = [];
    let path = this.#place ? `${this.#path}?since=${this.#place.e}.${this.#place.v}` : this.#path;
    for (;;) {
      const { body, next } = await this.#app.http.get(path);
      rows.push(...body.rows);
      if (!body.more || !next) return { rows, body };
      path = next;
    }
  }

  #rest() {
    clearTimeout(this.#timer);
    if (!this.#isClosed) this.#timer = setTimeout(() => (document.hidden || this.#isLive ? this.#rest() : this.read()), PAUSE);
  }
}

/** A row as the page works with it: `{id, v, name, student, record, isGone, cells, figures}`, cells by line. `lines` are those
 *  of the columns, in their order. */
export const rowOf = (row, lines, unnamed) => ({
  id: row.id, v: row.v, name: row.name ?? unnamed, student: row.student, record: row.record, isGone: row.withdrawn ?? false, figures: row.figures ?? {},
  isIncomplete: row.incomplete ?? false,
  cells: new Map(row.cells.map((cell, index) => [lines[index], cell]).filter(([line, cell]) => line && cell !== null).map(([line, cell]) => [line, cellOf(cell)])),
});

// A text alone is a value that nothing else is said of.
function cellOf(cell) {
  if (typeof cell !== 'object') return { value: cell, status: null, fields: {}, held: false };
  const { value = null, status = null, fields = {}, held = false } = cell;
  return { value, status, fields, held };
}
