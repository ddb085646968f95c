// A configuration as lines that can be compared with those of another: the place of a line, and its parts. A part is
// `[column, text]`; a value without columns has one part without a column. For a text of several lines, the part shows
// the number of lines and has the text itself as a third item.

import { label, t, toInput } from '../../core/text/i18n.js';
import { kindOf } from '../../core/data/kinds.js';
import { isExample, nameOf } from './exampleFields.js';
import { fieldText } from '../record/fieldText.js';
import { bandName, optionText, settingName } from './settingWords.js';
import { judgedOn, roundingWords } from './rulesInWords.js';
import { cellText, columnName, isTable, rowName } from './statusTable.js';

/** The lines, as `{names, parts}`, outermost name first; without a scheme (null), settings are worded as well as
 *  possible. */
export const settingLines = (scheme, configuration) =>
  members(scheme, scheme?.configuration.schema.properties ?? {}, configuration, []);

const members = (scheme, schemas, values, names) => Object.entries(values ?? {}).flatMap(([name, value]) =>
  lines(scheme, schemas[name] ?? {}, value, [...names, settingName(schemas[name] ?? {}, name)]));

function lines(scheme, schema, value, names) {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value)) return listed(scheme, schema, value, names);
  if (typeof value === 'string' && value.includes('\n')) return [{ names, parts: [['', lineCount(value), value]] }];
  if (typeof value !== 'object') return [single(names, valueText(value))];
  if (scheme && isExample(scheme, value)) return example(scheme, value, names);
  if ('rounding' in value) return rounding(value, names);
  if (isTable(schema)) return table(schema, value, names);
  return members(scheme, schema.properties ?? {}, value, names);
}

const single = (names, text) => ({ names, parts: [['', text]] });

const lineCount = text => t('rules.lines', { count: text.trimEnd().split('\n').length });

function valueText(value) {
  if (typeof value === 'boolean') return t(value ? 'value.yes' : 'value.no');
  if (typeof value === 'number') return toInput(value);
  return judgedOn(value) ?? toInput(optionText(value));
}

function rounding(value, names) {
  const stages = (value.stages ?? []).map(roundingWords);
  return [
    single(names, roundingWords(value)),
    ...(stages.length > 0 ? [single([...names, settingName({}, 'stages')], stages.join(t('rules.comma')))] : []),
  ];
}

const table = (schema, value, names) => Object.entries(value).map(([row, cells]) => {
  const own = schema.properties[row] ?? {};
  return {
    names: [...names, rowName(own, row)],
    parts: Object.entries(cells)
      .map(([column, cell]) => [columnName(own.properties?.[column] ?? {}, column), cellText(cell)]),
  };
});

function listed(scheme, schema, list, names) {
  if (list.every(item => typeof item !== 'object')) {
    return list.length > 0 ? [single(names, list.map(valueText).join(t('rules.comma')))] : [];
  }
  const schemas = schema.items?.properties ?? {};
  return list.flatMap((row, index) => {
    const { label: own, ...cells } = row ?? {};
    const place = [...names, typeof own === 'string' ? bandName(own) : t('rules.row', { number: index + 1 })];
    const [plain, deep] = [Object.entries(cells).filter(([, cell]) => !isDeep(cell)),
      Object.entries(cells).filter(([, cell]) => isDeep(cell))];
    return [
      {
        names: place,
        parts: plain.filter(([, cell]) => cell !== null)
          .map(([column, cell]) => [settingName(schemas[column] ?? {}, column), valueText(cell)]),
      },
      ...members(scheme, schemas, Object.fromEntries(deep), place),
    ];
  });
}

const isDeep = value => typeof value === 'object' && value !== null;

function example(scheme, node, names) {
  const fields = kindOf(scheme, node.kind).fields.filter(field => (node.fields?.[field.name] ?? null) !== null);
  return [
    { names, parts: fields.map(field => [label(field.label, field.name), fieldText(field, node.fields[field.name])]) },
    ...(node.children ?? []).filter(child => isExample(scheme, child)).flatMap((child, index) =>
      example(scheme, child, [...names, nameOf(scheme, child, index)])),
  ];
}
