// Whom I follow and who follows me: requests, friends, the link to follow me by, blocks, and what others may find.

import { h, named } from '../core/page/dom.js';
import { date, t } from '../core/text/i18n.js';
import { avatar } from '../parts/frame/avatar.js';
import { Form } from '../parts/frame/form.js';
import { icon } from '../parts/frame/icons.js';
import { signInInvitation } from '../parts/account/invitation.js';
import { problemText } from '../parts/frame/problem.js';

const lists = ['requests', 'friends', 'following', 'followers', 'blocks'];
const base = '/v1/accounts/me';

export async function open(app) {
  if (!app.store.state.account) return signInInvitation(t('friends.title'));
  const state = { app, people: {}, link: null };
  await reload(state);
  const choices = choiceForm(state);
  return {
    title: () => t('friends.title'),
    view: () => h('div', { class: 'friends' },
      h('div', { class: 'page-head' },
        h('a', { class: 'round', href: '/profile', 'aria-label': t('action.back') }, icon('back')),
        h('h1', { tabindex: '-1' }, t('friends.title'))),
      h('p', { class: 'help' }, t('friends.intro')),
      lists.map(list => section(state, list)),
      link(state),
      choosing(state, choices)),
  };
}

async function reload(state) {
  const answers = await Promise.all(lists.map(list => state.app.http.get(`${base}/${list}`)));
  state.people = Object.fromEntries(lists.map((list, index) =>
    [list, { items: answers[index].body.items, next: answers[index].next }]));
  state.app.redraw();
}

async function attempt(state, action) {
  try {
    await action();
    await reload(state);
  } catch (error) {
    state.app.say(problemText(error), 'bad');
  }
}

async function more(state, list) {
  const { items, next } = state.people[list];
  const answer = await state.app.http.get(next);
  state.people[list] = { items: [...items, ...answer.body.items], next: answer.next };
  state.app.redraw();
}

// The actions for the people of each list: text and request.
const actions = {
  requests: [['friends.accept', 'put', id => `${base}/followers/${id}`],
    ['friends.refuse', 'delete', id => `${base}/followers/${id}`]],
  friends: [],
  following: [['friends.unfollow', 'delete', id => `/v1/accounts/${id}/following`]],
  followers: [['friends.remove', 'delete', id => `${base}/followers/${id}`]],
  blocks: [['friends.unblock', 'delete', id => `${base}/blocks/${id}`]],
};

function section(state, list) {
  const { items, next } = state.people[list];
  if (items.length === 0 && list !== 'friends') return null;
  return h('section', { key: list, class: 'card' },
    h('h2', null, t(`friends.${list}`)),
    items.length === 0 && h('p', { class: 'empty' }, icon('people'), t('friends.none')),
    h('ul', { class: 'rows' }, items.map(item => row(state, list, item))),
    next && h('button', {
      class: 'button quiet', type: 'button', onclick: () => attempt(state, () => more(state, list)),
    }, t('action.more')));
}

function row(state, list, { person, state: how, since }) {
  // Nothing is shown of a person who was blocked without being visible.
  const name = person.displayName ?? t('friends.unseen');
  return h('li', { key: person.id },
    avatar(person, 40),
    h('span', { class: 'grow' },
      list === 'blocks'
        ? h('strong', null, named(name))
        : h('a', { href: `/people/${person.id}` }, h('strong', null, named(name))),
      h('span', { class: 'muted' },
        t(how === 'requested' ? 'friends.askedOn' : 'friends.since', { date: date(since) }))),
    actions[list].map(([text, method, path]) => h('button', {
      key: text, class: 'button quiet small', type: 'button',
      'aria-label': t('friends.about', { action: t(text), name }),
      onclick: () => attempt(state,
        () => (method === 'put' ? state.app.http.put(path(person.id)) : state.app.http.delete(path(person.id)))),
    }, t(text))));
}

function link(state) {
  const make = () => attempt(state, async () => {
    const { body } = await state.app.http.post(`${base}/link`);
    const { url, token } = body.link;
    state.link = url ?? `${location.origin}/people/link#${state.app.store.state.account.id}.${token}`;
  });
  return h('section', { class: 'card' },
    h('h2', null, t('friends.link')),
    h('p', null, t('friends.linkText')),
    h('button', { class: 'button quiet', type: 'button', onclick: make }, t('friends.linkMake')),
    state.link && h('p', { class: 'link-once', role: 'status' }, h('code', null, state.link)));
}

const choiceForm = state => new Form(state.app.redraw, async data => {
  const changes = {
    discoverable: data.get('/discoverable') === 'on',
    followers: data.get('/approve') === 'on' ? 'approve' : 'open',
    lists: data.get('/lists') === 'on' ? 'friends' : 'none',
  };
  const { body } = await state.app.http.patch(base, changes);
  state.app.session.replace(body.account ?? body);
  state.app.say(t('profile.saved'), 'good');
});

function choosing({ app }, form) {
  const { account } = app.store.state;
  const check = (name, checked) =>
    form.field({ name: `/${name}`, label: t(`friends.${name}`), hint: t(`friends.${name}Hint`), className: 'boolean' },
      attributes => h('input', { ...attributes, type: 'checkbox', checked }));
  return h('section', { class: 'card' },
    h('h2', null, t('friends.choices')),
    form.view([
      check('discoverable', account.discoverable),
      check('approve', account.followers === 'approve'),
      check('lists', account.lists === 'friends'),
    ], { action: t('action.save'), className: 'stacked' }));
}
