// Matches a table from a file to the class. Columns and students are found by their identifiers if the table has them,
// as all our files do, or else by the names that the grid shows; students also by student number or login.

import { bare, fold } from '../../../core/text/fold.js';
import { sentences, t } from '../../../core/text/i18n.js';
import { changed, isAsked } from '../cells.js';
import { countsOf, kindOf } from '../paste.js';
import { placing } from '../placing.js';
import { headOf } from './head.js';
import { bothOrders, formsOf, inOrders, isNoStudent, nameKey, partsKey, splits } from './titles.js';
import { FileFault } from './zip.js';

const FEW = 5;

/**
 * Matches a file's rows to the class: `{cells, sections, outside, counts, notes}`, with cells like those of a paste.
 * `sections` has the students whose section the file names (`placing`), if the class has `sections` that the user may
 * change. `notes` has the titles of columns and the names in rows that are not read, by reason. An empty text changes
 * nothing. `learn()` loads the institution's members by account, for a file that identifies students by numbers or
 * logins. Throws a `FileFault` if no column of the class is found, or no column that identifies students.
 */
export async function planOfTable(model, { rows, faults }, cellAt, sections = [], learn = () => new Map()) {
  const names = new Set([...model.rows.values()].flatMap(formsOf).map(nameKey));
  const head = headOf(model, rows, sections.length > 0,
    text => [text, ...inOrders(text)].some(form => names.has(nameKey(form))));
  const studentOf = studentsBy(model, head, await membersFor(head, learn));
  const [cells, students, several, others] = [[], [], [], []];
  const [places, placed] = [new Map(), new Map()];
  for (const [at, texts] of rows.entries()) {
    if (at <= head.at || texts.every(text => text.trim() === '')) continue;
    const { row, text: name, isSeveral } = studentOf(texts);
    if (!row) {
      const label = name || texts.find(text => text.trim() !== '').trim();
      if ([label, ...inOrders(label)].some(isNoStudent)) others.push(label);
      else if (isSeveral) several.push(name);
      else if (name !== '') students.push(name);
      else if ([...head.columns.keys()].some(index => (texts[index] ?? '').trim() !== '')) {
        students.push(t('file.line', { line: at + 1 }));
      }
      continue;
    }
    const title = head.persons.section ? (texts[head.persons.section[0]] ?? '').trim() : '';
    if (title !== '') {
      const before = placed.get(row.id);
      placed.set(row.id,
        before && fold(before.text) !== fold(title)
          ? { ...before, ...refused('file.twice') }
          : placing(sections, row, title));
    }
    for (const [index, { column, title: own }] of head.columns) {
      const text = textIn(column, (texts[index] ?? '').trim());
      if (text === '') continue;
      const place = `${row.id}/${column.key}`;
      const fault = faults.get(`${at}/${index}`);
      const cell = {
        row, column, text, own, ...kindOf(column, text, cellAt(row, column)),
        ...(fault ? refused(`file.cell.${fault}`) : {}),
      };
      const before = places.get(place);
      if (before && isAlike(before, cell)) continue;
      // If a file has two texts for one cell, neither is taken: the file does not say which one is meant.
      const why = before
        && (fold(before.own) === fold(own)
          ? refused('file.twice')
          : refused('file.twoHeads', { one: before.own, other: own }));
      if (before) for (const each of [before, cell]) Object.assign(each, why);
      places.set(place, cell);
      cells.push(cell);
    }
  }
  return {
    cells, sections: [...placed.values()], outside: 0, counts: countsOf(cells),
    notes: { ...head.notes, students, several, others },
  };
}

// A user who may not read the members cannot find students by number.
async function membersFor({ persons }, learn) {
  if (persons.row || !(persons.number || persons.login)) return new Map();
  const members = await learn();
  if (members.size === 0 && !(persons.name || persons.first || persons.last)) throw new FileFault('noMembers');
  return members;
}

const refused = (name, args) => ({ kind: 'refused', fault: t(name, args), change: null, isUndecided: true });

// Whether two cells of a file mean the same for one place.
function isAlike(one, other) {
  if (one.text === other.text && one.fault === other.fault) return true;
  if (one.isUndecided || other.isUndecided) return false;
  if (one.kind === 'same' && other.kind === 'same') return true;
  const holds = (change, then) => isAsked(change, changed(then.seen, then.change), then.column);
  return Boolean(one.change && other.change) && holds(one.change, other) && holds(other.change, one);
}

