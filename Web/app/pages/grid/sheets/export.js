// The class as a file for a spreadsheet: the state on the server, with the user's decimal mark.

import { h } from '../../../core/page/dom.js';
import { marks, t, toInput } from '../../../core/text/i18n.js';
import { dialog } from '../../../parts/frame/dialog.js';
import { saveFile } from '../../../parts/frame/download.js';
import { icon } from '../../../parts/frame/icons.js';
import { problemText } from '../../../parts/frame/problem.js';
import { letterText } from '../../../parts/record/letters.js';
import { toDelimited } from '../clipboard.js';
import { scaleText } from '../columns.js';

// In locales with a decimal comma, spreadsheets expect semicolons between cells.
const csv = () => (marks().decimal === ',' ? { delimiter: 'semicolon', decimal: 'comma' } : {});

const FORMATS = {
  xlsx: { type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', query: () => ({}) },
  csv: { type: 'text/csv', query: csv },
};

/** The sheet that offers the files. */
export function exportSheet(desk) {
  const state = { error: null, asked: null, hasComments: false };
  const save = async format => {
    const close = desk.sheets.closing();
    Object.assign(state, { error: null, asked: format });
    desk.redraw();
    try {
      const { type, query } = FORMATS[format];
      const parameters = new URLSearchParams({
        format, ...query(), ...desk.groupQuery, ...(state.hasComments && { comments: true }),
      });
      const { body } = await desk.app.http.get(`${desk.path}/export?${parameters}`, { form: 'blob' });
      saveFile(`${nameOf(desk.taught.title)}.${format}`, type, body);
      close();
    } catch (error) {
      state.error = error;
    }
    state.asked = null;
    desk.redraw();
  };
  const saveShown = () => {
    const { order, columns } = desk.model;
    const title = column => [...column.path,
      [column.title, scaleText(column) && `(${scaleText(column)})`].filter(Boolean).join(' ')].join(' › ');
    // A figure and its letter are in separate columns, so that a spreadsheet can calculate with the number.
    const parts = (row, column) => (column.figure ? [row.figures?.[column.figure] ?? ''].flat() : []);
    const hasLetter = column => order.some(row => parts(row, column).length > 1);
    const textsOf = (row, column) => {
      const [value = '', letter = ''] = parts(row, column);
      if (!hasLetter(column)) return [desk.contents.text(row, column)];
      return row.status ? [desk.contents.text(row, column), ''] : [toInput(value), letterText(desk.scheme, letter)];
    };
    const headsOf = column =>
      (hasLetter(column) ? [title(column), t('export.letter', { title: column.title })] : [title(column)]);
    const table = [
      [t('program.student'), ...columns.flatMap(headsOf)],
      ...order.map(row => [desk.model.nameOf(row), ...columns.flatMap(column => textsOf(row, column))]),
    ];
    saveFile(`${nameOf(desk.taught.title)}.csv`, 'text/csv',
      `\ufeff${toDelimited(table, marks().decimal === ',' ? ';' : ',')}`);
    desk.sheets.close();
  };
  return () => dialog({ key: 'export', title: t('export.title'), close: desk.sheets.close },
    h('p', { class: 'muted' }, t('export.help')),
    state.error && h('p', { key: 'error', class: 'alert', role: 'alert' }, problemText(state.error)),
    h('label', { key: 'comments', class: 'choice' },
      h('input', {
        type: 'checkbox', checked: state.hasComments, onchange: event => { state.hasComments = event.target.checked; },
      }),
      t('export.comments')),
    h('div', { class: 'menu' }, Object.keys(FORMATS).map((format, index) =>
      h('button', {
        key: format, class: 'menu-item', type: 'button', autofocus: index === 0, disabled: state.asked !== null,
        onclick: () => save(format),
      },
        icon('download'), h('span', null, t(`export.${format}`)))),
    desk.model.order.length > 0 && h('button', {
      key: 'shown', class: 'menu-item', type: 'button', disabled: state.asked !== null, onclick: saveShown,
    },
      icon('grid'), h('span', null, t('export.shown'), h('span', { class: 'muted' }, t('export.shownHelp'))))));
}

// Characters that file systems do not allow in names become blanks.
const nameOf = title => title.replace(/[\s\u0000-\u001f\u007f<>:"/\\|?*]+/g, ' ').trim() || 'class';
