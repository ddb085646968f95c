// Publishes the rehearsed draft: asks for its first day, and for what happens to the existing records.

import { h } from '../../core/page/dom.js';
import { label, t } from '../../core/text/i18n.js';
import { changesTable } from './changes.js';
import { Form } from '../frame/form.js';
import { icon } from '../frame/icons.js';
import { faultText, withCode } from '../frame/problem.js';

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
        ['keep', 'move', 'move_closed'].map(treatment =>
          h('option', { value: treatment }, t(`publish.records.${treatment}`))))),
    ], { action: t('publish.action', { version: (version ?? 0) + 1 }) }));
}

/** What publishing would refuse of a document, as its faults, by the answer of a check. */
export const foundBy = ({ faults, laws }) => [
  ...faults.filter(fault => !fault.warning).map(({ message, line }) => ({ message: label(message), args: { line } })),
  ...(laws ?? []).filter(law => !law.kept).map(({ statement, detail, remedy, line, article }) => ({
    message: [label(statement), detail, remedy && label(remedy)].filter(Boolean).join(' — '), args: { line, article },
  })),
];

/**
 * Why the draft is not published; faults of a document lead to their lines. After each refused publication, as
 * `refusals` counts them, the card takes the focus: the button that was pressed may be far below.
 */
export function refusedCard(faults, program, refusals) {
  // The dialog that asked gives the focus back when it leaves, at the latest in the same drawing.
  const focus = element => requestAnimationFrame(() => element.querySelector('h2').focus());
  return h('section', {
    key: `refused-${refusals}`, class: 'card', role: 'alert', ...(refusals > 0 && { onMount: focus }),
  },
    h('h2', { tabindex: '-1' }, t('publish.refused')),
    h('ul', { class: 'rows' }, faults.map((fault, index) => h('li', { key: index },
      icon('warning'),
      h('span', { class: 'grow' }, withCode(fault.message ?? faultText(fault))),
      fault.args?.line && h('a', { href: `/programs/${program.id}/rules?line=${fault.args.line}` },
        t('publish.atLine', { line: fault.args.line }), fault.args.article && ` · ${fault.args.article}`)))));
}

/** What the rehearsal could not know: records that changed after it, and what the new version means for them. */
export function sinceCard({ records, items }, scheme, dismiss) {
  return h('section', { class: 'card since-card', role: 'status' },
    h('h2', null, t('publish.since')),
    h('p', null, t('publish.sinceText', { count: records })),
    items.length === 0
      ? h('p', { class: 'muted' }, t('publish.sinceNothing'))
      : h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': t('publish.since') },
        changesTable(items, scheme)),
    h('div', { class: 'actions' },
      h('button', { class: 'button quiet', type: 'button', onclick: dismiss }, t('action.dismiss'))));
}
