// A choice of one view out of a few, as a row of buttons.

import { h } from '../../core/page/dom.js';

/** `choices` are `[value, text]`. */
export const segments = (name, choices, chosen, choose) => h('div', {
  class: 'segments', role: 'group', 'aria-label': name,
},
  choices.map(([value, text]) => h('button', {
    key: value, type: 'button', 'aria-pressed': value === chosen ? 'true' : 'false', onclick: () => choose(value),
  }, text)));
