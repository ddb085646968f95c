// The calculator on the home page: three sliders, and the server's answer with its computation. Nothing is stored.

import { h } from '../../core/page/dom.js';
import { computation, t, toInput } from '../../core/text/i18n.js';
import { exactText, formula } from '../../core/text/traceWords.js';
import { traceOf, traceQuery } from '../../core/data/traces.js';
import { slider } from '../frame/slider.js';

const ID = 'course';
const letters = new Set(['A', 'B', 'C', 'D', 'F']);

export class TryOut {
  #app;
  #parts = [['Assignments', 30, 94], ['Midterm', 30, 82],
    ['Final', 40, 91]].map(([name, weight, points]) => ({ name, weight, points }));
  #answer = null;
  #isAsking = false;
  #isStale = false;

  constructor(app) {
    this.#app = app;
  }

  /** Requests the first answer. If there is none, nothing is shown. */
  async start() {
    await this.#ask().catch(() => null);
  }

  view() {
    if (!this.#answer) return null;
    const { figures, letter } = this.#answer.standing;
    const { total } = figures;
    return h('section', { class: 'card try', 'aria-label': t('home.try') },
      h('div', { class: 'try-result', role: 'status' },
        h('div', null,
          h('p', { class: 'muted' }, t('home.try')),
          h('p', { class: 'try-total' }, toInput(total.display))),
        letters.has(letter) && h('img', { src: `/app/img/letter-${letter}.svg`, alt: letter, width: 72, height: 72 })),
      this.#parts.map(part => this.#row(part)),
      h('code', { class: 'try-formula' }, computation(`${this.#answer.formula} = ${exactText(total.exact)}`)));
  }

  #row(part) {
    const text = t(`home.try.${part.name}`);
    return h('label', { class: 'try-row', key: part.name },
      h('span', null, text, h('span', { class: 'muted' }, ` × ${part.weight}`)),
      slider({ min: 0, max: 100, step: 1, value: part.points, oninput: event => this.#put(part, event.target.value) }),
      h('span', { class: 'try-points' }, `${part.points}/100`));
  }

  // While a request is running, the next one waits; it is then sent with the newest numbers.
  async #put(part, points) {
    part.points = Number(points);
    this.#app.redraw();
    this.#isStale = true;
    if (this.#isAsking) return;
    this.#isAsking = true;
    while (this.#isStale) {
      this.#isStale = false;
      await this.#ask().catch(() => null);
      this.#app.redraw();
    }
    this.#isAsking = false;
  }

  async #ask() {
    const children = this.#parts.map(({ name, points, weight }) =>
      ({ kind: 'assessment', fields: { name, points, max: 100, weight } }));
    const course = { id: ID, kind: 'course', fields: { title: t('home.try.course'), credits: 3 }, children };
    const { body } = await this.#app.http.post(`/v1/evaluate${traceQuery('total', course)}`, {
      scheme: 'chalkboard', preset: 'default', entries: [course],
    });
    this.#answer = { standing: body.entries[ID], formula: formula(traceOf(body, 'total', course), () => null) };
  }
}
