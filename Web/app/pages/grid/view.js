// The grid on the page: a fixed pool of elements that scroll natively and are moved by transform when they are needed
// elsewhere. Names and headers stay in place. The cell in which the user works has the focus.
//
// The view draws what it is told, and reports what the user does; it does not know what a cell holds or what a key
// means.

import { t } from '../../core/text/i18n.js';
import { differs, make, set } from './drawing.js';
import { HEADER } from './model.js';

// Sizes in rem: of a row, a column, the column of names, the line of headers.
const SIZE = { row: 2.25, column: 6.5, names: 13, head: 4.4 };
const DENSE = { row: 1.7, column: 5, names: 11, head: 4 };
// The number of rows and columns that are kept ready outside the visible area.
const SPARE = { rows: 6, columns: 3 };

export class GridView {
  #deps;
  #model;
  #root = null;
  #size = null;
  #head = null;
  #corner = null;
  #heads = [];
  #rows = [];
  #units = null;
  #first = { row: 0, column: 0 };
  #pool = { rows: 0, columns: 0 };
  #frame = null;
  #isStale = true;
  #observer = null;
  #editor = null;
  #isMoving = false;
  #drag = false;
  #id = `g${Math.random().toString(36).slice(2, 7)}`;

  /**
   * `deps`: `model`; `label()` of the grid; `isDense()`, called when it is attached; `corner()`; `head(column)` →
   * `{title, above, below, mark, sorted, rank}`; `name(row)` → `{text, mark, note}`; `cell(row, column)` →
   * `{text, state, note, isFrozen, people}`; and the callbacks `onKey(event)`, `onOpen(place)` (a click on a header, or
   * a double click on a cell), `onMove()`, `onCommit(text, then)`, `onCancel()`, `onClipboard(event)`, `onScroll()`.
   * `editorPlace()` is the current place of the cell that is being edited, or null: the editor moves with it.
   */
  constructor(deps) {
    this.#deps = deps;
    this.#model = deps.model;
  }

