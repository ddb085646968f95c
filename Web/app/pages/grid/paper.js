// The grid on paper. The screen has elements only for the visible cells, so for the printer everything is drawn once
// more as plain tables: a class with many columns becomes several tables, one below the other, each with the names.

import { h, named, render } from '../../core/page/dom.js';
import { t } from '../../core/text/i18n.js';

/** How many columns fit side by side on a sheet of paper. */
const ABREAST = 8;

export class Paper {
  #title;
  #model;
  #head;
  #text;
  #host = null;

  /** `head` returns the texts of a column's head (`above`, `title`, `below`), `text` the text of a cell. */
  constructor({ title, model, head, text }) {
    this.#title = title;
    this.#model = model;
    this.#head = head;
    this.#text = text;
  }

  /** Draws into `host` whenever the page is printed. */
  attach(host) {
    this.#host = host;
    addEventListener('beforeprint', this.#draw);
    addEventListener('afterprint', this.#clear);
  }

  detach() {
    removeEventListener('beforeprint', this.#draw);
    removeEventListener('afterprint', this.#clear);
    this.#host = null;
  }

  #clear = () => render(this.#host, []);

  #draw = () => {
    const { columns, order } = this.#model;
    const parts = [];
    for (let start = 0; start < columns.length; start += ABREAST) parts.push(columns.slice(start, start + ABREAST));
    render(this.#host,
      parts.map((part, index) => this.#table(part, order, parts.length > 1 ? `${index + 1} / ${parts.length}` : null)));
  };

  #table(columns, rows, place) {
    return h('table', { key: columns[0].key },
      h('caption', null, named(this.#title()), place && ` ${place}`),
      h('thead', null, h('tr', null,
        h('th', { scope: 'col' }, t('program.student')),
        columns.map(column => {
          const { above, title, below } = this.#head(column);
          return h('th', { key: column.key, scope: 'col' },
            above && h('small', null, named(above)),
            named(title),
            below && h('small', null, below));
        }))),
      h('tbody', null, rows.map(row => h('tr', { key: row.id },
        h('th', { scope: 'row' }, named(this.#model.nameOf(row))),
        columns.map(column => h('td', { key: column.key }, this.#text(row, column)))))));
  }
}
