// How results get into the cells of a class: typed, pasted, filled in, cleared, decided, taken back.

import { sentences, t } from '../../core/text/i18n.js';
import { statusText } from '../../core/text/statuses.js';
import { cellKey, MOST } from '../../core/edits/cellRules.js';
import { cellText, changed, isAsked, misfit, readTyped, reverted, seenIn } from './cells.js';
import { columnKey } from './left.js';
import { entering, staying } from './paste.js';
import { UndoList } from './undo.js';

export class CellEntry {
  #context;
  #undoes;

  /** `context` has `{http, path, id, acts, author, model, permissions, contents, doubts, taught, say, refresh,
   *  lookAgain}`: `taught()` returns the class, `say(text,
   *  kind)` announces what happened, `refresh()` reads the rows again, and `lookAgain()` also reads the class. */
  constructor(context) {
    this.#context = context;
    this.#undoes = new UndoList({ ...context, counter: act => this.#counter(act) });
  }

  get #structure() {
    return this.#context.taught().structure.s;
  }

  /** A cell as an editor keeps it until its text is entered: its place, what the user saw there, and the structure at
   *  that time. `text` is the initial text of the editor; if it stays the same, nothing is entered. */
  target = (row, column, text) =>
    ({ row, column, text, seen: this.#context.contents.of(row, column), s: this.#structure });

  #cellOf({ row, column, seen = this.#context.contents.of(row, column), s = this.#structure }, text, change) {
    const was = 'mark' in change ? null : seenIn(column, seen);
    return {
      row: row.id, line: column.line, field: column.field, text, title: column.title, change,
      back: reverted(column, seen, change), was, s,
    };
  }

  // Why a cell can no longer be changed, in words; null if it can. If the session has ended, the server says so.
  #whyFrozen(row, column) {
    const { model, author, permissions, taught } = this.#context;
    if (column.isAnonymous) return t('anonymous.closed');
    if (column.isLocked) return t('grid.locked');
    if (!model.rows.has(row.id) || !model.all.some(({ key }) => key === column.key)) return t('grid.targetGone');
    if (permissions.account !== author.account || permissions.mayGrade) return null;
    return t(taught().state === 'closed' ? 'settings.closed' : 'grid.mayNot');
  }

  /** Enters what was typed in the cell of a target; what cannot be entered stays there with the reason. Returns whether
   *  it is being sent. */
  enter(target, text) {
    const { row, column, seen } = target;
    if (text === target.text) return false;
    const { model, contents, doubts, say } = this.#context;
    const frozen = this.#whyFrozen(row, column);
    const { change, fault = frozen } = readTyped(column, text,
      frozen ? seen : contents.of(model.rows.get(row.id), column));
    const why = fault ?? doubts.asker()(column, change);
    if (change === null) this.giveUp(new Set([`${row.id}/${column.key}`]));
    else if (why) {
      this.#keep([this.#refused(target, text, why, change, !fault)]);
      say(fault ?? sentences([why, t('doubtful.waits')]), frozen ? 'bad' : 'info');
    } else {
      this.#put([this.#cellOf(target, text.trim(), change)]);
      if (column.isGrade && text.trim() !== '') this.#tellAside(column, contents.of(row, column).status);
    }
    return Boolean(change) && !why;
  }

  // A doubtful result keeps its change, which is entered once the user confirms it.
  #refused = (target, text, message, change, isDoubtful) => ({
    ...this.#cellOf(target, text, change ?? {}),
    left: { state: isDoubtful ? 'doubtful' : 'refused', faults: [{ code: 'typed', message }], detail: null },
  });

  /** Enters many cells, `{row, column, text}`, as one act; returns how many of them change. */
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

  /** Enters what a plan has shown as one act: its changes, with what the user saw as the precondition, under the
   *  structure at that time. Refused texts stay in their cells with the reason, and are not sent. */
  enterPlan(plan) {
    if (!this.#context.permissions.mayGrade) return;
    const [cells, kept] = [entering(plan), staying(plan)];
    if (!this.#fits(cells.length + kept.length)) return;
    const { s } = plan;
    this.#keep(kept.map(({ text, fault, change, kind, ...cell }) =>
      this.#refused({ ...cell, s }, text, fault, change, kind === 'doubtful')));
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

  /** Gives cells a status, or removes it if all of them have it; returns whether their columns offer this status. */
  setStatus(places, status) {
    const { permissions, contents, say } = this.#context;
    const offered = places.filter(({ column }) => column.statuses.includes(status) && !column.isAnonymous);
    if (offered.length === 0 || !permissions.mayGrade) return false;
    // Work that has a result is not missing.
    const able = status === 'missing'
      ? offered.filter(({ row, column }) => contents.of(row, column).value === null)
      : offered;
    if (able.length === 0) {
      say(t('grid.hasResult'));
      return true;
    }
    const isOn = able.every(({ row, column }) => contents.of(row, column).status === status);
    const change = { status: isOn ? null : status };
    const cells = able.filter(({ row, column }) => !isAsked(change, contents.of(row, column), column))
      .map(({ row, column }) => this.#cellOf({ row, column }, isOn ? '' : statusText(status, column), change));
    if (this.#fits(cells.length)) this.#put(cells);
    const second = !isOn && cells.length > 0 && able.find(this.#hasSecond);
    if (second) this.#tellAside(second.column, status);
    return true;
  }

  #tellAside(column, status) {
    if (status !== null && column.setsAside.includes(status)) {
      this.#context.say(t('grid.setAside', { status: statusText(status, column) }), 'bad');
    }
  }

  // Whether a cell has a grade beside its result.
  #hasSecond = ({ row, column }) => this.#context.model.all.some(other => other.line === column.line && other.isGrade
    && this.#context.contents.of(row, other).value !== null);

  /** Clears cells, and announces how many; returns that number. If the only cell was not taken, only its text is
   *  removed. */
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

  /** Enters again what was refused, as one act. Conflicts and doubtful results need a decision, and texts that could
   *  not be read have to be typed again. */
  tryAgain() {
    const { author, id } = this.#context;
    const cells = author.of(id).flatMap(act => act.cells)
      .filter(({ left, change }) => left && !['conflict', 'doubtful'].includes(left.state)
        && Object.keys(change).length > 0);
    if (this.#fits(cells.length)) this.#put(cells.map(({ left, ...cell }) => ({ ...cell, s: this.#structure })));
  }

  /** Decides a conflict or a doubtful result: `isKept` for the user's own value, otherwise the value that is there. */
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

  /** Remembers an act for undo by the version that it made; returns a function that undoes that act. */
  did = act => this.#undoes.did(act);

  /** Handles acts of the user that have arrived. */
  landed = entered => this.#undoes.landed(entered);

  /** Whether the user made the version of a row, as far as the page knows. */
  made = version => this.#undoes.isOwn(version);

  // Takes back an act that may have arrived, by another act that follows it; returns the id of that act.
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
