// Who I am and how the page should look: picture, words about me, language, theme; the link to how I sign in; my data;
// leaving.

import { h, named } from '../core/page/dom.js';
import { chooseLanguage, language, languages, t } from '../core/text/i18n.js';
import { useStyles } from '../core/page/styles.js';
import { chooseTheme, theme, themes } from '../core/page/theme.js';
import { Form } from '../parts/frame/form.js';
import { avatar } from '../parts/frame/avatar.js';
import { slider } from '../parts/frame/slider.js';
import { icon } from '../parts/frame/icons.js';
import { confirmation } from '../parts/frame/dialog.js';
import { leaving, unsentCounts } from '../parts/account/leaving.js';
import { problemText } from '../parts/frame/problem.js';

await useStyles('segmented');

export async function open(app) {
  const state = { hue: app.store.state.account?.avatarHue ?? 0, sheet: null };
  const form = profileForm(app, state);
  return {
    title: () => t('profile.title'),
    view: () => {
      const { account } = app.store.state;
      return h('div', { class: 'profile' },
        h('h1', { tabindex: '-1' }, t('profile.title')),
        account && [face(app, state, account), details(app, state, form, account)],
        settings(app),
        account && [friends(account), security(), data(app, state)],
        !account && h('p', null, h('a', { class: 'button big', href: '/sign-in?next=/profile' }, t('signIn.action'))),
        state.sheet?.());
    },
  };
}

function face(app, state, account) {
  const upload = async event => {
    const file = event.target.files[0];
    event.target.value = '';
    if (!file) return;
    if (file.size > 1048576) return app.say(t('profile.pictureTooLarge'), 'bad');
    await attempt(app, async () => {
      await app.http.put(`/v1/accounts/${account.id}/avatar`, file, { headers: { 'content-type': file.type } });
      await app.session.start();
    });
  };
  const picture = account.avatar;
  return h('section', { class: 'card face' },
    avatar(account, 112, state.hue),
    h('div', { class: 'grow' },
      h('strong', { class: 'face-name' }, named(account.displayName)),
      h('p', { class: 'muted' }, named(account.login)),
      h('div', { class: 'actions' },
        h('label', { class: 'button quiet' }, t('profile.upload'),
          h('input', {
            class: 'visually-hidden', type: 'file', accept: 'image/png,image/jpeg,image/webp', onchange: upload,
          })),
        picture && h('button', {
          class: 'button quiet', type: 'button',
          onclick: () => attempt(app, async () => {
            await app.http.delete(`/v1/accounts/${account.id}/avatar`);
            await app.session.start();
          }),
        }, t('profile.removePicture')),
        h('button', { class: 'button quiet', type: 'button', onclick: () => leave(app, state) },
          icon('out'),
          t('signOut.action')))));
}

// What was typed and not sent is neither lost nor sent without asking.
function leave(app, state) {
  const signOut = () => attempt(app, async () => {
    await app.session.signOut();
    app.go('/');
  });
  if (unsentCounts(app).all === 0) return signOut();
  const close = () => {
    state.sheet = null;
    app.redraw();
  };
  state.sheet = leaving(app, close, signOut);
  app.redraw();
}

async function attempt(app, action) {
  try {
    await action();
  } catch (error) {
    app.say(problemText(error), 'bad');
  }
}

function profileForm(app, state) {
  return new Form(app.redraw, async values => {
    const changes = {
      displayName: values.get('/displayName').trim(),
      givenName: values.get('/givenName').trim() || null,
      familyName: values.get('/familyName').trim() || null,
      description: values.get('/description').trim() || null,
      gender: values.get('/gender'),
      avatarHue: state.hue,
    };
    const { body } = await app.http.patch('/v1/accounts/me', changes);
    app.session.replace(body.account ?? body);
    app.say(t('profile.saved'), 'good');
  });
}

const genders = ['unspecified', 'female', 'male', 'other'];