// The student of a row. The row's identifier decides; without one, everything that identifies the student must agree. A
// name, a number or a login that two students share identifies neither.
function studentsBy(model, { persons }, members) {
  const [names, parts, numbers, logins, unsaid] = [new Map(), new Map(), new Map(), new Map(), new Set()];
  const learn = (known, key, row) => key && known.set(key, known.has(key) && known.get(key) !== row ? null : row);
  for (const row of model.rows.values()) {
    for (const key of new Set(formsOf(row).map(nameKey))) learn(names, key, row);
    if (row.givenName && row.familyName) learn(parts, partsKey(row.givenName, row.familyName), row);
    else for (const text of formsOf(row)) unsaid.add(nameKey(text));
    learn(numbers, bare(members.get(row.student)?.studentNumber ?? ''), row);
    learn(logins, fold(members.get(row.student)?.login ?? ''), row);
  }
  // The first form that anybody has decides; if two have it, it identifies neither.
  const byForms = forms => {
    const having = texts => texts.map(nameKey).filter(key => names.has(key)).map(key => names.get(key));
    const found = forms.flatMap(text => [[text], inOrders(text)]).map(having).find(rows => rows.length > 0);
    return only(found);
  };
  // A first and a last name in columns of their own, or with a comma between them, are those of a student who has said
  // both, whatever others are displayed as; but somebody displayed so who has not said them may be meant as well.
  const whom = ({ said, forms }) => {
    const known = said.map(({ first, last }) => parts.get(partsKey(first, last))).filter(row => row !== undefined);
    if (known.length === 0) return byForms(forms);
    const others = [...forms, ...said.flatMap(({ first, last }) => bothOrders(first, last))];
    return others.some(text => unsaid.has(nameKey(text))) ? null : only(known);
  };
  const all = (texts, kind) =>
    (persons[kind] ?? []).map(index => (texts[index] ?? '').trim()).filter(text => text !== '');
  return texts => {
    const [id] = all(texts, 'row');
    if (id) return { row: model.rows.get(id) ?? null, text: all(texts, 'name')[0] ?? id };
    const written = namesIn(kind => all(texts, kind));
    const marks = [...all(texts, 'number').map(text => numbers.get(bare(text))),
      ...all(texts, 'login').map(text => logins.get(fold(text)))];
    const meant = [...marks, ...written.map(whom)];
    const found = new Set(meant.filter(Boolean));
    const [row] = found;
    // If the number is not that of the student who was found, it belongs to somebody else.
    const isOther = row
      && all(texts, 'number').some(text => !isOwn(members.get(row.student)?.studentNumber, text, bare));
    const text = written[0]?.forms[0] ?? all(texts, 'number')[0] ?? all(texts, 'login')[0] ?? '';
    const isSeveral = found.size > 1 || (found.size === 0 && meant.includes(null));
    return { row: found.size === 1 && !isOther ? row : null, text, isSeveral };
  };
}

// The only one of the rows that were found; null if there are several, undefined if none were.
const only = rows => (rows && (new Set(rows).size === 1 ? rows[0] : null));

const isOwn = (known, text, form) => !known || form(known) === form(text);

// The names in a row, each with the forms that it may have if it is split over two columns, and with the first and last
// names that are said to be such, by titles or by a comma.
function namesIn(all) {
  const [first] = all('first');
  const [last] = all('last').length > 0 ? all('last') : all('name');
  if (first && last) return [{ said: [{ first, last }], forms: bothOrders(first, last) }];
  return [...all('name'), ...all('last'), ...all('first')].map(text => ({ said: splits(text), forms: [text] }));
}

// In files, delays are minutes.
const textIn = (column, text) => (column.type === 'delay' && /^\d+$/.test(text) ? `${text} min` : text);

// The notes about a file, in the order in which they are shown.
const NOTES = ['students', 'several', 'others', 'columns', 'ambiguous', 'figures', 'readAs'];

/** What is not read of a file, or read in another way than written, in words; null if there is nothing. */
export function notesText(notes) {
  const told = NOTES.map(name => [name, [...new Set(notes[name])]]).filter(([, all]) => all.length > 0);
  return sentences(told.map(([name, all]) =>
    t(`file.note.${name}`, { count: all.length, names: all.slice(0, FEW).join(t('paste.and')) })))
    || null;
}
