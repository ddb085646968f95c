// The sheet on which staff set a figure or an outcome by hand, with a reason, and return to the computed one.

import { h } from '../../core/page/dom.js';
import { label, t, toInput } from '../../core/text/i18n.js';
import { exactText } from '../../core/text/traceWords.js';
import { valueIn } from '../../core/values/own.js';
import { dialog } from '../frame/dialog.js';
import { Form } from '../frame/form.js';

const LONGEST_REASON = 500;

/** `group` is `figures` or `outcomes`; `entry` is null for those of the record itself. `note(value)` draws who set a
 *  value of the standing. */
export function givingSheet(desk, { group, name, entry, text }, note) {
  const record = `/v1/records/${desk.book.id}`;
  const path = entry ? `${record}/entries/${entry.id}` : record;
  const own = () => valueIn(valueIn((entry ? desk.entry(entry.id) : desk.book.record)?.given, group), name) ?? null;
  const pointer = `/given/${group}/${name}`;
  let takesBack = false;
  const form = new Form(desk.redraw, async data => {
    const value = takesBack ? null : data.get(pointer);
    takesBack = false;
    const body = { given: { [group]: { [name]: value } }, reason: data.get('/reason').trim() };
    if (data.has('/hidden') && value !== null) body.hidden = true;
    await desk.app.http.patch(path, body);
    const answer = await desk.app.http.get(record);
    desk.app.documents.accept(desk.book.topic, answer.place, answer.body);
    desk.close();
  });
  const takeBack = event => {
    takesBack = true;
    event.currentTarget.form.requestSubmit();
  };
  return {
    view: () => {
      const given = own();
      const standing = entry ? valueIn(desk.book.standing.entries, entry.id) : desk.book.standing;
      return dialog({
        key: `give-${group}-${name}`, title: t('given.of', { name: text }), close: desk.close, className: 'sheet',
      },
        h('p', { class: 'muted' }, t('given.intro')),
        note(valueIn(standing?.[group], name)),
        form.view([
          group === 'figures'
            ? figureInput(form, pointer, given)
            : outcomeInput(form, pointer, given, described(desk, name, entry)),
          form.field({ name: '/reason', label: t('given.reason'), hint: t('given.reasonHint') }, attributes =>
            h('textarea', { ...attributes, rows: 2, maxlength: LONGEST_REASON, required: true })),
          entry && !desk.entry(entry.id)?.class
            && form.field({ name: '/hidden', label: t('given.hidden'), className: 'boolean' },
              attributes => h('input', { ...attributes, type: 'checkbox' })),
        ], {
          action: t('given.give'),
          cancel: desk.close,
          more: given && h('button', { class: 'button quiet', type: 'button', onclick: takeBack }, t('given.takeBack')),
        }));
    },
  };
}

const figureInput = (form, name, given) =>
  form.text({
    name, label: t('given.value'), value: given ? toInput(exactText(given.value).replace('−', '-')) : '',
    inputmode: 'decimal', autocomplete: 'off',
  });

// One of the values that the outcome names, or met and unmet if it names none.
const outcomeInput = (form, name, given, { values = [] }) =>
  form.field({ name, label: t('given.value') }, attributes => h('select', attributes,
    (values.length > 0
      ? values.map(item => [item.value, label(item.label, item.value)])
      : ['met', 'unmet'].map(state => [state, t(`outcome.${state}`)]))
      .map(([value, text]) => h('option', { key: value, value, selected: given?.value === value }, text))));

const described = (desk, name, entry) => {
  const kind = (entry && desk.entry(entry.id)?.kind) ?? null;
  return desk.scheme.outcomes?.find(item => item.name === name && (item.kind ?? null) === kind) ?? {};
};
