// Records that another build of the scheme computed: their number, what the running build would change in them, and a
// button to recompute them.

import { h } from '../../core/page/dom.js';
import { t } from '../../core/text/i18n.js';
import { Rehearsals, rehearsalView } from './rehearsal.js';
import { Sweeps, sweepList } from './sweeps.js';

const build = ({ version, digest }) => version ?? digest.slice(0, 12);

export class Stale {
  #desk;
  #rehearsals;
  #orders;

  constructor(desk) {
    this.#desk = desk;
    this.#rehearsals = new Rehearsals(desk.app, desk.id, 'executable');
    this.#orders = new Sweeps(desk.app, `${desk.path}/recomputations`, () => desk.attempt(() => desk.look()));
  }

  async load() {
    if (!this.#desk.scheme.digest) return;
    await Promise.all([this.#rehearsals.load(), this.#orders.load()]);
  }

  /** The card; null if all records were computed by the running build. */
  view() {
    const { program, scheme, manages } = this.#desk;
    if (!scheme.digest) return null;
    return [
      program.stale > 0 && h('section', { key: 'stale', class: 'card rehearsal stale' },
        h('h2', null, t('stale.title')),
        h('p', null, t('stale.text', { count: program.stale, build: build(scheme) })),
        rehearsalView(this.#rehearsals, program, scheme, manages, ['stale.rehearse', 'stale.old']),
        manages && this.#rehearsals.covers(program, scheme) && h('div', { class: 'actions' },
          h('button', { class: 'button', type: 'button', onclick: () => this.#ask() },
            t('stale.recompute', { count: program.stale })))),
      this.#orders.items.length > 0 && h('section', { key: 'recomputations', class: 'card' },
        h('h2', null, t('stale.orders')),
        sweepList(this.#orders, item => t('stale.order', { build: build(item.executable) }))),
    ];
  }

  close() {
    this.#rehearsals.close();
    this.#orders.close();
  }

  #ask() {
    const { program, scheme, path, app } = this.#desk;
    const { counts, digest } = this.#rehearsals.current;
    this.#desk.ask({
      key: 'recompute', title: t('stale.recompute', { count: program.stale }),
      action: t('stale.recompute', { count: program.stale }),
      about: [
        t('stale.will', { count: program.stale, build: build(scheme), changed: counts.records }),
        counts.outcomes > 0 && t('publish.willOutcomes', { count: counts.outcomes }), t('publish.cannotUndo'),
      ],
      confirm: async () => {
        await app.http.post(`${path}/recompute`, { digest });
        this.#rehearsals.forget();
        await this.#orders.load();
        await this.#desk.look();
      },
    });
  }
}
