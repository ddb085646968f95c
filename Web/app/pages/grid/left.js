// The cells that were not taken, by place: the next one, and those whose row or column is gone.

import { sentences, t } from '../../core/text/i18n.js';

/** The key of a cell's column. */
export const columnKey = ({ line, field }) => (field ? `${line}/${field}` : line);

const cellsOf = desk => desk.author.of(desk.id).flatMap(({ cells }) => cells).filter(({ left }) => left);

/** The next cell that was not taken, as `{row, column}`, after the active one. Rows and columns that are not shown are
 *  included; such rows come after the others. Null if there is none. */
export function nextLeft(desk) {
  const { rows, all: columns, order, active } = desk.model;
  const numbers = new Map(order.map(({ id }, index) => [id, index]));
  const known = new Map(columns.map((column, index) => [column.key, index]));
  const places = cellsOf(desk).filter(cell => rows.has(cell.row) && known.has(columnKey(cell)))
    .map(cell => ({ id: cell.row, row: numbers.get(cell.row) ?? order.length, column: known.get(columnKey(cell)) }))
    .sort((one, other) => one.row - other.row || one.column - other.column);
  const here = known.get(desk.model.activeColumn?.key) ?? -1;
  const found = places.find(({ row, column }) => row > active.row || (row === active.row && column > here))
    ?? places[0];
  return found ? { row: rows.get(found.id), column: columns[found.column] } : null;
}

/** The cells that were not taken and have no place any more: `{cell, student, title}`. */
export function lostCells(desk) {
  const { rows, all: columns } = desk.model;
  const known = new Set(columns.map(({ key }) => key));
  return cellsOf(desk).filter(cell => !rows.has(cell.row) || !known.has(columnKey(cell))).map(cell => ({
    cell, student: (rows.get(cell.row) ?? desk.gone.get(cell.row))?.name ?? t('program.noStudent'),
    title: desk.lines.has(cell.line) ? desk.lineTitle(cell.line) : cell.title,
  }));
}

/** Why a cell was not taken, in words. */
export function whyLeft({ state, faults, detail }) {
  if (state === 'conflict') return t('grid.conflict');
  if (state === 'moved') return t('grid.moved');
  const texts = faults.map(fault => fault.message).filter(Boolean);
  return texts.length > 0 ? sentences([...new Set(texts)]) : detail ?? t('error.unexpected');
}
