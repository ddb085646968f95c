// Changes in a class after it has ended: one person requests them, a second one approves them.

import { h, named } from '../../../core/page/dom.js';
import { dateTime, sentences, t } from '../../../core/text/i18n.js';
import { statusText } from '../../../core/text/statuses.js';
import { Problem } from '../../../core/net/http.js';
import { dialog } from '../../../parts/frame/dialog.js';
import { Form } from '../../../parts/frame/form.js';
import { problemText } from '../../../parts/frame/problem.js';
import { cellText, empty, readTyped, seenIn, valueText } from '../cells.js';

/** The sheet that requests another result in a cell of a closed class. */
export function askSheet(desk, row, column) {
  const seen = desk.contents.of(row, column);
  const form = new Form(desk.redraw, async data => {
    const { change, fault } = readTyped(column, String(data.get('/cells/0/value')), seen);
    if (fault || change === null) throw refusal('/cells/0/value', fault ?? t('corrections.same'));
    const doubt = desk.doubts.asker()(column, change);
    if (doubt) {
      // Sending it again confirms it.
      desk.doubts.confirm(column, change);
      throw refusal('/cells/0/value', sentences([doubt, t('corrections.again')]));
    }
    const cells = [{
      row: row.id, line: column.line, ...change, was: seenIn(column, seen), s: desk.taught.structure.s,
    }];
    const close = desk.sheets.closing();
    await desk.app.http.post(`${desk.path}/corrections`, { cells, reason: String(data.get('/reason')).trim() });
    close();
    desk.app.say(t('corrections.asked'), 'good');
    await desk.lookAtClass();
  });
  return () => dialog({
    key: 'ask-correction', title: t('corrections.ask', { title: column.title, name: row.name }),
    close: desk.sheets.close, className: 'sheet',
  },
    h('p', { class: 'help' }, t('corrections.help')),
    form.view([
      form.text({
        name: '/cells/0/value', label: t('corrections.result'), value: cellText(column, seen), autocomplete: 'off',
      }),
      form.text({ name: '/reason', label: t('corrections.reason'), value: '', maxlength: 500, required: true }),
    ], { action: t('corrections.send'), cancel: desk.sheets.close }));
}

const refusal = (path, message) => new Problem(422, { code: 'invalid', faults: [{ path, code: 'invalid', message }] });

/** The sheet with the class's corrections, newest first. */
export function correctionsSheet(desk) {
  const state = { items: [], next: null, isRead: false, error: null, busy: false };
  const load = async path => {
    try {
      const { body, next } = await desk.app.http.get(path);
      Object.assign(state, { items: [...state.items, ...body.items], next, isRead: true, error: null });
    } catch (error) {
      state.error = error;
    }
    desk.redraw();
  };
  const reload = () => {
    state.items = [];
    return load(`${desk.path}/corrections?limit=50`);
  };
  reload();
  return () =>
    dialog({ key: 'corrections', title: t('corrections.title'), close: desk.sheets.close, className: 'sheet' },
      h('p', { class: 'help' }, t('corrections.help')),
      state.error && h('p', { class: 'alert', role: 'alert' }, problemText(state.error)),
      !state.isRead && !state.error && h('p', { class: 'muted' }, t('state.loading')),
      h('ol', { class: 'history' }, state.items.map(correction => item(desk, state, correction, reload))),
      state.isRead && state.items.length === 0 && h('p', { class: 'muted' }, t('corrections.none')),
      state.next && h('button', { class: 'button quiet', type: 'button', onclick: () => load(state.next) },
        t('action.more')));
}

function item(desk, state, correction, reload) {
  const isOwn = correction.account === desk.app.store.state.account?.id;
  const decide = work => async () => {
    if (state.busy) return;
    state.busy = true;
    try {
      await work();
      await desk.lookAtClass();
      await desk.rows.read();
    } catch (error) {
      desk.app.say(problemText(error), 'bad');
    }
    state.busy = false;
    await reload();
  };
  const path = `${desk.path}/corrections/${encodeURIComponent(correction.id)}`;
  const approve = decide(() => desk.app.http.post(`${path}/approve`));
  const refuse = decide(() => desk.app.http.delete(path));
  const mayRefuse = (isOwn || desk.permissions.mayApprove) && ['waiting', 'void'].includes(correction.state);
  const mayApprove = desk.permissions.mayApprove && !isOwn && correction.state === 'waiting';
  return h('li', { key: correction.id },
    h('div', { class: 'history-head' },
      h('strong', null, t(`corrections.state.${correction.state}`)),
      h('time', { datetime: correction.at }, dateTime(correction.at))),
    h('ul', { class: 'changes' },
      correction.cells.map((cell, index) => h('li', { key: index }, sentenceOf(desk, cell)))),
    h('p', null,
      isOwn
        ? t('corrections.byYou')
        : t('corrections.by', { name: correction.name ?? desk.names.of(correction.account) }),
      ' ',
      named(correction.reason)),
    correction.decidedBy && h('p', { class: 'muted' },
      t('corrections.decided', {
        name: correction.deciderName ?? desk.names.of(correction.decidedBy), at: dateTime(correction.decidedAt),
      })),
    (mayApprove || mayRefuse) && h('div', { class: 'actions' },
      mayApprove && h('button', { class: 'button small', type: 'button', onclick: approve }, t('corrections.approve')),
      mayRefuse && h('button', { class: 'button quiet small', type: 'button', onclick: refuse },
        t(isOwn ? 'corrections.takeBack' : 'corrections.refuse'))),
    isOwn && desk.permissions.mayApprove && correction.state === 'waiting'
      && h('p', { class: 'hint' }, t('corrections.needsOther')));
}

// The current content of a cell and the one that would replace it.
function sentenceOf(desk, cell) {
  const row = desk.model.rows.get(cell.row) ?? desk.gone.get(cell.row);
  const student = row?.name ?? t('program.noStudent');
  const title = desk.lineTitle(cell.line);
  const column = desk.model.all.find(other => other.line === cell.line && other.field === null);
  const text = part =>
    (column ? cellText(column, { ...empty, value: part.value ?? null, status: part.status ?? null }) : '');
  if (cell.value === undefined && Object.keys(cell.fields ?? {}).length > 0) return fieldsOf(desk, cell, student);
  const now = text({ value: cell.value, status: cell.status })
    || (cell.status ? statusText(cell.status, column) : t('grid.nothing'));
  return t('corrections.change', {
    student, title, old: (cell.was && text(cell.was)) || t('grid.nothing'), value: now,
  });
}

// The same for what is each student's own beside the result, which has a column each.
function fieldsOf(desk, { line, fields, was }, student) {
  return sentences(Object.entries(fields).map(([name, value]) => {
    const column = desk.model.all.find(other => other.line === line && other.field === name);
    const text = side => (column ? valueText(column, side ?? null) : side) || t('grid.nothing');
    return t('corrections.change', {
      student, title: column?.title ?? desk.lineTitle(line), old: text(was?.fields?.[name]), value: text(value),
    });
  }));
}
