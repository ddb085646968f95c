// A table from a file, laid over the class: its columns and students by their identifiers where it has them, as every file of
// ours does, else by the names that the grid shows.

import { DELAY } from '../../../core/edits/cellRules.js';
import { t } from '../../../core/text/i18n.js';
import { changed, isAsked } from '../cells.js';
import { countsOf, kindOf } from '../paste.js';
import { placing } from '../placing.js';

const ROW = 'row';
const NAME = 'name';
const SECTION = 'section';
// What stands beside results in files of ours, and is not entered.
const BESIDE = /^(?:studentNumber|login|name|section|row|figure:.*|[^/]+\/marks)$/;
const FEW = 5;

const fold = text => text.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase();

/**
 * Matches a file's rows to the class: `{cells, sections, outside, counts, unknown}`, the cells as those of a paste; `sections` has
 * the students whose section the file names (`placing`), where the class has `sections` that the person may change; `unknown` has
 * the titles of columns and the names of students that are not in the class. An empty text leaves all as it is. Null where no
 * column of the class is found, or no column with students.
 */
export function planOfTable(model, { rows, faults }, cellAt, sections = []) {
  const head = headOf(model, rows, sections.length > 0);
  if (!head) return null;
  const studentOf = studentsBy(model, head);
  const [cells, students, places, placed] = [[], [], new Map(), new Map()];
  for (const [at, texts] of rows.entries()) {
    if (at < head.rows || texts.every(text => text.trim() === '')) continue;
    const row = studentOf(texts);
    if (!row) {
      students.push(unguarded(texts[head.named] ?? texts[head.identified] ?? ''));
      continue;
    }
    const title = head.section >= 0 ? unguarded(texts[head.section] ?? '') : '';
    if (title !== '') {
      const before = placed.get(row.id);
      placed.set(row.id, before && fold(before.text) !== fold(title) ? { ...before, ...refused('file.twice') } : placing(sections, row, title));
    }
    for (const [index, column] of head.columns) {
      const text = textIn(column, unguarded(texts[index] ?? ''));
      if (text === '') continue;
      const place = `${row.id}/${column.key}`;
      const fault = faults.get(`${at}/${index}`);
      const cell = { row, column, text, ...kindOf(column, text, cellAt(row, column)), ...(fault ? refused(`file.cell.${fault}`) : {}) };
      const before = places.get(place);
      if (before && isAlike(before, cell)) continue;
      // Of two texts for one cell none is taken: which of them holds, the file does not say.
      if (before) for (const each of [before, cell]) Object.assign(each, refused('file.twice'));
      places.set(place, cell);
      cells.push(cell);
    }
  }
  return { cells, sections: [...placed.values()], outside: 0, counts: countsOf(cells), unknown: { columns: head.unknown, students } };
}

const refused = name => ({ kind: 'refused', fault: t(name), change: null, isUndecided: true });

// Whether two cells of a file say the same of one place.
function isAlike(one, other) {
  if (one.text === other.text && one.fault === other.fault) return true;
  if (one.isUndecided || other.isUndecided) return false;
  if (one.kind === 'same' && other.kind === 'same') return true;
  const holds = (change, then) => isAsked(change, changed(then.seen, then.change), then.column);
  return Boolean(one.change && other.change) && holds(one.change, other) && holds(other.change, one);
}

// The row with identifiers is one of the first two; without it the first row has titles.
function headOf(model, table, hasSections) {
  const results = model.all.filter(({ line }) => line);
  const keys = new Map(results.map(column => [wireKey(column), column]));
  const at = table.slice(0, 2).findIndex(texts => {
    const all = new Set(texts.map(text => text.trim()));
    return (all.has(ROW) && all.has(SECTION)) || ((all.has(ROW) || all.has(NAME)) && [...all].some(text => keys.has(text)));
  });
  const heads = (table[Math.max(0, at)] ?? []).map(text => text.trim());
  const titles = (table[0] ?? []).map(text => text.trim());
  const columnOf = at >= 0 ? text => keys.get(text) : titleMatcher(results);
  const isStudents = at >= 0 ? text => text === NAME : text => NAMES.has(fold(text));
  const isSection = at >= 0 ? text => text === SECTION : text => SECTIONS.has(fold(text));
  const columns = new Map();
  const unknown = [];
  for (const [index, text] of heads.entries()) {
    const column = columnOf(unguarded(text));
    if (column) columns.set(index, column);
    else if (text !== '' && !(at >= 0 ? BESIDE.test(text) : isStudents(text) || (hasSections && isSection(text)))) unknown.push(titles[index] || text);
  }
  const identified = at >= 0 ? heads.indexOf(ROW) : -1;
  const named = heads.findIndex(isStudents);
  const section = hasSections ? heads.findIndex((text, index) => isSection(text) && !columns.has(index)) : -1;
  if ((columns.size === 0 && section < 0) || (identified < 0 && named < 0)) return null;
  return { rows: Math.max(0, at) + 1, columns, unknown, identified, named, section };
}

const wireKey = ({ line, field }) => (field ? `${line}/${field === DELAY ? 'late' : field}` : line);

// In any language: a file may come from a colleague.
const NAMES = new Set(['name', 'student', 'full name', 'nom', 'étudiant', 'étudiante', 'nom complet', '姓名', '学生'].map(fold));

const SECTIONS = new Set(['section', '教学班'].map(fold));

// A title that two columns have means neither.
function titleMatcher(columns) {
  const known = new Map();
  for (const column of columns) {
    for (const title of new Set([column.title, [...column.path, column.title].join(' › ')].map(fold))) known.set(title, known.has(title) ? null : column);
  }
  return text => known.get(fold(text)) ?? null;
}

// A name that two students have means neither.
function studentsBy(model, { identified, named }) {
  const names = new Map();
  for (const row of model.rows.values()) names.set(fold(row.name), names.has(fold(row.name)) ? null : row);
  return texts => {
    const id = identified >= 0 ? (texts[identified] ?? '').trim() : '';
    if (id !== '') return model.rows.get(id) ?? null;
    return names.get(fold(unguarded(texts[named] ?? ''))) ?? null;
  };
}

// Our files guard texts that begin like a formula.
const unguarded = text => text.trim().replace(/^'(?=[=+\-@])/, '');

// Delays stand in files as minutes.
const textIn = (column, text) => (column.type === 'delay' && /^\d+$/.test(text) ? `${text} min` : text);

/** What a file has that the class has not, in words; null for nothing. */
export function unknownText({ columns, students }) {
  const list = all => [...new Set(all)].slice(0, FEW).join(t('paste.and'));
  const parts = [];
  if (students.length > 0) parts.push(t('file.unknownStudents', { count: students.length, names: list(students) }));
  if (columns.length > 0) parts.push(t('file.unknownColumns', { count: columns.length, names: list(columns) }));
  return parts.length > 0 ? parts.join(' ') : null;
}
