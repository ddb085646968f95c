// Outcomes with their reasons: met, unmet or pending, and whether that can still change.

import { clamped, h } from '../../core/page/dom.js';
import { t } from '../../core/text/i18n.js';
import { messageText } from '../../core/text/messages.js';
import { outcomeText } from '../../core/text/outcomes.js';
import { icon } from '../frame/icons.js';
import { articleLink } from './article.js';
import { outcomeName } from './figureNames.js';
import { giveButton, givenNote } from './given.js';

const symbols = { met: 'cap', unmet: 'warning', pending: 'history' };

export function outcomeCards(desk) {
  const outcomes = Object.entries(desk.book.standing.outcomes ?? {});
  return outcomes.map(([name, outcome]) => {
    const text = outcomeName(desk.scheme, name);
    return h('section', { key: `outcome-${name}`, class: 'outcome', 'data-state': outcome.state },
      icon(symbols[outcome.state] ?? 'history'),
      h('div', null,
        h('h2', null, clamped(t('outcome.is', { name: text, state: outcomeText(outcome, desk.scheme) }))),
        outcome.final && h('p', { class: 'muted' }, t('outcome.final')),
        reasons(desk, outcome),
        articleOfOutcome(desk, name),
        givenNote(desk, outcome),
        giveButton(desk, { group: 'outcomes', name, entry: null, text })));
  });
}

function articleOfOutcome(desk, name) {
  const { article } = desk.scheme.outcomes?.find(item => item.name === name && !item.kind) ?? {};
  return article && h('p', null, articleLink(desk, article));
}

export function reasons(desk, outcome) {
  if (!outcome.reasons?.length) return null;
  return h('ul', null, outcome.reasons.map((reason, index) => {
    const text = messageText(desk.scheme, reason);
    const title = reason.entry ? desk.titleOf(reason.entry) : '';
    return h('li', { key: index }, title && !text.includes(title) ? t('outcome.is', { name: title, state: text }) : text);
  }));
}
