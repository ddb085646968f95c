// The state of the server: whether it takes requests, and what it does. Only refreshed on request, because polling
// would keep an administrator's session alive.

import { h } from '../../core/page/dom.js';
import { dateTime, language, t } from '../../core/text/i18n.js';
import { readMetrics, rise, total, within } from '../../core/values/metrics.js';

const MOST = 0.99;
const SIZES = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'];

export class ServerState {
  #app;
  #about = {};
  // The metrics of this look and of the one before, `{at, samples}`, at the server's time; null without any.
  #now = null;
  #before = null;

  constructor(app) {
    this.#app = app;
  }

  view() {
    const { version, problem } = this.#about;
    return h('section', { class: 'card server' },
      h('h2', null, t('admin.server')),
      h('p', null,
        h('span', { class: 'pill', 'data-state': problem ? 'unmet' : 'met' },
          t(problem ? 'admin.notReady' : 'admin.ready')),
        ' ', problem ?? '', version && h('span', { class: 'muted' }, ` Gradecast ${version}`)),
      this.#now && this.#figures(),
      h('div', { class: 'actions' },
        h('button', { class: 'button quiet small', type: 'button', onclick: () => this.look().then(this.#app.redraw) },
          t('admin.again'))));
  }

  async look() {
    const { http } = this.#app;
    const ask = path => http.get(path).then(answer => answer.body, error => ({ problem: error.message }));
    const [alive, ready, report] = await Promise.all([
      ask('/healthz'), ask('/readyz'),
      http.get('/v1/metrics', { form: 'text' })
        .then(({ body, at }) => ({ at, samples: readMetrics(body) }), () => null),
    ]);
    this.#about = { version: alive.version, problem: ready.problem };
    this.#before = this.#now;
    this.#now = report;
  }

  #figures() {
    const { samples, at } = this.#now;
    const started = total(samples, 'process_start_time_seconds') * 1000;
    // After a restart the report before says nothing.
    const since = Math.max(this.#before?.at ?? 0, started);
    const earlier = since > started ? this.#before.samples : null;
    const minutes = Math.max(1 / 60, (at - since) / 60_000);
    const risen = (name, isMeant) => rise(samples, earlier, name, isMeant);
    const lines = [
      ['readers', count(total(samples, 'gradecast_live_readers'))],
      ['changes', count(risen('gradecast_store_changes_total') / minutes)],
      ['lag', timeText(within(samples, earlier, 'gradecast_push_lag_seconds', MOST))],
      ['requests', timeText(within(samples, earlier, 'http_request_duration_seconds', MOST))],
      ['errors', count(risen('gradecast_http_responses_total', labels => labels.class === '5xx'))],
      ['waiting',
        count(['gradecast_store_waiting_writes', 'gradecast_calculations_waiting',
          'gradecast_mails_waiting'].reduce((sum, name) => sum + total(samples, name), 0))],
      ['database', size(samples, 'gradecast_store_bytes')],
      ['free', size(samples, 'gradecast_store_free_bytes')],
      ['memory', size(samples, 'process_resident_memory_bytes')],
      ['started', dateTime(started)],
    ];
    return h('div', { key: 'figures' },
      h('p', { class: 'muted' }, t(earlier ? 'server.sinceLook' : 'server.sinceStart', { time: dateTime(since) })),
      h('dl', { class: 'facts-list' }, lines.filter(([, text]) => text !== null)
        .map(([name, text]) => h('div', { key: name }, h('dt', null, t(`server.${name}`)), h('dd', null, text)))));
  }
}

const count = number =>
  new Intl.NumberFormat(language(), { maximumFractionDigits: number < 10 ? 1 : 0 }).format(number);

const inUnit = (number, unit) => new Intl.NumberFormat(language(), {
  style: 'unit', unit, maximumFractionDigits: number < 10 ? 1 : 0,
}).format(number);

// A time within which something lies: the last bucket of a histogram has no bound.
function timeText(seconds) {
  if (seconds === null) return '–';
  if (seconds === Infinity) return t('server.long');
  return seconds < 1 ? inUnit(seconds * 1000, 'millisecond') : inUnit(seconds, 'second');
}

// A size in bytes; null if the server has no such metric.
function size(samples, name) {
  if (!samples.some(sample => sample.name === name)) return null;
  const bytes = total(samples, name);
  // A disk that cannot be looked at has no size.
  if (!Number.isFinite(bytes)) return '–';
  const power = Math.min(SIZES.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return inUnit(bytes / 1000 ** power, SIZES[power]);
}
