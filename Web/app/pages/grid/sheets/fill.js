// Enters one result in all empty cells of a column.

import { t } from '../../../core/text/i18n.js';
import { dialog } from '../../../parts/frame/dialog.js';
import { Form } from '../../../parts/frame/form.js';
import { empty, misfit, readTyped } from '../cells.js';
import { takesNumbers } from '../columns.js';

/** The visible, empty cells of a column in which results may be entered. */
export function emptyCells(desk, column) {
  if (!desk.permissions.mayGrade || !column.line || column.isAnonymous || !desk.permissions.marks(column)) return [];
  // A status may stand in place of a second grade, which is shown in the column of the result.
  const isSetAside = ({ status }) => column.field !== null && column.setsAside?.includes(status);
  return desk.model.order.map(row => ({ row, column }))
    .filter(({ row }) => desk.contents.text(row, column) === '' && !isSetAside(desk.contents.of(row, column)));
}

/** The sheet that asks for the result. It fills the cells that are visible when it is sent, so filters choose the
 *  students. */
export function fillSheet(desk, column) {
  const form = new Form(desk.redraw, data => {
    const text = String(data.get('/value')).trim();
    const { change, fault } = readTyped(column, text, empty);
    const wrong = fault ?? (change && misfit(column, change));
    form.faults = wrong ? [{ path: '/value', code: 'type', message: wrong }] : [];
    if (wrong) return;
    desk.sheets.close();
    if (text === '') return;
    const count = desk.entry.enterAll(emptyCells(desk, column).map(({ row }) => ({ row, column, text })));
    if (count > 0) desk.say(t('fill.done', { count }));
  });
  return () => dialog({
    key: `fill-${column.key}`, title: t('fill.title', { title: column.title }), close: desk.sheets.close,
    className: 'sheet',
  },
    form.view([
      form.text({
        name: '/value', label: t('group.result'), hint: t('fill.help', { count: emptyCells(desk, column).length }),
        required: true, autocomplete: 'off', inputmode: takesNumbers(column) ? 'decimal' : null,
      }),
    ], { action: t('group.enter'), cancel: desk.sheets.close }));
}
