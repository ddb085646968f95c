// The form for an import: a file or pasted text, its format, and whether results stay hidden until they are released.

import { h } from '../../core/page/dom.js';
import { t } from '../../core/text/i18n.js';
import { Form } from '../frame/form.js';

const LIMIT = 20 * 1024 * 1024;
const types = { csv: 'text/csv', lines: 'application/x-ndjson' };
const dialect = { delimiter: ['comma', 'semicolon', 'tab'], decimal: ['point', 'comma'] };

export class ResultForm {
  #app;
  #form;
  #format = 'csv';
  #problem = null;
  #file = null;

  /** `send(query, body, type, done)` sends the rows; `done` empties the form once they are entered. `begin()` is called
   *  before that, to remove the outcome of earlier rows. */
  constructor(app, send, begin) {
    this.#app = app;
    this.#form = new Form(app.redraw, async (data, element) => {
      begin();
      const file = data.get('/file');
      const body = file?.size > 0 ? file : data.get('/text');
      this.#problem = problemOf(body) ?? (await unreadable(body));
      if (this.#problem) return;
      await send(this.#query(data), body, types[this.#format], () => {
        // The format stays, because the next file probably has the same.
        for (const name of ['/file', '/text']) element.elements[name].value = '';
        this.#file = null;
      });
    }, { isTrial: true });
  }

  view() {
    const form = this.#form;
    return form.view([
      this.#problem && h('p', { class: 'alert', role: 'alert', key: 'problem' }, t(this.#problem)),
      form.field({ name: '/file', label: t('results.file'), className: 'text' }, attributes =>
        h('div', { class: 'file' },
          h('input', {
            ...attributes, class: 'visually-hidden', type: 'file', accept: '.csv,.jsonl,.ndjson,text/csv',
            onchange: event => this.#guess(event.target.files[0]),
          }),
          h('label', { class: 'button quiet small', for: attributes.id }, t('results.choose')),
          h('span', { class: 'muted' }, this.#file ?? t('results.noFile')))),
      form.field({
        name: '/text', label: t('results.text'), hint: t(`results.hint.${this.#format}`), className: 'text',
      },
        attributes =>
          h('textarea', { ...attributes, class: 'code', rows: 6, spellcheck: 'false' })),
      this.#select('/format', Object.keys(types), this.#format, value => this.#become(value)),
      this.#format === 'csv' && Object.entries(dialect).map(([name, values]) => this.#select(`/${name}`, values)),
      form.field({ name: '/hidden', label: t('results.hidden'), hint: t('entry.hiddenHint'), className: 'boolean' },
        attributes =>
          h('input', { ...attributes, type: 'checkbox' })),
    ], { action: t('results.try') });
  }

  #select(name, values, chosen = null, choose = null) {
    const key = `results${name.replace('/', '.')}`;
    return this.#form.field({ name, label: t(key) },
      attributes => h('select', { ...attributes, onchange: choose && (event => choose(event.target.value)) },
        values.map(value =>
          h('option', { key: value, value, selected: chosen === null ? undefined : value === chosen },
            t(`${key}.${value}`)))));
  }

  #query(data) {
    const query = new URLSearchParams();
    if (this.#format === 'csv') for (const name of Object.keys(dialect)) query.set(name, data.get(`/${name}`));
    if (data.has('/hidden')) query.set('hidden', 'true');
    return query;
  }

  // The name of a file usually tells its format.
  #guess(file) {
    this.#file = file?.name ?? null;
    this.#app.redraw();
    if (file) this.#become(/\.(jsonl|ndjson)$/i.test(file.name) ? 'lines' : 'csv');
  }

  #become(format) {
    this.#format = format;
    this.#app.redraw();
  }
}

// Returns a problem for files that are not text, such as pictures and workbooks, or that have another encoding.
async function unreadable(body) {
  if (typeof body === 'string') return null;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await body.arrayBuffer());
    return text.includes('\0') ? 'results.notText' : null;
  } catch {
    return 'results.notText';
  }
}

function problemOf(body) {
  if ((typeof body === 'string' ? body.trim().length : body.size) === 0) return 'results.empty';
  return (typeof body === 'string' ? body.length : body.size) > LIMIT ? 'results.tooLarge' : null;
}
