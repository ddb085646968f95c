// Which students are shown: those with work to come, with missing work, at risk, for the person to mark, or below a value.

import { compareDecimals, isDecimal } from '../../core/values/decimals.js';

export class Filters {
  #model;
  #contents;
  #permissions;

  constructor(model, contents, permissions) {
    this.#model = model;
    this.#contents = contents;
    this.#permissions = permissions;
  }

  /** Whether an arrangement shows a row. */
  isWanted = (row, { only, below }) => [...only].every(name => this.#passes(row, name)) && below.every(bound => this.#isBelow(row, bound));

  /** How many students a filter shows. */
  countOf = name => this.#count(row => this.#passes(row, name));

  /** How many students stand below a value of a column. */
  countBelow = bound => this.#count(row => this.#isBelow(row, bound));

  #count = isCounted => [...this.#model.rows.values()].filter(isCounted).length;

  /** Whether what is left for the person to mark differs from what is left to mark. */
  get hasOwnShare() {
    return this.#permissions.mayGrade && (this.#model.all.some(({ double }) => double) || this.#permissions.hasOwnLines);
  }

  #passes(row, name) {
    // What stands under codes tells nothing of a student.
    const columns = this.#model.all.filter(({ line, field, isAnonymous }) => line && field === null && !isAnonymous);
    const cells = () => columns.map(column => this.#contents.of(row, column));
    switch (name) {
      case 'risk': return row.risk.length > 0;
      case 'missing': return cells().some(({ status }) => status === 'missing');
      case 'mine': return columns.some(column => this.#permissions.marks(column) && this.#awaitsMe(row, column));
      default: return cells().some(cell => cell.value === null && cell.status === null);
    }
  }

  // What is empty, or no number, stands below nothing; a bound of a column that is gone says nothing of anybody.
  #isBelow(row, { key, value }) {
    const column = this.#model.all.find(item => item.key === key);
    if (!column || column.isAnonymous) return true;
    const text = this.#contents.sortText(row, column);
    return isDecimal(text) && compareDecimals(text, value) < 0;
  }

  // Whether a result, or one of two marks, is still to come from the person.
  #awaitsMe(row, column) {
    const cell = this.#contents.of(row, column);
    if (cell.value !== null || cell.status !== null) return false;
    return !column.double || cell.decides || (cell.marks.length < 2 && !cell.marks.some(({ by }) => by === this.#permissions.account));
  }
}
