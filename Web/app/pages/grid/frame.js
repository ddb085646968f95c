// The grid in its page: translates keys into actions, and shows the search field, the effect of a paste, and why a cell
// was not taken.

import { MOST } from '../../core/edits/cellRules.js';
import { h } from '../../core/page/dom.js';
import { sentences, t } from '../../core/text/i18n.js';
import { besides, onMenu } from '../../parts/frame/contextMenu.js';
import { gridMenu } from './cellMenu.js';
import { copyText, pasteCopied, toTSV } from './clipboard.js';
import { headOf, takesNumbers } from './columns.js';
import { commandOf } from './keys.js';
import { riskText } from './risk.js';
import { HEADER } from './model.js';
import { cellNote, planBar } from './overGrid.js';
import { Paper } from './paper.js';
import { countsText, fateOf, planOfText } from './paste.js';
import { enterSections } from './placing.js';
import { troubleNote } from './trouble.js';
import { GridView } from './view.js';

let made = 0;

export class GridFrame {
  // A page that is opened again gets new elements.
  #made = `grid ${made += 1}`;
  #desk;
  #opens;
  #view;
  #paper;
  #plan = null;
  #planned = new Map();
  #frame = null;
  #isDense = false;
  #query = '';
  // The cell that is being edited, with its state when editing began: a change that arrives meanwhile is a conflict.
  #target = null;

