// A person's homepage: who it is, how the user is connected with the person, and what is shared with the user, live.

import { h, named } from '../core/page/dom.js';
import { useStyles } from '../core/page/styles.js';
import { t } from '../core/text/i18n.js';
import { avatar } from '../parts/frame/avatar.js';
import { confirmation } from '../parts/frame/dialog.js';
import { icon } from '../parts/frame/icons.js';
import { signInInvitation } from '../parts/account/invitation.js';
import { problemText } from '../parts/frame/problem.js';
import { schemeNamed } from '../parts/program/programScheme.js';
import { sharedView } from '../parts/record/sharedView.js';

await useStyles('segmented');

export async function open(app, { id }) {
  if (!app.store.state.account) return signInInvitation(t('person.title'));
  const own = id === app.store.state.account.id;
  const state = { app, id, own, viewer: 'everyone', page: null, schemes: new Map(), watched: new Map(), sheet: null };
  await load(state);
  return {
    title: () => state.page.person.displayName,
    view: () => draw(state),
    onDocument: () => app.redraw(),
    close: () => state.watched.forEach(unwatch => unwatch()),
  };
}

async function load(state) {
  const { http } = state.app;
  const path = state.own ? `/v1/accounts/me/preview?as=${state.viewer}` : `/v1/people/${state.id}`;
  const page = (await http.get(path)).body;
  await Promise.all(page.records.map(async ({ id, scheme }) => {
    if (state.watched.has(id)) return;
    const { body, place } = await http.get(`/v1/records/${id}/shared`);
    state.schemes.set(id, await schemeNamed(state.app, scheme, body.program).catch(() => null));
    state.app.documents.accept(`shared/${id}`, place, body);
    state.watched.set(id, state.app.live.watch(`shared/${id}`));
  }));
  state.page = page;
  state.app.redraw();
}

async function attempt(state, action) {
  try {
    await action();
    await load(state);
  } catch (error) {
    state.app.say(problemText(error), 'bad');
  }
}

function draw(state) {
  const { person, counts, friends } = state.page;
  return h('div', { class: 'person' },
    h('div', { class: 'page-head' },
      h('a', { class: 'round', href: '/people', 'aria-label': t('action.back') }, icon('back')),
      h('h1', { tabindex: '-1' }, named(person.displayName))),
    h('section', { class: 'card face' },
      avatar(person, 112),
      h('div', { class: 'grow' },
        person.description && h('p', null, named(person.description)),
        h('p', { class: 'muted' },
          ['followers', 'following', 'friends'].map(name => t(`person.${name}`, { count: counts[name] })).join(' · ')),
        state.own ? viewers(state) : relation(state))),
    records(state),
    friends && h('section', { class: 'card' },
      h('h2', null, t('friends.friends')),
      friends.length === 0 && h('p', { class: 'muted' }, t('friends.none')),
      h('ul', { class: 'rows' }, friends.map(friend => h('li', { key: friend.id },
        avatar(friend, 40), h('a', { class: 'grow', href: `/people/${friend.id}` }, named(friend.displayName)))))),
    state.sheet?.());
}

// Choices of how others see the user's own page.
function viewers(state) {
  const choose = viewer => attempt(state, () => {
    state.viewer = viewer;
  });
  return h('fieldset', { class: 'segmented' }, h('legend', null, t('person.asOthers')),
    ['everyone', 'member', 'friend'].map(viewer => h('label', { key: viewer },
      h('input', {
        type: 'radio', name: 'viewer', value: viewer, checked: viewer === state.viewer, onchange: () => choose(viewer),
      }),
      h('span', null, t(`person.as.${viewer}`)))));
}

function relation(state) {
  const { http } = state.app;
  const { following, follower, friends } = state.page.relation;
  const path = `/v1/accounts/${state.id}/following`;
  const button = (text, action, quiet = true) => h('button', {
    key: text, class: `button${quiet ? ' quiet' : ''}`, type: 'button', onclick: () => attempt(state, action),
  }, t(text));
  return [
    h('p', { key: 'how', role: 'status' }, friends ? t('person.areFriends')
      : [follower === 'following' && t('person.followsYou'), ' ', t(`person.you.${following}`)]),
    h('div', { key: 'actions', class: 'actions' },
      follower === 'requested'
        && button('friends.accept', () => http.put(`/v1/accounts/me/followers/${state.id}`), false),
      following === 'none' ? button('person.follow', () => http.put(path), false)
        : button(following === 'requested' ? 'person.takeBack' : 'friends.unfollow', () => http.delete(path)),
      h('button', { key: 'block', class: 'button quiet', type: 'button', onclick: () => askToBlock(state) },
        t('person.block'))),
  ];
}

function askToBlock(state) {
  const close = () => {
    state.sheet = null;
    state.app.redraw();
  };
  state.sheet = () => confirmation({
    key: 'block', title: t('person.blockTitle', { name: state.page.person.displayName }), text: t('person.blockText'),
    action: t('person.block'), close,
    confirm: async () => {
      close();
      try {
        await state.app.http.put(`/v1/accounts/me/blocks/${state.id}`);
        state.app.go('/people');
      } catch (error) {
        state.app.say(problemText(error), 'bad');
      }
    },
  });
  state.app.redraw();
}

function records(state) {
  const { documents, store } = state.app;
  const shown = state.page.records.filter(({ id }) => documents.get(`shared/${id}`)
    && !store.state.ended[`shared/${id}`]);
  return h('section', { class: 'card' },
    h('h2', null, t('person.shared')),
    shown.length === 0 && h('p', { class: 'muted' }, t(state.own ? 'person.sharesNothing' : 'person.nothing')),
    h('ul', { class: 'shared-records' }, shown.map(({ id }) => {
      const { doc } = documents.get(`shared/${id}`);
      return h('li', { key: id }, h('h3', null, named(doc.title ?? '')), sharedView(state.schemes.get(id), doc));
    })));
}
