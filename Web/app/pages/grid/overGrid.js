// What is shown over the grid: a paste that is not entered yet, and why the active cell was not taken.

import { h } from '../../core/page/dom.js';
import { t } from '../../core/text/i18n.js';
import { countsText, doubtsOf, wayOf } from './paste.js';

// The width of a note, and the space that it needs below its cell, in pixels.
const NOTE = { width: 288, height: 140 };

/** What a plan would do. `enter(isConfirmed)` enters it, with the doubtful results if they are confirmed; `drop()`
 *  gives it up. */
export function planBar(plan, enter, drop) {
  const [way, doubts] = [wayOf(plan), doubtsOf(plan)];
  return h('div', { class: 'grid-plan', key: 'plan', role: 'group', 'aria-label': t('paste.title') },
    h('p', { class: 'grow' }, h('strong', null, t('paste.title')), ' ', countsText(plan)),
    way && h('button', { class: 'button small', type: 'button', onclick: () => enter(false) }, way),
    doubts && h('button', { key: 'doubts', class: 'button quiet small', type: 'button', onclick: () => enter(true) },
      doubts),
    h('button', { class: 'button quiet small', type: 'button', onclick: drop }, t('action.cancel')));
}

/** A note beside a cell at `box`, within the grid at `frame`. */
export function cellNote(content, box, frame) {
  const left = Math.max(0, Math.min(box.left - frame.left, frame.width - NOTE.width));
  const isAbove = box.bottom - frame.top > frame.height - NOTE.height;
  const style = {
    left: `${left}px`,
    ...(isAbove ? { bottom: `${frame.bottom - box.top + 4}px` } : { top: `${box.bottom - frame.top + 4}px` }),
  };
  return h('div', { class: 'cell-note', key: 'note', role: 'group', 'aria-label': t('grid.trouble'), style }, content);
}
