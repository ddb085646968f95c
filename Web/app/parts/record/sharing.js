// How much of a record a student shares, with whom, and how others see it.

import { h } from '../../core/page/dom.js';
import { t } from '../../core/text/i18n.js';
import { dialog } from '../frame/dialog.js';
import { Form } from '../frame/form.js';
import { problemText } from '../frame/problem.js';
import { sharedView } from './sharedView.js';

const extents = ['headline', 'standing'];
const audiences = ['friends', 'members', 'everyone'];

/** The sheet on which students decide who sees what of the record on the desk. */
export function sharingSheet(desk) {
  const path = `/v1/records/${desk.book.id}/sharing`;
  let state = { choice: null, what: 'headline', with: [], error: null };
  const become = choice => {
    state = { choice, what: choice.what, with: choice.with, error: null };
  };
  const load = async () => {
    try {
      become((await desk.app.http.get(path)).body.sharing);
    } catch (error) {
      state = { ...state, error };
    }
    desk.redraw();
  };
  const choose = changes => {
    state = { ...state, ...changes };
    desk.redraw();
  };
  const form = new Form(desk.redraw, async () => {
    become((await desk.app.http.put(path, { what: state.what, with: state.with })).body.sharing);
    desk.close();
    desk.app.say(t('sharing.saved'), 'good');
  });
  load();
  return {
    refresh: load,
    view: () => dialog({ key: 'sharing', title: t('sharing.title'), close: desk.close, className: 'sheet' },
      state.error && h('p', { class: 'alert' }, problemText(state.error)),
      state.error && h('button', { class: 'button quiet', type: 'button', onclick: load }, t('action.retry')),
      !state.choice && !state.error && h('p', { class: 'muted' }, t('state.loading')),
      state.choice && [
        h('p', null, t('sharing.intro')),
        state.choice.allowed ? form.view([choices(state, choose), asOthers(desk, state)], {
          action: t('action.save'), cancel: desk.close,
        })
          : h('p', { class: 'alert' }, t('sharing.forbidden')),
      ]),
  };
}

function choices(state, choose) {
  const toggle = name => choose({ with: audiences.filter(each => (each === name) !== state.with.includes(each)) });
  return [
    h('fieldset', { key: 'with', class: 'choices' },
      h('legend', null, t('sharing.with')),
      audiences.map(name => h('label', { key: name },
        h('input', {
          type: 'checkbox', name: '/with', value: name, checked: state.with.includes(name),
          onchange: () => toggle(name),
        }),
        t(`sharing.with.${name}`)))),
    h('fieldset', { key: 'what', class: 'choices' },
      h('legend', null, t('sharing.what')),
      extents.map(name => h('label', { key: name },
        h('input', {
          type: 'radio', name: '/what', value: name, checked: state.what === name,
          onchange: () => choose({ what: name }),
        }),
        t(`sharing.what.${name}`)))),
  ];
}

const asOthers = (desk, state) => h('section', { key: 'as-others' },
  h('h3', null, t('sharing.asOthers')),
  state.with.length === 0
    ? h('p', { class: 'muted' }, t('sharing.closed'))
    : sharedView(desk.scheme, state.choice.views[state.what]));
