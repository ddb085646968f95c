// Asks the signed-in person again who he or she is, before something dangerous is done; the request is then repeated.

import { h } from '../core/dom.js';
import { t, useTexts } from '../core/i18n.js';
import { usePasskey } from '../core/passkeys.js';
import { dialog } from './dialog.js';
import { Form } from './form.js';

const PATH = '/v1/sessions/current/proof';
let asking = null;

/** Asks with one of the `ways`; whether the person has shown it. Whoever asks meanwhile waits for the same answer. */
export function askProof(app, ways) {
  asking ??= ask(app, ways).finally(() => {
    asking = null;
  });
  return asking;
}

// Its words come with it.
async function ask(app, ways) {
  await useTexts('.profile');
  return new Promise(resolve => {
    const end = isProven => {
      app.proof = null;
      app.redraw();
      resolve(isProven);
    };
    app.proof = proofDialog(app, ways, end);
    app.redraw();
  });
}

/** Whether what is dangerous may be done now; asks the person if need be. For links, which cannot be repeated. */
export async function isProven(app) {
  const { body } = await app.http.get(PATH);
  return body.until !== null || askProof(app, body.ways);
}

function proofDialog(app, ways, end) {
  const state = { way: ways[0] };
  const form = new Form(app.redraw, async data => {
    const shown = state.way === 'passkey' ? await usePasskey(app.http, 'proof') : data.get(`/${state.way}`);
    if (shown === null) return;
    await app.http.post(PATH, { [state.way]: shown });
    end(true);
  });
  const cancel = () => end(false);
  return () => dialog({ key: 'proof', title: t('proof.title'), close: cancel },
    h('p', null, t(ways.length > 0 ? 'proof.text' : 'proof.none')),
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
    }));
}

const field = (form, way) => form.text(way === 'password'
  ? { name: '/password', label: t('account.password'), type: 'password', autocomplete: 'current-password', autofocus: true, required: true }
  : { name: '/totp', label: t('proof.code'), autocomplete: 'one-time-code', autocapitalize: 'none', spellcheck: 'false', autofocus: true, required: true });
