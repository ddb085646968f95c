// Figures and outcomes that staff set by hand: who, when and, for staff, why.

import { h, named } from '../../core/page/dom.js';
import { dateTime, t, toInput } from '../../core/text/i18n.js';
import { outcomeText } from '../../core/text/outcomes.js';
import { outcomeName } from './figureNames.js';
import { valueIn } from '../../core/values/own.js';
import { icon } from '../frame/icons.js';

/** The note beside a value of the standing that somebody set by hand; null if the value is computed. */
export function givenNote(desk, value) {
  if (!value?.given) return null;
  const { by, at, reason } = value.given;
  return h('p', { class: 'given-note' }, icon('pencil'), h('span', null,
    t('given.by', { name: desk.nameOf(by), time: dateTime(at) }),
    reason && [' · ', h('q', null, named(reason))],
    ' · ', t('given.computed', { value: computedText(desk, value.computed) })));
}

function computedText(desk, computed) {
  if (computed?.state) return outcomeText(computed, desk.scheme);
  return computed?.display ? toInput(computed.display) : '–';
}

/** The button that opens the sheet on which staff set a figure or an outcome by hand; null for those who may not. */
export function giveButton(desk, what) {
  const { entry, group, name } = what;
  // The figures of a class's row belong to the class, as all of its lines do, and members of a family belong to no
  // entry.
  if (!desk.gives || name.includes(':')
    || (entry && desk.isOfClass(entry) && (group === 'figures' || !desk.entry(entry.id).class))) return null;
  return h('button', {
    class: 'button quiet small', type: 'button',
    onclick: () => desk.attempt(async () => {
      const { givingSheet } = await import('./giving.js');
      desk.open(givingSheet(desk, what, value => givenNote(desk, value)));
    }),
  }, t('given.decide'));
}

/** Below the explanation of a figure: the figure and the outcomes of the same entry, if people decide on them. */
export function decisions(desk, name, entry, text) {
  const standing = entry ? valueIn(desk.book.standing.entries, entry.id) : desk.book.standing;
  const rows = [
    { group: 'figures', name, entry, text, value: valueIn(standing?.figures, name) },
    ...Object.entries(standing?.outcomes ?? {}).map(([outcome, value]) => ({
      group: 'outcomes', name: outcome, entry, value, text: outcomeLabel(desk, outcome, entry),
    })),
  ].filter(row => row.value && (row.value.given || giveButton(desk, row)));
  return rows.length > 0 && h('section', { class: 'decisions' },
    h('h3', null, t('given.title')),
    rows.map(row => h('div', { key: `${row.group}-${row.name}`, class: 'decision' },
      h('p', null,
        row.group === 'figures'
          ? named(row.text)
          : t('outcome.is', { name: row.text, state: outcomeText(row.value, desk.scheme) })),
      givenNote(desk, row.value),
      giveButton(desk, row))));
}

/** The name of an outcome of an entry, or of the record. */
export function outcomeLabel(desk, name, entry) {
  return outcomeName(desk.scheme, name, entry ? desk.entry(entry.id)?.kind ?? null : null);
}
