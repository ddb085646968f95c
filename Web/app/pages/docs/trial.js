// Tries an operation of the API: sends what a form says under the session of the page, and shows the answer as it comes.

import { h } from '../../core/page/dom.js';
import { t } from '../../core/text/i18n.js';
import { curlOf, requestOf } from './description.js';

// A longer answer is cut, because it would stop the page.
const LONGEST = 100_000;
const READABLE = /json|^text\/|javascript/;

/** The form of an operation, and the latest answer. */
export class Trial {
  #operation;
  #changed;
  #values;
  #answer = null;
  #isSending = false;

  /** `changed()` is called when something has to be drawn again. */
  constructor(operation, changed) {
    this.#operation = operation;
    this.#changed = changed;
    this.#values = { body: begunBody(operation.body) };
  }

  /** `account` is that of the session, or null. */
  view(account) {
    const { id, method, parameters, body, access } = this.#operation;
    const request = requestOf(this.#operation, this.#values);
    const field = parameter => {
      const key = `${parameter.in} ${parameter.name}`;
      return h('div', { key, class: 'field' },
        h('label', { for: `${id} ${key}` }, parameter.name),
        h('input', {
          id: `${id} ${key}`, type: 'text', autocomplete: 'off', spellcheck: 'false', value: this.#values[key] ?? '', placeholder: parameter.schema?.examples?.[0] ?? '',
          oninput: event => this.#put(key, event.target.value),
        }));
    };
    const [asked, more] = [parameters.filter(({ in: place }) => place !== 'header'), parameters.filter(({ in: place }) => place === 'header')];
    return h('form', { class: 'trial', onsubmit: event => this.#send(event, request) },
      h('h4', null, t('docs.try')),
      h('p', { class: 'help' }, account ? t('docs.as', { name: account.displayName }) : t('docs.asGuest')),
      asked.map(field),
      more.length > 0 && h('details', { key: 'headers' }, h('summary', null, t('docs.headers')), more.map(field)),
      body && h('div', { key: 'body', class: 'field' },
        h('label', { for: `${id} body` }, t('docs.body')),
        isFile(body) ? h('input', { id: `${id} body`, type: 'file', accept: body.type, onchange: event => this.#put('body', event.target.files[0] ?? '') })
          : h('textarea', { id: `${id} body`, rows: 8, spellcheck: 'false', value: this.#values.body, oninput: event => this.#put('body', event.target.value) })),
      request.lacks && h('p', { class: 'help' }, t('docs.lacks', { name: request.lacks })),
      h('div', { class: 'actions' },
        h('button', { class: method === 'DELETE' ? 'button danger' : 'button', type: 'submit', disabled: this.#isSending || Boolean(request.lacks) }, t('docs.send', { method }))),
      this.#answer && this.#shown(this.#answer),
      h('details', { key: 'curl' }, h('summary', null, t('docs.curl')), h('pre', { translate: 'no', tabindex: '0' }, curlOf(request, location.origin, access === 'open'))));
  }

  #shown({ status, headers, text, type, isCut, took }) {
    return h('div', { class: 'answer' },
      h('p', { role: 'status' }, h('strong', { 'data-refused': status >= 400 ? '' : null }, status), ' ', h('span', { class: 'muted' }, t('docs.took', { ms: took }))),
      headers.map(([name, value]) => h('p', { key: name, class: 'muted', translate: 'no' }, `${name}: ${value}`)),
      text !== '' && h('pre', { translate: 'no', tabindex: '0' }, text),
      isCut && h('p', { class: 'help' }, t('docs.cut')),
      type && h('p', { class: 'help' }, t('docs.binary', { type })));
  }

  #put(key, value) {
    this.#values[key] = value;
    this.#changed();
  }

  async #send(event, { method, url, headers, body }) {
    event.preventDefault();
    this.#isSending = true;
    this.#changed();
    const start = performance.now();
    try {
      const answer = await fetch(url, { method, headers, ...(body === null ? {} : { body }) });
      const type = answer.headers.get('content-type') ?? '';
      const isReadable = type === '' || READABLE.test(type);
      const { text, isCut } = isReadable ? await firstOf(answer) : { text: '', isCut: false };
      if (!isReadable) await answer.body?.cancel();
      const took = Math.round(performance.now() - start);
      const told = ['etag', 'link', 'location', 'retry-after'].map(name => [name, answer.headers.get(name)]).filter(([, value]) => value);
      this.#answer = { status: answer.status, headers: told, text: isCut ? text : pretty(text), type: isReadable ? null : type, isCut, took };
    } catch {
      this.#answer = { status: t('error.unreachable'), headers: [], text: '', type: null, isCut: false, took: Math.round(performance.now() - start) };
    }
    this.#isSending = false;
    this.#changed();
  }
}

const FORM = 'application/x-www-form-urlencoded';
const isFile = body => !READABLE.test(body.type) && body.type !== FORM;

function begunBody(body) {
  const example = body?.example ?? '';
  if (typeof example === 'string') return example;
  return body.type === FORM ? new URLSearchParams(example).toString() : JSON.stringify(example, null, 2);
}

// Reads no more than is shown: what an operation streams may never end.
async function firstOf(answer) {
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (reader && text.length <= LONGEST) {
    const { done, value } = await reader.read();
    if (done) return { text, isCut: false };
    text += value;
  }
  await reader?.cancel();
  return { text: text.slice(0, LONGEST), isCut: text.length > LONGEST };
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
