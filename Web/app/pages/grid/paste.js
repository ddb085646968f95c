// A paste before it is entered: for each cell whether it is new, changed, cleared, the same, doubtful or refused, as far as the page
// can tell.
// What it tells is what happens: a cell keeps the change that was shown, on what was seen there, and nothing is read again.

import { MOST } from '../../core/edits/cellRules.js';
import { t } from '../../core/text/i18n.js';
import { cellText, changed, misfit, readTyped } from './cells.js';
import { fromTSV } from './clipboard.js';

/**
 * What a table of texts comes to when it is laid into the grid: `{cells: [{row, column, text, kind, fault, change, seen}],
 * counts}`. It begins at the upper left of what is selected; one text fills all of that. `cellAt(row, column)` is what stands
 * there. Null for more than `most` cells.
 */
export function planOf(model, table, cellAt, most) {
  const { top, left, bottom, right } = model.range;
  const isFill = table.length === 1 && table[0].length === 1;
  const height = isFill ? bottom - top + 1 : table.length;
  if (isFill && height * (right - left + 1) > most) return null;
  const cells = [];
  let outside = 0;
  for (let down = 0; down < height; down += 1) {
    const texts = isFill ? Array(right - left + 1).fill(table[0][0]) : table[down];
    for (const [across, text] of texts.entries()) {
      const row = model.order[Math.max(0, top) + down];
      const column = model.columns[Math.max(0, left) + across];
      if (!row || !column) outside += 1;
      else cells.push({ row, column, text: text.trim(), ...kindOf(column, text, cellAt(row, column)) });
    }
  }
  return { cells, outside, counts: countsOf(cells) };
}

/** Marks what of a plan is to be asked about: `ask(column, change)` answers it in words. */
export function withDoubts(plan, ask) {
  const cells = plan.cells.map(cell => {
    const question = cell.change && ask(cell.column, cell.change);
    return question ? { ...cell, kind: 'doubtful', fault: question } : cell;
  });
  return { ...plan, cells, counts: countsOf(cells) };
}

const isAsked = ({ kind }, { isConfirmed = false }) => kind === 'doubtful' && !isConfirmed;

/** The cells of a plan that are entered; doubtful ones where somebody has said that they are meant (`isConfirmed`). */
export const entering = plan => plan.cells.filter(cell => cell.change !== null && !isAsked(cell, plan));

/** The cells of a plan whose texts stay where they are, with the reason, and are not sent: what is asked about, and what was
 *  refused, unless it is not known what the cell says (`isUndecided`). */
export const staying = plan => plan.cells.filter(cell => isAsked(cell, plan) || (cell.kind === 'refused' && cell.column.line && !cell.isUndecided));

/** What a plan has that is to be asked about, in words for the button that says it is meant; null for nothing. */
export const doubtsOf = ({ counts: { doubtful } }) => (doubtful > 0 ? t('doubtful.yesAll', { count: doubtful }) : null);

/** What the button of a plan says; null where it would do nothing. */
export function wayOf(plan) {
  if (entering(plan).length > 0) return t('paste.enter');
  if (plan.sections?.some(({ kind }) => kind === 'changed')) return t('file.assign');
  return staying(plan).length > 0 ? t('paste.keep') : null;
}

// In the order in which they are told.
const KINDS = ['new', 'changed', 'cleared', 'same', 'doubtful', 'refused'];

/** How many cells are of each kind. */
export function countsOf(cells) {
  const counts = Object.fromEntries(KINDS.map(kind => [kind, 0]));
  for (const { kind } of cells) counts[kind] += 1;
  return counts;
}

/** What a plan would do, in words; `sections` are those of students whom a file puts into others. */
export function countsText({ counts, outside, sections = [] }) {
  const parts = KINDS.filter(kind => counts[kind] > 0).map(kind => t(`paste.count.${kind}`, { count: counts[kind] }));
  const moved = sections.filter(({ kind }) => kind === 'changed').length;
  if (moved > 0) parts.push(t('file.sections', { count: moved }));
  if (outside > 0) parts.push(t('paste.outside', { count: outside }));
  return parts.join(t('paste.and'));
}

/** What entering a text in a cell would do: `{kind, fault, change, seen}`; `change` is null where nothing is entered. */
export function kindOf(column, text, cell) {
  if (!column.line) return refused(t('grid.readOnly'), cell);
  const { change, fault } = readTyped(column, text, cell);
  if (fault) return refused(fault, cell);
  if (change === null) return { kind: 'same', fault: null, change, seen: cell };
  const wrong = misfit(column, change);
  if (wrong) return refused(wrong, cell);
  const [before, after] = [cell, changed(cell, change)].map(each => cellText(column, each));
  return { kind: before === '' ? 'new' : after === '' ? 'cleared' : 'changed', fault: null, change, seen: cell };
}

/** What becomes of a cell of a plan, in words. */
export const fateOf = ({ kind, fault, column, seen }) => fault ?? t(`paste.${kind}`, { value: cellText(column, seen) });

const refused = (fault, seen) => ({ kind: 'refused', fault, change: null, seen });

/** The plan of a text that is pasted where one works; null where it has too many cells. */
export function planOfText(desk, text) {
  const table = fromTSV(text, MOST);
  const plan = table && planOf(desk.model, table, (row, column) => desk.contents.of(row, column), MOST);
  return plan && withDoubts({ ...plan, s: desk.taught.structure.s }, desk.doubts.asker());
}
