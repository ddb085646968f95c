// Jobs over all records of a program (moves, releases and recomputations): their progress and results.

import { h, named } from '../../core/page/dom.js';
import { date, dateTime, has, t } from '../../core/text/i18n.js';
import { poll, progressBar } from '../frame/progress.js';
import { studentName } from '../record/students.js';

export class Sweeps {
  items = [];
  #app;
  #path;
  #stop = () => {};

  #ended;
  #wasRunning = false;

  /** `path` lists the jobs, newest first; `ended` is called when one that was running has ended. */
  constructor(app, path, ended = () => {}) {
    this.#app = app;
    this.#ended = ended;
    this.#path = path;
  }

  /** Reads the list and follows running jobs. */
  async load() {
    this.#stop();
    if (await this.#look()) this.#stop = poll(() => this.#look());
  }

  close = () => this.#stop();

  async #look() {
    this.items = (await this.#app.http.get(this.#path)).body.items;
    this.#app.redraw();
    const isRunning = this.items.some(item => item.state === 'running');
    if (this.#wasRunning && !isRunning) this.#ended();
    this.#wasRunning = isRunning;
    return isRunning;
  }
}

/** The list; `name(item)` names each job. */
export function sweepList(sweeps, name) {
  return h('ul', { class: 'rows sweeps' }, sweeps.items.map(item => h('li', { key: item.id, 'data-state': item.state },
    h('span', { class: 'grow' },
      h('strong', null, name(item)),
      h('span', { class: 'muted' }, dateTime(item.orderedAt))),
    item.state === 'running' && progressBar(name(item), item),
    item.state === 'waiting' && h('span', { class: 'pill' }, t('sweep.waiting', { date: date(item.dueOn) })),
    item.state === 'done' && h('span', null, t('sweep.done', { changed: item.changed, total: item.total })),
    item.state === 'stopped' && h('span', { class: 'pill', 'data-state': 'unmet' },
      t('sweep.stopped', { changed: item.changed })),
    item.refused > 0 && h('span', { class: 'pill', 'data-state': 'unmet' },
      t('sweep.refused', { refused: item.refused })),
    // A node of the previous release lists no reasons.
    (item.refusals ?? []).map(reason))));
}

// Why records were refused, and the first of them with their students.
function reason({ code, count, records }) {
  const known = has(`sweep.reason.${code}.other`) ? code : 'other';
  const more = count - records.length;
  return h('details', { key: code, class: 'sweep-reason' },
    h('summary', null, t(`sweep.reason.${known}`, { count, code })),
    h('p', null,
      records.map((item, index) =>
        [index > 0 && ', ', h('a', { key: item.record, href: `/records/${item.record}` }, named(studentName(item)))]),
      more > 0 && [' ', t('sweep.more', { count: more })]));
}
