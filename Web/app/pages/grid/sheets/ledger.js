// Who did what in the class, newest first: each act can be expanded to show the cells that it changed, and can be
// undone.

import { h, named } from '../../../core/page/dom.js';
import { dateTime, has, t } from '../../../core/text/i18n.js';
import { compareNames } from '../../../core/text/names.js';
import { valueIn } from '../../../core/values/own.js';
import { dialog } from '../../../parts/frame/dialog.js';
import { problemText } from '../../../parts/frame/problem.js';
import { cellsIn, sentencesOf, studentOf } from './ledgerWords.js';
import { structureChanges } from './structureChanges.js';

// Acts with more changes than this show only their number until they are expanded.
const FEW = 3;
// At most this many cells of an act are listed.
const LISTED = 500;
// The number of acts that are shown at first and that are added at once, and the greatest number of pages of the ledger
// that are read for them.
const ACTS = 20;
const PAGES = 10;

/** The sheet with the class's history, or only that of `row` if it is given. */
export function ledgerSheet(desk, row = null) {
  const state = {
    redraw: desk.redraw, filter: { student: '', column: '', person: '' }, toggled: new Map(), structures: new Map(),
    left: null, isBusy: false,
  };
  const nothing = {
    lines: [], next: `${row ? `${desk.path}/rows/${row.id}/history` : `${desk.path}/ledger`}?limit=200`, wanted: ACTS,
    error: null,
  };
  // The current content stays until there is something to replace it.
  const load = async (next = state) => {
    if (state.isBusy) return;
    state.isBusy = true;
    try {
      for (let page = 0; next.next && page < PAGES && shownActs(desk, next).length < next.wanted; page += 1) {
        await read(desk, next);
      }
      Object.assign(state, next, { isBusy: true });
      desk.redraw();
      await learnStructures(desk, state);
    } catch (error) {
      state.error = error;
    }
    state.isBusy = false;
    desk.redraw();
  };
  const choose = filter => {
    Object.assign(state.filter, filter);
    state.wanted = ACTS;
    desk.redraw();
    load();
  };
  const takeBack = async act => {
    Object.assign(state, { error: null, left: null });
    try {
      const { body } = await desk.app.http.post(`${desk.path}/undo`, { v: act.v });
      desk.entry.did(body);
      desk.say(t(body.changed ? 'grid.undone' : 'grid.nothingToUndo'));
      state.left = body.faults.length > 0 ? { v: act.v, text: leftText(desk, body.faults) } : null;
      await Promise.all([desk.lookAtClass(), desk.rows.read()]);
      await load({ ...state, ...nothing });
      // The button is gone, so the focus goes to its act.
      requestAnimationFrame(() =>
        requestAnimationFrame(() => document.querySelector(`[data-act="${act.v}"]`)?.focus()));
    } catch (error) {
      state.error = error;
      desk.redraw();
    }
  };
  Object.assign(state, nothing);
  load();
  return () => {
    const acts = shownActs(desk, state);
    const back = takenBack(state);
    return dialog({
      key: 'ledger', title: row ? t('ledger.of', { name: row.name }) : t('ledger.title'), close: desk.sheets.close,
      className: 'sheet',
    },
      state.error && h('p', { class: 'alert', role: 'alert' }, problemText(state.error)),
      filters(desk, state, row, choose),
      h('ol', { class: 'history' }, acts.slice(0, state.wanted).map(act => item(desk, state, act, {
        isBack: back.has(act.v), undo: row || back.has(act.v) || !isUndoable(desk, act) ? null : () => takeBack(act),
      }))),
      state.isBusy && acts.length === 0 && h('p', { class: 'muted' }, t('state.loading')),
      !state.isBusy && !state.error && acts.length === 0
        && h('p', { class: 'muted' }, t(state.lines.length === 0 ? 'ledger.empty' : 'ledger.noMatch')),
      (state.next || acts.length > state.wanted) && h('button', {
        class: 'button quiet', type: 'button', disabled: state.isBusy, onclick: () => {
          state.wanted += ACTS;
          load();
        },
      }, t('action.more')));
  };
}

async function read(desk, state) {
  const { body, next } = await desk.app.http.get(state.next);
  Object.assign(state, { lines: [...state.lines, ...body.items], next });
  // Learns the names of staff members whom this page does not know yet.
  for (const { account, enrolment } of body.items) {
    const row = desk.model.rows.get(enrolment);
    if (row) await desk.names.learn(row, account);
  }
}

// Acts about the lines of the class name structures by their numbers.
const structural = ({ enrolment, before, after }) => enrolment === null && Number.isInteger(valueIn(after, 's'))
  && after.s !== valueIn(before, 's');

