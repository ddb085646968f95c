// Tries an operation of the API: sends what a form says under the session of the page, and shows the answer.

import { h } from '../../core/page/dom.js';
import { t } from '../../core/text/i18n.js';
import { curlOf, requestOf } from './description.js';

// A longer answer is cut, because it would stop the page.
const LONGEST = 100_000;
const READABLE = /json|^text\/|javascript/;
const TOLD = ['etag', 'link', 'location', 'retry-after'];

/** The form of an operation, and the latest answer. */
export class Trial {
  #operation;
  #app;
  #values;
  #answer = null;
  // What is on its way can be given up.
  #sending = null;
  // Whether the user has been asked whether something is to be deleted.
  #isAsked = false;

  constructor(operation, app) {
    this.#operation = operation;
    this.#app = app;
    this.#values = { body: begunBody(operation.body) };
  }

  view() {
    const { id, method, parameters, body } = this.#operation;
    const request = requestOf(this.#operation, this.#values);
    const headers = parameters.filter(({ in: place }) => place === 'header');
    return h('form', { class: 'docs-trial', onsubmit: event => this.#submit(event, request) },
      h('h4', null, t('docs.try')),
      this.#who(),
      parameters.filter(({ in: place }) => place !== 'header').map(parameter => this.#field(parameter)),
      headers.length > 0 && h('details', { key: 'headers' },
        h('summary', null, t('docs.headers')),
        headers.map(parameter => this.#field(parameter))),
      body && h('div', { key: 'body', class: 'field' },
        h('label', { for: `${id}-body` }, t('docs.body')),
        this.#body(body)),
      request.lacks && h('p', { class: 'help' }, t('docs.lacks', { name: request.lacks })),
      this.#isAsked && h('p', { class: 'alert', role: 'alert' }, t('docs.sure')),
      h('div', { class: 'actions' },
        h('button', {
          class: method === 'DELETE' ? 'button danger' : 'button', type: 'submit',
          'aria-disabled': request.lacks ? 'true' : null,
        }, t('docs.send', { method })),
        this.#sending && h('button', { class: 'button quiet', type: 'button', onclick: () => this.#sending?.abort() },
          t('action.cancel'))),
      this.#answer && this.#shown(this.#answer),
      this.#command(request));
  }

  #who() {
    const { account } = this.#app.store.state;
    if (account) return h('p', { class: 'help' }, t('docs.as', { name: account.displayName }));
    return h('p', { class: 'help' },
      t('docs.asGuest'),
      ' ',
      h('a', { href: `/sign-in?next=${encodeURIComponent(`/docs#${this.#operation.id}`)}` }, t('signIn.action')));
  }

  #field({ in: place, name, schema }) {
    const key = `${place} ${name}`;
    const id = `${this.#operation.id}-${place}-${name}`;
    return h('div', { key, class: 'field' },
      h('label', { for: id }, name),
      h('input', {
        id, type: 'text', autocomplete: 'off', spellcheck: 'false', value: this.#values[key] ?? '',
        placeholder: schema?.examples?.[0] ?? '',
        oninput: event => this.#put(key, event.target.value),
      }));
  }

  #body(body) {
    const id = `${this.#operation.id}-body`;
    if (!isFile(body)) {
      return h('textarea', {
        id, rows: 8, spellcheck: 'false', value: this.#values.body,
        oninput: event => this.#put('body', event.target.value),
      });
    }
    const { name } = this.#values.body;
    return [h('input', {
      key: 'file', id, type: 'file', accept: body.types.join(),
      onchange: event => this.#put('body', event.target.files[0] ?? ''),
    }),
      name && h('p', { key: 'name', class: 'help' }, name)];
  }

  #command(request) {
    const { access, scope } = this.#operation;
    if (access !== 'open' && scope === 'session') return null;
    return h('details', { key: 'curl' },
      h('summary', null, t('docs.curl')),
      h('pre', { translate: 'no', tabindex: '0' }, curlOf(request, location.origin, access === 'open')));
  }

  #shown({ status, headers, text, note, took }) {
    return h('div', { class: 'docs-answer' },
      h('p', { role: 'status' },
        h('strong', { 'data-refused': status < 400 ? null : '' }, status),
        took !== null && [' ', h('span', { class: 'muted' }, t('docs.took', { ms: took }))]),
      headers.map(([name, value]) =>
        h('p', { key: name, class: 'muted', translate: 'no' }, h('code', null, name), ' ', value)),
      text !== '' && h('pre', { translate: 'no', tabindex: '0' }, text),
      note && h('p', { class: 'help' }, note));
  }

  #put(key, value) {
    this.#values[key] = value;
    this.#isAsked = false;
    this.#app.redraw();
  }

  #submit(event, request) {
    event.preventDefault();
    if (request.lacks) return;
    if (request.method === 'DELETE' && !this.#isAsked) {
      this.#isAsked = true;
      this.#app.redraw();
      return;
    }
    this.#isAsked = false;
    this.#send(request);
  }

  async #send(request) {
    this.#sending?.abort();
    const sending = (this.#sending = new AbortController());
    this.#answer = null;
    this.#app.redraw();
    const answer = await this.#answerTo(request, sending.signal);
    // Another request may be on its way by now.
    if (this.#sending !== sending) return;
    this.#sending = null;
    this.#answer = answer;
    this.#app.redraw();
    // What was sent may have ended the session, or begun another one.
    const isOfSession = request.method !== 'GET' && /^\/v1\/(sessions|accounts)\b/.test(request.url);
    if (answer.status === 401 || isOfSession) await this.#app.session.start().catch(() => {});
  }

  async #answerTo({ method, url, headers: own, body }, signal) {
    const account = this.#app.store.state.account?.id;
    const failed = text => ({ status: text, headers: [], text: '', note: null, took: null });
    let headers;
    try {
      headers = new Headers(own);
      // Another person may have signed in in another tab.
      if (account && !headers.has('gradecast-account')) headers.set('gradecast-account', account);
    } catch {
      return failed(t('docs.badHeader'));
    }
    const start = performance.now();
    try {
      const answer = await fetch(url, { method, headers, signal, ...(body === null ? {} : { body }) });
      const type = answer.headers.get('content-type') ?? '';
      const { text, note } = type === '' || READABLE.test(type)
        ? await readable(answer)
        : { text: '', note: t('docs.binary', { type }) };
      if (text === '') await answer.body?.cancel().catch(() => {});
      return {
        status: answer.status, text, note, took: Math.round(performance.now() - start),
        headers: TOLD.map(name => [name, answer.headers.get(name)]).filter(([, value]) => value),
      };
    } catch (error) {
      return failed(t(error.name === 'AbortError' ? 'docs.stopped' : 'error.unreachable'));
    }
  }
}

const FORM = 'application/x-www-form-urlencoded';
const isFile = body => !READABLE.test(body.type) && body.type !== FORM;

function begunBody(body) {
  const example = body?.example ?? '';
  if (typeof example === 'string') return example;
  return body.type === FORM ? new URLSearchParams(example).toString() : JSON.stringify(example, null, 2);
}

// Reads no more than is shown.
async function readable(answer) {
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (reader && text.length <= LONGEST) {
    const { done, value } = await reader.read();
    if (done) return { text: pretty(text), note: null };
    text += value;
  }
  await reader?.cancel();
  return text.length > LONGEST
    ? { text: text.slice(0, LONGEST), note: t('docs.cut') }
    : { text: pretty(text), note: null };
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
