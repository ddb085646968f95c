// What outcomes are called: by the value that the regulations name, else by their state.

import { has, label, t } from './i18n.js';

/** An outcome of a standing: the label of its value, in the language of the page where the scheme describes it, else its state. */
export function outcomeText({ state, value, text }, scheme = null) {
  if (value === undefined) return t(`outcome.${state}`);
  // Values of several outcomes may share a name; the text tells them apart.
  const described = scheme?.outcomes?.flatMap(item => item.values ?? []).find(item => item.value === value && Object.values(item.label).includes(text));
  return label(described?.label, text ?? value);
}

/** A value, or a state, of an outcome by its name. */
export function outcomeWord(scheme, name, word) {
  const values = scheme.outcomes?.flatMap(item => (item.name === name ? item.values ?? [] : [])) ?? [];
  const own = values.find(({ value }) => value === word);
  if (own) return label(own.label, word);
  return has(`outcome.${word}`) ? t(`outcome.${word}`) : word;
}
