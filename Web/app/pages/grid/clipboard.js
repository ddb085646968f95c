// Cells as spreadsheets exchange them: lines of texts separated by tabs; a text that contains a tab, a line break or a
// quotation mark is quoted.

import { t } from '../../core/text/i18n.js';

/** Puts a text into the system's clipboard, and announces `said`; some browsers only allow this after a key. */
export async function copyText(desk, text, said) {
  try {
    await navigator.clipboard.writeText(text);
    desk.say(said);
  } catch {
    desk.say(t('menu.copyByHand'), 'bad');
  }
}

/**
 * Hands the text in the system's clipboard to `paste`, for what is selected now: the browser may ask the user first,
 * who may select something else meanwhile. What is being typed then is entered.
 */
export async function pasteCopied(desk, view, paste) {
  const { active, anchor } = desk.model;
  let text;
  try {
    text = await navigator.clipboard.readText();
  } catch {
    desk.say(t('menu.pasteByHand'), 'bad');
    return;
  }
  if (view.isEditing) view.commit(null);
  Object.assign(desk.model, { active, anchor });
  paste(text);
}

/** The text of `table`, a list of rows. */
export const toTSV = table => table.map(row => row.map(quoted).join('\t')).join('\n');

/** The rows of `table` as delimited text for spreadsheets. A text that begins like a formula gets an apostrophe before
 *  it, even if it has apostrophes already; negative numbers get none. `mark` separates the fields. */
export const toDelimited = (table, mark) =>
  table.map(row => row.map(text => enclosed(harmless(text), mark)).join(mark)).join('\r\n') + '\r\n';

const harmless = text => (/^'*[=+\-@\t\r]/.test(text) && !/^-[\d.,]+$/.test(text) ? `'${text}` : text);

const enclosed = (text, mark) =>
  (text.includes(mark) || /[\n\r"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

const quoted = text => (/[\t\n\r"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** The rows of a text; null if it has more than `most` cells. An empty last line does not count. `mark` separates the
 *  fields. */
export function fromTSV(text, most, mark = '\t') {
  const plain = text.replace(/\r\n?/g, '\n');
  const rows = [];
  let row = [];
  let count = 0;
  for (let at = 0; at < plain.length || row.length > 0;) {
    const field = plain[at] === '"' ? quotedField(plain, at, mark) : bareField(plain, at, mark);
    // If a quotation mark is never closed, all quotation marks are ordinary characters.
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
