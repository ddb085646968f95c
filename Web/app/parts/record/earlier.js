// Copies of the student's earlier records in this record: which there are, and how staff take over or remove one.

import { clamped, h } from '../../core/page/dom.js';
import { label, t } from '../../core/text/i18n.js';
import { icon } from '../frame/icons.js';

/** The card with the copies that a record can hold, for staff who may add them. */
export function earlierRecords(desk) {
  const kinds = desk.scheme.shape.kinds.filter(kind => kind.copies === 'record');
  if (kinds.length === 0 || !desk.gives) return null;
  return h('section', { class: 'card earlier' },
    h('h2', null, t('earlier.title')),
    h('p', { class: 'muted' }, t('earlier.intro')),
    h('ul', { class: 'rows' }, kinds.map(kind => row(desk, kind))));
}

function row(desk, kind) {
  const taken = desk.book.record.entries.some(entry => entry.kind === kind.kind);
  return h('li', { key: kind.kind },
    h('span', { class: 'grow' }, h('strong', null, clamped(label(kind.label))),
      h('span', { class: 'muted' }, t(taken ? 'earlier.taken' : 'earlier.none'))),
    h('button', { class: 'button quiet small', type: 'button', onclick: () => open(desk, kind) },
      icon('records'), t(taken ? 'earlier.again' : 'earlier.take')),
    taken && h('button', { class: 'button quiet small', type: 'button', onclick: () => remove(desk, kind) },
      t('earlier.remove')));
}

const open = (desk, kind) => desk.attempt(async () => {
  const { earlierSheet } = await import('./takeEarlier.js');
  desk.open(await earlierSheet(desk, kind, refresh));
});

const remove = (desk, kind) => desk.attempt(async () => {
  await desk.app.http.delete(`/v1/records/${desk.book.id}/earlier/${kind.kind}`);
  await refresh(desk);
});

// Accepts the record's current state from the server.
async function refresh(desk) {
  const answer = await desk.app.http.get(`/v1/records/${desk.book.id}`);
  desk.app.documents.accept(desk.book.topic, answer.place, answer.body);
}
