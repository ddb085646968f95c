// What changes of the structure would do to the class, requested while the user makes them: one request after the
// other, the newest last, at most ten a second.

import { h } from '../../../core/page/dom.js';
import { sentences, t } from '../../../core/text/i18n.js';
import { letterText } from '../../../parts/record/letters.js';
import { rehearseAll } from './changes.js';
import { compared, letterRows } from './compared.js';
import { figureRows } from './figureBars.js';

// The time between two requests, in milliseconds.
const PAUSE = 100;
// At most this many students are named whose letter would change.
const NAMED = 30;

export class Rehearsal {
  /** The server's answer for each row; null while nothing is changed. */
  effect = null;
  error = null;
  #desk;
  #steps;
  #isAsking = false;
  #isStale = false;

  /** `steps()` returns the current changes. */
  constructor(desk, steps) {
    this.#desk = desk;
    this.#steps = steps;
  }

  async ask() {
    this.#isStale = true;
    if (this.#isAsking) return;
    this.#isAsking = true;
    while (this.#isStale) {
      this.#isStale = false;
      const steps = this.#steps();
      try {
        this.effect = steps.length > 0 ? await rehearseAll(this.#desk, steps) : null;
        this.error = null;
      } catch (error) {
        [this.effect, this.error] = [null, error];
      }
      this.#desk.redraw();
      await new Promise(resolve => setTimeout(resolve, PAUSE));
    }
    this.#isAsking = false;
  }

  view() {
    const [desk, { effect }] = [this.#desk, this];
    if (this.error) return null;
    if (!effect) return h('p', { key: 'effect', class: 'help' }, t('structure.noEffect'));
    const others = effect.rows.filter(({ before, after }) => before && after
      && (before.letter ?? null) !== (after.letter ?? null));
    const letterOf = ({ letter }) => (letter ? letterText(desk.scheme, letter) : '–');
    const name = id => desk.model.rows.get(id)?.name ?? '';
    return h('div', { key: 'effect' },
      h('p', { class: 'banner', role: 'status' },
        sentences([t('late.effect', { count: effect.changed }),
          effect.refused > 0 && t('late.refused', { count: effect.refused })])),
      compared(t('statistics.letters'), t('statistics.letter'), letterRows(effect.rows, desk)),
      compared(t('statistics.histogram'), t('statistics.range'), figureRows(effect.rows, desk)),
      others.length > 0 && h('div', { key: 'others' },
        h('h3', null, t('weights.others', { count: others.length })),
        h('ul', { class: 'changes' }, others.slice(0, NAMED).map(({ row, before, after }) => h('li', { key: row },
          t('weights.other', { name: name(row), before: letterOf(before), after: letterOf(after) })))),
        others.length > NAMED && h('p', { class: 'muted' }, t('weights.more', { count: others.length - NAMED }))));
  }
}
