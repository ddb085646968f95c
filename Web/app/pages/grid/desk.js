// A class as its page works with it: what stands in each cell, with what the person has entered and the server has not
// taken yet, and everything that is done to cells. It draws nothing.

import { t } from '../../core/text/i18n.js';
import { keeps, registers } from '../../core/net/session.js';
import { isUnsent } from '../../core/edits/editRules.js';
import { cellKey } from '../../core/edits/cellRules.js';
import { problemText } from '../../parts/frame/problem.js';
import { cellText, changed, empty, isAsked, readTyped, seenIn, statusText, valueOf, valueText } from './cells.js';
import { columnsOf, titleOf } from './columns.js';
import { GridModel } from './model.js';
import { ClassRows, rowOf } from './rows.js';

// Milliseconds for which a change of somebody else's is marked, and between two announcements of such.
const FRESH = 5000;

export class ClassDesk {
  sheet = null;
  names = new Map();
  /** Rows of those who have left. */
  gone = new Map();
  /** What a screen reader is to say. */
  spoken = '';
  #overlay = new Map();
  #shown = new Map();
  #fresh = new Map();
  #undo = [];
  #redo = [];
  #taking = Promise.resolve();
  #unlisten;
  #unwatch;
  #others = 0;
  #teller = null;
  #changed;

  /** `changed()` is called when something is to be drawn again. */
  constructor(app, taught, program, scheme, acts, changed) {
    Object.assign(this, { app, program, scheme, acts });
    this.#changed = changed;
    this.id = taught.id;
    this.path = `/v1/classes/${taught.id}`;
    /** Under which the class itself is pushed. */
    this.topic = `class/${taught.id}`;
    this.model = new GridModel((row, column) => this.sortText(row, column));
    this.setClass(taught);
    this.rows = new ClassRows(app, taught.id, (rows, about) => this.#take(rows, about));
    this.#unwatch = app.live.watch(this.topic);
    this.#unlisten = acts.listen((id, entered) => id === this.id && this.#entered(entered));
    this.#layOver();
  }

  get role() {
    return this.taught.staff.find(({ account }) => account === this.app.store.state.account?.id)?.role ?? null;
  }

  get #isRegistrar() {
    return registers(this.app.store.state, this.program);
  }

