// A sheet that moves a student to another class of the program, with the results for which that class has lines.

import { h } from '../../../core/page/dom.js';
import { t } from '../../../core/text/i18n.js';
import { dialog } from '../../../parts/frame/dialog.js';
import { Form } from '../../../parts/frame/form.js';

/** The sheet for the student of a row; `back()` closes it. */
export function transferSheet(desk, row, back) {
  let classes = null;
  desk.app.http.get('/v1/classes?limit=200').then(({ body }) => {
    classes = body.items.filter(item => item.program === desk.program.id && item.id !== desk.id
      && item.state === 'open');
    desk.redraw();
  }, () => {});
  const form = new Form(desk.redraw, async data => {
    const close = desk.sheets.closing(back);
    const { body } = await desk.app.http.post(`${desk.path}/transfers`, { enrolment: row.id, to: data.get('/to') });
    await desk.rows.read();
    close();
    const title = classes.find(({ id }) => id === data.get('/to')).title;
    const left = body.left.map(desk.lineTitle);
    desk.app.say(left.length === 0
      ? t('roster.transferred', { name: row.name, title })
      : t('roster.transferredLeft', { name: row.name, title, lines: left.join(t('paste.and')) }),
      'good');
  });
  return () => dialog({ key: `transfer-${row.id}`, title: t('roster.transferOne', { name: row.name }), close: back },
    classes === null || classes.length > 0
      ? form.view([
        h('p', null, t('roster.transferText')),
        form.field({ name: '/to', label: t('roster.transferTo') },
          attributes => h('select', attributes,
            (classes ?? []).map(item => h('option', { key: item.id, value: item.id }, item.title)))),
      ], { action: t('roster.transfer'), cancel: back })
      : h('p', { class: 'empty' }, t('roster.transferNone')));
}
