// Decides what becomes of results on their way into a class, as functions of values: no network, no storage, no clock.
//
// An act is what one person entered at once: a single cell, or many cells with `isWhole`. It is `sending` until its
// first answer, `waiting` if no answer came, and then it is gone. The cells of an act that the server did not take stay
// together as an act with the state `left`. Each of these cells has `left` with its own state: `refused` with the
// server's words; `conflict` with the other person's value; `moved` if the column itself has changed; or `doubtful`,
// which is not sent until somebody confirms it. The server also takes a cell that already holds the requested value, so
// that an act can be sent twice.
//
// Acts that were sent together have a `batch`, the key of their request: they may have arrived, and are sent together
// again.

import { inOrder, isUnsent } from './editRules.js';

/** The field that stands for how late work was, in addition to the fields of the scheme. */
export const DELAY = '@late';

/** At most this many cells are one act. */
export const MOST = 20_000;
// At most this many cells that were entered one by one go into one request.
const TOGETHER = 200;

/** The key of a cell `{row, line, field}`. */
export const cellKey = ({ row, line, field }) => `${row}/${line}${field ? `/${field}` : ''}`;

/** The acts to send next in one request: those that were sent together before, or an act that is a whole, or the single
 *  cells of one class that wait before the next such act. */
export function batchOf(acts, held = new Set()) {
  const waiting = acts.filter(act => isUnsent(act) && !held.has(act.class)).sort(inOrder);
  const [first] = waiting;
  if (first?.batch) return waiting.filter(({ batch }) => batch === first.batch);
  if (!first || first.isWhole) return first ? [first] : [];
  const batch = [];
  const known = new Set();
  for (const act of waiting.filter(other => other.class === first.class)) {
    const [cell] = act.cells;
    if (act.isWhole || act.batch || known.has(cellKey(cell)) || batch.length === TOGETHER) break;
    known.add(cellKey(cell));
    batch.push(act);
  }
  return batch;
}

/** The request that enters acts of one class. */
export function requestOf(acts) {
  const cells = acts.flatMap(act => act.cells);
  const base = `/v1/classes/${encodeURIComponent(acts[0].class)}`;
  if (cells.length === 1) {
    const [{ row, line }] = cells;
    return {
      method: 'PATCH', path: `${base}/rows/${encodeURIComponent(row)}`, body: { cells: { [line]: asked(cells[0]) } },
    };
  }
  const list = cells.map(cell => ({ row: cell.row, line: cell.line, ...asked(cell) }));
  return { method: 'POST', path: `${base}/cells?mode=each`, body: { cells: list } };
}

const asked = ({ change, was, s }) => ({ ...change, ...(was ? { was } : {}), s });

/** The faults of an answer or a refusal for each of `count` cells. A fault that names no cell applies to all of
 *  them. */
export function faultsByCell(count, faults) {
  const found = Array.from({ length: count }, () => []);
  for (const fault of faults) {
    const place = count === 1 ? 0 : Number(/^\/cells\/(\d+)(\/|$)/.exec(fault.path)?.[1] ?? NaN);
    if (found[place]) found[place].push(fault);
    else for (const list of found) list.push(fault);
  }
  return found;
}

/** Why a cell was not taken: its state and the details of it. */
export function leftBehind(faults, detail = null) {
  const conflict = faults.find(({ code }) => code === 'cell_conflict');
  if (conflict) {
    const { value = null, status = null, late, fields = {}, account = null, at = null } = conflict.args ?? {};
    return {
      state: 'conflict',
      other: { value, status, late: late || null, fields, account, at: at === null ? null : Number(at) / 1000 },
      faults: [],
    };
  }
  const state = faults.some(({ code }) => code === 'line_changed') ? 'moved' : 'refused';
  return { state, faults, detail };
}

/** What remains of a change after `later` sets its part of the cell; null if nothing does. */
function restOf(change, later) {
  const { fields, ...rest } = change;
  for (const name of Object.keys(later)) delete rest[name];
  const kept = Object.entries(fields ?? {}).filter(([name]) => !Object.hasOwn(later.fields ?? {}, name));
  if (kept.length > 0) rest.fields = Object.fromEntries(kept);
  return Object.keys(rest).length > 0 ? rest : null;
}

const withFields = (one, other) =>
  ({ ...one, ...other, ...(one.fields || other.fields ? { fields: { ...one.fields, ...other.fields } } : {}) });

// A waiting cell and what is typed on top of it become one cell, with the precondition of the first.
const merged = (old, cell) => ({
  ...cell, change: withFields(old.change, cell.change), back: withFields(cell.back ?? {}, old.back ?? {}), was: old.was,
  s: 'value' in cell.change || cell.change.fields ? cell.s : old.s,
});

// A text that could not be read makes no change, but it still takes the place of the cell's result.
const wanted = ({ change, field }) => {
  if (Object.keys(change).length > 0) return change;
  if (field === DELAY) return { late: null };
  return field ? { fields: { [field]: null } } : { value: null };
};

/**
 * What becomes of a class's acts when `cells` are typed over them: `{cells, gone, less}` with the cells to enter, the
 * acts to remove, and `[act, cells]` for acts that keep fewer cells. A cell that was not taken is removed when the same
 * part is set again. A single cell that waits and cannot have arrived is merged with what is typed, unless
 * `isFixed(act)`.
 */
export function typedOver(acts, cells, isFixed) {
  const entered = new Map(cells.map(cell => [cellKey(cell), cell]));
  const [gone, less] = [[], []];
  for (const act of acts) {
    if (!isUnsent(act)) {
      const rests = act.cells.map(old => withoutTyped(old, entered.get(cellKey(old)))).filter(Boolean);
      if (rests.length === 0) gone.push(act);
      else if (rests.length < act.cells.length || rests.some((cell, index) => cell !== act.cells[index])) {
        less.push([act, rests]);
      }
    } else if (act.cells.length === 1 && !act.batch && !isFixed(act) && entered.has(cellKey(act.cells[0]))) {
      const [old] = act.cells;
      entered.set(cellKey(old), merged(old, entered.get(cellKey(old))));
      gone.push(act);
    }
  }
  return { cells: [...entered.values()], gone, less };
}

function withoutTyped(old, cell) {
  if (!cell) return old;
  const rest = restOf(wanted(old), wanted(cell));
  if (!rest) return null;
  return Object.keys(rest).length === Object.keys(wanted(old)).length ? old : { ...old, change: rest };
}

/**
 * What becomes of the cells that were not taken, those with `isLeft(index)`: `{left, less}`. `left` has the cells that
 * stay. `less` has `[act, cells]` for acts of `later` that were typed on top: their cells now build on the value that
 * was there before, and the parts that they set themselves do not stay in `left`.
 */
export function settled(cells, isLeft, whyOf, later) {
  const over = new Map();
  for (const act of later.filter(isUnsent)) {
    for (const cell of act.cells) if (!over.has(cellKey(cell))) over.set(cellKey(cell), { act, cell });
  }
  const [left, less] = [[], new Map()];
  for (const [index, cell] of cells.entries()) {
    if (!isLeft(index)) continue;
    const next = over.get(cellKey(cell));
    const rest = next ? restOf(cell.change, next.cell.change) : cell.change;
    if (rest) left.push({ ...cell, change: rest, left: whyOf(index) });
    if (next) less.set(next.act, new Map([...less.get(next.act) ?? [], [next.cell, { ...next.cell, was: cell.was }]]));
  }
  return { left, less: [...less].map(([act, known]) => [act, act.cells.map(cell => known.get(cell) ?? cell)]) };
}
