// The details of a line of the audit trail, value by value, before and after. Identifiers and digests mean nothing to
// people and are left out; the line itself names the persons and things.

import { h } from '../../core/page/dom.js';
import { date, dateTime, has, label, languages, t, toInput } from '../../core/text/i18n.js';
import { presetName } from '../rules/presets.js';
import { settingLines } from '../rules/settingLines.js';

// The message keys for the values of a name.
const words = {
  role: 'role', entry: 'programs.entry', given: 'programs.given', sharing: 'audit.sharing', followers: 'audit.sharing',
  lists: 'audit.sharing', what: 'audit.sharing', with: 'audit.sharing', gender: 'profile.gender',
  records: 'publish.records', secondFactor: 'audit.secondFactor', way: 'audit.way', content: 'audit.content',
  factors: 'audit.factors', kind: 'terms.kind',
};
// Members that mean nothing to people: addresses of pictures, and digests.
const unsaid = ['avatar', 'rehearsal', 'digest'];
const identifier = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const isIdentifier = value => typeof value === 'string' && identifier.test(value);

/** The details of a line; `scheme` is the one whose settings they show, if any. */
export function particulars({ before, after, ...others }, scheme = null) {
  const told = [...(before ? changes(before, after ?? {}, scheme) : said(after ?? {}, scheme)),
    ...said(others, scheme)];
  if (told.length === 0) return h('p', { class: 'muted' }, t('audit.noDetail'));
  return h('dl', { class: 'particulars' }, told.map(({ name, from, to }, index) => h('div', { key: index },
    h('dt', null, name),
    h('dd', null, from !== undefined && [h('del', null, from || '–'), ' → '], h('span', null, to || '–')))));
}

/** The scheme and the program that name the settings, as far as the line tells them; null if it has no settings. */
export function schemeOf({ before, after, ...others }) {
  const { scheme, program, configuration, draft, id } = after ?? before ?? others;
  return configuration || draft ? { scheme, program: program ?? id } : null;
}

const said = (values, scheme) =>
  lines(values, scheme).map(({ names, parts }) => ({ name: names.join(' › '), to: joined(parts) }));

function changes(before, after, scheme) {
  const [old, now] = [byName(lines(before, scheme)), byName(lines(after, scheme))];
  return [...new Set([...old.keys(), ...now.keys()])].flatMap(name => {
    const [from, to] = [old.get(name), now.get(name)];
    if (JSON.stringify(from) === JSON.stringify(to)) return [];
    if (joined(from) === joined(to)) return [{ name, to: t('audit.rewritten', { text: joined(to) }) }];
    return [{ name, from: joined(differing(from, to)), to: joined(differing(to, from)) }];
  });
}

const byName = list => new Map(list.map(({ names, parts }) => [names.join(' › '), parts]));

// If both sides have columns, keeps only those that differ.
function differing(parts, others) {
  if (!parts || !others) return parts;
  return parts.filter(([column, text]) => others.find(([other]) => other === column)?.[1] !== text);
}

const joined = parts => parts?.map(([column, text]) => [column, text].filter(Boolean).join(' ')).join(t('rules.comma'));

const lines = (values, scheme, names = []) => Object.entries(values)
  .filter(([key, value]) => !unsaid.includes(key) && value !== null && value !== '' && !isIdentifier(value))
  .flatMap(([key, value]) => line(key, value, scheme, [...names, fieldName(key)]));

function line(key, value, scheme, names) {
  if (key === 'configuration') {
    return settingLines(scheme, value).map(each => ({ ...each, names: [...names, ...each.names] }));
  }
  if (Array.isArray(value)) return value.length > 0 ? [{ names, parts: [['', listText(key, value)]] }] : [];
  if (typeof value === 'object') return lines(value, scheme, names);
  return [{ names, parts: [['', text(key, value, scheme)]] }];
}

// Objects without names here are shown as a count.
const listText = (key, list) => {
  if (list.every(isIdentifier)) return toInput(list.length);
  return words[key] ? list.map(item => text(key, item)).join(t('rules.comma')) : list.join(' › ');
};

const fieldName = key =>
  (has(`audit.field.${key}`) ? t(`audit.field.${key}`) : key.replace(/([A-Z])/g, ' $1').toLowerCase());

function text(key, value, scheme) {
  if (typeof value === 'boolean') return t(value ? 'value.yes' : 'value.no');
  if (typeof value === 'number') return toInput(value);
  if (/^\d{4}-\d\d-\d\dT/.test(value)) return dateTime(value);
  if (/^\d{4}-\d\d-\d\d$/.test(value)) return date(value);
  const known = `${words[key]}.${value}`;
  if (has(known)) return t(known);
  if (key === 'locale') return languages.find(item => item.id === value)?.name ?? value;
  if (key === 'scheme' && scheme) return label(scheme.title, value);
  return key === 'preset' && scheme ? presetName(scheme, value) : value;
}
