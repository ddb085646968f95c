// The next steps for a class without columns or without students.

import { h } from '../../core/page/dom.js';
import { t } from '../../core/text/i18n.js';
import { icon } from '../../parts/frame/icons.js';

/** The steps for a class that is still empty, for its teachers; null once it has both. `open` has `columns()` and
 *  `students()`. */
export function beginning(desk, open) {
  const steps = [['columns', 'programs', desk.taught.columns.length > 0],
    ['students', 'people', desk.taught.students > 0 || desk.model.rows.size > 0]];
  if (!desk.permissions.mayTeach || desk.taught.state === 'closed' || steps.every(([, , isDone]) => isDone)) {
    return null;
  }
  const next = steps.find(([, , isDone]) => !isDone)[0];
  return h('section', { key: 'beginning', class: 'card beginning', 'aria-label': t('beginning.title') },
    h('h2', null, t('beginning.title')),
    h('ol', null, steps.map(([name, symbol, isDone]) => h('li', { key: name, 'data-done': isDone ? 'true' : null },
      h('span', { class: 'grow' }, t(`beginning.${name}`)),
      isDone ? h('span', { class: 'pill' }, icon('check'), t('beginning.done'))
        : h('button', { class: name === next ? 'button' : 'button quiet', type: 'button', onclick: open[name] },
          icon(symbol),
          t(`beginning.${name}.open`))))));
}
