// The server's state: alive and ready. Its metrics are only served at the management address. The state is refreshed
// only on request, because polling would keep an administrator's session alive.

import { h } from '../../core/page/dom.js';
import { t } from '../../core/text/i18n.js';

export class ServerState {
  #app;
  #about = {};

  constructor(app) {
    this.#app = app;
  }

  view() {
    const { version, problem } = this.#about;
    return h('section', { class: 'card' },
      h('h2', null, t('admin.server')),
      h('p', null,
        h('span', { class: 'pill', 'data-state': problem ? 'unmet' : 'met' }, t(problem ? 'admin.notReady' : 'admin.ready')),
        ' ', problem ?? '', version && h('span', { class: 'muted' }, ` Gradecast ${version}`)),
      h('div', { class: 'actions' },
        h('button', { class: 'button quiet small', type: 'button', onclick: () => this.look().then(this.#app.redraw) }, t('admin.again'))));
  }

  async look() {
    const { http } = this.#app;
    const ask = path => http.get(path).then(answer => answer.body, error => ({ problem: error.message }));
    const [alive, ready] = await Promise.all([ask('/healthz'), ask('/readyz')]);
    this.#about = { version: alive.version, problem: ready.problem };
  }
}
