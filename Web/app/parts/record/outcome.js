// Outcomes with their reasons and their articles: met, unmet or pending, and whether that can still change. Those of
// the record are cards; those of entries are pills, which open the same.

import { clamped, h, named } from '../../core/page/dom.js';
import { t } from '../../core/text/i18n.js';
import { messageText } from '../../core/text/messages.js';
import { outcomeText } from '../../core/text/outcomes.js';
import { dialog } from '../frame/dialog.js';
import { icon } from '../frame/icons.js';
import { articleLink } from './article.js';
import { familyOf, outcomeName } from './figureNames.js';
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
        grounds(desk, outcome, name, null),
        giveButton(desk, { group: 'outcomes', name, entry: null, text })));
  });
}

/**
 * An outcome of an entry as a pill, which opens its reasons. `look()` is the outcome as it stands; null once there is
 * none. `text` is what the pill says, unless it is the name and the state.
 */
export function outcomePill(desk, name, kind, look, text = null) {
  const said = text
    ?? t('outcome.is', { name: outcomeName(desk.scheme, name, kind), state: outcomeText(look(), desk.scheme) });
  return h('button', {
    key: name, class: 'pill', type: 'button', 'data-state': look().state, title: t('why.open'),
    onclick: () => desk.open(outcomeSheet(desk, name, kind, look)),
  }, named(said));
}

function outcomeSheet(desk, name, kind, look) {
  const title = outcomeName(desk.scheme, name, kind);
  return {
    view: () => {
      const outcome = look();
      return dialog({ key: 'outcome', title: t('why.title', { figure: title }), close: desk.close, className: 'sheet' },
        outcome && h('div', { class: 'outcome', 'data-state': outcome.state },
          icon(symbols[outcome.state] ?? 'history'),
          h('div', null, h('h3', null, outcomeText(outcome, desk.scheme)), grounds(desk, outcome, name, kind))));
    },
  };
}

// Why an outcome is what it is.
const grounds = (desk, outcome, name, kind) => [
  outcome.final && h('p', { key: 'final', class: 'muted' }, t('outcome.final')),
  reasons(desk, outcome),
  articleOfOutcome(desk, name, kind),
  givenNote(desk, outcome),
];

// The outcomes of a group are members of the family that the description names.
function articleOfOutcome(desk, name, kind) {
  const { article } = desk.scheme.outcomes?.find(item => item.name === (item.family ? familyOf(name) : name)
    && (item.kind ?? null) === kind)
    ?? {};
  return article && h('p', { key: 'article' }, articleLink(desk, article));
}

export function reasons(desk, outcome) {
  if (!outcome.reasons?.length) return null;
  return h('ul', null, outcome.reasons.map((reason, index) => {
    const text = messageText(desk.scheme, reason);
    const title = reason.entry ? desk.titleOf(reason.entry) : '';
    return h('li', { key: index },
      title && !text.includes(title) ? t('outcome.is', { name: title, state: text }) : text);
  }));
}
