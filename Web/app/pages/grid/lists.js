// A class for marking, and for phones: one column with all its students, or one student with all columns. The cells and
// the keys are those of the grid.

import { h, named } from '../../core/page/dom.js';
import { sentences, t, toInput } from '../../core/text/i18n.js';
import { statusText } from '../../core/text/statuses.js';
import { besides, onMenu } from '../../parts/frame/contextMenu.js';
import { icon } from '../../parts/frame/icons.js';
import { AnonymousMarking } from './anonymous.js';
import { cellItems, studentItems } from './cellMenu.js';
import { cellText, valueText } from './cells.js';
import { copyText } from './clipboard.js';
import { scaleText, takesNumbers } from './columns.js';
import { asksForMenu, commandOf } from './keys.js';
import { troubleNote } from './trouble.js';

export class ClassLists {
  column = null;
  student = null;
  // What is being typed, `{target, text}`: it stays whatever arrives from elsewhere.
  #typing = null;
  // The places of the fields that are shown, by name.
  #places = new Map();
  #desk;
  #anonymous;
  #opens;

  /** `opens` has the functions that open the comments on a cell, its history, and a menu. */
  constructor(desk, opens) {
    this.#desk = desk;
    this.#anonymous = new AnonymousMarking(desk);
    this.#opens = opens;
  }

  /** Enters what is being typed, because its field disappears. */
  leave() {
    const { target, text } = this.#typing ?? {};
    this.#typing = null;
    if (target) this.#desk.entry.enter(target, text);
  }

