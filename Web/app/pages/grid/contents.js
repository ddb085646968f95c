// What stands in each cell of a class, together with what the person has entered and the server has not taken yet.

import { delayText } from '../../core/text/delays.js';
import { t } from '../../core/text/i18n.js';
import { statusText } from '../../core/text/statuses.js';
import { cellKey } from '../../core/edits/cellRules.js';
import { isUnsent } from '../../core/edits/editRules.js';
import { cellText, changed, empty, valueOf } from './cells.js';
import { figureLook } from './given.js';
import { whyLeft } from './left.js';
import { marksNote, OwnMarks } from './marks.js';

const keyOf = (row, column) => `${row.id}/${column.key}`;

export class CellContents {
  #context;
  #ownMarks;
  // The person's acts by the keys of their cells, `{act, cell}`, and their changes that the server has not taken yet.
  #acts = new Map();
  #changes = new Map();

  /** `context` has `{http, path, model, permissions, names, fresh, authors, scheme, taught, acts, changed}`: `taught()`
   *  answers the class, `acts()` the person's acts in it, and `changed()` is called when more has become known. */
  constructor(context) {
    this.#context = context;
    this.#ownMarks = new OwnMarks(context);
    this.layOver();
  }

  /** Takes the person's acts as they are now. */
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

  /** Learns what new rows do not tell of themselves. */
  learn = () => this.#ownMarks.learn();

  /** Whether the person has an act in a cell. */
  isOwn = (row, column) => this.#acts.has(keyOf(row, column));

  /** What a row holds in a column, including what is on its way; what was refused is not. */
  of(row, column) {
    if (!column.line) return empty;
    const held = this.#ownMarks.of(row, column, row.cells.get(column.line) ?? empty);
    const changes = this.#changes.get(`${row.id}/${column.line}`);
    return changes ? changes.reduce(changed, held) : held;
  }

  /** What a cell shows: `{text, state, note, kind, isFrozen, notes}`; `notes` is how many comments there are. */
  look(row, column) {
    const look = this.#look(row, column);
    const notes = column.line && column.field === null ? row.cells.get(column.line)?.notes ?? 0 : 0;
    return notes > 0 ? { ...look, notes } : look;
  }

  #look(row, column) {
    const { permissions, names, scheme, taught, fresh } = this.#context;
    if (column.figure) return figureLook(row, column, { names, scheme, total: taught().total });
    const over = this.#acts.get(keyOf(row, column));
    const isFrozen = !permissions.mayGrade || column.isLocked || column.isAnonymous;
    if (over?.cell.left) return { text: over.cell.text, state: over.cell.left.state, note: whyLeft(over.cell.left), isFrozen };
    const cell = this.of(row, column);
    const text = cellText(column, cell);
    const kind = cell.status ? 'status' : column.type === 'number' || column.type === 'integer' ? 'number' : null;
    const look = (state, note) => ({ text, state, note, kind, isFrozen });
    if (column.isAnonymous && !over) return { text, state: 'anonymous', note: t('anonymous.closed'), isFrozen };
    if (over) return look(over.act.state, over.act.state === 'waiting' ? t('grid.waits') : null);
    if (cell.status && text !== statusText(cell.status, column)) return look('status', statusText(cell.status, column));
    if ((cell.late ?? null) !== null && column.field === null) return look('status', t('late.is', { delay: delayText(cell.late) }));
    const marked = marksNote(column, cell, names, permissions.account);
    if (marked) return look(marked.state, marked.note);
    const changedAt = fresh.at(keyOf(row, column));
    if (changedAt !== null) return look('fresh', this.#changedBy(row, changedAt));
    if (cell.held && column.field === null) return look('held', t('grid.held'));
    return { text, kind, isFrozen };
  }

  #changedBy(row, version) {
    const { authors, names } = this.#context;
    const name = names.known(authors.of(row.id, version));
    return name ? t('grid.changedBy', { name }) : t('grid.changedByOthers');
  }

  /** What is copied, and what the editor begins with: the text as it was typed where it was refused. */
  text = (row, column) => this.look(row, column).text;

  /** For sorting: as the server writes it. */
  sortText(row, column) {
    if (column.figure) return String([row.figures?.[column.figure] ?? ''].flat()[0] ?? '');
    const value = valueOf(this.of(row, column), column);
    if (column.type !== 'choice') return value === null ? cellText(column, this.of(row, column)) : String(value);
    const place = column.choices.findIndex(choice => String(choice.value) === String(value));
    return place < 0 ? '' : String(place);
  }

  /** The cell as it was typed where it was not taken, with the reason in `left`; null for every other. */
  trouble(row, column) {
    const cell = row && column ? this.#acts.get(keyOf(row, column))?.cell : null;
    return cell?.left ? cell : null;
  }

  /** Whether a cell waits for somebody to say that its result is meant. */
  isDoubtful = (row, column) => this.trouble(row, column)?.left.state === 'doubtful';

  /** How many cells wait for the network, and how many were not taken, without the one with the key `asked`. */
  counts(asked) {
    const keys = state => new Set(this.#context.acts().filter(act => act.state === state).flatMap(act => act.cells.map(cellKey)));
    const left = keys('left');
    left.delete(asked);
    return { waiting: keys('waiting').size, refused: left.size };
  }
}