async function learnStructures(desk, state) {
  for (const { lines } of shownActs(desk, state).slice(0, state.wanted)) {
    for (const number of lines.filter(structural).flatMap(({ before, after }) => [valueIn(before, 's'), after.s])) {
      if (!Number.isInteger(number) || state.structures.has(number)) continue;
      const { body } = await desk.app.http.get(`${desk.path}/structures/${number}`);
      state.structures.set(number, body);
      for (const line of body.lines) desk.former.set(String(line.number), line);
    }
  }
}

// The lines of one act are adjacent. The last act that was read may continue on the next page.
function actsOf({ lines, next }) {
  const acts = [];
  for (const line of lines) {
    if (acts.at(-1)?.v === line.v) acts.at(-1).lines.push(line);
    else acts.push({
      v: line.v, at: line.at, account: line.account, operation: line.operation, reason: line.reason, lines: [line],
    });
  }
  return next ? acts.slice(0, -1) : acts;
}

/** The acts that the filters show, with the parts of them that the filters show. */
function shownActs(desk, state) {
  const { student, column, person } = state.filter;
  return toldActs(desk, state).filter(act => person === '' || by(act) === person).map(act => {
    const isShown = item => (student === '' || item.row === student) && (column === '' || item.column === column);
    return {
      ...act, cells: act.cells.filter(isShown), changes: act.changes.filter(isShown),
      sentences: act.sentences.filter(isShown), size: act.cells.length + act.changes.length,
    };
  }).filter(({ cells, changes, sentences }) => (student === ''
    && column === '') || cells.length + changes.length + sentences.length > 0);
}

// Computed once, as long as nothing new is learnt that changes the texts.
function toldActs(desk, state) {
  const stamp = [state.lines.length, state.next, state.structures.size, desk.names.size, desk.model.rows.size,
    desk.taught.structure.s].join();
  if (state.stamp !== stamp) Object.assign(state, { stamp, told: actsOf(state).map(act => told(desk, state, act)) });
  return state.told;
}

// No person has done what the server marked itself.
const by = ({ operation, account }) => (operation === 'missed' ? null : account);

// The content of an act: `cells`, `changes` of the class's lines, and `sentences` about everything else.
function told(desk, state, act) {
  const name = desk.names.of(act.account);
  const cells = [...act.lines].reverse().flatMap(line => cellsIn(desk, line));
  const changes = act.lines.filter(structural).flatMap(({ before, after }) => {
    const [old, now] = [before, after].map(side => state.structures.get(valueIn(side, 's')));
    return now && (old || !before)
      ? structureChanges(old, now, desk.scheme).map(item => ({ ...item, row: null, column: item.line }))
      : [];
  });
  const isTold = line => cellsIn(desk, line).length === 0 || ['enrol', 'withdraw'].includes(line.operation);
  const sentences = act.lines.filter(isTold)
    .flatMap(line => sentencesOf(desk, line, name).map(text => ({ text, row: line.enrolment, column: null })));
  const [alone] = cells.length === 1
    ? act.lines.filter(line => !isTold(line)).flatMap(line => sentencesOf(desk, line, name))
    : [];
  return { ...act, name, cells, changes, sentences, alone };
}

// The acts that were undone and not done again. An undo comes before the act that it undoes.
function takenBack(state) {
  const back = new Set();
  for (const { v, operation, reason } of state.lines) {
    const of = operation === 'undo' && !back.has(v) ? /^undo of (\d+)$/.exec(reason ?? '') : null;
    if (of) back.add(Number(of[1]));
  }
  return back;
}

const UNDOABLE = ['cells', 'missed', 'undo', 'override', 'groups', 'enrol', 'withdraw', 'section', 'structure', 'post',
  'hide'];

// As far as the page can tell: changes of the lines can be undone as long as nobody has changed the lines again.
function isUndoable(desk, { lines, operation }) {
  const ofLines = lines.find(structural);
  return desk.permissions.mayTeach && UNDOABLE.includes(operation)
    && (!ofLines || (ofLines.before && ofLines.after.s === desk.taught.structure.s));
}

// What others have changed since stays, and is named.
function leftText(desk, faults) {
  const cells = faults.map(({ path = '' }) => path.split('/')).filter(steps => steps.length === 4)
    .map(([, , row, line]) => t('grid.cellOf', { name: studentOf(desk, row), title: desk.lineTitle(line) }));
  return t('ledger.left', { count: faults.length, cells: cells.slice(0, ACTS).join(' · ') });
}

