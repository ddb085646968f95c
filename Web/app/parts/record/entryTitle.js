// The name of an entry, or of a line of a class.

import { label } from '../../core/text/i18n.js';
import { kindOf } from '../../core/data/kinds.js';
import { valueIn } from '../../core/values/own.js';

/** The entry's text, or else its choice; `null` if it has neither. */
export function ownTitle(entry, scheme) {
  const kind = kindOf(scheme, entry.kind);
  const named = kind?.fields.find(field => field.type === 'text' && valueIn(entry.fields, field.name));
  if (named) return String(entry.fields[named.name]);
  const chosen = kind?.fields.find(field => field.type === 'choice'
    && (valueIn(entry.fields, field.name) ?? null) !== null);
  const choice = chosen?.choices.find(item => String(item.value) === String(entry.fields[chosen.name]));
  return choice ? label(choice.label, String(choice.value)) : null;
}

/** The entry's own title, or else its kind. */
export const titleOf = (entry, scheme) => ownTitle(entry, scheme)
  ?? label(kindOf(scheme, entry.kind)?.label, entry.kind);
