// A sheet that replaces a table: pasted or from a file, read by the server, shown with the changes that it would make,
// and put into the text as an edit that can be undone.

import { h } from '../../core/page/dom.js';
import { label, t } from '../../core/text/i18n.js';
import { dialog } from '../../parts/frame/dialog.js';
import { problemText } from '../../parts/frame/problem.js';
import { differences } from './comparison.js';
import { placesOf } from './source.js';

// The number of bytes that the server reads, and the greatest number of bad cells that are listed at once.
const MOST_BYTES = 256 << 10;
const MOST_FAULTS = 20;

export class Sheet {
  #editor;
  #declaration;
  #close;
  #cells = '';
  #document = '';
  #answer = null;
  #problem = null;
  #asked = 0;

  constructor(editor, declaration, close) {
    this.#editor = editor;
    this.#declaration = declaration;
    this.#close = () => {
      this.#asked += 1;
      close();
    };
  }

  view() {
    const name = label(this.#declaration.label, this.#declaration.name);
    return dialog({
      key: 'sheet', title: t('regulation.sheet.title', { name }), close: this.#close, className: 'comparison',
    },
      h('p', { class: 'help' }, t('regulation.sheet.help')),
      h('div', { class: 'form' },
        h('label', { class: 'field' }, t('regulation.sheet.cells'),
          h('textarea', {
            rows: '6', spellcheck: 'false', autocomplete: 'off', initial: this.#cells,
            onchange: event => this.#take(event.target.value),
          })),
        h('label', { class: 'field' }, t('regulation.sheet.file'),
          h('input', {
            type: 'file', accept: '.csv,.tsv,.txt,text/csv,text/plain',
            onchange: event => this.#read(event.target.files[0]),
          }))),
      this.#problem && h('p', { key: 'problem', class: 'alert', role: 'alert' }, this.#problem),
      h('div', { key: 'answer', role: 'status' }, this.#answer && this.#echo()),
      this.#answer?.edit
        && differences(this.#document, this.#after(), [t('regulation.now'), t('regulation.sheet.then')]),
      h('div', { class: 'actions' },
        h('button', { type: 'button', class: 'button', disabled: !this.#answer?.edit, onclick: () => this.#put() },
          t('regulation.sheet.put')),
        h('button', { type: 'button', class: 'button quiet', onclick: this.#close }, t('action.cancel'))));
  }

  #echo() {
    const { separator, decimalComma, rows, columns, faults } = this.#answer;
    const left = faults.length - MOST_FAULTS;
    return [
      h('p', { key: 'read', class: 'muted' }, t('regulation.sheet.read', {
        separator: t(`regulation.sheet.${separator}`),
        decimal: t(decimalComma ? 'regulation.sheet.decimalComma' : 'regulation.sheet.decimalPoint'), rows, columns,
      })),
      faults.length > 0 && h('ul', { key: 'faults' },
        faults.slice(0, MOST_FAULTS).map((fault, index) => h('li', { key: index, class: 'fault' },
          fault.column
            ? t('regulation.sheet.cellFault', { line: fault.line, column: fault.column, text: label(fault.message) })
            : label(fault.message)))),
      left > 0 && h('p', { key: 'left', class: 'muted' }, t('regulation.sheet.moreFaults', { count: left })),
    ];
  }

  async #read(file) {
    if (!file) return;
    if (file.size > MOST_BYTES) {
      this.#answer = null;
      this.#problem = t('regulation.sheet.tooLarge');
      this.#editor.app.redraw();
      return;
    }
    await this.#take(await file.text());
  }

  async #take(cells) {
    const asked = (this.#asked += 1);
    this.#cells = cells;
    this.#document = this.#editor.text;
    let [answer, problem] = [null, null];
    try {
      if (cells.trim() !== '') {
        const { body } = await this.#editor.app.http.post('/v1/regulations/check', {
          document: this.#document, examples: false, laws: false, table: { name: this.#declaration.name, text: cells },
        });
        answer = body.table;
      }
    } catch (error) {
      problem = problemText(error);
    }
    if (asked !== this.#asked) return;
    [this.#answer, this.#problem] = [answer, problem];
    this.#editor.app.redraw();
  }

  #range() {
    const place = placesOf(this.#document);
    return this.#answer.edit.range.map(place);
  }

  #after() {
    const [start, end] = this.#range();
    return this.#document.slice(0, start) + this.#answer.edit.replacement + this.#document.slice(end);
  }

  #put() {
    const [start, end] = this.#range();
    const { replacement } = this.#answer.edit;
    this.#close();
    // The dialog is modal, so the text has not changed.
    requestAnimationFrame(() => this.#editor.replace(start, end, replacement));
  }
}
