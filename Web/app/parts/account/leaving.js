// On sign-out, asks about unsent edits and results: send them, keep them here until their author comes back, or discard
// them.

import { h } from '../../core/page/dom.js';
import { t } from '../../core/text/i18n.js';
import { isUnsent } from '../../core/edits/editRules.js';
import { dialog } from '../frame/dialog.js';

/** The number of changes and results that are not entered, and how many of them need their author's decision. */
export function unsentCounts({ store, cells }) {
  const { edits } = store.state;
  const { all = 0, waiting = 0 } = cells?.counts ?? {};
  return { all: edits.length + all, undecided: edits.filter(edit => !isUnsent(edit)).length + all - waiting };
}

/** The view of the question; `signOut` is called once it is answered. */
export function leaving(app, close, signOut) {
  let isBusy = false;
  const then = act => async () => {
    isBusy = true;
    app.redraw();
    await act();
    isBusy = false;
    app.redraw();
  };
  const send = then(async () => {
    await Promise.all([app.edits.flush(), app.cells?.flush()]);
    if (unsentCounts(app).all === 0) await leave();
  });
  const leave = async () => {
    close();
    await signOut();
  };
  const discard = async () => {
    await app.edits.discardAll();
    app.drafts.discardAll();
    app.cells?.discardAll();
    await leave();
  };
  return () => {
    const { all, undecided } = unsentCounts(app);
    // Everything that waited has been sent meanwhile.
    if (all === 0) {
      return dialog({ key: 'leaving', title: t('unsent.sent'), close },
        h('div', { class: 'actions stacked' },
          h('button', { class: 'button', type: 'button', disabled: isBusy, onclick: leave }, t('signOut.action'))));
    }
    return dialog({ key: 'leaving', title: t('unsent.title', { count: all }), close },
      h('p', null, t('unsent.text')),
      undecided > 0 && h('p', null, t('unsent.undecided', { count: undecided })),
      h('div', { class: 'actions stacked' },
        undecided < all && h('button', { class: 'button', type: 'button', disabled: isBusy, onclick: send },
          t('unsent.send')),
        h('button', { class: 'button quiet', type: 'button', disabled: isBusy, onclick: leave }, t('unsent.keep')),
        h('button', { class: 'button quiet danger', type: 'button', disabled: isBusy, onclick: discard },
          t('unsent.discard'))));
  };
}
