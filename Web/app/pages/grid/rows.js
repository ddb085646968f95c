// The rows of a class as they come from the server: over the live channel, each as soon as it changes. While the
// channel is down, the page reads changes after each act of its own, and at intervals while it is visible.

import { begin, isEnded } from '../../core/live/ended.js';

// The time between two readings, and the time to wait for a push before the page reads itself, in milliseconds.
const PAUSE = 5000;
const PATIENCE = 2000;

export class ClassRows {
  #app;
  #topic;
  #path;
  #group;
  #take;
  // The epoch of the server and the version of the rows that are held.
  #place = null;
  #timer = null;
  #reading = null;
  #isStale = false;
  // Rows that arrived could not be accepted: the next reading takes all rows.
  #isBehind = false;
  // The server has said that the rows may not be read.
  #isRefused = false;
  #isClosed = false;
  #stop = null;
  // What arrives is handled one after the other.
  #line = Promise.resolve();
  #look = () => document.hidden || this.#isLive || this.read();

  /** The rows of a class, or of one of its groups. `take(rows, {structure, gone, isAll})` gets the rows that have
   *  changed, or all of them, in the server's form; `structure` is the one to which their cells belong, `gone` are the
   *  ids of rows that no longer exist. It returns whether it accepted them. */
  constructor(app, id, take, group = null) {
    this.#app = app;
    this.#topic = group ? `grid/${id}/${group}` : `grid/${id}`;
    this.#path = `/v1/classes/${encodeURIComponent(id)}/rows`;
    this.#group = group;
    this.#take = take;
  }

  /** The topic of the rows. */
  get topic() {
    return this.#topic;
  }

  get #isLive() {
    return this.#app.store.state.connection.kind === 'live';
  }

  /** The version of the class to which the rows belong. */
  get version() {
    return this.#place?.v ?? 0;
  }

  /** Whether the rows may no longer be seen. */
  get isEnded() {
    return this.#isRefused || isEnded(this.#app, this.#topic);
  }

  /** Loads all rows, and keeps them up to date. */
  async start() {
    begin(this.#app, this.#topic);
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

  /** Ensures that the rows have at least version `v`: by the push that is under way, or by reading the changes. */
  async reach(v) {
    if (this.#isLive) await new Promise(resolve => setTimeout(resolve, PATIENCE));
    if (!this.#isClosed && (this.#place?.v ?? 0) < v) await this.read();
  }

  /** Reads changes now; if a reading is under way, reads once more after it. */
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
      const isAll = this.#isBehind || this.#place?.e !== place.e;
      if (this.#isClosed || (this.#place?.e === place.e && place.v <= this.#place.v)) return;
      const ids = isAll ? [...rows.keys()] : [...changed];
      const lost = ids.filter(id => !rows.has(id));
      await this.#takeIn(place, ids.filter(id => rows.has(id)).map(id => rows.get(id)), {
        structure, gone: lost, isAll,
      });
    }).catch(() => this.#rest());
  }

  // The place advances only once the rows were accepted.
  async #takeIn(place, rows, about) {
    this.#isBehind = true;
    // A student who has left the group is in none of its rows.
    const left = rows.filter(row => row.gone).map(({ id }) => id);
    if (!await this.#take(rows.filter(row => !row.gone), { ...about, gone: [...about.gone, ...left] })) return;
    this.#place = place;
    this.#isBehind = false;
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
      // A reading that failed is repeated later, unless the server says that the rows may no longer be read.
      if (error.known && [403, 404].includes(error.status)) {
        this.#isRefused = true;
        this.close();
        this.#app.redraw();
      }
    }
    this.#rest();
  }

  async #once() {
    const { rows, body } = await this.#parts();
    await this.#next(async () => {
      const isAll = body.from === 0;
      if (this.#isClosed || (this.#place?.e === body.e && body.v <= this.#place.v)) return;
      const place = { e: body.e, v: body.v };
      if (!rows.some(row => row.s !== body.s)) return this.#takeIn(place, rows, { structure: body.s, gone: [], isAll });
      // The structure was changed meanwhile, so there are rows of both: the next reading takes all rows.
      this.#place = place;
      this.#isStale = true;
    });
  }

  // A large class comes in parts, which are shown together.
  async #parts() {
    const rows = [];
    const query = new URLSearchParams({
      ...(this.#group ? { group: this.#group } : {}),
      ...(this.#place ? { since: `${this.#place.e}.${this.#place.v}` } : {}),
    }).toString();
    let path = query ? `${this.#path}?${query}` : this.#path;
    for (;;) {
      const { body, next } = await this.#app.http.get(path);
      rows.push(...body.rows);
      if (!body.more || !next) return { rows, body };
      path = next;
    }
  }

  #rest() {
    clearTimeout(this.#timer);
    if (!this.#isClosed) {
      this.#timer = setTimeout(() =>
        (document.hidden || (this.#isLive && !this.#isBehind) ? this.#rest() : this.read()),
        PAUSE);
    }
  }
}

/** A row in the form in which the page works with it: `{id, v, name, givenName, familyName, student, record, isGone,
 *  cells, figures, given, status, risk}`, with cells by line. `lines` are those of the columns, in order. */
export const rowOf = (row, lines, unnamed) => ({
  id: row.id, v: row.v, name: row.name ?? unnamed, givenName: row.givenName ?? null, familyName: row.familyName ?? null,
  student: row.student, record: row.record, section: row.section ?? null, groups: row.groups ?? [],
  isGone: row.withdrawn ?? false, figures: row.figures ?? {}, given: row.given ?? {}, status: row.status ?? null,
  risk: row.risk ?? [],
  isIncomplete: row.incomplete ?? false,
  cells: new Map(row.cells.map((cell, index) => [lines[index], cell]).filter(([line, cell]) => line
    && cell !== null).map(([line, cell]) => [line, cellOf(cell)])),
});

// A bare text is a value without anything else.
function cellOf(cell) {
  if (typeof cell !== 'object') {
    return { value: cell, status: null, late: null, fields: {}, held: false, notes: 0, marks: [] };
  }
  const { value = null, status = null, late = null, fields = {}, held = false, notes = 0, marks = [] } = cell;
  return { value, status, late, fields, held, notes, marks };
}
