// The user's notifications: for each type of event whether the page shows it, and whether and when it is sent by mail.

import { h } from '../../core/page/dom.js';
import { t } from '../../core/text/i18n.js';
import { dialog } from '../../parts/frame/dialog.js';
import { Form } from '../../parts/frame/form.js';
import { problemText } from '../../parts/frame/problem.js';

const path = '/v1/accounts/me/notices';
const paces = ['none', 'now', 'daily'];

export function noticesSheet(app, close) {
  let state = { notices: null, error: null };
  const load = async () => {
    try {
      state = { notices: (await app.http.get(path)).body.notices, error: null };
    } catch (error) {
      state = { ...state, error };
    }
    app.redraw();
  };
  const form = new Form(app.redraw, async values => {
    const types = Object.fromEntries(Object.keys(state.notices.types).map(type => [type, {
      page: values.get(`/types/${type}/page`) === 'on', mail: values.get(`/types/${type}/mail`),
    }]));
    await app.http.put(path, { types, figures: values.get('/figures') === 'on' });
    close();
    app.say(t('timeline.saved'), 'good');
  });
  load();
  return () => dialog({ key: 'notices', title: t('timeline.choices'), close, className: 'sheet' },
    state.error && h('p', { class: 'alert' }, problemText(state.error)),
    state.error && h('button', { class: 'button quiet', type: 'button', onclick: load }, t('action.retry')),
    !state.notices && !state.error && h('p', { class: 'muted' }, t('state.loading')),
    state.notices
      && form.view([table(state.notices), figures(state.notices)], { action: t('action.save'), cancel: close }));
}

const table = ({ types }) => h('table', { key: 'types', class: 'notices' },
  h('thead', null, h('tr', null,
    h('th', { scope: 'col' }, t('timeline.what')), h('th', { scope: 'col' }, t('timeline.page')),
    h('th', { scope: 'col' }, t('timeline.mail')))),
  h('tbody', null, Object.entries(types).map(([type, { page, mail }]) => {
    const name = t(`timeline.name.${type}`);
    return h('tr', { key: type },
      h('th', { scope: 'row' }, name),
      h('td', null,
        h('input', {
          type: 'checkbox', name: `/types/${type}/page`, checked: page, 'aria-label': t('timeline.inPage', { name }),
        })),
      h('td', null, h('select', { name: `/types/${type}/mail`, 'aria-label': t('timeline.byMail', { name }) },
        paces.map(pace =>
          h('option', { key: pace, value: pace, selected: pace === mail }, t(`timeline.mail.${pace}`))))));
  })));

const figures = notices => h('label', { key: 'figures', class: 'choice' },
  h('input', { type: 'checkbox', name: '/figures', checked: notices.figures }), t('timeline.figures'));
