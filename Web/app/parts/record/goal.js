// "What do I need?": a target for one figure or outcome, and the open grades that would reach it.

import { h, named } from '../../core/page/dom.js';
import { isolate } from '../../core/text/isolate.js';
import { label, t, toInput } from '../../core/text/i18n.js';
import { fromInput } from '../../core/text/numbers.js';
import { outcomeText } from '../../core/text/outcomes.js';
import { walk } from '../../core/values/tree.js';
import { Form } from '../frame/form.js';
import { dialog } from '../frame/dialog.js';
import { bandsOf, letterMeant, letterText } from './letters.js';

export function goalSheet(desk) {
  let targets = targetsOf(desk);
  let chosen = 0;
  // The lines of classes are targets as well, once they are loaded.
  desk.book.assemble().then(() => {
    const { name, entry } = targets[chosen] ?? {};
    targets = targetsOf(desk);
    chosen = Math.max(0, targets.findIndex(target => target.name === name && target.entry === entry));
    desk.redraw();
  }, () => {});
  let answer = null;
  const form = new Form(desk.redraw, async data => {
    answer = null;
    const { name, entry, outcome } = targets[Number(data.get('/what'))];
    const target = outcome ? 'met' : letterMeant(desk.scheme, fromInput(data.get('/target')));
    const body = { figure: name, target, ...(entry ? { entry } : {}) };
    [{ body: answer }] = await Promise.all([desk.app.http.post(`/v1/records/${desk.book.id}/goals`, body),
      desk.book.assemble()]);
  });
  const view = () => {
    const letters = lettersOf(desk, targets[chosen]);
    return dialog({ key: 'goal', title: t('goal.title'), close: desk.close, className: 'sheet' },
      form.view([
        form.field({ name: '/what', label: t('goal.what') }, attributes =>
          h('select', {
            ...attributes, onchange: event => { chosen = Number(event.target.value); answer = null; desk.redraw(); },
          },
            targets.map((item, index) => h('option', { value: index, selected: index === chosen }, item.text)))),
        !targets[chosen]?.outcome && form.field({
          name: '/target', label: t('goal.target'),
          hint: letters.length > 0 ? t('goal.letters', { letters: letters.join(', ') }) : null,
        }, attributes => h('input', {
          ...attributes, key: `target-${letters.join()}`, type: 'text',
          inputmode: letters.length > 0 ? null : 'decimal', autocomplete: 'off', initial: letters[0] ?? '',
        })),
      ], { action: t('goal.ask'), cancel: desk.close }),
      h('div', { 'aria-live': 'polite' }, answer && result(desk, answer)));
  };
  return { again: ['goal'], view };
}

// Lists what open grades can change: figures with a range, and outcomes. Sums of credits and shares of weights cannot
// be goals.
function targetsOf(desk) {
  const { scheme, book } = desk;
  const figures = scheme.figures.filter(figure => figure.range);
  const list = figures.filter(figure => !figure.kind && !figure.family)
    .map(figure => ({ name: figure.name, figure, text: label(figure.label, figure.name) }));
  for (const outcome of scheme.outcomes ?? []) {
    if (!outcome.kind && !outcome.family) {
      list.push({ name: outcome.name, outcome: true, text: label(outcome.label, outcome.name) });
    }
  }
  for (const { entry } of walk(book.drawn)) {
    for (const figure of figures.filter(item => item.kind === entry.kind && !item.family)) {
      list.push({
        name: figure.name, figure, entry: entry.id,
        text: `${isolate(desk.pathText(entry.id))} – ${label(figure.label, figure.name)}`,
      });
    }
  }
  return list;
}

const lettersOf = (desk, target) =>
  bandsOf(desk, target?.figure).filter(band => band.label).map(band => letterText(desk.scheme, band.label));

function result(desk, answer) {
  return h('section', { class: `goal-answer ${answer.status}` },
    h('h3', null, t(`goal.${answer.status}`)),
    (answer.inputs ?? []).length > 0 && h('ul', null, answer.inputs.map(input =>
      h('li', null,
        h('span', null, named(input.entry ? desk.pathText(input.entry) : desk.fieldLabel(null, input.field))),
        h('strong', null,
          input.letter ? letterText(desk.scheme, input.letter) : toInput(input.value),
          limit(desk, input))))),
    (answer.inputs ?? []).length > 0 && h('p', { class: 'muted' }, t('goal.rest')),
    answer.reached && answer.status !== 'out_of_reach' && h('p', null,
      t('goal.reached', { value: text(answer.reached) })),
    answer.ceiling && h('p', { class: 'muted' }, t('goal.ceiling', { value: text(answer.ceiling) })),
    answer.buffer !== null && answer.buffer !== undefined && h('p', { class: 'muted' },
      t('goal.buffer', { value: text(answer.buffer) })));
}

const text = value =>
  (typeof value !== 'object' ? toInput(value) : value.state ? outcomeText(value) : toInput(value.display));

function limit(desk, input) {
  const max = desk.entry(input.entry)?.fields.max;
  return max === undefined || max === null || input.field === 'grade' ? '' : ` / ${toInput(max)}`;
}
