// The choices of which part of a class is shown.

import { h } from '../../core/page/dom.js';
import { t } from '../../core/text/i18n.js';

/** The choice of a period whose columns are shown; null if the class's term has none. */
export function periodChoice(desk) {
  const periods = desk.taught.term?.periods ?? [];
  if (periods.length === 0) return null;
  return h('select', {
    key: 'period', class: 'grid-period', 'aria-label': t('grid.period'),
    onchange: event => desk.showPeriod(event.target.value || null),
  },
    h('option', { key: 'all', value: '', selected: desk.period === null }, t('grid.allPeriods')),
    periods.map(({ id, title, locked }) =>
      h('option', { key: id, value: id, selected: id === desk.period },
        locked ? t('terms.lockedTitle', { title }) : title)));
}

/** The choice of a group whose students are shown, by sets; null if the class has none. */
export function groupChoice(desk) {
  if (desk.permissions.groups.length === 0) return null;
  const sets = [...new Set(desk.permissions.groups.map(({ set }) => set))];
  return h('select', {
    key: 'group', class: 'grid-period', 'aria-label': t('group.title'),
    onchange: event => desk.showGroup(event.target.value || null),
  },
    !desk.permissions.isLimited && h('option', { key: 'all', value: '', selected: desk.group === null },
      t('group.all')),
    sets.map(set => h('optgroup', { key: set, label: set },
      desk.permissions.groups.filter(group => group.set === set)
        .map(({ id, title }) => h('option', { key: id, value: id, selected: id === desk.group }, title)))));
}

/** The choice of a section whose students are shown; null if the class has none. */
export function sectionChoice(desk, attributes, arrange) {
  if (desk.sections.length === 0) return null;
  return h('select', { ...attributes, onchange: event => arrange({ section: event.target.value || null }) },
    h('option', { key: 'all', value: '', selected: desk.section === null }, t('section.all')),
    desk.sections.map(({ id, title }) => h('option', { key: id, value: id, selected: id === desk.section }, title)));
}
