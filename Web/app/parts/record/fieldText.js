// A value in readable form: the name of a choice, a number with the user's decimal mark.

import { label, t, toInput } from '../../core/text/i18n.js';

/** The value of a field; `field` is undefined if the scheme has no such field. */
export function fieldText(field, value) {
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'boolean') return t(value ? 'value.yes' : 'value.no');
  const choice = field?.choices?.find(item => String(item.value) === String(value));
  if (choice) return label(choice.label, String(value));
  return field?.type === 'text' ? String(value) : toInput(value);
}
