// A class in the form in which its page works with it: its rows and columns, who looks at them, and which of them are
// shown. It draws nothing.

import { t } from '../../core/text/i18n.js';
import { problemText } from '../../parts/frame/problem.js';
import { cellText, changed, empty } from './cells.js';
import { titleOf } from '../../parts/record/entryTitle.js';
import { columnsOf } from './columns.js';
import { Authors } from './authors.js';
import { CellContents } from './contents.js';
import { CellEntry } from './entry.js';
import { Doubts } from './doubtful.js';
import { Filters } from './filters.js';
import { FreshMarks } from './fresh.js';
import { GridModel } from './model.js';
import { ClassNames } from './names.js';
import { Permissions } from './permissions.js';
import { Presence } from './presence.js';
import { ClassRows, rowOf } from './rows.js';
import { SheetStack } from './sheetStack.js';

export class ClassDesk {
  /** The period whose columns are shown; null for all columns. */
  period = null;
  /** The key of the cell whose result the user is asked to confirm; null if there is none. */
  asked = null;
  /** Lines of earlier structures by their numbers, if they were read. */
  former = new Map();
  /** Rows of students who have left. */
  gone = new Map();
  /** The text for screen readers. */
  spoken = '';
  #fresh;
  #authors;
  // The group whose rows are shown, out of all that are followed; null for all rows.
  #group = null;
  // The group whose rows are followed; null for all rows.
  #followed = null;
  #unlisten;
  #unwatch;
  #changed;

