// One cell of the table of lines: the input, a slider beside a weight, and faults.

import { h } from '../../../core/page/dom.js';
import { t } from '../../../core/text/i18n.js';
import { slider } from '../../../parts/frame/slider.js';
import { isDecimal } from '../../../core/values/decimals.js';
import { PARTIAL, readLine } from './lineCells.js';
import { SEES } from './sees.js';

/** The cell; `change(line, column, text)` is called after each change of the text, `settle(line, column)` when the user
 *  moves on, and `keep` and `takeBack` decide between the user's own text and another person's. */
export function lineInput({ line, column, cell, title, fault, change, settle, keep, takeBack }) {
  const id = `line-${line.id}-${column.key.replace('/', '-')}`;
  const name = t('weights.of', { field: column.title, title });
  // If a date lacks a part, the browser only says that it is not complete.
  const tell = ({ target }) => change(line, column, target.validity.badInput ? PARTIAL : target.value);
  const attributes = {
    id, name: `${line.id} ${column.key}`, 'data-column': column.key, 'aria-label': name,
    'aria-invalid': fault || cell.conflict !== null ? 'true' : null,
    'aria-describedby': [fault && `${id}-fault`, cell.conflict !== null && `${id}-conflict`].filter(Boolean).join(' ')
      || null,
  };
  return [
    cell.type === 'sees'
      ? h('select', { ...attributes, onchange: tell },
        SEES.map(value =>
          h('option', { key: value, value, selected: value === cell.text }, t(`line.sees.short.${value}`))))
      : h('input', {
        ...attributes, value: cell.text === PARTIAL ? '' : cell.text, autocomplete: 'off', oninput: tell,
        onblur: event => event.target.validity.badInput && tell(event), onchange: () => settle(line, column),
        type: cell.type === 'date' ? 'date' : 'text',
        inputmode: { number: 'decimal', integer: 'numeric' }[cell.type], maxlength: cell.type === 'text' ? 200 : null,
      }),
    column.role === 'number' && cell.text !== ''
      && weightSlider(cell, t('weights.slider', { name }), text => change(line, column, text)),
    fault && h('p', { key: 'fault', class: 'fault', id: `${id}-fault` }, fault),
    cell.conflict !== null
      && conflictNote(`${id}-conflict`, cell, () => keep(line, column), () => takeBack(line, column)),
  ];
}

// What somebody else has entered meanwhile, and what the user has typed.
function conflictNote(id, cell, keep, take) {
  const words = text => (cell.type === 'sees' ? t(`line.sees.short.${text}`) : text) || t('grid.nothing');
  const [mine, theirs] = [cell.text, cell.conflict].map(words);
  return h('div', { key: 'conflict', class: 'line-conflict' },
    h('p', { id, role: 'alert' }, t('structure.conflict', { theirs, mine })),
    h('div', { class: 'actions' },
      h('button', { class: 'button small', type: 'button', onclick: keep }, t('grid.keepMine', { value: mine })),
      h('button', { class: 'button quiet small', type: 'button', onclick: take },
        t('grid.takeTheirs', { value: theirs }))));
}

// Keys that move through the table skip the slider, because the number beside it is the same. Its length does not
// change while the user moves it.
function weightSlider(cell, name, change) {
  const [value, held] = [cell.text, cell.held].map(text => readLine(cell, text))
    .map(text => (isDecimal(text) ? Number(text) : 0));
  const { field } = cell;
  const doubled = Math.max(10, 2 * held);
  const most = field.max !== null && field.max !== undefined && Number(field.max) <= 1000 ? Number(field.max) : doubled;
  return slider({
    key: 'slider', min: Number(field.min ?? 0), max: Math.max(most, value),
    step: field.type === 'integer' ? '1' : 'any', value, tabindex: '-1', 'aria-label': name,
    oninput: event =>
      change(String(field.type === 'integer' ? event.target.value : Math.round(Number(event.target.value) * 10) / 10)),
  });
}
