// Previews an import: what each row would change, in whose record, and which rows would be refused.

import { h, named } from '../../core/page/dom.js';
import { t } from '../../core/text/i18n.js';
import { figureNameOfPath, rowChange, rowContent, rowRefusal } from './resultWords.js';
import { studentName } from '../record/students.js';

const SHOWN = 200;

export class ResultPreview {
  #desk;
  #results;
  #tried = null;
  #send = null;

  constructor(desk, results) {
    this.#desk = desk;
    this.#results = results;
  }

  /** Previews the rows of a request; `done` is called once they are entered. */
  ask = async (query, body, type, done) => {
    const asked = query.size > 0 ? `?${query}` : '';
    this.#send = async () => {
      await this.#results.send(`results${asked}`, body, type);
      this.forget();
      done();
    };
    this.#results.current = null;
    try {
      const path = `${this.#desk.path}/results/preview${asked}`;
      const answer = await this.#desk.app.http.post(path, body, { headers: { 'content-type': type } });
      this.#tried = answer.body.preview;
    } catch (problem) {
      // An import that is too long for a preview is carried out without one if the user agrees.
      if (!problem.faults?.some(fault => fault.code === 'row_limit')) throw problem;
      this.#tried = { tooLong: true };
    }
  };

  view() {
    if (!this.#tried) return null;
    const { tooLong, total, accepted, refused, rows } = this.#tried;
    return h('section', { class: 'card preview', key: 'preview' },
      h('h2', null, t('preview.title')),
      tooLong
        ? h('p', { role: 'status' }, t('preview.tooLong'))
        : h('p', { role: 'status' },
          t('preview.counts', { count: accepted, total }),
          ' ',
          refused > 0 && t('preview.refused', { count: refused })),
      rows && this.#table(rows),
      rows?.length > SHOWN && h('p', { class: 'hint' }, t('preview.more', { count: SHOWN })),
      h('div', { class: 'actions' },
        (tooLong
          || accepted > 0) && h('button',
          { class: 'button', type: 'button', onclick: () => this.#desk.attempt(this.#send) },
          tooLong ? t('preview.enterAll') : t('preview.enter', { count: accepted })),
        h('button', { class: 'button quiet', type: 'button', onclick: () => {
          this.forget();
          this.#desk.app.redraw();
        } }, t('action.cancel'))));
  }

  forget() {
    [this.#tried, this.#send] = [null, null];
  }

  // Refused rows come first, because the user may want to correct them.
  #table(rows) {
    const { scheme } = this.#desk;
    const sorted = [...rows.filter(row => row.state === 'refused'),
      ...rows.filter(row => row.state !== 'refused')].slice(0, SHOWN);
    return h('div', { class: 'scroll tall', tabindex: '0', role: 'region', 'aria-label': t('preview.title') },
      h('table', null,
        h('thead', null,
          h('tr', null,
            ['results.row', 'program.student', 'results.place',
              'preview.what'].map(key => h('th', { scope: 'col', key }, t(key))))),
        h('tbody', null, sorted.map(row => h('tr', { key: row.row, 'data-state': row.state },
          h('th', { scope: 'row' }, row.row),
          row.state === 'refused'
            ? [h('td', { colspan: 2 }, rowContent(scheme, row.content)), h('td', { class: 'refusal' }, rowRefusal(row))]
            : [
              h('td', null, named(studentName(row.student))),
              h('td', null, figureNameOfPath(scheme, row.names)),
              h('td', { class: 'changes' }, rowChange(scheme, row)),
            ])))));
  }
}