  /** `changed()` is called when something has to be drawn again. */
  constructor(app, taught, program, scheme, acts, changed) {
    Object.assign(this, { app, program, scheme });
    this.#changed = changed;
    /** The user: everything is entered as this person, even if another one signs in meanwhile. */
    this.author = acts.author;
    this.id = taught.id;
    this.path = `/v1/classes/${taught.id}`;
    /** The topic of the class itself. */
    this.topic = `class/${taught.id}`;
    this.sheets = new SheetStack(changed);
    this.permissions = new Permissions(() => app.store.state, program, () => this.taught);
    this.names = new ClassNames(app.http, () => this.permissions.account, changed);
    this.#fresh = new FreshMarks(count => this.say(t('grid.othersChanged', { count })), changed);
    this.#authors = new Authors(app.http, this.path, changed);
    this.model = new GridModel((row, column) => this.contents.sortText(row, column), {
      isWanted: (row, arrangement) => this.filters.isWanted(row, arrangement),
      isInside: row => (this.section === null || row.section === this.section)
        && (this.#group === null || row.groups.includes(this.#group)),
    });
    this.#assemble(acts);
    this.setClass(taught);
    this.#follow();
    this.#unwatch = app.live.watch(this.topic);
    this.#unlisten = acts.listen((id, entered) => id === this.id && this.#entered(entered));
  }

  #assemble(acts) {
    const { app: { http }, id, path, author, model, permissions, names, scheme } = this;
    const taught = () => this.taught;
    const contents = new CellContents({
      http, path, model, permissions, names, scheme, taught, fresh: this.#fresh, authors: this.#authors,
      changed: this.#changed, acts: () => author.of(id),
    });
    const doubts = new Doubts(column => [...model.rows.values()].map(row => contents.of(row, column).value));
    const entry = new CellEntry({
      http, path, id, acts, author, model, permissions, contents, doubts, taught, say: this.say,
      refresh: () => this.rows.read(), lookAgain: this.#lookAgain,
    });
    Object.assign(this, { contents, doubts, entry, filters: new Filters(model, contents, permissions, this.#fresh) });
  }

  /** The newest version of the class that the page knows. */
  get version() {
    return Math.max(this.taught.v, this.rows.version);
  }

  /** The sections of the class, `{id, title, fields}`. */
  get sections() {
    return this.taught.structure.sections ?? [];
  }

  /** The line of the class itself. */
  get root() {
    return this.taught.structure.lines.find(({ parent }) => parent === null);
  }

  /** Whether students do not see the class yet. */
  get isUnseen() {
    return this.root.state === 'draft';
  }

  /** The section whose students are shown; null for all of them, also if the class no longer has that section. */
  get section() {
    return this.sections.find(({ id }) => id === this.model.arrangement.section)?.id ?? null;
  }

  /** The part of a request for all rows that names the group whose rows the user reads. */
  get groupQuery() {
    return this.#followed ? { group: this.#followed } : {};
  }

  get #firstGroup() {
    return this.permissions.groups[0]?.id ?? null;
  }

  // A grader of groups follows the rows of one group at a time.
  #follow(group = this.permissions.isLimited ? this.#firstGroup : null) {
    this.#followed = group;
    this.rows = new ClassRows(this.app, this.id, (rows, about) => this.#take(rows, about), group);
    const { permissions, names, say, rows: { topic }, app: { live } } = this;
    /** Who else is in the grid. */
    this.presence = new Presence({ topic, live, permissions, names, say }, this.#changed);
  }

  /** Takes over the current state of the class: its lines are the columns. */
  setClass(taught) {
    if (this.taught?.v > taught.v) return;
    const before = this.taught && { section: this.section, group: this.#group };
    this.taught = taught;
    this.lines = new Map(taught.structure.lines.map(line => [line.id, line]));
    this.#arrangeColumns();
    const isReadable = group => this.permissions.groups.some(({ id }) => id === group);
    if (!isReadable(this.#group)) this.#group = null;
    if (before && (before.section !== this.section || before.group !== this.#group)) this.model.arrange();
    if (this.#followed !== null && !isReadable(this.#followed)) this.showGroup(this.#firstGroup);
    for (const { account, name } of taught.staff) this.names.set(account, name);
  }

  #arrangeColumns() {
    if (!this.taught.term?.periods.some(({ id }) => id === this.period)) this.period = null;
    const columns = columnsOf(this.taught, this.scheme);
    this.model.setColumns(this.period
      ? columns.filter(({ line, period }) => !line || period === this.period)
      : columns);
  }

  /** The group whose students are shown; null for all students. */
  get group() {
    return this.#followed ?? this.#group;
  }

  /** Shows the students of one group, or all if it is `null`. */
  async showGroup(group) {
    if (!this.permissions.isLimited) {
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

  /** Shows the columns of one period, or all if it is `null`. */
  showPeriod(period) {
    this.period = period;
    this.#arrangeColumns();
    this.#changed();
  }

  async lookAtClass() {
    this.setClass((await this.app.http.get(this.path)).body.class);
    this.#changed();
  }

  #lookAgain = async () => {
    await this.lookAtClass();
    await this.rows.read();
  };

  close() {
    this.sheets.clear();
    this.rows.close();
    this.#unwatch();
    this.#unlisten();
    this.#fresh.close();
    this.#authors.close();
    this.presence.close();
  }

  lineTitle = id => (this.lines.has(id) ? titleOf(this.lines.get(id), this.scheme) : t('ledger.goneLine'));

  /** The field for the results of a line. */
  gradeOf = line => this.taught.columns.find(column => column.line === line)?.grade;

  // Returns whether the rows were accepted.
  async #take(rows, { structure, gone, isAll }) {
    // Columns come first. If the rows are older than the columns, newer rows will follow.
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
    this.contents.learn();
    this.#changed();
    return true;
  }

  // Marks what others have changed for a moment.
  #mark(row) {
    const before = this.model.rows.get(row.id);
    if (!before || this.entry.made(row.v)) return;
    let isOther = false;
    for (const column of this.model.all.filter(({ line }) => line)) {
      const [old, now] = [before, row].map(({ cells }) => cells.get(column.line) ?? empty);
      if (cellText(column, old) !== cellText(column, now) && !this.contents.isOwn(row, column)) {
        this.#fresh.add(row.id, column.key, row.v);
        isOther = true;
      }
    }
    if (isOther) this.#authors.ask(row.id, row.v);
  }

  #entered(entered) {
    if (entered) {
      const { v, cells } = entered;
      for (const cell of cells) {
        const row = this.model.rows.get(cell.row);
        // A newer row may have arrived before the answer.
        if (row && row.v < v) row.cells.set(cell.line, changed(row.cells.get(cell.line) ?? empty, cell.change));
      }
      if (v === null) this.rows.read();
      else {
        this.entry.landed(entered);
        this.rows.reach(v);
      }
    }
    this.contents.layOver();
    this.#changed();
  }

  /** The number of cells that wait for the network, and of those that were not taken, except the one that the user is
   *  asked to confirm. */
  get open() {
    return this.contents.counts(this.asked);
  }

  /** Announces what happened to screen readers; shows it only if it is bad. */
  say = (text, kind = 'info') => {
    // The no-break space makes the same words a new announcement.
    this.spoken = this.spoken === text ? `${text}\u00a0` : text;
    if (kind === 'bad') this.app.say(text, kind);
    this.#changed();
  };

  redraw = () => this.#changed();
}
