// The result that an entry shows.

import { h } from '../../core/page/dom.js';
import { statusText } from '../../core/text/statuses.js';
import { kindOf } from '../../core/data/kinds.js';

// For work that is missing in a class, the entry has the value that it counts as, which is not a result.
const isMissing = entry => (entry.adjust ?? []).some(({ why }) => why === 'missing');

// Whether that value is in this field: one grade of several is named.
const isValueOfMissing = (entry, name) =>
  entry.adjust.some(({ why, field }) => why === 'missing' && (field ?? name) === name);

/** The fields of an entry as they are shown: without a grade if there is no result. */
export function shownFields(desk, entry) {
  if (!isMissing(entry)) return entry.fields;
  const grades = kindOf(desk.scheme, entry.kind)
    .fields.filter(field => field.grade && isValueOfMissing(entry, field.name));
  return { ...entry.fields, ...Object.fromEntries(grades.map(({ name }) => [name, null])) };
}

/** The status of an entry, or that its work in a class is missing. */
export function statusPill(desk, entry) {
  const status = entry.status ?? (isMissing(entry) ? 'missing' : null);
  return status && h('span', { class: 'pill' }, statusText(status, kindOf(desk.scheme, entry.kind)));
}
