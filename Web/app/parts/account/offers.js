// Roles that an institution offers to the user; they take effect when the user accepts.

import { h } from '../../core/page/dom.js';
import { t } from '../../core/text/i18n.js';
import { icon } from '../frame/icons.js';
import { problemText } from '../frame/problem.js';

/** The banner above every page while there are offers to answer. */
export function offers(app) {
  const { offers: open = [] } = app.store.state;
  if (open.length === 0) return null;
  return h('ul', { class: 'offers' }, open.map(offer => h('li', { key: offer.id, class: 'banner' },
    icon('people'),
    h('span', { class: 'grow' }, t('offer.text', { institution: offer.title, role: t(`offer.role.${offer.role}`) })),
    h('button', {
      class: 'button small', type: 'button',
      onclick: () => answer(app, () => app.http.post('/v1/invitations/accept', { invitation: offer.id })),
    }, t('offer.accept')),
    h('button', {
      class: 'button quiet small', type: 'button',
      onclick: () => answer(app, () => app.http.delete(`/v1/invitations/${offer.id}`)),
    }, t('offer.decline')))));
}

async function answer(app, act) {
  try {
    await act();
    await app.session.refresh();
  } catch (problem) {
    app.say(problemText(problem), 'bad');
  }
}
