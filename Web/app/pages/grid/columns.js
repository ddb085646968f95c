// The columns of a class: those for results, as the class describes them, and after them the figures of the rows.

import { label, t, toInput } from '../../core/text/i18n.js';
import { DELAY } from '../../core/edits/cellRules.js';
import { valueIn } from '../../core/values/own.js';
import { titleOf } from '../../parts/record/entryTitle.js';

/**
 * The columns, in the order of the lines. Each has a `key`. Columns for results have the `line` and the `field`, which
 * is null for the result itself; a line without results has columns for the fields of each student alone. `type` is
 * `number`, `integer`, `choice`, `text` or `boolean`, `delay` for how late the work was (in minutes), or `figure` for
 * read-only values. Comments are about results: where there are none, a column takes none.
 */
export function columnsOf(taught, scheme) {
  const { lines } = taught.structure;
  const byID = new Map(lines.map(line => [line.id, line]));
  const columns = taught.columns.flatMap(column => {
    const line = byID.get(column.line);
    const path = linesAbove(line, lines).map(above => titleOf(above, scheme));
    const delays = taught.structure.policy?.late && line.due && column.late ? [delayColumn(column, line, path)] : [];
    const period = periodOf(line, taught.term);
    const results = column.grade === null ? [] : [resultColumn(column, line, path)];
    return [...results, ...delays, ...column.fields.map(field => fieldColumn(field, column, line, path))]
      .map(made => ({ ...made, period: period?.id ?? null, isLocked: period?.locked ?? taught.term?.locked ?? false }));
  });
  return [...columns, ...taught.figures.map(figureColumn)];
}

/** The period of the class's term that contains the due date of a line. */
const periodOf = ({ due }, term) =>
  (due ? term?.periods.find(({ from, until }) => from <= due && due <= until) : undefined);

const about = line => ({
  isAnonymous: line.marking === 'anonymous', state: line.state,
  isHidden: line.state === 'draft' || (line.state === 'open' && line.posting === 'manual'), due: line.due,
});

/** How two people mark the results of a column; null if one person enters them. */
const doubleOf = ({ marking = null }) => (marking?.mode === 'double' ? marking : null);

const resultColumn = ({
  line: id, label: labels, takes, least, most, best, statuses, statusLabels, setsAside = [],
}, line, path) => ({
  key: id, line: id, field: null, type: takes.type, title: label(labels), path, least, most, best,
  choices: takes.choices, statuses, statusLabels, setsAside, double: doubleOf(line), takesComments: true,
  ...about(line),
});

const fieldColumn = (field, { line: id, label: labels, grade, statusLabels, setsAside = [] }, line, path) => ({
  key: `${id}/${field.name}`, line: id, field: field.name, type: field.type, path,
  title: t('grid.fieldOf', { field: label(field.label, field.name), title: label(labels) }), isGrade: field.grade,
  statusLabels, setsAside,
  least: field.min, most: field.max, best: field.grade ? bestOf(field, line) : null, choices: field.choices,
  statuses: [], takesComments: grade !== null, ...about(line),
});

// The best grade, which another field of the line may contain.
const bestOf = ({ best = null, bestField }, line) => (bestField ? valueIn(line.fields, bestField) ?? null : best);

const delayColumn = ({ line: id, label: labels }, line, path) => ({
  key: `${id}/${DELAY}`, line: id, field: DELAY, type: 'delay', title: t('late.column', { title: label(labels) }), path,
  least: null, most: null, best: null, choices: [], statuses: [], takesComments: true, ...about(line),
});

const figureColumn = ({ name, was = [], label: labels }) => ({
  key: `figure:${name}`, line: null, field: null, figure: name, was, type: 'figure', title: label(labels, name),
  path: [],
  least: null, most: null, best: null, choices: [], statuses: [], state: null, isHidden: false, due: null,
});

/** The ancestors of a line, outermost first, without the root. */
export function linesAbove(line, lines) {
  const above = lines.find(({ id }) => id === line.parent);
  return above?.parent ? [...linesAbove(above, lines), above] : [];
}

/** The fields of a kind that are the same for all students. */
export const sharedFields = kind => kind.fields.filter(field => !field.grade && !field.perStudent);

/** The text below a column's name: the full mark, or the range of letters. */
export function scaleText({ type, best, choices }) {
  if (best === null) return '';
  if (type !== 'choice') return t('grid.outOf', { best: toInput(best) });
  const [first, last] = [choices[0], choices.at(-1)].map(choice => choice && label(choice.label, String(choice.value)));
  return first === last ? '' : t('grid.fromTo', { first, last });
}

/** The head of a column in a grid that is sorted by `sort`. */
export function headOf(column, sort) {
  const own = sort.find(({ key }) => key === column.key);
  const below = column.isAnonymous
    ? t('anonymous.pill')
    : column.line && column.isHidden
    ? t(column.state === 'draft' ? 'grid.draft' : 'grid.kept')
    : scaleText(column);
  return {
    title: column.title, above: column.path.join(' › '), below,
    mark: column.figure ? 'figure' : column.isHidden ? 'hidden' : null,
    sorted: own ? (own.descending ? 'descending' : 'ascending') : null,
    rank: own && sort.length > 1 ? sort.indexOf(own) + 1 : null,
  };
}

/** Whether a column takes numbers: there, single letters are commands. */
export const takesNumbers = column => column.type === 'number' || column.type === 'integer';

/** Whether the results of a column can be curved. */
export const takesCurve = column => column.line !== null && column.field === null && takesNumbers(column);

/** Whether a column has statistics: a field beside the result has none. */
export const hasStatistics = column => Boolean(column.figure) || (column.line && column.field === null);
