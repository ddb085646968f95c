// The second factor of an account: set up an authenticator app, show its recovery codes, remove it.

import { h } from '../../core/page/dom.js';
import { date, t } from '../../core/text/i18n.js';
import { confirmation } from '../frame/dialog.js';
import { saveFile } from '../frame/download.js';
import { Form } from '../frame/form.js';
import { icon } from '../frame/icons.js';
import { problemText } from '../frame/problem.js';

const PATH = '/v1/accounts/me/totp';

export class SecondFactor {
  #app;
  #state = null;
  /** What the server shows only once: the seed of an app that is being set up, and recovery codes. */
  #setup = null;
  #codes = null;
  #sheet = null;
  #form;
  #done;

  /** `done()` is called once the user has kept the recovery codes; null if nothing follows. */
  constructor(app, done = null) {
    this.#app = app;
    this.#done = done;
    this.#form = new Form(app.redraw, async data => {
      const { body } = await app.http.put(PATH, { code: data.get('/code') });
      this.#codes = body.recoveryCodes;
      this.#forgetSetup();
      await this.load();
      app.say(t('factor.isOn'), 'good');
    });
  }

  async load() {
    this.#state = (await this.#app.http.get(PATH)).body;
    this.#app.redraw();
  }

  view() {
    return h('section', { class: 'card factor' },
      h('h2', null, t('factor.title')),
      this.#setup ? this.#settingUp() : this.#state.enabled ? this.#on() : this.#off(),
      this.#codes && this.#recoveryCodes(),
      this.#sheet?.());
  }

  #off() {
    return [
      h('p', null, t('factor.off')),
      h('div', { class: 'actions' },
        h('button', { class: 'button', type: 'button', onclick: () => this.#begin() },
          icon('shield'),
          t('factor.begin'))),
    ];
  }

  #on() {
    const { since, recoveryCodes: count } = this.#state;
    return [
      h('p', null, t('factor.on', { date: date(since) })),
      h('p', { class: count < 3 ? 'fault' : 'muted' }, t('factor.left', { count })),
      h('div', { class: 'actions' },
        h('button', { class: 'button quiet', type: 'button', onclick: () => this.#ask('renew', () => this.#renew()) },
          t('factor.renew')),
        h('button', { class: 'button quiet', type: 'button', onclick: () => this.#begin() }, t('factor.replace')),
        h('button', {
          class: 'button quiet danger', type: 'button', onclick: () => this.#ask('remove', () => this.#remove()),
        }, t('factor.remove'))),
    ];
  }

  #settingUp() {
    const { secret, picture } = this.#setup;
    return [
      h('ol', { class: 'steps' },
        h('li', null, t('factor.scan'),
          picture && h('img', { class: 'qr', src: picture, alt: t('factor.qr'), width: 200, height: 200 }),
          h('p', { class: 'muted' }, t('factor.byHand')),
          h('code', { class: 'secret' }, secret.match(/.{1,4}/g).join(' '))),
        h('li', null, t('factor.enter'))),
      this.#form.view([
        this.#form.text({
          name: '/code', label: t('factor.code'), autocomplete: 'one-time-code', inputmode: 'numeric', maxlength: 12,
          required: true,
        }),
      ], {
        action: t('factor.confirm'), className: 'stacked',
        cancel: () => {
          this.#forgetSetup();
          this.#app.redraw();
        },
      }),
    ];
  }

  #recoveryCodes() {
    const text = this.#codes.join('\n');
    return h('div', { class: 'recovery', role: 'group', 'aria-label': t('factor.codes') },
      h('h3', null, t('factor.codes')),
      h('p', null, t('factor.keep')),
      h('ul', { class: 'codes' }, this.#codes.map(code => h('li', { key: code }, h('code', null, code)))),
      h('div', { class: 'actions' },
        h('button', {
          class: 'button quiet', type: 'button',
          onclick: () => saveFile('gradecast-recovery-codes.txt', 'text/plain', `${text}\n`),
        }, icon('download'), t('factor.download')),
        h('button', {
          class: 'button', type: 'button',
          onclick: () => {
            this.#codes = null;
            this.#app.redraw();
            this.#done?.();
          },
        }, t('factor.kept'))));
  }

  #begin = () => this.#attempt(async () => {
    const { body } = await this.#app.http.post(PATH);
    this.#forgetSetup();
    this.#codes = null;
    const picture = body.qr && URL.createObjectURL(new Blob([body.qr], { type: 'image/svg+xml' }));
    this.#setup = { secret: body.secret, picture };
  });

  #renew = () => this.#attempt(async () => {
    this.#codes = (await this.#app.http.post('/v1/accounts/me/recovery-codes')).body.recoveryCodes;
    await this.load();
  });

  #remove = () => this.#attempt(async () => {
    await this.#app.http.delete(PATH);
    this.#codes = null;
    await this.load();
  });

  #forgetSetup() {
    if (this.#setup?.picture) URL.revokeObjectURL(this.#setup.picture);
    this.#setup = null;
  }

  #ask(name, confirm) {
    const close = () => {
      this.#sheet = null;
      this.#app.redraw();
    };
    this.#sheet = () => confirmation({
      key: `factor-${name}`, title: t(`factor.${name}`), text: t(`factor.${name}Text`), action: t(`factor.${name}`),
      close,
      danger: name === 'remove',
      confirm: () => {
        close();
        confirm();
      },
    });
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