function filters(desk, state, row, choose) {
  const acts = toldActs(desk, state);
  const items = acts.flatMap(({ cells, changes, sentences }) => [...cells, ...changes, ...sentences]);
  const sorted = pairs => [...new Map(pairs)].sort(([, one], [, other]) => compareNames(one, other));
  const select = (name, title, every, pairs) => (pairs.length > 1 || state.filter[name] !== '')
    && h('div', { key: name, class: 'field' },
      h('label', { for: `ledger-${name}` }, title),
      h('select', { id: `ledger-${name}`, onchange: event => choose({ [name]: event.target.value }) },
        h('option', { key: 'all', value: '', selected: state.filter[name] === '' }, every),
        pairs.map(([value, text]) =>
          h('option', { key: value, value, selected: value === state.filter[name] }, text))));
  return h('div', { key: 'filters', class: 'ledger-filters' },
    !row
      && select('student', t('program.student'), t('ledger.allStudents'),
        sorted(items.filter(item => item.row).map(item => [item.row, studentOf(desk, item.row)]))),
    select('column', t('grid.column'), t('ledger.allColumns'),
      sorted(items.filter(({ column }) => column).map(({ column, title }) => [column, title]))),
    select('person', t('ledger.person'), t('ledger.allPeople'),
      sorted(acts.filter(by).map(act => [by(act), act.name]))));
}

function item(desk, state, act, { undo, isBack }) {
  const { v, at, operation, reason, name, cells, changes, sentences, alone, size } = act;
  const title = t(has(`ledger.op.${operation}`) ? `ledger.op.${operation}` : 'ledger.op.other');
  return h('li', { key: v, tabindex: '-1', 'data-act': v, 'data-undone': isBack ? '' : null },
    h('div', { class: 'history-head' },
      h('strong', null, title),
      isBack && h('span', { class: 'pill' }, t('ledger.takenBack')),
      h('time', { datetime: at }, dateTime(at))),
    sentences.length > FEW
      ? h('details', null, h('summary', null, t('ledger.many', { name, count: sentences.length })), list(sentences))
      : sentences.length > 0 && changes.length === 0 && list(sentences),
    cells.length > 0
      && opened(state, act, cells,
        cells.length === 1 && alone
          ? alone
          : by(act)
          ? t('ledger.many', { name, count: cells.length })
          : t('ledger.cells', { count: cells.length })),
    changes.length > 0
      && opened(state, act, changes,
        t('ledger.changes', { text: sentences[0]?.text ?? t('ledger.structure', { name }), count: changes.length })),
    reason && operation !== 'undo' && h('p', { class: 'muted' }, reason),
    state.left?.v === v && h('p', { class: 'muted', role: 'status' }, state.left.text),
    undo
      && undoButton(size > cells.length + changes.length ? t('ledger.undoAll', { count: size }) : t('action.undo'),
        t('ledger.undoOf', { title, time: dateTime(at) }), undo));
}

const undoButton = (text, about, onclick) => h('button', {
  class: 'button quiet small', type: 'button', title: about, onclick,
}, text);

const list = sentences => h('ul', { class: 'changes' },
  sentences.map(({ text }, index) => h('li', { key: index }, text)));

// The changes of an act, as a table that is drawn once it is expanded.
function opened(state, { v }, items, summary) {
  const isOpen = state.toggled.get(v) ?? (items.length > 1 && items.length <= FEW);
  return h('details', {
    key: 'cells', open: isOpen,
    ontoggle: event => state.toggled.get(v) !== event.target.open && state.toggled.set(v, event.target.open)
      && state.redraw(),
  },
    h('summary', null, summary),
    isOpen && table(items));
}

function table(items) {
  const ofLines = items[0].what !== undefined;
  const heads = ofLines ? [t('structure.line'), t('ledger.what')] : [t('program.student'), t('grid.column')];
  return h('div', { class: 'ledger-scroll' }, h('table', { class: 'ledger-table' },
    h('thead', null,
      h('tr', null,
        [...heads, t('ledger.before'), t('ledger.after')].map(text => h('th', { key: text, scope: 'col' }, text)))),
    h('tbody', null, items.slice(0, LISTED).map((each, index) => h('tr', { key: index },
      h('th', { scope: 'row' }, named(ofLines ? each.title : each.student)),
      h('td', null, ofLines ? each.what : each.title),
      h('td', null, each.before || '–'),
      h('td', null, each.after || '–'))))),
  items.length > LISTED && h('p', { class: 'muted' }, t('roster.more', { count: items.length - LISTED })));
}
