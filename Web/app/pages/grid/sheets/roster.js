// Who is in the class: students of the institution are put in, and leave.

import { h, named } from '../../../core/page/dom.js';
import { t } from '../../../core/text/i18n.js';
import { dialog } from '../../../parts/frame/dialog.js';
import { icon } from '../../../parts/frame/icons.js';
import { problemText } from '../../../parts/frame/problem.js';
import { learnMembers } from '../../../parts/record/students.js';

// So many found members are shown, and so many pages of a student's records are read.
const MOST = 20;
const PAGES = 10;

/** The roster's sheet. */
export function rosterSheet(desk) {
  const state = { members: null, query: '', records: null, busy: false };
  learnMembers(desk.app, desk.program.institution).then(members => {
    state.members = [...members.values()].filter(member => member.role === 'student');
    desk.redraw();
  });
  return () => dialog({ key: 'roster', title: t('roster.title'), close: desk.closeSheet, className: 'sheet' },
    desk.mayTeach && search(desk, state),
    state.records && choice(desk, state),
    h('h3', null, t('people.students', { count: desk.model.rows.size })),
    h('ul', { class: 'rows' }, [...desk.model.rows.values()].sort((one, other) => one.name.localeCompare(other.name)).map(row => h('li', { key: row.id },
      h('a', { class: 'grow', href: `/records/${row.record}` }, named(row.name)),
      desk.mayTeach && h('button', { class: 'button quiet small', type: 'button', 'aria-label': t('roster.withdrawOne', { name: row.name }), onclick: () => desk.openSheet(leavingSheet(desk, row)) }, t('roster.withdraw'))))));
}

function search(desk, state) {
  const words = state.query.trim().toLowerCase();
  const inside = new Set([...desk.model.rows.values()].map(({ student }) => student));
  const found = words === '' ? [] : (state.members ?? []).filter(member => !inside.has(member.account)
    && `${member.displayName} ${member.login ?? ''} ${member.studentNumber ?? ''}`.toLowerCase().includes(words));
  return h('div', { class: 'roster-search' },
    h('div', { class: 'field' },
      h('label', { for: 'roster-query' }, t('roster.search')),
      h('input', {
        id: 'roster-query', type: 'search', autocomplete: 'off', value: state.query,
        oninput: event => {
          state.query = event.target.value;
          desk.redraw();
        },
        // The first one found, for those who type names one after the other.
        onkeydown: event => {
          if (event.key !== 'Enter' || event.isComposing || found.length === 0) return;
          event.preventDefault();
          enrol(desk, state, found[0]);
        },
      })),
    state.members && words !== '' && found.length === 0 && h('p', { class: 'muted' }, t('roster.none')),
    h('ul', { class: 'rows' }, found.slice(0, MOST).map(member => h('li', { key: member.account },
      h('span', { class: 'grow' }, h('strong', null, named(member.displayName)), h('span', { class: 'muted' }, named(member.studentNumber ?? member.login ?? ''))),
      h('button', { class: 'button quiet small', type: 'button', onclick: () => enrol(desk, state, member) }, icon('plus'), t('roster.enrol'))))),
    found.length > MOST && h('p', { class: 'muted' }, t('roster.more', { count: found.length - MOST })));
}

// A student with several records: the teacher says in which one the class belongs.
function choice(desk, state) {
  const { member, list } = state.records;
  return h('div', { class: 'banner', key: 'records' },
    h('p', null, t('roster.whichRecord', { name: member.displayName })),
    list.map((record, index) => h('button', { key: record.id, class: 'button quiet small', type: 'button', onclick: () => enrol(desk, state, member, record.id) }, t('roster.record', { number: index + 1 }))));
}

async function enrol(desk, state, member, record = null) {
  if (state.busy) return;
  state.busy = true;
  try {
    const { body } = await desk.app.http.post(`${desk.path}/enrolments`, { student: member.account, ...(record ? { record } : {}) });
    desk.did(body.enrolment.v);
    state.query = '';
    state.records = null;
    await desk.rows.read();
    desk.say(t('roster.enrolled', { name: member.displayName }));
    desk.names.set(body.enrolment.student, member.displayName);
  } catch (error) {
    await offerRecords(desk, state, member, error);
  } finally {
    state.busy = false;
    desk.redraw();
  }
}

async function offerRecords(desk, state, member, problem) {
  try {
    if (!problem.faults?.some(({ code }) => code === 'record_ambiguous')) throw problem;
    state.records = { member, list: await recordsOf(desk, member) };
  } catch (error) {
    desk.app.say(problemText(error), 'bad');
  }
}

async function recordsOf(desk, member) {
  const records = [];
  let path = `/v1/records?program=${desk.program.id}&student=${encodeURIComponent(member.account)}&limit=200`;
  for (let page = 0; path && page < PAGES; page += 1) {
    const { body, next } = await desk.app.http.get(path);
    records.push(...body.items);
    path = next;
  }
  return records;
}

function leavingSheet(desk, row) {
  let isKept = false;
  const back = () => desk.openSheet(rosterSheet(desk));
  const leave = async () => {
    try {
      const { body } = await desk.app.http.delete(`${desk.path}/enrolments/${row.id}${isKept ? '?keep=true' : ''}`);
      desk.did(body.enrolment.v);
      await desk.rows.read();
      desk.say(t('roster.left', { name: row.name }));
    } catch (error) {
      desk.app.say(problemText(error), 'bad');
    }
    back();
  };
  return () => dialog({ key: `leave-${row.id}`, title: t('roster.withdrawTitle', { name: row.name }), close: back },
    h('p', null, t('roster.withdrawText')),
    h('div', { class: 'field boolean' },
      h('input', { id: 'leave-keep', type: 'checkbox', checked: isKept, onchange: event => { isKept = event.target.checked; } }),
      h('label', { for: 'leave-keep' }, t('roster.keep'))),
    h('div', { class: 'actions' },
      h('button', { class: 'button danger', type: 'button', onclick: leave }, t('roster.withdraw')),
      h('button', { class: 'button quiet', type: 'button', autofocus: true, onclick: back }, t('action.cancel'))));
}
