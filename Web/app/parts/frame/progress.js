// Shows the progress of work on the server, and polls until the work has ended.

import { h } from '../../core/page/dom.js';
import { t } from '../../core/text/i18n.js';
import { Unreachable } from '../../core/net/http.js';

const PAUSE = 400;

/** A progress bar with its text: `done` of `total`. */
export function progressBar(text, { done, total }) {
  return h('div', { class: 'progress' },
    h('progress', { 'aria-label': text, max: Math.max(total, 1), value: done }),
    h('span', { class: 'muted' }, t('progress.of', { done, total })));
}

/** Calls `look` repeatedly until it returns false or is refused. Returns a function that ends this. */
export function poll(look) {
  let ended = false;
  let timer = null;
  const step = async () => {
    const goesOn = await look().catch(error => error instanceof Unreachable || error.retryable === true);
    if (goesOn && !ended) timer = setTimeout(step, PAUSE);
  };
  timer = setTimeout(step, PAUSE);
  return () => {
    ended = true;
    clearTimeout(timer);
  };
}
