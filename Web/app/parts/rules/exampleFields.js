// Inputs for a setting that is itself an entry, such as a form's initial one; they come from the scheme's shape.

import { h } from '../../core/page/dom.js';
import { label, t } from '../../core/text/i18n.js';
import { kindOf } from '../../core/data/kinds.js';
import { numberOf } from '../../core/text/numbers.js';
import { readField, shapeFields } from '../record/shapeFields.js';

/** Whether `value` can be drawn in this way. */
export const isExample = (scheme, value) => Boolean(value?.kind && kindOf(scheme, value.kind));

/** The inputs of `node`, which they change in place. */
export function exampleFields(form, scheme, node, pointer, text) {
  const kind = kindOf(scheme, node.kind);
  const take = event => {
    event.stopPropagation();
    put(node, kind, event.target, pointer);
  };
  return h('fieldset', { key: pointer, class: 'settings', oninput: take },
    h('legend', null, text),
    shapeFields(form, kind.fields, node.fields ?? {}, pointer),
    (node.children ?? []).map((child, index) => isExample(scheme, child)
      && exampleFields(form, scheme, child, `${pointer}/children/${index}`, nameOf(scheme, child, index))));
}

/** The title of an entry within an example. */
export function nameOf(scheme, node, index) {
  const kind = kindOf(scheme, node.kind);
  const choice = kind.fields.find(field => field.type === 'choice' && node.fields?.[field.name] !== undefined);
  const chosen = choice?.choices.find(item => item.value === node.fields[choice.name]);
  return chosen
    ? label(chosen.label, String(chosen.value))
    : t('entry.numbered', { kind: label(kind.label), number: index + 1 });
}

function put(node, kind, input, pointer) {
  const field = kind.fields.find(item => input.name === `${pointer}/fields/${item.name}`);
  if (!field) return;
  node.fields ??= {};
  const value = field.type === 'boolean' ? input.checked : readField(field, input.value);
  if (value === null) delete node.fields[field.name];
  else node.fields[field.name] = ['number', 'integer'].includes(field.type) ? numberOf(value) : value;
}
