// Creates inputs from a configuration's JSON Schema. The edited value is a plain object to which the inputs write; the
// name of every input is its JSON pointer, so that the server's faults and warnings are shown at their inputs.

import { h } from '../../core/page/dom.js';
import { t, toInput } from '../../core/text/i18n.js';
import { fromInput, numberOf } from '../../core/text/numbers.js';
import { exampleFields, isExample } from './exampleFields.js';
import { icon } from '../frame/icons.js';
import { isTable, statusTable } from './statusTable.js';
import { optionText, settingName } from './settingWords.js';

/**
 * The input of one setting. `holder[name]` is changed in place; `context` has the form, the scheme and `redraw`, which
 * is called when rows are added or removed.
 */
export function schemaField(context, schema, holder, name, pointer) {
  const text = settingName(schema, name);
  if (schema.enum) return choice(context, schema, holder, name, pointer, text);
  if (schema.type === 'boolean') return flag(context, holder, name, pointer, text);
  if (schema.type === 'array') return rows(context, schema, holder, name, pointer, text);
  if (isTable(schema)) return table(context, schema, holder, name, pointer, text);
  if (schema.type === 'object') {
    return schema.properties
      ? group(context, schema, holder, name, pointer, text)
      : open(context, holder, name, pointer, text);
  }
  if (schema.pattern?.includes('tolerance')) return comparison(context, holder, name, pointer, text);
  return line(context, schema, holder, name, pointer, text);
}

function line({ form }, schema, holder, name, pointer, text) {
  const numeric = [schema.type].flat().some(type => type === 'number' || type === 'integer');
  return form.field({ name: pointer, label: text, hint: range(schema) }, attributes => h('input', {
    ...attributes,
    type: 'text',
    inputmode: numeric ? 'decimal' : null,
    initial: numeric ? toInput(holder[name]) : holder[name] ?? '',
    oninput: event => put(holder, name, numeric ? numberOf(event.target.value) : event.target.value),
  }));
}

const range = ({ minimum, maximum }) =>
  (minimum === undefined || maximum === undefined
    ? null
    : t('form.range', { min: toInput(minimum), max: toInput(maximum) }));

function put(holder, name, value) {
  if (value === '' || value === null) delete holder[name];
  else holder[name] = value;
}

function choice({ form }, schema, holder, name, pointer, text) {
  return form.field({ name: pointer, label: text }, attributes => h('select', {
    ...attributes,
    onchange: event => put(holder, name, schema.enum[Number(event.target.value)]),
  }, schema.enum.map((item, index) =>
    h('option', { value: index, selected: item === holder[name] }, optionText(item)))));
}

// The input for how a value is compared: exactly, as displayed, or with a tolerance.
function comparison({ form, redraw }, holder, name, pointer, text) {
  const slack = /^tolerance\((.*)\)$/.exec(holder[name] ?? '')?.[1];
  const kind = slack === undefined ? holder[name] ?? 'exact' : 'tolerance';
  return form.field({ name: pointer, label: text }, attributes => h('div', { class: 'with-button' },
    h('select', {
      ...attributes,
      onchange: event => {
        holder[name] = event.target.value === 'tolerance' ? 'tolerance(0.01)' : event.target.value;
        redraw();
      },
    }, ['exact', 'displayed',
    'tolerance'].map(item => h('option', { value: item, selected: item === kind }, t(`option.${item}`)))),
    kind === 'tolerance' && h('input', {
      key: 'slack', type: 'text', inputmode: 'decimal', 'aria-label': t('setting.tolerance'), initial: toInput(slack),
      oninput: event => {
        holder[name] = `tolerance(${fromInput(event.target.value)})`;
      },
    })));
}

function flag({ form }, holder, name, pointer, text) {
  return form.field({ name: pointer, label: text, className: 'boolean' }, attributes => h('input', {
    ...attributes, type: 'checkbox', checked: holder[name] === true,
    onchange: event => put(holder, name, event.target.checked),
  }));
}

function table({ redraw }, schema, holder, name, pointer, text) {
  holder[name] ??= {};
  return statusTable(schema, holder[name], text, pointer, (row, column, value) => {
    (holder[name][row] ??= {})[column] = value;
    redraw();
  });
}

function group(context, schema, holder, name, pointer, text) {
  holder[name] ??= {};
  return h('fieldset', { key: pointer, class: 'settings' },
    h('legend', null, text),
    Object.entries(schema.properties)
      .map(([inner, sub]) => schemaField(context, sub, holder[name], inner, `${pointer}/${inner}`)));
}

function rows(context, schema, holder, name, pointer, text) {
  holder[name] ??= [];
  const list = holder[name];
  return h('fieldset', { key: pointer, class: 'settings-rows' },
    h('legend', null, text),
    list.map((row, index) => h('div', { key: rowKey(row), class: 'settings-row' },
      Object.entries(schema.items.properties ?? {}).map(([inner, sub]) =>
        schemaField(context, sub, row, inner, `${pointer}/${index}/${inner}`)),
      h('button', {
        class: 'round danger', type: 'button', 'aria-label': t('settings.removeRow', { name: text, index: index + 1 }),
        onclick: () => {
          list.splice(index, 1);
          context.redraw();
        },
      }, icon('trash')))),
    list.length < (schema.maxItems ?? 50) && h('button', {
      class: 'button quiet small', type: 'button',
      onclick: () => {
        list.push({});
        context.redraw();
      },
    }, icon('plus'), t('settings.addRow')));
}

// Rows have no names; each keeps the number that it got when it was first drawn.
const numbers = new WeakMap();
let next = 0;

const rowKey = row => {
  if (!numbers.has(row)) numbers.set(row, (next += 1));
  return numbers.get(row);
};

function open({ form, scheme }, holder, name, pointer, text) {
  return isExample(scheme, holder[name])
    ? exampleFields(form, scheme, holder[name], pointer, text)
    : json({ form }, holder, name, pointer, text);
}

function json({ form }, holder, name, pointer, text) {
  return form.field({ name: pointer, label: text, className: 'text', hint: t('settings.json') },
    attributes => h('textarea', {
      ...attributes, rows: 6, spellcheck: 'false', class: 'code', initial: JSON.stringify(holder[name], null, 2),
      oninput: event => {
        try {
          put(holder, name, JSON.parse(event.target.value));
        } catch {
          put(holder, name, event.target.value);
        }
      },
    }));
}
