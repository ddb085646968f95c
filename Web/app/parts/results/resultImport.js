// An import of results: its progress, what was entered, and which rows were refused and why.

import { h } from '../../core/page/dom.js';
import { newKey } from '../../core/net/http.js';
import { t } from '../../core/text/i18n.js';
import { poll, progressBar } from '../frame/progress.js';
import { rowContent, rowRefusal } from './resultWords.js';

export class ResultImport {
  current = null;
  #app;
  #base;
  #stop = () => {};
  #entered;
  #sent = {};

  /** `entered` is called when an import has ended. */
  constructor(app, program, entered = () => {}) {
    this.#app = app;
    this.#entered = entered;
    this.#base = `/v1/programs/${program}/`;
  }

  // A request that is repeated because it had no answer has the same key, so it is the same import and enters nothing
  // twice.
  send = async (path, body, type) => {
    if (this.#sent.path !== path || this.#sent.body !== body) this.#sent = { path, body, key: newKey() };
    const options = { headers: { 'content-type': type }, key: this.#sent.key };
    const answer = await this.#app.http.post(this.#base + path, body, options);
    this.#sent = {};
    this.#take(answer.body.import);
  };

  close = () => this.#stop();

  #take(found) {
    this.#stop();
    this.current = found;
    if (found.state === 'running') this.#stop = poll(() => this.#look(found.id));
    else this.#entered();
  }

  async #look(id) {
    const found = (await this.#app.http.get(`${this.#base}results/${id}`)).body.import;
    if (this.current.id !== id) return false;
    this.current = found;
    if (found.state !== 'running') this.#entered();
    this.#app.redraw();
    return found.state === 'running';
  }
}

/** The card below the form. */
export function importCard({ current }, scheme) {
  if (!current) return null;
  const refused = current.rows.filter(row => row.state === 'refused');
  return h('section', { class: 'card import-result', onMount: element => element.querySelector('h2').focus() },
    h('h2', { tabindex: '-1' }, t(`results.state.${current.state}`)),
    current.state === 'running' && progressBar(t('results.title'), current),
    h('p', { role: 'status' }, t('results.counts', { accepted: current.accepted, refused: current.refused })),
    refused.length > 0 && h('div', {
      class: 'scroll', tabindex: '0', role: 'region', 'aria-label': t('results.refused'),
    }, h('table', null,
      h('caption', { class: 'visually-hidden' }, t('results.refused')),
      h('thead', null,
        h('tr', null,
          ['results.row', 'results.content', 'results.why'].map(key => h('th', { scope: 'col', key }, t(key))))),
      h('tbody', null, refused.map(row => h('tr', { key: row.row },
        h('th', { scope: 'row' }, row.row),
        h('td', null, rowContent(scheme, row.content)),
        h('td', { class: 'refusal' }, rowRefusal(row)))))),
    ),
    refused.length < current.refused && h('p', { class: 'hint' }, t('results.moreRefused')));
}
