// Who did what in the class, newest first, in words.

import { h } from '../../../core/page/dom.js';
import { delayText } from '../../../core/text/delays.js';
import { dateTime, has, t, toInput } from '../../../core/text/i18n.js';
import { exactText } from '../../../core/text/traceWords.js';
import { statusText } from '../../../core/text/statuses.js';
import { valueIn } from '../../../core/values/own.js';
import { dialog } from '../../../parts/frame/dialog.js';
import { problemText } from '../../../parts/frame/problem.js';
import { cellText, empty, valueText } from '../cells.js';

// Of an act with more students than this, one reads how many there are before one reads them all.
const FEW = 3;

/** The sheet of the class's history; of one `row` alone where one is given. */
export function ledgerSheet(desk, row = null) {
  const state = { lines: [], next: null, isRead: false, error: null };
  const load = async path => {
    try {
      const { body, next } = await desk.app.http.get(path);
      Object.assign(state, { lines: [...state.lines, ...body.items], next, isRead: true, error: null });
      await learn(desk, body.items);
    } catch (error) {
      state.error = error;
    }
    desk.redraw();
  };
  load(row ? `${desk.path}/rows/${row.id}/history?limit=50` : `${desk.path}/ledger?limit=50`);
  return () => dialog({ key: 'ledger', title: row ? t('ledger.of', { name: row.name }) : t('ledger.title'), close: desk.closeSheet, className: 'sheet' },
    state.error && h('p', { class: 'alert', role: 'alert' }, problemText(state.error)),
    !state.isRead && !state.error && h('p', { class: 'muted' }, t('state.loading')),
    h('ol', { class: 'history' }, actsOf(state.lines).map(act => item(desk, act))),
    state.isRead && state.lines.length === 0 && h('p', { class: 'muted' }, t('ledger.empty')),
    state.next && h('button', { class: 'button quiet', type: 'button', onclick: () => load(state.next) }, t('action.more')));
}

// Names of staff whom this page has not met.
async function learn(desk, lines) {
  for (const { account, enrolment } of lines) {
    const row = desk.model.rows.get(enrolment);
    if (row && !desk.names.has(account) && account !== desk.app.store.state.account?.id) await desk.learnNames(row, account);
  }
}

// The lines of one act stand together.
function actsOf(lines) {
  const acts = [];
  for (const line of lines) {
    if (acts.at(-1)?.v === line.v) acts.at(-1).lines.push(line);
    else acts.push({ v: line.v, lines: [line] });
  }
  return acts;
}

function item(desk, { v, lines }) {
  const [{ at, account, operation, reason }] = lines;
  const name = desk.personName(account);
  const sentences = lines.flatMap(line => sentencesOf(desk, line, name));
  return h('li', { key: v },
    h('div', { class: 'history-head' },
      h('strong', null, t(has(`ledger.op.${operation}`) ? `ledger.op.${operation}` : 'ledger.op.other')),
      h('time', { datetime: at }, dateTime(at))),
    sentences.length > FEW
      ? h('details', null, h('summary', null, t('ledger.many', { name, count: sentences.length })), list(sentences))
      : list(sentences),
    reason && operation !== 'undo' && h('p', { class: 'muted' }, reason));
}

const list = sentences => h('ul', { class: 'changes' }, sentences.map((sentence, index) => h('li', { key: index }, sentence)));

const ofTheClass = {
  post: 'ledger.posted', hide: 'ledger.hid', close: 'ledger.closedClass', open: 'ledger.openedClass', correction: 'ledger.decidedCorrection',
  correction_asked: 'ledger.askedCorrection', correction_refused: 'ledger.refusedCorrection', class: 'ledger.settings', staff: 'ledger.staff',
  structure: 'ledger.structure', reveal: 'ledger.revealed', undo: 'ledger.structure', missed: 'ledger.nothingMissed',
};

