// The text: a text area over its coloured layer, and how the two work together.

import { h } from '../../core/page/dom.js';
import { t } from '../../core/text/i18n.js';
import { Layer } from './layer.js';

let made = 0;

export class Paper {
  // A page that is opened again gets new elements.
  #made = `paper ${made += 1}`;
  #area = null;
  #layer = null;
  #text;
  #hears;

  /** `hears` has the callbacks `onInput()`, `onCaret(place)`, `onPoint(place)` and `onKey(event)`. */
  constructor(text, hears) {
    this.#text = text;
    this.#hears = hears;
  }

  get text() {
    return this.#area?.value ?? this.#text;
  }

  get caret() {
    return this.#area?.selectionStart ?? 0;
  }

  /** Whether it is visible: narrow screens show it alone or not at all. */
  get isVisible() {
    return this.#area?.checkVisibility() ?? false;
  }

  view() {
    const { onInput, onPoint, onKey } = this.#hears;
    return h('div', { class: 'paper-frame', key: this.#made },
      h('div', { class: 'paper', onMount: element => this.#mount(element) },
        h('div', { class: 'layer', 'aria-hidden': 'true', translate: 'no' }),
        h('textarea', {
          'aria-label': t('regulation.text'), 'aria-describedby': 'regulation-keys', spellcheck: 'false',
          autocomplete: 'off', autocapitalize: 'off',
          initial: this.#text, oninput: onInput, onkeydown: onKey, onkeyup: this.#moved, onclick: this.#moved,
          onfocus: this.#moved,
          onmousemove: event => onPoint(this.#layer.placeAt(event.clientX, event.clientY)),
          onmouseleave: () => onPoint(null),
        })));
  }

  #mount(element) {
    this.#area = element.querySelector('textarea');
    this.#layer = new Layer(element.querySelector('.layer'));
    // The text was restored meanwhile.
    this.#area.value = this.#text;
  }

  #moved = () => this.#hears.onCaret(this.caret);

  /** Draws the colours. */
  colour(marks, faults) {
    this.#layer?.show(this.#area.value, marks, faults);
  }

  /** Replaces the whole text; this can be undone. */
  set(text) {
    if (this.#area) this.replace(0, this.#area.value.length, text);
    else this.#text = text;
  }

  /** Replaces a part of the text as if it had been typed, so that it can be undone. The focus stays where it is. */
  replace(start, end, text) {
    const area = this.#area;
    if (start === end && text === '') return;
    if (!area) {
      this.#text = this.#text.slice(0, start) + text + this.#text.slice(end);
      return;
    }
    const before = document.activeElement;
    area.focus({ preventScroll: true });
    area.setSelectionRange(start, end);
    const done = document.activeElement === area
      && (text === '' && start < end
        ? document.execCommand('delete')
        : document.execCommand('insertText', false, text));
    if (!done) {
      area.setRangeText(text, start, end, 'end');
      area.dispatchEvent(new Event('input', { bubbles: true }));
    }
    if (before && before !== area && before !== document.body) before.focus({ preventScroll: true });
  }

  /** Selects a part of the text and scrolls to it. */
  select(start, end = start) {
    if (!this.#area) return;
    this.#area.focus({ preventScroll: true });
    this.#area.setSelectionRange(start, end);
    this.#layer.elementAt(start)?.scrollIntoView({ block: 'center', inline: 'nearest' });
    this.#moved();
  }
}
