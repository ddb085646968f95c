// Shows a computed figure: the server's own text, its band as colour *and* word, its range, and a link to its
// explanation. Here, numbers are only used to place marks on a bar, never to write a figure.

import { h } from '../../core/page/dom.js';
import { dateTime, t, toInput } from '../../core/text/i18n.js';
import { messageText, reasonWords } from '../../core/text/messages.js';
import { icon } from '../frame/icons.js';
import { valueIn } from '../../core/values/own.js';

export const figureOf = ({ standing }, name, entry = null) =>
  valueIn(entry ? valueIn(standing.entries, entry.id)?.figures : standing.figures, name) ?? null;

/** The display text, or a dash if there is no value. */
export function figureText(figure) {
  if (!figure) return '–';
  if (figure.exact === null || figure.exact === undefined) return '–';
  return toInput(figure.display);
}

/** The reason why a figure has no value, in the user's language. */
export function reasonText(scheme, figure) {
  return !figure || figure.exact !== null ? null : reasonWords(scheme, figure.reason ?? 'undefined');
}

const hint = (desk, figure) =>
  (figure?.given ? t('given.by', { name: desk.nameOf(figure.given.by), time: dateTime(figure.given.at) })
    : reasonText(desk.scheme, figure) ?? t('why.open'));

/** The figure as a button that explains it. */
export function figureButton(desk, name, entry, text, className = '') {
  const figure = figureOf(desk.book, name, entry);
  return h('button', {
    class: `figure ${className}`,
    type: 'button',
    'data-band': figure?.band ?? null,
    'data-given': figure?.given ? '' : null,
    title: hint(desk, figure),
    'aria-label': `${t('outcome.is', { name: text, state: figureText(figure) })}. ${hint(desk, figure)}`,
    onclick: () => desk.why(name, entry, text),
  }, figureText(figure));
}

/** Floor, current value and ceiling on a line from the worst to the best possible value; `worst` may be the greater
 *  number. */
export function rangeBar(figure, best, worst = 0) {
  if (!figure || figure.floor === undefined || figure.floor === null) return null;
  const place = text => `${Math.max(0, Math.min(100, ((Number(text) - worst) / (best - worst)) * 100))}%`;
  const known = figure.exact !== null;
  const { floor, ceiling } = figure;
  return h('div', { class: 'range' },
    h('div', {
      class: 'range-line', role: 'img',
      'aria-label': t('range.text', { floor: toInput(floor), ceiling: toInput(ceiling), current: figureText(figure) }),
    },
      h('span', { class: 'range-span', style: { left: place(floor), right: `calc(100% - ${place(ceiling)})` } }),
      known && h('span', {
        class: 'range-mark', 'data-band': figure.band ?? null, style: { left: place(figure.display) },
      })),
    h('div', { class: 'range-ends', 'aria-hidden': 'true' },
      h('span', { style: { 'flex-basis': place(floor) } },
        t(worst > best ? 'range.worst' : 'range.floor', { value: toInput(floor) })),
      h('span', { style: { 'flex-basis': `calc(100% - ${place(ceiling)})` } },
        floor === ceiling ? t('range.settled') : t('range.ceiling', { value: toInput(ceiling) }))));
}

export function warnings(desk) {
  const list = desk.book.standing.warnings ?? [];
  if (list.length === 0) return null;
  return h('ul', { class: 'warnings' }, list.map((item, index) =>
    h('li', { key: `${item.code}${item.entry ?? index}` },
      icon('warning'),
      h('span', null,
        item.entry
          ? t('outcome.is', { name: desk.titleOf(item.entry), state: messageText(desk.scheme, item) })
          : messageText(desk.scheme, item)))));
}
