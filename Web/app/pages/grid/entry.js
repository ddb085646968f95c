// How results get into the cells of a class: typed, pasted, filled in, emptied, decided, taken back.

import { t } from '../../core/text/i18n.js';
import { statusText } from '../../core/text/statuses.js';
import { cellKey, MOST } from '../../core/edits/cellRules.js';
import { cellText, changed, isAsked, misfit, readTyped, reverted, seenIn } from './cells.js';
import { columnKey } from './left.js';
import { entering, staying } from './paste.js';
import { UndoList } from './undo.js';

export class CellEntry {
  #context;
  #undoes;

  /** `context` has `{http, path, id, acts, author, model, permissions, contents, doubts, taught, say, refresh, lookAgain}`:
   *  `taught()` answers the class, `say(text, kind)` tells what happened, `refresh()` reads the rows again and `lookAgain()`
   *  the class, too. */
  constructor(context) {
    this.#context = context;
    this.#undoes = new UndoList({ ...context, counter: act => this.#counter(act) });
  }

  get #structure() {
    return this.#context.taught().structure.s;
  }

  /** A cell as an editor keeps it until its text is entered: where it is, what the person saw there, and under which
   *  structure. `text` is what the editor begins with; as long as that stays, nothing is entered. */
  target = (row, column, text) => ({ row, column, text, seen: this.#context.contents.of(row, column), s: this.#structure });

  #cellOf({ row, column, seen = this.#context.contents.of(row, column), s = this.#structure }, text, change) {
    // Fields beside the grade have no condition of their own.
    const was = change.fields || 'mark' in change ? null : seenIn(column, seen);
    return { row: row.id, line: column.line, field: column.field, text, title: column.title, change, back: reverted(column, seen, change), was, s };
  }

  // Why a cell takes nothing any more, in words; null where it does. When the session has ended, the server says so.
  #whyFrozen(row, column) {
    const { model, author, permissions, taught } = this.#context;
    if (column.isAnonymous) return t('anonymous.closed');
    if (column.isLocked) return t('grid.locked');
    if (!model.rows.has(row.id) || !model.all.some(({ key }) => key === column.key)) return t('grid.targetGone');
    if (permissions.account !== author.account || permissions.mayGrade) return null;
    return t(taught().state === 'closed' ? 'settings.closed' : 'grid.mayNot');
  }

  /** Enters what was typed in the cell of a target; what cannot be entered stays there with the reason. Answers whether it
   *  is on its way. */
  enter(target, text) {
    const { row, column, seen } = target;
    if (text === target.text) return false;
    const { model, contents, doubts, say } = this.#context;
    const frozen = this.#whyFrozen(row, column);
    const { change, fault = frozen } = readTyped(column, text, frozen ? seen : contents.of(model.rows.get(row.id), column));
    const why = fault ?? doubts.asker()(column, change);
    if (change === null) this.giveUp(new Set([`${row.id}/${column.key}`]));
    else if (why) {
      this.#keep([this.#refused(target, text, why, change, !fault)]);
      say(fault ?? `${why} ${t('doubtful.waits')}`, frozen ? 'bad' : 'info');
    } else this.#put([this.#cellOf(target, text.trim(), change)]);
    return Boolean(change) && !why;
  }

  // What is doubtful is entered as it is once somebody says so.
  #refused = (target, text, message, change, isDoubtful) => ({
    ...this.#cellOf(target, text, change ?? {}), left: { state: isDoubtful ? 'doubtful' : 'refused', faults: [{ code: 'typed', message }], detail: null },
  });

  /** Enters many cells, `{row, column, text}`, as one act; answers how many of them change. */
  enterAll(list) {
    const { permissions, contents, doubts } = this.#context;
    if (!permissions.mayGrade) return 0;
    const [cells, kept, ask] = [[], [], doubts.asker()];
    for (const { row, column, text } of list) {
      if (!column.line) continue;
      const { change, fault } = readTyped(column, text, contents.of(row, column));
      const why = fault ?? ask(column, change);
      if (why) kept.push(this.#refused({ row, column }, text, why, change, !fault));
      else if (change) cells.push(this.#cellOf({ row, column }, text, change));
    }
    if (!this.#fits(cells.length + kept.length)) return 0;
    this.#keep(kept);
    this.#put(cells);
    return cells.length;
  }

  /** Enters what a plan has shown as one act: its changes, on what was seen, under the structure of then. What it refused
   *  stays in its cells with the reason, and is not sent. */
  enterPlan(plan) {
    if (!this.#context.permissions.mayGrade) return;
    const [cells, kept] = [entering(plan), staying(plan)];
    if (!this.#fits(cells.length + kept.length)) return;
    const { s } = plan;
    this.#keep(kept.map(({ text, fault, change, kind, ...cell }) => this.#refused({ ...cell, s }, text, fault, change, kind === 'doubtful')));
    for (const { column, change } of cells) this.#context.doubts.confirm(column, change);
    this.#put(cells.map(({ text, change, ...cell }) => this.#cellOf({ ...cell, s }, text, change)));
  }

  #fits(count) {
    if (count > MOST) this.#context.say(t('grid.tooMany', { most: MOST }), 'bad');
    return count <= MOST;
  }

  #put(cells) {
    if (cells.length === 0) return;
    const { acts, author, id } = this.#context;
    this.#undoes.fresh();
    acts.put(author, id, cells, { isWhole: cells.length > 1 });
  }

  #keep(cells) {
    const { acts, author, id } = this.#context;
    if (cells.length > 0) acts.keep(author, id, cells);
  }

  /** Gives cells a status, or takes it away where all of them have it; answers whether their columns have it. */
  setStatus(places, status) {
    const { permissions, contents, say } = this.#context;
    const offered = places.filter(({ column }) => column.statuses.includes(status) && !column.isAnonymous);
    if (offered.length === 0 || !permissions.mayGrade) return false;
    // Work that has a result is not missing.
    const able = status === 'missing' ? offered.filter(({ row, column }) => contents.of(row, column).value === null) : offered;
    if (able.length === 0) {
      say(t('grid.hasResult'));
      return true;
    }
    const isOn = able.every(({ row, column }) => contents.of(row, column).status === status);
    const change = { status: isOn ? null : status };
    const cells = able.filter(({ row, column }) => !isAsked(change, contents.of(row, column), column))
      .map(({ row, column }) => this.#cellOf({ row, column }, isOn ? '' : statusText(status, column), change));
    if (this.#fits(cells.length)) this.#put(cells);
    return true;
  }

  /** Empties cells, and tells how many, which it answers; where one cell was not taken, only its text goes. */
  clear(places) {
    const { contents, say } = this.#context;
    const [one] = places;
    if (places.length === 1 && contents.trouble(one.row, one.column)) {
      this.giveUp(new Set([`${one.row.id}/${one.column.key}`]));
      return 0;
    }
    const able = places.filter(({ column }) => misfit(column, {}) === null);
    if (one && able.length === 0) say(misfit(one.column, {}));
    const count = this.enterAll(able.map(place => ({ ...place, text: '' })));
    if (count > 0) say(t('grid.cleared', { count }));
    return count;
  }

  /** Gives up what was not taken: in the cells with these keys, or everywhere. */
  giveUp = (keys = null) => this.#context.acts.discard(this.#context.author, this.#context.id, keys);

  /** Enters again what was refused, as one act. Conflicts and doubts wait for a decision, and texts that could not be read
   *  for others. */
  tryAgain() {
    const { author, id } = this.#context;
    const cells = author.of(id).flatMap(act => act.cells)
      .filter(({ left, change }) => left && !['conflict', 'doubtful'].includes(left.state) && Object.keys(change).length > 0);
    if (this.#fits(cells.length)) this.#put(cells.map(({ left, ...cell }) => ({ ...cell, s: this.#structure })));
  }

  /** Decides a conflict or a doubt: the person's own value after all, or what stands there. */
  decide(row, column, isKept) {
    const { contents, doubts, refresh } = this.#context;
    const cell = contents.trouble(row, column);
    if (!cell) return;
    const { left, ...mine } = cell;
    if (!isKept) this.giveUp(new Set([cellKey(cell)]));
    else {
      if (left.state === 'doubtful') doubts.confirm(column, mine.change);
      const was = left.state === 'conflict' ? seenIn(column, left.other) : cell.was;
      this.#put([{ ...mine, was, s: this.#structure }]);
    }
    refresh();
  }

  undo = () => this.#undoes.undo();
  redo = () => this.#undoes.redo();

  /** Remembers an act for an undo by the version that it made; answers how to take that one back. */
  did = act => this.#undoes.did(act);

  /** Hears that acts of the person have arrived. */
  landed = entered => this.#undoes.landed(entered);

  /** Whether the person made the version of a row, as far as the page knows. */
  made = version => this.#undoes.isOwn(version);

  // Takes back an act that may have arrived: an act that follows it; answers its name.
  #counter(act) {
    const { acts, author, id, model, contents } = this.#context;
    const columns = new Map(model.all.map(column => [column.key, column]));
    const cells = act.cells.map(cell => {
      const [row, column] = [model.rows.get(cell.row), columns.get(columnKey(cell))];
      const text = row && column ? cellText(column, changed(contents.of(row, column), cell.back)) : '';
      const was = cell.was && row && column ? seenIn(column, contents.of(row, column)) : cell.was;
      return { ...cell, text, change: cell.back, back: cell.change, was };
    });
    return acts.put(author, id, cells, { isWhole: cells.length > 1, counters: act.id });
  }
}
