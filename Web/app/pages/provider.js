// The page to which a provider sends the browser back. The parameters are removed from the address before anything else
// is done.

import { h } from '../core/page/dom.js';
import { t } from '../core/text/i18n.js';
import { problemText } from '../parts/frame/problem.js';
import { ownPage } from '../parts/account/provider.js';
import { isAwaited, tell } from '../parts/account/providerProof.js';
import { SignInCode } from '../parts/account/signInCode.js';

const NAMES = ['code', 'ticket', 'state', 'iss'];
// The page to open after a second factor: once the code is right, this page opens again.
let next = null;

export async function open(app, { provider }) {
  const brought = new URLSearchParams(location.search);
  history.replaceState(null, '', location.pathname);
  const reply = Object.fromEntries(NAMES.filter(name => brought.has(name)).map(name => [name, brought.get(name)]));
  const page = { app, provider, reply, code: new SignInCode(app), problem: null, isBusy: false, isProven: false };
  if (!reply.code && !reply.ticket) leadOn(page, brought.has('error'));
  else if (app.store.state.account && isAwaited(reply.state)) await attempt(page, prove);
  // Not awaited: the page has to be shown when it asks the user for a proof of identity.
  else if (app.store.state.account) attempt(page, link);
  else await attempt(page, signIn);
  return {
    title: () => t(page.code.isAsked ? 'signIn.codeTitle' : 'signIn.title'),
    view: () => page.code.isAsked ? page.code.view() : explanation(page),
  };
}

// Either the user has signed in here with a code, and this page was opened again, or there is nothing to continue with.
function leadOn(page, isRefused) {
  if (page.app.store.state.account && !isRefused) page.app.go(ownPage(next), { replace: true });
  else page.problem = t('provider.refused');
}

async function attempt(page, act) {
  page.isBusy = true;
  try {
    await act(page);
  } catch (error) {
    // Users of a provider that was removed may come here through an old link, or from a sign-in that had begun.
    page.problem = error.status === 404 ? t('provider.gone') : problemText(error);
  }
  page.isBusy = false;
  page.app.redraw();
}

// This window was opened by a page that waits for it.
async function prove(page) {
  const { app, provider, reply } = page;
  await app.http.post('/v1/sessions/current/proof', { provider: { id: provider, ...reply } });
  tell(reply.state);
  page.isProven = true;
  window.close();
}

// A user who is signed in came from the page about security, to link the account.
async function link({ app, provider, reply }) {
  await app.http.post(`/v1/accounts/me/identities/${provider}`, reply);
  app.say(t('provider.linked'), 'good');
  app.go('/security', { replace: true });
}

const signIn = ({ app, provider, reply, code }) => code.after(async () => {
  const { returnTo } = await app.session.signInWith(provider, reply);
  app.go(ownPage(returnTo), { replace: true });
}, returnTo => (next = returnTo));

const explanation = ({ app, problem, isBusy, isProven }) => h('section', { class: 'card narrow' },
  h('h1', { tabindex: '-1' }, t('signIn.title')),
  isProven && h('p', { role: 'status' }, t('provider.proven')),
  problem && h('p', { class: 'alert', role: 'alert' }, problem),
  isBusy && h('p', { class: 'muted', role: 'status' }, t('state.loading')),
  !isBusy && !isProven && h('a', { class: 'button', href: app.store.state.account ? '/security' : '/sign-in' },
    t('provider.again')));
