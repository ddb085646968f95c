// What the rules make of a sample: a template, an example of the document, or a student's record. Values that differ
// under the version in force are shown beside the new ones. Below are the worked examples and the laws.

import { clamped, h, named } from '../../core/page/dom.js';
import { label, t, toInput } from '../../core/text/i18n.js';
import { outcomeText } from '../../core/text/outcomes.js';
import { figureText } from '../../parts/record/figure.js';
import { brokenLaws } from './faultList.js';
import { icon } from '../../parts/frame/icons.js';
import { problemText, withCode } from '../../parts/frame/problem.js';
import { valueIn } from '../../core/values/own.js';

// At most this many lines are shown.
const MOST = 200;

export function resultView(editor) {
  const { review, samples, before } = editor;
  const record = review.last?.record;
  const standing = record?.standing;
  return [
    samples.choices.length > 0 && h('select', {
      'aria-label': t('regulation.sample'), onchange: event => samples.choose(event.target.value),
    },
      samples.choices.map(({ id, name }) =>
        h('option', { key: id, value: id, selected: id === samples.chosen }, name))),
    review.last?.isStale && record && h('p', { class: 'hint', role: 'status' }, t('example.refused')),
    record?.refused && h('ul', { class: 'warnings' },
      record.refused.map((fault, index) => h('li', { key: index }, icon('warning'), h('span', null, fault.message)))),
    editor.beforeProblem && h('p', { class: 'hint', role: 'status' }, problemText(editor.beforeProblem)),
    standing && table(editor, rowsOf(review.last, before), before),
    examples(editor),
    laws(review.last),
    classes(editor),
  ];
}

function table(editor, rows, before) {
  if (rows.length === 0) return null;
  return h('table', { class: 'results' },
    h('thead', null,
      h('tr', null,
        h('th', { scope: 'col' }, t('change.what')),
        before && h('th', { scope: 'col' }, t('example.before')),
        h('th', { scope: 'col' }, t('example.after')))),
    h('tbody', null,
      rows.slice(0, MOST)
        .map(row => h('tr', { key: row.key, class: row.isMoved ? 'moved' : null, 'data-result': row.id },
          h('th', { scope: 'row' },
            h('button', { type: 'button', class: 'link', onclick: () => editor.goToDeclaration(row.item) },
              named(row.name)),
            row.item.article && h('span', { class: 'muted' }, row.item.article)),
          before && h('td', null, row.isMoved ? h('del', null, row.before) : row.before),
          h('td', null,
            h(row.isMoved ? 'ins' : 'span', null, row.after),
            row.range && h('span', { class: 'muted range-text' }, row.range),
            row.why && h('span', { class: 'muted' }, row.why))))),
    rows.length > MOST && h('tfoot', null,
      h('tr', null,
        h('td', { colspan: before ? 3 : 2, class: 'muted' },
          t('regulation.moreLines', { count: rows.length - MOST })))));
}

/** The identifier of a line of the result, from its declaration. */
export const resultId = item => `${item.sort}-${item.of ?? ''}-${item.name}`;

// The rows: figures of the record, outcomes, then entry by entry.
function rowsOf({ record, outline }, before) {
  const described = (sort, of, name) =>
    outline.find(item => item.sort === sort && (item.of ?? null) === of && item.name === name)
    ?? ofGroup(outline, sort, of, name);
  const rows = [...ofSubject(described, null, '', record.standing, before)];
  for (const { id, kind, title } of entriesOf(record.entries, outline)) {
    rows.push(...ofSubject(described, kind, title, valueIn(record.standing.entries, id), valueIn(before?.entries, id),
      id, before !== null));
  }
  return rows;
}

function ofSubject(described, kind, title, after, before, id = '', hasBefore = Boolean(before)) {
  if (!after) return [];
  const rows = [];
  for (const sort of ['figure', 'outcome']) {
    for (const [name, value] of Object.entries(after[`${sort}s`] ?? {})) {
      const item = described(sort, kind, name);
      if (!item) continue;
      const old = valueIn(before?.[`${sort}s`], name);
      const [text, was] = [value, old].map(one =>
        (one === undefined ? '–' : sort === 'figure' ? withLetter(one) : outcomeText(one)));
      const own = label(item.label, item.name);
      const subject = [title, name.slice(item.name.length + 1)].filter(Boolean).join(' · ');
      rows.push({
        key: `${id}-${sort}-${name}`, id: resultId(item), item,
        name: subject ? t('regulation.ofEntry', { entry: subject, figure: own }) : own,
        after: text, before: was, isMoved: hasBefore && text !== was,
        range: sort === 'figure' && value.floor && value.floor !== value.ceiling
          ? t('regulation.range', { floor: toInput(value.floor), ceiling: toInput(value.ceiling) })
          : null,
        why: sort === 'outcome'
          ? (value.reasons ?? []).slice(0, 3).map(reason => reason.message ?? reason.code).join(t('rules.comma'))
          : null,
      });
    }
  }
  return rows;
}

