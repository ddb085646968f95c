// Adds and edits one entry of a record, using only the scheme's shape. Children that every entry of the kind must have
// are entered together with it.

import { h } from '../../core/page/dom.js';
import { label, t } from '../../core/text/i18n.js';
import { statusText } from '../../core/text/statuses.js';
import { within } from '../../core/text/wording.js';
import { childKinds, kindOf } from '../../core/data/kinds.js';
import { Form } from '../frame/form.js';
import { dialog } from '../frame/dialog.js';
import { heldHint, heldNote } from './entered.js';
import { entered, patched, readFields, shapeFields } from './shapeFields.js';

const without = (kind, omit) => ({
  ...kind,
  fields: kind.fields.filter(field => !omit.includes(field.name)),
  statuses: omit.includes('status') ? [] : kind.statuses,
});

/** A sheet that adds an entry of `kindName` under `parent`; `omit` names fields that this entry does not have. */
export function addEntry(desk, kindName, parent = null, omit = []) {
  const kind = without(kindOf(desk.scheme, kindName), omit);
  const form = new Form(desk.redraw, async data => {
    await desk.book.apply([{
      op: 'add', ...(parent ? { parent: parent.id } : {}), ...readEntry(desk.scheme, kind, data),
    }]);
    desk.close();
  });
  return {
    again: ['add', kindName, parent?.id ?? null, omit],
    view: () => dialog({
      key: `add-${kindName}`, title: t('entry.add', { kind: within(label(kind.label)) }), close: desk.close,
      className: 'sheet',
    },
      form.view(entryInputs(form, desk.scheme, kind, null), { action: t('action.add'), cancel: desk.close })),
  };
}

/** A sheet that edits the fields of `entry` itself. */
export function editEntry(desk, entry, omit = []) {
  const kind = without(kindOf(desk.scheme, entry.kind), omit);
  const form = new Form(desk.redraw, async data => {
    const ops = [];
    const fields = patched(entry.fields, readFields(kind.fields, data));
    const op = { op: 'patch', entry: entry.id, fields };
    if (data.has('/status')) {
      const status = data.get('/status') || null;
      if (status !== (entry.status ?? null)) op.status = status;
    }
    if (data.has('/hidden-known')) {
      const hidden = data.has('/hidden');
      if (hidden !== (entry.hidden ?? false)) op.hidden = hidden;
    }
    if (Object.keys(fields).length > 0 || 'status' in op || 'hidden' in op) ops.push(op);
    if (ops.length > 0) await desk.book.apply(ops);
    desk.close();
  });
  return {
    again: ['edit', entry.id, omit],
    view: () => dialog({
      key: `edit-${entry.id}`, title: t('entry.edit', { kind: within(label(kind.label)) }), close: desk.close,
      className: 'sheet',
    },
      form.view([
        heldNote(desk, [entry]),
        shapeFields(form, kind.fields, entry.fields, '', name => desk.holderOf(entry, name)),
        statusInput(desk, form, kind, entry),
        !omit.includes('hidden') && hiddenInput(desk, form, entry),
      ], {
        action: t('action.save'),
        cancel: desk.close,
        more: desk.mayRemove(entry) && h('button', {
          class: 'button quiet danger', type: 'button', onclick: () => desk.remove(entry),
        }, t('action.delete')),
      })),
  };
}

export function entryInputs(form, scheme, kind, values, prefix = '') {
  const required = childKinds(scheme, kind.kind).filter(child => child.min > 0);
  return [
    shapeFields(form, kind.fields, values?.fields ?? null, prefix),
    required.flatMap(child => Array.from({ length: child.min }, (_, index) => {
      const own = values?.children?.[index] ?? null;
      return h('fieldset', { key: `${prefix}/children/${index}` },
        h('legend', null, `${label(child.label)} ${index + 1}`),
        entryInputs(form, scheme, child, own, `${prefix}/children/${index}`));
    })),
  ];
}

export function readEntry(scheme, kind, data, prefix = '') {
  const required = childKinds(scheme, kind.kind).filter(child => child.min > 0);
  const children = required.flatMap(child => Array.from({ length: child.min }, (_, index) =>
    readEntry(scheme, child, data, `${prefix}/children/${index}`)));
  return {
    kind: kind.kind,
    fields: entered(readFields(kind.fields, data, prefix)),
    ...(children.length > 0 ? { children } : {}),
  };
}

function statusInput(desk, form, kind, entry) {
  if (!kind.statuses || kind.statuses.length === 0) return null;
  const holder = desk.holderOf(entry, null);
  return form.field({ name: '/status', label: t('entry.status'), hint: holder && heldHint(holder) }, attributes =>
    h('select', { ...attributes, disabled: holder !== null },
      h('option', { value: '' }, t('status.none')),
      kind.statuses.map(status =>
        h('option', { value: status, selected: status === entry.status }, statusText(status, kind)))));
}

function hiddenInput(desk, form, entry) {
  if (!desk.staff) return null;
  return [
    h('input', { type: 'hidden', name: '/hidden-known', value: '1', key: 'hidden-known' }),
    form.field({ name: '/hidden', label: t('entry.hidden'), className: 'boolean', hint: t('entry.hiddenHint') },
      attributes =>
        h('input', { ...attributes, type: 'checkbox', checked: entry.hidden ?? false })),
  ];
}

/** A sheet for the fields of the record itself (prior GPA and credits …). */
export function editRecord(desk, title) {
  const { fields } = desk.scheme.shape;
  const form = new Form(desk.redraw, async data => {
    const changes = patched(desk.book.record.fields ?? {}, readFields(fields, data));
    if (Object.keys(changes).length > 0) await desk.book.apply([{ op: 'fields', fields: changes }]);
    desk.close();
  });
  return {
    again: ['record', title],
    view: () => dialog({ key: 'record-fields', title, close: desk.close, className: 'sheet' },
      form.view([
        heldNote(desk, [desk.book.record]),
        shapeFields(form, fields, desk.book.record.fields ?? {}, '', name => desk.holderOf(desk.book.record, name)),
      ], {
        action: t('action.save'), cancel: desk.close,
      })),
  };
}
