// Reads a file with results as a table of texts, whatever its format.

import { fromTSV } from '../clipboard.js';
import { textOf } from './encoding.js';
import { HEAD_LINES } from './head.js';
import { kindOfTitle } from './titles.js';
import { readWorkbook } from './workbook.js';
import { FileFault } from './zip.js';

const MOST_BYTES = 8 << 20;
// Enough for the largest class that can be entered at once, with names, numbers and figures beside the results.
const MOST_CELLS = 200_000;
const MARKS = [';', '\t', ','];

/**
 * Reads a file as `{rows, faults}`: rows of texts, and, by `row/column`, why the text of a cell is not its value.
 * Throws a `FileFault`. Large files take time, so the page reads them in a worker (`table.js`).
 */
export async function tableOf(file) {
  if (file.size > MOST_BYTES) throw new FileFault('tooLarge');
  const bytes = new Uint8Array(await file.arrayBuffer());
  // The first bytes tell the format, because files are renamed.
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) return readWorkbook(bytes, MOST_CELLS);
  if (bytes[0] === 0xd0 && bytes[1] === 0xcf) throw new FileFault('old');
  const text = textOf(bytes);
  if (text.includes('\0')) throw new FileFault('unreadable');
  const { mark, body } = separated(text);
  const rows = fromTSV(body, MOST_CELLS, mark);
  if (rows === null) throw new FileFault('tooLarge');
  return { rows: rows.map(texts => texts.map(unguarded)), faults: new Map() };
}

// In delimited text, an apostrophe protects texts that begin like a formula, even after other apostrophes.
const unguarded = text => text.replace(/^(\s*)'(?='*[=+\-@\t\r])/, '$1');

// The mark that separates the fields, and the text without the line that declares it. If no line does, the line with
// titles for students decides, because lines above it may contain any marks; or else the most frequent mark in the
// first line that has one.
function separated(text) {
  const said = /^"?sep=([^\r\n"])"?(?=[\r\n])/i.exec(text);
  if (said) return { mark: said[1], body: text.slice(said[0].length) };
  const lines = text.slice(0, 100_000).split(/\r\n?|\n/, HEAD_LINES);
  const splits = lines.flatMap(line => {
    const own = MARKS.map(mark => ({ mark, fields: fromTSV(line, MOST_CELLS, mark)?.[0] ?? [] }));
    return own.sort((one, other) => other.fields.length - one.fields.length)[0].fields.length > 1 ? own : [];
  });
  const found = splits.find(({ fields }) => fields.length > 1
    && fields.some(field => ![null, 'section'].includes(kindOfTitle(field))));
  return { mark: (found ?? splits[0])?.mark ?? MARKS[0], body: text };
}
