// Where I am signed in, and the way to end each of these sessions.

import { h } from '../core/dom.js';
import { dateTime, t } from '../core/i18n.js';
import { problemText } from './problem.js';

export function sessionList(app) {
  let items = null;
  const load = async () => {
    items = (await app.http.get('/v1/sessions').catch(() => ({ body: { items: [] } }))).body.items;
    app.redraw();
  };
  const end = async id => {
    try {
      await app.http.delete(`/v1/sessions/${id}`);
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
          h('strong', null, item.current ? t('sessions.current') : item.client || t('sessions.other')),
          h('span', { class: 'muted' }, t('sessions.since', { at: dateTime(item.createdAt) }))),
        !item.current && h('button', { class: 'button quiet small', type: 'button', onclick: () => end(item.id) }, t('sessions.end')))))),
  };
}
