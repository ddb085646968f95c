// The first sheet of an Excel workbook that is not hidden as a table of texts. Its formulas are not run: what they came to stands
// beside them. Nothing outside of the file is read.

import { t, toInput } from '../../../core/text/i18n.js';
import { isDecimal } from '../../../core/values/decimals.js';
import { partsOf } from './parts.js';
import { tags } from './xml.js';
import { FileFault, ZipFile } from './zip.js';

// Bytes of all parts that are read, inflated; and the longest text of one cell.
const INFLATED = 32 << 20;
const LONGEST = 1000;
const MOST_COLUMNS = 500;
const MOST_STRINGS = 200_000;
const MOST_FORMATS = 10_000;

/**
 * Reads the sheet as `{rows, faults}`: rows of texts, of at most `most` cells with the empty ones before and between those that
 * hold something, and by `row/column` why a cell says something else than its text: it is shown as a `percentage` or a `date`,
 * holds an `error`, or a formula whose result is not in the file (`uncalculated`).
 */
export async function readWorkbook(bytes, most) {
  const { sheet, strings, styles } = await partsOf(new ZipFile(bytes, INFLATED));
  return tableOf(sheet, strings && stringsOf(strings), styles === null ? [] : formsOf(styles), most);
}

function stringsOf(document) {
  const strings = [];
  const reader = new TextReader();
  for (const tag of tags(document)) {
    reader.read(tag);
    if (tag.name !== 'si') continue;
    if ((tag.isEnd || tag.isAlone) && strings.push(unescaped(reader.text)) > MOST_STRINGS) throw new FileFault('tooLarge');
    reader.text = '';
  }
  return strings;
}

// The text of a string, which may stand in several pieces. How it is spoken (`rPh`) stands beside it, and is no part of it.
class TextReader {
  text = '';
  #reads = false;
  #isSpoken = false;

  read({ name, isEnd, isAlone, before }) {
    if (this.#reads) this.text = joined(this.text, before);
    const isOpen = !isEnd && !isAlone;
    if (name === 'rPh') this.#isSpoken = isOpen;
    this.#reads = name === 't' && isOpen && !this.#isSpoken;
  }
}

// Letters that a document cannot have stand as `_x000D_` in texts, and so does an underscore before what looks like one.
const unescaped = text => (text.includes('_x') ? text.replace(/_x([0-9a-f]{4})_/gi, (_, code) => String.fromCharCode(parseInt(code, 16))) : text);

const joined = (text, more) => (text.length > LONGEST ? text : `${text}${more}`.slice(0, LONGEST + 1));

function tableOf(document, strings, forms, most) {
  const [rows, faults] = [[], new Map()];
  let [cell, open, count, down, across] = [null, null, 0, -1, -1];
  // Rows and columns in which nothing stands are formatted in ordinary files; only what holds something takes its place.
  const put = ({ place, text, fault }) => {
    if (place >= MOST_COLUMNS) throw new FileFault('tooLarge');
    const row = rows.length > down ? rows[down] : [];
    if ((count += Math.max(0, down + 1 - rows.length) + place + 1 - row.length) > most) throw new FileFault('tooLarge');
    while (rows.length < down) rows.push([]);
    if (rows.length === down) rows.push(row);
    while (row.length < place) row.push('');
    row.push(text);
    if (fault) faults.set(`${down}/${place}`, fault);
  };
  for (const tag of tags(document)) {
    const { name, isEnd, isAlone, attributes, before } = tag;
    if (cell) {
      cell.inline.read(tag);
      if (open === 'v') cell.value = joined(cell.value, before);
      if (open === 'f') cell.formula = joined(cell.formula, before);
      if (name === 'f' && !isEnd) cell.formula ??= '';
      if (name === 'v' && !isEnd) cell.value ??= '';
    }
    open = isEnd || isAlone ? null : name;
    if (name === 'sheetData' && isEnd) break;
    if (name === 'row' && !isEnd) {
      const place = Number(attributes.r ?? down + 2) - 1;
      // A row stands behind the one before it, and so does a cell.
      if (!Number.isInteger(place) || place <= down) throw new FileFault('unreadable');
      [down, across] = [place, -1];
    } else if (name === 'c' && !isEnd && down >= 0) {
      const place = attributes.r ? columnOf(attributes.r) : across + 1;
      if (place <= across) throw new FileFault('unreadable');
      across = place;
      cell = isAlone ? null : { type: attributes.t ?? 'n', form: forms[Number(attributes.s ?? 0)] ?? null, value: null, formula: null, inline: new TextReader() };
    } else if (name === 'c' && isEnd && cell) {
      const { text, fault = null } = valueOf(cell, strings);
      if (text !== '') put({ place: across, text, fault });
      cell = null;
    }
  }
  return { rows, faults };
}

function columnOf(reference) {
  const letters = /^([A-Z]{1,3})\d{1,7}$/.exec(reference)?.[1];
  if (!letters) throw new FileFault('unreadable');
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

function valueOf({ type, form, value, formula, inline }, strings) {
  const text = value ?? '';
  if (type === 'inlineStr') return { text: unescaped(inline.text || text) };
  // A formula may come to an empty text, which is a result.
  if (formula !== null && (value === null || (text.trim() === '' && type !== 'str'))) return { text: `=${formula}`, fault: 'uncalculated' };
  if (type === 'str') return { text: unescaped(text) };
  if (text.trim() === '') return { text: '' };
  if (type === 's') return { text: stringAt(strings, Number(text)) };
  if (type === 'b') return { text: t(Number(text) === 0 ? 'value.no' : 'value.yes') };
  if (type === 'e') return { text, fault: 'error' };
  if (type === 'd') return { text, fault: 'date' };
  return form === 'percentage' ? { text: `${numberText(text, 100)}%`, fault: form } : { text: numberText(text), fault: form };
}

function stringAt(strings, index) {
  if (strings === null) throw new FileFault('missingPart', { name: 'sharedStrings.xml' });
  if (!(index in strings)) throw new FileFault('unreadable');
  return strings[index];
}

// What numbers are shown as, by the number of their format in the file: a `percentage`, a `date`, or null for a number.
function formsOf(document) {
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

// Formats that every workbook has, with those of East Asian ones.
function builtIn(id) {
  if (id === 9 || id === 10) return 'percentage';
  return (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58) ? 'date' : null;
}

// Texts that a format adds, colours and conditions are no part of the number.
function formOf(code) {
  const bare = code.slice(0, LONGEST).replace(/"[^"]*"?|[\\_*]./g, '').replace(/\[(?![hms]+\])[^[\]]*\]/gi, '');
  if (bare.includes('%')) return 'percentage';
  return /[dmyhs]/i.test(bare.replace(/general/gi, '')) ? 'date' : null;
}

// Workbooks hold numbers as doubles, which give back decimals of up to fifteen digits.
function numberText(text, times = 1) {
  const number = Number(text) * times;
  if (!Number.isFinite(number)) return text;
  const plain = String(Number(number.toPrecision(15)));
  return isDecimal(plain) ? toInput(plain) : text;
}
