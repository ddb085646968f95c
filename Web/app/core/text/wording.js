// How names and numbers are written within a text.

import { t, toInput } from './i18n.js';

/** A name as it is written within a sentence: "Add course". Abbreviations and Chinese stay as they are. */
export const within = text => (/^\p{Lu}\p{Ll}/u.test(text) ? text[0].toLowerCase() + text.slice(1) : text);

/** A percentage in the notation of the language. */
export const percent = value => t('number.percent', { value: toInput(value) });
