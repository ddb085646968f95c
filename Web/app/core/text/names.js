// Sorts and finds names in the same way in every list, by the language of the page and not by the browser's.

import { language } from './i18n.js';

// Letters that are searched as other letters but that no normalisation decomposes, as in the server's search.
const LETTERS = { æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', ħ: 'h', ı: 'i', ł: 'l', ß: 'ss', þ: 'th', ς: 'σ' };
let collator = null;
let collated = null;

/** Compares two names for sorting: "Student 9" comes before "Student 10". */
export function compareNames(one, other) {
  if (collated !== language()) {
    collated = language();
    collator = new Intl.Collator(collated, { numeric: true });
  }
  return collator.compare(one, other);
}

/** A name with its last word first, for lists by last names; a name of a single word, as Chinese names are, stays as it
 *  is. */
export function lastFirst(name) {
  const words = name.trim().split(/\s+/u);
  return [words.at(-1), ...words.slice(0, -1)].join(' ');
}

/** A text normalised for searching: without capitals, accents and punctuation. */
export const searchable = text => text.normalize('NFKD').toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '')
  .replace(/[æœøđðħıłßþς]/g, letter => LETTERS[letter]).replace(/[^\p{L}\p{N}]+/gu, ' ').trim();
