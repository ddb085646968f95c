// What an entry shows as its result.

import { h } from '../../core/page/dom.js';
import { statusText } from '../../core/text/statuses.js';
import { kindOf } from '../../core/data/kinds.js';

// In the place of work that is missing in a class stands what it counts as, which is no result.
const isMissing = entry => (entry.adjust ?? []).some(({ why }) => why === 'missing');

/** The fields of an entry as they are shown: without a grade where there is no result. */
export function shownFields(desk, entry) {
  if (!isMissing(entry)) return entry.fields;
  const grades = kindOf(desk.scheme, entry.kind).fields.filter(field => field.grade);
  return { ...entry.fields, ...Object.fromEntries(grades.map(({ name }) => [name, null])) };
}

/** The status of an entry, and whether a class has its work as missing. */
export function statusPill(desk, entry) {
  const status = entry.status ?? (isMissing(entry) ? 'missing' : null);
  return status && h('span', { class: 'pill' }, statusText(status, kindOf(desk.scheme, entry.kind)));
}
