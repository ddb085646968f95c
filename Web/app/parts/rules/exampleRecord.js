// Shows how the rules judge one record, before and after the current changes. The server judges a copy and stores
// nothing.

import { h, named } from '../../core/page/dom.js';
import { t } from '../../core/text/i18n.js';
import { isolate } from '../../core/text/isolate.js';
import { outcomeText } from '../../core/text/outcomes.js';
import { kindOf } from '../../core/data/kinds.js';
import { recordToWire, walk } from '../../core/values/tree.js';
import { ownTitle, titleOf } from '../record/entryTitle.js';
import { figureText } from '../record/figure.js';
import { figureName, outcomeName } from '../record/figureNames.js';
import { valueIn } from '../../core/values/own.js';

const PAUSE = 200;

export class ExampleRecord {
  #desk;
  #people = [];
  #record = null;
  #before = null;
  #after = null;
  #isRefused = false;
  #wanted = null;
  #timer = null;
  #asked = 0;
  // The latest choice counts, even if its answers are not the last to arrive.
  #turn = 0;

  constructor(desk) {
    this.#desk = desk;
  }

  /** Takes the first record of the program, or else the initial one of the scheme's form. */
  async load() {
    const { app, id, oversees } = this.#desk;
    if (oversees) this.#people = (await app.http.get(`/v1/records?program=${id}&limit=50`)).body.items;
    if (this.#people.length > 0) return this.#choose(this.#people[0].id);
    const { defaults } = this.#desk.scheme.configuration;
    const offered = Object.values(defaults).find(value => value?.kind && kindOf(this.#desk.scheme, value.kind));
    if (offered) await this.#take({ id: null, fields: {}, entries: [offered] });
  }

  /** Judges the example by `configuration`, once typing pauses. */
  show(configuration) {
    if (!this.#record || !configuration) return;
    this.#wanted = structuredClone(configuration);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#judge(), PAUSE);
  }

  view() {
    if (!this.#record) return null;
    return h('aside', { class: 'card example', 'aria-label': t('example.title') },
      h('h2', null, t('example.title')),
      this.#people.length > 0 && h('select', {
        'aria-label': t('example.whose'), onchange: event => this.#choose(event.target.value),
      },
        this.#people.map(item =>
          h('option', { key: item.id, value: item.id, selected: item.id === this.#record.id },
            item.displayName ?? t('program.noStudent')))),
      this.#isRefused && h('p', { class: 'hint', role: 'status' }, t('example.refused')),
      this.#after && this.#table(),
      this.#desk.manages && h('p', { class: 'hint' }, t('example.hint')));
  }

  async #choose(id) {
    const turn = (this.#turn += 1);
    const { record, classes } = (await this.#desk.app.http.get(`/v1/records/${id}/assembled`)).body;
    if (turn === this.#turn) await this.#take({ ...record, classes });
  }

  async #take(record) {
    const turn = (this.#turn += 1);
    const { program, scheme } = this.#desk;
    const standing = await this.#ask(record, program.configuration ?? scheme.configuration.defaults).catch(() => null);
    if (turn !== this.#turn) return;
    // What was asked about another record no longer matters.
    this.#asked += 1;
    [this.#record, this.#before, this.#after, this.#isRefused] = [record, standing, standing, false];
    if (this.#wanted) await this.#judge();
    this.#desk.app.redraw();
  }

  async #judge() {
    const asked = (this.#asked += 1);
    try {
      const standing = await this.#ask(this.#record, this.#wanted);
      if (asked !== this.#asked) return;
      [this.#after, this.#isRefused] = [standing, false];
    } catch {
      if (asked !== this.#asked) return;
      this.#isRefused = true;
    }
    this.#desk.app.redraw();
  }

  async #ask(record, configuration) {
    const { app, scheme } = this.#desk;
    const body = { scheme: scheme.id, configuration, ...recordToWire(record) };
    return (await app.http.post('/v1/evaluate', body)).body;
  }

  #table() {
    const rows = [...this.#figures(), ...this.#outcomes(), ...this.#entries()];
    // What is inside entries is of interest where it changes: a record can have hundreds of such figures.
    const isFolded = row => row.isInside && row.before === row.after;
    const folded = rows.filter(isFolded);
    return [
      this.#rows('shown', rows.filter(row => !isFolded(row))),
      folded.length > 0 && h('details', { key: 'folded' },
        h('summary', null, t('example.folded', { count: folded.length })), this.#rows('folded', folded)),
    ];
  }

  #rows(key, rows) {
    const { manages } = this.#desk;
    return h('table', { key },
      h('thead', null,
        h('tr', null,
          h('th', { scope: 'col' }, t('change.what')),
          h('th', { scope: 'col' }, t('example.before')),
          manages && h('th', { scope: 'col' }, t('example.after')))),
      h('tbody', null,
        rows.map(({ key, name, before, after }) => h('tr', { key, class: before === after ? null : 'moved' },
          h('th', { scope: 'row' }, named(name)), h('td', null, before),
          manages && h('td', null, h(before === after ? 'span' : 'ins', null, after))))));
  }

  #figures() {
    return Object.keys(this.#after.figures).filter(name => !name.includes(':')).map(name => ({
      key: name, name: figureName(this.#desk.scheme, name), before: figureText(valueIn(this.#before?.figures, name)),
      after: figureText(valueIn(this.#after.figures, name)),
    }));
  }

  #outcomes() {
    const word = outcome => (outcome ? outcomeText(outcome, this.#desk.scheme) : '–');
    return Object.keys(this.#after.outcomes ?? {}).map(name => ({
      key: `outcome-${name}`, name: outcomeName(this.#desk.scheme, name),
      before: word(valueIn(this.#before?.outcomes, name)), after: word(valueIn(this.#after.outcomes, name)),
    }));
  }

  // Entries by their first figure, and each figure of what is inside them, such as the lines of a class. The server
  // names entries without an identifier by their order in the tree.
  #entries() {
    const paths = new Map();
    return [...walk(this.#record.entries)].flatMap(({ entry, parent }, index) => {
      const path = [...paths.get(parent) ?? [], this.#title(entry)];
      paths.set(entry, path);
      const id = entry.id ?? `entry-${index + 1}`;
      const [before, after] = [this.#before, this.#after].map(standing => valueIn(standing?.entries, id));
      if (!after) return [];
      if (!parent) return [{ key: id, name: path[0], before: judgement(before), after: judgement(after) }];
      return Object.entries(after.figures ?? {}).map(([name, figure]) => ({
        key: `${id}-${name}`, name: `${isolate(path.join(' › '))} – ${figureName(this.#desk.scheme, name, entry.kind)}`,
        before: figureText(valueIn(before?.figures, name)), after: figureText(figure), isInside: true,
      })).filter(row => row.before !== '–' || row.after !== '–');
    });
  }

  #title(entry) {
    const { scheme } = this.#desk;
    const number = entry.position ?? this.#record.entries.indexOf(entry) + 1;
    return ownTitle(entry, scheme) ?? t('entry.numbered', { kind: titleOf(entry, scheme), number });
  }
}

// Returns "88.06 B+", or the part of it that there is.
function judgement(entry) {
  if (!entry) return '–';
  const [figure] = Object.values(entry.figures ?? {});
  return [figureText(figure), entry.letter].filter(Boolean).join(' ');
}
