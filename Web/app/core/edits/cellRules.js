// What becomes of results on their way into a class, as functions of values: no network, no storage, no clock.
//
// An act is what one person entered at once: one cell, or many as a `whole`. It is `sending` until its first answer,
// `waiting` when that did not come, and then gone. Cells that the server did not take stay as acts of their own: `refused`
// with its words, a `conflict` with the other's value, or `moved` where the column itself is another one now. A cell that
// holds already what is asked is taken, so that an act may be sent twice.

import { inOrder, isUnsent } from './editRules.js';

// So many cells that were entered one by one go in one request.
const MOST = 200;

/** Under which a cell is known: `{row, line, field}`. */
export const cellKey = ({ row, line, field }) => `${row}/${line}${field ? `/${field}` : ''}`;

/** The acts to send next in one request: a whole, or what waits of one class until the next whole. */
export function batchOf(acts, held = new Set()) {
  const waiting = acts.filter(act => isUnsent(act) && !held.has(act.class)).sort(inOrder);
  const [first] = waiting;
  if (!first || first.isWhole) return first ? [first] : [];
  const batch = [];
  const known = new Set();
  for (const act of waiting.filter(other => other.class === first.class)) {
    const [cell] = act.cells;
    if (act.isWhole || known.has(cellKey(cell)) || batch.length === MOST) break;
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
    return { method: 'PATCH', path: `${base}/rows/${encodeURIComponent(row)}`, body: { cells: { [line]: asked(cells[0]) } } };
  }
  const list = cells.map(cell => ({ row: cell.row, line: cell.line, ...asked(cell) }));
  return { method: 'POST', path: `${base}/cells?mode=each`, body: { cells: list } };
}

const asked = ({ change, was, s }) => ({ ...change, ...(was ? { was } : {}), s });

/** The faults of an answer or a refusal by the places of the cells; what names no cell is about all of them. */
export function faultsByCell(count, faults) {
  const found = Array.from({ length: count }, () => []);
  for (const fault of faults) {
    const place = count === 1 ? 0 : Number(/^\/cells\/(\d+)(\/|$)/.exec(fault.path)?.[1] ?? NaN);
    if (found[place]) found[place].push(fault);
    else for (const list of found) list.push(fault);
  }
  return found;
}

/** What a cell becomes that was not taken: its state with what belongs to it. */
export function leftBehind(faults, detail = null) {
  const conflict = faults.find(({ code }) => code === 'cell_conflict');
  if (conflict) {
    const { value = null, status = null, account = null, at = null } = conflict.args ?? {};
    return { state: 'conflict', other: { value, status, account, at: at === null ? null : Number(at) / 1000 }, faults: [] };
  }
  const state = faults.some(({ code }) => code === 'line_changed') ? 'moved' : 'refused';
  return { state, faults, detail };
}
