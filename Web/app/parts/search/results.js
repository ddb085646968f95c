// Search results: the page of each, and how it is shown.

import { h, named } from '../../core/page/dom.js';
import { t } from '../../core/text/i18n.js';
import { isAdministrator, isStaff, keeps, registers } from '../../core/net/session.js';
import { avatar } from '../frame/avatar.js';
import { icon } from '../frame/icons.js';

const icons = {
  record: 'records', entry: 'pencil', program: 'programs', class: 'grid', student: 'cap', person: 'person',
  institution: 'cap', scheme: 'explore', regulation: 'records',
};

/** The address of the page that shows a result. */
export function addressOf(state, kind, item) {
  switch (kind) {
    case 'record': return `/records/${item.id}`;
    case 'entry': return item.classEntry
      ? `/records/${item.record}/classes/${item.classEntry}`
      : `/records/${item.record}`;
    case 'program': return keeps(state, { id: item.id, institution: item.institution }) || isAdministrator(state)
      ? `/programs/${item.id}` : state.account ? '/records' : `/explore/${item.scheme}`;
    case 'class': return `/classes/${item.id}`;
    case 'student': return item.program
      ? `/programs/${item.program}/people`
      : `/institutions/${item.institution}/members`;
    case 'person': return `/people/${item.id}`;
    case 'institution': return registers(state, { institution: item.id })
      ? `/institutions/${item.id}/members`
      : isStaff(state)
      ? '/programs'
      : '/explore';
    case 'scheme': return item.id === 'regulations' ? '/explore' : `/explore/${item.id}`;
    default: return isStaff(state) ? '/programs' : '/explore';
  }
}

/** The note beside the title of a result. */
export const noteOf = (kind, item) => ({
  entry: [item.within, item.recordTitle].filter(Boolean).join(' · '),
  program: item.institutionTitle,
  class: item.programTitle,
  student: [item.login, item.studentNumber].filter(Boolean).join(' · '),
})[kind] ?? '';

/** One result, inside its link. */
export const found = (kind, item) => [
  item.person ? avatar(item.person, 24) : icon(icons[kind]),
  h('span', { class: 'grow' },
    h('strong', null, named(item.title)),
    noteOf(kind, item) && h('span', { class: 'muted' }, named(noteOf(kind, item)))),
  item.published === false && h('span', { class: 'pill' }, t('work.state.draft')),
];
