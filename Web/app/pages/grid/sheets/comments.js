// What staff write about a result: to the student, or to other staff.

import { h, named } from '../../../core/page/dom.js';
import { dateTime, t } from '../../../core/text/i18n.js';
import { dialog } from '../../../parts/frame/dialog.js';
import { Form } from '../../../parts/frame/form.js';
import { icon } from '../../../parts/frame/icons.js';
import { problemText } from '../../../parts/frame/problem.js';

const MOST = 4000;
const audiences = ['student', 'staff'];

/** The sheet with the comments on a cell, newest first, and a form to write another one. */
export function commentsSheet(desk, row, column) {
  const path = `${desk.path}/rows/${row.id}/comments`;
  const state = { items: [], isRead: false, error: null, busy: false, own: [] };
  const load = async () => {
    try {
      const { body } = await desk.app.http.get(`${path}?line=${column.line}&limit=50`);
      Object.assign(state, { items: body.items, isRead: true, error: null });
    } catch (error) {
      state.error = error;
    }
    desk.redraw();
  };
  load();
  // Without them a comment is written all the same.
  const loadOwn = () => desk.app.http.get('/v1/accounts/me/comments')
    .then(({ body }) => { state.own = body.items; desk.redraw(); }, () => {});
  if (desk.permissions.mayGrade) loadOwn();
  const form = new Form(desk.redraw, async (data, element) => {
    await desk.app.http.post(path, {
      line: column.line, for: data.get('/for'), text: String(data.get('/text')).trim(),
    });
    element.reset();
    desk.say(t('comments.written'));
    loadOwn();
    await load();
    desk.rows.read();
  });
  const remove = comment => async () => {
    if (state.busy) return;
    state.busy = true;
    try {
      await desk.app.http.delete(`${path}/${comment.id}`);
      desk.say(t('comments.deleted'));
      desk.rows.read();
    } catch (error) {
      desk.app.say(problemText(error), 'bad');
    }
    state.busy = false;
    await load();
  };
  return () => dialog({
    key: 'comments', title: t('comments.on', { title: column.title, name: row.name }), close: desk.sheets.close,
    className: 'sheet',
  },
    desk.permissions.mayGrade && form.view([
      form.field({ name: '/text', label: t('comments.text') },
        attributes => h('textarea', { ...attributes, rows: 3, maxlength: MOST, required: true, autofocus: true })),
      state.own.length > 0 && bank(desk, state.own),
      form.field({ name: '/for', label: t('comments.for'), hint: t('comments.help') }, attributes =>
        h('select', attributes,
          audiences.map(value => h('option', { key: value, value }, t(`comments.for.${value}`))))),
    ], { action: t('comments.write') }),
    state.error && h('p', { class: 'alert', role: 'alert' }, problemText(state.error)),
    !state.isRead && !state.error && h('p', { class: 'muted' }, t('state.loading')),
    state.isRead && state.items.length === 0 && h('p', { class: 'muted' }, t('comments.none')),
    h('ol', { class: 'comments' }, state.items.map(comment => item(desk, comment, remove(comment)))));
}

// What the user has written before, to be written again. A text is put behind what is in the field already; with a text
// for staff, all of it is for staff.
function bank(desk, own) {
  const use = ({ text, for: audience }) => event => {
    const { elements } = event.target.closest('form');
    const field = elements['/text'];
    const isFirst = field.value.trim() === '';
    const whole = isFirst ? text : `${field.value.trimEnd()}\n${text}`;
    if (whole.length > MOST) desk.say(t('comments.noRoom'), 'bad');
    else {
      field.value = whole;
      if (isFirst || audience === 'staff') elements['/for'].value = audience;
    }
    field.focus();
  };
  return h('details', { key: 'own', class: 'own-comments' },
    h('summary', null, t('comments.own')),
    h('ul', null, own.map(comment => h('li', { key: comment.text },
      h('button', { class: 'link', type: 'button', onclick: use(comment) }, named(comment.text)),
      ' ', h('span', { class: 'pill' }, t(`comments.for.${comment.for}`))))));
}

function item(desk, comment, remove) {
  const isOwn = comment.account === desk.app.store.state.account?.id;
  return h('li', { key: comment.id },
    commentText(comment, isOwn ? t('class.you') : comment.name ?? t('class.someone'),
      h('span', { class: 'pill' }, t(`comments.for.${comment.for}`))),
    desk.permissions.mayGrade && (isOwn || desk.permissions.mayTeach) && h('button', {
      class: 'round', type: 'button', 'aria-label': t('comments.delete'), title: t('comments.delete'), onclick: remove,
    }, icon('trash')));
}

/** A comment as it is shown: author, time, and the text with its line breaks. */
export const commentText = (comment, name, about = null) => h('div', { class: 'grow' },
  h('p', { class: 'comment-head' },
    h('strong', null, named(name)),
    ' ',
    h('time', { class: 'muted', datetime: comment.at }, dateTime(comment.at)),
    about),
  h('p', { class: 'comment-text' }, named(comment.text)));
