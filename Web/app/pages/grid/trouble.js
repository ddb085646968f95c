// What is wrong with a cell, and how to resolve it: the server's words, or both values with their authors. Above the
// grid: how much is not in the class yet, and why.

import { h } from '../../core/page/dom.js';
import { dateTime, t } from '../../core/text/i18n.js';
import { statusText } from '../../core/text/statuses.js';
import { cellKey } from '../../core/edits/cellRules.js';
import { confirmation } from '../../parts/frame/dialog.js';
import { valueOf, valueText } from './cells.js';
import { lostCells, whyLeft } from './left.js';

// At most this many cells without a place are listed.
const LISTED = 20;

/** The note beside a cell that was not taken; null for all other cells. `after` is called afterwards to move the
 *  focus. */
export function troubleNote(desk, row, column, after = () => {}) {
  const cell = desk.contents.trouble(row, column);
  if (!cell) return null;
  const { left } = cell;
  if (left.state === 'conflict') desk.names.learn(row, left.other.account);
  const decide = isKept => () => {
    desk.entry.decide(row, column, isKept);
    after();
  };
  return [
    h('p', { key: 'text' }, ...(left.state === 'conflict' ? conflict(desk, left, cell, column) : [whyLeft(left)])),
    left.state === 'doubtful' && h('p', { key: 'keys', class: 'muted' }, t('doubtful.keys')),
    h('div', { class: 'actions', key: 'ways' },
      left.state !== 'refused' && h('button', {
        key: 'keep', class: 'button small', type: 'button', onclick: decide(true),
      },
        t(left.state === 'doubtful' ? 'doubtful.yes' : 'grid.keepMine', { value: cell.text || t('grid.nothing') })),
      h('button', { key: 'take', class: 'button quiet small', type: 'button', onclick: decide(false) },
        left.state === 'conflict' ? t('grid.takeTheirs', { value: otherText(left, column) }) : t('grid.giveUp'))),
  ];
}

function conflict(desk, { other }, cell, column) {
  return [theirValue(desk, other, column), ' ', t('grid.yourValue', { value: cell.text || t('grid.nothing') })];
}

// A value that the server entered itself has a time and no author.
function theirValue(desk, other, column) {
  const value = otherText({ other }, column);
  const time = other.at === null ? null : dateTime(other.at);
  if (time && !other.account) return t('grid.serverValueAt', { value, time });
  const name = desk.names.of(other.account);
  return time ? t('grid.theirValueAt', { name, value, time }) : t('grid.theirValue', { name, value });
}

const otherText = ({ other }, column) =>
  (column.field === null ? resultText(other, column) : valueText(column, valueOf(other, column)))
  || t('grid.nothing');

const resultText = (other, column) =>
  [valueText(column, other.value), other.status && statusText(other.status, column)].filter(Boolean).join(', ');

/** What is not in the class yet; `goOn()` goes to the next cell that was not taken. */
export function openBanners(desk, goOn) {
  const { waiting, refused } = desk.open;
  const lost = lostCells(desk);
  const button = (text, onclick) => h('button', { key: text, class: 'button quiet small', type: 'button', onclick },
    text);
  return [
    waiting > 0 && h('p', { key: 'waiting', class: 'banner waiting', role: 'status' },
      t('class.waiting', { count: waiting })),
    refused > 0 && h('div', { key: 'refused', class: 'banner refused', role: 'status' },
      h('div', { class: 'grow' },
        h('p', null, t('class.refused', { count: refused })),
        lost.length > 0 && h('ul', { class: 'pending' },
          lost.slice(0, LISTED).map(({ cell, student, title }) => h('li', { key: cellKey(cell) },
            h('span', { class: 'grow' },
              t('class.lost', { student, title, value: cell.text || t('grid.nothing') }),
              ' ',
              whyLeft(cell.left)),
            button(t('grid.giveUp'), () => desk.entry.giveUp(new Set([cellKey(cell)])))))),
        lost.length > LISTED && h('p', null, t('roster.more', { count: lost.length - LISTED }))),
      refused > lost.length && button(t('class.nextRefused'), goOn),
      desk.permissions.mayGrade && button(t('class.tryAgain'), () => desk.entry.tryAgain()),
      button(t('class.giveUpAll'), () => {
        desk.asked = null;
        desk.sheets.open(givingUp(desk));
      })),
  ];
}

const givingUp = desk => () => confirmation({
  key: 'give-up', title: t('class.giveUpTitle', { count: desk.open.refused }), text: t('class.giveUpText'),
  action: t('class.giveUpAll'), close: desk.sheets.close,
  confirm: () => {
    desk.sheets.close();
    desk.entry.giveUp();
  },
});
