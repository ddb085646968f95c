// A rehearsal of a draft or of another build of the scheme: start it, follow it, stop it, and show its findings as
// numbers.

import { h } from '../../core/page/dom.js';
import { dateTime, t } from '../../core/text/i18n.js';
import { changesTable } from './changes.js';
import { saveFile } from '../frame/download.js';
import { help } from '../frame/help.js';
import { icon } from '../frame/icons.js';
import { problemText } from '../frame/problem.js';
import { poll, progressBar } from '../frame/progress.js';

const kinds = ['records', 'figures', 'letters', 'outcomes', 'bars', 'refused', 'lost', 'closed'];

const isSameBuild = (one, other) => one.digest === other.digest && (one.version ?? null) === (other.version ?? null);

export class Rehearsals {
  current = null;
  rows = [];
  next = null;
  #app;
  #path;
  #stop = () => {};

  /** `subject` says what is rehearsed: `draft` or `executable`. */
  constructor(app, program, subject = 'draft') {
    this.#app = app;
    this.subject = subject;
    this.#path = `/v1/programs/${program}/rehearsals`;
  }

  /** Loads the newest rehearsal. */
  async load() {
    const { body } = await this.#app.http.get(this.#path);
    const newest = body.items.find(item => item.of === this.subject);
    if (newest) await this.#take(newest);
  }

  begin = () => this.#attempt(async () =>
    this.#take((await this.#app.http.post(this.#path, { of: this.subject })).body.rehearsal));

  cancel = () => this.#attempt(async () => this.#take((await this.#app.http.delete(this.#own())).body.rehearsal));

  more = () => this.#attempt(async () => {
    const { body, next } = await this.#app.http.get(this.next ?? `${this.#own()}/changes?limit=100`);
    this.rows = [...this.rows, ...body.items];
    this.next = next;
  });

  /** All rows as one CSV file; only the first page keeps its header. */
  download = () => this.#attempt(async () => {
    let text = '';
    for (let path = `${this.#own()}/changes`; path;) {
      const { body, next } = await this.#app.http.get(path, { headers: { accept: 'text/csv' }, form: 'text' });
      text += text === '' ? body : body.slice(body.indexOf('\n') + 1);
      path = next;
    }
    saveFile('rehearsal.csv', 'text/csv', text);
  });

  /** Whether publishing, or recomputing, would do exactly what was rehearsed. */
  covers(program, scheme) {
    if (this.subject === 'executable') {
      return this.current?.state === 'done' && isSameBuild(this.current.executable, scheme);
    }
    return this.current?.state === 'done' && new Date(this.current.startedAt) >= new Date(program.draft.editedAt)
      && (this.current.published ?? null) === (program.version ?? null);
  }

  forget() {
    this.#stop();
    Object.assign(this, { current: null, rows: [], next: null });
  }

  close = () => this.#stop();

  #own = () => `${this.#path}/${this.current.id}`;

  async #take(rehearsal) {
    this.#stop();
    Object.assign(this, { current: rehearsal, rows: [], next: null });
    this.#app.redraw();
    if (rehearsal.state === 'running') this.#stop = poll(() => this.#look());
    if (rehearsal.state === 'done' && rehearsal.counts.records > 0) await this.more();
  }

  async #look() {
    const { id } = this.current;
    const { rehearsal } = (await this.#app.http.get(this.#own())).body;
    if (this.current?.id !== id || this.current.state !== 'running') return false;
    if (rehearsal.state !== 'running') {
      await this.#take(rehearsal);
      return false;
    }
    this.current = rehearsal;
    this.#app.redraw();
    return true;
  }

  async #attempt(action) {
    try {
      await action();
    } catch (error) {
      this.#app.say(problemText(error), 'bad');
    }
    this.#app.redraw();
  }
}

/** The card on the program's page. */
export function rehearsalCard(rehearsals, program, scheme, manages) {
  return h('section', { class: 'card rehearsal' },
    h('h2', null, t('rehearsal.title')),
    help('rehearsal'),
    rehearsalView(rehearsals, program, scheme, manages, ['rehearsal.begin', 'rehearsal.old']));
}

/** A rehearsal within a card; `begin` is the text of the button, `old` says what to do if the rehearsal is out of
 *  date. */
export function rehearsalView(rehearsals, program, scheme, manages, [begin, old]) {
  const { current } = rehearsals;
  const isRunning = current?.state === 'running';
  return [
    isRunning && progressBar(t('rehearsal.title'), current),
    manages && h('div', { class: 'actions' }, isRunning
      ? h('button', { key: 'cancel', class: 'button quiet', type: 'button', onclick: rehearsals.cancel },
        t('action.cancel'))
      : h('button', {
        key: 'begin', class: rehearsals.covers(program, scheme) ? 'button quiet' : 'button', type: 'button',
        onclick: rehearsals.begin,
      }, icon('flask'), t(begin))),
    h('p', { class: 'visually-hidden', role: 'status' }, current ? t(`rehearsal.state.${current.state}`) : ''),
    current && !isRunning && [
      h('p', { key: 'state' },
        h('span', { class: 'pill', 'data-state': current.state === 'done' ? 'met' : 'unmet' },
          t(`rehearsal.state.${current.state}`)),
          h('span', { class: 'muted' }, ` ${dateTime(current.startedAt)}`)),
      !rehearsals.covers(program, scheme) && current.state === 'done' && h('p', { key: 'old', class: 'hint' }, t(old)),
    ],
    current?.state === 'done' && findings(rehearsals, scheme),
  ];
}

function findings(rehearsals, scheme) {
  const { counts, total } = rehearsals.current;
  const closed = rehearsals.rows.filter(row => row.closed);
  if (total === 0) return h('p', { class: 'empty' }, t('rehearsal.noRecords'));
  return [
    h('dl', { class: 'counts' },
      count('compared', total),
      kinds.map(kind => count(kind, counts[kind]))),
    counts.records === 0 && h('p', { class: 'empty' }, t('rehearsal.nothing')),
    rehearsals.rows.length > 0 && [
      changes('rehearsal.changes', rehearsals.rows.filter(row => !row.closed), scheme),
      closed.length > 0 && [
        h('h3', { key: 'closed-title' }, t('rehearsal.closed')),
        h('p', { key: 'closed-hint', class: 'hint' }, t('rehearsal.closedHint')),
        changes('rehearsal.closed', closed, scheme),
      ],
      h('div', { class: 'actions' },
        rehearsals.next && h('button', { key: 'more', class: 'button quiet', type: 'button', onclick: rehearsals.more },
          t('action.more')),
        h('button', { key: 'csv', class: 'button quiet', type: 'button', onclick: rehearsals.download },
          icon('download'),
          t('rehearsal.csv'))),
    ],
  ];
}

const changes = (title, rows, scheme) => rows.length > 0
  && h('div', { key: title, class: 'scroll', tabindex: '0', role: 'region', 'aria-label': t(title) },
    changesTable(rows, scheme));

const count = (kind, number) => h('div', { key: kind, 'data-count': kind },
  h('dt', null, t(`rehearsal.count.${kind}`)),
  h('dd', null, number));
