// The passkeys of an account: add, rename, remove.

import { h } from '../../core/page/dom.js';
import { date, t } from '../../core/text/i18n.js';
import { forgetPasskey, makePasskey, offersPasskeys } from '../../core/net/passkeys.js';
import { confirmation, dialog } from '../frame/dialog.js';
import { Form } from '../frame/form.js';
import { icon } from '../frame/icons.js';
import { problemText } from '../frame/problem.js';
import { signInOffer } from './provider.js';

const PATH = '/v1/accounts/me/passkeys';
const LONGEST_NAME = 60;

export class Passkeys {
  #app;
  #isOffered = false;
  #items = [];
  #sheet = null;
  #done;

  /** `done()` is called when a passkey was added; null if nothing follows. */
  constructor(app, done = null) {
    this.#app = app;
    this.#done = done;
  }

  async load() {
    this.#isOffered = offersPasskeys(await signInOffer(this.#app));
    await this.#look();
  }

  view() {
    if (!this.#isOffered && this.#items.length === 0) return null;
    return h('section', { class: 'card passkeys' },
      h('h2', null, t('passkey.title')),
      h('p', null, t('passkey.text')),
      this.#items.length > 0 && h('ul', { class: 'rows' }, this.#items.map(item => this.#row(item))),
      this.#isOffered && h('div', { class: 'actions' },
        h('button', { class: 'button quiet', type: 'button', onclick: () => this.#add() },
          icon('plus'),
          t('passkey.add'))),
      this.#sheet?.());
  }

  #row(item) {
    return h('li', { key: item.id },
      h('span', { class: 'grow' },
        h('strong', null, item.name),
        h('span', { class: 'muted' }, t('passkey.since', { date: date(item.createdAt) }),
          item.usedAt && ` · ${t('passkey.used', { date: date(item.usedAt) })}`),
        item.refusedAt && h('span', { class: 'fault' }, t('passkey.refusedAt', { date: date(item.refusedAt) }))),
      h('button', {
        class: 'button quiet small', type: 'button', 'aria-label': t('passkey.renameOne', { name: item.name }),
        onclick: () => this.#rename(item),
      }, t('passkey.rename')),
      h('button', {
        class: 'button quiet small danger', type: 'button', 'aria-label': t('passkey.removeOne', { name: item.name }),
        onclick: () => this.#remove(item),
      }, t('passkey.remove')));
  }

  async #look() {
    this.#items = (await this.#app.http.get(PATH).catch(() => ({ body: { items: [] } }))).body.items;
    this.#app.redraw();
  }

  #add = () => this.#attempt(async () => {
    const made = await makePasskey(this.#app.http);
    if (!made) return this.#app.say(t('passkey.none'), 'bad');
    await this.#app.http.post(PATH, { ...made, name: t('passkey.newName', { number: this.#items.length + 1 }) });
    await this.#look();
    this.#app.say(t('passkey.added'), 'good');
    if (this.#done) return this.#done();
    this.#rename(this.#items.at(-1));
  });

  #rename(item) {
    const form = new Form(this.#app.redraw, async data => {
      await this.#app.http.patch(`${PATH}/${item.id}`, { name: data.get('/name').trim() });
      this.#show(null);
      await this.#look();
    });
    this.#show(() => dialog({ key: 'passkey-name', title: t('passkey.nameTitle'), close: () => this.#show(null) },
      form.view([
        form.text({
          name: '/name', label: t('passkey.name'), hint: t('passkey.nameHint'), value: item.name,
          maxlength: LONGEST_NAME, autofocus: true, required: true,
        }),
      ], { action: t('action.save'), className: 'stacked' })));
  }

  #remove(item) {
    this.#show(() => confirmation({
      key: 'passkey', title: t('passkey.removeTitle', { name: item.name }), text: t('passkey.removeText'),
      action: t('passkey.remove'),
      close: () => this.#show(null),
      confirm: () => {
        this.#show(null);
        this.#attempt(async () => {
          await this.#app.http.delete(`${PATH}/${item.id}`);
          await this.#look();
          if (this.#items.length === 0) forgetPasskey();
        });
      },
    }));
  }

  #show(sheet) {
    this.#sheet = sheet;
    this.#app.redraw();
  }

  async #attempt(action) {
    try {
      await action();
    } catch (error) {
      this.#app.say(error.name === 'InvalidStateError' ? t('passkey.present') : problemText(error), 'bad');
    }
  }
}
