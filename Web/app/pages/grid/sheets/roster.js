// Who is in the class: adds students of the institution, and lets them leave.

import { h, named } from '../../../core/page/dom.js';
import { t } from '../../../core/text/i18n.js';
import { isMemberOf, searchable } from '../../../core/text/names.js';
import { kindOf } from '../../../core/data/kinds.js';
import { dialog } from '../../../parts/frame/dialog.js';
import { icon } from '../../../parts/frame/icons.js';
import { problemText } from '../../../parts/frame/problem.js';
import { alike, beginningOf, enrol, joining, recordsOf, textsOf } from './enrolling.js';
import { groupsSheet } from './groups.js';
import { severalSheet } from './several.js';
import { transferSheet } from './transfer.js';
import { learnMembers } from '../../../parts/record/students.js';

// At most this many of the members found are shown.
const MOST = 20;

/** The roster's sheet. */
export function rosterSheet(desk) {
  const state = { members: null, query: '', records: null, own: null, busy: false, how: beginningOf(desk) };
  learnMembers(desk.app, desk.program.institution).then(members => {
    state.members = [...members.values()].filter(member => member.role === 'student');
    desk.redraw();
  });
  return () => dialog({ key: 'roster', title: t('roster.title'), close: desk.sheets.close, className: 'sheet' },
    desk.permissions.mayTeach && search(desk, state),
    desk.permissions.mayTeach && h('div', { class: 'actions' },
      h('button', {
        class: 'button quiet', type: 'button',
        onclick: () => desk.sheets.open(severalSheet(desk, () => desk.sheets.open(rosterSheet(desk)))),
      }, t('several.open')),
      h('button', { class: 'button quiet', type: 'button', onclick: () => desk.sheets.open(groupsSheet(desk)) },
        t('group.many'))),
    state.records && choice(desk, state),
    state.own && replacing(desk, state),
    h('h3', null, t('people.students', { count: desk.model.rows.size })),
    h('ul', { class: 'rows' }, sorted(desk).map(row => h('li', { key: row.id },
      h('a', { class: 'grow', href: `/records/${row.record}` }, named(desk.model.nameOf(row))),
      desk.sections.length > 0 && sectionOf(desk, row),
      desk.permissions.mayTeach && h('button', {
        class: 'button quiet small', type: 'button', 'aria-label': t('roster.transferOne', { name: row.name }),
        onclick: () => desk.sheets.open(transferSheet(desk, row, () => desk.sheets.open(rosterSheet(desk)))),
      }, t('roster.transfer')),
      desk.permissions.mayTeach && h('button', {
        class: 'button quiet small', type: 'button', 'aria-label': t('roster.withdrawOne', { name: row.name }),
        onclick: () => desk.sheets.open(leavingSheet(desk, row)),
      }, t('roster.withdraw'))))));
}

const sorted = desk => [...desk.model.rows.values()].sort(desk.model.compareStudents);

// The section of a student; a teacher can move the student to another one.
function sectionOf(desk, row) {
  if (!desk.permissions.mayTeach) {
    return h('span', { class: 'pill' }, desk.sections.find(({ id }) => id === row.section)?.title ?? t('section.none'));
  }
  return h('select', {
    'aria-label': t('section.of', { name: row.name }), onchange: event => assign(desk, row, event.target.value || null),
  },
    h('option', { key: 'none', value: '', selected: row.section === null }, t('section.none')),
    desk.sections.map(({ id, title }) => h('option', { key: id, value: id, selected: id === row.section }, title)));
}

async function assign(desk, row, section) {
  try {
    const { body } = await desk.app.http.patch(`${desk.path}/enrolments/${row.id}`, { section });
    desk.entry.did(body.enrolment);
  } catch (error) {
    desk.app.say(problemText(error), 'bad');
  }
  await desk.rows.read();
  desk.redraw();
}

