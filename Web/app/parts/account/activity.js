// Recent activity around sign-in to an account: sign-ins with their devices, and changes of sign-in methods.

import { h, named } from '../../core/page/dom.js';
import { dateTime, has, t } from '../../core/text/i18n.js';
import { deviceName } from './deviceName.js';
import { icon } from '../frame/icons.js';
import { problemText } from '../frame/problem.js';
import { titlesOf } from './providerProof.js';

const PAGE = 10;

export class Activity {
  #app;
  #items = [];
  #next = null;
  #titles = new Map();

  constructor(app) {
    this.#app = app;
  }

  async load() {
    await this.#look(`/v1/accounts/me/activity?limit=${PAGE}`);
  }

  view() {
    return this.#items.length > 0 && h('section', { class: 'card activity' },
      h('h2', null, t('activity.title')),
      h('ul', { class: 'rows' }, this.#items.map(item => this.#row(item))),
      this.#next && h('div', { class: 'actions' },
        h('button', { class: 'button quiet', type: 'button', onclick: () => this.#more() }, t('action.more'))));
  }

  #row(item) {
    return h('li', { key: item.id },
      h('span', { class: 'grow' },
        h('strong', null, has(`activity.${item.action}`) ? t(`activity.${item.action}`) : item.action,
          item.way && [' · ', this.#way(item)]),
        item.newDevice && h('span', { class: 'fault' }, icon('warning'), t('activity.newDevice')),
        h('span', { class: 'muted' }, [
          dateTime(item.at),
          item.action === 'session.opened' && deviceName(item),
          item.own ? item.source : item.action !== 'session.loggedOut' && t('activity.notByYou'),
        ].filter(Boolean).join(' · '))));
  }

  #way({ way, provider }) {
    return way === 'provider' ? named(this.#titles.get(provider) ?? provider) : t(`activity.way.${way}`);
  }

  async #more() {
    try {
      await this.#look(this.#next);
    } catch (error) {
      this.#app.say(problemText(error), 'bad');
    }
  }

  async #look(path) {
    const { body, next } = await this.#app.http.get(path);
    const unknown = [...new Set(body.items.map(item => item.provider).filter(id => id && !this.#titles.has(id)))];
    if (unknown.length > 0) for (const { id, title } of await titlesOf(this.#app, unknown)) this.#titles.set(id, title);
    this.#items = [...this.#items, ...body.items];
    this.#next = next;
    this.#app.redraw();
  }
}
