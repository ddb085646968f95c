// Statistics of a column's results: numbers, and how many students have which result. They follow the rows while the
// sheet is open.

import { h } from '../../../core/page/dom.js';
import { t, toInput } from '../../../core/text/i18n.js';
import { letterText } from '../../../parts/record/letters.js';
import { statusText } from '../../../core/text/statuses.js';
import { dialog } from '../../../parts/frame/dialog.js';
import { problemText } from '../../../parts/frame/problem.js';

// The least time between two readings, however fast results are entered, in milliseconds.
const PAUSE = 1000;

/** The sheet of a column's statistics. */
export function statisticsSheet(desk, column) {
  const state = { body: null, error: null, isReading: false, asked: 0 };
  const sheet = () => {
    follow();
    return dialog({
      key: `statistics-${column.key}`, title: t('statistics.of', { title: [...column.path, column.title].join(' › ') }),
      close: desk.sheets.close, className: 'sheet',
    },
      state.error && h('p', { key: 'error', class: 'alert', role: 'alert' }, problemText(state.error)),
      !state.body && !state.error && h('p', { key: 'loading', class: 'muted' }, t('state.loading')),
      state.body && about(desk, column, state.body));
  };
  const follow = () => {
    if (state.isReading || state.asked >= desk.version) return;
    read();
  };
  // Statistics are never older than what the page shows; readings run one after the other.
  const read = async () => {
    Object.assign(state, { isReading: true, asked: desk.version });
    try {
      state.body = (await desk.app.http.get(`${desk.path}/statistics?${new URLSearchParams(desk.groupQuery)}`)).body;
      state.error = null;
    } catch (error) {
      // The last statistics stay; the next change triggers another reading, or, if the server is overloaded, the next
      // pause does.
      if (!state.body) state.error = error;
      if ([429, 503].includes(error.status)) state.asked = 0;
    }
    desk.redraw();
    await new Promise(resolve => setTimeout(resolve, PAUSE));
    state.isReading = false;
    if (desk.sheets.top === sheet) follow();
  };
  return sheet;
}

function about(desk, column, { columns, figures }) {
  const found = column.figure
    ? figures.find(({ name }) => name === column.figure)
    : columns.find(({ line }) => line === column.line);
  if (!found) return h('p', { class: 'muted' }, t('statistics.none'));
  return [
    h('p', { key: 'counts', class: 'muted' }, [
      t('statistics.count', { count: found.count }),
      found.without > 0 && t('statistics.without', { count: found.without }),
      ...Object.entries(found.statuses ?? {}).map(([status, count]) =>
        t('statistics.status', { status: statusText(status, column), count })),
    ].filter(Boolean).join(' · ')),
    found.numbers && numbers(found.numbers),
    found.numbers?.bars.length > 0
      && counted(t('statistics.histogram'), t('statistics.range'),
        found.numbers.bars.map(bar => [rangeText(bar, found.numbers.bars), bar.count])),
    found.letters && found.count > 0
      && counted(t('statistics.letters'), t('statistics.letter'),
        found.letters.map(({ letter, count }) => [letterText(desk.scheme, letter), count])),
  ];
}

const NUMBERS = ['mean', 'median', 'lowerQuartile', 'upperQuartile', 'least', 'greatest'];

const numbers = found => h('dl', { key: 'numbers', class: 'statistics' }, NUMBERS.map(name =>
  h('div', { key: name }, h('dt', null, t(`statistics.${name}`)), h('dd', null, toInput(found[name])))));

// A histogram as a table: the bars beside the counts are only decorative.
function counted(title, what, rows) {
  const most = Math.max(1, ...rows.map(([, count]) => count));
  return h('table', { key: title, class: 'histogram' },
    h('caption', null, title),
    h('thead', null,
      h('tr', null,
        h('th', { scope: 'col' }, what),
        h('td', { 'aria-hidden': 'true' }),
        h('th', { scope: 'col' }, t('statistics.students')))),
    h('tbody', null, rows.map(([name, count]) => h('tr', { key: name },
      h('th', { scope: 'row' }, name),
      h('td', { 'aria-hidden': 'true' },
        h('span', { class: 'bars-line' }, count > 0 && h('span', { style: { width: `${(count / most) * 100}%` } }))),
      h('td', null, String(count))))));
}

/** The range of a bar: the last bar of the scale includes its end, the others do not. */
export function rangeText({ from, to }, bars) {
  if (from === null) return t('cohort.binBelow', { to: toInput(to) });
  if (to === null) return t('statistics.above', { from: toInput(from) });
  const isLast = !bars.some(bar => bar.from === to && bar.to !== null);
  return t(isLast ? 'statistics.lastRange' : 'cohort.bin', { from: toInput(from), to: toInput(to) });
}
