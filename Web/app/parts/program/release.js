// Releases hidden results: lists them with their students, with one button to release all and one button for each.

import { h, named } from '../../core/page/dom.js';
import { t } from '../../core/text/i18n.js';
import { isolate } from '../../core/text/isolate.js';
import { figureNameOfPath } from '../results/resultWords.js';
import { help } from '../frame/help.js';
import { icon } from '../frame/icons.js';
import { Sweeps, sweepList } from './sweeps.js';

export class ReleasePanel {
  #desk;
  #hidden = null;
  #releases;

  constructor(desk) {
    this.#desk = desk;
    this.#releases = new Sweeps(desk.app, `${desk.path}/releases`, () => this.#look());
  }

  async load() {
    await Promise.all([this.#look(), this.#releases.load()]);
  }

  close = () => this.#releases.close();

  view() {
    const { items, complete } = this.#hidden ?? { items: [], complete: true };
    return h('section', { class: 'card', key: 'release' },
      h('h2', null, t('results.release')),
      help('release'),
      items.length === 0 && h('p', { class: 'muted' }, t('release.nothing')),
      h('ul', { class: 'rows' }, items.map(item => h('li', { key: item.path.join('/') },
        h('span', { class: 'grow' },
          h('strong', null, named(this.#title(item.path))),
          h('span', { class: 'muted' }, people(item))),
        h('button', {
          class: 'button quiet small', type: 'button', 'aria-label': t('release.one', { name: this.#title(item.path) }),
          onclick: () => this.#ask(item),
        },
          t('results.releaseAction'))))),
      !complete && h('p', { class: 'hint' }, t('release.more')),
      items.length > 1 && h('div', { class: 'actions' },
        h('button', { class: 'button', type: 'button', onclick: () => this.#askAll(items) },
          icon('eye'),
          t('release.all'))),
      sweepList(this.#releases, item => (item.path.length > 0 ? this.#title(item.path) : t('results.everything'))));
  }

  #title = path => figureNameOfPath(this.#desk.scheme, path);

  async #look() {
    this.#hidden = (await this.#desk.app.http.get(`${this.#desk.path}/hidden`)).body.hidden;
    this.#desk.app.redraw();
  }

  #ask(item) {
    this.#desk.ask({
      key: 'release', title: t('release.one', { name: this.#title(item.path) }), action: t('results.releaseAction'),
      about: [t('release.will', { count: item.count, people: people(item) }), t('release.atOnce'),
        t('release.cannotUndo')],
      confirm: () => this.#release({ path: item.path }),
    });
  }

  #askAll(items) {
    this.#desk.ask({
      key: 'release', title: t('release.all'), action: t('results.releaseAction'),
      about: [t('release.willAll', {
        names: items.map(item => this.#title(item.path)).join(t('release.between')), count: this.#hidden.records,
      }),
        t('release.atOnce'), t('release.cannotUndo')],
      confirm: () => this.#release({}),
    });
  }

  async #release(body) {
    await this.#desk.app.http.post(`${this.#desk.path}/release`, body);
    await this.load();
  }
}

// Returns "Ada, Noah and 28 others".
function people({ count, students }) {
  const names = students.slice(0, 3).map(student => isolate(student.displayName ?? t('program.noStudent')));
  const others = count - names.length;
  const list = names.join(t('release.between'));
  return others > 0 ? t('release.people', { names: list, count: others }) : list;
}
