// What the user has changed in the lines of a class and not applied yet, over the current lines, which others may
// change meanwhile. It draws nothing and sends nothing.

import { addDecimals, isDecimal } from '../../../core/values/decimals.js';
import { isSummed, lineCell, lineColumns, lineFault, linePatch, readLine, saysSame } from './lineCells.js';

export class LineDraft {
  #of;
  // By line and column: the text, and what the cell held when the user began to type.
  #typed = new Map();
  // `{line, before}` in the order in which lines were moved; `before` is null for the end.
  #moves = [];
  #known = {};

  /** `of()` returns the current `{taught, scheme}`. */
  constructor(of) {
    this.#of = of;
  }

  get #lines() {
    return this.#of().taught.structure.lines;
  }

  /** The columns; computed once for each structure, because each cell needs them. */
  get columns() {
    const { taught, scheme } = this.#of();
    if (this.#known.structure !== taught.structure) {
      this.#known = { structure: taught.structure, columns: lineColumns(taught, scheme) };
    }
    return this.#known.columns;
  }

  /** The lines in the order that the user chose, each after its parent. */
  get lines() {
    return this.#below(null);
  }

  #below = parent => this.inside(parent).flatMap(line => [line, ...this.#below(line.id)]);

  /** The children of a line, in that order. */
  inside(parent) {
    const held = this.#lines.filter(line => line.parent === parent);
    return this.#moves.reduce((list, { line, before }) => {
      const moved = list.find(({ id }) => id === line);
      if (!moved || (before !== null && !list.some(({ id }) => id === before))) return list;
      const others = list.filter(({ id }) => id !== line);
      const place = before === null ? others.length : others.findIndex(({ id }) => id === before);
      return [...others.slice(0, place), moved, ...others.slice(place)];
    }, held);
  }

  /**
   * A line's cell in a column, or null: `{type, field, held, text, isChanged, fault, conflict}`. `text` is its current
   * text, and `conflict` is what somebody else has made of it since the user began to type, or null.
   */
  cell(line, column) {
    const { taught, scheme } = this.#of();
    const cell = lineCell(line, column, taught, scheme);
    if (!cell) return null;
    const typed = this.#typed.get(keyOf(line, column));
    const text = typed?.text ?? cell.held;
    const isChanged = !saysSame(cell, text, cell.held);
    return {
      ...cell, text, isChanged, fault: isChanged ? lineFault(cell, text) : null,
      conflict: isChanged && !saysSame(cell, typed.held, cell.held) ? cell.held : null,
    };
  }

  type(line, column, text) {
    const key = keyOf(line, column);
    const held = this.#typed.get(key)?.held ?? this.cell(line, column).held;
    this.#typed.set(key, { text, held });
  }

  /** Resets a cell to what the class holds. */
  takeBack = (line, column) => this.#typed.delete(keyOf(line, column));

  /** Forgets a text that equals what the class holds. */
  settle(line, column) {
    if (!this.cell(line, column)?.isChanged) this.takeBack(line, column);
  }

  /** Forgets what was typed in lines that are gone; returns the number of such cells. */
  forgetGone() {
    const known = new Set(this.#lines.map(({ id }) => id));
    const gone = [...this.#typed.keys()].filter(key => !known.has(key.split(' ')[0]));
    for (const key of gone) this.#typed.delete(key);
    return gone.length;
  }

  /** Decides a conflict for the user's own text. */
  keep(line, column) {
    const { text, held } = this.cell(line, column);
    this.#typed.set(keyOf(line, column), { text, held });
  }

  /** Puts a line before one of its siblings, or at the end if it is `null`. */
  place(line, before) {
    if (before !== line.id) this.#moves.push({ line: line.id, before });
  }

  /** Moves a line by some places among its siblings; returns whether it has moved. */
  move(line, by) {
    const siblings = this.inside(line.parent);
    const place = siblings.findIndex(({ id }) => id === line.id) + by;
    if (place < 0 || place >= siblings.length) return false;
    this.place(line, siblings[by > 0 ? place + 1 : place]?.id ?? null);
    return true;
  }

  clear() {
    this.#typed.clear();
    this.#moves = [];
  }

  /** Returns a function that forgets the current changes once they are applied; what is typed until then stays, based
   *  on what was applied. */
  sent() {
    const [typed, count] = [new Map(this.#typed), this.#moves.length];
    return () => {
      for (const [key, { text }] of typed) {
        const now = this.#typed.get(key);
        if (now?.text === text) this.#typed.delete(key);
        else if (now) this.#typed.set(key, { text: now.text, held: text });
      }
      this.#moves = this.#moves.slice(count);
    };
  }

  /** The changed cells: `[{line, column, cell}]`. */
  get changed() {
    const { columns } = this;
    return this.lines.flatMap(line =>
      columns.filter(column => this.#typed.has(keyOf(line, column)))
        .map(column => ({ line, column, cell: this.cell(line, column) })))
      .filter(({ cell }) => cell?.isChanged);
  }

  get #reordered() {
    return this.#lines.filter(({ id }) => this.#orders(id).some(Boolean));
  }

  /** The number of changes: cells, and lines whose children have another order. */
  get count() {
    return this.changed.length + this.#reordered.length;
  }

  /** The changes as steps of one act; cells that cannot be read are left out. */
  get steps() {
    const patches = new Map();
    for (const { line, cell } of this.changed.filter(({ cell: { fault } }) => fault === null)) {
      const { fields = {}, ...rest } = patches.get(line.id) ?? {};
      const { fields: more = {}, ...others } = linePatch(cell, cell.text);
      patches.set(line.id, { ...rest, ...others, fields: { ...fields, ...more } });
    }
    return [
      ...[...patches].map(([line, patch]) => ({ op: 'patch', line, ...patch })),
      ...this.#reordered.flatMap(({ id }) => this.#orders(id)),
    ];
  }

  // The steps that put the children of a line into their order, beginning with the last.
  #orders(parent) {
    const wanted = this.inside(parent).map(({ id }) => id);
    let now = this.#lines.filter(line => line.parent === parent).map(({ id }) => id);
    const steps = [];
    for (let place = wanted.length - 1; place >= 0; place -= 1) {
      const [line, before = null] = wanted.slice(place, place + 2);
      if (now.indexOf(line) + 1 === (before === null ? now.length : now.indexOf(before))) continue;
      now = now.filter(id => id !== line);
      now.splice(before === null ? now.length : now.indexOf(before), 0, line);
      steps.push({ op: 'move', line, ...(before === null ? {} : { before }) });
    }
    return steps;
  }

  /** The sums of the numbers of a line's children: `[{column, sum}]` for each column that has some. */
  sums(parent) {
    return this.columns.filter(({ role }) => role === 'number').map(column => {
      const cells = this.inside(parent.id).map(line => this.cell(line, column)).filter(isSummed);
      const numbers = cells.map(cell => readLine(cell, cell.text)).filter(isDecimal);
      return { column, sum: numbers.length > 0 ? addDecimals(numbers) : null };
    }).filter(({ sum }) => sum !== null);
  }
}

const keyOf = (line, column) => `${line.id} ${column.key}`;
