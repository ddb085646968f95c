// The button that signs in with a passkey: first on devices that have one, last on others.

import { h } from '../../core/page/dom.js';
import { t } from '../../core/text/i18n.js';
import { hasPasskey, offersPasskeys, usePasskey } from '../../core/net/passkeys.js';
import { icon } from '../frame/icons.js';
import { problemText } from '../frame/problem.js';

/**
 * Returns `{isFirst, view}` for the server's offer of ways to sign in; the view is empty if passkeys cannot be used.
 */
export function passkeySignIn(app, offer) {
  const state = { isOffered: offersPasskeys(offer), problem: null, busy: false };
  const isFirst = hasPasskey();
  const signIn = async () => {
    Object.assign(state, { problem: null, busy: true });
    app.redraw();
    try {
      const used = await usePasskey(app.http, 'signIn');
      if (used) await app.session.signInWithPasskey(used);
      else state.problem = t('passkey.none');
    } catch (error) {
      state.problem = problemText(error);
    }
    state.busy = false;
    app.redraw();
  };
  return {
    isFirst,
    view: () => state.isOffered && h('div', { class: isFirst ? 'providers first' : 'providers', key: 'passkey' },
      state.problem && h('p', { class: 'alert', role: 'alert' }, state.problem),
      h('button', { class: `button ${isFirst ? '' : 'quiet'}`, type: 'button', disabled: state.busy, onclick: signIn },
        icon('key'), t('passkey.signIn'))),
  };
}
