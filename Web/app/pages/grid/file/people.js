// Finds the members of an institution whom the rows of a table name, by student number, login or name, in any order.

import { bare, fold } from '../../../core/text/fold.js';
import { formsOf, kindOfTitle, partsKey } from './titles.js';

const PERSONS = ['name', 'first', 'last', 'number', 'login'];
const LONGEST = 60;

/**
 * The people in a table: `{found, several, unknown}`. `found` has `{member, section}`, each member once, with the text
 * of the column of sections. `several` has `{text, members, section}` for rows that fit several members. `unknown` has
 * the texts of rows that fit none. A line of titles says which columns identify people from there on; without one, any
 * cell may.
 */
export function peopleIn(rows, members) {
  const known = index(members);
  let columns = null;
  const [found, several] = [new Map(), []];
  let unknown = [];
  for (const row of rows) {
    const texts = row.map(text => text.trim());
    const kinds = texts.map(kindOfTitle);
    const meant = meaning(known, about(texts, columns), columns !== null);
    if (meant.length === 0 && kinds.some(kind => PERSONS.includes(kind))) {
      columns = kinds;
      // Lines above the first titles say what the list is.
      if (found.size + several.length === 0) unknown = [];
      continue;
    }
    const said = about(texts, columns);
    if (said.length === 0) continue;
    const section = columns ? texts[columns.indexOf('section')] ?? '' : '';
    const text = said.map(cell => cell.text).join(' ').slice(0, LONGEST);
    if (meant.length === 1) found.set(meant[0].account, { member: meant[0], section });
    else if (meant.length === 0) unknown.push(text);
    else several.push({ text, members: meant, section });
  }
  return { found: [...found.values()], several, unknown };
}

const about = (texts, columns) => texts.map((text, place) => ({ text, kind: columns?.[place] ?? null }))
  .filter(({ text, kind }) => text !== '' && (columns === null || PERSONS.includes(kind)));

function index(members) {
  const known = { number: new Map(), login: new Map(), name: new Map(), parts: new Map(), unsaid: new Map() };
  const learn = (kind, key, member) => key && known[kind].set(key, new Set([...known[kind].get(key) ?? [], member]));
  for (const member of members) {
    learn('number', bare(member.studentNumber ?? ''), member);
    learn('login', fold(member.login ?? ''), member);
    const { displayName: name, givenName, familyName } = member;
    for (const text of formsOf({ name, givenName, familyName })) learn('name', words(text), member);
    if (givenName && familyName) learn('parts', partsKey(givenName, familyName), member);
    else learn('unsaid', words(name), member);
  }
  return known;
}

// The words of a name in one order and without commas: files have the last name first or last, with or without a comma,
// and a name itself may have one.
const words = text => fold(text.replace(/[,，]/g, ' ')).split(' ').sort().join(' ');

// A number or a login identifies one person, and the name beside it must be that person's. Names in two cells are
// joined, in either order, with or without a space.
function meaning(known, cells, hasTitles) {
  const of = (kind, key) => [...known[kind].get(key) ?? []];
  const isOf = (kind, ...kinds) => kind === null || kinds.includes(kind);
  const marks = cells.map(({ text, kind }) =>
    [...isOf(kind, 'number') ? of('number', bare(text)) : [], ...isOf(kind, 'login') ? of('login', fold(text)) : []]);
  const names = cells.filter(({ kind }) => isOf(kind, 'name', 'first', 'last')).map(({ text }) => text);
  const pairs = names.slice(1)
    .flatMap((text, place) => [`${names[place]} ${text}`, `${names[place]}${text}`, `${text}${names[place]}`]);
  const [first, last] = ['first', 'last'].map(own => cells.find(({ kind }) => kind === own)?.text);
  // Who has said these names is meant, whatever others are displayed as; or somebody displayed so who has not said any.
  const said = first && last ? of('parts', partsKey(first, last)) : [];
  const exact = said.length > 0 ? [...said, ...of('unsaid', words(`${first} ${last}`))] : [];
  const alike = [...pairs, ...names].map(text => of('name', words(text)));
  const named = [exact, ...alike].find(all => all.length > 0) ?? [];
  const marked = marks.filter(all => all.length > 0);
  // A student number that nobody has rules out people of that name who have another one.
  if (marked.length === 0) return cells.some(isNumber) ? named.filter(({ studentNumber }) => !studentNumber) : named;
  const both = marked.reduce((left, all) => left.filter(member => all.includes(member)));
  if (named.length > 0) return both.filter(member => named.includes(member));
  // Without titles a number may be anything, so a name beside it that nobody has rules it out.
  return !hasTitles && cells.some(({ text }, place) => marks[place].length === 0 && /\p{L}/u.test(text)) ? [] : both;
}

// Shorter numbers may be results or years.
const isNumber = ({ text, kind }) => kind === 'number' || (kind === null && /^\d{5,}$/.test(text));
