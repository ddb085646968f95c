// Asks the signed-in user to prove his or her identity before a dangerous request, which is then repeated.

import { h } from '../../core/page/dom.js';
import { t, useTexts } from '../../core/text/i18n.js';
import { usePasskey } from '../../core/net/passkeys.js';
import { dialog } from '../frame/dialog.js';
import { Form } from '../frame/form.js';
import { problemText } from '../frame/problem.js';
import { Blocked, showWith, titlesOf } from './providerProof.js';

const PATH = '/v1/sessions/current/proof';
let asking = null;

/** Asks for a proof in one of the `ways`, with one of the `providers` if that is a way; resolves to whether the user
 *  has given it. Calls that come meanwhile wait for the same answer. */
export function askProof(app, { ways, providers }) {
  asking ??= ask(app, ways, providers).finally(() => {
    asking = null;
  });
  return asking;
}

// Loads the texts at the same time.
async function ask(app, ways, providers) {
  const [titles] = await Promise.all([providers.length > 0 ? titlesOf(app, providers) : [], useTexts('profile')]);
  return new Promise(resolve => {
    const end = isProven => {
      app.proof = null;
      app.redraw();
      resolve(isProven);
    };
    app.proof = proofDialog(app, ways.filter(way => way !== 'provider'), titles, end);
    app.redraw();
  });
}

/** Whether a dangerous action is allowed now; asks the user if necessary. For links, which cannot be repeated. */
export async function isProven(app) {
  const { body } = await app.http.get(PATH);
  return body.until !== null || askProof(app, body);
}

function proofDialog(app, ways, providers, end) {
  const state = { way: ways[0], problem: null };
  const form = new Form(app.redraw, async data => {
    const shown = state.way === 'passkey' ? await usePasskey(app.http, 'proof') : data.get(`/${state.way}`);
    if (shown === null) return;
    await app.http.post(PATH, { [state.way]: shown });
    end(true);
  });
  const cancel = () => end(false);
  const isPossible = ways.length + providers.length > 0;
  return () => dialog({ key: 'proof', title: t('proof.title'), close: cancel },
    h('p', null, t(isPossible ? 'proof.text' : 'proof.none')),
    state.problem && h('p', { class: 'alert', role: 'alert' }, state.problem),
    ways.length > 0 && form.view([
      h('input', { type: 'text', hidden: true, autocomplete: 'username', value: app.store.state.account?.login }),
      state.way !== 'passkey' && field(form, state.way),
    ], {
      action: t(state.way === 'passkey' ? 'proof.passkey' : 'proof.action'), className: 'stacked', cancel,
      more: ways.filter(way => way !== state.way).map(way => h('button', {
        key: way, class: 'link', type: 'button',
        onclick: () => {
          state.way = way;
          Object.assign(form, { faults: [], error: null });
          app.redraw();
        },
      }, t(`proof.with.${way}`))),
    }),
    providers.length > 0 && h('div', { class: 'providers' }, providers.map(({ id, title }) => h('button', {
      key: id, class: `button${ways.length > 0 ? ' quiet' : ''}`, type: 'button',
      onclick: () => visit(app, id, state, end),
    }, t('proof.with.provider', { name: title })))));
}

// The page keeps what is typed on it, because the provider asks in a separate window.
async function visit(app, id, state, end) {
  state.problem = null;
  try {
    await showWith(app, id);
    end(true);
  } catch (error) {
    state.problem = error instanceof Blocked ? t('provider.blocked') : problemText(error);
    app.redraw();
  }
}

const field = (form, way) => form.text(way === 'password'
  ? {
    name: '/password', label: t('account.password'), type: 'password', autocomplete: 'current-password',
    autofocus: true, required: true,
  }
  : {
    name: '/totp', label: t('proof.code'), autocomplete: 'one-time-code', autocapitalize: 'none', spellcheck: 'false',
    autofocus: true, required: true,
  });
