// A scheme's settings in the order in which a registrar needs them: letters, bars, weights and rounding first, the rest
// behind "More", which opens automatically if one of its settings is refused.

import { h } from '../../core/page/dom.js';
import { label, t } from '../../core/text/i18n.js';
import { schemaField } from './schemaForm.js';
import { settingName } from './settingWords.js';

// The members of a rounding that are rarely changed.
const finer = ['step', 'stages'];
const named = ['bands', 'preset', 'weights'];

const isRounding = schema => Boolean(schema.properties?.rounding);
const isNumber = schema => [schema.type].flat().includes('number');
const isLadder = schema => Boolean(schema.items?.properties?.from && schema.items.properties.points);
const comesFirst = ([name, schema]) => named.includes(name) || isRounding(schema) || isNumber(schema)
  || isLadder(schema);

/** The inputs. `value` is changed in place; `redraw` is called when rows come and go. */
export function settingsForm(form, scheme, value, redraw, pointer = '/configuration') {
  const all = Object.entries(scheme.configuration.schema.properties ?? {});
  const first = all.filter(comesFirst);
  const rest = all.filter(entry => !comesFirst(entry));
  const context = { form, scheme, redraw };
  const draw = ([name, schema]) => schemaField(context, schema, value, name, `${pointer}/${name}`);
  const roundings = first.filter(([, schema]) => isRounding(schema));
  const hidden = [...rest.map(([name]) => `${pointer}/${name}`),
    ...roundings.flatMap(([name]) => finer.map(part => `${pointer}/${name}/${part}`))];
  const isRefused = form.faults.some(fault =>
    hidden.some(place => fault.path === place || fault.path.startsWith(`${place}/`)));
  return [
    first.map(([name, schema]) => draw([name, isRounding(schema) ? without(schema, finer) : schema])),
    (rest.length > 0
      || roundings.length > 0) && h('details',
      { class: 'more-settings', key: 'more', open: isRefused ? true : undefined },
      h('summary', null, t('rules.more')),
      h('div', { class: 'form' },
        rest.map(draw),
        roundings.map(([name, schema]) =>
          draw([name, { ...only(schema, finer), 'x-labels': finerLabels(schema, name) }])))),
  ];
}

const pick = (schema, keep) => ({
  ...schema, properties: Object.fromEntries(Object.entries(schema.properties).filter(([name]) => keep(name))),
});
const without = (schema, names) => pick(schema, name => !names.includes(name));
const only = (schema, names) => pick(schema, name => names.includes(name));
const finerLabels = (schema, name) => t('rules.finer', { name: settingName(schema, name) });

/** The setting to which a pointer leads, in words. */
export function placeName(scheme, path) {
  const [, , ...steps] = path.split('/');
  let schema = scheme.configuration.schema;
  const names = [];
  for (const step of steps) {
    if (/^\d+$/.test(step) && schema?.items) {
      names.push(t('rules.row', { number: Number(step) + 1 }));
      schema = schema.items;
    } else {
      schema = schema?.properties?.[step];
      names.push(settingName(schema ?? {}, step));
    }
  }
  return names.join(' › ') || label(scheme.title, scheme.id);
}
