// The sections of a cross-listed class, with the class's fields that differ for their students, such as number and
// credits.

import { h, named } from '../../../core/page/dom.js';
import { t } from '../../../core/text/i18n.js';
import { kindOf } from '../../../core/data/kinds.js';
import { dialog } from '../../../parts/frame/dialog.js';
import { Form } from '../../../parts/frame/form.js';
import { icon } from '../../../parts/frame/icons.js';
import { problemText } from '../../../parts/frame/problem.js';
import { patched, readFields, shapeFields } from '../../../parts/record/shapeFields.js';
import { sharedFields } from '../columns.js';
import { change } from './changes.js';

/** The sheet with all sections. */
export function sectionsSheet(desk) {
  const count = id => [...desk.model.rows.values()].filter(({ section }) => section === id).length;
  return () => dialog({ key: 'sections', title: t('section.many'), close: desk.sheets.close, className: 'sheet' },
    h('p', { class: 'help' }, t('section.help')),
    h('ul', { class: 'rows' }, desk.sections.map(section => h('li', { key: section.id },
      h('span', { class: 'grow' },
        h('strong', null, named(section.title)),
        h('span', { class: 'muted' }, t('people.students', { count: count(section.id) }))),
      h('button', {
        class: 'round', type: 'button', 'aria-label': t('section.edit', { title: section.title }),
        onclick: () => desk.sheets.open(sectionSheet(desk, section)),
      }, icon('pencil'))))),
    h('div', { class: 'actions' },
      h('button', { class: 'button', type: 'button', onclick: () => desk.sheets.open(sectionSheet(desk, null)) },
        icon('plus'),
        t('section.new'))));
}

function sectionSheet(desk, section) {
  const [root] = desk.taught.structure.lines;
  const fields = sharedFields(kindOf(desk.scheme, root.kind));
  const back = () => desk.sheets.open(sectionsSheet(desk));
  const form = new Form(desk.redraw, async data => {
    const close = desk.sheets.closing(back);
    const title = data.get('/title').trim();
    // Values that equal those of the class are not stored in the section.
    const before = Object.fromEntries(Object.keys(section?.fields ?? {}).map(name => [name, null]));
    const wanted = { title, fields: { ...before, ...patched(root.fields, readFields(fields, data)) } };
    await change(desk, section ? {
      op: 'patchSection', section: section.id, ...wanted,
    } : { op: 'addSection', ...wanted });
    close();
  });
  const remove = async () => {
    const close = desk.sheets.closing(back);
    try {
      await change(desk, { op: 'deleteSection', section: section.id });
      close();
    } catch (error) {
      desk.app.say(problemText(error), 'bad');
    }
  };
  return () => dialog({
    key: `section-${section?.id ?? 'new'}`,
    title: section ? t('section.edit', { title: section.title }) : t('section.new'), close: back, className: 'sheet',
  },
    form.view([
      form.text({
        name: '/title', label: t('section.name'), value: section?.title ?? '', maxlength: 200, required: true,
        autocomplete: 'off',
      }),
      h('p', { class: 'help' }, t('section.fields')),
      shapeFields(form, fields, { ...root.fields, ...section?.fields }),
    ], {
      action: t('action.save'), cancel: back,
      more: section && h('button', { class: 'button quiet danger', type: 'button', onclick: remove },
        t('action.delete')),
    }));
}
