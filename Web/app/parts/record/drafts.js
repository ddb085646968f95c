// What an author typed before a session ended, shown while its form is not open, and what can no longer be opened.

import { h } from '../../core/page/dom.js';
import { t } from '../../core/text/i18n.js';

export function draftCards(app) {
  const { path } = app.store.state;
  return [lockedCard(app),
    (app.drafts?.list ?? [])
      .map(({ id, title, text, path: where }) => h('div', { class: 'banner', role: 'status', key: `draft-${id}` },
        // The text has a line of its own, because its author looks for it.
        h('div', { class: 'grow', style: { 'flex-basis': '20rem', 'min-width': '0', 'overflow-wrap': 'anywhere' } },
          h('p', null, t('typed.kept', { title, text })),
          where === path && h('p', { class: 'hint' }, t('typed.again', { title }))),
        where !== path && h('a', { class: 'button quiet small', href: where }, t('typed.go')),
        h('button', { class: 'button quiet small', type: 'button', onclick: () => app.drafts.discard(id) },
          t('unsent.discardOne'))))];
}

// Edits and results that were sealed with an earlier key of the server.
function lockedCard(app) {
  const edits = app.store.state.edits.filter(edit => edit.state === 'locked');
  const count = edits.length + (app.cells?.counts.locked ?? 0);
  const discard = () => {
    for (const { id } of edits) app.edits.discard(id);
    app.cells?.discardLocked();
  };
  return count > 0 && h('div', { class: 'banner', role: 'status', key: 'locked' },
    h('span', { class: 'grow' }, t('unsent.locked', { count })),
    h('button', { class: 'button quiet small', type: 'button', onclick: discard }, t('unsent.discardOne')));
}
