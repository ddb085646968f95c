// The names of outcomes: the name of the value that the regulations give, or else of the state.

import { has, label, t } from './i18n.js';

/** The name of an outcome of a standing: the label of its value, in the language of the page if the scheme describes
 *  it, or else its state. */
export function outcomeText({ state, value, text }, scheme = null) {
  if (value === undefined) return t(`outcome.${state}`);
  // Values of several outcomes may have the same name; the text tells them apart.
  const described = scheme?.outcomes?.flatMap(item => item.values ?? [])
    .find(item => item.value === value && Object.values(item.label).includes(text));
  return label(described?.label, text ?? value);
}

/** The name of a value, or of a state, of the outcome `name`. */
export function outcomeWord(scheme, name, word) {
  const values = scheme.outcomes?.flatMap(item => (item.name === name ? item.values ?? [] : [])) ?? [];
  const own = values.find(({ value }) => value === word);
  if (own) return label(own.label, word);
  return has(`outcome.${word}`) ? t(`outcome.${word}`) : word;
}
