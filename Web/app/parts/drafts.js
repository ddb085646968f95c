// What its author typed before a session ended, as long as the form for it is not open.

import { clamped, h } from '../core/dom.js';
import { t } from '../core/i18n.js';

export function draftCards(app) {
  const { path } = app.store.state;
  return (app.drafts?.list ?? []).map(({ id, title, text, path: where }) => h('div', { class: 'banner', role: 'status', key: `draft-${id}` },
    h('div', { class: 'grow' },
      h('p', null, clamped(t('typed.kept', { title, text }))),
      where === path && h('p', { class: 'hint' }, t('typed.again', { title }))),
    where !== path && h('a', { class: 'button small', href: where }, t('typed.go')),
    h('button', { class: 'button quiet small', type: 'button', onclick: () => app.drafts.discard(id) }, t('unsent.discardOne'))));
}
