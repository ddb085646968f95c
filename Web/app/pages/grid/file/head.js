// The line of a file that names its columns: by the identifiers of an exported file, or by titles as people write them.

import { DELAY } from '../../../core/edits/cellRules.js';
import { t } from '../../../core/text/i18n.js';
import { kindOfTitle, titleKey } from './titles.js';
import { FileFault } from './zip.js';

// The head is one of the first this many lines: above it, people write what the file is about.
export const HEAD_LINES = 20;
const ROW = 'row';
const NAME = 'name';
const SECTION = 'section';
// Columns of our own files that are beside results and are not entered.
const BESIDE = /^(?:studentNumber|login|name|section|status|row|(?:figure|comments):.*|[^/]+\/marks)$/;
const OWN = new Map([
  [ROW, 'row'], [NAME, 'name'], ['givenName', 'first'], ['familyName', 'last'], ['studentNumber', 'number'],
  ['login', 'login'], [SECTION, 'section'],
]);
// At most this many titles are named, and at most this many characters of a line.
const TOLD = 10;
const LONGEST = 60;

/**
 * The head of a table: `{at, columns, persons, notes}`. `columns` has the columns of results by place,
 * `{column, title}`. `persons` has the places of the columns that identify the student, by kind (`row`, `name`,
 * `first`, `last`, `number`, `login`, `section`). `notes` has the titles that are not read, and those that are read in
 * another way than written. `isStudent(text)` says whether a student of the class has this name. Throws a `FileFault`
 * that says what is missing.
 */
export function headOf(model, table, hasSections, isStudent) {
  const lines = table.slice(0, HEAD_LINES).map(texts => texts.map(text => text.trim()));
  if (lines.every(texts => texts.every(text => text === ''))) throw new FileFault('empty');
  const keys = new Map(model.all.filter(({ line }) => line).map(column => [wireKey(column), column]));
  const known = lines.findIndex(texts => isIdentified(texts, keys));
  if (known >= 0) return identified(keys, lines, known, hasSections);
  const matcher = titleMatcher(model.all);
  const heads = lines.map((texts, at) =>
    titled(matcher, texts, at, hasSections,
      () => table.slice(at + 1).some(row => row.some(text => isStudent(text.trim())))));
  const found = heads.find(({ isFound }) => isFound);
  if (found) return found;
  throw missing(lines, heads);
}

function missing(lines, heads) {
  const told = texts => ({ titles: texts.filter(text => text !== '').slice(0, TOLD).map(short).join(t('paste.and')) });
  const persons = heads.find(({ persons: { section, ...who } }) => Object.keys(who).length > 0);
  if (persons) return new FileFault('noResults', told(lines[persons.at]));
  const columns = heads.find(head => head.columns.size > 0);
  if (columns) return new FileFault('noStudents', told(lines[columns.at]));
  return new FileFault('noHead', { line: told(lines.find(texts => texts.some(text => text !== ''))).titles });
}

const short = text => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);

const wireKey = ({ line, field }) => (field ? `${line}/${field === DELAY ? 'late' : field}` : line);

function isIdentified(texts, keys) {
  const all = new Set(texts);
  return (all.has(ROW) && all.has(SECTION)) || ((all.has(ROW) || all.has(NAME)) && texts.some(text => keys.has(text)));
}

// The titles are in the line above the identifiers.
function identified(keys, lines, at, hasSections) {
  const [columns, persons, notes] = [new Map(), {}, emptyNotes()];
  for (const [index, text] of lines[at].entries()) {
    const title = lines[at - 1]?.[index] || text;
    if (keys.has(text)) columns.set(index, { column: keys.get(text), title });
    else if (OWN.has(text)) (persons[OWN.get(text)] ??= []).push(index);
    else if (text !== '' && !BESIDE.test(text)) notes.columns.push(title);
  }
  if (!hasSections) delete persons.section;
  return { at, columns, persons, notes };
}

const emptyNotes = () => ({ columns: [], ambiguous: [], figures: [], readAs: [] });

function titled(matcher, texts, at, hasSections, hasStudents) {
  const [columns, persons, doubles, notes] = [new Map(), {}, [], emptyNotes()];
  for (const [index, title] of texts.entries()) {
    if (title === '') continue;
    const kind = kindOfTitle(title);
    const { all, isRead } = matcher(title);
    if (kind && all.length > 0) doubles.push({ index, kind, title });
    else if (kind) (persons[kind] ??= []).push(index);
    else if (all.length > 1) notes.ambiguous.push(title);
    else if (all.length === 0) notes.columns.push(title);
    else if (!all[0].line) notes.figures.push(title);
    else {
      columns.set(index, { column: all[0], title });
      if (isRead) notes.readAs.push(title);
    }
  }
  // A title that is both an item's and one for students means neither, unless nothing else identifies the students.
  const isWho = doubles.length === 1 && doubles[0].kind !== 'section' && !isAbout(persons)
    && (columns.size > 0 || notes.ambiguous.length > 0) && hasStudents();
  if (isWho) persons[doubles[0].kind] = [doubles[0].index];
  else notes.ambiguous.push(...doubles.map(({ title }) => title));
  if (persons.section && (!hasSections || persons.section.length > 1)) {
    notes[hasSections ? 'ambiguous' : 'columns'].push(...persons.section.map(index => texts[index]));
    delete persons.section;
  }
  const isRead = columns.size > 0 || Boolean(persons.section) || notes.ambiguous.length > 0 || notes.figures.length > 0;
  return { at, columns, persons, notes, isFound: isAbout(persons) && isRead };
}

const isAbout = persons => ['name', 'first', 'last', 'number', 'login'].some(kind => persons[kind]);

// The columns that a title means: all columns with this name, including figures, because our own files contain both. If
// there is none, a number in brackets at the end is ignored (`isRead`), because others write maxima and numbers of
// their own there.
function titleMatcher(columns) {
  const known = new Map();
  for (const column of columns) {
    const titles = [column.title, [...column.path, column.title].join(' › ')];
    if (!column.line) titles.push(...['letter', 'lettre', '等级'].map(word => `${column.title} (${word})`));
    for (const title of new Set(titles.map(titleKey))) known.set(title, [...known.get(title) ?? [], column]);
  }
  return text => {
    const key = titleKey(text);
    if (known.has(key)) return { all: known.get(key), isRead: false };
    return { all: known.get(key.replace(/\(\d+(?:[.,]\d+)?\)$/, '')) ?? [], isRead: true };
  };
}
