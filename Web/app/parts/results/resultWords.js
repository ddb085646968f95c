// Rows of results in words: the entry, the student, and the values before and after.

import { h, named } from '../../core/page/dom.js';
import { has, label, sentences, t } from '../../core/text/i18n.js';
import { valueIn } from '../../core/values/own.js';
import { fieldText } from '../record/fieldText.js';
import { faultText } from '../frame/problem.js';

const fieldsOf = scheme => [scheme.shape, ...scheme.shape.kinds].flatMap(kind => kind.fields ?? []);

/** A path of names, in which values of choices have their label in the user's language. */
export function figureNameOfPath(scheme, path) {
  const choices = fieldsOf(scheme).flatMap(field => field.choices ?? []);
  return path.map(step => label(choices.find(choice => String(choice.value) === step)?.label, step)).join(' › ');
}

/** The label of a field in its scheme. */
export const fieldName = (scheme, name) => label(fieldsOf(scheme).find(field => field.name === name)?.label, name);

// Rows may also have fields that the scheme does not know; these are shown as text.
const valueOf = (scheme, name, value) =>
  fieldText(fieldsOf(scheme).find(item => item.name === name) ?? { type: 'text' }, value);

/** The content of a row as it was sent: "Algorithms › Final: Points 92". */
export function rowContent(scheme, content) {
  if (!content || typeof content !== 'object') return h('span', { class: 'muted' }, t('results.unreadable'));
  const path = Array.isArray(content.path) ? content.path : String(content.path ?? '').split('/').filter(Boolean);
  const fields = Object.entries(content.fields ?? {});
  return [
    [content.student, content.record].filter(who => typeof who === 'string')
      .map(who => h('strong', { key: who }, named(who), ' ')),
    path.length > 0 && h('span', null, named(figureNameOfPath(scheme, path.map(String))), ' '),
    h('span', { class: 'muted' },
      fields.map(([name, value]) => `${fieldName(scheme, name)} ${valueOf(scheme, name, value)}`)
        .join(t('rules.comma'))),
  ];
}

/** Why a row is refused. If a field is missing, there is no place to look at, so the text names its column. */
export const rowRefusal = ({ faults }) => sentences([...new Set(faults.map(fault => {
  const key = `results.missing.${fault.path.slice(1)}`;
  return fault.code === 'missing_field' && has(key) ? t(key) : faultText(fault);
}))]);

/** What would change: "Points 80 → 92". */
export function rowChange(scheme, row) {
  const before = row.before?.fields ?? {};
  const after = row.after?.fields ?? {};
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(name =>
    String(valueIn(before, name) ?? '') !== String(valueIn(after, name) ?? ''));
  const hides = Boolean(row.after?.hidden) !== Boolean(row.before?.hidden);
  if (names.length === 0 && !hides) return h('span', { class: 'muted' }, t('preview.same'));
  return [
    names.map((name, index) => [
      index > 0 && t('rules.comma'), `${fieldName(scheme, name)} `,
      row.before && [h('del', null, valueOf(scheme, name, valueIn(before, name))), ' → '],
      h('ins', null, valueOf(scheme, name, valueIn(after, name)))]),
    row.after?.hidden && h('span', { class: 'pill' }, t('entry.hiddenPill')),
  ];
}
