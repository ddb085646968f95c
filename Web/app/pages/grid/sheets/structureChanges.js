// What an act changed in the lines of a class, from the structures before and after it.

import { label, date, t, toInput } from '../../../core/text/i18n.js';
import { valueIn } from '../../../core/values/own.js';
import { kindOf } from '../../../core/data/kinds.js';
import { valueText } from '../cells.js';
import { percent } from '../../../core/text/wording.js';
import { titleOf } from '../../../parts/record/entryTitle.js';
import { sharedFields } from '../columns.js';
import { curveText } from './curve.js';
import { stateOf } from './sees.js';

/** The changes, `{line, title, what, before, after}`; `before` is null if the class was created. */
export function structureChanges(before, after, scheme) {
  const [old, now] = [before?.lines ?? [], after.lines];
  const [was, is] = [old, now].map(lines => new Map(lines.map(line => [line.id, line])));
  const about = line => ({ line: line.id, title: titleOf(line, scheme) });
  const came = now.filter(({ id }) => !was.has(id))
    .map(line => ({ ...about(line), what: kindName(line, scheme), before: '', after: t('ledger.added') }));
  const went = old.filter(({ id }) => !is.has(id))
    .map(line => ({ ...about(line), what: kindName(line, scheme), before: '', after: t('ledger.deleted') }));
  const stayed = now.filter(({ id }) => was.has(id));
  const changed = stayed.flatMap(line =>
    partsOf(was.get(line.id), line, scheme).map(part => ({ ...about(line), ...part })));
  return [...came, ...went, ...changed, ...moves(old, now, was, is, scheme), ...rules(before ?? {}, after, scheme)];
}

const kindName = (line, scheme) => label(kindOf(scheme, line.kind)?.label, line.kind);

function partsOf(old, now, scheme) {
  const kind = kindOf(scheme, now.kind);
  const fields = (kind ? sharedFields(kind) : [])
    .map(field => [label(field.label, field.name), line => fieldText(field, valueIn(line.fields, field.name))]);
  const all = [
    ...fields,
    [t('line.due'), ({ due }) => (due ? date(due) : '')],
    [t('line.sees'),
      line => t(line.parent === null
        ? `settings.sees.${line.state === 'draft' ? 'nothing' : 'class'}`
        : `line.sees.short.${stateOf(line)}`)],
    [t('curve.open'), ({ curve }) => (curve ? curveText(curve) : '')],
    [t('marks.title'), ({ marking }) => markingText(marking)],
  ];
  return all.map(([what, read]) => ({ what, before: read(old), after: read(now) }))
    .filter(part => part.before !== part.after);
}

const fieldText = (field, value) =>
  valueText({ type: field.type, choices: field.choices ?? [] }, typeof value === 'number' ? String(value) : value);

function markingText(marking = 'single') {
  const mode = t(`marks.mode.${marking.mode ?? marking}`);
  return marking.mode === 'double'
    ? [mode, t('field.is', { name: t('marks.tolerance'), value: toInput(marking.tolerance ?? '0') }),
      t(`marks.rule.${marking.rule}`)].join(', ')
    : mode;
}

// For the lines that are in both structures: which have another parent now, and which have their children in another
// order.
function moves(old, now, was, is, scheme) {
  const name = (lines, id) => (lines.has(id) ? titleOf(lines.get(id), scheme) : '');
  const taken = now.filter(({ id, parent }) => was.has(id) && was.get(id).parent !== parent)
    .map(line =>
      ({
        line: line.id, title: titleOf(line, scheme), what: t('ledger.within'),
        before: name(was, was.get(line.id).parent), after: name(is, line.parent),
      }));
  const inside = (lines, parent) => lines.filter(line => line.parent === parent
    && was.get(line.id)?.parent === is.get(line.id)?.parent).map(({ id }) => id);
  const placed = now.filter(({ id }) => was.has(id) && inside(old, id).join() !== inside(now, id).join()).map(line => ({
    line: line.id, title: titleOf(line, scheme), what: t('ledger.order'),
    before: inside(old, line.id).map(id => name(was, id)).join(', '),
    after: inside(now, line.id).map(id => name(is, id)).join(', '),
  }));
  return [...taken, ...placed];
}

const shareText = ({ policy }) => (policy?.low ? percent(policy.low) : '');

// Settings that apply to the whole class.
function rules(old, now, scheme) {
  const title = titleOf(now.lines[0], scheme);
  const differs = read => JSON.stringify(read(old) ?? null) !== JSON.stringify(read(now) ?? null);
  const sections = ({ sections: list = [] }) => list.map(section => section.title).join(', ');
  const said = (what, before = '', after = t('ledger.changedRule')) =>
    ({ line: now.lines[0].id, title, what, before, after });
  return [
    (differs(({ policy }) => policy?.late) || differs(({ policy }) => policy?.missing)) && said(t('late.title')),
    differs(({ policy }) => policy?.risk) && said(t('risk.title')),
    differs(({ policy }) => policy?.low) && said(t('risk.lowResults'), shareText(old), shareText(now)),
    sections(old) !== sections(now) && said(t('section.many'), sections(old), sections(now)),
  ].filter(Boolean);
}
