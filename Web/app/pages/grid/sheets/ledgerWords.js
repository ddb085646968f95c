// The texts of the lines in a class's ledger: cells with their contents before and after, and sentences.

import { delayText } from '../../../core/text/delays.js';
import { t, toInput } from '../../../core/text/i18n.js';
import { exactText } from '../../../core/text/traceWords.js';
import { statusText } from '../../../core/text/statuses.js';
import { valueIn } from '../../../core/values/own.js';
import { cellText, empty, valueText } from '../cells.js';
import { titleOf } from '../../../parts/record/entryTitle.js';

const ofTheClass = {
  post: 'ledger.posted', hide: 'ledger.hid', close: 'ledger.closedClass', open: 'ledger.openedClass',
  correction: 'ledger.decidedCorrection',
  correction_asked: 'ledger.askedCorrection', correction_refused: 'ledger.refusedCorrection', class: 'ledger.settings',
  staff: 'ledger.staff',
  structure: 'ledger.structure', reveal: 'ledger.revealed', undo: 'ledger.structure', missed: 'ledger.nothingMissed',
};

/** One line of the ledger, as sentences. */
export function sentencesOf(desk, line, name) {
  const { enrolment, operation, before, after } = line;
  if (operation === 'marking') {
    const { line, codes = {} } = after ?? {};
    return [t('ledger.sealed', { name, title: titleIn(desk, String(line)), count: Object.keys(codes).length })];
  }
  if (operation === 'group') {
    const key = before ? (after ? 'ledger.renamedGroup' : 'ledger.deletedGroup') : 'ledger.madeGroup';
    return [t(key, { name, title: (after ?? before).group.title })];
  }
  if (enrolment === null) return [t(valueIn(ofTheClass, operation) ?? 'ledger.other', { name })];
  const student = studentOf(desk, enrolment);
  const isWithdrawn = valueIn(after, 'withdrawn');
  if (operation === 'enrol' || isWithdrawn === false) return [t('ledger.enrolled', { name, student })];
  if (operation === 'withdraw' || isWithdrawn) return [t('ledger.withdrew', { name, student })];
  if (operation === 'comment' || operation === 'comment_deleted') {
    return [t(operation === 'comment' ? 'ledger.commented' : 'ledger.uncommented', {
      name, student, title: titleIn(desk, String((after ?? before)?.line)),
    })];
  }
  if (valueIn(after, 'groups')) {
    const titles = after.groups.map(id => desk.taught.groups.find(group => group.id === id)?.title).filter(Boolean);
    return [t(titles.length > 0 ? 'ledger.grouped' : 'ledger.ungrouped', { name, student, titles: titles.join(', ') })];
  }
  if (after && 'section' in after) {
    const title = desk.sections.find(({ id }) => id === after.section)?.title;
    return [title ? t('ledger.sectioned', { name, student, title }) : t('ledger.unsectioned', { name, student })];
  }
  if (operation === 'move') return [t('ledger.moved', { student, version: after.programVersion })];
  // No person has done what the server marked when a due date had passed.
  if (operation === 'missed') {
    return Object.keys(after ?? {}).map(number => t('ledger.missed', { student, title: titleIn(desk, number) }));
  }
  return [...totalSentences(desk, before, after, name, student), ...statusSentences(desk, before, after, name, student),
    ...numbersIn(after).map(number =>
      cellSentence(desk, number, before?.[number] ?? {}, after[number], name, student))];
}

// Figures of the total that were set by hand or reset, `[name, before, after]`.
function givenIn(before, after) {
  const [old, now] = [before, after].map(side => valueIn(side, 'given')?.figures ?? {});
  return [...new Set([...Object.keys(old), ...Object.keys(now)])].filter(figure => old[figure]?.at !== now[figure]?.at)
    .map(figure => [figure, old[figure], now[figure]]);
}

const figureTitle = (desk, figure) => (desk.model.all.find(column => column.figure === figure)
  ?? desk.model.all.find(column => column.was?.includes(figure)))?.title
  ?? figure;
const givenText = given => (given ? toInput(exactText(given.value).replace('−', '-')) : '');

/** The name of a student of the class, even of one who has left. */
export const studentOf = (desk, enrolment) => desk.model.rows.get(enrolment)?.name ?? desk.gone.get(enrolment)?.name
  ?? t('program.noStudent');

const numbersIn = side => Object.keys(side ?? {}).filter(name => /^\d+$/.test(name));

/** The cells of one line of the ledger, `{row, student, column, title, before, after}`; `column` is the line, or the
 *  key of a figure. */
