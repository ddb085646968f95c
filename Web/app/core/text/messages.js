// Stored documents have messages in their institution's language. A scheme also has the wording of every code in all
// three languages, so that all users read warnings and reasons in their own language.

import { isolate } from './isolate.js';
import { has, label, t, toInput } from './i18n.js';
import { valueIn } from '../values/own.js';

/** The text of `{code, message, args}`. */
export function messageText(scheme, { code, message, args }) {
  const words = valueIn(scheme.messages, code);
  return words ? filled(label(words), args ?? {}) : message || code;
}

/** The reason why a value is undefined. */
export function reasonWords(scheme, code) {
  if (has(`reason.${code}`)) return t(`reason.${code}`);
  const words = valueIn(scheme.messages, code);
  return words ? filled(label(words), {}) : t('reason.undefined');
}

const filled = (text, args) =>
  text.replace(/\{(\w+)\}/g, (whole, name) => (Object.hasOwn(args, name) ? isolate(toInput(args[name])) : whole));
