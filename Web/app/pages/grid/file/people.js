// Whom the rows of a table name among the members of an institution, by student number, login or name, in any order.

import { bare, fold } from '../../../core/text/fold.js';
import { inOrder, kindOfTitle } from './titles.js';

const PERSONS = ['name', 'first', 'last', 'number', 'login'];
const LONGEST = 60;

/**
 * What a table says of people: `{found, several, unknown}`. `found` has `{member, section}`, each member once, with the text of the
 * column of sections; `several` has `{text, members, section}` for rows that several members may be meant by; `unknown` the texts
 * of rows that name none. A line of titles says which columns are about people from there on; without one every cell may be.
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
      // What stands above the first titles says what the list is.
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
  const known = { number: new Map(), login: new Map(), name: new Map() };
  const learn = (kind, key, member) => key && known[kind].set(key, new Set([...known[kind].get(key) ?? [], member]));
  for (const member of members) {
    learn('number', bare(member.studentNumber ?? ''), member);
    learn('login', fold(member.login ?? ''), member);
    learn('name', words(member.displayName), member);
  }
  return known;
}

// The words of a name in one order: files have the last name before the first one, or behind it, with a comma or without.
const words = text => fold(inOrder(text)).split(' ').sort().join(' ');

// A number or a login means one person, and the name beside it has to be that person's. Names that stand in two cells are put
// together, in either order, with a space between them or none.
function meaning(known, cells, hasTitles) {
  const of = (kind, key) => [...known[kind].get(key) ?? []];
  const isOf = (kind, ...kinds) => kind === null || kinds.includes(kind);
  const marks = cells.map(({ text, kind }) => [...isOf(kind, 'number') ? of('number', bare(text)) : [], ...isOf(kind, 'login') ? of('login', fold(text)) : []]);
  const names = cells.filter(({ kind }) => isOf(kind, 'name', 'first', 'last')).map(({ text }) => text);
  const pairs = names.slice(1).flatMap((text, place) => [`${names[place]} ${text}`, `${names[place]}${text}`, `${text}${names[place]}`]);
  const named = [...pairs, ...names].map(text => of('name', words(text))).find(all => all.length > 0) ?? [];
  const marked = marks.filter(all => all.length > 0);
  // A student number that nobody has is not that of somebody who is called so.
  if (marked.length === 0) return cells.some(isNumber) ? named.filter(({ studentNumber }) => !studentNumber) : named;
  const both = marked.reduce((left, all) => left.filter(member => all.includes(member)));
  if (named.length > 0) return both.filter(member => named.includes(member));
  // Without titles a number may be anything: a name beside it that nobody has speaks against it.
  return !hasTitles && cells.some(({ text }, place) => marks[place].length === 0 && /\p{L}/u.test(text)) ? [] : both;
}

// Results and years are shorter.
const isNumber = ({ text, kind }) => kind === 'number' || (kind === null && /^\d{5,}$/.test(text));
