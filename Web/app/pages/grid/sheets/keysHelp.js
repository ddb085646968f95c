// The keys of the grid.

import { h } from '../../../core/page/dom.js';
import { t } from '../../../core/text/i18n.js';
import { dialog } from '../../../parts/frame/dialog.js';

const keys = [
  ['↑ ↓ ← →', 'move'], ['Enter', 'enter'], ['Tab', 'tab'], ['Shift + ↑ ↓ ← →', 'extend'], ['Ctrl + ↑ ↓ ← →', 'edge'],
  ['Home · End', 'ends'], ['F2', 'edit'], ['Esc', 'cancel'], ['Del', 'clear'], ['Ctrl + C · X · V', 'clipboard'],
  ['Ctrl + D', 'fill'],
  ['Ctrl + Z · Y', 'undo'], ['X · Alt + X', 'excused'], ['M · Alt + M', 'missing'], ['C · Alt + C', 'comment'],
  ['H · Alt + H', 'history'], ['Shift + F10', 'menu'], ['/', 'find'], ['?', 'help'],
];

/** The sheet that lists them. */
export const keysSheet = desk => () => dialog({ key: 'keys', title: t('keys.title'), close: desk.sheets.close },
  h('dl', { class: 'keys' },
    keys.map(([signs, name]) =>
      h('div', { key: name }, h('dt', null, h('kbd', null, signs)), h('dd', null, t(`keys.${name}`))))),
  h('p', { class: 'muted' }, t('keys.letters')));
