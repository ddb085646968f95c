// Shows which staff member entered what. Students cannot change it, and see that, with the name, before they try.

import { h, named } from '../../core/page/dom.js';
import { t } from '../../core/text/i18n.js';
import { icon } from '../frame/icons.js';

/**
 * A lock with the names of the staff members who entered something in an entry or in the record itself. If staff enter
 * everything, there is no need to say so.
 */
export function enteredMark(desk, thing) {
  if (desk.book.mode !== 'stored' || desk.book.program.entry !== 'both') return null;
  const names = desk.authorsOf(thing);
  if (names.length === 0) return null;
  const text = t(desk.staff ? 'entered.by' : 'entered.byHeld', { name: names.join(', ') });
  return h('span', { class: 'entered-by', title: text },
    icon('lock'),
    h('span', { class: 'visually-hidden' }, t('entered.label')), ' ',
    named(names.join(', ')));
}

/** The hint of a field that cannot be changed: who entered it. */
export const heldHint = name => t('entered.by', { name });

/** Says once in a form why some of its fields cannot be changed; `things` are the entries in the form. */
export function heldNote(desk, things) {
  const isHeld = things.some(thing => thing.enteredBy && desk.authorsOf(thing).length > 0);
  return isHeld && !desk.staff && desk.book.mode === 'stored'
    && h('p', { class: 'held-note' }, icon('lock'), h('span', null, t('entered.note')));
}
