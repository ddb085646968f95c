// Signs in with a provider. A provider with a page of its own opens it in a window, and the reply is passed to the
// server; for any other provider the browser leaves the page and comes back to /sign-in/{provider}.

import { h } from '../../core/page/dom.js';
import { t } from '../../core/text/i18n.js';
import { problemText } from '../frame/problem.js';
import { isProven } from './proof.js';

const LOOK_EVERY = 500;

/** The ways to sign in here; null if the server does not answer. The address of the page may name an institution, whose
 *  own providers are offered as well. */
export async function signInOffer(app) {
  const institution = new URLSearchParams(location.search).get('institution');
  const query = institution ? `?institution=${encodeURIComponent(institution)}` : '';
  const answer = await app.http.get(`/v1/sign-in${query}`).catch(() => null);
  return answer?.body ?? null;
}

/** The providers that are offered, as `{id, title, page}`; empty if the server names none. */
export async function providersOf(app) {
  return (await signInOffer(app))?.providers ?? [];
}

/** The path of the page of this site that a text names; the first page if it names none. */
export function ownPage(text) {
  if (!text || !URL.canParse(text, location.origin)) return '/';
  const url = new URL(text, location.origin);
  return url.origin === location.origin && !url.pathname.startsWith('//') ? url.pathname + url.search + url.hash : '/';
}

/** One button for each provider; `done(provider, reply)` passes `{token, attempt}` to the server. A user who leaves for
 *  a provider and comes back gets the page `returnTo`. */
export function providerButtons(app, providers, label, done, returnTo = '/') {
  const state = { problem: null, busy: false };
  const ask = async provider => {
    Object.assign(state, { problem: null, busy: true });
    app.redraw();
    try {
      const reply = provider.page === null ? await leave(app, provider, returnTo) : await replyFrom(app, provider);
      if (reply.token !== null) await done(provider, reply);
    } catch (problem) {
      state.problem = problem;
    }
    state.busy = false;
    app.redraw();
  };
  return () => providers.length > 0 && h('div', { class: 'providers' },
    state.problem && h('p', { class: 'alert', role: 'alert' },
      state.problem instanceof Blocked ? t('provider.blocked') : problemText(state.problem)),
    providers.map(provider => h('button', {
      key: provider.id, class: 'button quiet', type: 'button', disabled: state.busy, onclick: () => ask(provider),
    }, t(label, { name: provider.title }))));
}

class Blocked extends Error {}

// To link an account, the user must prove his or her identity first, because the provider's reply cannot wait for that.
// The part of an address after "#" may be a one-time token and is not sent.
async function leave(app, { id }, returnTo) {
  if (app.store.state.account && !(await isProven(app))) return { token: null };
  const [page, token] = returnTo.split('#');
  // The server stores the token of an invitation link, so that the browser need not.
  const wish = page === '/invitation' && token ? { returnTo: '/', invitation: token } : { returnTo: page };
  const { body } = await app.http.post(`/v1/sign-in/${encodeURIComponent(id)}`, wish);
  location.assign(body.location);
  return { token: null };
}

// The window must be opened before anything is awaited, or the browser blocks it as an advertisement. It belongs to
// this attempt, and goes to the provider once the server knows the attempt. The token is null if the user closes the
// window.
async function replyFrom(app, { id, page }) {
  const address = new URL(page, location.href);
  address.searchParams.set('referrer', location.origin);
  const popup = window.open('', '_blank', 'popup,width=480,height=680');
  if (!popup) throw new Blocked();
  try {
    const { body } = await app.http.post(`/v1/sign-in/${encodeURIComponent(id)}`);
    const token = heard(popup, address.origin);
    popup.location.replace(address);
    return { token: await token, attempt: body.attempt };
  } finally {
    popup.close();
  }
}

function heard(popup, origin) {
  return new Promise(resolve => {
    const end = token => {
      removeEventListener('message', listen);
      clearInterval(looking);
      resolve(token);
    };
    const listen = event => event.origin === origin && event.source === popup && typeof event.data === 'string'
      && end(event.data);
    const looking = setInterval(() => popup.closed && end(null), LOOK_EVERY);
    addEventListener('message', listen);
  });
}
