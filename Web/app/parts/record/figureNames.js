// The names of figures and outcomes, including members of families: "term:2027.1" is the term GPA of Fall 2026-2027.

import { clamped, h } from '../../core/page/dom.js';
import { label, t } from '../../core/text/i18n.js';
import { valueIn } from '../../core/values/own.js';
import { figureButton } from './figure.js';

/** The kind of an entry of which only the figures are known. */
export const SOME_KIND = Symbol('some kind');

/** The name of a figure of the record or, with `kind`, of its entries. A figure that is not shown has a name for
 *  explanations. */
export function figureName(scheme, name, kind = null) {
  return nameAmong([...scheme.figures, ...scheme.hiddenFigures ?? []], scheme, name, kind);
}

/** The name of an outcome of the record or, with `kind`, of its entries. */
export function outcomeName(scheme, name, kind = null) {
  return nameAmong(scheme.outcomes ?? [], scheme, name, kind);
}

function nameAmong(items, scheme, name, stored) {
  const kind = kindOfToday(scheme, stored);
  const own = called(items.filter(item => !item.family), name, kind);
  if (own) return label(own.label, name);
  const [family, member] = parts(name);
  const described = called(items.filter(item => item.family), family, kind);
  return described && member
    ? t('figure.ofFamily', { name: label(described.label, family), of: memberName(scheme, family, member) })
    : name;
}

// Histories tell kinds by the names that they had. Of one that is gone, only the figures are known.
function kindOfToday(scheme, kind) {
  const kinds = scheme.shape.kinds;
  if (typeof kind !== 'string' || kinds.some(item => item.kind === kind)) return kind;
  return kinds.find(item => item.was?.includes(kind))?.kind ?? SOME_KIND;
}

// What has the name, or else what had it in an earlier version of the rules, as histories tell it. If nothing of the
// record has the name, an entry that is gone had it.
function called(items, name, kind) {
  const fitting = items.filter(item => (kind === SOME_KIND ? Boolean(item.kind) : (item.kind ?? null) === kind));
  const among = list => list.find(item => item.name === name) ?? list.find(item => item.was?.includes(name));
  return among(fitting) ?? (typeof kind === 'string' ? undefined : among(items));
}

/** The family of a member, such as `term` of `term:2027.1`. */
export const familyOf = name => parts(name)[0];

function parts(name) {
  const at = name.indexOf(':');
  return at < 0 ? [name, ''] : [name.slice(0, at), name.slice(at + 1)];
}

// Members are named by the values that they share; a year with a choice is a term. If the only entry of a group has no
// such value, the member has the identifier of that entry.
function memberName(scheme, family, member) {
  const group = scheme.groups?.find(item => item.members.includes(family));
  if (group) return member.startsWith('#') ? t('figure.ungrouped') : groupName(scheme, group, member);
  const [year, part] = member.split('.');
  const kind = scheme.shape.kinds.find(item => !item.parent && item.fields.some(field => field.name === 'year'));
  const choice = kind?.fields.find(field =>
    field.type === 'choice')?.choices?.find(item => String(item.value) === part);
  if (!choice) return member.replaceAll('.', ' · ');
  return t('figure.term', { part: label(choice.label, part), from: Number(year) - 1, to: year });
}

// Values of choices have labels; a text may contain points itself.
function groupName(scheme, group, member) {
  const values = group.fields.length === 1 ? [member] : member.split('.');
  if (values.length !== group.fields.length) return member;
  const kind = scheme.shape.kinds.find(item => item.kind === group.of);
  return values.map((value, place) => {
    const field = kind?.fields.find(item => item.name === group.fields[place]);
    return label(field?.choices?.find(item => String(item.value) === value)?.label, value);
  }).join(' · ');
}

/** The figures of families that an entry, or the record, shows, each with its name, newest first. */
export function familyFigures(desk, entry = null) {
  const standing = entry ? valueIn(desk.book.standing.entries, entry.id) : desk.book.standing;
  const names = Object.keys(standing?.figures ?? {}).filter(name => name.includes(':'))
    .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));
  if (names.length === 0) return null;
  return h('dl', { class: 'family-figures' }, names.map(name => {
    const text = figureName(desk.scheme, name, entry?.kind ?? null);
    return h('div', { key: name }, h('dt', null, clamped(text)), h('dd', null, figureButton(desk, name, entry, text)));
  }));
}
