// Whom the rows of a table name among the members of an institution, by student number, login or name, in any order.

import { bare, fold } from '../../../core/text/fold.js';
import { inOrder, kindOfTitle } from './titles.js';

const PERSONS = ['name', 'first', 'last', 'number', 'login'];
const LONGEST = 60;

/**
 * What a table says of people: `{found, several, unknown}`. `found` has `{member, section}`, each member once, with the text of the
 * column of sections; `several` has `{text, members, section}` for rows that several members may be meant by; `unknown` the texts
 * of rows that name none. A line of titles says which columns are about people; without one every cell may be.
 */
export function peopleIn(rows, members) {
  const known = index(members);
  const at = rows.findIndex(texts => texts.some(text => PERSONS.includes(kindOfTitle(text.trim()))));
  const columns = at < 0 ? null : rows[at].map(text => kindOfTitle(text.trim()));
  const [found, several, unknown] = [new Map(), [], []];
  for (const row of rows.slice(at + 1)) {
    const cells = row.map((text, place) => ({ text: text.trim(), kind: columns?.[place] ?? null }));
    const section = cells.find(({ kind }) => kind === 'section')?.text ?? '';
    const about = cells.filter(({ text, kind }) => text !== '' && (columns ? PERSONS.includes(kind) : true));
    if (about.length === 0) continue;
    const meant = meaning(known, about);
    if (meant.length === 1) found.set(meant[0].account, { member: meant[0], section });
    else {
      const text = about.map(cell => cell.text).join(' ').slice(0, LONGEST);
      if (meant.length === 0) unknown.push(text);
      else several.push({ text, members: meant, section });
    }
  }
  return { found: [...found.values()], several, unknown };
}

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
function meaning(known, cells) {
  const of = (kind, key) => [...known[kind].get(key) ?? []];
  const marks = cells.map(({ text, kind }) => [
    ...kind === null || kind === 'number' ? of('number', bare(text)) : [], ...kind === null || kind === 'login' ? of('login', fold(text)) : [],
  ]).filter(all => all.length > 0);
  const names = cells.filter(({ kind }) => ![ 'number', 'login' ].includes(kind)).map(({ text }) => text);
  const pairs = names.slice(1).flatMap((text, place) => [`${names[place]} ${text}`, `${names[place]}${text}`, `${text}${names[place]}`]);
  const named = [...pairs, ...names].map(text => of('name', words(text))).find(all => all.length > 0) ?? [];
  if (marks.length === 0) return hasNumber(cells) ? named.filter(({ studentNumber }) => !studentNumber) : named;
  const both = marks.reduce((left, all) => left.filter(member => all.includes(member)));
  // A number of one and the name of another person mean neither.
  return named.length > 0 ? both.filter(member => named.includes(member)) : both;
}

// A student number that nobody has is not that of somebody who is called so.
const hasNumber = cells => cells.some(({ kind }) => kind === 'number');
