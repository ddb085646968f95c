// A class as its page works with it: what stands in each cell, with what the person has entered and the server has not
// taken yet, and everything that is done to cells. It draws nothing.

import { delayText } from '../../core/text/delays.js';
import { t } from '../../core/text/i18n.js';
import { statusText } from '../../core/text/statuses.js';
import { Unreachable } from '../../core/net/http.js';
import { keeps, registers } from '../../core/net/session.js';
import { isUnsent } from '../../core/edits/editRules.js';
import { cellKey, MOST } from '../../core/edits/cellRules.js';
import { problemText } from '../../parts/frame/problem.js';
import { cellText, changed, empty, isAsked, misfit, readTyped, reverted, seenIn, valueOf } from './cells.js';
import { columnsOf, titleOf } from './columns.js';
import { Authors } from './authors.js';
import { Doubts } from './doubtful.js';
import { Filters } from './filters.js';
import { FreshMarks } from './fresh.js';
import { figureLook } from './given.js';
import { columnKey, whyLeft } from './left.js';
import { OwnMarks, marksNote } from './marks.js';
import { GridModel } from './model.js';
import { entering, staying } from './paste.js';
import { Presence } from './presence.js';
import { ClassRows, rowOf } from './rows.js';
import { UndoList } from './undo.js';