  /** One column: a line for each student. `about` is the introduction to the column. */
  columnView(about) {
    const { model } = this.#desk;
    const columns = model.columns.filter(({ line }) => line);
    const column = columns.find(({ key }) => key === this.column) ?? columns[0];
    if (!column) return h('p', { class: 'empty' }, icon('grid'), t('class.noColumns'));
    const choices = columns.map(item => [item.key, [...item.path, item.title].join(' › ')]);
    const chooser = this.#chooser(t('grid.column'), choices, column.key, key => { this.column = key; });
    if (column.isAnonymous) {
      this.leave();
      const of = columns.find(({ line, field }) => line === column.line && field === null);
      return h('div', { class: 'marking', key: `codes-${column.line}` }, chooser, this.#anonymous.view(of, about(of)));
    }
    this.#keepTyping(target => target.column.key === column.key && model.order.some(({ id }) => id === target.row.id));
    const done = model.order.filter(row => cellText(column, this.#desk.contents.of(row, column)) !== '').length;
    return h('div', { class: 'marking', key: 'column' },
      chooser,
      h('div', { class: 'marking-about' },
        h('p', { class: 'muted' },
          [scaleText(column), t('grid.entered', { done, total: model.order.length })].filter(Boolean).join(' · ')),
        about(column)),
      h('ol', this.#marks(true), model.order.map((row, index) => this.#line(row, column, index, model.nameOf(row)))));
  }

  /** One student: a line for each column, and the figures. `part` shows the total. */
  studentView(part) {
    const { model } = this.#desk;
    const row = model.rows.get(this.student) ?? model.order[0];
    if (!row) return h('p', { class: 'empty' }, icon('people'), t('class.noStudents'));
    const columns = model.columns.filter(({ line, isAnonymous }) => line && !isAnonymous);
    this.#keepTyping(target => target.row.id === row.id && columns.some(({ key }) => key === target.column.key));
    return h('div', { class: 'marking', key: 'student' },
      this.#chooser(t('program.student'), model.order.map(item => [item.id, model.nameOf(item)]), row.id, id => {
        this.student = id;
      }),
      part(row),
      h('ol', this.#marks(),
        columns.map((column, index) => this.#line(row, column, index, [...column.path, column.title].join(' › ')))));
  }

  // A field may disappear while the user types in it.
  #keepTyping(isShown) {
    if (this.#typing && !isShown(this.#typing.target)) this.leave();
  }

  #isTyping = key => this.#typing !== null && key === `${this.#typing.target.row.id}/${this.#typing.target.column.key}`;

  #type(row, column, event) {
    if (!this.#isTyping(`${row.id}/${column.key}`)) {
      this.leave();
      // The text as it is now: the field may not have been drawn since it was taken back.
      this.#typing = { target: this.#desk.entry.target(row, column, this.#desk.contents.text(row, column)) };
    }
    this.#typing.text = event.target.value;
    this.#desk.presence.at(row, column, true);
  }

  #chooser(name, choices, chosen, choose) {
    const at = choices.findIndex(([value]) => value === chosen);
    const go = value => {
      this.leave();
      choose(value);
      this.#desk.redraw();
    };
    const step = (by, symbol, text) => h('button', {
      class: `round ${symbol}`, type: 'button', 'aria-label': text, title: text, disabled: !choices[at + by],
      onclick: () => go(choices[at + by][0]),
    }, icon('back'));
    return h('div', { class: 'chooser' },
      step(-1, 'previous', t('grid.previous')),
      h('select', { 'aria-label': name, onchange: event => go(event.target.value) },
        choices.map(([value, text]) => h('option', { key: value, value, selected: value === chosen }, text))),
      step(1, 'next', t('grid.next')));
  }

  // The lines of a view, with their menus; in the view of a column, the name is that of a student.
  #marks(ofColumn = false) {
    return {
      class: 'marks',
      onMount: element => onMenu(element, (target, at) => {
        const input = target.closest('li')?.querySelector('input.mark');
        // In a field with typed text, the browser's own menu opens.
        if (!input || (target === document.activeElement && this.#typing)) return false;
        return this.#openMenu(input, ofColumn && target.closest('label') !== null, at);
      }),
    };
  }

  #openMenu(input, isStudent, at) {
    const desk = this.#desk;
    const { row, column } = this.#places.get(input.id);
    const place = { row, column };
    const run = ({ name, status }) => {
      if (name === 'status') desk.entry.setStatus([place], status);
      else if (name === 'comment') this.#about(this.#opens.openComments, row, column);
      else if (name === 'history') this.#about(this.#opens.openHistory, row, column);
      else if (name === 'clear') desk.entry.clear([place]);
      else if (name === 'undo') desk.entry.undo();
      else if (name === 'copy') copyText(desk, desk.contents.text(row, column), t('grid.copied', { count: 1 }));
      desk.redraw();
    };
    this.#opens.openMenu({
      at, back: () => input.focus(),
      label: isStudent ? row.name : t('grid.cellOf', { name: row.name, title: column.title }),
      items: isStudent ? studentItems(desk, row, this.#opens) : cellItems(desk, [place], run),
    });
    return true;
  }

  #line(row, column, index, name) {
    const desk = this.#desk;
    const key = `${row.id}/${column.key}`;
    const { text, state, note: about, isFrozen, notes = 0, low } = desk.contents.look(row, column);
    // The choice beside the field shows the status.
    const people = desk.presence.in(row, column);
    const note = sentences([state === 'status' ? null : about, desk.presence.noteOf(people)]) || null;
    const status = desk.contents.of(row, column).status;
    const id = `mark-${index}`;
    this.#places.set(id, { row, column });
    const describedBy = [note && `${id}-note`, low && `${id}-low`].filter(Boolean).join(' ') || null;
    return h('li', { key, 'data-state': state },
      h('label', { for: id }, named(name)),
      people.map(person =>
        h('span', { key: person.account, class: 'person-tag', 'data-colour': person.colour, 'aria-hidden': 'true' },
          person.initials)),
      h('span', { class: 'mark-cell', 'data-low': low && 'true' },
        low && h('span', { key: 'low', class: 'visually-hidden', id: `${id}-low` }, low),
        column.statuses.length > 0 && !isFrozen && h('select', {
          class: 'mark-status', 'aria-label': t('grid.statusOf', { name }),
          onchange: event => this.#setStatus(row, column, event.target.value),
        }, h('option', { value: '', selected: status === null },
        '–'), column.statuses.map(item =>
          h('option', { key: item, value: item, selected: item === status }, statusText(item, column)))),
        h('input', {
          id, type: 'text', class: 'mark', autocomplete: 'off', readonly: isFrozen, 'data-index': index,
          inputmode: takesNumbers(column) ? 'decimal' : null,
          'aria-invalid': ['refused', 'doubtful', 'conflict', 'moved'].includes(state) ? 'true' : null,
          'aria-describedby': describedBy, title: low,
          value: this.#isTyping(key) ? this.#typing.text : text,
          oninput: event => this.#type(row, column, event),
          onfocus: event => {
            desk.presence.at(row, column);
            if (desk.asked !== key) desk.asked = null;
            if (!this.#isTyping(key)) event.target.select();
          },
          // If the window loses the focus, the field keeps it inside the page, and the text is not entered yet.
          onblur: event => document.activeElement === event.target || this.#commit(key),
          onkeydown: event => this.#key(event, row, column),
        }),
        column.best !== null && takesNumbers(column) && h('span', { class: 'muted', 'aria-hidden': 'true' },
          `/ ${toInput(column.best)}`),
        column.field === null && this.#commentsButton(row, column, name, notes)),
      note && h('div', { class: 'mark-note', id: `${id}-note` }, troubleNote(desk, row, column) ?? h('p', null, note)));
  }

  #commentsButton(row, column, name, notes) {
    const text = [t('comments.of', { name }), notes > 0 && t('comments.count', { count: notes })].filter(Boolean)
      .join(' · ');
    return h('button', {
      class: 'round comments-button', type: 'button', 'aria-label': text, title: text,
      onclick: () => this.#about(this.#opens.openComments, row, column),
    },
      icon('comment'), notes > 0 && h('span', { 'aria-hidden': 'true' }, String(notes)));
  }

  #about(open, row, column) {
    if (open === this.#opens.openComments && !column.takesComments) return;
    this.leave();
    open(row, column);
  }

  #commit(key) {
    if (this.#isTyping(key)) this.leave();
    this.#desk.redraw();
  }

  #setStatus(row, column, status) {
    const now = this.#desk.contents.of(row, column).status;
    if (status !== '') this.#desk.entry.setStatus([{ row, column }], status);
    else if (now) this.#desk.entry.setStatus([{ row, column }], now);
    this.#desk.redraw();
  }

  #key(event, row, column) {
    if (asksForMenu(event) && !this.#isTyping(`${row.id}/${column.key}`)) {
      event.preventDefault();
      this.#openMenu(event.target, false, besides(event.target));
      return;
    }
    const command = commandOf(event, { isEditing: true });
    if (!command || (command.name === 'commit' && event.key === 'Tab')) return;
    event.preventDefault();
    const input = event.target;
    if (command.name === 'cancel') {
      if (!this.#isTyping(`${row.id}/${column.key}`) && this.#desk.contents.isDoubtful(row, column)) {
        this.#desk.entry.decide(row, column, false);
      }
      this.#typing = null;
      input.value = this.#desk.contents.text(row, column);
    } else if (command.name === 'comment') this.#about(this.#opens.openComments, row, column);
    else if (command.name === 'history') this.#about(this.#opens.openHistory, row, column);
    else if (command.name === 'status') this.#desk.entry.setStatus([{ row, column }], command.status);
    else if (event.key !== 'Enter' || this.#isDecided(row, column, input)) this.#go(input, command.down);
    this.#desk.redraw();
  }

  // A doubtful result is asked about where it was typed; a second Enter confirms it.
  #isDecided(row, column, input) {
    const isAsked = !this.#isTyping(`${row.id}/${column.key}`) && this.#desk.contents.isDoubtful(row, column);
    if (isAsked) this.#desk.entry.decide(row, column, true);
    else this.leave();
    const isOpen = this.#desk.contents.isDoubtful(row, column);
    this.#desk.asked = isOpen ? `${row.id}/${column.key}` : null;
    if (isOpen) {
      requestAnimationFrame(() => requestAnimationFrame(() => input.closest('li').scrollIntoView({ block: 'center' })));
    }
    return !isOpen;
  }

  // Leaving the field enters the result.
  #go(input, down) {
    const next = input.closest('.marks').querySelector(`[data-index="${Number(input.dataset.index) + down}"]`);
    if (next) next.focus();
    else input.blur();
    if (!next) input.focus();
  }
}

/** The figures of a row in words, for the view of one student. */
export const figureLine = (desk, row) => h('dl', { class: 'facts-list' },
  desk.model.all.filter(({ figure }) => figure).map(column => h('div', { key: column.key },
    h('dt', null, column.title), h('dd', null, desk.contents.look(row, column).text || valueText(column, '–')))));
