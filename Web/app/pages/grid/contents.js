// The contents of each cell of a class, including what the user has entered and the server has not taken yet.

import { delayText } from '../../core/text/delays.js';
import { t, toInput } from '../../core/text/i18n.js';
import { statusText } from '../../core/text/statuses.js';
import { cellKey } from '../../core/edits/cellRules.js';
import { isUnsent } from '../../core/edits/editRules.js';
import { cellText, changed, empty, valueOf } from './cells.js';
import { figureLook } from './given.js';
import { whyLeft } from './left.js';
import { isLow } from './low.js';
import { marksNote, OwnMarks } from './marks.js';

const keyOf = (row, column) => `${row.id}/${column.key}`;

export class CellContents {
  #context;
  #ownMarks;
  // The user's acts by the keys of their cells, `{act, cell}`, and those of their changes that the server has not taken
  // yet.
  #acts = new Map();
  #changes = new Map();

  /** `context` has `{http, path, model, permissions, names, fresh, authors, scheme, taught, acts,
   *  changed}`: `taught()` returns the class, `acts()` the user's acts in it, and `changed()` is called when more is
   *  known. */
  constructor(context) {
    this.#context = context;
    this.#ownMarks = new OwnMarks(context);
    this.layOver();
  }

  /** Takes over the current state of the user's acts. */
  layOver() {
    this.#acts = new Map();
    this.#changes = new Map();
    for (const act of this.#context.acts()) {
      for (const cell of act.cells) {
        const place = `${cell.row}/${cell.line}`;
        if (isUnsent(act)) this.#changes.set(place, [...this.#changes.get(place) ?? [], cell.change]);
        this.#acts.set(cellKey(cell), { act, cell });
      }
    }
  }

  /** Reads what new rows do not contain themselves. */
  learn = () => this.#ownMarks.learn();

  /** Whether the user has an act in a cell. */
  isOwn = (row, column) => this.#acts.has(keyOf(row, column));

  /** The cell of a row in a column, including what is being sent, but not what was refused. */
  of(row, column) {
    if (!column.line) return empty;
    const held = this.#ownMarks.of(row, column, row.cells.get(column.line) ?? empty);
    const changes = this.#changes.get(`${row.id}/${column.line}`);
    return changes ? changes.reduce(changed, held) : held;
  }

  /** What a cell shows: `{text, state, note, kind, isFrozen, notes, low}`; `notes` is the number of comments, and `low`
   *  says that the result is low, if it is. */
  look(row, column) {
    const look = { ...this.#look(row, column), low: this.#low(row, column) };
    const notes = column.line && column.field === null ? row.cells.get(column.line)?.notes ?? 0 : 0;
    return notes > 0 ? { ...look, notes } : look;
  }

  #low(row, column) {
    const { model, taught } = this.#context;
    const low = model.arrangement.low ?? taught().structure.policy?.low ?? null;
    if (low === null || !column.line || this.trouble(row, column)) return null;
    return isLow(column, valueOf(this.of(row, column), column), low) ? t('grid.low', { share: toInput(low) }) : null;
  }

  #look(row, column) {
    const { model, permissions, names, scheme, taught, fresh } = this.#context;
    if (column.figure) return figureLook(row, column, { names, scheme, total: taught().total });
    const over = this.#acts.get(keyOf(row, column));
    const isFrozen = !permissions.mayGrade || column.isLocked || column.isAnonymous;
    if (over?.cell.left) {
      return { text: over.cell.text, state: over.cell.left.state, note: whyLeft(over.cell.left), isFrozen };
    }
    const cell = this.of(row, column);
    const text = cellText(column, cell);
    const kind = cell.status ? 'status' : column.type === 'number' || column.type === 'integer' ? 'number' : null;
    const look = (state, note) => ({ text, state, note, kind, isFrozen });
    if (column.isAnonymous && !over) return { text, state: 'anonymous', note: t('anonymous.closed'), isFrozen };
    if (over) return look(over.act.state, over.act.state === 'waiting' ? t('grid.waits') : null);
    if (cell.status && text !== statusText(cell.status, column)) return look('status', statusText(cell.status, column));
    if ((cell.late ?? null) !== null && column.field === null) {
      return look('status', t('late.is', { delay: delayText(cell.late) }));
    }
    const marked = marksNote(column, cell, names, permissions.account);
    if (marked) return look(marked.state, marked.note);
    const changedAt = fresh.at(keyOf(row, column))
      ?? (model.arrangement.only.has('others') ? fresh.ever(row.id, column.key) : null);
    if (changedAt !== null) return look('fresh', this.#changedBy(row, changedAt));
    if (cell.held && column.field === null) return look('held', t('grid.held'));
    return { text, kind, isFrozen };
  }

  #changedBy(row, version) {
    const { authors, names } = this.#context;
    const name = names.known(authors.of(row.id, version));
    return name ? t('grid.changedBy', { name }) : t('grid.changedByOthers');
  }

  /** The text for copying and for the editor; if it was refused, the text as it was typed. */
  text = (row, column) => this.look(row, column).text;

  /** For sorting, in the server's form. */
  sortText(row, column) {
    if (column.figure) return String([row.figures?.[column.figure] ?? ''].flat()[0] ?? '');
    const value = valueOf(this.of(row, column), column);
    if (column.type !== 'choice') return value === null ? cellText(column, this.of(row, column)) : String(value);
    const place = column.choices.findIndex(choice => String(choice.value) === String(value));
    return place < 0 ? '' : String(place);
  }

  /** The cell as it was typed if it was not taken, with the reason in `left`; null for all other cells. */
  trouble(row, column) {
    const cell = row && column ? this.#acts.get(keyOf(row, column))?.cell : null;
    return cell?.left ? cell : null;
  }

  /** Whether the result of a cell has to be confirmed. */
  isDoubtful = (row, column) => this.trouble(row, column)?.left.state === 'doubtful';

  /** The number of cells that wait for the network, and of those that were not taken, except the one with the key
   *  `asked`. */
  counts(asked) {
    const keys = state =>
      new Set(this.#context.acts().filter(act => act.state === state).flatMap(act => act.cells.map(cellKey)));
    const left = keys('left');
    left.delete(asked);
    return { waiting: keys('waiting').size, refused: left.size };
  }
}
