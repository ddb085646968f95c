// Who else is in the grid, in a line above it: names that lead to the cells where people work.

import { h } from '../../core/page/dom.js';
import { t } from '../../core/text/i18n.js';
import { isolate } from '../../core/text/isolate.js';

/** `go(person)` goes to a person's cell; it is null if there is no grid. */
export function peopleBar(desk, go) {
  const { presence } = desk;
  if (presence.people.length === 0) return null;
  return h('div', { class: 'people-bar', key: 'people', role: 'group', 'aria-label': t('presence.title') },
    h('ul', { class: 'people-here' },
      presence.people.map(person => h('li', { key: person.account }, chip(desk, person, go)))),
    presence.more > 0 && h('span', { class: 'muted' }, t('presence.more', { count: presence.more })),
    presence.mayHide && h('label', { class: 'check' },
      h('input', {
        type: 'checkbox', checked: !presence.isHiding, onchange: event => presence.hide(!event.target.checked),
      }),
      h('span', null, t('presence.showMine'))));
}

function chip(desk, person, go) {
  const place = placeOf(desk, person);
  const tag = h('span', { class: 'person-tag', 'data-colour': person.colour, 'aria-hidden': 'true' }, person.initials);
  const about = place
    && t(person.isEditing ? 'presence.editsAt' : 'presence.isAt', {
      name: person.name, student: place.row.name, title: place.column.title,
    });
  if (!place || !go) return h('span', { class: 'person', title: about || null }, tag, isolate(person.name));
  return h('button', { class: 'person', type: 'button', title: about, 'aria-label': about, onclick: () => go(place) },
    tag,
    isolate(person.name));
}

/** Where a person works, if this page shows that cell. */
function placeOf(desk, { row, line }) {
  const { model } = desk;
  const place = {
    row: model.rows.get(row), column: model.columns.find(column => column.line === line && column.field === null),
  };
  return place.row && place.column ? place : null;
}
