// Shows which staff member entered what. A student cannot change it, and sees that, with the name, before trying.

import { h, named } from '../../core/page/dom.js';
import { t } from '../../core/text/i18n.js';
import { icon } from '../frame/icons.js';

/**
 * A lock with the names of those of staff who entered something of an entry or of the record itself. Where staff enter
 * everything, that goes without saying.
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

/** Who entered a field that cannot be changed, as its hint. */
export const heldHint = name => t('entered.by', { name });

/** Says once in a form why some of its fields cannot be changed; `things` are the entries it is about. */
export function heldNote(desk, things) {
  const isHeld = things.some(thing => thing.enteredBy && desk.authorsOf(thing).length > 0);
  return isHeld && !desk.staff && desk.book.mode === 'stored' && h('p', { class: 'held-note' }, icon('lock'), h('span', null, t('entered.note')));
}
