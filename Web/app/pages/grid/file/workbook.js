// Reads the first visible sheet of a workbook as a table of texts. Formulas are not run: their results are stored with
// them. Nothing outside the file is read.

import { formsOf, shownNumber, truthText } from './numbers.js';
import { readOpenDocument } from './openDocument.js';
import { partsOf } from './parts.js';
import { SheetRows, joined } from './rows.js';
import { tags } from './xml.js';
import { FileFault, ZipFile } from './zip.js';

// The greatest number of bytes of all parts that are read, inflated.
const INFLATED = 32 << 20;
const MOST_STRINGS = 200_000;

/**
 * Reads the sheet as `{rows, faults}`: rows of texts, with at most `most` cells including empty ones before and between
 * others; and, by `row/column`, why the text of a cell is not its value: it is shown as a `percentage` or a `date`,
 * contains an `error`, or has a formula without a result in the file (`uncalculated`).
 */
export async function readWorkbook(bytes, most) {
  const { content, sheet, strings, styles, ...book } = await partsOf(new ZipFile(bytes, INFLATED));
  if (content) return readOpenDocument(content, most);
  return tableOf(sheet,
    { ...book, strings: strings && stringsOf(strings), forms: styles === null ? [] : formsOf(styles) }, most);
}

function stringsOf(document) {
  const strings = [];
  const reader = new TextReader();
  for (const tag of tags(document)) {
    reader.read(tag);
    if (tag.name !== 'si') continue;
    if ((tag.isEnd || tag.isAlone) && strings.push(unescaped(reader.text)) > MOST_STRINGS) {
      throw new FileFault('tooLarge');
    }
    reader.text = '';
  }
  return strings;
}

// The text of a string, which may consist of several pieces. Its pronunciation (`rPh`) is not part of the text.
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

// Characters that XML does not allow are written as `_x000D_`, and so is an underscore before text of that form.
const unescaped = text => (text.includes('_x')
  ? text.replace(/_x([0-9a-fA-F]{4})_/g, (_, code) => String.fromCharCode(parseInt(code, 16)))
  : text);

function tableOf(document, book, most) {
  const rows = new SheetRows(most);
  const arrays = [];
  let [cell, open, down, across, isOver] = [null, null, -1, -1, false];
  for (const tag of tags(document)) {
    const { name, isEnd, isAlone, attributes, before } = tag;
    if (isOver) {
      if (name === 'mergeCell' && !isEnd) rows.cover(areaOf(attributes.ref));
      continue;
    }
    if (cell) {
      cell.inline.read(tag);
      if (open === 'v') cell.value = joined(cell.value, before);
      if (open === 'f') cell.formula = joined(cell.formula, before);
      if (name === 'f' && !isEnd) {
        cell.formula ??= '';
        // One formula for several cells; only the first cell has it.
        if (['array', 'dataTable'].includes(attributes.t) && attributes.ref) cell.area = areaOf(attributes.ref);
      }
      if (name === 'v' && !isEnd) cell.value ??= '';
    }
    open = isEnd || isAlone ? null : name;
    if (name === 'sheetData' && isEnd) {
      for (const { area, ...said } of arrays) rows.spread(area, said, ['', '0']);
      isOver = true;
    } else if (name === 'row' && !isEnd) {
      const place = Number(attributes.r ?? down + 2) - 1;
      // A row must come after the previous one, and so must a cell.
      if (!Number.isInteger(place) || place <= down) throw new FileFault('unreadable');
      [down, across] = [place, -1];
    } else if (name === 'c' && !isEnd && down >= 0) {
      const place = attributes.r ? cellOf(attributes.r).across : across + 1;
      if (place <= across) throw new FileFault('unreadable');
      across = place;
      cell = isAlone
        ? null
        : {
          type: attributes.t ?? 'n', form: book.forms[Number(attributes.s ?? 0)] ?? null, value: null, formula: null,
          area: null, inline: new TextReader(),
        };
    } else if (name === 'c' && isEnd && cell) {
      const value = valueOf(cell, book);
      rows.put(down, across, value);
      if (cell.area && value.fault === 'uncalculated') arrays.push({ area: cell.area, ...value });
      cell = null;
    }
  }
  return rows;
}

function cellOf(reference) {
  const [, letters, row] = /^([A-Z]{1,3})(\d{1,7})$/.exec(reference.toUpperCase()) ?? [];
  if (!letters) throw new FileFault('unreadable');
  return {
    down: Number(row) - 1, across: [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1,
  };
}

function areaOf(reference) {
  const [first, last] = (reference ?? '').split(':');
  const [from, to] = [cellOf(first), cellOf(last ?? first)];
  return { top: from.down, left: from.across, bottom: to.down, right: to.across };
}

function valueOf({ type, form, value, formula, inline }, { strings, is1904, isUncalculated }) {
  const text = value ?? '';
  if (type === 'inlineStr') return { text: unescaped(inline.text || text) };
  // The result of a formula may be an empty text. Programs that write formulas without running them write zeros instead
  // of results, and state that everything has to be calculated.
  const isOpen = value === null || (text.trim() === '' && type !== 'str')
    || (isUncalculated && type === 'n' && Number(text) === 0);
  if (formula !== null && isOpen) return { text: `=${formula}`, fault: 'uncalculated' };
  if (type === 'str') return { text: unescaped(text) };
  if (text.trim() === '') return { text: '' };
  if (type === 's') return { text: stringAt(strings, Number(text)) };
  if (type === 'b') return { text: truthText(!/^(?:0+|false)$/i.test(text.trim())) };
  if (type === 'e') return { text, fault: 'error' };
  if (type === 'd') return { text, fault: 'date' };
  return shownNumber(text, form, is1904);
}

function stringAt(strings, index) {
  if (strings === null) throw new FileFault('missingPart', { name: 'sharedStrings.xml' });
  if (!(index in strings)) throw new FileFault('unreadable');
  return strings[index];
}
