// Creates inputs from a scheme's shape, and reads their values. Numbers are sent as the text that was typed, so that
// nothing is rounded on the way; only the server judges them.

import { h } from '../../core/page/dom.js';
import { label, t, toInput } from '../../core/text/i18n.js';
import { fromInput } from '../../core/text/numbers.js';
import { heldHint } from './entered.js';
import { valueIn } from '../../core/values/own.js';

/**
 * The inputs for `fields`, filled from `values` (or the shape's defaults if `values` is null). `holderOf(name)` returns
 * who entered a field that the user cannot change; null for all other fields.
 */
export function shapeFields(form, fields, values, prefix = '', holderOf = () => null) {
  return fields.map(field => {
    const value = values ? valueIn(values, field.name) : field.default;
    const holder = holderOf(field.name);
    return holder === null ? shapeField(form, field, value, prefix) : heldField(form, field, value, prefix, holder);
  });
}

// A field that cannot be changed is sent with its current value, so that the form reads the same with and without it.
function heldField(form, field, value, prefix, holder) {
  const name = `${prefix}/fields/${field.name}`;
  const about = { name, label: label(field.label, field.name), className: field.type, hint: heldHint(holder) };
  const hidden = sent => h('input', { key: `held-${name}`, type: 'hidden', name, value: sent });
  if (field.type === 'boolean') {
    const isOn = value === true || value === 'true';
    return [isOn && hidden('on'),
      form.field(about, attributes => h('input', { ...attributes, type: 'checkbox', checked: isOn, disabled: true }))];
  }
  if (field.type === 'choice') {
    return [hidden(chosenIndex(field, value)),
      form.field(about, attributes => choice({ ...attributes, disabled: true }, field, value))];
  }
  const text = field.type === 'text' ? value ?? '' : toInput(value);
  return form.field(about, attributes => h('input', { ...attributes, type: 'text', readonly: true, initial: text }));
}

export function shapeField(form, field, value, prefix = '', text = label(field.label, field.name)) {
  const name = `${prefix}/fields/${field.name}`;
  const about = { name, label: text, className: field.type };
  switch (field.type) {
    case 'boolean':
      return form.field(about, attributes =>
        h('input', { ...attributes, type: 'checkbox', checked: value === true || value === 'true' }));
    case 'choice':
      return form.field(about, attributes => choice(attributes, field, value));
    case 'number':
    case 'integer':
      return form.field({ ...about, hint: range(field) }, attributes => h('input', {
        ...attributes,
        type: 'text',
        inputmode: field.type === 'integer' ? 'numeric' : 'decimal',
        autocomplete: 'off',
        'aria-required': field.required ? 'true' : null,
        initial: toInput(value),
      }));
    default:
      return form.field(about, attributes => h('input', {
        ...attributes, type: 'text', autocomplete: 'off', 'aria-required': field.required ? 'true' : null,
        initial: value ?? '',
      }));
  }
}

function chosenIndex(field, value) {
  const index = field.choices.findIndex(item => String(item.value) === String(value));
  return index < 0 ? '' : String(index);
}

function choice(attributes, field, value) {
  const chosen = Number(chosenIndex(field, value) || -1);
  return h('select', attributes,
    !field.required && h('option', { value: '' }, '–'),
    field.choices.map((item, index) =>
      h('option', { value: index, selected: index === chosen }, label(item.label, String(item.value)))));
}

function range({ min, max, exclusiveMin }) {
  if (min === null || min === undefined || max === null || max === undefined) return null;
  return t(exclusiveMin ? 'form.rangeAbove' : 'form.range', { min: toInput(min), max: toInput(max) });
}

/** The values of `fields` in the submitted form: null if nothing was entered. */
export function readFields(fields, data, prefix = '') {
  const values = Object.create(null);
  for (const field of fields) {
    const name = `${prefix}/fields/${field.name}`;
    if (field.type === 'boolean') values[field.name] = data.has(name);
    else if (data.has(name)) values[field.name] = readField(field, data.get(name));
  }
  return values;
}

export function readField(field, text) {
  if (field.type === 'choice') return text === '' ? null : field.choices[Number(text)].value;
  const value = field.type === 'text' ? text.trim() : fromInput(text);
  return value === '' ? null : value;
}

/** Leaves out what was not entered: an optional field that is absent has no value. */
export const entered = values => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));

/** Only the values that differ from `before`, as a patch. */
export function patched(before, values) {
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => !same(valueIn(before, name) ?? null, value)));
}

const same = (before, value) => before === value
  || (before !== null && value !== null && String(before) === String(value))
  || (before === null && value === false);