function details(app, state, form, account) {
  return h('section', { class: 'card' },
    h('h2', null, t('profile.about')),
    form.view([
      form.text({
        name: '/displayName', label: t('account.displayName'), value: account.displayName, autocomplete: 'name',
      }),
      form.text({
        name: '/givenName', label: t('profile.givenName'), value: account.givenName ?? '', autocomplete: 'given-name',
      }),
      form.text({
        name: '/familyName', label: t('profile.familyName'), hint: t('profile.personNames'),
        value: account.familyName ?? '', autocomplete: 'family-name',
      }),
      form.field({ name: '/gender', label: t('profile.gender') }, attributes => h('select', attributes,
        genders.map(gender =>
          h('option', { value: gender, selected: gender === account.gender }, t(`profile.gender.${gender}`))))),
      form.field({ name: '/description', label: t('profile.description') }, attributes =>
        h('textarea', { ...attributes, rows: 3, initial: account.description ?? '' })),
      form.field({ name: '/avatarHue', label: t('profile.hue', { hue: state.hue }) }, attributes => slider({
        ...attributes, min: 0, max: 360, step: 0.1, class: 'hue', value: state.hue,
        oninput: event => {
          state.hue = Number(event.target.value);
          app.redraw();
        },
      })),
    ], { action: t('action.save'), className: 'stacked' }));
}

const friends = account => h('section', { class: 'card' },
  h('h2', null, t('profile.friends')),
  h('p', null, t('profile.friendsText')),
  h('div', { class: 'actions' },
    h('a', { class: 'button quiet', href: '/people' }, t('profile.friendsAction')),
    h('a', { class: 'button quiet', href: `/people/${account.id}` }, t('profile.homepage'))));

function settings(app) {
  return h('section', { class: 'card' },
    h('h2', null, t('profile.settings')),
    h('fieldset', { class: 'segmented' }, h('legend', null, t('profile.language')), languages.map(item =>
      segment('language', item.id, item.name, item.id === language(), () => changeLanguage(app, item.id)))),
    h('fieldset', { class: 'segmented' }, h('legend', null, t('profile.theme')), themes.map(name =>
      segment('theme', name, t(`theme.${name}`), name === theme(), () => {
        chooseTheme(name);
        app.redraw();
      }))));
}

function segment(group, value, text, checked, onchange) {
  return h('label', { key: value },
    h('input', { type: 'radio', name: group, value, checked, onchange }),
    h('span', null, text));
}

function security() {
  return h('section', { class: 'card' },
    h('h2', null, t('security.title')),
    h('p', null, t('security.text')),
    h('div', { class: 'actions' },
      h('a', { class: 'button quiet', href: '/security' }, icon('lock'), t('security.open'))));
}

// Choices are stored one after the other, so that the last one remains.
let keeping = Promise.resolve();

async function changeLanguage(app, id) {
  await chooseLanguage(id);
  app.redraw();
  if (!app.store.state.account) return;
  keeping = keeping.then(() => app.http.patch('/v1/accounts/me', { locale: id })).catch(() => {});
}

function data(app, state) {
  const close = () => {
    state.sheet = null;
    app.redraw();
  };
  const erase = () => {
    state.sheet = () => confirmation({
      key: 'account', title: t('profile.delete'), text: t('profile.deleteText'), action: t('profile.delete'), close,
      confirm: () => attempt(app, async () => {
        close();
        await app.http.delete('/v1/accounts/me');
        await app.edits.discardAll();
        app.drafts.discardAll();
        app.cells?.discardAll();
        await app.session.gone();
        app.go('/');
      }),
    });
    app.redraw();
  };
  return h('section', { class: 'card' },
    h('h2', null, t('profile.data')),
    h('div', { class: 'actions' },
      h('a', { class: 'button quiet', href: '/v1/accounts/me/export', download: 'gradecast.json' },
        icon('download'),
        t('profile.export')),
      h('button', { class: 'button quiet danger', type: 'button', onclick: erase },
        icon('trash'),
        t('profile.delete'))));
}
