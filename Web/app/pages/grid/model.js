// The grid without a page: rows and columns in order, the selection, the search. It knows no elements and no network.
// It does not move rows while results are entered: rows are sorted when the user asks for it, and when rows are added
// or removed.

import { compareNames, comparePeople, isNamed, listedName, searchable } from '../../core/text/names.js';
import { compareDecimals, isDecimal } from '../../core/values/decimals.js';
import { plain, shownColumns } from './arrangement.js';

// What decides whether and where a row is shown, beside its groups and cells.
const PLACING = ['name', 'givenName', 'familyName', 'section'];
const groupsOf = ({ groups = [] }) => groups.join();
const clamp = (value, least, most) => Math.max(least, Math.min(most, value));

/** The place of the headers: above the first row and before the first column. */
export const HEADER = -1;

export class GridModel {
  /** All rows by id, as `{id, name, givenName, familyName, …}`. */
  rows = new Map();
  /** All columns, in the order of the lines; `columns` are the visible ones, in the order that the user chose. */
  all = [];
  columns = [];
  /** The visible rows, in order. */
  order = [];
  /** How the user has arranged the class. In `sort`, `[{key, descending}]`, the first item that distinguishes two rows
   *  decides, and then the names. */
  arrangement = plain();
  filter = '';
  /** The places of the active cell and of the opposite corner of the selection. */
  active = { row: 0, column: 0 };
  anchor = { row: 0, column: 0 };
  #textOf;
  #isWanted;
  #isInside;

  /** `textOf(row, column)` is the text of a cell as the user sees it, with decimals in the server's form.
   *  `isWanted(row, arrangement)` says whether filters show a row, and `isInside(row, arrangement)` whether it belongs
   *  to the visible part of the class. */
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

  /** Changes the arrangement; the active cell stays the same if it is still visible. */
  setArrangement(changes) {
    this.arrangement = { ...this.arrangement, ...changes };
    this.setColumns(this.all);
    this.arrange();
  }

  /** Takes over the columns; the active column stays the same. */
  setColumns(columns) {
    const here = this.columns[this.active.column]?.key;
    this.all = columns;
    this.columns = shownColumns(columns, this.arrangement);
    const place = this.columns.findIndex(({ key }) => key === here);
    this.#stand(this.active.row, place >= 0 ? place : this.active.column);
  }

  /** Takes over rows that are new or changed, and removes those that are gone. */
  take(rows, gone = []) {
    let isOther = false;
    for (const row of rows) {
      const before = this.rows.get(row.id);
      isOther ||= !before || PLACING.some(name => before[name] !== row[name]) || groupsOf(before) !== groupsOf(row);
      this.rows.set(row.id, row);
    }
    for (const id of gone) isOther = this.rows.delete(id) || isOther;
    const shown = new Set(this.order.map(({ id }) => id));
    const joins = this.arrangement.only.size + this.arrangement.below.length > 0
      && rows.some(row => !shown.has(row.id) && this.#isFound(row));
    if (isOther || joins) this.arrange({ kept: shown });
    else this.order = this.order.map(({ id }) => this.rows.get(id));
  }

  /** Sorts and filters again; the active student stays the same. Rows in `kept` stay whatever filters say, so that no
   *  row disappears while the user enters what a filter asks for. */
  arrange({ kept = new Set() } = {}) {
    const here = this.order[this.active.row]?.id;
    const found = [...this.rows.values()].filter(row => this.#isFound(row, kept));
    this.order = found.sort((one, other) => this.#compare(one, other));
    const place = this.order.findIndex(({ id }) => id === here);
    this.#stand(place >= 0 ? place : Math.min(this.active.row, 0), this.active.column);
  }

  #isFound(row, kept = new Set()) {
    const words = searchable(this.filter);
    return this.#isInside(row, this.arrangement) && (words === '' || isNamed(row, words))
      && (kept.has(row.id) || this.#isWanted(row, this.arrangement));
  }

  /** Sorts by a column: first ascending, then descending, then by name again. With `isMore`, adds it to the current
   *  sorting. */
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
      // Empty cells come last in both directions.
      if (first === '' || second === '') {
        if (first !== second) return first === '' ? 1 : -1;
        continue;
      }
      const result = compareTexts(first, second);
      if (result !== 0) return descending ? -result : result;
    }
    return this.compareStudents(one, other);
  }

  /** Compares two rows by their students' names, as the user sorts them. */
  compareStudents = (one, other) => comparePeople(one, other, this.arrangement.names) || (one.id < other.id ? -1 : 1);

  /** A student's name as lists show it. */
  nameOf = row => listedName(row, this.arrangement.names);

  setFilter(text) {
    this.filter = text;
    this.arrange();
  }

  /** The place of the first student whose name contains `text`, or else of the first such column; null if there is
   *  neither. */
  find(text) {
    const words = searchable(text);
    if (words === '') return null;
    const row = this.order.findIndex(item => isNamed(item, words));
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

  /** Goes to the first or last cell of the row, or of all rows. */
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

  /** Where the data ends in a direction: the last full cell before an empty one, or the next full one, as in
   *  spreadsheets. */
  edge(down, right) {
    const isFull = (row, column) => this.order[row] !== undefined && this.columns[column] !== undefined
      && this.#textOf(this.order[row], this.columns[column]) !== '';
    const isInside = (row, column) => row >= 0 && row < this.order.length && column >= 0
      && column < this.columns.length;
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

  /** The selection: `{top, bottom, left, right}`, all inclusive. */
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

  /** The selected cells, row by row: `[[{row, column}]]`. */
  get selected() {
    const { top, bottom, left, right } = this.range;
    const columns = this.columns.slice(Math.max(0, left), right + 1);
    return this.order.slice(Math.max(0, top), bottom + 1).map(row => columns.map(column => ({ row, column })));
  }

  /** What filling down writes, `[{row, column, from}]`: the first selected row into the others; if only one row is
   *  selected, the row above into it. */
  below() {
    const { selected: table, range } = this;
    const first = table.length === 1 ? this.order[range.top - 1] : table[0]?.[0]?.row;
    return first ? table.flat().filter(({ row }) => row !== first).map(place => ({ ...place, from: first })) : [];
  }

  #stand(row, column) {
    this.active = {
      row: clamp(row, HEADER, this.order.length - 1), column: clamp(column, HEADER, this.columns.length - 1),
    };
    this.anchor = { ...this.active };
  }
}

/** Compares numbers by size, before words; words as the language sorts them. */
function compareTexts(one, other) {
  const [first, second] = [isDecimal(one), isDecimal(other)];
  if (first && second) return compareDecimals(one, other);
  if (first !== second) return first ? -1 : 1;
  return compareNames(one, other);
}
