// Marks of columns in which two people mark: the user's own ones, which the grid does not show until both are there,
// and what a cell tells about them.

import { t } from '../../core/text/i18n.js';
import { statusText } from '../../core/text/statuses.js';
import { valueText } from './cells.js';

export class OwnMarks {
  #context;
  // By line, then by row.
  #marks = new Map();
  #reading = new Set();

  /** `context` has `{http, path, model, permissions, changed}`; `changed()` is called when marks have arrived. */
  constructor(context) {
    this.#context = context;
  }

  get #me() {
    return this.#context.permissions.account;
  }

  /** A cell with the user's own mark, and whether the user decides between the marks of two others. */
  of(row, column, cell) {
    if (!column.double || column.field !== null) return cell;
    const own = cell.marks.find(({ by }) => by === this.#me);
    const mark = own ? own.value ?? this.#marks.get(column.line)?.get(row.id) ?? null : null;
    return { ...cell, mark, decides: cell.marks.length === 2 && !own && this.#context.permissions.mayTeach };
  }

  /** Reads the user's own marks that have no second mark and are not known yet. */
  learn() {
    for (const column of this.#context.model.columns.filter(({ double }) => double)) {
      const isUnknown = [...this.#context.model.rows.values()].some(row => {
        const [mark, other] = row.cells.get(column.line)?.marks ?? [];
        return mark?.by === this.#me && !other && mark.value === undefined
          && this.#seen(column.line).get(row.id) !== row.v;
      });
      if (isUnknown) this.#read(column.line);
    }
  }

  // The versions of the rows for which the marks were read.
  #versions = new Map();
  #seen = line => this.#versions.get(line) ?? new Map();

  async #read(line) {
    if (this.#reading.has(line)) return;
    this.#reading.add(line);
    const versions = new Map([...this.#context.model.rows.values()].map(({ id, v }) => [id, v]));
    try {
      const { body } = await this.#context.http.get(`${this.#context.path}/marking/${line}`);
      this.#marks.set(line, new Map(body.marks.map(({ row, value }) => [row, value])));
      this.#versions.set(line, versions);
      this.#context.changed();
    } catch {
      // The next rows that arrive trigger another request.
    }
    this.#reading.delete(line);
  }
}

/** What a cell tells about its marks to the user with the account `me`, `{state, note}`; null if there is nothing to
 *  tell. */
export function marksNote(column, cell, names, me) {
  if (!column.double || column.field !== null || cell.marks.length === 0) return null;
  const status = cell.status ? `${statusText(cell.status, column)} · ` : '';
  const marks = cell.marks.map(({ by, value }) =>
    t('marks.of', { name: names.of(by), value: value === undefined ? '–' : valueText(column, value) }));
  if (cell.marks.length === 1) {
    const [{ by }] = cell.marks;
    return { state: 'marked', note: status + (by === me ? t('marks.own') : t('marks.first', { name: names.of(by) })) };
  }
  if (cell.value === null) {
    return {
      state: 'unagreed', note: status + [...marks, t(cell.decides ? 'marks.decide' : 'marks.unagreed')].join(' · '),
    };
  }
  return { state: 'marked', note: status + marks.join(' · ') };
}
