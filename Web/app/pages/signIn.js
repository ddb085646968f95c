// Signing in and signing up. Faults are shown in place; the session itself is a cookie that no script can read.

import { h } from '../core/page/dom.js';
import { chosenLanguage, t, useTexts } from '../core/text/i18n.js';
import { Form } from '../parts/frame/form.js';
import { icon } from '../parts/frame/icons.js';
import { passkeySignIn } from '../parts/account/passkeySignIn.js';
import { ownPage, providerButtons, signInOffer } from '../parts/account/provider.js';
import { SignInCode } from '../parts/account/signInCode.js';

export const open = app => entry(app, false);
export const openSignUp = app => entry(app, true);

async function entry(app, fresh) {
  // The page to return to may itself be a one-time link; then it comes after the "#" as well.
  const next = ownPage(new URLSearchParams(location.hash.slice(1) || location.search).get('next'));
  if (app.store.state.account) app.go(next);
  const password = { shown: false };
  const code = new SignInCode(app);
  const form = new Form(app.redraw, async data => {
    const login = data.get('/login').trim();
    if (fresh) {
      const displayName = data.get('/displayName').trim() || login;
      await code.after(() =>
        app.session.signUp({
          login, password: data.get('/password'), displayName, ...personNames(data), ...chosenLanguage(),
        }));
      if (!code.isAsked) app.say(t('signUp.done', { name: displayName }), 'good');
    } else {
      await code.after(() => app.session.signIn(login, data.get('/password'))).catch(error => {
        if (error.status === 401) error.message = t('signIn.refused');
        throw error;
      });
    }
    // Now that somebody is signed in, this page is opened again and leads to the next one.
  });
  const isInvited = next.startsWith('/invitation#');
  const [offer] = await Promise.all([signInOffer(app), (fresh || isInvited) && useTexts('profile')]);
  const others = providerButtons(app, offer?.providers ?? [], 'provider.action',
    (provider, reply) => code.after(() => app.session.signInWith(provider.id, reply)), next);
  const passkey = fresh ? null : passkeySignIn(app, offer);
  const query = location.search + location.hash;
  return {
    title: () => t(code.isAsked ? 'signIn.codeTitle' : fresh ? 'signUp.title' : 'signIn.title'),
    view: () => code.isAsked ? code.view() : h('section', { class: 'card narrow', key: 'password' },
      h('h1', { tabindex: '-1' }, t(fresh ? 'signUp.title' : 'signIn.title')),
      passkey?.isFirst && passkey.view(),
      form.view([
        fresh && nameFields(form),
        form.text({
          name: '/login', label: t('account.login'), autocomplete: 'username', autocapitalize: 'none',
          spellcheck: 'false', required: true,
        }),
        passwordField(app, form, password, fresh),
      ], {
        action: t(fresh ? 'signUp.action' : 'signIn.action'), className: 'stacked', quiet: passkey?.isFirst ?? false,
        more: !fresh && offer?.mail && h('a', { class: 'link', href: '/forgotten' }, t('signIn.forgotten')),
      }),
      others(),
      isInvited && offer?.providers.length > 0 && h('p', { class: 'muted' }, t('provider.joins')),
      passkey && !passkey.isFirst && passkey.view(),
      h('p', { class: 'muted' }, t(fresh ? 'signUp.instead' : 'signIn.instead'), ' ',
        h('a', { href: (fresh ? '/sign-in' : '/sign-up') + query }, t(fresh ? 'signIn.action' : 'signUp.action')))),
  };
}

function nameFields(form) {
  return [
    form.text({ name: '/displayName', label: t('account.displayName'), autocomplete: 'name', required: true }),
    form.text({ name: '/givenName', label: t('signUp.givenName'), autocomplete: 'given-name' }),
    form.text({
      name: '/familyName', label: t('signUp.familyName'), hint: t('profile.personNames'), autocomplete: 'family-name',
    }),
  ];
}

// The first and last name, as far as they were typed.
const personNames = data => Object.fromEntries(['givenName', 'familyName']
  .map(name => [name, data.get(`/${name}`).trim()]).filter(([, text]) => text !== ''));

function passwordField(app, form, state, fresh) {
  return form.field({ name: '/password', label: t('account.password'), hint: fresh ? t('account.passwordHint') : null },
    attributes =>
      h('div', { class: 'with-button' },
        h('input', {
          ...attributes, type: state.shown ? 'text' : 'password',
          autocomplete: fresh ? 'new-password' : 'current-password', required: true,
        }),
        h('button', {
          class: 'round', type: 'button', 'aria-pressed': String(state.shown), 'aria-label': t('account.showPassword'),
          onclick: () => {
            state.shown = !state.shown;
            app.redraw();
          },
        }, icon(state.shown ? 'eyeOff' : 'eye'))));
}
