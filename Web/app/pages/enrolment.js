// The first page of a user whose role needs a second factor: the ways to set one up, or to show the one there is.

import { h } from '../core/page/dom.js';
import { t } from '../core/text/i18n.js';
import { Passkeys } from '../parts/account/passkeys.js';
import { problemText } from '../parts/frame/problem.js';
import { askProof } from '../parts/account/proof.js';
import { SecondFactor } from '../parts/account/secondFactor.js';

export async function open(app) {
  const { ways } = app.store.state.account.enrolment;
  const page = ways.length > 0 ? showing(app, ways) : await settingUp(app);
  return {
    title: () => t('enrolment.title'),
    view: () => h('div', { class: 'profile' },
      h('header', { class: 'page-head' }, h('h1', { tabindex: '-1' }, t('enrolment.title'))),
      h('p', { class: 'lead' }, t(ways.length > 0 ? 'enrolment.show' : 'enrolment.text')),
      page(),
      h('div', { class: 'actions' },
        h('button', { class: 'button quiet', type: 'button', onclick: () => attempt(app, () => app.session.signOut()) },
          t('signOut.action')))),
  };
}

function showing(app, ways) {
  const show = async () => {
    const providers = ways.includes('provider')
      ? (await app.http.get('/v1/sessions/current/proof')).body.providers
      : [];
    if (await askProof(app, { ways, providers })) await app.session.start();
  };
  return () => h('div', { class: 'actions' },
    h('button', { class: 'button', type: 'button', onclick: () => attempt(app, show) }, t('enrolment.action')));
}

// The requested page opens once the second factor is set up.
async function settingUp(app) {
  const done = () => attempt(app, () => app.session.start());
  const [passkeys, factor] = [new Passkeys(app, done), new SecondFactor(app, done)];
  await Promise.all([passkeys.load(), factor.load()]);
  return () => [passkeys.view(), factor.view()];
}

async function attempt(app, action) {
  try {
    await action();
  } catch (error) {
    app.say(problemText(error), 'bad');
  }
}
