// A grade can be changed only after it is unlocked: the lock opens a slider and a field, the check mark saves.

import { h } from '../core/page/dom.js';
import { t, toInput } from '../core/text/i18n.js';
import { ambiguity, fromInput } from '../core/text/numbers.js';
import { problemText } from '../parts/frame/problem.js';
import { keeper } from '../parts/frame/refusal.js';
import { icon } from '../parts/frame/icons.js';
import { slider } from '../parts/frame/slider.js';

export function gradeControl(desk, session, subject, grade) {
  const draft = session.unlocked.get(subject.id);
  const text = grade === null || grade === undefined ? '–' : toInput(grade);
  const { title } = subject.fields;
  if (!desk.mayEdit(subject) || desk.holderOf(subject, 'grade') !== null) return h('strong', { class: 'grade' }, text);
  if (!draft) {
    return [
      h('div', { class: 'grade-bar thin', 'data-band': band(grade), 'aria-hidden': 'true' },
        h('span', { style: { width: `${Math.min(100, Number(grade ?? 0) * 5)}%` } })),
      h('strong', { class: 'grade' }, text),
      h('button', {
        key: 'lock', class: 'round', type: 'button', 'aria-label': t('iut.unlock', { title }),
        onclick: () => unlock(desk, session, subject, toInput(grade)),
      }, icon('lock')),
    ];
  }
  return unlocked(desk, session, subject, draft);
}

const band = grade => (grade === null || grade === undefined ? 'none' : Number(grade) >= 10 ? 'green' : 'red');

function unlock(desk, session, subject, text) {
  session.unlocked.set(subject.id, { text, fault: null });
  desk.redraw();
}

function unlocked(desk, session, subject, draft) {
  const { title } = subject.fields;
  const change = text => {
    draft.text = text;
    draft.fault = null;
    desk.redraw();
  };
  const lock = () => {
    session.unlocked.delete(subject.id);
    desk.redraw();
  };
  return h('form', {
    key: 'unlocked', class: 'grade-edit', novalidate: true,
    onsubmit: event => save(event, desk, session, subject, draft),
  },
    slider({
      min: 0, max: 20, step: 0.25, 'aria-label': t('iut.slider', { title }), value: fromInput(draft.text) || '0',
      oninput: event => change(toInput(event.target.value)),
    }),
    h('input', {
      type: 'text', inputmode: 'decimal', autocomplete: 'off', 'aria-label': t('iut.grade', { title }),
      value: draft.text,
      'aria-invalid': draft.fault ? 'true' : null, oninput: event => change(event.target.value),
      onMount: element => element.select(),
    }),
    h('button', { class: 'round good', type: 'submit', 'aria-label': t('iut.save', { title }) }, icon('check')),
    h('button', { class: 'round', type: 'button', 'aria-label': t('iut.relock', { title }), onclick: lock },
      icon('unlock')),
    draft.fault && h('p', { class: 'fault', role: 'alert' }, draft.fault));
}

async function save(event, desk, session, subject, draft) {
  event.preventDefault();
  draft.fault = ambiguity(draft.text);
  if (draft.fault) return desk.redraw();
  const text = fromInput(draft.text);
  const before = subject.fields.grade;
  const keepIfLeft = keeper(() => session.unlocked.get(subject.id) === draft);
  try {
    if (text !== String(before ?? '')) {
      await desk.book.apply([{ op: 'patch', entry: subject.id, fields: { grade: text === '' ? null : text } }]);
    }
    session.unlocked.delete(subject.id);
  } catch (error) {
    draft.fault = problemText(error);
    await keepIfLeft(error);
  }
  desk.redraw();
}
