// The providers linked to the account; only the account's owner links and unlinks them.

import { h } from '../../core/page/dom.js';
import { date, t } from '../../core/text/i18n.js';
import { problemText } from '../frame/problem.js';
import { providerButtons, providersOf } from './provider.js';

export class Identities {
  items = [];
  /** Whether the account has a password; until the server answers, it counts as having one. */
  hasPassword = true;
  #app;
  #providers = [];
  #buttons = () => null;

  constructor(app) {
    this.#app = app;
  }

  async load() {
    this.#providers = await providersOf(this.#app);
    await this.#look();
  }

  view() {
    if (this.#providers.length === 0 && this.items.length === 0) return null;
    return h('section', { class: 'card' },
      h('h2', null, t('identities.title')),
      this.items.length > 0 && h('ul', { class: 'rows' }, this.items.map(item => h('li', { key: item.provider },
        h('span', { class: 'grow' },
          h('strong', null, this.#titleOf(item.provider)),
          h('span', { class: 'muted' }, t('identities.since', { subject: item.subject, date: date(item.linkedAt) })),
          !item.offered && h('span', { class: 'muted' }, this.#otherWay())),
        h('button', { class: 'button quiet small', type: 'button', onclick: () => this.#remove(item) },
          t('identities.remove', { name: this.#titleOf(item.provider) }))))),
      this.#buttons());
  }

  #titleOf = id => this.#providers.find(provider => provider.id === id)?.title ?? id;

  // Names another way to sign in if a provider has been removed from the configuration.
  #otherWay() {
    const others = this.items.filter(item => item.offered).map(item => this.#titleOf(item.provider));
    if (this.hasPassword) return t('identities.gonePassword');
    return others.length > 0 ? t('identities.goneOther', { names: others.join(', ') }) : t('identities.goneAlone');
  }

  async #look() {
    const { body } = await this.#app.http.get('/v1/accounts/me/identities');
    Object.assign(this, { items: body.items, hasPassword: body.password });
    const open = this.#providers.filter(provider => !body.items.some(item => item.provider === provider.id));
    this.#buttons = providerButtons(this.#app, open, 'identities.link', async (provider, reply) => {
      await this.#app.http.post(`/v1/accounts/me/identities/${encodeURIComponent(provider.id)}`, reply);
      await this.#look();
      this.#app.say(t('identities.linked', { name: provider.title }), 'good');
    }, '/security');
    this.#app.redraw();
  }

  async #remove({ provider }) {
    try {
      await this.#app.http.delete(`/v1/accounts/me/identities/${encodeURIComponent(provider)}`);
      await this.#look();
    } catch (error) {
      this.#app.say(problemText(error), 'bad');
    }
  }
}
