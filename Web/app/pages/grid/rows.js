// The rows of a class as they come from the server: over the live channel, each as soon as it changes; while that is down
// the page reads what changed after each act of its own, and now and then while it is looked at.

import { begin, isEnded } from '../../core/live/ended.js';

// Milliseconds between two looks; and so long may a push take before the page looks itself.
const PAUSE = 5000;
const PATIENCE = 2000;

export class ClassRows {
  #app;
  #topic;
  #path;
  #group;
  #take;
  // What is held: of which epoch of the server, up to which version.
  #place = null;
  #timer = null;
  #reading = null;
  #isStale = false;
  // What came last could not be taken in: the next takes all of it.
  #isBehind = false;
  // The server itself said that the rows may not be read.
  #isRefused = false;
  #isClosed = false;
  #stop = null;
  // What came is taken in one after the other.
  #line = Promise.resolve();
  #look = () => document.hidden || this.#isLive || this.read();

  /** The rows of a class, or of one of its groups. `take(rows, {structure, gone, isAll})` gets the rows that changed, or all of them, as they come from the server;
   *  `structure` says which columns their cells stand in, `gone` are the names of those that are no more. It answers whether
   *  it took them. */
  constructor(app, id, take, group = null) {
    this.#app = app;
    this.#topic = group ? `grid/${id}/${group}` : `grid/${id}`;
    this.#path = `/v1/classes/${encodeURIComponent(id)}/rows`;
    this.#group = group;
    this.#take = take;
  }

  /** What the rows are pushed under. */
  get topic() {
    return this.#topic;
  }

  get #isLive() {
    return this.#app.store.state.connection.kind === 'live';
  }

  /** The version of the class as of which the rows are held. */
  get version() {
    return this.#place?.v ?? 0;
  }

  /** Whether the rows may not be seen any more. */
  get isEnded() {
    return this.#isRefused || isEnded(this.#app, this.#topic);
  }

  /** Brings all rows, and keeps them up to date. */
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
      const isAll = this.#isBehind || this.#place?.e !== place.e;
      if (this.#isClosed || (this.#place?.e === place.e && place.v <= this.#place.v)) return;
      const ids = isAll ? [...rows.keys()] : [...changed];
      const lost = ids.filter(id => !rows.has(id));
      await this.#takeIn(place, ids.filter(id => rows.has(id)).map(id => rows.get(id)), { structure, gone: lost, isAll });
    }).catch(() => this.#rest());
  }

  // What is held is as of `place` only once it was taken in.
  async #takeIn(place, rows, about) {
    this.#isBehind = true;
    // Who left the group is in none of its rows.
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
      // What could not be read is read at the next look, unless the server itself says that it may not be read any more.
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
      // While the structure was changed, rows of both came: the next look brings all of them.
      this.#place = place;
      this.#isStale = true;
    });
  }

  // A class of many comes in parts, which are shown together.
  async #parts() {
    const rows = [];
    const query = new URLSearchParams({ ...(this.#group ? { group: this.#group } : {}), ...(this.#place ? { since: `${this.#place.e}.${this.#place.v}` } : {}) }).toString();
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
    if (!this.#isClosed) this.#timer = setTimeout(() => (document.hidden || (this.#isLive && !this.#isBehind) ? this.#rest() : this.read()), PAUSE);
  }
}

/** A row as the page works with it: `{id, v, name, student, record, isGone, cells, figures, given, status, risk}`, cells by line. `lines` are those
 *  of the columns, in their order. */
export const rowOf = (row, lines, unnamed) => ({
  id: row.id, v: row.v, name: row.name ?? unnamed, student: row.student, record: row.record, section: row.section ?? null, groups: row.groups ?? [], isGone: row.withdrawn ?? false, figures: row.figures ?? {}, given: row.given ?? {}, status: row.status ?? null, risk: row.risk ?? [],
  isIncomplete: row.incomplete ?? false,
  cells: new Map(row.cells.map((cell, index) => [lines[index], cell]).filter(([line, cell]) => line && cell !== null).map(([line, cell]) => [line, cellOf(cell)])),
});

// A text alone is a value that nothing else is said of.
function cellOf(cell) {
  if (typeof cell !== 'object') return { value: cell, status: null, late: null, fields: {}, held: false, notes: 0, marks: [] };
  const { value = null, status = null, late = null, fields = {}, held = false, notes = 0, marks = [] } = cell;
  return { value, status, late, fields, held, notes, marks };
}
