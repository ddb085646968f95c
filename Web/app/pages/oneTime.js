// Pages behind one-time links. The token comes after the "#", so that it never reaches a log; it is removed from the
// address as soon as it is read.

import { h } from '../core/page/dom.js';
import { chosenLanguage, t } from '../core/text/i18n.js';
import { Form } from '../parts/frame/form.js';

function takeToken() {
  const token = location.hash.slice(1);
  history.replaceState(null, '', location.pathname);
  return token;
}

function page(title, text, form, fields, action) {
  return {
    title: () => t(title),
    view: () => h('section', { class: 'card narrow' },
      h('h1', { tabindex: '-1' }, t(title)),
      h('p', null, t(text)),
      form.view(fields(), { action: t(action), className: 'stacked' })),
  };
}

const password = form => form.text({
  name: '/password', label: t('account.password'), hint: t('account.passwordHint'), type: 'password',
  autocomplete: 'new-password',
});

/** Sets a password: after a reset, or for an account that an administrator created. */
export function openReset(app) {
  const token = takeToken();
  const form = new Form(app.redraw, async data => {
    await app.http.post('/v1/accounts/password', { token, password: data.get('/password') });
    app.say(t('reset.done'), 'good');
    app.go('/sign-in');
  });
  return page('reset.title', 'reset.text', form, () => password(form), 'action.save');
}

/** Requests a link that sets a password. The answer is the same whatever was typed. */
export function openForgotten(app) {
  let isSent = false;
  const form = new Form(app.redraw, async data => {
    await app.http.post('/v1/accounts/reset', { login: data.get('/login').trim() });
    isSent = true;
  });
  return {
    title: () => t('forgotten.title'),
    view: () => h('section', { class: 'card narrow' },
      h('h1', { tabindex: '-1' }, t('forgotten.title')),
      h('p', { role: 'status' }, t(isSent ? 'forgotten.sent' : 'forgotten.text')),
      !isSent && form.view([
        form.text({
          name: '/login', label: t('account.login'), autocomplete: 'username', autocapitalize: 'none',
          spellcheck: 'false', required: true,
        }),
      ], { action: t('forgotten.action'), className: 'stacked' }),
      h('p', { class: 'muted' }, h('a', { href: '/sign-in' }, t('signIn.action')))),
  };
}

/** Confirms the address of an account. This takes a click, because programs that scan mail open links as well. */
export function openEmail(app) {
  const token = takeToken();
  const form = new Form(app.redraw, async () => {
    await app.http.post('/v1/accounts/email', { token });
    app.say(t('email.isConfirmed'), 'good');
    app.go(app.store.state.account ? '/security' : '/');
  });
  return page('email.confirmTitle', 'email.confirmText', form, () => null, 'email.confirm');
}

/** Creates the first administrator of a new server. */
export function openFirst(app) {
  const token = takeToken();
  const form = new Form(app.redraw, async data => {
    const details = {
      displayName: data.get('/displayName').trim(), login: data.get('/login').trim(), password: data.get('/password'),
    };
    await app.session.signUp({ token, ...chosenLanguage(), ...details }, '/v1/accounts/first');
    app.go('/admin');
  });
  return page('first.title', 'first.text', form, () => [
    form.text({ name: '/displayName', label: t('account.displayName'), autocomplete: 'name' }),
    form.text({ name: '/login', label: t('account.login'), autocomplete: 'username', autocapitalize: 'none' }),
    password(form),
  ], 'signUp.action');
}

/** Joins an institution. People without an account sign up first and then come back. */
export function openInvitation(app) {
  const token = location.hash.slice(1);
  if (!app.store.state.account) return guestInvitation(token);
  takeToken();
  const form = new Form(app.redraw, async () => {
    await app.http.post('/v1/invitations/accept', { token });
    await app.session.refresh();
    app.say(t('invitation.joined'), 'good');
    app.go('/');
  });
  return page('invitation.title', 'invitation.accept', form, () => null, 'invitation.join');
}

function guestInvitation(token) {
  const next = encodeURIComponent(`/invitation#${token}`);
  return {
    title: () => t('invitation.title'),
    view: () => h('section', { class: 'card narrow' },
      h('h1', { tabindex: '-1' }, t('invitation.title')),
      h('p', null, t('invitation.signInFirst')),
      h('div', { class: 'actions' },
        h('a', { class: 'button', href: `/sign-up#next=${next}` }, t('signUp.action')),
        h('a', { class: 'button quiet', href: `/sign-in#next=${next}` }, t('signIn.action')))),
  };
}
