// The sheet in which a user arranges the grid: which students are shown, how they are sorted, the order of columns, and
// the density of rows.

import { h } from '../../../core/page/dom.js';
import { t, toInput } from '../../../core/text/i18n.js';
import { fromInput } from '../../../core/text/numbers.js';
import { dialog } from '../../../parts/frame/dialog.js';
import { icon } from '../../../parts/frame/icons.js';
import { nameChoice } from '../../../parts/program/nameChoice.js';
import { FILTERS, isShare, moved, plain, shownColumns } from '../arrangement.js';
import { sectionChoice } from '../choices.js';

/** `arrange(changes)` changes the arrangement of the page. */
export function viewSheet(desk, arrange) {
  const state = { isWrong: false };
  return () => {
    const { arrangement } = desk.model;
    return dialog({ key: 'view', title: t('view.title'), close: desk.sheets.close, className: 'sheet' },
      h('p', { class: 'help' }, t('view.help')),
      desk.sections.length > 0 && h('div', { key: 'section', class: 'field' },
        h('label', { for: 'view-section' }, t('section.title')), sectionChoice(desk, { id: 'view-section' }, arrange)),
      filters(desk, arrangement, arrange),
      sorting(desk, arrangement, arrange),
      lowBound(state, arrangement, desk.taught.structure.policy?.low, arrange),
      nameChoice(arrangement, arrange),
      h('label', { key: 'dense', class: 'check' },
        h('input', {
          type: 'checkbox', checked: arrangement.isDense, onchange: event => arrange({ isDense: event.target.checked }),
        }),
        h('span', null, t('view.dense'))),
      columnList(desk, arrangement, arrange),
      h('div', { class: 'actions' },
        h('button', { class: 'button', type: 'button', onclick: desk.sheets.close }, t('view.done')),
        h('button', { class: 'button quiet', type: 'button', onclick: () => arrange(plain()) }, t('view.reset'))));
  };
}

function filters(desk, { only, below }, arrange) {
  const toggle = name => event => {
    const next = new Set(only);
    if (event.target.checked) next.add(name);
    else next.delete(name);
    arrange({ only: next });
  };
  const isOffered = { risk: Boolean(desk.taught.structure.policy?.risk), mine: desk.filters.hasOwnShare };
  const offered = FILTERS.filter(name => only.has(name) || (isOffered[name] ?? true));
  return h('fieldset', { key: 'filters', class: 'choices' },
    h('legend', null, t('view.only')),
    offered.map(name => h('label', { key: name, class: 'check' },
      h('input', { type: 'checkbox', checked: only.has(name), onchange: toggle(name) }),
      h('span', null, t('view.count', { name: t(`view.only.${name}`), count: desk.filters.countOf(name) })))),
    below.map(bound => h('label', { key: `below ${bound.key}`, class: 'check' },
      h('input', {
        type: 'checkbox', checked: true, onchange: () => arrange({ below: below.filter(item => item !== bound) }),
      }),
      h('span', null, t('view.count', { name: belowText(desk, bound), count: desk.filters.countBelow(bound) })))));
}

// The share of a scale below which results are marked.
function lowBound(state, { low }, ofClass, arrange) {
  const take = event => {
    const share = fromInput(event.target.value.trim().replace(/\s*[%％]$/, ''));
    state.isWrong = share !== '' && !isShare(share);
    arrange(state.isWrong ? {} : { low: share || null });
  };
  return h('div', { key: 'low', class: 'field' },
    h('label', { for: 'view-low' }, t('view.low')),
    h('input', {
      id: 'view-low', type: 'text', inputmode: 'decimal', autocomplete: 'off', value: low === null ? '' : toInput(low),
      onchange: take,
      placeholder: toInput(ofClass ?? ''), 'aria-describedby': 'view-low-help',
      'aria-invalid': state.isWrong ? 'true' : null,
    }),
    h('p', { id: 'view-low-help', class: state.isWrong ? 'fault' : 'help', role: state.isWrong ? 'alert' : null },
      state.isWrong
        ? t('view.lowWrong')
        : ofClass
        ? t('view.lowOfClass', { share: toInput(ofClass) })
        : t('view.lowHelp')));
}

const belowText = (desk, { key, value }) =>
  t('view.below', { title: desk.model.all.find(column => column.key === key)?.title ?? '–', value: toInput(value) });

function sorting(desk, { sort }, arrange) {
  if (sort.length === 0) return null;
  const name = key => desk.model.all.find(column => column.key === key)?.title ?? '–';
  return h('div', { key: 'sort' },
    h('h3', null, t('view.sort')),
    h('ol', { class: 'arranged' }, sort.map(({ key, descending }) => h('li', { key },
      h('span', { class: 'grow' }, name(key)),
      h('button', {
        class: 'button quiet small', type: 'button',
        onclick: () =>
          arrange({ sort: sort.map(item => (item.key === key ? { key, descending: !descending } : item)) }),
      }, t(descending ? 'view.descending' : 'view.ascending')),
      round('close', t('view.unsort', { title: name(key) }),
        () => arrange({ sort: sort.filter(item => item.key !== key) }))))));
}

function columnList(desk, arrangement, arrange) {
  const { all } = desk.model;
  const columns = shownColumns(all, { ...arrangement, hidden: new Set() });
  const shown = columns.filter(({ key }) => !arrangement.hidden.has(key));
  const toggle = key => event => {
    const hidden = new Set(arrangement.hidden);
    if (event.target.checked) hidden.delete(key);
    else hidden.add(key);
    arrange({ hidden });
  };
  return h('div', { key: 'columns' },
    h('h3', null, t('view.columns')),
    h('ul', { class: 'arranged' }, columns.map(column => {
      const title = [...column.path, column.title].join(' › ');
      const at = shown.indexOf(column);
      const move = step => () => arrange({ order: moved(all, arrangement, column.key, step) });
      return h('li', { key: column.key },
        h('label', { class: 'check grow' },
          h('input', {
            type: 'checkbox', checked: at >= 0, disabled: at >= 0 && shown.length === 1, onchange: toggle(column.key),
          }),
          h('span', null, title)),
        at >= 0 && [
          round('up', t('view.earlier', { title }), move(-1), at === 0),
          round('down', t('view.later', { title }), move(1), at === shown.length - 1),
        ]);
    })));
}

// The arrows are the back arrow, rotated.
const round = (symbol, text, onclick, disabled = false) =>
  h('button', {
    key: text, class: `round ${symbol}`, type: 'button', title: text, 'aria-label': text, disabled, onclick,
  }, icon(symbol === 'close' ? symbol : 'back'));
