// Lists the sessions of a person, each with a button to end it.

import { h } from '../../core/page/dom.js';
import { dateTime, t } from '../../core/text/i18n.js';
import { deviceName } from './deviceName.js';
import { problemText } from '../frame/problem.js';

/** The sessions at `path`: the user's own or, for an administrator, those of an account. */
export function sessionList(app, path = '/v1/sessions') {
  let items = null;
  const load = async () => {
    items = (await app.http.get(path).catch(() => ({ body: { items: [] } }))).body.items;
    app.redraw();
  };
  const end = async id => {
    try {
      await app.http.delete(`${path}/${id}`);
      await load();
    } catch (error) {
      app.say(problemText(error), 'bad');
    }
  };
  load();
  return {
    load,
    view: () => items && items.length > 0 && h('section', { class: 'card' },
      h('h2', null, t('sessions.title')),
      h('ul', { class: 'rows' }, items.map(item => h('li', { key: item.id },
        h('span', { class: 'grow' },
          h('strong', null, item.current ? `${t('sessions.current')} · ${deviceName(item)}` : deviceName(item)),
          h('span', { class: 'muted' }, t('sessions.since', { at: dateTime(item.createdAt) }))),
        !item.current && h('button', { class: 'button quiet small', type: 'button', onclick: () => end(item.id) },
          t('sessions.end')))))),
  };
}
