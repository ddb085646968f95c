// Forms that show each fault at its input. The name of every input is the JSON pointer of its value in the request
// ("/fields/points", "/children/1/fields/weight"), so that the path of a fault identifies its input.

import { clamped, h } from '../../core/page/dom.js';
import { t } from '../../core/text/i18n.js';
import { ambiguity } from '../../core/text/numbers.js';
import { Problem } from '../../core/net/http.js';
import { sent } from '../../core/page/typed.js';
import { focusFirstField } from './firstField.js';
import { faultText, problemText } from './problem.js';
import { keeper } from './refusal.js';

let count = 0;

export class Form {
  faults = [];
  error = null;
  busy = false;
  #redraw;
  #submit;
  #id = `form${(count += 1)}`;
  #places = new Set();
  #isTrial;

  /** `submit(data, element)` sends the form; if it throws a `Problem`, that is shown in place. With `isTrial`, sending
   *  enters nothing, and what was typed is still unsent afterwards. */
  constructor(redraw, submit, { isTrial = false } = {}) {
    this.#redraw = redraw;
    this.#submit = submit;
    this.#isTrial = isTrial;
  }

  /** The form; `quiet` if the view has something more important to do than sending it. The submit button is not
   *  disabled while the form is sent, or it would lose the focus. */
  view(content, { action, cancel, className = '', more = null, danger = false, quiet = false }) {
    return h('form', {
      class: `form ${className}`, novalidate: true, onsubmit: event => this.send(event), onMount: begin,
    },
      this.summary(),
      content,
      h('div', { class: 'actions' },
        h('button', {
          class: `button${danger ? ' danger' : ''}${quiet ? ' quiet' : ''}`, type: 'submit',
          'aria-disabled': this.busy ? 'true' : null,
        }, action),
        cancel && h('button', { class: 'button quiet', type: 'button', onclick: cancel }, t('action.cancel')),
        more));
  }

  /** One labelled control. `control(attributes)` draws it with the attributes that connect it with its label and
   *  faults. */
  field({ name, label, hint, className = '' }, control) {
    this.#places.add(name);
    const faults = this.faults.filter(fault => fault.path === name);
    const id = this.#id + name.replaceAll('/', '-');
    const notes = [hint && `${id}-hint`, faults.length > 0 && `${id}-fault`].filter(Boolean).join(' ');
    return h('div', { class: `field ${className}`, key: name },
      h('label', { for: id }, typeof label === 'string' ? clamped(label) : label),
      control({ id, name, 'aria-invalid': faults.length > 0 ? 'true' : null, 'aria-describedby': notes || null }),
      hint && h('p', { class: 'hint', id: `${id}-hint` }, hint),
      faults.length > 0 && h('p', { class: 'fault', id: `${id}-fault` }, faults.map(faultText).join(' ')));
  }

  text({ name, label, hint, value, type = 'text', className, ...rest }) {
    return this.field({ name, label, hint, className }, attributes =>
      h('input', { ...attributes, type, initial: value, ...rest }));
  }

  /** Faults without an input are shown above the form; those with one are only read out. */
  summary() {
    if (!this.error) return null;
    const loose = this.faults.filter(fault => !this.#places.has(fault.path)).map(faultText);
    const texts = this.faults.length > 0 ? loose : [problemText(this.error)];
    const placed = this.faults.filter(fault => this.#places.has(fault.path)).map(faultText);
    return [
      texts.length > 0 && h('div', { class: 'alert', role: 'alert', tabindex: '-1' },
        [...new Set(texts)].map(text => h('p', null, text))),
      placed.length > 0 && h('p', { class: 'visually-hidden', role: 'alert' }, placed.join(' ')),
    ];
  }

  /** The submit handler, for forms that draw themselves. */
  async send(event) {
    event.preventDefault();
    if (this.busy) return;
    const element = event.target;
    const keepIfLeft = keeper(() => element.isConnected);
    this.#become({ busy: true, faults: [], error: null });
    try {
      refuseAmbiguous(element);
      await this.#submit(new FormData(element), element);
      if (!this.#isTrial) sent(element);
      this.#become({ busy: false });
    } catch (error) {
      if (await keepIfLeft(error)) sent(element);
      this.#become({ busy: false, error, faults: error instanceof Problem ? error.faults : [] });
      requestAnimationFrame(() => requestAnimationFrame(() =>
        (element.querySelector('[aria-invalid="true"]') ?? element.querySelector('.alert'))?.focus()));
    }
  }

  #become(changes) {
    Object.assign(this, changes);
    this.#redraw();
  }
}

// Focuses a form that is added to an open dialog; other forms get the focus together with their dialog.
const begin = element => element.isConnected && element.closest('dialog') && focusFirstField(element);

// Numbers with two readings are not sent: the user decides which one is meant.
function refuseAmbiguous(element) {
  const faults = [...element.querySelectorAll('input[inputmode="decimal"], input[inputmode="numeric"]')]
    .map(input => ({ path: input.name, code: 'ambiguous_number', message: ambiguity(input.value) }))
    .filter(fault => fault.message);
  if (faults.length > 0) throw new Problem(422, { code: 'ambiguous_number', faults });
}