  /** `opens` has the functions that open a column, a student, the keys, and so on. */
  constructor(desk, opens) {
    this.#desk = desk;
    this.#opens = opens;
    this.#view = new GridView({
      model: desk.model,
      label: () => desk.taught.title,
      corner: () => t('program.student'),
      isDense: () => desk.model.arrangement.isDense,
      head: column => headOf(column, desk.model.sort),
      name: row => ({
        text: desk.model.nameOf(row), mark: row.risk.length > 0 ? 'risk' : null,
        note: row.risk.length > 0 ? riskText(row.risk) : null,
      }),
      cell: (row, column) => this.#cell(row, column),
      onKey: event => this.#key(event),
      onOpen: (place, event) => this.#openAt(place, event),
      onMove: () => {
        desk.asked = null;
        this.#tellWhere();
        desk.redraw();
      },
      editorPlace: () => this.#placeOf(this.#target),
      onCommit: (text, then) => this.#commit(text, then),
      onCancel: () => this.#tellWhere(),
      onClipboard: event => this.#clipboard(event),
      onScroll: () => desk.contents.trouble(desk.model.activeRow, desk.model.activeColumn) && desk.redraw(),
    });
    this.#paper = new Paper({
      title: () => desk.taught.title, model: desk.model, head: column => headOf(column, desk.model.sort),
      text: desk.contents.text,
    });
  }

  get #place() {
    const { activeRow: row, activeColumn: column } = this.#desk.model;
    return row && column ? { row, column } : null;
  }

  // Shows others in which cell the user works.
  #tellWhere(isEditing = this.#view.isEditing) {
    this.#desk.presence.at(this.#place?.row ?? null, this.#place?.column ?? null, isEditing);
  }

  // The current place of a row and a column; null if one of them is not shown.
  #placeOf(target) {
    const { order, columns } = this.#desk.model;
    const row = order.findIndex(({ id }) => id === target?.row.id);
    const column = columns.findIndex(({ key }) => key === target?.column.key);
    return row >= 0 && column >= 0 ? { row, column } : null;
  }

  update() {
    const { isDense } = this.#desk.model.arrangement;
    if (this.#frame && isDense !== this.#isDense) {
      // The sizes of a grid are fixed when it is created.
      this.#isDense = isDense;
      this.leave();
      this.#view.detach();
      this.#view.attach(this.#frame.querySelector('.grid-host'));
    }
    this.#view.update();
  }

  /** Enters what is being typed, because the page closes. */
  leave() {
    if (this.#view.isEditing) this.#view.commit(null);
  }

  /** Goes to the cell of a row and a column; removes filters that hide one of them. */
  go(place) {
    const { model } = this.#desk;
    const isShown = () => model.order.some(({ id }) => id === place.row.id);
    if (!isShown()) this.#find('');
    if (!isShown()) this.#opens.arrange({ only: new Set(), below: [], section: null });
    const { hidden } = model.arrangement;
    if (hidden.has(place.column.key)) {
      this.#opens.arrange({ hidden: new Set([...hidden].filter(key => key !== place.column.key)) });
    }
    const found = this.#placeOf(place);
    if (!found) return;
    model.go(found.row, found.column);
    this.#view.focus();
    this.#desk.redraw();
  }

  view() {
    return h('div', {
      class: 'grid-frame', key: this.#made,
      onMount: element => {
        this.#frame = element;
        this.#isDense = this.#desk.model.arrangement.isDense;
        const host = element.querySelector('.grid-host');
        this.#view.attach(host);
        onMenu(host, (target, at) => {
          const place = target.tagName === 'INPUT' ? null : this.#view.placeOf(target);
          return place !== null && this.#openMenu(place, at);
        });
        this.#paper.attach(element.querySelector('.grid-paper'));
      },
      onUnmount: () => {
        this.leave();
        this.#paper.detach();
        this.#frame = null;
        this.#view.detach();
      },
    },
    h('div', { class: 'grid-host', key: 'host' }),
    h('div', { class: 'grid-paper on-paper', key: 'paper' }),
    this.#plan && planBar(this.#plan, isConfirmed => this.#enterPlan(isConfirmed), () => this.#dropPlan()),
    this.#note());
  }

  /** The field that finds students and columns. */
  search() {
    const { model } = this.#desk;
    return h('input', {
      key: 'find', class: 'grid-find', type: 'search', autocomplete: 'off', placeholder: t('grid.find'),
      'aria-label': t('grid.find'), value: this.#query,
      oninput: event => this.#find(event.target.value),
      onkeydown: event => {
        if (event.isComposing || !['Enter', 'Escape', 'ArrowDown'].includes(event.key)) return;
        event.preventDefault();
        if (event.key === 'Escape') this.#find('');
        if (model.order.length > 0 && model.active.row < 0) model.go(0, model.active.column);
        this.#view.focus();
      },
    });
  }

  // Filters students by name; a text that is in no name finds a column.
  #find(text) {
    const { model } = this.#desk;
    this.#query = text;
    model.setFilter(text);
    if (model.order.length === 0 && model.rows.size > 0) {
      model.setFilter('');
      const place = model.find(text);
      if (place) model.go(Math.max(0, place.row), place.column);
      this.#desk.say(place ? '' : t('grid.notFound'));
    } else if (text !== '' && model.order.length > 0) model.go(0, Math.max(0, model.active.column));
    this.#view.follow();
  }

  #cell(row, column) {
    const planned = this.#planned.get(`${row.id}/${column.key}`);
    const own = this.#desk.contents.look(row, column);
    own.note = [own.note, own.low, own.notes && t('comments.count', { count: own.notes })].filter(Boolean).join(' · ')
      || null;
    const look = this.#peopled(own, row, column);
    return planned
      ? { ...look, low: null, text: planned.text, state: `paste-${planned.kind}`, note: fateOf(planned) }
      : look;
  }

  #peopled(look, row, column) {
    const { presence } = this.#desk;
    const people = presence.in(row, column);
    if (people.length === 0) return look;
    return { ...look, people, note: sentences([look.note, presence.noteOf(people)]) };
  }

  #key(event) {
    const { model } = this.#desk;
    const column = model.activeColumn;
    const isCell = model.active.row >= 0 && Boolean(column);
    const letters = isCell && !column.figure && !takesNumbers(column);
    const command = commandOf(event, { isEditing: this.#view.isEditing, isPaste: this.#plan !== null, letters });
    if (!command) return;
    // The key that begins to type goes into the editor that opens for it.
    if (command.name !== 'type') event.preventDefault();
    this.#do(command);
  }

  #do(command) {
    const { model } = this.#desk;
    const { down = 0, right = 0, extend = false } = command;
    switch (command.name) {
      case 'move': return this.#move(() => model.move(down, right, { extend }));
      case 'edge': return this.#move(() => model.jump(down, right, { extend }));
      case 'rowStart': case 'rowEnd': case 'begin': case 'end': return this.#move(() =>
        model.goTo(command.name, { extend }));
      case 'page': return this.#move(() => model.move(down * this.#view.pageLength, 0, { extend }));
      case 'selectAll': return this.#move(() => model.goTo('begin').goTo('end', { extend: true }));
      case 'commit': return this.#view.commit({ down, right });
      case 'cancel': return this.#view.cancel();
      case 'enter': return this.#enter(down);
      case 'menu': return this.#openMenu(model.active, besides(document.activeElement));
      case 'column': return this.#opens.openColumn(model.activeColumn);
      case 'copy': return copyText(this.#desk, toTSV(this.#table),
        t('grid.copied', { count: this.#table.flat().length }));
      case 'paste': return pasteCopied(this.#desk, this.#view, text => this.#paste(text));
      case 'type': return this.#edit('');
      case 'edit': return this.#openAt(model.active);
      case 'giveUp': return this.#giveUp();
      case 'clear': return this.#desk.entry.clear(this.#selected());
      case 'status': return this.#status(command.status);
      case 'comment': return this.#about(this.#opens.openComments);
      case 'history': return this.#about(this.#opens.openHistory);
      case 'fillDown': return this.#desk.entry.enterAll(model.below().map(({ from, ...place }) =>
        ({ ...place, text: this.#desk.contents.text(from, place.column) })));
      case 'undo': return this.#desk.entry.undo();
      case 'redo': return this.#desk.entry.redo();
      case 'find': return document.querySelector('.grid-find')?.focus();
      case 'help': return this.#opens.openKeys();
      case 'pasteEnter': return this.#enterPlan();
      case 'pasteCancel': return this.#dropPlan();
      default: return null;
    }
  }

  #move(act) {
    act();
    this.#view.follow();
  }

  #enter(down) {
    const { model } = this.#desk;
    const { row, column } = model.active;
    if (row === HEADER || column === HEADER) return this.#openAt({ row, column });
    if (!this.#isDecided()) return null;
    return this.#move(() => model.move(down, 0));
  }

  // The first Enter asks about a doubtful result; the second confirms it.
  #isDecided() {
    const { row, column } = this.#place;
    const key = `${row.id}/${column.key}`;
    if (!this.#desk.contents.isDoubtful(row, column)) return true;
    if (this.#desk.asked === key) {
      this.#desk.entry.decide(row, column, true);
      return true;
    }
    this.#desk.asked = key;
    this.#desk.say(sentences([this.#desk.contents.look(row, column).note, t('doubtful.keys')]));
    return false;
  }

  #openAt({ row, column }, event = null) {
    const { model } = this.#desk;
    if (row >= 0 && column >= 0) return this.#edit(this.#desk.contents.text(model.order[row], model.columns[column]));
    if (row >= 0) return event?.type === 'click' && event.detail < 2 ? null : this.#opens.openStudent(model.order[row]);
    if (column >= 0) return model.columns[column] && this.#opens.openColumn(model.columns[column]);
    this.#opens.arrange({ sort: [] });
    return this.#view.follow();
  }

  // While a paste is shown, nothing can be edited.
  #edit(text) {
    const place = this.#place;
    if (place?.column.figure && this.#desk.permissions.mayTeach && !this.#plan) {
      return this.#opens.openOverride(place.row, place.column);
    }
    if (!place?.column.line || this.#plan) return;
    if (place.column.isAnonymous) return this.#opens.openMarking(place.column);
    if (this.#desk.permissions.mayCorrect) return this.#opens.openCorrection(place.row, place.column);
    if (!this.#desk.permissions.mayGrade) return;
    if (place.column.isLocked) return this.#desk.say(t('grid.locked'));
    this.#view.follow();
    this.#target = this.#desk.entry.target(place.row, place.column, text);
    this.#view.edit(text, {
      label: t('grid.cellOf', { name: place.row.name, title: place.column.title }),
      mode: takesNumbers(place.column) ? 'decimal' : null,
    });
    this.#tellWhere(true);
  }

  #commit(text, then) {
    const { model } = this.#desk;
    const target = this.#target;
    const isThere = this.#placeOf(target) !== null;
    this.#target = null;
    this.#desk.entry.enter(target, text);
    this.#tellWhere(false);
    // Also from a doubtful result: users who type without looking would enter the following ones a row too high.
    if (then && isThere) this.#move(() => model.move(then.down, then.right));
    else this.#view.update();
  }

  // Returns whether there is a menu. The selection stays if the menu is requested inside it.
  #openMenu({ row, column }, at) {
    const { model } = this.#desk;
    if (this.#plan || (row === HEADER && column === HEADER)) return false;
    if (!model.isSelected(row, column)) model.go(row, column);
    this.#view.focus();
    this.#view.follow();
    if (row !== HEADER) {
      const places = column === HEADER ? [] : [this.#place, ...this.#selected()];
      this.#opens.openMenu({
        ...gridMenu(this.#desk, model.order[row], places, command => this.#do(command), this.#opens), at,
        back: () => this.#view.focus(),
      });
    } else this.#openAt({ row, column });
    return true;
  }

  /** Puts the focus into the active cell, if there is one. */
  takeFocus() {
    if (!this.#place) this.#desk.model.go(0, 0);
    if (!this.#place) return false;
    this.#view.focus();
    return true;
  }

  #giveUp() {
    const place = this.#place;
    if (place && this.#desk.contents.trouble(place.row, place.column)) this.#desk.entry.clear([place]);
  }

  #selected = () => this.#desk.model.selected.flat().filter(({ row, column }) => row && column?.line);

  #status(status) {
    if (!this.#desk.entry.setStatus(this.#selected(), status)) this.#desk.say(t('grid.noStatus'));
  }

  // Opening a sheet about a cell enters what is being typed.
  #about(open) {
    const place = this.#place;
    if (!place || (!place.column.line && open !== this.#opens.openHistory) || place.column.isAnonymous || this.#plan) {
      return;
    }
    if (open === this.#opens.openComments && !place.column.takesComments) return;
    if (this.#view.isEditing) this.#view.commit(null);
    open(place.row, place.column);
  }

  // The selection, as it is copied.
  get #table() {
    return this.#desk.model.selected.map(line => line.map(({ row, column }) => this.#desk.contents.text(row, column)));
  }

  #clipboard(event) {
    event.preventDefault();
    if (event.type === 'paste') return this.#paste(event.clipboardData.getData('text/plain'));
    const table = this.#table;
    event.clipboardData.setData('text/plain', toTSV(table));
    const count = table.flat().length;
    const isCut = event.type === 'cut' && this.#desk.entry.clear(this.#selected()) > 0;
    return this.#desk.say(t(isCut ? 'grid.cut' : 'grid.copied', { count }));
  }

  #paste(text) {
    const { model } = this.#desk;
    if (!this.#desk.permissions.mayGrade || model.order.length === 0) return;
    if (text === '') return this.#desk.say(t('paste.nothing'));
    if (model.active.row < 0 || model.active.column < 0) {
      model.go(Math.max(0, model.active.row), Math.max(0, model.active.column));
    }
    const plan = planOfText(this.#desk, text);
    return plan ? this.show(plan) : this.#desk.say(t('paste.tooMuch', { most: MOST }), 'bad');
  }

  /** Shows what a paste or a file would do, until it is entered or given up. */
  show(plan) {
    this.#plan = plan;
    this.#planned = new Map(this.#plan.cells.map(cell => [`${cell.row.id}/${cell.column.key}`, cell]));
    this.#desk.say(countsText(plan));
    this.#view.follow();
  }

  /** Shows what a file would do. The sheet in which it was chosen first closes and gives the focus back. */
  showFile(plan) {
    this.show(plan);
    requestAnimationFrame(() => requestAnimationFrame(() => this.#view.focus()));
  }

  #enterPlan(isConfirmed = false) {
    const plan = { ...this.#plan, isConfirmed };
    this.#dropPlan();
    this.#desk.entry.enterPlan(plan);
    if (plan.sections) enterSections(this.#desk, plan.sections);
  }

  #dropPlan() {
    this.#plan = null;
    this.#planned = new Map();
    this.#view.focus();
    this.#desk.redraw();
  }

  #note() {
    const place = this.#place;
    const content = place && !this.#plan && troubleNote(this.#desk, place.row, place.column, () => this.#view.focus());
    if (!content || !this.#frame || this.#view.isEditing) return null;
    const box = this.#view.boxOf(this.#desk.model.active);
    return box && cellNote(content, box, this.#frame.getBoundingClientRect());
  }
}

