// One category of a course: its weight and percentage, its items with their scores and effective weights.

import { h, memo, named } from '../core/page/dom.js';
import { t, toInput } from '../core/text/i18n.js';
import { percent } from '../core/text/wording.js';
import { enteredMark } from '../parts/record/entered.js';
import { isolate } from '../core/text/isolate.js';
import { figureButton, figureOf } from '../parts/record/figure.js';
import { shownFields, statusPill } from '../parts/record/result.js';
import { icon } from '../parts/frame/icons.js';
import { swipeable } from '../parts/frame/swipe.js';

/** What only participation has: a grade of its own, and a status. */
export const notSingle = ['grade', 'status'];

export function category(desk, course, entry) {
  const { category: name, weight, grade } = shownFields(desk, entry);
  const text = desk.choiceLabel('category', 'category', name);
  const single = name === 'participation';
  return h('section', { key: entry.id, class: `category ${desk.flashing(entry)}` },
    h('div', { class: 'category-head' },
      h('div', { class: 'category-name' },
        h('h3', null, text),
        h('span', { class: 'muted' }, t('rose.weight', { value: toInput(weight) })),
        single && effective(desk, entry),
        enteredMark(desk, entry)),
      figureButton(desk, 'percent', entry, `${isolate(course.fields.title)} – ${text}`),
      desk.mayEdit(entry, single ? [] : notSingle) && h('button', {
        class: 'round', type: 'button', 'aria-label': t('rose.editCategory', { name: text }),
        onclick: () => desk.edit(entry, single ? [] : notSingle),
      }, icon('pencil')),
      desk.mayAdd(entry) && !single && h('button', {
        class: 'round', type: 'button', 'aria-label': t('rose.addItem', { name: text }),
        onclick: () => desk.add('item', entry),
      }, icon('plus'))),
    single
      ? h('p', { class: 'muted item-line' },
        grade === null || grade === undefined ? t('rose.ungraded') : percent(grade))
      : h('ul', { class: 'items' },
        (entry.children ?? []).map(item => memo(item.id, desk.lookOf(item), () => row(desk, item)))));
}

function row(desk, item) {
  const title = desk.titleOf(item.id);
  const line = h('button', {
    class: 'item-line', type: 'button', disabled: !desk.mayEdit(item), onclick: () => desk.edit(item),
  },
    h('span', { class: 'item-title' }, named(title), enteredMark(desk, item)),
    statusPill(desk, item),
    item.hidden && h('span', { class: 'pill' }, t('entry.hiddenPill')),
    effective(desk, item),
    h('span', { class: 'item-score' }, scoreText(shownFields(desk, item))));
  return h('li', { class: desk.flashing(item) },
    swipeable({ enabled: desk.mayRemove(item), label: t('action.delete'), act: () => desk.remove(item) }, line));
}

function scoreText({ score, max, grade }) {
  if (score !== null && score !== undefined) return `${toInput(score)} / ${toInput(max)}`;
  if (grade !== null && grade !== undefined) return percent(grade);
  return max === null || max === undefined ? '–' : `– / ${toInput(max)}`;
}

// The share of the course's grade that this one item decides, as the scheme computed it.
function effective(desk, entry) {
  const weight = figureOf(desk.book, 'effectiveWeight', entry);
  return weight?.display
    ? h('span', { class: 'effective', title: t('rose.effective') }, percent(weight.display))
    : null;
}