  get mayGrade() {
    return this.taught.state !== 'closed' && keeps(this.app.store.state, this.program) && (this.#isRegistrar || ['teacher', 'grader'].includes(this.role));
  }

  get mayTeach() {
    return this.mayGrade && (this.#isRegistrar || this.role === 'teacher');
  }

  /** Whether the person asks for results to be changed that are not entered any more. */
  get mayCorrect() {
    return this.taught.state === 'closed' && keeps(this.app.store.state, this.program) && (this.#isRegistrar || ['teacher', 'grader'].includes(this.role));
  }

  /** Whether the person decides what others asked to be corrected, and opens a closed class again. */
  get mayApprove() {
    return this.#isRegistrar;
  }

  /** Takes the class as it is now: its lines are the columns. */
  setClass(taught) {
    if (this.taught?.v > taught.v) return;
    this.taught = taught;
    this.lines = new Map(taught.structure.lines.map(line => [line.id, line]));
    this.model.setColumns(columnsOf(taught, this.scheme));
    for (const { account, name } of taught.staff) if (name) this.names.set(account, name);
  }

  async lookAtClass() {
    this.setClass((await this.app.http.get(this.path)).body.class);
    this.#changed();
  }

  close() {
    this.rows.close();
    this.#unwatch();
    this.#unlisten();
    clearTimeout(this.#teller);
  }

  lineTitle = id => (this.lines.has(id) ? titleOf(this.lines.get(id), this.scheme) : t('ledger.goneLine'));

  personName = account => (account === this.app.store.state.account?.id ? t('class.you') : this.names.get(account) ?? t('class.someone'));

  // MARK: What stands there

  /** The field in which the results of a line stand. */
  gradeOf = line => this.taught.columns.find(column => column.line === line)?.grade;

  async #take(rows, { structure, gone, isAll }) {
    // The columns come first. Of rows that are older than they are, newer ones follow.
    if (structure !== this.taught.structure.s) await this.lookAtClass();
    if (structure !== this.taught.structure.s) return;
    const lines = this.taught.columns.map(({ line }) => line);
    const read = rows.map(row => rowOf(row, lines, t('program.noStudent')));
    for (const row of read) this.#mark(row);
    const known = new Set(read.map(({ id }) => id));
    const lost = isAll ? [...this.model.rows.keys()].filter(id => !known.has(id)) : gone;
    for (const row of read) {
      if (row.isGone) this.gone.set(row.id, row);
      else this.gone.delete(row.id);
    }
    this.model.take(read.filter(row => !row.isGone), [...lost, ...read.filter(row => row.isGone).map(row => row.id)]);
    this.#changed();
  }

  // What others changed is marked for a moment.
  #mark(row) {
    const before = this.model.rows.get(row.id);
    if (!before) return;
    const until = performance.now() + FRESH;
    for (const column of this.model.columns.filter(({ line }) => line)) {
      const [old, now] = [before, row].map(({ cells }) => cells.get(column.line) ?? empty);
      if (cellText(column, old) === cellText(column, now) || this.#overlay.has(`${row.id}/${column.key}`)) continue;
      this.#fresh.set(`${row.id}/${column.key}`, until);
      this.#others += 1;
    }
    if (this.#others > 0 && !this.#teller) this.#teller = setTimeout(() => this.#tellOthers(), FRESH);
  }

  #tellOthers() {
    this.#teller = null;
    this.say(t('grid.othersChanged', { count: this.#others }));
    this.#others = 0;
    this.#changed();
  }

  // What is on its way stands over what the server has said.
  #layOver() {
    this.#overlay = new Map();
    this.#shown = new Map();
    for (const act of this.acts.of(this.id)) {
      for (const cell of act.cells) {
        const place = `${cell.row}/${cell.line}`;
        if (isUnsent(act)) this.#shown.set(place, [...this.#shown.get(place) ?? [], cell.change]);
        this.#overlay.set(cellKey(cell), { act, cell });
      }
    }
  }

  #entered(entered) {
    if (entered) {
      for (const cell of entered.cells) {
        const row = this.model.rows.get(cell.row);
        row?.cells.set(cell.line, changed(row.cells.get(cell.line) ?? empty, cell.change));
      }
      if (entered.v !== null) this.did(entered.v, entered.cells[0].row);
      if (entered.v === null) this.rows.read();
      else this.rows.reach(entered.v);
    }
    this.#layOver();
    this.#changed();
  }

  /** What a row holds in a line, what is on its way included, what was refused not. */
  cell(row, column) {
    if (!column.line) return empty;
    const held = row.cells.get(column.line) ?? empty;
    const changes = this.#shown.get(`${row.id}/${column.line}`);
    return changes ? changes.reduce(changed, held) : held;
  }

  /** What a cell shows: `{text, state, note, kind}`. */
  look(row, column) {
    if (column.figure) return { text: this.#figureText(row, column), note: row.isIncomplete ? t('grid.incomplete') : null, isFrozen: true, kind: 'figure' };
    const over = this.#overlay.get(`${row.id}/${column.key}`);
    const isFrozen = !this.mayGrade;
    if (over && !isUnsent(over.act)) return { text: over.cell.text, state: over.act.state, note: this.faultText(over.act), isFrozen };
    const cell = this.cell(row, column);
    const text = cellText(column, cell);
    const kind = cell.status ? 'status' : column.type === 'number' || column.type === 'integer' ? 'number' : null;
    if (over) return { text, state: over.act.state, note: over.act.state === 'waiting' ? t('grid.waits') : null, kind, isFrozen };
    if (cell.status && text !== statusText(cell.status)) return { text, state: 'status', note: statusText(cell.status), kind, isFrozen };
    if ((this.#fresh.get(`${row.id}/${column.key}`) ?? 0) > performance.now()) return { text, state: 'fresh', note: t('grid.changedByOthers'), kind, isFrozen };
    if (cell.held && column.field === null) return { text, state: 'held', note: t('grid.held'), kind, isFrozen };
    return { text, kind, isFrozen };
  }

  #figureText(row, column) {
    const figure = row.figures?.[column.figure];
    return figure === undefined || figure === null ? '' : [figure].flat().filter(Boolean).map(text => valueText({ type: 'number' }, text)).join(' ');
  }

  /** For sorting: as the server writes it. */
  sortText(row, column) {
    if (column.figure) return String([row.figures?.[column.figure] ?? ''].flat()[0] ?? '');
    const value = valueOf(this.cell(row, column), column);
    if (column.type !== 'choice') return value === null ? cellText(column, this.cell(row, column)) : String(value);
    const place = column.choices.findIndex(choice => String(choice.value) === String(value));
    return place < 0 ? '' : String(place);
  }

  /** What is copied, and what stands in the editor: what was typed and refused, too. */
  text = (row, column) => this.look(row, column).text;

  /** What is wrong with a cell, or null: `{act, cell}`. */
  trouble(row, column) {
    const over = row && column ? this.#overlay.get(`${row.id}/${column.key}`) : null;
    return over && !isUnsent(over.act) ? over : null;
  }

  /** The place of the next cell that was not taken, after the one in which the person works; null without any. */
  nextTrouble() {
    const { order, columns, active } = this.model;
    const places = this.acts.of(this.id).filter(act => !isUnsent(act)).flatMap(({ cells }) => cells).map(cell => ({
      row: order.findIndex(({ id }) => id === cell.row), column: columns.findIndex(({ key }) => `${cell.row}/${key}` === cellKey(cell)),
    })).filter(({ row, column }) => row >= 0 && column >= 0).sort((one, other) => one.row - other.row || one.column - other.column);
    const isAfter = ({ row, column }) => row > active.row || (row === active.row && column > active.column);
    return places.find(isAfter) ?? places[0] ?? null;
  }

  faultText(act) {
    if (act.state === 'conflict') return t('grid.conflict');
    if (act.state === 'moved') return t('grid.moved');
    const texts = act.faults.map(fault => fault.message).filter(Boolean);
    return texts.length > 0 ? [...new Set(texts)].join(' ') : act.detail ?? t('error.unexpected');
  }

  /** How many cells wait for the network, and how many are not taken. */
  get open() {
    const acts = this.acts.of(this.id);
    const count = state => acts.filter(act => act.state === state).reduce((sum, act) => sum + act.cells.length, 0);
    return { waiting: count('waiting'), refused: count('refused') + count('conflict') + count('moved') };
  }

  // MARK: What is done

  #cellOf(row, column, text, change, seen = this.cell(row, column)) {
    // A field beside the grade has no condition of its own.
    const was = change.fields ? null : seenIn(column, seen);
    return { row: row.id, line: column.line, field: column.field, text, change, was, s: this.taught.structure.s };
  }

  /** Enters what was typed in a cell over what was `seen` there; answers whether it is on its way. */
  enter(row, column, text, seen) {
    if (!column?.line || !row || !this.mayGrade) return false;
    const key = `${row.id}/${column.key}`;
    const { change, fault } = readTyped(column, text, this.cell(row, column));
    if (fault) {
      this.acts.keep(this.id, this.#cellOf(row, column, text, {}), [{ code: 'ambiguous_number', message: fault }]);
      this.say(fault);
      return false;
    }
    if (change === null) {
      this.acts.discard(this.id, key);
      return false;
    }
    this.acts.put(this.id, [this.#cellOf(row, column, text.trim(), change, seen)]);
    return true;
  }

  /** Enters many cells, `{row, column, text}`, as one act. */
  enterAll(list) {
    const cells = [];
    for (const { row, column, text } of list) {
      if (!column.line || !this.mayGrade) continue;
      const { change, fault } = readTyped(column, text, this.cell(row, column));
      if (fault) this.acts.keep(this.id, this.#cellOf(row, column, text, {}), [{ code: 'ambiguous_number', message: fault }]);
      else if (change) cells.push(this.#cellOf(row, column, text, change));
    }
    if (cells.length > 0) this.acts.put(this.id, cells, { isWhole: cells.length > 1 });
    return cells.length;
  }

  /** Gives cells a status, or takes it away where all of them have it; answers whether their columns have it. */
  setStatus(places, status) {
    const able = places.filter(({ column }) => column.statuses.includes(status));
    if (able.length === 0 || !this.mayGrade) return false;
    const isOn = able.every(({ row, column }) => this.cell(row, column).status === status);
    const change = { status: isOn ? null : status };
    const cells = able.filter(({ row, column }) => !isAsked(change, this.cell(row, column), column))
      .map(({ row, column }) => this.#cellOf(row, column, isOn ? '' : statusText(status), change));
    if (cells.length > 0) this.acts.put(this.id, cells, { isWhole: cells.length > 1 });
    return true;
  }

  clear(places) {
    const [one] = places;
    if (places.length === 1 && this.trouble(one.row, one.column)) return this.acts.discard(this.id, `${one.row.id}/${one.column.key}`);
    this.enterAll(places.map(place => ({ ...place, text: '' })));
  }

  /** Decides a conflict: one's own value after all, or the other's. */
  decide(row, column, isKept) {
    const { act, cell } = this.trouble(row, column) ?? {};
    if (!act) return;
    const key = cellKey(cell);
    if (!isKept) this.acts.discard(this.id, key);
    else {
      const was = act.state === 'conflict' ? { value: act.other.value, ...(act.other.status ? { status: act.other.status } : {}) } : cell.was;
      this.acts.discard(this.id, key);
      this.acts.put(this.id, [{ ...cell, was, s: this.taught.structure.s }]);
    }
    this.rows.read();
  }

  // One after the other: each rests on what the one before left.
  undo = () => (this.#taking = this.#taking.then(() => this.#takeBack(this.#undo, this.#redo, 'grid.undone')));
  redo = () => (this.#taking = this.#taking.then(() => this.#takeBack(this.#redo, this.#undo, 'grid.redone')));

  async #takeBack(from, to, words) {
    await this.acts.landed(this.id);
    if (from === this.#undo && this.acts.takeBack(this.id)) return this.say(t(words));
    if (!this.mayTeach) return this.say(t('grid.undoTeachers'));
    const act = from.at(-1);
    if (!act) return this.say(t('grid.nothingToUndo'));
    try {
      if (!await this.#isOwn(act)) {
        from.pop();
        return this.#takeBack(from, to, words);
      }
      const { body } = await this.app.http.post(`${this.path}/undo`, { v: act.v });
      from.pop();
      to.push({ ...act, v: body.v });
      this.say(body.faults.length > 0 ? t('grid.undoneInPart', { count: body.faults.length }) : t(words));
      await this.lookAtClass();
      await this.rows.read();
    } catch (error) {
      this.say(problemText(error), 'bad');
    }
  }

  // The version in an answer may be somebody else's: where something was sent twice, or held already what was asked.
  async #isOwn({ v, row }) {
    if (row === null) return true;
    const { body } = await this.app.http.get(`${this.path}/rows/${row}/history?limit=100`);
    return body.items.some(line => line.v === v && line.account === this.app.store.state.account.id);
  }

  /** Remembers an act for an undo: the version that it made, and one of the rows that it changed, if any. */
  did(v, row = null) {
    if (this.#undo.at(-1)?.v === v) return;
    this.#undo.push({ v, row });
    this.#redo = [];
  }

  /** Tells what happened: to the eye only where it is bad. */
  say(text, kind = 'info') {
    // The same words twice are two announcements.
    this.spoken = this.spoken === text ? `${text}\u00a0` : text;
    if (kind === 'bad') this.app.say(text, kind);
    this.#changed();
  }

  /** Learns the names of those who stand in a row's conflict. */
  async learnNames(row, account) {
    if (!account || this.names.has(account)) return;
    const { body } = await this.app.http.get(`/v1/records/${row.record}/people`).catch(() => ({ body: { staff: [] } }));
    for (const person of body.staff) this.names.set(person.id, person.displayName);
    this.#changed();
  }

  openSheet = sheet => {
    this.sheet = sheet;
    this.#changed();
  };

  closeSheet = () => this.openSheet(null);

  redraw = () => this.#changed();
}
