// The earlier contents of one cell: each change with its author and time, newest first.

import { h } from '../../../core/page/dom.js';
import { dateTime, has, t } from '../../../core/text/i18n.js';
import { dialog } from '../../../parts/frame/dialog.js';
import { problemText } from '../../../parts/frame/problem.js';
import { cellsIn } from './ledgerWords.js';

// At most this many pages of the row's history are read at once.
const PAGES = 10;

/** The sheet with the history of a student's cell, or of a figure that can be set by hand. */
export function cellHistorySheet(desk, row, column) {
  const state = { changes: [], next: `${desk.path}/rows/${row.id}/history?limit=200`, isBusy: false, error: null };
  const own = column.line ?? column.key;
  const load = async () => {
    state.isBusy = true;
    try {
      for (let page = 0; state.next && page < PAGES; page += 1) {
        const { body, next } = await desk.app.http.get(state.next);
        for (const { account } of body.items) await desk.names.learn(row, account);
        state.changes.push(...body.items.flatMap(line =>
          cellsIn(desk, line).filter(cell => cell.column === own).map(cell => ({ ...line, cell }))));
        state.next = next;
      }
    } catch (error) {
      state.error = error;
    }
    state.isBusy = false;
    desk.redraw();
  };
  load();
  return () => dialog({
    key: `history-${row.id}-${column.key}`, title: t('ledger.ofCell', { name: row.name, title: column.title }),
    close: desk.sheets.close, className: 'sheet',
  },
    state.error && h('p', { class: 'alert', role: 'alert' }, problemText(state.error)),
    state.isBusy && h('p', { class: 'muted' }, t('state.loading')),
    !state.isBusy && !state.error && !state.next && state.changes.length === 0
      && h('p', { class: 'muted' }, t('ledger.emptyCell')),
    h('ol', { class: 'history' }, state.changes.map(change => item(desk, change))),
    state.next && !state.isBusy && h('button', { class: 'button quiet', type: 'button', onclick: load },
      t('action.more')));
}

function item(desk, { number, at, account, operation, reason, cell }) {
  // No person has done what the server marked itself.
  const who = operation === 'missed' ? t('ledger.op.missed') : desk.names.of(account);
  const how = operation !== 'cells' && operation !== 'missed' && has(`ledger.op.${operation}`)
    ? t(`ledger.op.${operation}`)
    : null;
  return h('li', { key: number },
    h('div', { class: 'history-head' },
      h('strong', null, who),
      how && h('span', { class: 'pill' }, how),
      h('time', { datetime: at }, dateTime(at))),
    h('p', { class: 'ledger-step' },
      t('ledger.fromTo', { before: cell.before || t('grid.nothing'), after: cell.after || t('grid.nothing') })),
    reason && operation !== 'undo' && h('p', { class: 'muted' }, reason));
}
