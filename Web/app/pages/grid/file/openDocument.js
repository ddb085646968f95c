// Reads the first visible table of an OpenDocument spreadsheet as a table of texts. Each cell states its type, and has
// the shown text in addition. Formulas are not run.

import { clockText, numberText, percentText, truthText } from './numbers.js';
import { LONGEST, MOST_COLUMNS, SheetRows, joined } from './rows.js';
import { tags } from './xml.js';
import { FileFault } from './zip.js';

const SPACES = new Map(['office', 'style', 'table', 'text'].map(name =>
  [`urn:oasis:names:tc:opendocument:xmlns:${name}:1.0`, name]));
SPACES.set('urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0', 'calcext');
const CELLS = ['table-cell', 'covered-table-cell'];
// Elements of a paragraph that are not part of its text: pronunciation, comments, pictures.
const BESIDE = ['ruby-text', 'annotation', 'note', 'frame'];

/** Reads a table as `{rows, faults}`, like a sheet of a workbook. */
export function readOpenDocument(document, most) {
  const rows = new SheetRows(most);
  let [down, cell, repeated] = [-1, null, 1];
  let cells = [];
  for (const tag of tableTags(document, placeOf(document))) {
    const { name, isEnd, isAlone, attribute } = tag;
    if (cell) {
      if (!cell.read(tag)) continue;
      cell = null;
    } else if (name === 'table-row' && !isEnd) {
      [cells, repeated] = [[], timesOf(attribute('table:number-rows-repeated'))];
    } else if (CELLS.includes(name) && !isEnd) {
      const read = new Cell(attribute, name === 'covered-table-cell');
      cells.push(read);
      if (!isAlone) cell = read;
    }
    if (name !== 'table-row' || (!isEnd && !isAlone)) continue;
    const filled = filledOf(cells);
    for (let time = 1; filled.length > 0 && time <= repeated; time += 1) {
      for (const { across, value, area } of filled) place(rows, down + time, across, value, area);
    }
    down += repeated;
  }
  return rows;
}

function place(rows, down, across, value, [high, wide]) {
  rows.put(down, across, value);
  const area = { top: down, left: across, bottom: down + high - 1, right: across + wide - 1 };
  if (value.fault === 'uncalculated' && high * wide > 1) rows.spread(area, value, ['']);
}

// The places of the cells of a row that are not empty, with repeated cells repeated.
function filledOf(cells) {
  const filled = [];
  let across = 0;
  for (const { times, value, area } of cells) {
    // If a row is too wide, its first cell too many is refused.
    if (value.text !== '') {
      for (let time = 0; time < Math.min(times, MOST_COLUMNS + 1); time += 1) {
        filled.push({ across: across + time, value, area });
      }
    }
    across += times;
  }
  return filled;
}

const timesOf = text => {
  const times = Number(text ?? 1);
  if (!Number.isSafeInteger(times) || times < 1) throw new FileFault('unreadable');
  return times;
};

// The tags with their attributes, with the standard prefixes of namespaces: each writer chooses its own.
function* named(document) {
  const prefixes = new Map();
  for (const tag of tags(document)) {
    if (prefixes.size === 0) {
      for (const [key, value] of Object.entries(tag.attributes)) {
        if (key.startsWith('xmlns:') && SPACES.has(value)) prefixes.set(SPACES.get(value), key.slice(6));
      }
      if (!prefixes.has('office') || !prefixes.has('table')) throw new FileFault('unreadable');
    }
    const attribute = name => {
      const cut = name.indexOf(':');
      return tag.attributes[`${prefixes.get(name.slice(0, cut))}${name.slice(cut)}`];
    };
    yield { ...tag, attribute };
  }
}

// The place of the first visible table among all tables: styles say which ones are hidden, and come before them.
function placeOf(document) {
  const hidden = new Set();
  let [style, place, depth] = [null, -1, 0];
  for (const { name, isEnd, isAlone, attribute } of named(document)) {
    if (name === 'table' && !isAlone) depth += isEnd ? -1 : 1;
    if (isEnd) continue;
    if (name === 'style') style = attribute('style:name');
    else if (name === 'table-properties' && attribute('table:display') === 'false') hidden.add(style);
    else if (name === 'table' && depth === (isAlone ? 0 : 1)) {
      place += 1;
      if (!hidden.has(attribute('table:style-name'))) return place;
    }
  }
  if (place < 0) throw new FileFault('unreadable');
  return 0;
}

