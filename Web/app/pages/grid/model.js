// The grid without a page: rows and columns in their order, what is selected, what is found. It knows no element and no
// network, and moves no row while results are entered: rows are sorted when somebody asks for it, and when they come and go.

import { compareNames, lastFirst, searchable } from '../../core/text/names.js';
import { compareDecimals, isDecimal } from '../../core/values/decimals.js';
import { plain, shownColumns } from './arrangement.js';

const groupsOf = ({ groups = [] }) => groups.join();
const clamp = (value, least, most) => Math.max(least, Math.min(most, value));

/** Where the headers stand: above the first row and before the first column. */
export const HEADER = -1;

export class GridModel {
  /** All rows by their names, as `{id, name, …}`. */
  rows = new Map();
  /** All columns, in the order of the lines; `columns` are those that are shown, as the person placed them. */
  all = [];
  columns = [];
  /** The rows that are shown, in their order. */
  order = [];
  /** How the person looks at the class. Of `sort`, `[{key, descending}]`, the first that tells two rows apart decides; then
   *  the names. */
  arrangement = plain();
  filter = '';
  /** The places of the cell in which one works, and of the opposite corner of what is selected. */
  active = { row: 0, column: 0 };
  anchor = { row: 0, column: 0 };
  #textOf;
  #isWanted;
  #isInside;

  /** `textOf(row, column)` is what stands in a cell for the person; decimals as the server writes them. `isWanted(row, arrangement)`
   *  says whether filters show a row, and `isInside(row, arrangement)` whether it stands in the part of the class that is shown. */
  constructor(textOf, { isWanted = () => true, isInside = () => true } = {}) {
    this.#textOf = textOf;
    this.#isWanted = isWanted;
    this.#isInside = isInside;
  }

  get sort() {
    return this.arrangement.sort;
  }

  set sort(sort) {
    this.arrangement = { ...this.arrangement, sort };
  }

  /** Looks at the class in another way; the person stays in the same cell where that is shown. */
  setArrangement(changes) {
    this.arrangement = { ...this.arrangement, ...changes };
    this.setColumns(this.all);
    this.arrange();
  }

  /** Takes the columns, and stays in the one in which the person works. */
  setColumns(columns) {
    const here = this.columns[this.active.column]?.key;
    this.all = columns;
    this.columns = shownColumns(columns, this.arrangement);
    const place = this.columns.findIndex(({ key }) => key === here);
    this.#stand(this.active.row, place >= 0 ? place : this.active.column);
  }

