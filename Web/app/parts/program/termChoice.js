// The year or term of the institution to which a class belongs.

import { h } from '../../core/page/dom.js';
import { t } from '../../core/text/i18n.js';

/** The choice in a form, once the institution's terms are known; empty if there are none. */
export class TermChoice {
  #terms = [];

  constructor(app, institution, redraw) {
    app.http.get(`/v1/institutions/${institution}/terms`).then(({ body }) => {
      this.#terms = body.items.filter(({ kind }) => kind !== 'period');
      redraw();
    }, () => {});
  }

  /** What was chosen, as a member of a request; empty if no choice was offered. */
  read = data => (data.has('/term') ? { term: data.get('/term') || null } : {});

  view(form, chosen) {
    if (this.#terms.length === 0) return null;
    return form.field({ name: '/term', label: t('terms.ofClass') }, attributes => h('select', attributes,
      h('option', { key: 'none', value: '', selected: chosen === null }, t('terms.none')),
      this.#terms.map(({ id, title, parent }) =>
        h('option', { key: id, value: id, selected: id === chosen }, this.#name(title, parent)))));
  }

  #name(title, parent) {
    const above = this.#terms.find(({ id }) => id === parent);
    return above ? t('terms.within', { title, above: above.title }) : title;
  }
}
