// Cells as spreadsheets exchange them: lines of texts with tabs between them; a text with a tab, a line break or a quotation
// mark stands in quotation marks.

import { t } from '../../core/text/i18n.js';

/** Puts a text into the system's clipboard, and says `said`; some browsers allow that for keys alone. */
export async function copyText(desk, text, said) {
  try {
    await navigator.clipboard.writeText(text);
    desk.say(said);
  } catch {
    desk.say(t('menu.copyByHand'), 'bad');
  }
}

/** The texts of `table`, a list of rows. */
export const toTSV = table => table.map(row => row.map(quoted).join('\t')).join('\n');

/** The texts of `table` as delimited text for spreadsheets: what begins like a formula has an apostrophe before it, also behind
 *  apostrophes of its own; a number below zero has none. `mark` separates the fields. */
export const toDelimited = (table, mark) => table.map(row => row.map(text => enclosed(harmless(text), mark)).join(mark)).join('\r\n') + '\r\n';

const harmless = text => (/^'*[=+\-@\t\r]/.test(text) && !/^-[\d.,]+$/.test(text) ? `'${text}` : text);

const enclosed = (text, mark) => (text.includes(mark) || /[\n\r"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

const quoted = text => (/[\t\n\r"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** The rows of a text; null for one with more than `most` cells. A last line that is empty is none. `mark` separates the
 *  fields. */
export function fromTSV(text, most, mark = '\t') {
  const plain = text.replace(/\r\n?/g, '\n');
  const rows = [];
  let row = [];
  let count = 0;
  for (let at = 0; at < plain.length || row.length > 0;) {
    const field = plain[at] === '"' ? quotedField(plain, at, mark) : bareField(plain, at, mark);
    // A quotation mark that nothing closes is an ordinary one, and so are all others.
    if (!field) return plainRows(plain, most, mark);
    row.push(field.text);
    if ((count += 1) > most) return null;
    at = field.end + 1;
    if (plain[field.end] === mark) continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

function bareField(text, start, mark) {
  const end = endOf(text, start, mark);
  return { text: text.slice(start, end), end };
}

function quotedField(text, start, mark) {
  let close = text.indexOf('"', start + 1);
  while (close >= 0 && text[close + 1] === '"') close = text.indexOf('"', close + 2);
  if (close < 0) return null;
  const end = endOf(text, close + 1, mark);
  return { text: text.slice(start + 1, close).replaceAll('""', '"') + text.slice(close + 1, end), end };
}

function endOf(text, start, mark) {
  let end = start;
  while (end < text.length && text[end] !== mark && text[end] !== '\n') end += 1;
  return end;
}

function plainRows(text, most, mark) {
  const rows = text.replace(/\n$/, '').split('\n').map(row => row.split(mark));
  return rows.reduce((count, row) => count + row.length, 0) > most ? null : rows;
}
