// The second step of a sign-in: a code of the second factor, after the password or a provider.

import { h } from '../../core/page/dom.js';
import { t } from '../../core/text/i18n.js';
import { Form } from '../frame/form.js';
import { problemText } from '../frame/problem.js';

/** Tells the page that a sign-in continues with a code. */
export class SignInCode {
  #app;
  #challenge = null;
  #form;

  constructor(app) {
    this.#app = app;
    this.#form = new Form(app.redraw, async data => {
      await app.session.signInWithCode(this.#challenge, data.get('/code')).catch(error => {
        // The challenge has expired: the sign-in has to begin again.
        if (!error.faults?.some(fault => fault.code === 'sign_in_expired')) throw error;
        this.#end();
        app.say(problemText(error), 'bad');
      });
    });
  }

  get isAsked() {
    return this.#challenge !== null;
  }

  /** Runs a sign-in, and asks for a code if one is needed. After a code, `hear(returnTo)` gets the page to show, if the
   *  sign-in was begun for one. */
  async after(signIn, hear = () => {}) {
    try {
      await signIn();
    } catch (error) {
      if (error.code !== 'second_factor_required') throw error;
      this.#challenge = error.challenge;
      hear(error.returnTo);
      this.#app.redraw();
    }
  }

  view() {
    const focus = element => element.querySelector('[name="/code"]').focus();
    return h('section', { class: 'card narrow', key: 'code', onMount: focus },
      h('h1', { tabindex: '-1' }, t('signIn.codeTitle')),
      h('p', null, t('signIn.codeText')),
      this.#form.view([
        this.#form.text({
          name: '/code', label: t('signIn.code'), autocomplete: 'one-time-code', autocapitalize: 'none',
          spellcheck: 'false', required: true,
        }),
      ], { action: t('signIn.action'), className: 'stacked' }),
      h('p', null, h('button', { class: 'link', type: 'button', onclick: () => this.#end() }, t('signIn.again'))));
  }

  #end() {
    this.#challenge = null;
    this.#app.redraw();
  }
}
