// A configuration in words, for users who read it without changing it.

import { h } from '../../core/page/dom.js';
import { t, toInput } from '../../core/text/i18n.js';
import { bandName, optionText, settingName } from './settingWords.js';
import { isTable, statusTable } from './statusTable.js';

/** The settings in words, one by one. The initial values of a form are not rules and are left out. */
export function rulesInWords(scheme, value) {
  return Object.entries(scheme.configuration.schema.properties ?? {}).map(([name, schema]) => {
    const text = settingName(schema, name);
    const said = words(schema, value?.[name] ?? schema.default, text);
    return said && h('div', { class: 'rule', key: name }, h('h3', null, text), said);
  });
}

function words(schema, value, text) {
  if (value === undefined || value === null || value.kind) return null;
  if (schema.properties?.rounding) return h('p', null, roundingWords(value));
  if (isTable(schema)) return statusTable(schema, value, text, text);
  if (schema.type === 'array') return ladder(schema, value, text);
  if (schema.enum) return h('p', null, optionText(value));
  if (schema.type === 'boolean') return h('p', null, t(value ? 'value.yes' : 'value.no'));
  if (schema.maxLength > 1000) {
    return h('pre', { class: 'regulations', tabindex: '0', role: 'region', 'aria-label': text }, value);
  }
  if (typeof value === 'object') return schema.properties ? rulesInWords({ configuration: { schema } }, value) : null;
  return h('p', null, toInput(value));
}

/** A rounding: "2 decimals, nearest, halves up; judged on the shown value". */
export function roundingWords({ rounding, scale, step, compareOn }) {
  const fine = step ? t('rules.step', { step: toInput(step) }) : t('rules.decimals', { count: scale ?? 0 });
  const judged = compareOn && judgedOn(compareOn);
  return [fine, optionText(rounding), judged && t('rules.judgedOn', { on: judged })].filter(Boolean)
    .join(t('rules.comma'));
}

/** The value that is compared, in words; null if the text does not say this. */
export function judgedOn(text) {
  if (/^tolerance\(.*\)$/.test(text)) return `${t('option.tolerance')} ${toInput(text.slice(10, -1))}`;
  return text === 'exact' || text === 'displayed' ? t(`option.${text}`) : null;
}

function ladder(schema, rows, text) {
  const columns = Object.entries(schema.items?.properties ?? {});
  if (columns.length === 0 || rows.length === 0) return null;
  return h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': text },
    h('table', { class: 'ladder' },
      h('thead', null,
        h('tr', null, columns.map(([name, cell]) => h('th', { scope: 'col', key: name }, settingName(cell, name))))),
      h('tbody', null, rows.map((row, index) => h('tr', { key: index },
        columns.map(([name, cell]) =>
          h('td', { key: name }, cell.enum ? optionText(row[name]) : bandName(toInput(row[name] ?? '–')))))))));
}
