// How the server is: alive and ready, and a few of its own measurements. It is looked at again when somebody asks: a
// page that asked by itself would keep an administrator's session awake.

import { h } from '../core/dom.js';
import { measure, t } from '../core/i18n.js';

export class ServerState {
  #app;
  #about = {};

  constructor(app) {
    this.#app = app;
  }

  view() {
    const { version, problem, metrics } = this.#about;
    return h('section', { class: 'card' },
      h('h2', null, t('admin.server')),
      h('p', null,
        h('span', { class: 'pill', 'data-state': problem ? 'unmet' : 'met' }, t(problem ? 'admin.notReady' : 'admin.ready')),
        ' ', problem ?? '', version && h('span', { class: 'muted' }, ` Gradecast ${version}`)),
      metrics && h('dl', { class: 'counts' }, measurements(metrics).map(([name, text]) =>
        h('div', { key: name }, h('dt', null, t(`admin.metric.${name}`)), h('dd', null, text)))),
      h('div', { class: 'actions' },
        h('button', { class: 'button quiet small', type: 'button', onclick: () => this.look().then(this.#app.redraw) }, t('admin.again'))));
  }

  async look() {
    const { http } = this.#app;
    const ask = (path, options) => http.get(path, options).then(answer => answer.body, error => ({ problem: error.message }));
    const [alive, ready, metrics] = await Promise.all([ask('/healthz'), ask('/readyz'), ask('/metrics', { text: true })]);
    this.#about = { version: alive.version, problem: ready.problem, metrics: typeof metrics === 'string' ? parsed(metrics) : null };
  }
}

// "name{labels} value" as `[name, labels, value]`.
const parsed = text => text.split('\n').map(line => /^([a-z_]+)(?:\{(.*)\})? (\S+)$/.exec(line)).filter(Boolean)
  .map(([, name, labels, value]) => ({ name, labels: labels ?? '', value: Number(value) }));

function measurements(metrics) {
  const all = (name, labels = '') => metrics.filter(item => item.name === name && item.labels.includes(labels));
  const sum = (name, labels) => all(name, labels).reduce((total, item) => total + item.value, 0);
  const requests = sum('gradecast_http_request_seconds_count');
  return [
    ['memory', measure(sum('process_resident_memory_bytes') / 1048576, 'megabyte')],
    ['files', sum('process_open_fds')],
    ['answers', sum('gradecast_http_responses_total')],
    ['failures', sum('gradecast_http_responses_total', '"5xx"')],
    ['time', requests > 0 ? measure((sum('gradecast_http_request_seconds_sum') / requests) * 1000, 'millisecond') : '–'],
    ['waiting', sum('gradecast_store_waiting_writes')],
  ].map(([name, value]) => [name, String(value)]);
}
