// The years, terms and periods of an institution, to which its classes belong. A registrar creates and locks them.

import { h, named } from '../core/page/dom.js';
import { date, t } from '../core/text/i18n.js';
import { registers } from '../core/net/session.js';
import { Form } from '../parts/frame/form.js';
import { confirmation, dialog } from '../parts/frame/dialog.js';
import { icon } from '../parts/frame/icons.js';
import { problemText } from '../parts/frame/problem.js';

const kinds = ['year', 'term', 'period'];
const homes = { year: [], term: ['year'], period: ['term', 'year'] };

export async function open(app, { id }) {
  const { body: { institution } } = await app.http.get(`/v1/institutions/${id}`);
  const base = `/v1/institutions/${institution.id}/terms`;
  const state = {
    app, base, items: [], keeps: registers(app.store.state, { institution: institution.id }), kind: 'term', sheet: null,
  };
  await reload(state);
  const form = newForm(state);
  return {
    title: () => t('terms.title'),
    view: () => h('div', { class: 'program' },
      h('div', { class: 'page-head' },
        h('a', {
          class: 'round', href: state.keeps ? `/institutions/${institution.id}/members` : '/programs',
          'aria-label': t('action.back'),
        }, icon('back')),
        h('h1', { tabindex: '-1', class: 'grow' }, named(institution.title), ` – ${t('terms.title')}`)),
      h('p', { class: 'help' }, t('terms.help')),
      state.items.length === 0
        ? h('p', { class: 'empty' }, icon('history'), t('terms.empty'))
        : h('section', { class: 'card' }, h('ul', { class: 'rows' }, state.items.map(item => line(state, item)))),
      state.keeps && making(state, form),
      state.sheet?.()),
  };
}

async function reload(state) {
  state.items = (await state.app.http.get(state.base)).body.items;
  state.app.redraw();
}

async function attempt(state, action) {
  try {
    await action();
  } catch (error) {
    state.app.say(problemText(error), 'bad');
  }
  await reload(state);
}

const depth = (state, item) => {
  const above = state.items.find(({ id }) => id === item.parent);
  return above ? 1 + depth(state, above) : 0;
};

const change = (state, item, body) => attempt(state, () => state.app.http.patch(`${state.base}/${item.id}`, body));

const line = (state, item) => h('li', { key: item.id, class: `term depth-${depth(state, item)}` },
  h('span', { class: 'grow' },
    h('strong', null, named(item.title)),
    h('span', { class: 'muted' },
      t('terms.days', { kind: t(`terms.kind.${item.kind}`), from: date(item.from), until: date(item.until) }))),
  item.locked && h('span', { key: 'locked', class: 'pill' }, t('terms.locked')),
  state.keeps && [
    h('button', {
      key: 'lock', class: 'button quiet small', type: 'button',
      'aria-label': t(item.locked ? 'terms.unlockOne' : 'terms.lockOne', { title: item.title }),
      onclick: () => change(state, item, { locked: !item.locked }),
    }, t(item.locked ? 'terms.unlock' : 'terms.lock')),
    h('button', {
      key: 'edit', class: 'round', type: 'button', 'aria-label': t('terms.editOne', { title: item.title }),
      onclick: () => edit(state, item),
    }, icon('pencil')),
    h('button', {
      key: 'remove', class: 'round danger', type: 'button', 'aria-label': t('terms.removeOne', { title: item.title }),
      onclick: () => remove(state, item),
    }, icon('trash')),
  ]);

const show = (state, view) => {
  state.sheet = view;
  state.app.redraw();
};

function edit(state, item) {
  const close = () => show(state, null);
  const form = new Form(state.app.redraw, async data => {
    await state.app.http.patch(`${state.base}/${item.id}`, {
      title: data.get('/title').trim(), from: data.get('/from'), until: data.get('/until'),
    });
    close();
    await reload(state);
  });
  show(state, () => dialog({ key: `edit-${item.id}`, title: t('terms.editOne', { title: item.title }), close },
    form.view(inputs(form, item), { action: t('action.save'), cancel: close, className: 'stacked' })));
}

function remove(state, item) {
  const close = () => show(state, null);
  show(state, () => confirmation({
    key: `remove-${item.id}`, title: t('terms.removeOne', { title: item.title }), text: t('terms.removeText'),
    action: t('terms.remove'), close,
    confirm: () => {
      close();
      attempt(state, () => state.app.http.delete(`${state.base}/${item.id}`));
    },
  }));
}

const inputs = (form, item = {}) => [
  form.text({
    name: '/title', label: t('terms.name'), value: item.title ?? '', maxlength: 100, required: true,
    autocomplete: 'off',
  }),
  form.text({ name: '/from', label: t('terms.from'), type: 'date', value: item.from ?? '', required: true }),
  form.text({ name: '/until', label: t('terms.until'), type: 'date', value: item.until ?? '', required: true }),
];

const newForm = state => new Form(state.app.redraw, async data => {
  const parent = data.get('/parent');
  const body = {
    kind: state.kind, title: data.get('/title').trim(), from: data.get('/from'), until: data.get('/until'),
  };
  await state.app.http.post(state.base, parent ? { ...body, parent } : body);
  await reload(state);
});

function making(state, form) {
  const offered = state.items.filter(({ kind }) => homes[state.kind].includes(kind));
  return h('section', { class: 'card' },
    h('h2', null, t('terms.new')),
    form.view([
      form.field({ name: '/kind', label: t('terms.kind') }, attributes => h('select', {
        ...attributes, onchange: event => {
          state.kind = event.target.value;
          state.app.redraw();
        },
      }, kinds.map(kind =>
        h('option', { key: kind, value: kind, selected: kind === state.kind }, t(`terms.kind.${kind}`))))),
      (offered.length > 0 || state.kind === 'period')
        && form.field({ name: '/parent', label: t('terms.parent') }, attributes => h('select', attributes,
          state.kind !== 'period' && h('option', { key: 'none', value: '' }, t('terms.none')),
          offered.map(item => h('option', { key: item.id, value: item.id }, item.title)))),
      inputs(form),
    ], { action: t('terms.make') }));
}