export function cellsIn(desk, { enrolment, operation, before, after }) {
  if (enrolment === null || operation === 'comment' || operation === 'comment_deleted') return [];
  const about = { row: enrolment, student: studentOf(desk, enrolment) };
  return [
    ...givenIn(before, after).map(([figure, old, now]) =>
      ({
        ...about, column: `figure:${figure}`, title: figureTitle(desk, figure), before: givenText(old),
        after: givenText(now),
      })),
    ...statusIn(desk, before, after).map(sides => ({ ...about, column: 'status', title: t('entry.status'), ...sides })),
    ...numbersIn(after).map(number => {
      const line = lineOf(desk, number);
      const [old, now] = [before?.[number] ?? {}, after[number]].map(cell => wholeText(desk, line, cell));
      return {
        ...about, column: line?.id ?? `number:${number}`, title: titleIn(desk, number), before: old, after: now,
      };
    }),
  ];
}

// The whole content of a cell: the result or the marks, its status, how late it was, and the student's other fields.
function wholeText(desk, line, cell) {
  const columns = desk.model.all.filter(item => item.line === line?.id);
  const column = columns.find(({ field }) => field === null);
  const { values = {}, marks = [], late = null, held = false } = cell;
  const own = textOf(desk, column, line, cell)
    || marks.map(({ value }) => (column && value !== undefined ? valueText(column, value) : '½')).join(' / ');
  const beside = columns.filter(({ field }) => field !== null && (valueIn(values, field) ?? null) !== null)
    .map(item => t('field.is', { name: item.title, value: valueText(item, values[item.field]) }));
  return [own, ...beside, late && t('late.is', { delay: delayText(late) }), held && t('grid.held')].filter(Boolean)
    .join(', ');
}

// The status of the total if it was set or removed: the text of each side.
function statusIn(desk, before, after) {
  if (!after || !('status' in after)) return [];
  const text = side => (side?.status ? statusText(side.status, desk.taught.total) : '');
  return [{ before: text(before), after: text(after) }];
}

function statusSentences(desk, before, after, name, student) {
  const title = desk.lineTitle(desk.taught.structure.lines[0].id);
  return statusIn(desk, before, after).map(({ before: old, after: now }) =>
    t(now ? 'ledger.marked' : 'ledger.unmarked', { name, student, title, status: now || old }));
}

function totalSentences(desk, before, after, name, student) {
  return givenIn(before, after).map(([figure, , now]) => {
    const title = figureTitle(desk, figure);
    return now
      ? t('ledger.gave', { name, student, title, value: givenText(now) })
      : t('ledger.tookBack', { name, student, title });
  });
}

const lineOf = (desk, number) => desk.taught.structure.lines.find(item => String(item.number) === number);

function titleIn(desk, number) {
  const line = lineOf(desk, number) ?? desk.former.get(number);
  return line ? titleOf(line, desk.scheme) : t('ledger.goneLine');
}

function cellSentence(desk, number, before, after, name, student) {
  const line = lineOf(desk, number);
  const title = titleIn(desk, number);
  const column = desk.model.all.find(item => item.line === line?.id && item.field === null);
  const value = cell => String((line ? cell.values?.[desk.gradeOf(line.id)] : null) ?? '');
  const [old, now] = [before, after].map(cell => textOf(desk, column, line, cell));
  const marksIn = cell => JSON.stringify(cell.marks ?? []);
  if (marksIn(before) !== marksIn(after) && value(before) === value(after)) {
    return t('ledger.mark', { name, student, title });
  }
  if (value(before) === value(after) && before.status !== after.status) {
    return after.status
      ? t('ledger.marked', { name, student, title, status: statusText(after.status, column) })
      : t('ledger.unmarked', { name, student, title, status: statusText(before.status, column) });
  }
  if (old === now && (before.late ?? null) !== (after.late ?? null)) {
    return after.late
      ? t('ledger.late', { name, student, title, delay: delayText(after.late) })
      : t('ledger.inTime', { name, student, title });
  }
  if (old === now) return t(after.held ? 'ledger.held' : 'ledger.changedCell', { name, student, title });
  if (now === '') return t('ledger.cleared', { name, value: old, student, title });
  return old === ''
    ? t('ledger.entered', { name, value: now, student, title })
    : t('ledger.changed', { name, old, value: now, student, title });
}

function textOf(desk, column, line, { values = {}, status = null }) {
  // A line without results has columns for its other fields, which have texts of their own.
  const isBeside = !column && desk.model.all.some(item => item.line === line?.id);
  const [first = null] = isBeside ? [] : Object.values(values);
  const value = column ? values[desk.gradeOf(line.id)] ?? null : first;
  const text = column ? cellText(column, { ...empty, value, status: null }) : valueText({ type: 'number' }, value);
  return [text, status && statusText(status, column)].filter(Boolean).join(', ');
}
