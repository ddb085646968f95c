// The names of settings and of their values.

import { has, label, t } from '../../core/text/i18n.js';

/** What a setting is called: by its scheme, else here. */
export const settingName = (schema, name) =>
  schema['x-labels'] ? label(schema['x-labels']) : has(`setting.${name}`) ? t(`setting.${name}`) : schema.title ?? name;

/** What a band is called: by its label, where that is no colour. */
export const bandName = text => (has(`colour.${text}`) ? t(`colour.${text}`) : text);

/** The word for a value out of a list. */
export const optionText = item =>
  [`setting.rounding.${item}`, `option.${item}`, `preset.${item}`].map(key => (has(key) ? t(key) : null)).find(Boolean) ?? String(item);
