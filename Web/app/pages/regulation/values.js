// The numbers of a document as forms: its settings, bands, curves, tables, scales, roundings and formulas, where each
// change is an edit of the text; and the settings that the program changes, with the form from their JSON Schema.

import { h } from '../../core/page/dom.js';
import { label, t } from '../../core/text/i18n.js';
import { presetName, presetsOf } from '../../parts/rules/presets.js';
import { schemaField } from '../../parts/rules/schemaForm.js';
import { faultText } from '../../parts/frame/problem.js';
import { valueIn } from '../../core/values/own.js';
import { formulasView } from './formulas.js';

const groups = ['setting', 'bands', 'curve', 'status', 'table', 'scale', 'rounding'];
const averages = ['counts', 'worst', 'pending', 'leaves'];
const marks = ['attempted', 'earned', 'in_gpa'];

export function valuesView(editor) {
  const { last } = editor.review;
  if (!last) return h('p', { class: 'hint' }, t('regulation.checking'));
  const shown = groups.map(sort =>
    [sort,
      last.values.filter(({ declaration, rows }) => declaration.sort === sort
        && (rows.length > 0 || sort === 'table'))])
    .filter(([, list]) => list.length > 0);
  const formulas = formulasView(editor);
  return [
    shown.length === 0 && !formulas && h('p', { class: 'hint' }, t('regulation.noValues')),
    shown.map(([sort, list]) => h('fieldset', { key: sort, class: 'values' },
      h('legend', null, t(`regulation.values.${sort}`)),
      list.map(form => valueForm(editor, form)))),
    formulas,
    last.configuration && programSettings(editor, last),
  ];
}

function valueForm(editor, { declaration, rows }) {
  const name = label(declaration.label, declaration.name);
  if (declaration.sort === 'setting') {
    return h('label', { key: declaration.name, class: 'field' }, name, input(editor, rows[0][0], name));
  }
  if (declaration.sort === 'status') return statusForm(editor, declaration, rows[0], name);
  const isTable = declaration.sort === 'table';
  return h('div', { key: `${declaration.sort}-${declaration.name}` },
    rows.length > 0 && h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': name },
      h('table', { class: 'grid-of-values' },
        h('caption', null, name),
        h('tbody', null, rows.map((row, line) => h('tr', { key: line },
          // The first row of a table names its columns, and the first cell of each row names the row.
          isTable && line === 0 && h('td', { key: 'corner' }),
          row.map((range, column) => h('td', { key: column }, input(editor, range, t('regulation.cell', {
            name, row: line + 1, column: column + (isTable && line === 0 ? 2 : 1),
          }), isTable)))))))),
    isTable && h('p', null, rows.length === 0 && h('strong', null, name, ' '),
      h('button', { type: 'button', class: 'button quiet small', onclick: () => editor.fillTable(declaration) },
        t('regulation.sheet.open'))));
}

// How a status enters averages, as a choice; a share of the way to the best grade is a number in percent.
function statusForm(editor, declaration, [average, rest], name) {
  const [place, tail] = [editor.review.currentRange(average), editor.review.currentRange(rest)];
  const written = place ? editor.text.slice(place.start, place.end) : '';
  const words = tail ? editor.text.slice(tail.start, tail.end).split(/\s+/).filter(Boolean) : [];
  const isShare = !averages.includes(written);
  const put = text => editor.write(average, text);
  const mark = (word, isSet) => {
    const kept = marks.filter(item => (item === word ? isSet : words.includes(item)));
    editor.write(rest, kept.map(item => ` ${item}`).join(''));
  };
  return h('div', { key: `status-${declaration.name}`, class: 'status-form', role: 'group', 'aria-label': name },
    h('strong', null, name),
    h('label', { class: 'field' }, t('regulation.status.average'),
      h('select', {
        disabled: place === null, onchange: event => put(event.target.value === 'share' ? '50%' : event.target.value),
      },
        [...averages, 'share'].map(item =>
          h('option', { key: item, value: item, selected: item === (isShare ? 'share' : written) },
            t(`regulation.status.${item}`))))),
    isShare && h('label', { class: 'field' }, t('regulation.status.percent'),
      h('input', {
        type: 'text', inputmode: 'decimal', value: written.replace('%', '').trim(), disabled: place === null,
        autocomplete: 'off',
        onchange: event => put(`${event.target.value.trim().replace(',', '.').replace('%', '')}%`),
      })),
    marks.map(word => h('label', { key: word, class: 'boolean' },
      h('input', {
        type: 'checkbox', checked: words.includes(word), disabled: tail === null,
        onchange: event => mark(word, event.target.checked),
      }),
      t(`regulation.status.${word}`))));
}

// The current text of the range; a range that was edited cannot be changed here until the next answer.
function input(editor, range, name, isCell = false) {
  const place = editor.review.currentRange(range);
  const text = place ? editor.text.slice(place.start, place.end) : '';
  return h('input', {
    type: 'text', 'aria-label': name, value: text, disabled: place === null, spellcheck: 'false', autocomplete: 'off',
    onchange: event => {
      const written = event.target.value.trim();
      if (written === '' || written === text) event.target.value = text;
      else editor.write(range, asWritten(written, text, isCell));
    },
  });
}

// A text keeps its quotation marks, and a number its decimal point.
const asWritten = (written, before, isCell) => {
  // In a table, white space separates cells, so a value that contains white space needs quotation marks.
  if (isCell && /\s/.test(written) && !written.startsWith('"')) return `"${written.replaceAll('"', '')}"`;
  if (before.startsWith('"')) return `"${written.replaceAll('"', '')}"`;
  return /^-?\d+,\d+$/.test(written) ? written.replace(',', '.') : written.replace(/\s+/g, ' ');
};

function programSettings(editor, { configuration, settingFaults }) {
  const schemas = Object.entries(configuration.schema.properties.settings.properties ?? {});
  if (schemas.length === 0) return null;
  const presets = presetsOf({ configuration }).filter(name => name !== 'default');
  const { form, holder } = editor.settingsForm(configuration.defaults.settings);
  form.faults = settingFaults.map(fault => ({ ...fault, path: `/configuration${fault.path}` }));
  return h('fieldset', {
    key: 'program-settings', class: 'values', oninput: editor.takeSettings, onchange: editor.takeSettings,
  },
    h('legend', null, t('regulation.programSettings')),
    h('p', { class: 'hint' }, t('regulation.programSettingsText')),
    presets.length > 0 && h('div', { class: 'actions' },
      h('span', { class: 'muted' }, t('program.startFrom')),
      presets.map(name => h('button', {
        key: name, type: 'button', class: 'button quiet small',
        onclick: () => editor.setSettings(configuration.presets[name].settings),
      }, presetName({ configuration }, name)))),
    h('div', { class: 'form', key: `settings-${editor.generation}` },
      schemas.map(([name, schema]) =>
        schemaField({ form, scheme: null, redraw: editor.takeSettings }, schema, holder, name,
          `/configuration/settings/${name}`))),
    settingFaults.filter(fault =>
      valueIn(configuration.schema.properties.settings.properties, fault.path.split('/')[2]) === undefined)
      .map((fault, index) => h('p', { key: index, class: 'fault' }, faultText(fault))));
}
