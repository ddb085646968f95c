// The email address of an account: set, confirmed by a link, changed, removed.

import { h } from '../../core/page/dom.js';
import { date, t } from '../../core/text/i18n.js';
import { confirmation } from '../frame/dialog.js';
import { Form } from '../frame/form.js';
import { problemText } from '../frame/problem.js';

const PATH = '/v1/accounts/me/email';

export class EmailAddress {
  #app;
  /** The server's answer; null if it sends no mail. */
  #state = null;
  #isChanging = false;
  #isRemoving = false;
  #form;

  constructor(app) {
    this.#app = app;
    this.#form = new Form(app.redraw, async data => {
      await this.#send(data.get('/email').trim());
      this.#isChanging = false;
    });
  }

  async load() {
    const answer = await this.#app.http.get(PATH).catch(error => {
      if (error.status === 404) return null;
      throw error;
    });
    this.#state = answer?.body ?? null;
    this.#app.redraw();
  }

  view() {
    if (!this.#state) return null;
    const { address, confirmedAt, pending } = this.#state;
    const isTyping = this.#isChanging || (!address && !pending);
    return h('section', { class: 'card email' },
      h('h2', null, t('email.title')),
      h('p', null, address ? t('email.confirmed', { address, date: date(confirmedAt) }) : t('email.none')),
      pending && h('p', { role: 'status' }, t('email.pending', { address: pending })),
      isTyping ? this.#typing() : this.#actions(),
      this.#isRemoving && this.#removal());
  }

  #typing() {
    return this.#form.view([
      this.#form.text({
        name: '/email', label: t('email.address'), hint: t('email.hint'), type: 'email', autocomplete: 'email',
        maxlength: 254, required: true,
      }),
    ], {
      action: t('email.send'), className: 'stacked', quiet: true,
      cancel: this.#isChanging && (() => this.#become(() => { this.#isChanging = false; })),
    });
  }

  #actions() {
    const { pending } = this.#state;
    return h('div', { class: 'actions' },
      pending && h('button', {
        class: 'button quiet', type: 'button', onclick: () => this.#attempt(() => this.#send(pending)),
      }, t('email.again')),
      h('button', {
        class: 'button quiet', type: 'button', onclick: () => this.#become(() => { this.#isChanging = true; }),
      }, t('email.change')),
      h('button', {
        class: 'button quiet danger', type: 'button', onclick: () => this.#become(() => { this.#isRemoving = true; }),
      }, t('email.remove')));
  }

  #removal() {
    const close = () => this.#become(() => { this.#isRemoving = false; });
    return confirmation({
      key: 'email', title: t('email.remove'), text: t('email.removeText'), action: t('email.remove'), close,
      confirm: () => {
        close();
        this.#attempt(async () => {
          await this.#app.http.delete(PATH);
          await this.load();
        });
      },
    });
  }

  async #send(email) {
    const { body } = await this.#app.http.put(PATH, { email });
    this.#state = body;
    if (body.pending) this.#app.say(t('email.sent', { address: body.pending }), 'good');
  }

  #become(change) {
    change();
    this.#app.redraw();
  }

  async #attempt(action) {
    try {
      await action();
    } catch (error) {
      this.#app.say(problemText(error), 'bad');
    }
    this.#app.redraw();
  }
}
