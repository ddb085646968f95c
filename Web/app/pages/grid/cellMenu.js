// The menus of a cell and of a student: the same actions as with keys and sheets.

import { t } from '../../core/text/i18n.js';
import { statusText } from '../../core/text/statuses.js';
import { takesNumbers } from './columns.js';

const signs = { excused: 'X', missing: 'M' };

/**
 * The actions for cells, `[{row, column}]`, the first of which is the active one. `run(command)` does what a key would
 * do, and `does` names the additional commands there are.
 */
export function cellItems(desk, places, run, does = new Set()) {
  const [{ row, column }] = places;
  const isResult = Boolean(column.line) && !column.isAnonymous;
  const mayEnter = isResult && desk.permissions.mayGrade && !column.isLocked;
  // Work that has a result is not missing.
  const hasResults = places.every(place => desk.contents.of(place.row, place.column).value !== null);
  // In columns of letters, a letter is typed text unless Alt is pressed.
  const key = sign => (sign && !column.figure && !takesNumbers(column) ? `Alt ${sign}` : sign);
  const item = (text, symbol, keys, command, more = {}) => ({ text, symbol, keys, act: () => run(command), ...more });
  return [
    mayEnter && item(t('action.edit'), 'pencil', 'F2', { name: 'edit' }),
    column.isAnonymous && item(t('anonymous.mark'), 'pencil', 'F2', { name: 'edit' }),
    isResult && desk.permissions.mayCorrect && item(t('menu.correct'), 'pencil', 'F2', { name: 'edit' }),
    column.figure && desk.permissions.mayTeach
      && item(t('override.open', { title: column.title }), 'pencil', 'F2', { name: 'edit' }),
    ...(mayEnter ? column.statuses : []).filter(status => status !== 'missing' || !hasResults).map(status =>
      item(statusText(status, column), null, key(signs[status]), {
        name: 'status', status,
      }, { isOn: desk.contents.of(row, column).status === status })),
    ...(mayEnter ? [item(t('menu.clear'), 'close', 'Del', { name: 'clear' })] : []),
    mayEnter && does.has('paste') && item(t('menu.paste'), 'grid', 'Ctrl V', { name: 'paste' }),
    mayEnter && does.has('fillDown') && item(t('keys.fill'), 'download', 'Ctrl D', { name: 'fillDown' }),
    null,
    isResult && column.field === null && item(t('comments.title'), 'comment', key('C'), { name: 'comment' }),
    !column.isAnonymous && item(t('keys.history'), 'history', key('H'), { name: 'history' }),
    item(t('menu.copy'), 'grid', 'Ctrl C', { name: 'copy' }),
    desk.permissions.mayTeach && item(t('action.undo'), 'back', 'Ctrl Z', { name: 'undo' }),
    does.has('column') && item(t('menu.column', { title: column.title }), 'menu', null, { name: 'column' }),
  ];
}

/** The menu of `places` in the grid, or of a student if there are none; `opens` opens the views of the student. */
export const gridMenu = (desk, student, places, run, opens) => (places.length === 0
  ? { label: student.name, items: studentItems(desk, student, opens) }
  : {
    label: t('grid.cellOf', { name: student.name, title: places[0].column.title }),
    items: cellItems(desk, places, run, new Set(['fillDown', 'paste', 'column'])),
  });

/** The actions for a student. */
export const studentItems = (desk, row, { openStudent, openLedger, openTransfer, openLeaving }) => [
  { text: t('grid.oneStudent'), symbol: 'person', act: () => openStudent(row) },
  { text: t('people.record'), symbol: 'records', act: () => desk.app.go(`/records/${row.record}`) },
  { text: t('ledger.ofStudent'), symbol: 'history', act: () => openLedger(row) },
  ...(desk.permissions.mayTeach ? [
    { text: t('roster.transfer'), symbol: 'out', act: () => openTransfer(row) },
    { text: t('roster.withdraw'), symbol: 'close', act: () => openLeaving(row) },
  ] : []),
];
