// API tokens and secrets with which programs act for an account: create, show once, revoke.

import { h } from '../../core/page/dom.js';
import { date, t } from '../../core/text/i18n.js';
import { confirmation, dialog } from '../frame/dialog.js';
import { Form } from '../frame/form.js';
import { icon } from '../frame/icons.js';
import { problemText } from '../frame/problem.js';

const LONGEST_NAME = 60;
const LIVES = [30, 90, 180, 365];
const USUAL_LIFE = 90;
const SCOPES = [
  'profile:read', 'records:read', 'records:write', 'given:write', 'classes:read', 'classes:write', 'results:write',
  'roster:read', 'roster:write', 'programs:read', 'programs:write', 'audit:read',
];
/** Only for administrators. */
const GUARDED = ['metrics', 'backup'];

/** The scopes that the page offers for a service account; its tokens may have fewer. */
export const SERVICE_SCOPES = SCOPES.filter(scope => scope !== 'audit:read' && scope !== 'profile:read');

/** The user's own tokens; administrators may choose guarded scopes as well. */
export const ownTokens = app => new Tokens(app, '/v1/accounts/me/tokens',
  () => app.store.state.account?.role === 'administrator' ? [...SCOPES, ...GUARDED] : SCOPES);

/** The secrets with which a service account gets access tokens. */
export const serviceSecrets = (app, path) =>
  new Tokens(app, `${path}/secrets`, null, { words: 'secret', isPart: true });

/** The permanent tokens of a service account that has `scopes()`. */
export const serviceTokens = (app, path, scopes) => new Tokens(app, `${path}/tokens`, scopes, { isPart: true });

export class Tokens {
  #app;
  #path;
  #scopes;
  #words;
  #isPart;
  #items = [];
  /** The token that was just made; its text is shown only once. */
  #made = null;
  #sheet = null;

  /**
   * `scopes()` are those that a token may have; null for secrets, which have none. `words` selects the texts; `isPart`
   * says that the list is within another section.
   */
  constructor(app, path, scopes, { words = 'token', isPart = false } = {}) {
    this.#app = app;
    this.#path = path;
    this.#scopes = scopes;
    this.#words = words;
    this.#isPart = isPart;
  }

  async load() {
    this.#items = (await this.#app.http.get(this.#path)).body.items;
    this.#app.redraw();
  }

  view() {
    return h(this.#isPart ? 'div' : 'section', { class: this.#isPart ? 'tokens' : 'card tokens', key: this.#words },
      h(this.#isPart ? 'h3' : 'h2', null, this.#text('title')),
      !this.#isPart && h('p', null, this.#text('text'), ' ', h('a', { href: '/docs' }, t('explore.api'))),
      this.#items.length > 0 && h('ul', { class: 'rows' }, this.#items.map(item => this.#row(item))),
      this.#made && this.#told(),
      h('div', { class: 'actions' },
        h('button', { class: 'button quiet', type: 'button', onclick: () => this.#create() },
          icon('plus'),
          this.#text('create'))),
      this.#sheet?.());
  }

  #text(name, about) {
    return t(`${this.#words}.${name}`, about);
  }

  #row(item) {
    const hasExpired = new Date(item.expiresAt) <= new Date();
    return h('li', { key: item.id },
      h('span', { class: 'grow' },
        h('strong', null, item.name),
        item.scopes && h('span', { class: 'muted' }, item.scopes.map(scopeText).join(' · ')),
        item.networks.length > 0 && h('span', { class: 'muted' },
          t('token.from', { networks: item.networks.join(', ') })),
        h('span', { class: hasExpired ? 'fault' : 'muted' },
          t(hasExpired ? 'token.expired' : 'token.until', { date: date(item.expiresAt) }),
          ' · ', item.usedAt ? t('token.used', { date: date(item.usedAt) }) : t('token.unused'))),
      h('button', {
        class: 'button quiet small danger', type: 'button', 'aria-label': t('token.endOne', { name: item.name }),
        onclick: () => this.#end(item),
      }, t('token.end')));
  }

  #told() {
    const title = this.#text('made', { name: this.#made.name });
    return h('div', { class: 'recovery', role: 'group', 'aria-label': title },
      h(this.#isPart ? 'h4' : 'h3', null, title),
      h('p', null, this.#text('once')),
      h('p', null, h('code', { class: 'secret' }, this.#made[this.#words])),
      h('div', { class: 'actions' },
        h('button', { class: 'button', type: 'button', onclick: () => this.#copy() }, this.#text('copy')),
        h('button', {
          class: 'button quiet', type: 'button',
          onclick: () => {
            this.#made = null;
            this.#app.redraw();
          },
        }, t('token.kept'))));
  }

  async #copy() {
    try {
      await navigator.clipboard.writeText(this.#made[this.#words]);
      this.#app.say(this.#text('copied'), 'good');
    } catch {
      this.#app.say(this.#text('copyByHand'), 'bad');
    }
  }

  #create() {
    const form = new Form(this.#app.redraw, async data => {
      const networks = data.get('/networks').split(/[\s,;]+/).filter(Boolean);
      const { body } = await this.#app.http.post(this.#path, {
        name: data.get('/name').trim(), days: Number(data.get('/days')), networks,
        ...this.#scopes && { scopes: data.getAll('/scopes') },
      });
      this.#made = body[this.#words];
      this.#show(null);
      await this.load();
    });
    this.#show(() => dialog({ key: 'token', title: this.#text('create'), close: () => this.#show(null) },
      form.view([
        form.text({
          name: '/name', label: t('token.name'), hint: t('token.nameHint'), maxlength: LONGEST_NAME, autofocus: true,
          required: true,
        }),
        this.#scopes && scopeChoice(this.#scopes()),
        form.field({ name: '/days', label: t('token.life') }, attributes =>
          h('select', attributes, LIVES.map(days =>
            h('option', { key: String(days), value: String(days), selected: days === USUAL_LIFE },
              t('token.days', { count: days }))))),
        form.text({ name: '/networks', label: t('token.networks'), hint: t('token.networksHint') }),
      ], { action: this.#text('create'), className: 'stacked' })));
  }

  #end(item) {
    this.#show(() => confirmation({
      key: 'token', title: t('token.endTitle', { name: item.name }), text: this.#text('endText'),
      action: t('token.end'),
      close: () => this.#show(null),
      confirm: async () => {
        this.#show(null);
        try {
          await this.#app.http.delete(`${this.#path}/${item.id}`);
          if (this.#made?.id === item.id) this.#made = null;
          await this.load();
        } catch (error) {
          this.#app.say(problemText(error), 'bad');
        }
      },
    }));
  }

  #show(sheet) {
    this.#sheet = sheet;
    this.#app.redraw();
  }
}

/** What a scope allows, in words. */
export const scopeText = scope => t(`scope.${scope}`);

/** A choice of scopes under `title`; the scopes in `chosen` are selected at first. */
export const scopeChoice = (scopes, chosen = [], title = t('token.scopes')) => h('fieldset', {
  class: 'scopes', key: 'scopes',
},
  h('legend', null, title),
  scopes.map(scope => h('label', { key: scope, class: 'check' },
    h('input', { type: 'checkbox', name: '/scopes', value: scope, checked: chosen.includes(scope) }),
    h('span', null, scopeText(scope)))));
