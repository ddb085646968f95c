// A sheet that creates a class: the fields of the root and those of the lines that a root needs, from the scheme's
// shape.

import { h } from '../../../core/page/dom.js';
import { label, t } from '../../../core/text/i18n.js';
import { childKinds, kindOf, rootKinds } from '../../../core/data/kinds.js';
import { Problem } from '../../../core/net/http.js';
import { dialog } from '../../../parts/frame/dialog.js';
import { Form } from '../../../parts/frame/form.js';
import { TermChoice } from '../../../parts/program/termChoice.js';
import { entryInputs, readEntry } from '../../../parts/record/entryForm.js';
import { sharedFields } from '../columns.js';

/** The sheet for a program; `close()` closes it. */
export function newClassSheet(app, program, scheme, close) {
  // A structure has no results.
  const shared = {
    ...scheme,
    shape: {
      ...scheme.shape, kinds: scheme.shape.kinds.map(kind => ({ ...kind, fields: sharedFields(kind), statuses: [] })),
    },
  };
  const kinds = rootKinds(shared);
  let chosen = kinds[0]?.kind;
  const choice = new TermChoice(app, program.institution, app.redraw);
  // The classes of the program whose structure can be copied.
  let models = [];
  let model = null;
  app.http.get(`/v1/classes?program=${program.id}&limit=200`).then(({ body }) => {
    models = body.items;
    app.redraw();
  }, () => {});
  const form = new Form(app.redraw, async data => {
    if (model) {
      const { body } = await app.http.post(`/v1/programs/${program.id}/classes`, {
        title: data.get('/title').trim(), copyOf: model.id, ...choice.read(data),
      });
      return app.go(`/classes/${body.class.id}`);
    }
    const kind = kindOf(shared, chosen);
    const entry = readEntry(shared, kind, data);
    const title = data.get('/title')?.trim()
      || String(Object.values(entry.fields).find(value => typeof value === 'string') ?? '');
    const lines = [];
    below(entry, '#0', lines);
    try {
      const { body } = await app.http.post(`/v1/programs/${program.id}/classes`, {
        title, root: chosen, fields: entry.fields, lines, ...choice.read(data),
      });
      return app.go(`/classes/${body.class.id}`);
    } catch (error) {
      throw placed(error, shared, kind);
    }
  });
  return () => dialog({ key: 'new-class', title: t('classes.new'), close, className: 'sheet' },
    form.view([
      models.length > 0
        && form.field({ name: '/copyOf', label: t('classes.copyOf'), hint: t('classes.copyHint') },
          attributes => h('select', {
            ...attributes, onchange: event => {
              model = models.find(({ id }) => id === event.target.value) ?? null;
              app.redraw();
            },
          }, h('option', { key: 'none', value: '' },
          t('classes.copyNone')), models.map(item =>
            h('option', { key: item.id, value: item.id, selected: item === model }, item.title)))),
      model
        ? form.text({
          name: '/title', label: t('classes.name'), value: model.title, maxlength: 200, required: true,
          autocomplete: 'off',
        })
        : [
        kinds.length > 1 && form.field({ name: '/root', label: t('classes.root') }, attributes => h('select', {
          ...attributes, onchange: event => {
            chosen = event.target.value;
            app.redraw();
          },
        }, kinds.map(kind =>
          h('option', { key: kind.kind, value: kind.kind, selected: kind.kind === chosen },
            label(kind.label, kind.kind))))),
        // If the root has a name of its own, that is the name of the class.
        !kindOf(shared, chosen)?.fields.some(field => field.type === 'text')
          && form.text({ name: '/title', label: t('classes.name'), className: 'text', autocomplete: 'off' }),
        entryInputs(form, shared, kindOf(shared, chosen), null)],
      choice.view(form, null),
    ], { action: t('classes.create'), cancel: close }));
}

// The lines of a request; each names its parent by number.
function below(entry, parent, lines) {
  for (const child of entry.children ?? []) {
    lines.push({ op: 'add', kind: child.kind, in: parent, fields: child.fields });
    below(child, `#${lines.length}`, lines);
  }
}

// Faults name lines that the page does not show; if there is only a root, they can only be about that.
function placed(error, scheme, kind) {
  if (!(error instanceof Problem) || childKinds(scheme, kind.kind).some(child => child.min > 0)) return error;
  error.faults = error.faults.map(fault => ({ ...fault, path: fault.path.replace(/^\/lines\/[^/]+/, '') }));
  return error;
}
