// A registrar's announcement to the members of an institution.

import { h } from '../../core/page/dom.js';
import { t } from '../../core/text/i18n.js';
import { dialog } from '../../parts/frame/dialog.js';
import { Form } from '../../parts/frame/form.js';

export function announceSheet(app, close, lines, memberships) {
  const ids = memberships.map(({ institution }) => institution.id ?? institution);
  let titles = new Map();
  app.catalogue.institutions().then(found => {
    titles = new Map(found.map(({ id, title }) => [id, title]));
    app.redraw();
  }).catch(() => {});
  const form = new Form(app.redraw, async values => {
    const institution = ids.length === 1 ? ids[0] : values.get('/institution');
    const { body } =
      await app.http.post(`/v1/institutions/${institution}/announcements`, { text: values.get('/text').trim() });
    close();
    lines.announced(body.announcement.id);
    app.say(t('timeline.announced'), 'good');
  });
  return () => dialog({ key: 'announce', title: t('timeline.announce'), close, className: 'sheet' },
    h('p', { class: 'help' }, t('timeline.announceHint')),
    form.view([
      ids.length > 1 && form.field({ name: '/institution', label: t('timeline.institution') },
        attributes => h('select', attributes,
          ids.map(id => h('option', { key: id, value: id }, titles.get(id) ?? id)))),
      form.field({ name: '/text', label: t('timeline.text') },
        attributes => h('textarea', { ...attributes, rows: 5, maxlength: 1000, required: true })),
    ], { action: t('timeline.announce'), cancel: close }));
}