function search(desk, state) {
  const words = searchable(state.query);
  const inside = new Set([...desk.model.rows.values()].map(({ student }) => student));
  const found = words === '' ? []
    : (state.members ?? []).filter(member => !inside.has(member.account) && isMemberOf(member, words));
  return h('div', { class: 'roster-search' },
    h('div', { class: 'field' },
      h('label', { for: 'roster-query' }, t('roster.search')),
      h('input', {
        id: 'roster-query', type: 'search', autocomplete: 'off', value: state.query,
        oninput: event => {
          state.query = event.target.value;
          desk.redraw();
        },
        // Adds the first member found, for users who type names one after the other.
        onkeydown: event => {
          if (event.key !== 'Enter' || event.isComposing || found.length === 0) return;
          event.preventDefault();
          putIn(desk, state, found[0]);
        },
      })),
    joining(desk, state.how, 'roster'),
    state.members && words !== '' && found.length === 0 && h('p', { class: 'muted' }, t('roster.none')),
    h('ul', { class: 'rows' }, found.slice(0, MOST).map(member => h('li', { key: member.account },
      h('span', { class: 'grow' },
        h('strong', null, named(member.displayName)),
        h('span', { class: 'muted' }, named(member.studentNumber ?? member.login ?? ''))),
      h('button', { class: 'button quiet small', type: 'button', onclick: () => putIn(desk, state, member) },
        icon('plus'),
        t('roster.enrol'))))),
    found.length > MOST && h('p', { class: 'muted' }, t('roster.more', { count: found.length - MOST })));
}

// A student with several records: the teacher says in which one the class belongs.
function choice(desk, state) {
  const { member, list } = state.records;
  return h('div', { class: 'banner', key: 'records' },
    h('p', null, t('roster.whichRecord', { name: member.displayName })),
    list.map((record, index) =>
      h('button', {
        key: record.id, class: 'button quiet small', type: 'button',
        onclick: () => putIn(desk, state, member, record.id),
      }, t('roster.record', { number: index + 1 }))));
}

// A student whose own record already has an entry for the class's subject: the teacher says whether the class replaces
// it.
function replacing(desk, state) {
  const { member, record, list } = state.own;
  return h('div', { class: 'banner', key: 'own' },
    h('p', null, t('roster.own', { name: member.displayName })),
    list.map(entry =>
      h('button', {
        key: entry.id, class: 'button quiet small', type: 'button',
        onclick: () => putIn(desk, state, member, record, entry.id),
      }, t('roster.replace', { title: textsOf(entry.fields).join(' · ') }))),
    h('button', {
      key: 'beside', class: 'button quiet small', type: 'button',
      onclick: () => putIn(desk, state, member, record, null),
    }, t('roster.beside')));
}

// `replaced` is the entry that is removed, or null for none; if it is undefined, the teacher is asked if there is such
// an entry.
async function putIn(desk, state, member, record = null, replaced) {
  if (state.busy) return;
  state.busy = true;
  try {
    const list = replaced === undefined ? await alike(desk, member, record) : [];
    state.own = list.length > 0 ? { member, record, list } : null;
    if (state.own) return;
    await enrol(desk, member, state.how, { record, replaces: replaced });
    state.query = '';
    state.records = null;
    await desk.rows.read();
    desk.say(t('roster.enrolled', { name: member.displayName }));
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

/** Asks how a student leaves; `back()` closes the sheet. */
export function leavingSheet(desk, row, back = () => desk.sheets.open(rosterSheet(desk))) {
  let keep = 'false';
  const [root] = desk.taught.structure.lines;
  const kept = kindOf(desk.scheme, root.kind).statuses?.includes('withdrawn')
    ? ['false', 'true', 'withdrawn']
    : ['false', 'true'];
  const leave = async () => {
    const close = desk.sheets.closing(back);
    try {
      const { body } = await desk.app.http.delete(`${desk.path}/enrolments/${row.id}?keep=${keep}`);
      desk.entry.did(body.enrolment);
      await desk.rows.read();
      desk.say(t('roster.left', { name: row.name }));
    } catch (error) {
      desk.app.say(problemText(error), 'bad');
    }
    close();
  };
  return () => dialog({ key: `leave-${row.id}`, title: t('roster.withdrawTitle', { name: row.name }), close: back },
    h('p', null, t('roster.withdrawText')),
    h('div', { class: 'field' },
      h('label', { for: 'leave-keep' }, t('roster.keep')),
      h('select', { id: 'leave-keep', onchange: event => { keep = event.target.value; } },
        kept.map(value => h('option', { key: value, value, selected: value === keep }, t(`roster.keep.${value}`))))),
    h('div', { class: 'actions' },
      h('button', { class: 'button danger', type: 'button', onclick: leave }, t('roster.withdraw')),
      h('button', { class: 'button quiet', type: 'button', autofocus: true, onclick: back }, t('action.cancel'))));
}
