// Which students are shown: those with work to come, with missing work, at risk, for the user to mark, changed by
// others, or below a value.

import { compareDecimals, isDecimal } from '../../core/values/decimals.js';

export class Filters {
  #model;
  #contents;
  #permissions;
  #fresh;

  constructor(model, contents, permissions, fresh) {
    this.#model = model;
    this.#contents = contents;
    this.#permissions = permissions;
    this.#fresh = fresh;
  }

  /** Whether an arrangement shows a row. */
  isWanted = (row, { only, below }) => [...only].every(name => this.#passes(row, name))
    && below.every(bound => this.#isBelow(row, bound));

  /** The number of students that a filter shows. */
  countOf = name => this.#count(row => this.#passes(row, name));

  /** The number of students below a value of a column. */
  countBelow = bound => this.#count(row => this.#isBelow(row, bound));

  #count = isCounted => [...this.#model.rows.values()].filter(isCounted).length;

  /** Whether the work that is left for the user may differ from all work that is left. */
  get hasOwnShare() {
    return this.#permissions.mayGrade
      && (this.#model.all.some(({ double }) => double) || this.#permissions.hasOwnLines);
  }

  #passes(row, name) {
    // Work under codes says nothing about a student.
    const columns = this.#model.all.filter(({ line, field, isAnonymous }) => line && field === null && !isAnonymous);
    const cells = () => columns.map(column => this.#contents.of(row, column));
    switch (name) {
      case 'risk': return row.risk.length > 0;
      case 'missing': return cells().some(({ status }) => status === 'missing');
      case 'others': return this.#fresh.hasRow(row.id);
      case 'mine': return columns.some(column => this.#permissions.marks(column) && this.#awaitsMe(row, column));
      default: return cells().some(cell => cell.value === null && cell.status === null);
    }
  }

  // An empty cell, or one without a number, is below nothing; a bound for a column that is gone has no effect.
  #isBelow(row, { key, value }) {
    const column = this.#model.all.find(item => item.key === key);
    if (!column || column.isAnonymous) return true;
    const text = this.#contents.sortText(row, column);
    return isDecimal(text) && compareDecimals(text, value) < 0;
  }

  // Whether the user still has to enter a result, or one of two marks.
  #awaitsMe(row, column) {
    const cell = this.#contents.of(row, column);
    if (cell.value !== null || cell.status !== null) return false;
    return !column.double || cell.decides
      || (cell.marks.length < 2 && !cell.marks.some(({ by }) => by === this.#permissions.account));
  }
}
