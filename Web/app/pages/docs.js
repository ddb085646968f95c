// The API as the server describes it: every operation with what it takes and answers, and a way to try it.

import { h } from '../core/page/dom.js';
import { sentences, t } from '../core/text/i18n.js';
import { withCode } from '../parts/frame/problem.js';
import { fits, groupsOf, membersOf, resolved, typeText } from './docs/description.js';
import { Trial } from './docs/trial.js';

// What has no end cannot be shown as an answer.
const ENDLESS = 'text/event-stream';

export async function open(app) {
  const { body } = await app.http.get('/openapi.json');
  const page = new Docs(app, body);
  return { wide: true, title: () => t('docs.title'), view: () => page.view() };
}

class Docs {
  #app;
  #description;
  #groups;
  #wanted = '';
  #open;
  #linked;
  // What is open inside an operation, by the way to it: schemas contain themselves, so they are drawn as they are
  // opened.
  #inner = new Set();
  #trials = new Map();

  constructor(app, description) {
    this.#app = app;
    this.#description = description;
    this.#groups = groupsOf(description);
    // The address names the operation that is open, so that it is a link.
    this.#linked = location.hash.slice(1);
    this.#open = new Set([this.#linked]);
  }

  view() {
    const { info } = this.#description;
    const groups = this.#groups.map(group =>
      ({ ...group, operations: group.operations.filter(operation => fits(operation, this.#wanted)) }))
      .filter(({ operations }) => operations.length > 0);
    return h('div', { class: 'docs' },
      h('h1', { tabindex: '-1' }, t('docs.title')),
      h('p', { class: 'lead', lang: 'en' }, info.summary),
      h('p', { lang: 'en' }, withCode(info.description)),
      h('p', null,
        h('a', { href: '/openapi.json', download: 'gradecast-openapi.json' },
          t('docs.file', { version: info.version }))),
      h('div', { class: 'field' },
        h('label', { for: 'docs-wanted' }, t('docs.search')),
        h('input', {
          id: 'docs-wanted', type: 'search', autocomplete: 'off', value: this.#wanted,
          oninput: event => this.#look(event.target.value),
        })),
      groups.length === 0 && h('p', { role: 'status' }, t('docs.nothing')),
      groups.map(({ name, about, operations }) => h('section', { key: name, class: 'card' },
        h('h2', { translate: 'no', lang: 'en' }, name),
        about && h('p', { class: 'muted', lang: 'en' }, about),
        operations.map(operation => this.#operation(operation)))));
  }

  // The page is not in the document yet. It leads there once.
  #lead = element => {
    this.#linked = null;
    setTimeout(() => element.scrollIntoView());
  };

  #look(text) {
    this.#wanted = text.trim();
    this.#app.redraw();
  }

  #operation(operation) {
    const { id, method, path, summary } = operation;
    const isOpen = this.#open.has(id);
    return h('details', {
      key: id, id, class: 'docs-operation', onMount: id === this.#linked ? this.#lead : null, open: isOpen,
      ontoggle: event => this.#toggle(id, event.target.open),
    },
      h('summary', null,
        h('span', { class: 'method', 'data-method': method, translate: 'no' }, method), ' ',
        h('code', { translate: 'no' }, path), ' ',
        h('span', { class: 'muted', lang: 'en' }, summary)),
      isOpen && this.#particulars(operation));
  }

  #toggle(id, isOpen) {
    if (this.#open.has(id) === isOpen) return;
    if (isOpen) {
      this.#open.add(id);
      history.replaceState(null, '', `#${id}`);
    } else {
      this.#open.delete(id);
      if (location.hash === `#${id}`) history.replaceState(null, '', location.pathname);
    }
    this.#app.redraw();
  }

  #unfold(at, isOpen) {
    if (this.#inner.has(at) === isOpen) return;
    if (isOpen) this.#inner.add(at);
    else this.#inner.delete(at);
    this.#app.redraw();
  }

  #particulars(operation) {
    const { id, access, scope, parameters, body, answers } = operation;
    const mayTry = !answers.some(({ content }) => content?.type === ENDLESS);
    if (mayTry && !this.#trials.has(id)) this.#trials.set(id, new Trial(operation, this.#app));
    return h('div', { class: 'docs-particulars' },
      h('p', null, sentences([t(`docs.access.${access}`), scopeText(scope)])),
      parameters.length > 0 && [h('h3', { key: 'takes' }, t('docs.parameters')), this.#parameters(parameters, id)],
      body && [h('h3', { key: 'body' }, t('docs.body')), this.#content(body, `${id}/body`)],
      h('h3', null, t('docs.answers')),
      h('ul', { class: 'docs-members' }, answers.map(answer => this.#answer(answer, id))),
      mayTry ? this.#trials.get(id).view() : h('p', { class: 'help' }, t('docs.endless')));
  }

  #parameters(parameters, within) {
    return h('ul', { key: 'parameters', class: 'docs-members' },
      parameters.map(({ name, in: place, required, description, schema }) => this.#member(
        {
          key: `${place} ${name}`, name, note: t(`docs.in.${place}`), isRequired: required, about: description, schema,
        },
        within)));
  }

  // A refusal has the same form everywhere; what matters are its codes.
  #answer({ status, about, headers, codes, content }, within) {
    const names = Object.keys(headers);
    const told = codes.length === 0
      ? withCode(about)
      : codes.map((code, index) => [index > 0 && ', ', h('code', { key: code }, code)]);
    return h('li', { key: status },
      h('strong', { translate: 'no' }, status), ' ', h('span', { lang: 'en', translate: 'no' }, told),
      names.length > 0 && h('span', { class: 'muted', translate: 'no' }, ` ${names.join(', ')}`),
      content && codes.length === 0 && this.#content(content, `${within}/${status}`));
  }

  #content({ type, schema }, at) {
    return h('div', { class: 'content' },
      h('p', { class: 'muted', translate: 'no' }, type, schema && ` · ${this.#type(schema)}`),
      schema && this.#members(schema, at));
  }

  #type = schema => typeText(schema, {
    any: t('docs.type.any'), array: t('docs.type.array'), string: t('docs.type.string'),
    integer: t('docs.type.integer'), number: t('docs.type.number'),
    boolean: t('docs.type.boolean'), object: t('docs.type.object'), null: 'null',
  });

  #members(schema, at) {
    const members = membersOf(schema, this.#description);
    return members.length > 0 && h('ul', { class: 'docs-members' },
      members.map(({ name, schema: own, isRequired }, index) =>
        this.#member({
          key: `${index} ${name}`, name, note: '', isRequired,
          about: own.description ?? resolved(own, this.#description).schema.description, schema: own,
        },
          at)));
  }

  // `within` is the way to the list in which the member is.
  #member({ key, name, note, isRequired, about, schema }, within) {
    const at = `${within}/${key}`;
    const isOpen = this.#inner.has(at);
    const head = [h('code', { translate: 'no' }, name),
      isRequired && h('span', { class: 'needed' }, ` ${t('docs.needed')}`),
      h('span', { class: 'muted' }, [note, this.#type(schema)].filter(Boolean).map(text => ` · ${text}`).join(''))];
    const said = about && h('span', { class: 'about', lang: 'en' }, withCode(about));
    if (membersOf(schema, this.#description).length === 0) return h('li', { key }, head, said);
    return h('li', { key },
      h('details', { class: 'inner', open: isOpen, ontoggle: event => this.#unfold(at, event.target.open) },
        h('summary', null, head), said, isOpen && this.#members(schema, at)));
  }
}

const scopeText = scope =>
  (scope === 'any' || scope === 'none' ? null : scope === 'session' ? t('docs.session') : t('docs.scope', { scope }));
