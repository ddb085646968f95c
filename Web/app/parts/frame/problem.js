// Describes errors in words that tell the user what to do.

import { h } from '../../core/page/dom.js';
import { has, sentences, t } from '../../core/text/i18n.js';
import { Problem, Unreachable } from '../../core/net/http.js';
import { icon } from './frameIcons.js';

export function problemText(error) {
  if (error instanceof Unreachable) return t('error.unreachable');
  if (error instanceof Problem) {
    if (error.faults.length > 0) return sentences([...new Set(error.faults.map(faultText))]);
    return error.worded || !has(`code.${error.code}`) ? error.message : t(`code.${error.code}`);
  }
  return t('error.unexpected');
}

/** Whether the same request may succeed later. */
export const mayPass = error =>
  !(error instanceof Problem) || error.retryable || error.status >= 500 || error.status === 429;

/** An error instead of a whole page: the text and a way to try again. */
export function problemCard(error, retry) {
  const again = mayPass(error);
  return h('section', { class: 'card problem', role: 'alert' },
    icon('warning'),
    h('h1', { tabindex: '-1' }, error.status === 404 ? t('error.notFound') : t('error.title')),
    h('p', null, problemText(error)),
    again && h('button', { class: 'button', onclick: retry }, t('action.retry')),
    h('a', { class: 'button quiet', href: '/' }, t('action.home')));
}

/** A message in which words of the rule language are between backticks. */
export const withCode = text =>
  text.split('`').map((part, index) => (index % 2 === 1 ? h('code', { key: index, translate: 'no' }, part) : part));

/** The text of one fault. The server writes it in the request's language. */
export const faultText = fault => {
  const text = fault.message || (has(`fault.${fault.code}`) ? t(`fault.${fault.code}`) : fault.code);
  // Faults in regulations have a line and a column, by which the author finds them.
  return fault.args?.range ? `${fault.args.line}:${fault.args.column} ${text}` : text;
};
