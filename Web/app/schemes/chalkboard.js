// The chalkboard: courses written in chalk, their letters drawn as images, the GPA in its colour below, then the forms
// that add a course and erase one.

import { h, memo, named } from '../core/page/dom.js';
import { label, t, toInput } from '../core/text/i18n.js';
import { fromInput } from '../core/text/numbers.js';
import { kindOf } from '../core/data/kinds.js';
import { Form } from '../parts/frame/form.js';
import { readEntry } from '../parts/record/entryForm.js';
import { applyPatches, patches } from '../parts/record/patches.js';
import { dialog } from '../parts/frame/dialog.js';
import { shapeFields } from '../parts/record/shapeFields.js';
import { enteredMark, heldNote } from '../parts/record/entered.js';
import { figureButton, figureOf, reasonText, warnings } from '../parts/record/figure.js';
import { shownFields, statusPill } from '../parts/record/result.js';

export const mainFigure = 'gpa';
export const wide = true;
/** The sheets of this view that can be opened again after a session. */
export const sheets = { course: (desk, id) => desk.entry(id) && editCourse(desk, desk.entry(id)) };
const drawn = new Set(['A', 'B', 'C', 'D', 'F']);
const forms = new WeakMap();

export function draw(desk) {
  return h('div', { class: 'chalk-column' },
    board(desk),
    warnings(desk),
    desk.book.editable && [addForm(desk), deleteForm(desk)]);
}

function board(desk) {
  const courses = desk.book.drawn;
  return h('section', { class: 'board', 'aria-label': t('chalkboard.board') },
    h('img', {
      class: 'board-title', src: '/app/img/chalk-title.svg', alt: t('chalkboard.title'), width: 240, height: 44,
    }),
    courses.length === 0 && h('p', { class: 'board-empty' }, t('chalkboard.empty')),
    h('ol', { class: 'board-lines' },
      courses.map((course, index) =>
        memo(course.id, [...desk.lookOf(course), index], () => line(desk, course, index + 1)))),
    gpa(desk));
}

function line(desk, course, position) {
  const { letter } = desk.book.standing.entries?.[course.id] ?? {};
  const { title, credits } = course.fields;
  const text = [
    h('span', { class: 'board-text' }, `${course.position ?? position}) `, named(title), ` | ${toInput(credits)}`),
    [course, ...course.children ?? []].map(part => enteredMark(desk, part)).find(Boolean),
  ];
  const isOfClass = desk.isOfClass(course);
  return h('li', { class: desk.flashing(course) },
    isOfClass
      ? h('div', { class: 'board-line' }, text)
      : h('button', {
        class: 'board-line', type: 'button', title: t('action.edit'),
        onclick: () => desk.open(editCourse(desk, course)),
      }, text),
    figureButton(desk, 'total', course, title, 'chalk-total'),
    letter && (drawn.has(letter)
      ? h('img', { class: 'board-letter', src: `/app/img/letter-${letter}.svg`, alt: letter, width: 34, height: 34 })
      : h('span', { class: 'board-letter' }, letter)),
    isOfClass && h('ul', { class: 'board-parts' }, (course.children ?? []).map(part => partLine(desk, part))));
}

// The user's own courses show their results in the fields that edit them; those of a class are read-only.
function partLine(desk, part) {
  const { points, max } = shownFields(desk, part);
  const text = [
    h('span', { class: 'grow' }, named(desk.titleOf(part.id))),
    statusPill(desk, part),
    part.hidden && h('span', { class: 'pill' }, t('entry.hiddenPill')),
    h('span', null, `${points === null || points === undefined ? '–' : toInput(points)} / ${toInput(max)}`),
  ];
  return h('li', { key: part.id, class: desk.flashing(part) }, desk.mayEdit(part)
    ? h('button', { class: 'board-part', type: 'button', onclick: () => desk.edit(part) }, text)
    : h('div', { class: 'board-part' }, text));
}

function gpa(desk) {
  const figure = figureOf(desk.book, 'gpa');
  return h('button', {
    class: 'board-gpa',
    type: 'button',
    'data-band': figure?.band ?? 'white',
    title: reasonText(desk.scheme, figure) ?? t('why.open'),
    onclick: () => desk.why('gpa', null, t('chalkboard.gpa')),
  }, gpaText(figure));
}

// The server's own line, with the user's decimal mark in its figure.
function gpaText(figure) {
  const display = figure?.display ?? '';
  return figure?.text ? figure.text.replace(display, () => toInput(display)) : `GPA: ${toInput(display)}`;
}

