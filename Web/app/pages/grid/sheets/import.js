// Results from a file: what it would do is shown before anything is entered, as with a paste.

import { MOST } from '../../../core/edits/cellRules.js';
import { h } from '../../../core/page/dom.js';
import { t } from '../../../core/text/i18n.js';
import { dialog } from '../../../parts/frame/dialog.js';
import { planOfTable, unknownText } from '../file/match.js';
import { readTable } from '../file/table.js';
import { FileFault } from '../file/zip.js';
import { countsText } from '../paste.js';

const ACCEPTED = '.csv,.tsv,.txt,.xlsx,text/csv,text/tab-separated-values,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
// So many cells are listed where there is no grid to show them in.
const LISTED = 100;

/** The sheet that takes a file. `show(plan)` shows in the grid what it would do; without it the sheet does. */
export function importSheet(desk, show) {
  const state = { fault: null, plan: null, isReading: false };
  const take = async file => {
    if (!file || state.isReading) return;
    Object.assign(state, { fault: null, plan: null, isReading: true });
    desk.redraw();
    try {
      const plan = planOfTable(desk.model, await readTable(file), (row, column) => desk.cell(row, column));
      if (!plan) throw new FileFault('nothing');
      if (entering(plan).length > MOST) throw new FileFault('tooMany');
      state.plan = plan;
    } catch (error) {
      state.fault = t(`file.fault.${error instanceof FileFault ? error.message : 'unreadable'}`, { most: MOST });
    }
    state.isReading = false;
    if (state.plan && show && !unknownText(state.plan.unknown)) {
      desk.closeSheet();
      show(state.plan);
    } else desk.redraw();
  };
  const enter = () => {
    desk.closeSheet();
    desk.enterAll(entering(state.plan));
  };
  return () => dialog({ key: 'import', title: t('file.title'), close: desk.closeSheet, className: 'sheet' },
    h('p', { class: 'help' }, t('file.help')),
    state.fault && h('p', { key: 'fault', class: 'alert', role: 'alert' }, state.fault),
    h('div', { class: 'field' },
      h('label', { for: 'import-file' }, t('file.choose')),
      h('input', { id: 'import-file', type: 'file', accept: ACCEPTED, onchange: event => take(event.target.files[0]) })),
    state.isReading && h('p', { key: 'reading', class: 'muted', role: 'status' }, t('state.loading')),
    state.plan && preview(desk, state.plan, show, enter));
}

/** The cells of a plan that are sent: what the page would refuse goes, too, and stays in its cell with the server's words. */
const entering = plan => plan.cells.filter(({ kind, column }) => kind !== 'same' && column.line);

function preview(desk, plan, show, enter) {
  const unknown = unknownText(plan.unknown);
  const open = entering(plan);
  return h('div', { class: 'import-plan', key: 'plan' },
    h('p', { role: 'status' }, h('strong', null, t('paste.title')), ' ', countsText(plan) || t('file.empty')),
    unknown && h('p', { class: 'banner' }, unknown),
    !show && open.length > 0 && h('ul', { class: 'changes' }, open.slice(0, LISTED).map((cell, index) => h('li', { key: index }, cellText(cell)))),
    !show && open.length > LISTED && h('p', { class: 'muted' }, t('file.more', { count: open.length - LISTED })),
    h('div', { class: 'actions' },
      show && h('button', {
        class: 'button', type: 'button', onclick: () => {
          desk.closeSheet();
          show(plan);
        },
      }, t('file.show')),
      !show && open.length > 0 && h('button', { class: 'button', type: 'button', onclick: enter }, t('paste.enter')),
      h('button', { class: 'button quiet', type: 'button', onclick: desk.closeSheet }, t('action.cancel'))));
}

const cellText = ({ row, column, text, kind, fault }) => t('file.cell', { student: row.name, title: column.title, value: text, what: fault ?? t(`paste.${kind}`) });