// The values that a group shows are listed with its members, as `name:key`.
function ofGroup(outline, sort, kind, name) {
  if (!name.includes(':')) return undefined;
  const entry = of => outline.find(item => item.sort === 'entry' && item.name === of);
  const groups = outline.filter(item => item.sort === 'group' && (entry(item.of)?.of ?? null) === kind)
    .map(item => item.name);
  return outline.find(item => item.sort === sort && groups.includes(item.of)
    && item.name === name.slice(0, name.indexOf(':')));
}

const withLetter = figure => [figureText(figure), figure.letter].filter(Boolean).join(' ');

// The entries, in the order by which the server names those that have no name.
function entriesOf(entries, outline, found = []) {
  for (const { id, kind, fields, children } of entries ?? []) {
    const title = outline.find(item => item.sort === 'field' && item.of === kind && item.type === 'text');
    const declared = outline.find(item => item.sort === 'entry' && item.name === kind);
    found.push({
      id: id ?? `entry-${found.length + 1}`, kind, title: valueIn(fields, title?.name) ?? label(declared?.label, kind),
    });
    entriesOf(children, outline, found);
  }
  return found;
}

function examples(editor) {
  const { last } = editor.review;
  const list = last?.isStale ? last.examples?.filter(example => isDeclared(example, last.outline)) : last?.examples;
  if (!list || list.length === 0) return null;
  const good = list.filter(example => example.differences.length === 0).length;
  return h('section', { class: 'examples', 'aria-label': t('regulation.examples') },
    h('h2', null, t('regulation.examplesGood', { good, count: list.length })),
    h('ul', null,
      list.slice(0, MOST)
        .map((example, index) => h('li', { key: index, 'data-good': example.differences.length === 0 ? 'yes' : 'no' },
          icon(example.differences.length === 0 ? 'check' : 'warning'),
          h('button', { type: 'button', class: 'link', onclick: () => editor.chooseExample(example.name) },
            clamped(example.name, false)),
          h('span', { class: 'visually-hidden' },
            t(example.differences.length === 0 ? 'regulation.comesOut' : 'regulation.differs')),
          example.differences.map((difference, place) => h('button', {
            key: place, type: 'button', class: 'link fault', onclick: () => editor.goToLine(difference.line),
          }, t('regulation.faultAt', { line: difference.line, text: label(difference.text) })))))));
}

// While the text has faults, examples of the last working text are shown, but only those that this text still declares.
const isDeclared = ({ name }, outline) =>
  outline.some(item => item.sort === 'example' && [item.name, ...Object.values(item.label ?? {})].includes(name));

function laws(last) {
  if (!last?.laws) return null;
  const broken = brokenLaws(last);
  return h('section', { class: 'laws', 'aria-label': t('regulation.laws') },
    h('h2', null, t('regulation.lawsKept', { good: last.laws.length - broken.length, count: last.laws.length })),
    h('p', { class: 'hint' }, t('regulation.lawsTried', { count: last.lawsTried.records })));
}

// What classes can grade, and what keeps them from the rest.
function classes(editor) {
  const roots = editor.review.last?.classes ?? [];
  if (roots.length === 0) return null;
  const free = roots.filter(root => !root.message).map(root => label(root.label, root.kind));
  return h('section', { class: 'class-roots', 'aria-label': t('regulation.classes') },
    h('h2', null, t('regulation.classes')),
    free.length > 0 && h('p', { class: 'hint' }, t('regulation.classesGrade', { kinds: free.join(t('rules.comma')) })),
    roots.filter(root => root.message).map(({ kind, message, line, article }) => h('p', { key: kind },
      h('button', { type: 'button', class: 'link grow', disabled: !line, onclick: () => editor.goToLine(line) },
        h('span', null,
          withCode(line
            ? t('regulation.faultAt', { line, text: [article, message].filter(Boolean).join(' · ') })
            : message))))));
}
