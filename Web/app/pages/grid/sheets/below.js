// Shows the students who are below a value of a column.

import { t, toInput } from '../../../core/text/i18n.js';
import { fromInput } from '../../../core/text/numbers.js';
import { isDecimal } from '../../../core/values/decimals.js';
import { dialog } from '../../../parts/frame/dialog.js';
import { Form } from '../../../parts/frame/form.js';

/** The sheet that asks for the value; `arrange(changes)` changes the arrangement of the page. */
export function belowSheet(desk, column, arrange) {
  const others = () => desk.model.arrangement.below.filter(({ key }) => key !== column.key);
  const now = desk.model.arrangement.below.find(({ key }) => key === column.key);
  const form = new Form(desk.redraw, data => {
    const text = String(data.get('/value')).trim();
    const value = fromInput(text);
    form.faults = text !== '' && !isDecimal(value)
      ? [{ path: '/value', code: 'type', message: t('view.belowNumber') }]
      : [];
    if (form.faults.length > 0) return;
    desk.sheets.close();
    arrange({ below: text === '' ? others() : [...others(), { key: column.key, value }] });
  }, { isTrial: true });
  return () => dialog({
    key: `below-${column.key}`, title: t('view.belowTitle', { title: column.title }), close: desk.sheets.close,
    className: 'sheet',
  },
    form.view([
      form.text({
        name: '/value', label: t('view.belowValue'), hint: t('view.belowHint'), value: now ? toInput(now.value) : '',
        autocomplete: 'off', inputmode: 'decimal',
      }),
    ], { action: t('view.belowShow'), cancel: desk.sheets.close }));
}
