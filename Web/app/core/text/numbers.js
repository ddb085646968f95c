// Converts numbers as people write them into the one form that the server accepts ("-1234.5"). Nothing is guessed: an
// ambiguous text is reported with both readings.

import { marks as ofPerson, t, toInput } from './i18n.js';

// The zeros of the digits that people type besides 0–9: full-width ones and those of other scripts.
const zeros = [0xff10, 0x0660, 0x06f0, 0x07c0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6, 0x0c66, 0x0ce6, 0x0d66,
  0x0e50,
  0x0ed0, 0x0f20, 0x1040, 0x17e0, 0x1810];
const same = new Map([
  ...[...'\u2212\u2010\u2011\u2012\u2013\ufe63\uff0d'].map(minus => [minus, '-']),
  ...[...'\u2019\uff07\u02bc'].map(apostrophe => [apostrophe, "'"]),
  ['\uff0b', '+'], ['\uff0c', ','], ['\uff0e', '.'],
  // Arabic's decimal mark is kept as it is, because it is unambiguous.
  ['\u066c', "'"],
]);
const arabic = '\u066b';
const unseen = /[\u200b\u200e\u200f\u061c\u202a-\u202e\u2060\u2066-\u2069\ufeff]/gu;

/**
 * Reads what a person typed: `{value}` as the server accepts it; `{text}` if it is not a number, for the server to
 * refuse; `{small, great}` if it can mean two numbers, such as "1,000" where a comma is the decimal mark.
 */
export function readNumber(typed, marks) {
  const text = plain(typed);
  const match = /^([+-]?)([\d., '\u066b]*)$/.exec(text);
  const sign = match?.[1] === '-' ? '-' : '';
  const found = match && /\d/.test(match[2]) ? unsigned(match[2], marks) : null;
  if (found === null) return { text: typed.trim() };
  if (typeof found === 'string') return { value: sign + found };
  return { small: sign + found.small, great: sign + found.great };
}

/** What the user typed, in the server's form; a text that is not a number, or may be two, stays as it is. */
export const fromInput = text => readNumber(text, ofPerson()).value ?? text.trim();

/** A number if converting it back gives the same text; anything else stays text, for the server to judge. */
export function numberOf(text) {
  const plain = fromInput(text);
  return plain !== '' && String(Number(plain)) === plain ? Number(plain) : plain;
}

/** Explains that a text can be read as two numbers; null if it cannot. */
export function ambiguity(text) {
  const { small, great } = readNumber(text, ofPerson());
  return small === undefined
    ? null
    : t('number.ambiguous', { typed: text.trim(), small: toInput(small), great: toInput(great) });
}

// Returns the text with ASCII digits and marks, and with plain spaces.
function plain(text) {
  return Array.from(text.replace(unseen, '').trim(), sign => {
    const code = sign.codePointAt(0);
    const zero = zeros.find(first => code >= first && code <= first + 9);
    if (zero !== undefined) return String(code - zero);
    return same.get(sign) ?? (/\p{Zs}/u.test(sign) ? ' ' : sign);
  }).join('');
}

function unsigned(text, marks) {
  const used = [...new Set(text.replace(/\d/g, ''))];
  if (used.length === 0) return text;
  if (used.length === 1) return withOne(text, used[0], marks);
  // With two different marks, the last one is the decimal mark and the other one groups thousands.
  if (used.length > 2) return null;
  const last = text.match(/[., '\u066b](?=\d*$)/)?.[0];
  const other = used.find(mark => mark !== last);
  if (last === ' ' || last === "'" || other === arabic || count(text, last) > 1) return null;
  const [whole, fraction] = text.split(last);
  const joined = ungrouped(whole, other);
  return joined === null ? null : decimal(joined, fraction);
}

function withOne(text, mark, marks) {
  if (mark === arabic) return count(text, mark) === 1 ? decimal(...text.split(mark)) : null;
  if (mark === ' ' || mark === "'" || count(text, mark) > 1) return ungrouped(text, mark);
  const [whole, fraction] = text.split(mark);
  const great = /^[1-9]\d{0,2}$/.test(whole) && fraction.length === 3 ? whole + fraction : null;
  const small = decimal(whole, fraction);
  if (great === null) return small;
  return readings(mark, fraction, marks, { small: decimal(whole, fraction.replace(/0+$/, '')), great });
}

// Three digits after a single mark are decimals or thousands. The locale decides if it uses the mark for only one of
// them. In locales with a decimal comma, a point is ambiguous, and so is a comma before digits that end in an unneeded
// zero.
function readings(mark, fraction, { decimal: sign, groups }, both) {
  if (mark === '.' && sign === '.') return both.small;
  if (mark === ',' && sign === '.') return groups === ',' ? both.great : both;
  return mark === ',' && !fraction.endsWith('0') ? both.small : both;
}

// Joins groups of thousands, or of lakhs as in India; null if the groups have other sizes.
function ungrouped(text, mark) {
  const [first, ...rest] = text.split(mark);
  const last = rest.pop();
  const inner = rest.every(part => part.length === 3) ? 3 : 2;
  const isGrouped = first.length > 0 && first.length <= inner && last?.length === 3
    && rest.every(part => part.length === inner);
  return isGrouped ? [first, ...rest, last].join('') : null;
}

const decimal = (whole, fraction) => (fraction === '' ? whole || null : `${whole || '0'}.${fraction}`);

const count = (text, mark) => text.split(mark).length - 1;
