// The timeline: what happened to the user's records, to the people that the user follows and to the user's
// institutions, newest first, live.

import { h } from '../core/page/dom.js';
import { t } from '../core/text/i18n.js';
import { icon } from '../parts/frame/icons.js';
import { problemText } from '../parts/frame/problem.js';
import { signInInvitation } from '../parts/account/invitation.js';
import { Lines } from './timeline/lines.js';
import { line } from './timeline/line.js';
import { noticesSheet } from './timeline/notices.js';
import { announceSheet } from './timeline/announce.js';
import { pullable } from './timeline/pull.js';

export async function open(app) {
  const { account, memberships } = app.store.state;
  if (!account) return signInInvitation(t('timeline.title'));
  const lines = new Lines(app, account.id);
  await lines.start();
  const state = { app, lines, sheet: null, announces: memberships.filter(({ role }) => role === 'registrar') };
  const look = () => document.hidden || lines.see();
  document.addEventListener('visibilitychange', look);
  return {
    title: () => t('timeline.title'),
    view: () => draw(state),
    onDocument: topic => lines.changed(topic),
    close() {
      document.removeEventListener('visibilitychange', look);
      lines.close();
    },
  };
}

function draw(state) {
  const { app, lines } = state;
  const close = () => {
    state.sheet = null;
    app.redraw();
  };
  const show = sheet => {
    state.sheet = sheet(app, close);
    app.redraw();
  };
  return h('div', { class: 'timeline', ...pullable(() => lines.refresh()) },
    h('div', { class: 'page-head' },
      h('h1', { tabindex: '-1' }, t('timeline.title')),
      lines.unread > 0 && h('span', { class: 'pill', 'data-unread': lines.unread },
        t('timeline.unread', { count: lines.unread })),
      state.announces.length > 0 && h('button', {
        class: 'button quiet small', type: 'button',
        onclick: () => show((...at) => announceSheet(...at, lines, state.announces)),
      }, t('timeline.announce')),
      h('button', { class: 'button quiet small', type: 'button', onclick: () => show(noticesSheet) },
        t('timeline.choices')),
      h('button', {
        class: 'round', type: 'button', 'aria-label': t('timeline.refresh'), onclick: () => lines.refresh(),
      }, icon('history'))),
    h('div', { class: 'timeline-new', role: 'status' },
      lines.fresh > 0 && h('button', { class: 'button', type: 'button', onclick: () => lines.takeFresh() },
        t('timeline.new', { count: lines.fresh }))),
    lines.isRefreshing && h('p', { class: 'muted', role: 'status' }, t('state.loading')),
    lines.shown.length === 0 && !lines.next && h('div', { class: 'empty' },
      icon('history'),
      h('p', null, t('timeline.empty')),
      h('p', { class: 'muted' }, t('timeline.emptyHint'))),
    h('ol', { class: 'timeline-lines' }, lines.shown.map(item => line(app, lines, item))),
    more(lines),
    state.sheet?.());
}

// More of the list is loaded as soon as its end comes into view; the button does the same.
function more(lines) {
  if (lines.problem) {
    return h('div', { key: 'problem', class: 'card problem', role: 'alert' },
      h('p', null, problemText(lines.problem)),
      h('button', { class: 'button', type: 'button', onclick: () => lines.retry() }, t('action.retry')));
  }
  if (!lines.next) {
    return lines.shown.length > 0 && h('p', { key: 'end', class: 'muted timeline-end' }, t('timeline.end'));
  }
  return h('p', {
    key: 'more', class: 'timeline-end', onMount: element => lines.watchEnd(element),
    onUnmount: () => lines.unwatchEnd(),
  },
    h('button', { class: 'button quiet', type: 'button', disabled: lines.isLoading, onclick: () => lines.more() },
      t(lines.isLoading ? 'state.loading' : 'action.more')));
}
