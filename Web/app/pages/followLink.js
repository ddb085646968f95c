// The link by which a person can be followed. Its secret comes after the "#" and is removed from the address at once.

import { h } from '../core/page/dom.js';
import { t } from '../core/text/i18n.js';
import { Form } from '../parts/frame/form.js';
import { signInInvitation } from '../parts/account/invitation.js';

export function open(app) {
  if (!app.store.state.account) return signInInvitation(t('friends.title'));
  const [id, link] = location.hash.slice(1).split('.');
  history.replaceState(null, '', location.pathname);
  const form = new Form(app.redraw, async () => {
    const { body } = await app.http.put(`/v1/accounts/${encodeURIComponent(id)}/following`, { link });
    app.say(t(body.state === 'following' ? 'person.you.following' : 'person.you.requested'), 'good');
    app.go('/people');
  });
  return {
    title: () => t('follow.title'),
    view: () => h('section', { class: 'card narrow' },
      h('h1', { tabindex: '-1' }, t('follow.title')),
      h('p', null, t('follow.text')),
      form.view(null, { action: t('person.follow'), className: 'stacked' })),
  };
}
