// The shared part of a record: figures and outcomes as displayed.

import { h, named } from '../../core/page/dom.js';
import { toInput } from '../../core/text/i18n.js';
import { reasonWords } from '../../core/text/messages.js';
import { outcomeText } from '../../core/text/outcomes.js';
import { figureName, outcomeName } from './figureNames.js';

const UNKNOWN = { figures: [], messages: {} };

/** `shared` has the `figures` and `outcomes` of the API; `known` is the scheme that names them, or null. */
export function sharedView(known, { figures, outcomes }) {
  const scheme = known ?? UNKNOWN;
  return h('dl', { class: 'shared' },
    Object.entries(figures).map(([name, figure]) => h('div', { key: `figure-${name}` },
      h('dt', null, named(figureName(scheme, name))),
      h('dd', { 'data-band': figure.band ?? null },
        figure.display ? toInput(figure.display) : reasonWords(scheme, figure.reason ?? 'undefined')))),
    Object.entries(outcomes).map(([name, outcome]) => h('div', { key: `outcome-${name}` },
      h('dt', null, named(outcomeName(scheme, name))),
      h('dd', { 'data-state': outcome.state }, outcomeText(outcome, scheme)))));
}