export class ClassDesk {
  sheet = null;
  /** The period whose columns are shown; null for all of them. */
  period = null;
  /** The key of the cell in which one is asked whether its result is meant, until one goes elsewhere. */
  asked = null;
  names = new Map();
  /** Lines that former structures had, by their numbers, as far as they were looked at. */
  former = new Map();
  /** Rows of those who have left. */
  gone = new Map();
  /** What a screen reader is to say. */
  spoken = '';
  #beneath = null;
  #overlay = new Map();
  #shown = new Map();
  #fresh;
  #authors;
  doubts = new Doubts(this);
  filters = new Filters(this, () => ({ member: this.#member, isRegistrar: this.#isRegistrar }));
  #undoes = new UndoList(this);
  #ownMarks = new OwnMarks(this);
  // Records whose people were asked for.
  #asked = new Set();
  // The group whose rows are shown of all that are followed; null for all of them.
  #group = null;
  // The group whose rows are followed; null for all rows.
  #followed = null;
  #unlisten;
  #unwatch;
  #changed;

  /** `changed()` is called when something is to be drawn again. */
  constructor(app, taught, program, scheme, acts, changed) {
    Object.assign(this, { app, program, scheme, acts });
    this.#changed = changed;
    /** Who works here: what is entered is this person's, even when another one signs in meanwhile. */
    this.author = acts.author;
    this.#fresh = new FreshMarks(count => this.say(t('grid.othersChanged', { count })), changed);
    this.#authors = new Authors(this, changed);
    this.id = taught.id;
    this.path = `/v1/classes/${taught.id}`;
    /** Under which the class itself is pushed. */
    this.topic = `class/${taught.id}`;
    this.model = new GridModel((row, column) => this.sortText(row, column), {
      isWanted: this.filters.isWanted,
      isInside: row => (this.section === null || row.section === this.section) && (this.#group === null || row.groups.includes(this.#group)),
    });
    this.setClass(taught);
    this.#follow();
    this.#unwatch = app.live.watch(this.topic);
    this.#unlisten = acts.listen((id, entered) => id === this.id && this.#entered(entered));
    this.#layOver();
  }

  /** The newest version of the class that the page knows. */
  get version() {
    return Math.max(this.taught.v, this.rows.version);
  }

  /** The sections of the class, `{id, title, fields}`. */
  get sections() {
    return this.taught.structure.sections ?? [];
  }

  /** The section whose students are shown; null for all of them, also where the class has no such section any more. */
  get section() {
    return this.sections.find(({ id }) => id === this.model.arrangement.section)?.id ?? null;
  }

  get #member() {
    return this.taught.staff.find(({ account }) => account === this.app.store.state.account?.id) ?? null;
  }

  get role() {
    return this.#member?.role ?? null;
  }

  /** The groups of the class, `{id, set, title}`, of which the person reads the rows. */
  get groups() {
    const { groups = [] } = this.taught;
    return this.isLimited ? groups.filter(({ id }) => this.#member.groups.includes(id)) : groups;
  }

  /** Whether the person reads the rows of some groups alone. */
  get isLimited() {
    return Boolean(this.#member?.groups) && !this.#isRegistrar;
  }

  /** What a request for all rows says of the group whose rows the person reads. */
  get groupQuery() {
    return this.#followed ? { group: this.#followed } : {};
  }

  // A grader of groups follows the rows of one of them at a time.
  #follow(group = this.isLimited ? this.groups[0]?.id ?? null : null) {
    this.#followed = group;
    this.rows = new ClassRows(this.app, this.id, (rows, about) => this.#take(rows, about), group);
    /** Who else is in the grid. */
    this.presence = new Presence(this, this.#changed);
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
    const before = this.taught && { section: this.section, group: this.#group };
    this.taught = taught;
    this.lines = new Map(taught.structure.lines.map(line => [line.id, line]));
    this.#arrangeColumns();
    if (!this.groups.some(({ id }) => id === this.#group)) this.#group = null;
    if (before && (before.section !== this.section || before.group !== this.#group)) this.model.arrange();
    if (this.#followed !== null && !this.groups.some(({ id }) => id === this.#followed)) this.showGroup(this.groups[0]?.id ?? null);
    for (const { account, name } of taught.staff) if (name) this.names.set(account, name);
  }

  #arrangeColumns() {
    if (!this.taught.term?.periods.some(({ id }) => id === this.period)) this.period = null;
    const columns = columnsOf(this.taught, this.scheme);
    this.model.setColumns(this.period ? columns.filter(({ line, period }) => !line || period === this.period) : columns);
  }

  /** The group whose students are shown; null for all of them. */
  get group() {
    return this.#followed ?? this.#group;
  }

  /** Shows the students of one group, or all of them with `null`. */
  async showGroup(group) {
    if (!this.isLimited) {
      this.#group = group;
      this.model.arrange();
      this.#changed();
      return;
    }
    this.rows.close();
    this.presence.close();
    this.model.take([], [...this.model.rows.keys()]);
    this.#follow(group);
    this.#changed();
    try {
      await this.rows.start();
    } catch (error) {
      this.app.say(problemText(error), 'bad');
    }
  }

  /** Shows the columns of one period, or of all with `null`. */
  showPeriod(period) {
    this.period = period;
    this.#arrangeColumns();
    this.#changed();
  }

  async lookAtClass() {
    this.setClass((await this.app.http.get(this.path)).body.class);
    this.#changed();
  }

  close() {
    [this.sheet, this.#beneath] = [null, null];
    this.rows.close();
    this.#unwatch();
    this.#unlisten();
    this.#fresh.close();
    this.#authors.close();
    this.presence.close();
  }

  lineTitle = id => (this.lines.has(id) ? titleOf(this.lines.get(id), this.scheme) : t('ledger.goneLine'));

  personName = account => (account === this.app.store.state.account?.id ? t('class.you') : this.names.get(account) ?? t('class.someone'));

  // MARK: What stands there

  /** The field in which the results of a line stand. */
  gradeOf = line => this.taught.columns.find(column => column.line === line)?.grade;

  // Answers whether the rows were taken in.
  async #take(rows, { structure, gone, isAll }) {
    // The columns come first. Of rows that are older than they are, newer ones follow.
    if (structure !== this.taught.structure.s) await this.lookAtClass();
    if (structure !== this.taught.structure.s) return false;
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
    this.#ownMarks.learn();
    this.#changed();
    return true;
  }

  // What others changed is marked for a moment.
  #mark(row) {
    const before = this.model.rows.get(row.id);
    if (!before || this.#undoes.isOwn(row.v)) return;
    let isOther = false;
    for (const column of this.model.all.filter(({ line }) => line)) {
      const [old, now] = [before, row].map(({ cells }) => cells.get(column.line) ?? empty);
      const key = `${row.id}/${column.key}`;
      if (cellText(column, old) !== cellText(column, now) && !this.#overlay.has(key)) {
        this.#fresh.add(key, row.v);
        isOther = true;
      }
    }
    if (isOther) this.#authors.ask(row.id, row.v);
  }

  get #acts() {
    return this.author.of(this.id);
  }

  // What is on its way stands over what the server has said.
  #layOver() {
    this.#overlay = new Map();
    this.#shown = new Map();
    for (const act of this.#acts) {
      for (const cell of act.cells) {
        const place = `${cell.row}/${cell.line}`;
        if (isUnsent(act)) this.#shown.set(place, [...this.#shown.get(place) ?? [], cell.change]);
        this.#overlay.set(cellKey(cell), { act, cell });
      }
    }
  }

  #entered(entered) {
    if (entered) {
      const { v, cells } = entered;
      for (const cell of cells) {
        const row = this.model.rows.get(cell.row);
        // A newer row may have come before the answer.
        if (row && row.v < v) row.cells.set(cell.line, changed(row.cells.get(cell.line) ?? empty, cell.change));
      }
      if (v === null) this.rows.read();
      else {
        this.#undoes.landed(entered);
        this.rows.reach(v);
      }
    }
    this.#layOver();
    this.#changed();
  }

  /** What a row holds in a line, what is on its way included, what was refused not. */
  cell(row, column) {
    if (!column.line) return empty;
    const held = this.#ownMarks.of(row, column, row.cells.get(column.line) ?? empty);
    const changes = this.#shown.get(`${row.id}/${column.line}`);
    return changes ? changes.reduce(changed, held) : held;
  }

  /** What a cell shows: `{text, state, note, kind, notes}`; `notes` is how many comments there are. */
  look(row, column) {
    const look = this.#look(row, column);
    const notes = column.line && column.field === null ? row.cells.get(column.line)?.notes ?? 0 : 0;
    return notes > 0 ? { ...look, notes } : look;
  }

  #look(row, column) {
    if (column.figure) return figureLook(this, row, column);
    const over = this.#overlay.get(`${row.id}/${column.key}`);
    const isFrozen = !this.mayGrade || column.isLocked || column.isAnonymous;
    if (over?.cell.left) return { text: over.cell.text, state: over.cell.left.state, note: whyLeft(over.cell.left), isFrozen };
    const cell = this.cell(row, column);
    const text = cellText(column, cell);
    const kind = cell.status ? 'status' : column.type === 'number' || column.type === 'integer' ? 'number' : null;
    const marked = marksNote(this, column, cell);
    if (column.isAnonymous && !over) return { text, state: 'anonymous', note: t('anonymous.closed'), isFrozen };
    if (over) return { text, state: over.act.state, note: over.act.state === 'waiting' ? t('grid.waits') : null, kind, isFrozen };
    if (cell.status && text !== statusText(cell.status, column)) return { text, state: 'status', note: statusText(cell.status, column), kind, isFrozen };
    if ((cell.late ?? null) !== null && column.field === null) return { text, state: 'status', note: t('late.is', { delay: delayText(cell.late) }), kind, isFrozen };
    if (marked) return { text, ...marked, kind, isFrozen };
    const changedAt = this.#fresh.at(`${row.id}/${column.key}`);
    if (changedAt !== null) return { text, state: 'fresh', note: this.#changedBy(row, changedAt), kind, isFrozen };
    if (cell.held && column.field === null) return { text, state: 'held', note: t('grid.held'), kind, isFrozen };
    return { text, kind, isFrozen };
  }

  #changedBy(row, version) {
    const account = this.#authors.of(row.id, version);
    return account && this.names.has(account) ? t('grid.changedBy', { name: this.names.get(account) }) : t('grid.changedByOthers');
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

  /** The cell as it was typed where it was not taken, with why in `left`; null for every other. */
  trouble(row, column) {
    const cell = row && column ? this.#overlay.get(`${row.id}/${column.key}`)?.cell : null;
    return cell?.left ? cell : null;
  }

  /** Whether a cell waits for somebody to say that its result is meant. */
  isDoubtful = (row, column) => this.trouble(row, column)?.left.state === 'doubtful';

  /** How many cells wait for the network, and how many are not taken, but for the one in which one is asked. */
  get open() {
    const keys = state => new Set(this.#acts.filter(act => act.state === state).flatMap(act => act.cells.map(cellKey)));
    const left = keys('left');
    left.delete(this.asked);
    return { waiting: keys('waiting').size, refused: left.size };
  }

  // MARK: What is done

  /** A cell as an editor holds on to it until its text is entered: where it is, what was seen there, and under which
   *  structure. `text` is what the editor begins with; it enters nothing while that stays. */
  target = (row, column, text) => ({ row, column, text, seen: this.cell(row, column), s: this.taught.structure.s });

  #cellOf({ row, column, seen = this.cell(row, column), s = this.taught.structure.s }, text, change) {
    // Fields that stand beside the grade have no condition of their own.
    const was = change.fields || 'mark' in change ? null : seenIn(column, seen);
    return { row: row.id, line: column.line, field: column.field, text, title: column.title, change, back: reverted(column, seen, change), was, s };
  }

  // Why a cell takes nothing any more, in words; null where it does. When the session has ended, the server will say so.
  #whyFrozen(row, column) {
    if (column.isAnonymous) return t('anonymous.closed');
    if (column.isLocked) return t('grid.locked');
    if (!this.model.rows.has(row.id) || !this.model.all.some(({ key }) => key === column.key)) return t('grid.targetGone');
    if (this.app.store.state.account?.id !== this.author.account || this.mayGrade) return null;
    return t(this.taught.state === 'closed' ? 'settings.closed' : 'grid.mayNot');
  }

  /** Enters what was typed in the cell of a target; what cannot be entered stays with the reason. Answers whether it is on
   *  its way. */
  enter(target, text) {
    const { row, column, seen } = target;
    if (text === target.text) return false;
    const frozen = this.#whyFrozen(row, column);
    const { change, fault = frozen } = readTyped(column, text, frozen ? seen : this.cell(this.model.rows.get(row.id), column));
    const why = fault ?? this.doubts.asker()(column, change);
    if (change === null) this.acts.discard(this.author, this.id, new Set([`${row.id}/${column.key}`]));
    else if (why) {
      this.acts.keep(this.author, this.id, [this.#refused(target, text, why, change, !fault)]);
      this.say(fault ?? `${why} ${t('doubtful.waits')}`, frozen ? 'bad' : 'info');
    } else this.#put([this.#cellOf(target, text.trim(), change)]);
    return Boolean(change) && !why;
  }

  // What is doubtful can be entered as it is, once somebody says so.
  #refused = (target, text, message, change, isDoubtful) => ({
    ...this.#cellOf(target, text, change ?? {}), left: { state: isDoubtful ? 'doubtful' : 'refused', faults: [{ code: 'typed', message }], detail: null },
  });

  /** Enters many cells, `{row, column, text}`, as one act; answers how many of them change. */
  enterAll(list) {
    if (!this.mayGrade) return 0;
    const [cells, kept, ask] = [[], [], this.doubts.asker()];
    for (const { row, column, text } of list) {
      if (!column.line) continue;
      const { change, fault } = readTyped(column, text, this.cell(row, column));
      const why = fault ?? ask(column, change);
      if (why) kept.push(this.#refused({ row, column }, text, why, change, !fault));
      else if (change) cells.push(this.#cellOf({ row, column }, text, change));
    }
    if (!this.#fits(cells.length + kept.length)) return 0;
    if (kept.length > 0) this.acts.keep(this.author, this.id, kept);
    this.#put(cells);
    return cells.length;
  }

  /** Enters what a plan has shown as one act: its changes, on what was seen, under the structure of then. What it refused
   *  stays in its cells with the reason, and is not sent. */
  enterPlan(plan) {
    if (!this.mayGrade) return;
    const [cells, kept] = [entering(plan), staying(plan)];
    if (!this.#fits(cells.length + kept.length)) return;
    const { s } = plan;
    if (kept.length > 0) this.acts.keep(this.author, this.id, kept.map(({ text, fault, change, kind, ...cell }) => this.#refused({ ...cell, s }, text, fault, change, kind === 'doubtful')));
    for (const { column, change } of cells) this.doubts.confirm(column, change);
    this.#put(cells.map(({ text, change, ...cell }) => this.#cellOf({ ...cell, s }, text, change)));
  }

  #fits(count) {
    if (count > MOST) this.say(t('grid.tooMany', { most: MOST }), 'bad');
    return count <= MOST;
  }

  #put(cells) {
    if (cells.length === 0) return;
    this.#undoes.fresh();
    this.acts.put(this.author, this.id, cells, { isWhole: cells.length > 1 });
  }

  /** Gives cells a status, or takes it away where all of them have it; answers whether their columns have it. */
  setStatus(places, status) {
    const offered = places.filter(({ column }) => column.statuses.includes(status) && !column.isAnonymous);
    if (offered.length === 0 || !this.mayGrade) return false;
    // Work of which there is a result is not missing.
    const able = status === 'missing' ? offered.filter(({ row, column }) => this.cell(row, column).value === null) : offered;
    if (able.length === 0) {
      this.say(t('grid.hasResult'));
      return true;
    }
    const isOn = able.every(({ row, column }) => this.cell(row, column).status === status);
    const change = { status: isOn ? null : status };
    const cells = able.filter(({ row, column }) => !isAsked(change, this.cell(row, column), column))
      .map(({ row, column }) => this.#cellOf({ row, column }, isOn ? '' : statusText(status, column), change));
    if (this.#fits(cells.length)) this.#put(cells);
    return true;
  }

  /** Empties cells, and tells how many, which it answers; of one that was not taken its text alone goes. */
  clear(places) {
    const [one] = places;
    if (places.length === 1 && this.trouble(one.row, one.column)) {
      this.giveUp(new Set([`${one.row.id}/${one.column.key}`]));
      return 0;
    }
    const able = places.filter(({ column }) => misfit(column, {}) === null);
    if (one && able.length === 0) this.say(misfit(one.column, {}));
    const count = this.enterAll(able.map(place => ({ ...place, text: '' })));
    if (count > 0) this.say(t('grid.cleared', { count }));
    return count;
  }

  /** Gives up what was not taken: in the cells with these keys, or everywhere. */
  giveUp = (keys = null) => this.acts.discard(this.author, this.id, keys);

  /** Enters again what was refused, as one act; conflicts and doubts wait for a decision, and texts that could not be read for another. */
  tryAgain() {
    const cells = this.#acts.flatMap(act => act.cells).filter(({ left, change }) => left && !['conflict', 'doubtful'].includes(left.state) && Object.keys(change).length > 0);
    if (this.#fits(cells.length)) this.#put(cells.map(({ left, ...cell }) => ({ ...cell, s: this.taught.structure.s })));
  }

  /** Decides a conflict or a doubt: one's own value after all, or what stands there. */
  decide(row, column, isKept) {
    const cell = this.trouble(row, column);
    if (!cell) return;
    const { left, ...mine } = cell;
    if (!isKept) this.giveUp(new Set([cellKey(cell)]));
    else {
      if (left.state === 'doubtful') this.doubts.confirm(column, mine.change);
      const was = left.state === 'conflict' ? seenIn(column, left.other) : cell.was;
      this.#put([{ ...mine, was, s: this.taught.structure.s }]);
    }
    this.rows.read();
  }

  undo = () => this.#undoes.undo();
  redo = () => this.#undoes.redo();

  /** Remembers an act for an undo by the version that it made; answers how to take that one back. */
  did = act => this.#undoes.did(act);

  /** Takes back an act that may have arrived: an act that follows it; answers its name. */
  counter(act) {
    const columns = new Map(this.model.all.map(column => [column.key, column]));
    const cells = act.cells.map(cell => {
      const [row, column] = [this.model.rows.get(cell.row), columns.get(columnKey(cell))];
      const text = row && column ? cellText(column, changed(this.cell(row, column), cell.back)) : '';
      const was = cell.was && row && column ? seenIn(column, this.cell(row, column)) : cell.was;
      return { ...cell, text, change: cell.back, back: cell.change, was };
    });
    return this.acts.put(this.author, this.id, cells, { isWhole: cells.length > 1, counters: act.id });
  }

  /** Tells what happened: to the eye only where it is bad. */
  say(text, kind = 'info') {
    // The same words twice are two announcements.
    this.spoken = this.spoken === text ? `${text}\u00a0` : text;
    if (kind === 'bad') this.app.say(text, kind);
    this.#changed();
  }

  /** Learns the names of those who stand in a row's conflict; asks once for each record, and once more after a lost
   *  network. */
  async learnNames(row, account) {
    if (!account || this.names.has(account) || this.#asked.has(row.record)) return;
    this.#asked.add(row.record);
    try {
      const { body } = await this.app.http.get(`/v1/records/${row.record}/people`);
      for (const person of body.staff) this.names.set(person.id, person.displayName);
      if (this.names.has(account)) this.#changed();
    } catch (error) {
      if (error instanceof Unreachable) addEventListener('online', () => this.#asked.delete(row.record), { once: true });
    }
  }

  /** Opens a sheet; closing it leads back to the one `beneath`. */
  openSheet = (sheet, beneath = this.#beneath) => {
    [this.sheet, this.#beneath] = [sheet, beneath];
    this.#changed();
  };

  closeSheet = () => this.openSheet(this.#beneath, null);

  /** Whether a sheet stands open, be it beneath another one. */
  isOpen = sheet => [this.sheet, this.#beneath].includes(sheet);

  redraw = () => this.#changed();
}
