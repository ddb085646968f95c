// The rows of a class as they come from the server: all of them first, then those that changed. The page reads them again
// after each act of its own, and now and then while it is looked at.

import { Unreachable } from '../../core/net/http.js';

// Milliseconds between two looks.
const PAUSE = 5000;

export class ClassRows {
  #app;
  #path;
  #take;
  // What is held: of which epoch of the server, up to which version.
  #place = null;
  #timer = null;
  #reading = null;
  #isStale = false;
  #isClosed = false;
  #look = () => document.hidden || this.read();

  /** `take(rows, {structure, isAll})` gets the rows that changed, or all of them, as they come from the server; `structure`
   *  says which columns their cells stand in. */
  constructor(app, id, take) {
    this.#app = app;
    this.#path = `/v1/classes/${encodeURIComponent(id)}/rows`;
    this.#take = take;
  }

  /** Reads all rows, and goes on looking. */
  async start() {
    await this.#once();
    document.addEventListener('visibilitychange', this.#look);
    addEventListener('online', this.#look);
    this.#rest();
  }

  /** Reads what changed, now; once more where it is being read already. */
  read() {
    this.#isStale = true;
    this.#reading ??= this.#again().finally(() => { this.#reading = null; });
    return this.#reading;
  }

  close() {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    document.removeEventListener('visibilitychange', this.#look);
    removeEventListener('online', this.#look);
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
    if (this.#isClosed) return;
    const isAll = body.from === 0;
    if (!isAll && body.v === this.#place.v) return;
    this.#place = { e: body.e, v: body.v };
    // While the structure was changed, rows of both came: the next look brings all of them.
    if (rows.some(row => row.s !== body.s)) this.#isStale = true;
    else await this.#take(rows, { structure: body.s, isAll });
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
    if (!this.#isClosed) this.#timer = setTimeout(() => (document.hidden ? this.#rest() : this.read()), PAUSE);
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
