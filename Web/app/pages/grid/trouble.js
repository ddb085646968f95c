// What is wrong with a cell, and the way out of it: the server's words, or both values with their authors.

import { h } from '../../core/page/dom.js';
import { dateTime, t } from '../../core/text/i18n.js';
import { statusText, valueText } from './cells.js';

/** What stands beside a cell that was not taken; null for every other. `act` is what becomes of the focus afterwards. */
export function troubleNote(desk, row, column, after = () => {}) {
  const over = desk.trouble(row, column);
  if (!over) return null;
  const { act, cell } = over;
  if (act.state === 'conflict') desk.learnNames(row, act.other.account);
  const decide = isKept => () => {
    desk.decide(row, column, isKept);
    after();
  };
  return [
    h('p', { key: 'text' }, ...(act.state === 'conflict' ? conflict(desk, act, cell, column) : [desk.faultText(act)])),
    h('div', { class: 'actions', key: 'ways' },
      act.state !== 'refused' && h('button', { key: 'keep', class: 'button small', type: 'button', onclick: decide(true) }, t('grid.keepMine', { value: cell.text || t('grid.nothing') })),
      h('button', { key: 'take', class: 'button quiet small', type: 'button', onclick: decide(false) },
        act.state === 'conflict' ? t('grid.takeTheirs', { value: otherText(act, column) }) : t('grid.giveUp'))),
  ];
}

function conflict(desk, { other }, cell, column) {
  const name = desk.personName(other.account);
  const theirs = { name, value: otherText({ other }, column) };
  return [
    other.at === null ? t('grid.theirValue', theirs) : t('grid.theirValueAt', { ...theirs, time: dateTime(other.at) }), ' ',
    t('grid.yourValue', { value: cell.text || t('grid.nothing') }),
  ];
}

const otherText = ({ other }, column) =>
  [valueText(column, other.value), other.status && statusText(other.status)].filter(Boolean).join(', ') || t('grid.nothing');
