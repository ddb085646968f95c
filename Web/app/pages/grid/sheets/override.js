// The sheet in which a teacher sets a figure of a student's total by hand, or a status of the total, or resets them.

import { h, named } from '../../../core/page/dom.js';
import { t, toInput } from '../../../core/text/i18n.js';
import { fromInput } from '../../../core/text/numbers.js';
import { statusText } from '../../../core/text/statuses.js';
import { dialog } from '../../../parts/frame/dialog.js';
import { Form } from '../../../parts/frame/form.js';
import { givenOf, givenText } from '../given.js';

const LONGEST_REASON = 500;

/** The sheet for one figure of one student. */
export function overrideSheet(desk, row, column) {
  const seen = givenOf(row, column);
  const [value, status, reason] = [`/rows/0/figures/${column.figure}`, '/rows/0/status', '/reason'];
  const [{ statuses = [] } = {}, seenStatus] = [desk.taught.total, row.status];
  let takesBack = false;
  if (seen) desk.names.learn(row, seen.by);
  const form = new Form(desk.redraw, async data => {
    const close = desk.sheets.closing();
    const figure = takesBack ? null : fromInput(String(data.get(value) ?? '').trim());
    const chosen = takesBack || statuses.length === 0 ? seenStatus : data.get(status) || null;
    takesBack = false;
    const { body } = await desk.app.http.post(`${desk.path}/override`, {
      rows: [{
        row: row.id,
        ...(figure === '' ? {} : {
          figures: { [column.figure]: figure }, was: { [column.figure]: seen?.value ?? null },
        }),
        ...(chosen === seenStatus ? {} : { status: chosen, wasStatus: seenStatus }),
      }],
      reason: String(data.get(reason) ?? '').trim(),
    });
    const undo = desk.entry.did(body);
    close();
    desk.app.say(t(figure === null ? 'override.takenBack' : 'override.given', { name: row.name }), 'good', undo);
    desk.rows.reach(body.v);
  });
  const takeBack = event => {
    takesBack = true;
    event.currentTarget.form.requestSubmit();
  };
  return () => dialog({
    key: 'override', title: t('override.title', { title: column.title, name: row.name }), close: desk.sheets.close,
    className: 'sheet',
  },
    h('p', { class: 'muted' }, t('override.intro')),
    h('p', null,
      seen
        ? named(givenText(desk.names, seen))
        : t('override.computed', { value: desk.contents.look(row, column).text || '–' })),
    form.view([
      form.text({
        name: value, label: t('override.value'), value: seen ? toInput(seen.value) : '', inputmode: 'decimal',
        autocomplete: 'off', required: !seen && statuses.length === 0,
      }),
      statuses.length > 0
        && form.field({ name: status, label: t('entry.status'), hint: t('override.statusHint') },
          attributes => h('select', attributes,
            h('option', { value: '', selected: seenStatus === null }, t('status.none')),
            ...statuses.map(item =>
              h('option', { key: item, value: item, selected: item === seenStatus },
                statusText(item, desk.taught.total))))),
      form.field({ name: reason, label: t('override.reason'), hint: t('override.reasonHint') }, attributes =>
        h('textarea', { ...attributes, rows: 2, maxlength: LONGEST_REASON, required: true })),
    ], {
      action: t('override.give'), cancel: desk.sheets.close,
      more: seen && h('button', { class: 'button quiet', type: 'button', onclick: takeBack }, t('override.takeBack')),
    }));
}
