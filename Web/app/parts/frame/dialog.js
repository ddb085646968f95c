// A modal dialog: a card in the middle, or a sheet at the side.

import { h } from '../../core/page/dom.js';
import { t } from '../../core/text/i18n.js';
import { focusFirstField } from './firstField.js';
import { icon } from './icons.js';

let count = 0;
const openers = new WeakMap();

/** `close` is called when the user leaves the dialog, however that happens. */
export function dialog({ key, title, close, className = '' }, ...content) {
  const id = `dialog-title-${key ?? (count += 1)}`;
  return h('dialog', {
    key: `dialog-${key}`,
    class: `dialog ${className}`,
    'aria-labelledby': id,
    onMount: element => {
      openers.set(element, opener());
      element.showModal();
      focusFirstField(element);
    },
    onUnmount: element => openers.get(element)?.isConnected && openers.get(element).focus({ preventScroll: true }),
    oncancel: event => {
      event.preventDefault();
      close();
    },
    // A browser may close the dialog without a cancel event.
    onclose: close,
    onclick: event => event.target.tagName === 'DIALOG' && close(),
  },
  h('div', { class: 'dialog-body' },
    h('div', { class: 'dialog-head' },
      h('h2', { id }, title),
      h('button', { class: 'round', type: 'button', 'aria-label': t('action.close'), onclick: close }, icon('close'))),
    content));
}

// Returns the element that opened the dialog, which gets the focus back; a dialog that follows another inherits its
// opener.
function opener() {
  const element = document.activeElement;
  const before = element?.closest('dialog');
  return before ? openers.get(before) : element;
}

/** Asks for confirmation; `text` says what will happen, in one sentence or a list of sentences. */
export function confirmation({ key, title, text, action, confirm, close, danger = true }) {
  const sentences = [text].flat().filter(Boolean);
  return dialog({ key: `confirm-${key ?? ''}`, title, close },
    sentences.length === 1
      ? h('p', null, sentences[0])
      : h('ul', { class: 'consequences' }, sentences.map(sentence => h('li', { key: sentence }, sentence))),
    h('div', { class: 'actions' },
      h('button', { class: `button${danger ? ' danger' : ''}`, type: 'button', onclick: confirm }, action),
      h('button', { class: 'button quiet', type: 'button', autofocus: true, onclick: close }, t('action.cancel'))));
}
