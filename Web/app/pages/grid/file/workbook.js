// The first sheet of an Excel workbook as a table of texts. Its formulas are not run: what they came to stands beside them.
// No document type and no entity of its own is read, and nothing outside of the file.

import { t, toInput } from '../../../core/text/i18n.js';
import { isDecimal } from '../../../core/values/decimals.js';
import { FileFault, ZipFile } from './zip.js';

// Bytes of all parts that are read, inflated; and the longest text of one cell.
const INFLATED = 32 << 20;
const LONGEST = 1000;
const MOST_COLUMNS = 500;
const MOST_FORMATS = 10_000;

/**
 * Reads the first sheet as `{rows, faults}`: rows of texts, of at most `most` cells with the empty ones before and between
 * those that hold something, and by `row/column` why a cell says something else than its text: it is shown as a `percentage` or
 * a `date`, or holds an `error`.
 */
export async function readWorkbook(bytes, most) {
  const file = new ZipFile(bytes, INFLATED);
  const sheet = await file.text(await firstSheet(file));
  if (sheet === null) throw new FileFault('unreadable');
  const [strings, styles] = [await file.text('xl/sharedStrings.xml'), await file.text('xl/styles.xml')];
  return tableOf(sheet, strings === null ? [] : stringsOf(strings), styles === null ? [] : formsOf(styles), most);
}

async function firstSheet(file) {
  const [book, relations] = [await file.text('xl/workbook.xml'), await file.text('xl/_rels/workbook.xml.rels')];
  if (book === null || relations === null) throw new FileFault('unreadable');
  let id = null;
  for (const { name, attributes } of tags(book)) {
    if (name !== 'sheet' || id !== null) continue;
    id = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1] ?? null;
  }
  for (const { name, attributes } of tags(relations)) {
    if (name !== 'Relationship' || attributes.Id !== id || attributes.TargetMode === 'External') continue;
    if (!attributes.Type?.endsWith('/worksheet')) continue;
    const target = attributes.Target ?? '';
    return target.startsWith('/') ? target.slice(1) : `xl/${target}`;
  }
  throw new FileFault('unreadable');
}

// The tags of a document in their order, each with the text before it: `{name, isEnd, isAlone, attributes, before}`. Takes linear
// time.
function* tags(document) {
  let at = 0;
  for (;;) {
    const open = document.indexOf('<', at);
    if (open < 0) return;
    const before = document.slice(at, open);
    if (document.startsWith('<!--', open) || document.startsWith('<?', open) || document.startsWith('<![CDATA[', open)) {
      const [mark, skip] = document[open + 1] === '?' ? ['?>', 2] : document[open + 2] === '-' ? ['-->', 4] : [']]>', 9];
      const close = document.indexOf(mark, open + skip);
      if (close < 0) throw new FileFault('unreadable');
      at = close + mark.length;
      continue;
    }
    // Entities of a document's own begin here.
    if (document[open + 1] === '!') throw new FileFault('unreadable');
    const close = endOfTag(document, open + 1);
    const inner = document.slice(open + 1, close);
    const isEnd = inner.startsWith('/');
    const name = /^\/?([^\s/>]+)/.exec(inner)?.[1] ?? '';
    const attributes = isEnd ? {} : attributesOf(inner, name.length);
    yield { name: name.slice(name.indexOf(':') + 1), isEnd, isAlone: inner.endsWith('/'), attributes, before };
    at = close + 1;
  }
}

function endOfTag(document, start) {
  let quote = null;
  for (let at = start; at < document.length; at += 1) {
    const sign = document[at];
    if (quote !== null) quote = sign === quote ? null : quote;
    else if (sign === '"' || sign === "'") quote = sign;
    else if (sign === '>') return at;
  }
  throw new FileFault('unreadable');
}

// One attribute behind the other, up to the first thing that is none: a search through the tag would try a long word from each
// of its letters on.
function attributesOf(inner, start) {
  const found = Object.create(null);
  const attribute = /\s+([^\s=/"'<>]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/y;
  attribute.lastIndex = start;
  for (let match = attribute.exec(inner); match; match = attribute.exec(inner)) found[match[1]] = decoded(match[2] ?? match[3]);
  return found;
}

const entities = new Map([['amp', '&'], ['lt', '<'], ['gt', '>'], ['quot', '"'], ['apos', "'"]]);

const decoded = text => (text.includes('&') ? text.replace(/&(#x[0-9a-fA-F]{1,6}|#\d{1,7}|[a-z]{2,4});/g, (whole, name) => {
  if (name[0] !== '#') return entities.get(name) ?? whole;
  const code = name[1] === 'x' ? parseInt(name.slice(2), 16) : Number(name.slice(1));
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
}) : text);

function stringsOf(document) {
  const strings = [];
  let [text, isText, isSpoken] = ['', false, false];
  for (const { name, isEnd, isAlone, before } of tags(document)) {
    if (isText) text = joined(text, before);
    isText = name === 't' && !isEnd && !isAlone && !isSpoken;
    // How a text is spoken stands beside it.
    if (name === 'rPh') isSpoken = !isEnd && !isAlone;
    if (name !== 'si') continue;
    if (isEnd || isAlone) strings.push(text);
    text = '';
  }
  return strings;
}

const joined = (text, more) => (text.length > LONGEST ? text : `${text}${decoded(more)}`.slice(0, LONGEST + 1));

function tableOf(document, strings, forms, most) {
  const [rows, faults] = [[], new Map()];
  let [cell, reads, count, down, across] = [null, false, 0, -1, -1];
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
  for (const { name, isEnd, isAlone, attributes, before } of tags(document)) {
    if (cell && reads) cell.text = joined(cell.text, before);
    reads = !isEnd && !isAlone && (name === 'v' || name === 't');
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
      cell = isAlone ? null : { type: attributes.t ?? 'n', form: forms[Number(attributes.s ?? 0)] ?? null, text: '' };
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

function valueOf({ type, form, text }, strings) {
  if (type === 's') return { text: strings[Number(text)] ?? '' };
  if (type === 'b') return { text: t(Number(text) === 0 ? 'value.no' : 'value.yes') };
  if (type === 'e') return { text, fault: 'error' };
  if (type !== 'n' || text.trim() === '') return { text: text.trim() === '' ? '' : text };
  return form === 'percentage' ? { text: `${numberText(text, 100)}%`, fault: form } : { text: numberText(text), fault: form };
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
