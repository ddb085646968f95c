// Collects the rows of a sheet while it is read, within bounds.

import { FileFault } from './zip.js';

// The longest text of a cell, in characters, and the greatest number of columns.
export const LONGEST = 1000;
export const MOST_COLUMNS = 500;

/** A text with more appended, up to the greatest length of a cell's text. */
export const joined = (text, more) => (text.length > LONGEST ? text : `${text}${more}`.slice(0, LONGEST + 1));

/**
 * `rows` of texts, and `faults` by `row/column`, which say why the text of a cell is not its value. There are at most
 * `most` cells, including empty ones before and between others.
 */
export class SheetRows {
  rows = [];
  faults = new Map();
  #count = 0;
  #steps = 0;
  #most;

  constructor(most) {
    this.#most = most;
  }

  // Ordinary files have formatted rows and columns without content; only cells with content take space.
  put(down, across, { text, fault = null }) {
    if (text === '') return;
    if (across >= MOST_COLUMNS) throw new FileFault('tooLarge');
    const { rows } = this;
    this.#count += Math.max(0, down + 1 - rows.length) + Math.max(0, across + 1 - (rows[down]?.length ?? 0));
    if (this.#count > this.#most) throw new FileFault('tooLarge');
    while (rows.length <= down) rows.push([]);
    while (rows[down].length < across) rows[down].push('');
    rows[down][across] = text;
    if (fault) this.faults.set(`${down}/${across}`, fault);
    else this.faults.delete(`${down}/${across}`);
  }

  /** Empties all cells of an area except its first one, which covers them. */
  cover({ top, left, bottom, right }) {
    for (let down = top; down <= Math.min(bottom, this.rows.length - 1); down += 1) {
      const row = this.rows[down];
      for (let across = left; across <= Math.min(right, row.length - 1); across += 1) {
        this.#step();
        if (down === top && across === left) continue;
        row[across] = '';
        this.faults.delete(`${down}/${across}`);
      }
      this.#step();
    }
  }

  /** Puts the result of one formula into all cells of an area whose text is one of `open`. */
  spread({ top, left, bottom, right }, said, open) {
    for (let down = top; down <= bottom; down += 1) {
      for (let across = left; across <= right; across += 1) {
        this.#step();
        if (open.includes(this.rows[down]?.[across] ?? '')) this.put(down, across, said);
      }
    }
  }

  // The areas of ordinary files do not overlap.
  #step() {
    if ((this.#steps += 1) > 2 * this.#most) throw new FileFault('tooLarge');
  }
}
