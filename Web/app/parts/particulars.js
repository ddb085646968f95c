// What a line of the audit trail says in detail, value by value: what was there before and what is there now. Identifiers
// tell a person nothing and are left out; who and what is meant stands in the line itself.

import { h } from '../core/dom.js';
import { has, t } from '../core/i18n.js';

const DEEPEST = 4;
// Where the words for values that are one of a list stand.
const words = ['role', 'programs.entry', 'profile.sharing', 'profile.gender', 'publish.records'];
const identifier = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export function particulars(detail) {
  const { before, after, ...others } = detail;
  const rows = [...changes(before, after), ...said(others)];
  if (rows.length === 0) return h('p', { class: 'muted' }, t('audit.noDetail'));
  return h('dl', { class: 'particulars' }, rows.map(({ name, from, to }) => h('div', { key: name },
    h('dt', null, name),
    h('dd', null, from !== null && from !== to && [h('del', null, from || '–'), ' → '], h('span', null, to || '–')))));
}

function changes(before, after) {
  const [old, now] = [new Map(flat(before ?? {})), new Map(flat(after ?? {}))];
  return [...new Set([...old.keys(), ...now.keys()])].filter(name => old.get(name) !== now.get(name))
    .map(name => ({ name, from: before ? old.get(name) ?? '' : null, to: now.get(name) ?? '' }));
}

const said = values => flat(values).map(([name, to]) => ({ name, from: null, to }));

function flat(value, name = '', depth = 0) {
  if (value === null || value === undefined || value === '' || identifier.test(value) || depth > DEEPEST) return [];
  if (Array.isArray(value)) {
    const texts = value.filter(item => typeof item !== 'object' && !identifier.test(item)).map(text);
    return texts.length > 0 ? [[name, texts.join(', ')]] : [];
  }
  if (typeof value !== 'object') return [[name, text(value)]];
  return Object.entries(value).flatMap(([key, inner]) => flat(inner, [name, label(key)].filter(Boolean).join(' › '), depth + 1));
}

const label = key => (has(`audit.field.${key}`) ? t(`audit.field.${key}`) : has(`setting.${key}`) ? t(`setting.${key}`) : key.replace(/([A-Z])/g, ' $1').toLowerCase());

function text(value) {
  if (typeof value === 'boolean') return t(value ? 'value.yes' : 'value.no');
  const known = words.map(group => `${group}.${value}`).find(has);
  return known ? t(known) : String(value);
}
