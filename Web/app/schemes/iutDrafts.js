// Names and weights of units and subjects as drafts. A unit's weight also has a slider, because users try out different
// weights.

import { h } from '../core/page/dom.js';
import { t, toInput } from '../core/text/i18n.js';
import { fromInput } from '../core/text/numbers.js';
import { enteredMark } from '../parts/record/entered.js';
import { isolate } from '../core/text/isolate.js';
import { slider } from '../parts/frame/slider.js';
import { icon } from '../parts/frame/icons.js';
import { draft } from './iutSession.js';

/** The inputs of a unit or subject, with the buttons that open all its other fields and delete it; `beside` is shown
 *  next to them. */
export function draftInputs(desk, session, entry, beside = null) {
  const { text, weight } = session.drafts.get(entry.id) ?? {};
  const wrong = name =>
    (session.faults.some(fault => fault.entry === entry.id && fault.path.endsWith(`/${name}`)) ? 'true' : null);
  const { title, weight: saved } = entry.fields;
  const now = weight ?? String(saved);
  const isHeld = desk.holderOf(entry, 'weight') !== null;
  return h('div', { class: `drafts of-${entry.kind}`, key: `draft-${entry.id}` },
    h('input', {
      type: 'text', class: 'draft-name', readonly: desk.holderOf(entry, 'title') !== null, 'aria-label': t('iut.name'),
      initial: title, 'aria-invalid': wrong('title'),
      oninput: event => draft(desk, session, entry, { title: event.target.value }),
    }),
    entry.kind === 'unit' && !isHeld && slider({
      key: 'slide', class: 'draft-slide', min: 0, max: Math.max(20, 2 * Number(saved)), step: 0.5, value: now,
      'aria-label': t('iut.weightSlider', { title }),
      oninput: event => put(desk, session, entry, event.target.value),
    }),
    h('span', { class: 'stepper' },
      !isHeld && step(desk, session, entry, now, -1),
      h('input', {
        type: 'text', inputmode: 'decimal', readonly: isHeld, 'aria-label': `${t('iut.weight')} ${isolate(title)}`,
        'aria-invalid': wrong('weight'), value: text ?? toInput(saved),
        oninput: event =>
          draft(desk, session, entry, { text: event.target.value, weight: fromInput(event.target.value) }),
      }),
      !isHeld && step(desk, session, entry, now, 1)),
    h('span', { class: 'draft-buttons' },
      beside,
      more(desk, entry),
      desk.mayRemove(entry) && removal(desk, entry),
      enteredMark(desk, entry)));
}

const put = (desk, session, entry, weight) => draft(desk, session, entry, { weight, text: toInput(weight) });

// Weights are mostly small whole numbers: the buttons change them by one, the field accepts any.
function step(desk, session, entry, now, by) {
  const next = String(Math.max(0, (Number.isFinite(Number(now)) ? Number(now) : 0) + by));
  return h('button', {
    class: 'round', type: 'button',
    'aria-label': t('outcome.is', { name: t(by > 0 ? 'iut.heavier' : 'iut.lighter'), state: entry.fields.title }),
    onclick: () => put(desk, session, entry, next),
  }, by > 0 ? '+' : '−');
}

const more = (desk, entry) => h('button', {
  class: 'round', type: 'button', 'aria-label': `${t('action.edit')} ${isolate(desk.titleOf(entry.id))}`,
  onclick: () => desk.edit(entry),
}, icon('pencil'));

/** Deletes at once, as the swipe does. */
const removal = (desk, entry) => h('button', {
  class: 'round danger', type: 'button', 'aria-label': `${t('action.delete')} ${isolate(desk.titleOf(entry.id))}`,
  onclick: () => desk.attempt(() => desk.delete(entry)),
}, icon('trash'));
