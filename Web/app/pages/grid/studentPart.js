// One student's figures in the class, with floor and ceiling, as the server judges them.

import { h } from '../../core/page/dom.js';
import { kindOf } from '../../core/data/kinds.js';
import { label, t, toInput } from '../../core/text/i18n.js';
import { statusText } from '../../core/text/statuses.js';
import { problemText } from '../../parts/frame/problem.js';
import { figureText, rangeBar } from '../../parts/record/figure.js';
import { letterText } from '../../parts/record/letters.js';
import { reasonWords } from '../../core/text/messages.js';
import { valueIn } from '../../core/values/own.js';
import { riskText } from './risk.js';

export class StudentPart {
  #desk;
  #held = null;

  constructor(desk) {
    this.#desk = desk;
  }

  /** The figures of a row; they are read again when the row has changed. */
  view(row, openHistory, openOverride) {
    const stamp = `${row.id}.${row.v}`;
    if (this.#held?.stamp !== stamp) this.#read(row, stamp);
    const { answer, error } = this.#held;
    return h('section', { class: 'student-part', key: 'part' },
      error && h('p', { class: 'muted' }, problemText(error)),
      row.risk.length > 0 && h('p', { class: 'banner' }, riskText(row.risk)),
      answer && totals(this.#desk.scheme, answer),
      h('div', { class: 'actions' },
        h('a', { class: 'button quiet small', href: `/records/${row.record}` }, t('people.record')),
        h('button', { class: 'button quiet small', type: 'button', onclick: openHistory }, t('ledger.open')),
        this.#desk.permissions.mayTeach
          && this.#desk.model.all.filter(({ figure }) => figure).map(column => h('button', {
            key: column.key, class: 'button quiet small', type: 'button', onclick: () => openOverride(column),
          }, t('override.open', { title: column.title })))));
  }

  async #read(row, stamp) {
    const before = this.#held?.row === row.id ? this.#held.answer : null;
    this.#held = { stamp, row: row.id, answer: before, error: null };
    try {
      const { body } = await this.#desk.app.http.get(`${this.#desk.path}/rows/${row.id}`);
      if (this.#held.stamp === stamp) this.#held = { ...this.#held, answer: body };
    } catch (error) {
      if (this.#held.stamp === stamp) this.#held = { ...this.#held, error };
    }
    this.#desk.redraw();
  }
}

/**
 * The status and the figures of the root in a row's answer, `{part, standing}`, each with its possible range.
 * `why(name, entry, title)`, if given, explains a figure.
 */
export function totals(scheme, { part, standing }, why = null) {
  const [root] = part.entries;
  const own = valueIn(standing.entries, root?.id);
  const described = scheme.figures.filter(figure => figure.kind === root?.kind && !figure.family
    && valueIn(own?.figures, figure.name));
  const status = root?.status && root.status !== 'graded' && h('p', { key: 'status' },
    h('span', { class: 'pill' }, statusText(root.status, kindOf(scheme, root.kind))));
  return h('div', { class: 'totals' }, status, described.map(figure => {
    const shown = own.figures[figure.name];
    return h('div', { key: figure.name, class: 'total' },
      h('h2', null, label(figure.label, figure.name)),
      h('p', { class: 'total-figure', 'data-band': shown.band ?? null },
        explained(figureText(shown), label(figure.label, figure.name),
          why && (() => why(figure.name, root, label(figure.label, figure.name)))),
        own.letter && described[0] === figure && h('span', { class: 'letter' }, letterText(scheme, own.letter))),
      shown.given && h('p', { class: 'muted' },
        t('override.computedBeside', { value: shown.computed?.display ? toInput(shown.computed.display) : '–' })),
      shown.exact === null && h('p', { class: 'muted' }, reasonWords(scheme, shown.reason ?? 'undefined')),
      bar(figure, shown));
  }));
}

/** A figure's text; as a button if `open` explains it. */
export function explained(text, name, open) {
  return open
    ? h('button', {
      class: 'figure', type: 'button', title: t('why.open'),
      'aria-label': `${t('outcome.is', { name, state: text })}. ${t('why.open')}`, onclick: open,
    }, text)
    : text;
}

// If smaller values are better, the line runs in the other direction.
function bar({ rule }, figure) {
  if (figure.floor === undefined || figure.floor === null) return null;
  const shown = [figure.floor, figure.ceiling, figure.display || figure.floor].map(Number);
  const [least, most] = [Math.min(0, ...shown), Math.max(...shown, ...scaleOf(shown))];
  return rule?.better === 'lower' || shown[0] > shown[1]
    ? rangeBar(figure, least, most)
    : rangeBar(figure, most, least);
}

// The narrowest of the usual scales that contains all shown values.
const scaleOf = shown => [[4, 6, 10, 20, 100].find(most => shown.every(value => value <= most)) ?? Math.max(...shown)];
