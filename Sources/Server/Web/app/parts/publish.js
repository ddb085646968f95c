// Publishing the rehearsed draft: from which day, and what becomes of the records there are.

import { h } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { Form } from './form.js';

/** `publish(body)` sends the publication. */
export const publishForm = (redraw, publish) => new Form(redraw, data => {
  const day = data.get('/effectiveFrom');
  const records = data.get('/records');
  return publish({ ...(day && { effectiveFrom: day }), ...(records && { records }) });
});

/** The card on the program's page, once the draft has been rehearsed. */
export function publishCard(form, { version }) {
  return h('section', { class: 'card' },
    h('h2', null, t('publish.title')),
    form.view([
      form.text({ name: '/effectiveFrom', label: t('publish.from'), hint: t('publish.fromHint'), type: 'date' }),
      version && form.field({ name: '/records', label: t('publish.records') }, attributes => h('select', attributes,
        ['keep', 'move'].map(treatment => h('option', { value: treatment }, t(`publish.records.${treatment}`))))),
    ], { action: t('publish.action', { version: (version ?? 0) + 1 }) }));
}
