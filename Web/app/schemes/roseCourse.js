// Adds a course together with the weights of its categories. Only categories with a weight are created.

import { h } from '../core/page/dom.js';
import { label, t } from '../core/text/i18n.js';
import { kindOf } from '../core/data/kinds.js';
import { Form } from '../parts/frame/form.js';
import { dialog } from '../parts/frame/dialog.js';
import { entered, readField, readFields, shapeField, shapeFields } from '../parts/record/shapeFields.js';

export function addCourse(desk) {
  const course = kindOf(desk.scheme, 'course');
  const category = kindOf(desk.scheme, 'category');
  const choices = category.fields.find(field => field.name === 'category').choices;
  const weight = category.fields.find(field => field.name === 'weight');
  const inputName = choice => `/weights/${choice.value}`;

  const form = new Form(desk.redraw, async data => {
    const wanted = choices.map(choice =>
      ({ choice, weight: readField(weight, data.get(`${inputName(choice)}/fields/weight`)) }))
      .filter(item => item.weight !== null);
    const op = {
      op: 'add',
      kind: 'course',
      fields: entered(readFields(course.fields, data)),
      children: wanted.map(item =>
        ({ kind: 'category', fields: { category: item.choice.value, weight: item.weight } })),
    };
    try {
      await desk.book.apply([op]);
    } catch (error) {
      for (const fault of error.faults ?? []) {
        fault.path = fault.path.replace(/^\/children\/(\d+)/,
          (whole, index) => inputName(wanted[Number(index)]?.choice ?? {}));
      }
      throw error;
    }
    desk.close();
  });

  const view = () => dialog({ key: 'add-course', title: t('rose.addCourse'), close: desk.close, className: 'sheet' },
    form.view([
      shapeFields(form, course.fields, startValues(course)),
      h('fieldset', { class: 'weights' },
        h('legend', null, t('rose.weights')),
        choices.map(choice => shapeField(form, weight, null, inputName(choice), label(choice.label)))),
    ], { action: t('action.add'), cancel: desk.close }));
  return { again: ['course'], view };
}

/** The shape's defaults, and the current academic year if the shape names none. */
function startValues(course) {
  const values = Object.fromEntries(course.fields.map(field => [field.name, field.default]));
  const now = new Date();
  values.year ??= now.getFullYear() + (now.getMonth() >= 7 ? 1 : 0);
  values.quarter ??= now.getMonth() >= 7 && now.getMonth() < 11
    ? 1
    : now.getMonth() >= 11 || now.getMonth() < 2
    ? 2
    : 3;
  return values;
}
