// The first sheet of an Excel workbook as a table of texts. Its formulas are not run: what they came to stands beside them.
// No document type and no entity of its own is read, and nothing outside of the file.

import { toInput } from '../../../core/text/i18n.js';
import { isDecimal } from '../../../core/values/decimals.js';
import { FileFault, ZipFile } from './zip.js';

// Bytes of all parts that are read, inflated; and the longest text of one cell.
const INFLATED = 32 << 20;
const LONGEST = 1000;
const MOST_COLUMNS = 500;

/** The rows of the first sheet, of at most `most` cells with those that are empty. */
export async function readWorkbook(bytes, most) {
  const file = new ZipFile(bytes, INFLATED);
  const sheet = await file.text(await firstSheet(file));
  if (sheet === null) throw new FileFault('unreadable');
  const strings = await file.text('xl/sharedStrings.xml');
  return rowsOf(sheet, strings === null ? [] : stringsOf(strings), most);
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

// The tags of a document in their order, each with the text before it: `{name, isEnd, isAlone, attributes, before}`. Each sign
// is looked at a bounded number of times.
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

function rowsOf(document, strings, most) {
  const rows = [];
  let [row, cell, reads, count, isAfter] = [null, null, false, 0, false];
  for (const { name, isEnd, isAlone, attributes, before } of tags(document)) {
    if (cell && reads) cell.text = joined(cell.text, before);
    reads = !isEnd && !isAlone && (name === 'v' || name === 't');
    if (name === 'sheetData' && isEnd) isAfter = true;
    if (isAfter) break;
    if (name === 'row' && !isEnd) {
      const place = Number(attributes.r ?? rows.length + 1) - 1;
      // An empty row is no row of the table; a row stands behind the one before it.
      if (!Number.isInteger(place) || place < rows.length) throw new FileFault('unreadable');
      while (rows.length < place) {
        if ((count += 1) > most) throw new FileFault('tooLarge');
        rows.push([]);
      }
      row = [];
      rows.push(row);
      if ((count += 1) > most) throw new FileFault('tooLarge');
    } else if (name === 'c' && !isEnd && row) {
      const place = attributes.r ? columnOf(attributes.r) : row.length;
      if (place < row.length) throw new FileFault('unreadable');
      if (place >= MOST_COLUMNS || (count += place - row.length + 1) > most) throw new FileFault('tooLarge');
      while (row.length < place) row.push('');
      cell = { type: attributes.t ?? 'n', text: '' };
      row.push('');
      if (isAlone) cell = null;
    } else if (name === 'c' && isEnd && cell) {
      row[row.length - 1] = valueOf(cell, strings);
      cell = null;
    }
  }
  return rows;
}

function columnOf(reference) {
  const letters = /^([A-Z]{1,3})\d{1,7}$/.exec(reference)?.[1];
  if (!letters) throw new FileFault('unreadable');
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

function valueOf({ type, text }, strings) {
  if (type === 's') return strings[Number(text)] ?? '';
  return type === 'n' ? numberText(text) : text;
}

// Workbooks hold numbers as doubles, which give back decimals of up to fifteen digits.
function numberText(text) {
  const number = Number(text);
  if (text.trim() === '' || !Number.isFinite(number)) return text;
  const plain = String(Number(number.toPrecision(15)));
  return isDecimal(plain) ? toInput(plain) : text;
}
