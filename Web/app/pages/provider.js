// The page to which a provider sends the browser back. What it brought leaves the address before anything else is done.

import { h } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { problemText } from '../parts/problem.js';
import { ownPage } from '../parts/provider.js';
import { SignInCode } from '../parts/signInCode.js';

const NAMES = ['code', 'ticket', 'state', 'iss'];

export async function open(app, { provider }) {
  const brought = new URLSearchParams(location.search);
  history.replaceState(null, '', location.pathname);
  const reply = Object.fromEntries(NAMES.filter(name => brought.has(name)).map(name => [name, brought.get(name)]));
  const code = new SignInCode(app);
  let problem = null;
  if (reply.code || reply.ticket) {
    await comeBack(app, provider, reply, code).catch(error => { problem = problemText(error); });
  } else if (app.store.state.account && !brought.has('error')) {
    // Somebody has signed in here, with a code at last: this page was opened anew and leads on.
    app.go('/', { replace: true });
  } else {
    problem = t('provider.refused');
  }
  return {
    title: () => t(code.isAsked ? 'signIn.codeTitle' : 'signIn.title'),
    view: () => code.isAsked ? code.view() : explanation(app, problem),
  };
}

// Who is signed in set out from the page about security, to link the account.
async function comeBack(app, provider, reply, code) {
  if (app.store.state.account) {
    await app.http.post(`/v1/accounts/me/identities/${provider}`, reply);
    app.say(t('provider.linked'), 'good');
    app.go('/security', { replace: true });
  } else {
    await code.after(async () => {
      const { returnTo } = await app.session.signInWith(provider, reply);
      app.go(ownPage(returnTo), { replace: true });
    });
  }
}

const explanation = (app, problem) => h('section', { class: 'card narrow' },
  h('h1', { tabindex: '-1' }, t('signIn.title')),
  problem && h('p', { class: 'alert', role: 'alert' }, problem),
  h('a', { class: 'button', href: app.store.state.account ? '/security' : '/sign-in' }, t('provider.again')));