/** What one line of the ledger says, as sentences. */
export function sentencesOf(desk, line, name) {
  const { enrolment, operation, before, after } = line;
  if (operation === 'marking') {
    const { line, codes = {} } = after ?? {};
    return [t('ledger.sealed', { name, title: titleIn(desk, String(line)), count: Object.keys(codes).length })];
  }
  if (operation === 'group') {
    const key = before ? (after ? 'ledger.renamedGroup' : 'ledger.deletedGroup') : 'ledger.madeGroup';
    return [t(key, { name, title: (after ?? before).group.title })];
  }
  if (enrolment === null) return [t(valueIn(ofTheClass, operation) ?? 'ledger.other', { name })];
  const student = desk.model.rows.get(enrolment)?.name ?? desk.gone.get(enrolment)?.name ?? t('program.noStudent');
  const isWithdrawn = valueIn(after, 'withdrawn');
  if (operation === 'enrol' || isWithdrawn === false) return [t('ledger.enrolled', { name, student })];
  if (operation === 'withdraw' || isWithdrawn) return [t('ledger.withdrew', { name, student })];
  if (operation === 'comment' || operation === 'comment_deleted') {
    return [t(operation === 'comment' ? 'ledger.commented' : 'ledger.uncommented', { name, student, title: titleIn(desk, String((after ?? before)?.line)) })];
  }
  if (valueIn(after, 'groups')) {
    const titles = after.groups.map(id => desk.taught.groups.find(group => group.id === id)?.title).filter(Boolean);
    return [t(titles.length > 0 ? 'ledger.grouped' : 'ledger.ungrouped', { name, student, titles: titles.join(', ') })];
  }
  if (operation === 'move') return [t('ledger.moved', { student, version: after.programVersion })];
  // What the server marked when a due day was over is no person's doing.
  if (operation === 'missed') return Object.keys(after ?? {}).map(number => t('ledger.missed', { student, title: titleIn(desk, number) }));
  const cells = Object.keys(after ?? {}).filter(name => /^\d+$/.test(name));
  return [...totalSentences(desk, before, after, name, student), ...cells.map(number => cellSentence(desk, number, before?.[number] ?? {}, after[number], name, student))];
}

// Figures of the total that were given or taken back.
function totalSentences(desk, before, after, name, student) {
  const [old, now] = [before, after].map(side => valueIn(side, 'given')?.figures ?? {});
  return [...new Set([...Object.keys(old), ...Object.keys(now)])].filter(figure => old[figure]?.at !== now[figure]?.at).map(figure => {
    const title = desk.model.all.find(column => column.figure === figure)?.title ?? figure;
    return now[figure]
      ? t('ledger.gave', { name, student, title, value: toInput(exactText(now[figure].value).replace('−', '-')) })
      : t('ledger.tookBack', { name, student, title });
  });
}

const lineOf = (desk, number) => desk.taught.structure.lines.find(item => String(item.number) === number);

function titleIn(desk, number) {
  const line = lineOf(desk, number);
  return line ? desk.lineTitle(line.id) : t('ledger.goneLine');
}

function cellSentence(desk, number, before, after, name, student) {
  const line = lineOf(desk, number);
  const title = titleIn(desk, number);
  const column = desk.model.all.find(item => item.line === line?.id && item.field === null);
  const value = cell => String((line ? cell.values?.[desk.gradeOf(line.id)] : null) ?? '');
  const [old, now] = [before, after].map(cell => textOf(desk, column, line, cell));
  const marksIn = cell => JSON.stringify(cell.marks ?? []);
  if (marksIn(before) !== marksIn(after) && value(before) === value(after)) return t('ledger.mark', { name, student, title });
  if (value(before) === value(after) && before.status !== after.status) {
    return after.status ? t('ledger.marked', { name, student, title, status: statusText(after.status, column) }) : t('ledger.unmarked', { name, student, title, status: statusText(before.status, column) });
  }
  if (old === now && (before.late ?? null) !== (after.late ?? null)) {
    return after.late ? t('ledger.late', { name, student, title, delay: delayText(after.late) }) : t('ledger.inTime', { name, student, title });
  }
  if (old === now) return t(after.held ? 'ledger.held' : 'ledger.changedCell', { name, student, title });
  if (now === '') return t('ledger.cleared', { name, value: old, student, title });
  return old === '' ? t('ledger.entered', { name, value: now, student, title }) : t('ledger.changed', { name, old, value: now, student, title });
}

function textOf(desk, column, line, { values = {}, status = null }) {
  const [first = null] = Object.values(values);
  const value = column ? values[desk.gradeOf(line.id)] ?? null : first;
  const text = column ? cellText(column, { ...empty, value, status: null }) : valueText({ type: 'number' }, value);
  return [text, status && statusText(status, column)].filter(Boolean).join(', ');
}
