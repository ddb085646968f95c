// The records on which the rules can be tried: templates and examples of the document, and students' records.

import { label, t } from '../../core/text/i18n.js';
import { recordToWire } from '../../core/values/tree.js';

export class Samples {
  chosen = null;
  #review;
  #http;
  #changed;
  #people = [];
  #record = null;

  /** `changed()` is called when another sample is chosen. */
  constructor(review, http, changed) {
    this.#review = review;
    this.#http = http;
    this.#changed = changed;
  }

  /** Offers the records of a program to those who keep them. */
  async load(program) {
    this.#people = (await this.#http.get(`/v1/records?program=${program}&limit=50`)).body.items;
  }

  get choices() {
    const own = (this.#review.last?.outline ?? []).filter(({ sort }) => sort === 'template' || sort === 'example');
    return [
      ...own.map(item => ({ id: `${item.sort}:${item.name}`, name: label(item.label, item.name) })),
      ...this.#people.map(item => ({ id: `record:${item.id}`, name: item.displayName ?? t('program.noStudent') })),
    ];
  }

  /** The sample that a check has to calculate. */
  get question() {
    const [sort, name] = this.chosen?.split(/:(.*)/s) ?? [];
    if (sort === 'record') return this.#record;
    return sort ? { [sort]: name } : null;
  }

  /** Chooses the first sample if none is chosen, or if the document no longer has the chosen one. Returns whether the
   *  choice has changed. */
  settle() {
    const { choices } = this;
    if (choices.some(({ id }) => id === this.chosen) || choices.length === 0) return false;
    if (this.#review.last?.hasErrors && this.chosen) return false;
    this.chosen = choices[0].id;
    return !this.chosen.startsWith('record:') || (this.choose(this.chosen), false);
  }

  choose = async id => {
    this.chosen = id;
    this.#record = null;
    if (id.startsWith('record:')) {
      const { record, classes } = (await this.#http.get(`/v1/records/${id.slice('record:'.length)}/assembled`)).body;
      if (this.chosen !== id) return;
      this.#record = recordToWire({ ...record, classes });
    }
    this.#changed();
  };

  /** Chooses the example with this name, which may be a label. */
  chooseExample(name) {
    const item = this.#review.last?.outline.find(({ sort, name: own, label: labels }) => sort === 'example'
      && (labels?.en ?? own) === name);
    if (item) this.choose(`example:${item.name}`);
  }
}
