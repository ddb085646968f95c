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

// Scripts whose names are written with the last name first and without a mark between the two.
const JOINED = /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}々ー]+$/u;

/** By which names lists of people may be sorted, if not by the displayed ones. */
export const BY = ['first', 'last'];

/** Where an address says by which names the list is sorted. */
export const NAMES_PARAMETER = 'names';

/** By which names the query of an address (`URLSearchParams`) sorts a list: one of `BY`, or null for displayed names.
 *  Unknown values are ignored. */
export const namesIn = query => BY.find(by => by === query.get(NAMES_PARAMETER)) ?? null;

/** What sorts a person in a list by `first` or `last` names, the first text that differs first. Words of the displayed
 *  name stand for what the person has not said: the last word for the last name, and those before it for the first. A
 *  single word, as Chinese names are, stands for both. */
export function sortNames({ name, givenName, familyName }, by) {
  if (!by) return [name];
  const words = name.trim().split(/\s+/u);
  const first = givenName ?? (words.slice(0, -1).join(' ') || words[0]);
  const last = familyName ?? words.at(-1);
  return by === 'first' ? [first, last, name] : [last, first, name];
}

/** Compares two people for a list by `first` or `last` names, or by displayed names. */
export function comparePeople(one, other, by) {
  const others = sortNames(other, by);
  return sortNames(one, by).reduce((order, text, place) => order || compareNames(text, others[place]), 0);
}

/** A person's name in a list: by last names "Last, First" if the person has said both, and otherwise the displayed
 *  name. */
export function listedName({ name, givenName, familyName }, by) {
  if (by !== 'last' || !givenName || !familyName) return name;
  return JOINED.test(familyName + givenName) ? `${familyName}${givenName}` : `${familyName}, ${givenName}`;
}

/** Whether a person's displayed name, or first and last name in either order, contains words in the form of
 *  `searchable`. */
export const isNamed = ({ name, givenName, familyName }, words) =>
  searchable([name, givenName, familyName, familyName && givenName].filter(Boolean).join(' ')).includes(words);

/** A member of an institution as a person with a `name`. */
export const personOf = member => ({ ...member, name: member.displayName });

/** Whether a member's names, login or student number contain words in the form of `searchable`. */
export const isMemberOf = (member, words) => isNamed(personOf(member), words)
  || searchable([member.displayName, member.login, member.studentNumber].filter(Boolean).join(' ')).includes(words);

/** A text normalised for searching: without capitals, accents and punctuation. */
export const searchable = text => text.normalize('NFKD').toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '')
  .replace(/[æœøđðħıłßþς]/g, letter => LETTERS[letter]).replace(/[^\p{L}\p{N}]+/gu, ' ').trim();
