// Results from a file: their effect is shown before anything is entered, as with a paste.

import { MOST } from '../../../core/edits/cellRules.js';
import { h } from '../../../core/page/dom.js';
import { t } from '../../../core/text/i18n.js';
import { dialog } from '../../../parts/frame/dialog.js';
import { notesText, planOfTable } from '../file/match.js';
import { readTable } from '../file/table.js';
import { FileFault } from '../file/zip.js';
import { countsText, doubtsOf, entering, fateOf, staying, wayOf, withDoubts } from '../paste.js';
import { enterSections } from '../placing.js';
import { learnMembers } from '../../../parts/record/students.js';

const ACCEPTED = ['.csv', '.tsv', '.txt', '.xlsx', '.ods', 'text/csv', 'text/tab-separated-values',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.oasis.opendocument.spreadsheet'].join(',');
// At most this many cells are listed if there is no grid that can show them.
const LISTED = 100;

/** The sheet that takes a file. `show(plan)` shows its effect in the grid; without it, the sheet does. */
export function importSheet(desk, show) {
  const state = { fault: null, plan: null, file: null };
  const take = async file => {
    if (!file) return;
    Object.assign(state, { fault: null, plan: null, file });
    desk.redraw();
    // A file no longer counts once another one was chosen or the sheet is closed.
    const isOver = () => state.file !== file || desk.sheets.top !== sheet;
    try {
      const table = await readTable(file);
      if (isOver()) return;
      const { s } = desk.taught.structure;
      const learn = () => learnMembers(desk.app, desk.program.institution);
      const plan = await planOfTable(desk.model, table, (row, column) => desk.contents.of(row, column),
        desk.permissions.mayTeach ? desk.sections : [], learn);
      if (isOver()) return;
      state.plan = withDoubts({ ...plan, s }, desk.doubts.asker());
      if (entering(state.plan).length + staying(state.plan).length > MOST) throw new FileFault('tooMany');
    } catch (error) {
      if (isOver()) return;
      Object.assign(state, { plan: null, fault: faultText(error) });
    }
    state.file = null;
    if (state.plan && show && !notesText(state.plan.notes) && openSections(state.plan).length === 0) {
      desk.sheets.close();
      show(state.plan);
    } else desk.redraw();
  };
  const enter = (isConfirmed = false) => {
    desk.sheets.close();
    desk.entry.enterPlan({ ...state.plan, isConfirmed });
    enterSections(desk, state.plan.sections);
  };
  const sheet = () => dialog({ key: 'import', title: t('file.title'), close: desk.sheets.close, className: 'sheet' },
    h('p', { class: 'help' }, t('file.help')),
    state.fault && h('p', { key: 'fault', class: 'alert', role: 'alert' }, state.fault),
    h('div', { class: 'field' },
      h('label', { for: 'import-file' }, t('file.choose')),
      h('input', {
        id: 'import-file', type: 'file', accept: ACCEPTED, onchange: event => take(event.target.files[0]),
      })),
    state.file && h('p', { key: 'reading', class: 'muted', role: 'status' }, t('state.loading')),
    state.plan && preview(desk, state.plan, show, enter));
  return sheet;
}

function preview(desk, plan, show, enter) {
  const notes = notesText(plan.notes);
  const [open, sections] = [plan.cells.filter(({ kind }) => kind !== 'same'), openSections(plan)];
  const isShown = show && open.length > 0;
  const [way, doubts] = [wayOf(plan), doubtsOf(plan)];
  return h('div', { class: 'import-plan', key: 'plan' },
    h('p', { role: 'status' }, h('strong', null, t('paste.title')), ' ', countsText(plan) || t('file.empty')),
    notes && h('p', { class: 'banner' }, notes),
    sections.length > 0 && h('ul', { key: 'sections', class: 'changes' },
      sections.slice(0, LISTED).map(({ row, text, fault }) =>
        h('li', { key: row.id },
          fault
            ? t('file.refusedSection', { student: row.name, why: fault })
            : t('file.section', { student: row.name, title: text })))),
    sections.length > LISTED && h('p', { key: 'more', class: 'muted' },
      t('file.more', { count: sections.length - LISTED })),
    !show && open.length > 0 && h('ul', { class: 'changes' },
      open.slice(0, LISTED).map((cell, index) => h('li', { key: index }, cellText(cell)))),
    !show && open.length > LISTED && h('p', { class: 'muted' }, t('file.more', { count: open.length - LISTED })),
    h('div', { class: 'actions' },
      isShown && h('button', {
        class: 'button', type: 'button', onclick: () => {
          desk.sheets.close();
          show(plan);
        },
      }, t('file.show')),
      !isShown && way && h('button', { class: 'button', type: 'button', onclick: () => enter() }, way),
      !isShown && doubts && h('button', {
        key: 'doubts', class: 'button quiet', type: 'button', onclick: () => enter(true),
      }, doubts),
      h('button', { class: 'button quiet', type: 'button', onclick: desk.sheets.close }, t('action.cancel'))));
}

// The fault of a file, in words; for a fault of the page itself, only that the file cannot be read.
const faultText = error =>
  t(`file.fault.${error instanceof FileFault ? error.message : 'unreadable'}`, { most: MOST, ...error.args });

const openSections = plan => plan.sections.filter(({ kind }) => kind !== 'same');

const cellText = cell =>
  t('file.cell', { student: cell.row.name, title: cell.column.title, value: cell.text, what: fateOf(cell) });
