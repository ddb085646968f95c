// The sheet on which staff add a copy of another record of the student, or enter the results of a year elsewhere.

import { h } from '../../core/page/dom.js';
import { dateTime, label, t } from '../../core/text/i18n.js';
import { dialog } from '../frame/dialog.js';
import { Form } from '../frame/form.js';

const LONGEST_REASON = 500;

/**
 * The sheet for one kind of copy; it first looks up the student's other records in the institution. `refresh` then
 * accepts the record's new state from the server.
 */
export async function earlierSheet(desk, kind, refresh) {
  const records = await otherRecords(desk);
  let chosen = records[0]?.id ?? '';
  const form = new Form(desk.redraw, async data => {
    const reason = data.get('/reason').trim();
    const source = chosen
      ? { record: chosen }
      : { figures: valuesOf(data, 'figures'), outcomes: valuesOf(data, 'outcomes') };
    await desk.app.http.put(`/v1/records/${desk.book.id}/earlier/${kind.kind}`, {
      ...source, ...(reason && { reason })
    });
    await refresh(desk);
    desk.close();
  });
  const choose = event => {
    chosen = event.currentTarget.value;
    desk.redraw();
  };
  return {
    view: () => dialog({ key: `earlier-${kind.kind}`, title: label(kind.label), close: desk.close, className: 'sheet' },
      h('p', { class: 'muted' }, t('earlier.frozen')),
      form.view([
        form.field({ name: '/record', label: t('earlier.from') },
          attributes => h('select', { ...attributes, onchange: choose },
            records.map(item => h('option', { key: item.id, value: item.id, selected: item.id === chosen }, item.text)),
            h('option', { key: '', value: '', selected: chosen === '' }, t('earlier.elsewhere')))),
        chosen === '' && written(desk, kind, form),
        form.field({ name: '/reason', label: t('given.reason'), hint: t('given.reasonHint') }, attributes =>
          h('textarea', { ...attributes, rows: 2, maxlength: LONGEST_REASON })),
      ], { action: t('earlier.take'), cancel: desk.close })),
  };
}

const written = (desk, kind, form) => [
  desk.scheme.figures.filter(figure => figure.kind === kind.kind).map(figure =>
    form.text({
      name: `/given/figures/${figure.name}`, label: label(figure.label, figure.name), inputmode: 'decimal',
      autocomplete: 'off',
    })),
  (desk.scheme.outcomes ?? []).filter(outcome => outcome.kind === kind.kind).map(outcome =>
    form.field({ name: `/given/outcomes/${outcome.name}`, label: label(outcome.label, outcome.name) }, attributes =>
      h('select', attributes, choicesOf(outcome).map(([value, text]) => h('option', { key: value, value }, text))))),
];

// The values that an outcome names, or else met and unmet.
const choicesOf = ({ values }) => [['', '–'], ...values?.length
  ? values.map(item => [item.value, label(item.label)])
  : ['met', 'unmet'].map(state => [state, t(`outcome.${state}`)])];

// The values that were typed; what is left empty is unknown.
function valuesOf(data, group) {
  const start = `/given/${group}/`;
  return Object.fromEntries([...data.entries()].filter(([name, value]) => name.startsWith(start) && value !== '')
    .map(([name, value]) => [name.slice(start.length), value.trim().replace(',', '.')]));
}

async function otherRecords({ app, book }) {
  const { program } = (await app.http.get(`/v1/records/${book.id}/program`)).body;
  const programs = await app.catalogue.programs(program.institution);
  const lists = await Promise.all(programs.map(async item => {
    const answer = await app.http.get(`/v1/records?program=${item.id}&student=${book.record.student}`)
      .catch(() => null);
    return (answer?.body.items ?? []).map(record => ({
      id: record.id, text: t('earlier.record', { program: item.title, at: dateTime(record.createdAt) }),
    }));
  }));
  return lists.flat().filter(record => record.id !== book.id);
}
