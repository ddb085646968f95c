// Short messages, some with an undo button.

import { h } from '../../core/page/dom.js';
import { t } from '../../core/text/i18n.js';

/** They are drawn in the page, or in a dialog that is open over it: nothing outside the dialog can be pressed or is
 *  read out. */
export const toasts = app => h('div', { key: 'toasts', class: 'toasts', role: 'status', 'aria-live': 'polite' },
  app.store.state.toasts.map(toast =>
    h('p', { key: toast.id, class: `toast ${toast.kind}` }, toast.text,
      toast.undo && h('button', { class: 'link', type: 'button', onclick: toast.undo }, t('action.undo')))));