// The tags within a table. Cells may contain tables of their own.
function* tableTags(document, place) {
  let [at, depth] = [-1, 0];
  for (const tag of named(document)) {
    if (tag.name === 'table' && !tag.isAlone) {
      depth += tag.isEnd ? -1 : 1;
      if (depth === 0 && at === place) return;
    }
    if (tag.name === 'table' && !tag.isEnd && depth === (tag.isAlone ? 0 : 1)) at += 1;
    else if (at === place && depth > 0) yield tag;
  }
}

class Cell {
  times;
  area;
  #said;
  #isCovered;
  #shown = null;
  #depth = 1;
  #beside = 0;
  #isInText = false;
  #isAfterSpace = true;

  constructor(attribute, isCovered) {
    this.times = timesOf(attribute('table:number-columns-repeated'));
    this.area = ['rows', 'columns'].map(name => timesOf(attribute(`table:number-matrix-${name}-spanned`)));
    this.#isCovered = isCovered;
    this.#said = {
      type: attribute('calcext:value-type') === 'error' ? 'error' : attribute('office:value-type') ?? null,
      formula: attribute('table:formula')?.replace(/^[a-z]+:(?==)/, '') ?? null,
      number: attribute('office:value'),
      date: attribute('office:date-value'),
      time: attribute('office:time-value'),
      isTrue: attribute('office:boolean-value') === 'true',
      text: attribute('office:string-value'),
    };
  }

  /** Reads the next tag; returns true at the end of the cell. */
  read({ name, isEnd, isAlone, attribute, before }) {
    if (this.#isInText && this.#beside === 0) this.#add(before);
    const step = isAlone ? 0 : isEnd ? -1 : 1;
    this.#depth += step;
    if (this.#depth === 0) return true;
    if (this.#beside > 0) this.#beside += step;
    else if (this.#isInText) this.#readInText(name, isEnd, isAlone, attribute);
    else if (name === 'p' && !isEnd) {
      this.#shown = this.#shown === null ? '' : joined(this.#shown, '\n');
      [this.#isInText, this.#isAfterSpace] = [!isAlone, true];
    } else if (!isEnd && !isAlone) this.#beside = 1;
    return false;
  }

  #readInText(name, isEnd, isAlone, attribute) {
    const sign = { 'line-break': '\n', s: ' ', tab: '\t' }[name];
    if (name === 'p' && isEnd) this.#isInText = false;
    else if (isEnd) return;
    else if (sign) {
      this.#shown = joined(this.#shown,
        sign.repeat(Math.min(timesOf(name === 's' ? attribute('text:c') : 1), LONGEST)));
      this.#isAfterSpace = false;
    } else if (BESIDE.includes(name) && !isAlone) this.#beside = 1;
  }

  // Consecutive spaces count as one, and spaces at the beginning do not count; spaces that do count are tags.
  #add(text) {
    const spaced = text.replace(/[ \t\r\n]+/g, ' ');
    const more = this.#isAfterSpace ? spaced.replace(/^ /, '') : spaced;
    if (more === '') return;
    this.#shown = joined(this.#shown, more);
    this.#isAfterSpace = more.endsWith(' ');
  }

  get value() {
    const { type, formula, number, date, time, isTrue, text } = this.#said;
    const shown = this.#shown ?? '';
    if (this.#isCovered) return { text: '' };
    // Older writers store an error as a number zero.
    if (type === 'error' || (formula !== null && /^(?:#\S|Err:\d)/.test(shown))) return { text: shown, fault: 'error' };
    if (type === null && formula !== null && this.#shown === null) return { text: formula, fault: 'uncalculated' };
    if (type === 'boolean') return { text: truthText(isTrue) };
    if (type === 'percentage' && number !== undefined) return { text: percentText(number), fault: 'percentage' };
    // A formula with a truth value may be stored as a number that is shown as a word.
    if (type === 'float' && formula !== null && ['0', '1'].includes(number) && /^\p{L}+$/u.test(shown)) {
      return { text: truthText(number === '1') };
    }
    if (['float', 'currency'].includes(type) && number !== undefined) return { text: numberText(number) };
    if (type === 'date' && date !== undefined) return { text: date, fault: 'date' };
    if (type === 'time' && time !== undefined) return { text: durationText(time), fault: 'date' };
    return { text: type === 'string' && text !== undefined ? joined('', text) : shown };
  }
}

function durationText(text) {
  const parts = /^PT(\d{1,7})H(\d{1,2})M(\d{1,2}(?:[.,]\d*)?)S$/.exec(text)?.slice(1)
    .map(part => Number(part.replace(',', '.')));
  return parts ? clockText(Math.round(parts[0] * 3600 + parts[1] * 60 + parts[2])) : text;
}
