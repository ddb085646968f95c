// A file with results as a table of texts, whichever form it has.

import { language } from '../../../core/text/i18n.js';
import { fromTSV } from '../clipboard.js';
import { readWorkbook } from './workbook.js';
import { FileFault } from './zip.js';

const MOST_BYTES = 8 << 20;
// With names, numbers and figures beside the results of the largest class that is entered at once.
const MOST_CELLS = 200_000;
const MARKS = [';', '\t', ','];

/**
 * Reads a file as `{rows, faults}`: rows of texts, and by `row/column` why a cell says something else than its text. Throws a
 * `FileFault`.
 */
export async function readTable(file) {
  if (file.size > MOST_BYTES) throw new FileFault('tooLarge');
  const bytes = new Uint8Array(await file.arrayBuffer());
  // What a file is, its first bytes say: names of files are changed.
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) return readWorkbook(bytes, MOST_CELLS);
  if (bytes[0] === 0xd0 && bytes[1] === 0xcf) throw new FileFault('old');
  const text = textOf(bytes);
  if (text.includes('\0')) throw new FileFault('unreadable');
  const rows = fromTSV(text, MOST_CELLS, markOf(text));
  if (rows === null) throw new FileFault('tooLarge');
  return { rows, faults: new Map() };
}

// Spreadsheets that do not write UTF-8 write what is usual in their country.
function textOf(bytes) {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder(language().startsWith('zh') ? 'gb18030' : 'windows-1252').decode(bytes);
  }
}

// The mark that the first line has most often.
function markOf(text) {
  const line = text.slice(0, 100_000).split(/[\r\n]/, 1)[0].replace(/"[^"]*"/g, '');
  return MARKS.reduce((best, mark) => (line.split(mark).length > line.split(best).length ? mark : best));
}
