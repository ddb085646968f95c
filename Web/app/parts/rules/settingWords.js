// The names of settings and of their values.

import { has, label, t } from '../../core/text/i18n.js';

/** The name of a setting: from its scheme, or else from the page. */
export const settingName = (schema, name) =>
  schema['x-labels'] ? label(schema['x-labels']) : has(`setting.${name}`) ? t(`setting.${name}`) : schema.title ?? name;

/** The name of a band: its label, unless that is the name of a colour that the page translates. */
export const bandName = text => (has(`colour.${text}`) ? t(`colour.${text}`) : text);

/** The word for a value from a list. */
export const optionText = item =>
  [`setting.rounding.${item}`, `option.${item}`, `preset.${item}`].map(key => (has(key) ? t(key) : null)).find(Boolean)
    ?? String(item);
