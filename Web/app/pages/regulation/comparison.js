// Two versions of the document beside each other, article by article.

import { h } from '../../core/page/dom.js';
import { date, t } from '../../core/text/i18n.js';
import { dialog } from '../../parts/frame/dialog.js';
import { abridged, differingArticles } from './difference.js';

// At most this many lines are shown.
const MOST = 2000;

/** The differences from `before` to `after`; `names` are the names of the two sides. */
export function differences(before, after, names) {
  const articles = differingArticles(before, after);
  if (articles.length === 0) return h('p', { class: 'empty' }, t('regulation.nothingDiffers'));
  let left = MOST;
  return articles.map((article, index) => {
    const rows = abridged(article.rows).slice(0, Math.max(0, left));
    left -= rows.length;
    return h('section', { key: index, class: 'difference' },
      h('h3', null, article.title || t('regulation.beginning')),
      rows.length > 0 && h('div', {
        class: 'scroll', tabindex: '0', role: 'region', 'aria-label': article.title || t('regulation.beginning'),
      },
        h('table', null,
          h('thead', null, h('tr', null, names.map((name, side) => h('th', { key: side, scope: 'col' }, name)))),
          h('tbody', null, rows.map((row, line) => (row.skipped
            ? h('tr', { key: line, class: 'skipped' },
              h('td', { colspan: 2 }, t('regulation.sameLines', { count: row.skipped })))
            : h('tr', { key: line },
              h('td', null, h(row.same ? 'span' : 'del', null, row.before ?? '')),
              h('td', null, h(row.same ? 'span' : 'ins', null, row.after ?? ''))))))))
    );
  });
}

/** A dialog that compares two of several texts. `texts` are `{id, name, text}`, and `chosen` are the two
 *  identifiers. */
export class Comparison {
  #texts;
  #chosen;
  #redraw;
  #close;

  constructor(texts, chosen, { redraw, close }) {
    this.#texts = texts;
    this.#chosen = chosen;
    this.#redraw = redraw;
    this.#close = close;
  }

  view() {
    const [before, after] = this.#chosen.map(id => this.#texts.find(item => item.id === id));
    return dialog({ key: 'comparison', title: t('regulation.compare'), close: this.#close, className: 'comparison' },
      h('div', { class: 'form' },
        ['regulation.from', 'regulation.to'].map((key, side) => h('label', { key, class: 'field' }, t(key),
          h('select', {
            onchange: event => {
              this.#chosen[side] = event.target.value;
              this.#redraw();
            },
          }, this.#texts.map(item =>
            h('option', { key: item.id, value: item.id, selected: item.id === this.#chosen[side] }, item.name)))))),
      differences(before.text, after.text, [before.name, after.name]));
  }
}

/** The published versions of a program whose rules are a document, newest first. */
export async function versionTexts(http, program) {
  const { items } = (await http.get(`/v1/programs/${program}/versions`)).body;
  return items.map(item => ({
    id: `version-${item.version}`,
    name: t('programs.version', { version: item.version, date: date(item.effectiveFrom) }),
    text: item.configuration.document ?? '',
  }));
}