const formsOf = desk => {
  if (!forms.has(desk)) forms.set(desk, { add: addingForm(desk), remove: deletingForm(desk), generation: 0 });
  return forms.get(desk);
};

function addingForm(desk) {
  return new Form(desk.redraw, async (data, element) => {
    const kind = kindOf(desk.scheme, 'course');
    await desk.book.apply([{ op: 'add', ...readEntry(desk.scheme, kind, data) }]);
    formsOf(desk).generation += 1;
    element.closest('.chalk-column').scrollIntoView();
  });
}

function addForm(desk) {
  const { add, generation } = formsOf(desk);
  return h('section', { class: 'card', key: `add-${generation}` },
    h('h2', null, t('chalkboard.addTitle')),
    add.view(courseInputs(desk, add, startValues(desk)), {
      className: 'course-form chalk-buttons',
      action: chalkCaption('chalk-add', t('chalkboard.add')),
    }));
}

const chalkCaption = (image, text) =>
  [h('img', { src: `/app/img/${image}.svg`, alt: '', width: 36, height: 36 }), text];

/** The form's initial numbers come from the program, or else from the shape. */
function startValues(desk) {
  const { formDefaults } = desk.configuration;
  if (!formDefaults) return null;
  const assessments = formDefaults.assessments ?? formDefaults.children ?? [];
  return {
    fields: formDefaults.fields ?? formDefaults,
    children: assessments.map(item => ({ fields: item.fields ?? item })),
  };
}

function courseInputs(desk, form, values) {
  const course = kindOf(desk.scheme, 'course');
  const assessment = kindOf(desk.scheme, 'assessment');
  const name = assessment.fields.find(field => field.name === 'name');
  const names = assessmentNames(name, assessment.min);
  const numbers = assessment.fields.filter(field => field.name !== 'name');
  return [
    h('div', { class: 'course-fields' },
      shapeFields(form, course.fields, values ? { ...values.fields } : null, '', holderIn(desk, values))),
    names.map((choice, index) => {
      const prefix = `/children/${index}`;
      const own = values?.children?.[index]?.fields;
      return h('fieldset', { key: prefix, class: 'assessment' },
        h('legend', null, choice.text),
        h('input', { type: 'hidden', name: `${prefix}/fields/name`, value: choice.wire }),
        shapeFields(form, numbers, own ?? null, prefix, holderIn(desk, values?.children?.[index])));
    }),
  ];
}

// Returns who entered a field; a form's initial values have no author.
const holderIn = (desk, thing) => name => (thing?.id ? desk.holderOf(thing, name) : null);

// The hidden input has the value that `readFields` expects: the index of a choice, or the text itself.
function assessmentNames(field, count) {
  if (field.type === 'choice') {
    return field.choices.map((item, index) => ({ text: label(item.label), wire: String(index) }));
  }
  return ['Assignments', 'Midterm', 'Final'].slice(0, count || 3).map(text => ({ text, wire: text }));
}

function deletingForm(desk) {
  return new Form(desk.redraw, async (data, element) => {
    await desk.deleteAt(fromInput(data.get('/position')));
    element.reset();
  });
}

function deleteForm(desk) {
  const { remove } = formsOf(desk);
  const empty = desk.book.record.entries.length === 0;
  return h('section', { class: 'card' },
    h('h2', null, t('chalkboard.deleteTitle')),
    h('form', { class: 'form delete-form chalk-buttons', novalidate: true, onsubmit: event => remove.send(event) },
      remove.summary(),
      h('div', { class: 'delete-row' },
        remove.text({
          name: '/position', label: t('chalkboard.id'), inputmode: 'numeric', autocomplete: 'off', disabled: empty,
        }),
        h('button', { class: 'button quiet', type: 'submit', disabled: empty || remove.busy },
          chalkCaption('chalk-delete', t('chalkboard.delete'))))));
}

function editCourse(desk, course) {
  const kind = kindOf(desk.scheme, 'course');
  const form = new Form(desk.redraw, async data => {
    await applyPatches(desk.book, patches(course, readEntry(desk.scheme, kind, data)));
    desk.close();
  });
  return {
    again: ['course', course.id],
    view: () =>
      dialog({ key: `course-${course.id}`, title: named(course.fields.title), close: desk.close, className: 'sheet' },
        form.view([heldNote(desk, [course, ...course.children ?? []]), courseInputs(desk, form, course)], {
          className: 'course-form',
          action: t('action.save'),
          cancel: desk.close,
          more: desk.mayRemove(course) && h('button', {
            class: 'button quiet danger', type: 'button', onclick: () => desk.remove(course),
          }, t('action.delete')),
        })),
  };
}
