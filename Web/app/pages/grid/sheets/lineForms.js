// Sheets for the structure of a class: its lines with the fields that are the same for all students, from the scheme's
// shape.

import { h } from '../../../core/page/dom.js';
import { label, t, toInput } from '../../../core/text/i18n.js';
import { fromInput } from '../../../core/text/numbers.js';
import { within } from '../../../core/text/wording.js';
import { kindOf } from '../../../core/data/kinds.js';
import { dialog } from '../../../parts/frame/dialog.js';
import { Form } from '../../../parts/frame/form.js';
import { entered, patched, readFields, shapeFields } from '../../../parts/record/shapeFields.js';
import { titleOf } from '../../../parts/record/entryTitle.js';
import { linesAbove, sharedFields } from '../columns.js';
import { change } from './changes.js';
import { SEES, asSeen, stateOf } from './sees.js';

const markings = ['single', 'double', 'anonymous'];
const rules = ['mean', 'lower', 'higher'];

/** A sheet that adds a line of a kind in `parent`. */
export function addSheet(desk, parent, kind) {
  const fields = sharedFields(kind);
  const form = new Form(desk.redraw, async data => {
    const close = desk.sheets.closing();
    await change(desk, {
      op: 'add', kind: kind.kind, in: parent.id, fields: entered(readFields(fields, data)),
      ...entered(asPatch(about(data))),
    });
    close();
  });
  const title = t('structure.addTo', { kind: within(label(kind.label)), title: titleOf(parent, desk.scheme) });
  return () => dialog({ key: `add-line-${kind.kind}`, title, close: desk.sheets.close, className: 'sheet' },
    form.view([shapeFields(form, fields, null),
      aboutInputs(form, null, kind, desk.taught.posting === 'manual' ? 'kept' : 'shown')],
      { action: t('action.add'), cancel: desk.sheets.close }));
}

/** A sheet that changes a line. */
export function editSheet(desk, line) {
  const kind = kindOf(desk.scheme, line.kind);
  const fields = sharedFields(kind);
  const isRoot = line.parent === null;
  const form = new Form(desk.redraw, async data => {
    const close = desk.sheets.closing();
    const now = isRoot ? {} : about(data);
    const before = { sees: stateOf(line), due: line.due, marking: line.marking ?? 'single' };
    const moved = Object.fromEntries(Object.entries(now).filter(([name, value]) =>
      JSON.stringify(value) !== JSON.stringify(before[name])));
    const wanted = patched(line.fields, readFields(fields, data));
    if (Object.keys({ ...moved, ...wanted }).length > 0) {
      await change(desk, { op: 'patch', line: line.id, fields: wanted, ...asPatch(moved) });
    }
    close();
  });
  return () => dialog({
    key: `edit-line-${line.id}`, title: t('structure.edit', { title: titleOf(line, desk.scheme) }),
    close: desk.sheets.close, className: 'sheet',
  },
    form.view([shapeFields(form, fields, line.fields), !isRoot && aboutInputs(form, line, kind, stateOf(line))], {
      action: t('action.save'), cancel: desk.sheets.close,
      more: !isRoot && h('button', {
        class: 'button quiet danger', type: 'button', onclick: () => desk.sheets.open(removalSheet(desk, line)),
      }, t('action.delete')),
    }));
}

function aboutInputs(form, line, kind, sees) {
  return [
    kind.fields.some(field => field.grade || field.perStudent)
      && form.field({ name: '/sees', label: t('line.sees') }, attributes =>
        h('select', attributes,
          SEES.map(value => h('option', { key: value, value, selected: value === sees }, t(`line.sees.${value}`))))),
    form.text({ name: '/due', label: t('line.due'), type: 'date', value: line?.due ?? '' }),
    kind.fields.some(field => field.grade) && markingInputs(form, line?.marking),
  ];
}

// How two people mark; this has no effect while one person marks.
function markingInputs(form, marking = 'single') {
  const choice = (name, values, chosen) =>
    form.field({ name: `/marking/${name}`, label: t(`marks.${name}`) }, attributes =>
      h('select', attributes,
        values.map(value =>
          h('option', { key: value, value, selected: value === chosen }, t(`marks.${name}.${value}`)))));
  return h('fieldset', { key: 'marking', class: 'marking-fields' },
    h('legend', null, t('marks.title')),
    choice('mode', markings, marking.mode ?? marking),
    form.text({
      name: '/marking/tolerance', label: t('marks.tolerance'), hint: t('marks.toleranceHint'),
      value: toInput(marking.tolerance ?? '0'), inputmode: 'decimal', autocomplete: 'off',
    }),
    choice('rule', rules, marking.rule ?? 'mean'),
    h('label', { class: 'choice' },
      h('input', { type: 'checkbox', name: '/marking/open', checked: marking.open ?? false }),
      t('marks.open')));
}

function markingOf(data) {
  const mode = data.get('/marking/mode');
  if (mode !== 'double') return mode;
  const tolerance = String(data.get('/marking/tolerance')).trim();
  return {
    mode: 'double', tolerance: fromInput(tolerance === '' ? '0' : tolerance), rule: data.get('/marking/rule'),
    open: data.has('/marking/open'),
  };
}

function about(data) {
  return {
    ...(data.has('/sees') ? { sees: data.get('/sees') } : {}),
    due: data.get('/due') || null,
    ...(data.has('/marking/mode') ? { marking: markingOf(data) } : {}),
  };
}

// A line has two members for what students see.
const asPatch = ({ sees = null, ...rest }) => ({ ...rest, ...(sees === null ? {} : asSeen(sees)) });

/** Asks for confirmation before a line is removed with everything in it. */
export function removalSheet(desk, line) {
  const { lines } = desk.taught.structure;
  const inside = lines.filter(item => item === line || linesAbove(item, lines).includes(line)).map(({ id }) => id);
  const count = [...desk.model.rows.values()].reduce((sum, row) => sum + inside.filter(id => row.cells.has(id)).length,
    0);
  const form = new Form(desk.redraw, async () => {
    const close = desk.sheets.closing();
    const undo = await change(desk, { op: 'delete', line: line.id });
    close();
    desk.app.say(t('structure.deleted', { title: titleOf(line, desk.scheme) }), 'good', undo);
  });
  return () => dialog({
    key: `delete-line-${line.id}`, title: t('structure.delete', { title: titleOf(line, desk.scheme) }),
    close: desk.sheets.close,
  },
    form.view(h('p', null,
      count > 0 ? t('structure.deleteText', { count }) : t('structure.deleteEmpty')), { action: t('action.delete'),
      danger: true, cancel: desk.sheets.close }));
}

/** Shows or hides the results of a line. */
export async function post(desk, line, hide) {
  const { body } = await desk.app.http.post(`${desk.path}/post`, { lines: [line], hide });
  const undo = desk.entry.did(body);
  await desk.lookAtClass();
  desk.app.say(t(hide ? 'line.hidden' : 'line.posted', { title: desk.lineTitle(line) }), 'good',
    desk.permissions.mayTeach ? undo : null);
}