  /** Adds the grid to `host`, where it stays until `detach`. */
  attach(host) {
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    this.#units = Object.fromEntries(Object.entries(this.#deps.isDense() ? DENSE : SIZE).map(([name, size]) =>
      [name, Math.round(size * rem)]));
    this.#root = make('div', this.#deps.isDense() ? 'grid dense' : 'grid', {
      role: 'grid', 'aria-multiselectable': 'true', tabindex: '-1',
    });
    for (const [name, value] of Object.entries(this.#units)) this.#root.style.setProperty(`--${name}`, `${value}px`);
    this.#size = make('div', 'grid-size', { role: 'presentation' });
    this.#head = make('div', 'grid-head', { role: 'row', 'aria-rowindex': '1' });
    this.#corner = make('div', 'grid-corner', { role: 'columnheader', id: `${this.#id}-c`, 'aria-colindex': '1' });
    this.#head.append(this.#corner);
    this.#size.append(this.#head);
    this.#root.append(this.#size);
    host.append(this.#root);
    this.#listen();
    this.#observer = new ResizeObserver(() => this.#fit());
    this.#observer.observe(this.#root);
    this.#fit();
  }

  detach() {
    this.#observer?.disconnect();
    cancelAnimationFrame(this.#frame);
    this.#frame = null;
    this.#root?.remove();
    this.#root = null;
    this.#rows = [];
    this.#heads = [];
    this.#pool = { rows: 0, columns: 0 };
  }

  get element() {
    return this.#root;
  }

  get isEditing() {
    return this.#editor !== null;
  }

  /** The contents have changed: they are drawn in the next frame. */
  update() {
    this.#isStale = true;
    this.#ask();
  }

  /** Scrolls to the active cell and gives it the focus. */
  focus() {
    this.#reveal();
    this.#isStale = true;
    this.#draw();
    this.#place(true);
  }

  /** Scrolls to the active cell; it gets the focus if the grid has it. */
  follow() {
    this.#reveal();
    this.#isStale = true;
    this.#draw();
    this.#place(this.#hasFocus);
    this.#deps.onMove();
  }

  /** The position of a cell on the screen; null while it is not drawn. */
  boxOf({ row, column }) {
    return this.#element(row, column)?.getBoundingClientRect() ?? null;
  }

  /** Opens an editor in the active cell, with `text`; if that is empty, what the user types next replaces the
   *  content. */
  edit(text, { label, mode }) {
    const { row, column } = this.#model.active;
    const cell = this.#element(row, column);
    if (!cell || this.#editor) return;
    const input = make('input', 'grid-editor', {
      type: 'text', autocomplete: 'off', spellcheck: 'false', 'aria-label': label, inputmode: mode,
    });
    input.value = text;
    this.#editor = { input, cell };
    cell.classList.add('editing');
    cell.append(input);
    input.focus({ preventScroll: true });
    input.setSelectionRange(text.length, text.length);
    // If the window loses the focus, the editor keeps it inside the page, and the text is not entered yet.
    input.addEventListener('blur',
      () => this.#editor?.input === input && document.activeElement !== input && !this.#isMoving && this.commit(null));
  }

  /** Enters what is typed; `then` says where to go afterwards. */
  commit(then) {
    const text = this.#close();
    if (text !== null) this.#deps.onCommit(text, then);
  }

  cancel() {
    if (this.#close() === null) return;
    this.#place(true);
    this.#deps.onCancel();
  }

  #close() {
    if (!this.#editor) return null;
    const { input, cell } = this.#editor;
    const had = document.activeElement === input;
    this.#editor = null;
    cell.classList.remove('editing');
    input.remove();
    if (had) this.#place(true);
    return input.value;
  }

  get #hasFocus() {
    return this.#root?.contains(document.activeElement) ?? false;
  }

  #listen() {
    const root = this.#root;
    root.addEventListener('scroll', () => {
      this.#ask();
      this.#deps.onScroll();
    }, { passive: true });
    root.addEventListener('keydown', event => this.#deps.onKey(event));
    root.addEventListener('pointerdown', event => this.#press(event));
    root.addEventListener('pointerover', event => {
      const place = this.#drag && event.buttons === 1 ? this.placeOf(event.target) : null;
      if (!place || place.row < 0 || place.column < 0) return;
      this.#model.go(place.row, place.column, { extend: true });
      this.update();
      this.#deps.onMove();
    });
    root.addEventListener('pointerup', () => { this.#drag = false; });
    root.addEventListener('dblclick', event => {
      const place = this.placeOf(event.target);
      if (place && place.row >= 0 && place.column >= 0 && !this.#editor) this.#deps.onOpen(place, event);
    });
    root.addEventListener('click', event => {
      const place = this.placeOf(event.target);
      if (place && (place.row === HEADER || place.column === HEADER)) this.#deps.onOpen(place, event);
    });
    for (const type of ['copy', 'cut', 'paste']) {
      root.addEventListener(type, event => this.#editor || this.#deps.onClipboard(event));
    }
    root.addEventListener('focusin', event => event.target === root && !this.#editor && this.#place(true));
  }

  #press(event) {
    if (event.button !== 0 || event.target === this.#editor?.input) return;
    const place = this.placeOf(event.target);
    if (!place) return;
    event.preventDefault();
    this.commit(null);
    this.#drag = place.row >= 0 && place.column >= 0 && event.pointerType === 'mouse';
    this.#model.go(place.row, place.column, { extend: event.shiftKey && place.row >= 0 && place.column >= 0 });
    this.#isStale = true;
    this.#draw();
    this.#place(true);
    this.#deps.onMove();
  }

  /** The place of an element, by the numbers of its row and column; null if it is not part of the grid. */
  placeOf(target) {
    const element = target.closest?.('[aria-colindex]');
    if (!element || !this.#root.contains(element)) return null;
    const row = element.closest('[aria-rowindex]');
    return row
      && {
        row: Number(row.getAttribute('aria-rowindex')) - 2, column: Number(element.getAttribute('aria-colindex')) - 2,
      };
  }

  // The pool is as large as the number of cells that can be visible at once, and grows with it.
  #fit() {
    if (!this.#root) return;
    const { row, column, names, head } = this.#units;
    const rows = Math.ceil(Math.max(0, this.#root.clientHeight - head) / row) + 2 * SPARE.rows;
    const columns = Math.ceil(Math.max(0, this.#root.clientWidth - names) / column) + 2 * SPARE.columns;
    const wanted = { rows: Math.max(rows, this.#pool.rows), columns: Math.max(columns, this.#pool.columns) };
    while (this.#heads.length < wanted.columns) this.#addHead();
    while (this.#rows.length < wanted.rows) this.#addRow();
    for (const slot of this.#rows) while (slot.cells.length < wanted.columns) this.#addCell(slot);
    this.#pool = wanted;
    this.#isStale = true;
    this.#draw();
  }

  #addHead() {
    const element = make('div', 'grid-th', { role: 'columnheader', id: `${this.#id}-h${this.#heads.length}` });
    const parts = ['above', 'title', 'below'].map(name => make('span', `grid-${name}`));
    element.append(...parts);
    this.#head.append(element);
    this.#heads.push({ element, parts, seen: {} });
  }

  #addRow() {
    const number = this.#rows.length;
    const element = make('div', 'grid-row', { role: 'row' });
    const name = make('div', 'grid-name', { role: 'rowheader', id: `${this.#id}-n${number}`, 'aria-colindex': '1' });
    element.append(name);
    this.#size.append(element);
    this.#rows.push({ element, name, number, cells: [], seen: {} });
  }

  // The accessible name of a cell consists of its current student and column.
  #addCell(slot) {
    const id = `${this.#id}-${slot.number}-${slot.cells.length}`;
    const element = make('div', 'grid-cell', {
      role: 'gridcell', id, 'aria-labelledby': `${this.#id}-n${slot.number} ${this.#id}-h${slot.cells.length} ${id}`,
    });
    slot.element.append(element);
    slot.cells.push({ element, seen: {} });
  }

  #ask() {
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = null;
      this.#draw();
    });
  }

  // The place where the pool begins; nothing is written while it stays the same.
  #begin() {
    const { scrollTop, scrollLeft } = this.#root;
    const { row, column } = this.#units;
    const at = (scroll, size, spare, pool, count) =>
      Math.max(0, Math.min(Math.floor(scroll / size) - spare, count - pool));
    return {
      row: at(scrollTop, row, SPARE.rows, this.#pool.rows, this.#model.order.length),
      column: at(scrollLeft, column, SPARE.columns, this.#pool.columns, this.#model.columns.length),
    };
  }

  #draw() {
    if (!this.#root) return;
    const first = this.#begin();
    if (!this.#isStale && first.row === this.#first.row && first.column === this.#first.column) return;
    this.#first = first;
    if (this.#editor) this.#keepEditor(this.#deps.editorPlace());
    const had = this.#hasFocus && !this.#editor;
    if (this.#isStale) this.#drawFrame();
    this.#isStale = false;
    this.#drawHead();
    for (const slot of this.#rows) this.#drawRow(slot);
    this.#place(had);
  }

  // The editor stays in the cell in which it was opened, wherever that is now; if the cell is out of sight, the text is
  // entered.
  #keepEditor(place) {
    const cell = place && this.#element(place.row, place.column);
    const { input } = this.#editor;
    if (!cell || cell === this.#root) return this.commit(null);
    if (cell === this.#editor.cell) return null;
    const { selectionStart, selectionEnd } = input;
    const had = document.activeElement === input;
    this.#editor.cell.classList.remove('editing');
    this.#isMoving = true;
    cell.classList.add('editing');
    cell.append(input);
    if (had) input.focus({ preventScroll: true });
    input.setSelectionRange(selectionStart, selectionEnd);
    this.#isMoving = false;
    this.#editor = { input, cell };
    return null;
  }

  #drawFrame() {
    const { order, columns } = this.#model;
    const { row, column, names, head } = this.#units;
    set(this.#root, {
      'aria-label': this.#deps.label(), 'aria-rowcount': order.length + 1, 'aria-colcount': columns.length + 1,
    });
    this.#size.style.width = `${names + columns.length * column}px`;
    this.#size.style.height = `${head + order.length * row}px`;
    this.#corner.textContent = this.#deps.corner();
  }

  // The number of the item that a slot shows. An item's slot is its number modulo the size of the pool, so that what
  // stays visible stays in its element.
  #numberIn(slot, first, pool, count) {
    const number = first + ((((slot - first) % pool) + pool) % pool);
    return number < count ? number : null;
  }

  #drawHead() {
    const { columns } = this.#model;
    for (const [slot, { element, parts, seen }] of this.#heads.entries()) {
      const number = this.#numberIn(slot, this.#first.column, this.#pool.columns, columns.length);
      element.hidden = number === null;
      if (number === null) continue;
      const { title, above, below, mark, sorted, rank } = this.#deps.head(columns[number]);
      if (differs(seen, { number, title, above, below, mark, sorted, rank })) {
        element.style.transform = `translateX(${this.#units.names + number * this.#units.column}px)`;
        for (const [index, text] of [above, title, below].entries()) parts[index].textContent = text;
        set(element, {
          'aria-colindex': number + 2, 'data-mark': mark, title: [above, title, below].filter(Boolean).join(' · '),
          'aria-sort': sorted, 'data-rank': rank,
        });
      }
    }
  }

  #drawRow(slot) {
    const { order } = this.#model;
    const number = this.#numberIn(slot.number, this.#first.row, this.#pool.rows, order.length);
    slot.element.hidden = number === null;
    slot.index = number;
    if (number === null) return;
    const row = order[number];
    const { text, mark, note = null } = this.#deps.name(row);
    if (differs(slot.seen, { number, text, mark, note })) {
      slot.element.style.transform = `translateY(${this.#units.head + number * this.#units.row}px)`;
      slot.name.textContent = text;
      set(slot.element, { 'aria-rowindex': number + 2, 'data-mark': mark, 'data-even': number % 2 === 0 ? '' : null });
      set(slot.name, { title: note ? t('field.is', { name: text, value: note }) : text, 'aria-description': note });
    }
    for (const [index, cell] of slot.cells.entries()) this.#drawCell(cell, index, row, number);
  }

  #drawCell({ element, seen }, slot, row, number) {
    const { columns } = this.#model;
    const place = this.#numberIn(slot, this.#first.column, this.#pool.columns, columns.length);
    element.hidden = place === null;
    if (place === null || this.#editor?.cell === element) return;
    const column = columns[place];
    const {
      text, state = null, note = null, kind = null, isFrozen = false, notes = null, low = null, people = [],
    } = this.#deps.cell(row, column);
    const isSelected = this.#model.isSelected(number, place);
    const tag = people.length > 0 ? people.map(({ initials }) => initials).join(' ') : null;
    const colour = people[0]?.colour ?? null;
    if (!differs(seen, { place, text, state, note, kind, isFrozen, notes, low, isSelected, tag, colour })) return;
    element.style.transform = `translateX(${this.#units.names + place * this.#units.column}px)`;
    element.textContent = text;
    set(element, {
      'aria-colindex': place + 2, 'data-state': state, 'data-kind': kind, 'data-notes': notes,
      'data-low': low && 'true', title: note, 'aria-selected': isSelected ? 'true' : null,
      'aria-readonly': isFrozen ? 'true' : null,
      'aria-invalid': ['refused', 'doubtful', 'conflict', 'moved'].includes(state) ? 'true' : null,
      'aria-description': note, 'data-tag': tag, 'data-colour': colour,
    });
  }

  #element(row, column) {
    if (!this.#root) return null;
    if (row === HEADER && column === HEADER) return this.#corner;
    const slotOf = (number, pool) => number % pool;
    const isThere = (number, first, pool) => number >= first && number < first + pool;
    if (row === HEADER) {
      return isThere(column, this.#first.column, this.#pool.columns)
        ? this.#heads[slotOf(column, this.#pool.columns)].element
        : null;
    }
    if (!isThere(row, this.#first.row, this.#pool.rows)) return null;
    const slot = this.#rows[slotOf(row, this.#pool.rows)];
    if (column === HEADER) return slot.name;
    return isThere(column, this.#first.column, this.#pool.columns)
      ? slot.cells[slotOf(column, this.#pool.columns)].element
      : null;
  }

  // The one element that can have the focus; the grid itself while the active cell is not drawn.
  #place(isFocused) {
    const { row, column } = this.#model.active;
    const element = this.#element(row, column) ?? this.#root;
    const before = this.#root.querySelector('.active');
    if (before !== element) {
      before?.classList.remove('active');
      before?.removeAttribute('tabindex');
    }
    this.#root.setAttribute('tabindex', element === this.#root ? '0' : '-1');
    if (element !== this.#root) {
      element.classList.add('active');
      element.setAttribute('tabindex', '0');
    }
    if (isFocused && document.activeElement !== element && !this.#editor) element.focus({ preventScroll: true });
  }

  // Scrolls just enough to bring the active cell out from under names, headers and edges.
  #reveal() {
    const root = this.#root;
    if (!root) return;
    const { row, column } = this.#model.active;
    const { row: high, column: wide, names, head } = this.#units;
    if (row >= 0) {
      const [top, space] = [row * high, root.clientHeight - head];
      if (top < root.scrollTop) root.scrollTop = top;
      else if (top + high > root.scrollTop + space) root.scrollTop = top + high - space;
    }
    if (column >= 0) {
      const [left, space] = [column * wide, root.clientWidth - names];
      if (left < root.scrollLeft) root.scrollLeft = left;
      else if (left + wide > root.scrollLeft + space) root.scrollLeft = left + wide - space;
    }
  }

  /** The number of rows that are visible at once. */
  get pageLength() {
    return Math.max(1, Math.floor((this.#root.clientHeight - this.#units.head) / this.#units.row) - 1);
  }
}
