// A paste before it is entered: for each cell, whether it is new, changed, cleared, the same, doubtful or refused, as
// far as the page can tell. Entering does exactly what was shown: a cell keeps the change and what the user saw there,
// and no text is read again.

import { MOST } from '../../core/edits/cellRules.js';
import { t } from '../../core/text/i18n.js';
import { cellText, changed, misfit, readTyped } from './cells.js';
import { fromTSV } from './clipboard.js';

/**
 * The effect of a table of texts on the grid: `{cells: [{row, column, text, kind, fault, change, seen}], counts}`. It
 * begins at the upper left of the selection; a single text fills the whole selection. `cellAt(row, column)` is the
 * current cell. Null for more than `most` cells.
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

/** Marks the doubtful cells of a plan: `ask(column, change)` returns the question, in words, or null. */
export function withDoubts(plan, ask) {
  const cells = plan.cells.map(cell => {
    const question = cell.change && ask(cell.column, cell.change);
    return question ? { ...cell, kind: 'doubtful', fault: question } : cell;
  });
  return { ...plan, cells, counts: countsOf(cells) };
}

const isAsked = ({ kind }, { isConfirmed = false }) => kind === 'doubtful' && !isConfirmed;

/** The cells of a plan that are entered; doubtful ones only if the user has confirmed them (`isConfirmed`). */
export const entering = plan => plan.cells.filter(cell => cell.change !== null && !isAsked(cell, plan));

/** The cells of a plan whose texts stay in place with the reason, and are not sent: doubtful ones, and refused ones
 *  unless it is unclear what the cell says (`isUndecided`). */
export const staying = plan =>
  plan.cells.filter(cell => isAsked(cell, plan) || (cell.kind === 'refused' && cell.column.line && !cell.isUndecided));

/** The text of the button that confirms a plan's doubtful results; null if there are none. */
export const doubtsOf = ({ counts: { doubtful } }) => (doubtful > 0 ? t('doubtful.yesAll', { count: doubtful }) : null);

/** The text of the button that enters a plan; null if it would do nothing. */
export function wayOf(plan) {
  if (entering(plan).length > 0) return t('paste.enter');
  if (plan.sections?.some(({ kind }) => kind === 'changed')) return t('file.assign');
  return staying(plan).length > 0 ? t('paste.keep') : null;
}

// In the order in which they are shown.
const KINDS = ['new', 'changed', 'cleared', 'same', 'doubtful', 'refused'];

/** The number of cells of each kind. */
export function countsOf(cells) {
  const counts = Object.fromEntries(KINDS.map(kind => [kind, 0]));
  for (const { kind } of cells) counts[kind] += 1;
  return counts;
}

/** What a plan would do, in words; `sections` are those of students whom a file moves to another section. */
export function countsText({ counts, outside, sections = [] }) {
  const parts = KINDS.filter(kind => counts[kind] > 0).map(kind => t(`paste.count.${kind}`, { count: counts[kind] }));
  const moved = sections.filter(({ kind }) => kind === 'changed').length;
  if (moved > 0) parts.push(t('file.sections', { count: moved }));
  if (outside > 0) parts.push(t('paste.outside', { count: outside }));
  return parts.join(t('paste.and'));
}

/** What entering a text in a cell would do: `{kind, fault, change, seen}`; `change` is null if nothing is entered. */
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

/** The plan for a text that is pasted at the active cell; null if it has too many cells. */
export function planOfText(desk, text) {
  const table = fromTSV(text, MOST);
  const plan = table && planOf(desk.model, table, (row, column) => desk.contents.of(row, column), MOST);
  return plan && withDoubts({ ...plan, s: desk.taught.structure.s }, desk.doubts.asker());
}
