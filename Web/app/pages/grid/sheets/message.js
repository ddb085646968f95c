// Writes to the students that are shown. The server tells nobody's e-mail address; logins are known to those who teach,
// and many are addresses.

import { h } from '../../../core/page/dom.js';
import { t } from '../../../core/text/i18n.js';
import { dialog } from '../../../parts/frame/dialog.js';
import { learnMembers } from '../../../parts/record/students.js';
import { toDelimited } from '../clipboard.js';

// Some mail programs cut off a longer link.
const LONGEST = 2000;
const ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@.]+$/;

/** The link to a mail to `addresses`, none of which sees another one; null if there are none or too many for a link. */
export function mailTo(addresses) {
  const link = `mailto:?bcc=${addresses.map(address => encodeURIComponent(address).replace('%40', '@')).join(',')}`;
  return addresses.length > 0 && link.length <= LONGEST ? link : null;
}

/** The sheet for the students that are shown when it opens. */
export function messageSheet(desk) {
  const rows = [...desk.model.order];
  const state = { members: null, said: null, byHand: null };
  learnMembers(desk.app, desk.program.institution).then(members => {
    state.members = members;
    desk.redraw();
  });
  return () => dialog({
    key: 'message', title: t('message.title', { count: rows.length }), close: desk.sheets.close, className: 'sheet',
  },
    state.members ? ways(desk, rows, state) : h('p', { key: 'loading', class: 'muted' }, t('state.loading')));
}

function ways(desk, rows, state) {
  const { members, said, byHand } = state;
  const logins = rows.map(row => members.get(row.student)?.login ?? '');
  const addresses = [...new Set(logins.filter(login => ADDRESS.test(login)))];
  const link = mailTo(addresses);
  const numberOf = row => members.get(row.student)?.studentNumber ?? '';
  const list = rows.map((row, index) => [desk.model.nameOf(row), logins[index], numberOf(row)]);
  const copying = (text, done) => () => copy(desk, state, text, done);
  return [
    h('p', { class: 'help' }, t('message.about')),
    h('p', null, t('message.known', { known: addresses.length, count: rows.length })),
    addresses.length > 0 && !link && h('p', { key: 'many', class: 'banner' }, t('message.tooMany')),
    h('div', { class: 'actions' },
      link && h('a', { key: 'mail', class: 'button', href: link }, t('message.mail')),
      addresses.length > 0 && h('button', {
        key: 'addresses', class: link ? 'button quiet' : 'button', type: 'button',
        onclick: copying(addresses.join(', '), t('message.copied', { count: addresses.length })),
      }, t('message.copy')),
      h('button', {
        key: 'list', class: addresses.length > 0 ? 'button quiet' : 'button', type: 'button',
        onclick: copying(toDelimited(list, '\t'), t('message.listed', { count: rows.length })),
      }, t('message.list'))),
    link && h('p', { key: 'blind', class: 'help' }, t('message.blind')),
    said && h('p', { key: 'said', role: 'status' }, said),
    byHand && h('div', { key: 'by-hand', class: 'field' },
      h('label', { for: 'message-text' }, t('message.byHand')),
      h('textarea', {
        id: 'message-text', rows: 5, readonly: true, value: byHand, onfocus: event => event.target.select(),
      })),
  ];
}

// Browsers without access to the clipboard show the text.
async function copy(desk, state, text, done) {
  try {
    await navigator.clipboard.writeText(text);
    Object.assign(state, { said: done, byHand: null });
  } catch {
    Object.assign(state, { said: null, byHand: text });
  }
  desk.redraw();
}
