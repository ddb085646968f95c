// What entries of each status count towards, as one table: a row for each status, a column for each sum. A setting is
// such a table if it is an object of objects that all have the same members.

import { h } from '../../core/page/dom.js';
import { has, t } from '../../core/text/i18n.js';
import { optionText, settingName } from './settingWords.js';

/** Whether `schema` is such a table. */
export function isTable(schema) {
  const rows = Object.values(schema.properties ?? {});
  const columns = JSON.stringify(rows[0]?.properties ?? null);
  return rows.length > 1 && columns !== 'null' && rows.every(row => JSON.stringify(row.properties ?? null) === columns)
    && Object.values(rows[0].properties).every(cell => cell.enum || cell.type === 'boolean');
}

/** The name of a row of the table. */
export const rowName = (schema, name) => (has(`status.${name}`) ? t(`status.${name}`) : settingName(schema, name));
/** The name of a column of the table. */
export const columnName = (schema, name) => (has(`counts.${name}`) ? t(`counts.${name}`) : settingName(schema, name));

/** The table; without `edit` it is read-only. `edit(row, column, value)` gets what was chosen. */
export function statusTable(schema, value, text, pointer, edit = null) {
  const rows = Object.entries(schema.properties);
  const columns = Object.entries(rows[0][1].properties);
  return h('div', { class: 'scroll status-table', key: pointer, tabindex: '0', role: 'region', 'aria-label': text },
    h('table', null,
      h('caption', null, t('rules.statuses')),
      h('thead', null, h('tr', null,
        h('th', { scope: 'col' }, t('rules.status')),
        columns.map(([name, cell]) => h('th', { scope: 'col', key: name }, columnName(cell, name))))),
      h('tbody', null, rows.map(([row, rowSchema]) => h('tr', { key: row },
        h('th', { scope: 'row' }, rowName(rowSchema, row)),
        columns.map(([column, cell]) => h('td', { key: column }, edit
          ? control(cell, value?.[row]?.[column], `${pointer}/${row}/${column}`,
            t('outcome.is', { name: rowName(rowSchema, row), state: columnName(cell, column) }),
            chosen => edit(row, column, chosen))
          : cellText(value?.[row]?.[column]))))))));
}

function control(cell, value, name, text, take) {
  if (cell.enum) {
    return h('select', { name, 'aria-label': text, onchange: event => take(cell.enum[Number(event.target.value)]) },
      cell.enum.map((item, index) => h('option', { value: index, selected: item === value }, countsText(item))));
  }
  return h('input', {
    type: 'checkbox', name, 'aria-label': text, checked: value === true, onchange: event => take(event.target.checked),
  });
}

const countsText = item => (has(`counts.as.${item}`) ? t(`counts.as.${item}`) : optionText(item));

/** The text of a cell. */
export const cellText = value => (typeof value === 'string' ? countsText(value) : t(value ? 'value.yes' : 'value.no'));
