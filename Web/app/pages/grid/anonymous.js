// A column that is marked anonymously: its work by codes, in their own order. Each result is entered when the user
// leaves its field; a result that is not taken stays there with the reason.

import { Problem } from '../../core/net/http.js';
import { h } from '../../core/page/dom.js';
import { sentences, t, toInput } from '../../core/text/i18n.js';
import { statusText } from '../../core/text/statuses.js';
import { problemText } from '../../parts/frame/problem.js';
import { cellText, empty, readTyped, seenIn } from './cells.js';
import { scaleText, takesNumbers } from './columns.js';
import { commandOf } from './keys.js';

export class AnonymousMarking {
  #desk;
  #line = null;
  #version = 0;
  #s = 0;
  #rows = [];
  #error = null;
  // By code: what is typed, and why it was not taken.
  #typed = new Map();
  #faults = new Map();
  // The texts that the user has to confirm.
  #asked = new Map();
  #isReading = false;

  constructor(desk) {
    this.#desk = desk;
  }

  /** The introduction to the column, and its work; it is read again when the class has changed. */
  view(column, about) {
    if (this.#line !== column.line) this.#begin(column.line);
    if (!this.#isReading && this.#version < this.#desk.version) this.#read(column);
    const done = this.#rows.filter(({ cell }) => cellText(column, cell) !== '').length;
    return [
      h('p', { key: 'about', class: 'banner' }, t('anonymous.about')),
      h('p', { key: 'done', class: 'muted' },
        [scaleText(column), t('anonymous.entered', { count: done })].filter(Boolean).join(' · ')),
      about,
      this.#error && h('p', { key: 'error', class: 'alert', role: 'alert' }, problemText(this.#error)),
      h('ol', { key: 'codes', class: 'marks' }, this.#rows.map((row, index) => this.#item(row, column, index))),
    ];
  }

  #begin(line) {
    this.#line = line;
    this.#version = 0;
    this.#rows = [];
    this.#typed.clear();
    this.#faults.clear();
    this.#asked.clear();
  }

  get #path() {
    return `${this.#desk.path}/marking/${this.#line}`;
  }

  async #read(column) {
    this.#isReading = true;
    const wanted = this.#desk.version;
    try {
      const { body } = await this.#desk.app.http.get(this.#path);
      if (body.line === this.#line && body.codes) {
        this.#rows = body.codes.map(({ code, cell }) => ({ code, cell: cellOf(cell, column, this.#desk) }));
        this.#s = body.s;
      }
      this.#version = Math.max(wanted, body.v);
      this.#error = null;
    } catch (error) {
      this.#version = wanted;
      this.#error = error;
    }
    this.#isReading = false;
    this.#desk.redraw();
  }

