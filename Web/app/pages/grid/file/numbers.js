// The format in which a workbook shows a number tells what it is: a number, a percentage, a date, a time.

import { t, toInput } from '../../../core/text/i18n.js';
import { isDecimal } from '../../../core/values/decimals.js';
import { tags } from './xml.js';

const MOST_FORMATS = 10_000;
const LONGEST_FORMAT = 1000;
const DAY = 86_400;
// The last day of the year 9999.
const LAST = 2_958_465;
// The power of ten of a number moves its decimal point by at most this many places.
const MOST_PLACES = 30;

/** A number as a text and, if it is not shown as a number, its kind (`percentage`, `date`). A `form` is one of
 *  `formsOf`. Truth values become words. */
export function shownNumber(text, form, is1904 = false) {
  const kind = form && isNumber(text) ? kindOf(form, Number(text)) : null;
  if (kind === 'truth') return { text: truthText(Number(text) !== 0) };
  if (kind === 'percentage') return { text: percentText(text), fault: kind };
  return kind
    ? { text: dateText(Number(text), kind, is1904) ?? numberText(text), fault: 'date' }
    : { text: numberText(text) };
}

export const truthText = isTrue => t(isTrue ? 'value.yes' : 'value.no');

export const percentText = text => `${numberText(text, 100)}%`;

/** Workbooks store numbers as doubles, which preserve decimals of up to fifteen digits. */
export function numberText(text, times = 1) {
  const number = isNumber(text) ? Number(text) * times : NaN;
  const plain = withoutPower(String(Number(number.toPrecision(15))));
  if (isDecimal(plain)) return toInput(plain);
  return Number.isFinite(number) ? plain : text.trim();
}

const isNumber = text => /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i.test(text);

// JavaScript writes very large and very small numbers with a power of ten.
function withoutPower(text) {
  const [, sign, first, rest = '', power] = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(text) ?? [];
  if (!power || Math.abs(power) > MOST_PLACES) return text;
  return Number(power) < 0
    ? `${sign}0.${'0'.repeat(-power - 1)}${first}${rest}`
    : `${sign}${first}${rest.padEnd(power, '0')}`;
}

// Days are counted from the end of 1899, including the 29 February that 1900 did not have, or from 1904.
function dateText(number, kind, is1904) {
  if (number < 0 || number > LAST) return null;
  const seconds = Math.round(number * DAY);
  const days = Math.floor(seconds / DAY);
  if (kind === 'duration' || days === 0) return clockText(seconds);
  const start = is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, days < 60 ? 31 : 30);
  const text = new Date(start + seconds * 1000).toISOString();
  return seconds % DAY === 0 ? text.slice(0, 10) : text.slice(0, 19);
}

/** Seconds as hours, minutes and seconds. */
export const clockText = seconds => [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60,
  seconds % 60].map(part => String(part).padStart(2, '0')).join(':');

/** The forms of a workbook's cells by the number of their style: how numbers are shown, section by section. */
export function formsOf(document) {
  const [forms, own] = [[], new Map()];
  let isUsed = false;
  for (const { name, isEnd, attributes } of tags(document)) {
    if (name === 'numFmt' && own.size < MOST_FORMATS) own.set(attributes.numFmtId, formOf(attributes.formatCode ?? ''));
    else if (name === 'cellXfs') isUsed = !isEnd;
    else if (name === 'xf' && !isEnd && isUsed) {
      const id = attributes.numFmtId ?? '0';
      forms.push(own.has(id) ? own.get(id) : builtIn(Number(id)));
    }
  }
  return forms;
}

// The formats that every workbook has, including those of East Asian ones.
function builtIn(id) {
  if (id === 9 || id === 10) return formOf('0%');
  if (id === 46) return formOf('[h]:mm:ss');
  return (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || id === 45 || id === 47 || (id >= 50 && id <= 58)
    ? formOf('d')
    : null;
}

// The sections of a format: for positive, negative and zero numbers, or with conditions of their own. Added texts and
// colours do not change the kind.
function formOf(code) {
  // LibreOffice writes the format of truth values in this way.
  if (/^"(\p{L}+)";"\1";"\p{L}+"$/u.test(code)) return [{ condition: null, kind: 'truth' }];
  const sections = [{ code: '', condition: null }];
  for (const [sign] of code.slice(0, LONGEST_FORMAT).matchAll(/"[^"]*"?|[\\_*][^]|\[[^\]]*\]|[^]/g)) {
    const section = sections.at(-1);
    if (sign === ';') sections.push({ code: '', condition: null });
    else if (/^\[[<>=]/.test(sign)) section.condition = conditionOf(sign);
    else if (/^(?:[^["\\_*]|\[[hms]+\]$)/i.test(sign)) section.code += sign;
  }
  return sections.slice(0, 3).map(({ code: bare, condition }) => ({ condition, kind: kindOfCode(bare) }));
}

// East Asian formats have days of the week (`aaa`), eras (`g`) and their years (`e`); some name the general format
// `G/…`.
function kindOfCode(code) {
  const bare = code.replace(/general|g\/.*/gi, '');
  if (bare.includes('%')) return 'percentage';
  if (bare.includes('[')) return 'duration';
  return /[dmyhs]/i.test(bare) || (/[ge]|a{3}/i.test(bare) && !/[0#?]/.test(bare)) ? 'date' : null;
}

function conditionOf(sign) {
  const [, mark, limit] = /^\[(<=|>=|<>|<|>|=)(-?[\d.]+)\]$/.exec(sign) ?? [];
  return mark ? number => holds[mark](number, Number(limit)) : null;
}

const holds = {
  '<': (one, other) => one < other,
  '<=': (one, other) => one <= other,
  '>': (one, other) => one > other,
  '>=': (one, other) => one >= other,
  '=': (one, other) => one === other,
  '<>': (one, other) => one !== other,
};

function kindOf(form, number) {
  const isOf = ({ condition }, at) => {
    if (condition) return condition(number);
    if (at === form.length - 1) return true;
    return at === 1 ? number < 0 : number > 0 || (number === 0 && form.length === 2);
  };
  return (form.find(isOf) ?? form.at(-1)).kind;
}
