// The records of a program, for those who keep them; and a new one for a student.

import { h } from '../core/dom.js';
import { label, t } from '../core/i18n.js';
import { figureText } from '../parts/figure.js';
import { Form } from '../parts/form.js';
import { dialog } from '../parts/dialog.js';
import { icon } from '../parts/icons.js';
import { learnMembers, studentName } from '../parts/students.js';

export async function open(app, { id }) {
  const program = await app.catalogue.program(id);
  const scheme = await app.catalogue.scheme(program.scheme);
  const state = { items: [], next: null, sheet: null, members: new Map() };
  await more(app, state, `/v1/records?program=${id}`);
  state.members = await learnMembers(app, program.institution);
  const figures = scheme.figures.filter(figure => !figure.kind && !figure.family);
  return {
    wide: true,
    title: () => t('program.records'),
    view: () => h('div', null,
      h('div', { class: 'page-head' },
        h('a', { class: 'round', href: `/programs/${id}`, 'aria-label': t('action.back') }, icon('back')),
        h('h1', { tabindex: '-1' }, program.title),
        state.members.size > 0 && h('button', { class: 'button', type: 'button', onclick: () => begin(app, state, program) }, icon('plus'), t('program.newRecord'))),
      state.items.length === 0 && h('p', { class: 'empty' }, icon('records'), t('program.noRecords')),
      state.items.length > 0 && table(state, figures),
      state.next && h('button', { class: 'button quiet', type: 'button', onclick: () => more(app, state, state.next).then(app.redraw) }, t('action.more')),
      state.sheet?.view()),
  };
}

async function more(app, state, path) {
  const { body, next } = await app.http.get(path);
  state.items = [...state.items, ...body.items];
  state.next = next;
}

function table(state, figures) {
  return h('div', { class: 'card scroll' }, h('table', null,
    h('thead', null, h('tr', null,
      h('th', { scope: 'col' }, t('program.student')),
      figures.map(figure => h('th', { scope: 'col', key: figure.name }, label(figure.label, figure.name))))),
    h('tbody', null, state.items.map(item => h('tr', { key: item.id },
      h('th', { scope: 'row' }, h('a', { href: `/records/${item.id}` }, studentName(state.members, item.student, item.id))),
      figures.map(figure => h('td', { key: figure.name, 'data-band': item.figures?.[figure.name]?.band ?? null }, figureText(item.figures?.[figure.name]))))))));
}

function begin(app, state, program) {
  const close = () => {
    state.sheet = null;
    app.redraw();
  };
  const students = [...state.members.values()].filter(member => member.role === 'student');
  const form = new Form(app.redraw, async data => {
    const { body } = await app.http.post('/v1/records', { program: program.id, student: data.get('/student') });
    app.go(`/records/${body.record.id}`);
  });
  state.sheet = {
    view: () => dialog({ key: 'record-for', title: t('program.newRecord'), close },
      students.length === 0 && h('p', null, t('program.noStudents')),
      students.length > 0 && form.view(form.field({ name: '/student', label: t('program.student') }, attributes => h('select', attributes,
        students.map(member => h('option', { value: member.account }, `${member.displayName} (${member.login})`)))),
      { action: t('records.create'), cancel: close })),
  };
  app.redraw();
}
