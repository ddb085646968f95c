// The actions for a column.

import { h } from '../../../core/page/dom.js';
import { date, t } from '../../../core/text/i18n.js';
import { dialog } from '../../../parts/frame/dialog.js';
import { icon } from '../../../parts/frame/icons.js';
import { problemText } from '../../../parts/frame/problem.js';
import { cellText } from '../cells.js';
import { hasStatistics, scaleText, takesCurve, takesNumbers } from '../columns.js';
import { belowSheet } from './below.js';
import { curveSheet, curveText } from './curve.js';
import { emptyCells, fillSheet } from './fill.js';
import { groupMarkSheet } from './groups.js';
import { editSheet, post } from './lineForms.js';
import { revealSheet } from './reveal.js';
import { stateOf } from './sees.js';
import { statisticsSheet } from './statistics.js';

/** The sheet of a column; `show(view)` opens another view of the class, `arrange(changes)` changes the arrangement. */
export function columnMenu(desk, column, show, arrange) {
  return () => {
    const line = desk.lines.get(column.line);
    const state = line && stateOf(line);
    return dialog({
      key: `column-${column.key}`, title: [...column.path, column.title].join(' › '), close: desk.sheets.close,
    },
      line && h('p', { class: 'muted' },
        [scaleText(column), countText(desk, column), line.curve && column.field === null && curveText(line.curve),
          line.due && t('line.dueOn', { day: date(line.due) })].filter(Boolean).join(' · ')),
      line && h('p', null, t(`line.about.${state}`)),
      h('div', { class: 'menu' },
        sorting(desk, column, arrange),
        (column.figure || takesNumbers(column)) && !column.isAnonymous
          && item('eye', t('view.belowOpen'), () => desk.sheets.open(belowSheet(desk, column, arrange))),
        desk.model.columns.length > 1 && item('eyeOff', t('view.hide'), () => {
          desk.sheets.close();
          arrange({ hidden: new Set([...desk.model.arrangement.hidden, column.key]) });
        }),
        line && item('check', t(column.isAnonymous ? 'anonymous.mark' : 'grid.oneColumn'), () => {
          desk.sheets.close();
          show('column', column.key);
        }),
        line && desk.permissions.mayGrade && !column.isAnonymous && !column.isLocked
          && desk.permissions.groups.length > 0
          && item('people', t('group.mark'), () => desk.sheets.open(groupMarkSheet(desk, column))),
        column.isAnonymous && desk.permissions.mayTeach
          && item('eye', t('anonymous.reveal'), () => desk.sheets.open(revealSheet(desk, column))),
        hasStatistics(column)
          && item('chart', t('statistics.open'), () => desk.sheets.open(statisticsSheet(desk, column))),
        empties(desk, column).length > 0 && item('close', t('grid.missAll'), () => {
          desk.sheets.close();
          desk.entry.setStatus(empties(desk, column), 'missing');
        }),
        emptyCells(desk, column).length > 0
          && item('pencil', t('fill.open'), () => desk.sheets.open(fillSheet(desk, column))),
        line && desk.permissions.mayTeach && takesCurve(column)
          && item('target', t('curve.open'), () => desk.sheets.open(curveSheet(desk, column))),
        line && desk.permissions.mayTeach && state !== 'shown'
          && item('eye', t('line.post'), () => attempt(desk, () => post(desk, line.id, false))),
        line && desk.permissions.mayTeach && state === 'shown'
          && item('eyeOff', t('line.hide'), () => attempt(desk, () => post(desk, line.id, true))),
        line && desk.permissions.mayTeach
          && item('pencil', t('action.edit'), () => desk.sheets.open(editSheet(desk, line)))));
  };
}

// The cells that may be marked as missing.
function empties(desk, column) {
  if (!desk.permissions.mayGrade || column.isAnonymous || !desk.permissions.marks(column)
    || !column.statuses.includes('missing')) return [];
  const places = [...desk.model.rows.values()].map(row => ({ row, column, cell: desk.contents.of(row, column) }));
  return places.filter(({ cell }) => cell.value === null && cell.status === null);
}

const countText = (desk, column) => {
  const rows = [...desk.model.rows.values()];
  return t('grid.entered', {
    done: rows.filter(row => cellText(column, desk.contents.of(row, column)) !== '').length, total: rows.length,
  });
};

function sorting(desk, column, arrange) {
  const { sort } = desk.model;
  const own = descending => ({ key: column.key, descending });
  const by = list => () => {
    desk.sheets.close();
    arrange({ sort: list });
  };
  const others = sort.filter(({ key }) => key !== column.key);
  return [
    item('sortUp', t('grid.sortUp'), by([own(false)]), true), item('sortDown', t('grid.sortDown'), by([own(true)])),
    others.length > 0
      && [item('sortUp', t('view.thenUp'), by([...others, own(false)])),
        item('sortDown', t('view.thenDown'), by([...others, own(true)]))],
  ];
}

const item = (symbol, text, onclick, isFirst = false) => h('button', {
  key: text, class: 'menu-item', type: 'button', autofocus: isFirst, onclick,
}, icon(symbol), h('span', null, text));

async function attempt(desk, action) {
  desk.sheets.close();
  try {
    await action();
  } catch (error) {
    desk.app.say(problemText(error), 'bad');
  }
  desk.redraw();
}
