// Quarters, newest first; in each its courses with their letters; in each course its categories with the effective
// weight of every item. The overall GPA is on top, with the credits that were earned before.

import { h, memo, named } from '../core/page/dom.js';
import { label, t, toInput } from '../core/text/i18n.js';
import { within } from '../core/text/wording.js';
import { kindOf } from '../core/data/kinds.js';
import { enteredMark } from '../parts/record/entered.js';
import { figureButton, figureOf, figureText, rangeBar, reasonText, warnings } from '../parts/record/figure.js';
import { icon } from '../parts/frame/icons.js';
import { swipeable } from '../parts/frame/swipe.js';
import { addCourse } from './roseCourse.js';
import { category, notSingle } from './roseCategory.js';

export const wide = true;
export const mainFigure = 'gpa';
/** The sheets of this view that can be opened again after a session. */
export const sheets = { course: addCourse };
const opened = new WeakMap();

export function draw(desk) {
  const terms = byTerm(desk.book.drawn);
  return h('div', { class: 'rose' },
    overall(desk),
    warnings(desk),
    desk.book.editable && h('button', {
      class: 'button floating', type: 'button', onclick: () => desk.open(addCourse(desk)),
    },
      icon('plus'), t('rose.addCourse')),
    terms.length === 0 && h('p', { class: 'empty' }, icon('records'), t('rose.empty')),
    terms.map(term => section(desk, term)));
}

function byTerm(courses) {
  const terms = new Map();
  for (const course of courses) {
    const { year, quarter } = course.fields;
    const key = `${year}.${quarter}`;
    if (!terms.has(key)) terms.set(key, { key, year, quarter, courses: [] });
    terms.get(key).courses.push(course);
  }
  return [...terms.values()].sort((a, b) => b.year - a.year || b.quarter - a.quarter);
}

function overall(desk) {
  const figure = figureOf(desk.book, 'gpa');
  const { priorGPA, priorCredits } = desk.book.record.fields ?? {};
  return h('section', { class: 'headline' },
    h('div', { class: 'headline-figure' },
      h('h2', null, t('rose.overall')),
      figureButton(desk, 'gpa', null, t('rose.overall'), 'large'),
      rangeBar(figure, 4)),
    h('div', { class: 'headline-side' },
      h('p', null, t('rose.credits', { value: figureText(figureOf(desk.book, 'credits')) })),
      h('p', { class: 'muted' }, priorCredits
        ? t('rose.prior', { gpa: toInput(priorGPA), credits: toInput(priorCredits) }) : t('rose.noPrior')),
      enteredMark(desk, desk.book.record),
      desk.book.editable && h('button', {
        class: 'button quiet', type: 'button', onclick: () => desk.editRecord(t('rose.editPrior')),
      },
        icon('pencil'), t('rose.editPrior'))));
}

function section(desk, { key, year, quarter, courses }) {
  const name = t('rose.term', { quarter: desk.choiceLabel('course', 'quarter', quarter), from: year - 1, to: year });
  const credits = figureOf(desk.book, `credits:${key}`);
  return h('section', { key, class: 'term' },
    h('div', { class: 'term-head' },
      h('h2', null, name),
      h('div', { class: 'term-figures' },
        h('span', { class: 'muted' }, credits && t('rose.credits', { value: figureText(credits) })),
        figureButton(desk, `term:${key}`, null, t('rose.termGPA', { term: name })))),
    h('ul', { class: 'courses' }, courses.map(course =>
      memo(course.id, [...desk.lookOf(course), isOpen(desk, course)], () => courseRow(desk, course)))));
}

const isOpen = (desk, course) => opened.get(desk)?.has(course.id) ?? false;

function courseRow(desk, course) {
  const open = isOpen(desk, course);
  const { title, number, section: group, credits } = course.fields;
  const own = desk.book.standing.entries?.[course.id] ?? {};
  const panel = `panel-${course.id}`;
  return h('li', { class: `course ${desk.flashing(course)}` },
    swipeable({ enabled: desk.mayRemove(course), label: t('action.delete'), act: () => desk.remove(course) },
      h('div', { class: 'course-row' },
        h('button', {
          class: 'course-open', type: 'button', 'aria-expanded': String(Boolean(open)),
          'aria-controls': open ? panel : null,
          onclick: () => toggle(desk, course),
        },
        h('span', { class: 'course-title' }, named(title)),
        h('span', { class: 'course-number' },
          number && [named(sectionText(number, group)), ' · '],
          creditText(credits)),
        enteredMark(desk, course)),
        course.status && h('span', { class: 'pill' }, t(`status.${course.status}`)),
        figureButton(desk, 'grade', course, title),
        h('strong', { class: 'letter', 'data-band': own.figures?.grade?.band ?? own.band ?? null },
          own.letter ?? '–'))),
    weightsReason(desk, course),
    // On paper the lines of a class are printed whether the course is open on the screen or not.
    (open || course.class) && coursePanel(desk, course, panel, open));
}

// If weights must add up and do not yet, the course says why it has no grade.
function weightsReason(desk, course) {
  const figure = figureOf(desk.book, 'grade', course);
  return figure?.reason === 'weights_sum' && h('p', { class: 'course-reason' }, reasonText(desk.scheme, figure));
}

const creditText = credits => t('rose.creditCount', { count: Number(credits) || 0, credits: toInput(credits) });

const sectionText = (number, group) =>
  group === null || group === undefined ? number : `${number}-${String(group).padStart(2, '0')}`;

function toggle(desk, course) {
  const set = opened.get(desk) ?? new Set();
  if (!set.delete(course.id)) set.add(course.id);
  opened.set(desk, set);
  desk.redraw();
}

function coursePanel(desk, course, id, open) {
  const kind = kindOf(desk.scheme, 'category');
  return h('div', { class: open ? 'course-panel' : 'course-panel closed', id },
    rangeBar(figureOf(desk.book, 'grade', course), 100),
    (course.children ?? []).map(child => category(desk, course, child)),
    desk.mayAdd(course) && h('div', { class: 'adders' },
      (course.children
        ?? []).length < 5 && h('button',
        { class: 'button quiet', type: 'button', onclick: () => desk.add('category', course, notSingle) },
        icon('plus'), t('entry.add', { kind: within(label(kind.label)) })),
      h('button', { class: 'button quiet', type: 'button', onclick: () => desk.edit(course) },
        icon('pencil'),
        t('rose.editCourse')),
      desk.mayRemove(course) && h('button', {
        class: 'button quiet danger', type: 'button', onclick: () => desk.remove(course),
      }, icon('trash'), t('rose.deleteCourse'))));
}