  #item({ code, cell }, column, index) {
    const id = `code-${index}`;
    const fault = this.#faults.get(code) ?? null;
    const isFrozen = !this.#desk.permissions.mayGrade || column.isLocked;
    return h('li', { key: code, 'data-state': fault ? (this.#isAsked(code) ? 'doubtful' : 'refused') : null },
      h('label', { for: id }, h('code', null, code)),
      h('span', { class: 'mark-cell' },
        column.statuses.length > 0 && !isFrozen && h('select', {
          class: 'mark-status', 'aria-label': t('grid.statusOf', { name: code }),
          onchange: event => this.#put(code, column, { status: event.target.value || null }),
        }, h('option', { value: '', selected: cell.status === null },
        '–'), column.statuses.map(item =>
          h('option', { key: item, value: item, selected: item === cell.status }, statusText(item, column)))),
        h('input', {
          id, type: 'text', class: 'mark', autocomplete: 'off', readonly: isFrozen, 'data-index': index,
          inputmode: takesNumbers(column) ? 'decimal' : null,
          'aria-invalid': fault ? 'true' : null, 'aria-describedby': fault ? `${id}-note` : null,
          value: this.#typed.get(code) ?? cellText(column, cell),
          oninput: event => this.#typed.set(code, event.target.value),
          onfocus: event => this.#typed.has(code) || event.target.select(),
          onblur: event => document.activeElement === event.target || this.#enter(code, column),
          onkeydown: event => this.#key(event, code, column),
        }),
        column.best !== null && h('span', { class: 'muted', 'aria-hidden': 'true' }, `/ ${toInput(column.best)}`)),
      fault && h('div', { class: 'mark-note', id: `${id}-note` },
        h('p', null, fault),
        this.#isAsked(code) && h('button', {
          class: 'button small', type: 'button', onclick: () => this.#confirm(code, column),
        }, t('doubtful.yes', { value: this.#asked.get(code) }))));
  }

  #key(event, code, column) {
    const command = commandOf(event, { isEditing: true });
    if (!command || (command.name === 'commit' && event.key === 'Tab')) return;
    event.preventDefault();
    const input = event.target;
    if (command.name === 'cancel') {
      this.#typed.delete(code);
      this.#faults.delete(code);
      this.#asked.delete(code);
      this.#desk.redraw();
    } else if (command.name === 'status' && column.statuses.includes(command.status)) {
      this.#put(code, column, { status: this.#cell(code).status === command.status ? null : command.status });
    } else if (command.name === 'commit' && (event.key !== 'Enter' || this.#isDecided(code, column))) {
      const next = input.closest('.marks')
        .querySelector(`[data-index="${Number(input.dataset.index) + command.down}"]`);
      // Leaving the field enters the result.
      (next ?? input).focus();
      if (!next) this.#enter(code, column);
    }
  }

  #cell = code => this.#rows.find(row => row.code === code)?.cell ?? empty;

  // The result that is typed for a code, and the question about it, if any.
  #reading(code, column) {
    const read = readTyped(column, this.#typed.get(code), this.#cell(code));
    return {
      ...read, question: this.#desk.doubts.asker(() => this.#rows.map(({ cell }) => cell.value))(column, read.change),
    };
  }

  // The first Enter asks about a doubtful result; the second confirms it.
  #isDecided(code, column) {
    const text = this.#typed.get(code);
    if (text === undefined) return true;
    const { change, question } = this.#reading(code, column);
    if (question && this.#isAsked(code)) this.#desk.doubts.confirm(column, change);
    else if (question) {
      this.#ask(code, text, question);
      return false;
    }
    return true;
  }

  #isAsked = code => this.#asked.has(code) && this.#asked.get(code) === this.#typed.get(code);

  #ask(code, text, question) {
    this.#asked.set(code, text);
    this.#faults.set(code, question);
    this.#desk.say(sentences([question, t('doubtful.keys')]));
  }

  #confirm(code, column) {
    this.#desk.doubts.confirm(column, this.#reading(code, column).change);
    this.#enter(code, column);
  }

  #enter(code, column) {
    const text = this.#typed.get(code);
    if (text === undefined) return;
    const { change, fault, question } = this.#reading(code, column);
    this.#asked.delete(code);
    if (fault) this.#faults.set(code, fault);
    else if (question) this.#ask(code, text, question);
    else if (change === null) {
      this.#typed.delete(code);
      this.#faults.delete(code);
    } else this.#put(code, column, change);
    this.#desk.redraw();
  }

  async #put(code, column, change) {
    const typed = this.#typed.get(code);
    try {
      const cells = [{ code, ...change, was: seenIn(column, this.#cell(code)), s: this.#s }];
      await this.#desk.app.http.post(this.#path, { cells });
      if (this.#typed.get(code) === typed) this.#typed.delete(code);
      this.#faults.delete(code);
    } catch (error) {
      this.#faults.set(code, faultText(error, column));
    }
    this.#version = 0;
    this.#desk.redraw();
  }
}

function faultText(error, column) {
  const conflict = error instanceof Problem && error.faults?.find(fault => fault.code === 'cell_conflict');
  if (!conflict) return sentences((error.faults ?? []).map(fault => fault.message)) || problemText(error);
  return t('anonymous.conflict', { value: cellText(column, {
    ...empty, value: conflict.args?.value ?? null, status: conflict.args?.status ?? null,
  }) || t('grid.nothing') });
}

// A stored cell in the form in which the page works with it.
function cellOf(cell, column, desk) {
  if (!cell) return empty;
  const grade = desk.gradeOf(column.line);
  const { [grade]: value = null, ...fields } = cell.values ?? {};
  return {
    ...empty, value: value === null ? null : String(value), status: cell.status ?? null, late: cell.late ?? null,
    fields,
  };
}