  /** Takes rows that are new or other ones, and those that are gone. */
  take(rows, gone = []) {
    let isOther = false;
    for (const row of rows) {
      const before = this.rows.get(row.id);
      isOther ||= before?.name !== row.name || before.section !== row.section || groupsOf(before) !== groupsOf(row);
      this.rows.set(row.id, row);
    }
    for (const id of gone) isOther = this.rows.delete(id) || isOther;
    const shown = new Set(this.order.map(({ id }) => id));
    const joins = this.arrangement.only.size + this.arrangement.below.length > 0 && rows.some(row => !shown.has(row.id) && this.#isFound(row));
    if (isOther || joins) this.arrange({ kept: shown });
    else this.order = this.order.map(({ id }) => this.rows.get(id));
  }

  /** Sorts and filters anew; the person stays with the same student. Rows that are `kept` stay whatever filters say: none goes
   *  from under the hands of the person who enters what a filter asks for. */
  arrange({ kept = new Set() } = {}) {
    const here = this.order[this.active.row]?.id;
    const found = [...this.rows.values()].filter(row => this.#isFound(row, kept));
    this.order = found.sort((one, other) => this.#compare(one, other));
    const place = this.order.findIndex(({ id }) => id === here);
    this.#stand(place >= 0 ? place : Math.min(this.active.row, 0), this.active.column);
  }

  #isFound(row, kept = new Set()) {
    const words = searchable(this.filter);
    return this.#isInside(row, this.arrangement) && (words === '' || searchable(row.name).includes(words)) && (kept.has(row.id) || this.#isWanted(row, this.arrangement));
  }

  /** Sorts by a column: first upwards, then downwards, then by name again. With `isMore`, after what sorts already. */
  sortBy(key, isMore = false) {
    const before = this.sort.find(item => item.key === key);
    const others = isMore ? this.sort.filter(item => item.key !== key) : [];
    const next = before ? (before.descending ? [] : [{ key, descending: true }]) : [{ key, descending: false }];
    this.sort = [...others, ...next];
    this.arrange();
  }

  /** Sorts by a column in one direction. */
  sortTo(key, descending) {
    this.sort = [{ key, descending }];
    this.arrange();
  }

  #compare(one, other) {
    for (const { key, descending } of this.sort) {
      const column = this.all.find(item => item.key === key);
      if (!column) continue;
      const [first, second] = [this.#textOf(one, column), this.#textOf(other, column)];
      // What is empty stands last, however the others are sorted.
      if (first === '' || second === '') {
        if (first !== second) return first === '' ? 1 : -1;
        continue;
      }
      const result = compareTexts(first, second);
      if (result !== 0) return descending ? -result : result;
    }
    const [first, second] = this.arrangement.isByLast ? [lastFirst(one.name), lastFirst(other.name)] : [one.name, other.name];
    return compareNames(first, second) || (one.id < other.id ? -1 : 1);
  }

  setFilter(text) {
    this.filter = text;
    this.arrange();
  }

  /** The place of the first student whose name has `text` in it, else of the first such column; null for neither. */
  find(text) {
    const words = searchable(text);
    if (words === '') return null;
    const row = this.order.findIndex(item => searchable(item.name).includes(words));
    if (row >= 0) return { row, column: this.active.column };
    const column = this.columns.findIndex(item => searchable([...item.path, item.title].join(' ')).includes(words));
    return column >= 0 ? { row: Math.max(0, this.active.row), column } : null;
  }

  get activeRow() {
    return this.order[this.active.row] ?? null;
  }

  get activeColumn() {
    return this.columns[this.active.column] ?? null;
  }

  /** Goes to a place; with `extend` the selection grows to it. */
  go(row, column, { extend = false } = {}) {
    const least = extend ? 0 : HEADER;
    this.active = {
      row: clamp(row, this.order.length === 0 ? HEADER : least, this.order.length - 1),
      column: clamp(column, this.columns.length === 0 ? HEADER : least, this.columns.length - 1),
    };
    if (!extend) this.anchor = { ...this.active };
  }

  move(down, right, options) {
    this.go(this.active.row + down, this.active.column + right, options);
  }

  /** Goes to the first or last cell of the row, or of all. */
  goTo(end, options) {
    const isLast = end === 'rowEnd' || end === 'end';
    const row = { begin: 0, end: this.order.length - 1 }[end] ?? this.active.row;
    this.go(row, isLast ? this.columns.length - 1 : 0, options);
    return this;
  }

  /** Goes to where the data ends in a direction. */
  jump(down, right, options) {
    const { row, column } = this.edge(down, right);
    this.go(row, column, options);
  }

  /** Where the data ends in a direction: the last full cell before an empty one, or the next full one, as sheets do. */
  edge(down, right) {
    const isFull = (row, column) => this.order[row] !== undefined && this.columns[column] !== undefined
      && this.#textOf(this.order[row], this.columns[column]) !== '';
    const isInside = (row, column) => row >= 0 && row < this.order.length && column >= 0 && column < this.columns.length;
    let { row, column } = this.active;
    const seeks = !(isFull(row, column) && isFull(row + down, column + right));
    while (isInside(row + down, column + right)) {
      const isNext = isFull(row + down, column + right);
      if (!seeks && !isNext) break;
      row += down;
      column += right;
      if (seeks && isNext) break;
    }
    return { row, column };
  }

  /** What is selected: `{top, bottom, left, right}`, all of them inside. */
  get range() {
    const [one, other] = [this.active, this.anchor];
    return {
      top: Math.min(one.row, other.row), bottom: Math.max(one.row, other.row),
      left: Math.min(one.column, other.column), right: Math.max(one.column, other.column),
    };
  }

  isSelected(row, column) {
    const { top, bottom, left, right } = this.range;
    return row >= top && row <= bottom && column >= left && column <= right;
  }

  /** The cells of what is selected, row by row: `[[{row, column}]]`. */
  get selected() {
    const { top, bottom, left, right } = this.range;
    const columns = this.columns.slice(Math.max(0, left), right + 1);
    return this.order.slice(Math.max(0, top), bottom + 1).map(row => columns.map(column => ({ row, column })));
  }

  /** What filling down writes, `[{row, column, from}]`: the first row that is selected into the others; into one row alone, the one above it. */
  below() {
    const { selected: table, range } = this;
    const first = table.length === 1 ? this.order[range.top - 1] : table[0]?.[0]?.row;
    return first ? table.flat().filter(({ row }) => row !== first).map(place => ({ ...place, from: first })) : [];
  }

  #stand(row, column) {
    this.active = { row: clamp(row, HEADER, this.order.length - 1), column: clamp(column, HEADER, this.columns.length - 1) };
    this.anchor = { ...this.active };
  }
}

/** Numbers by their size and before words; words as the language sorts them. */
function compareTexts(one, other) {
  const [first, second] = [isDecimal(one), isDecimal(other)];
  if (first && second) return compareDecimals(one, other);
  if (first !== second) return first ? -1 : 1;
  return compareNames(one, other);
}
