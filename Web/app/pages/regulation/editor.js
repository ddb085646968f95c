// The editor of a document of regulations: articles, the text, and its effect. Each part reads the editor's state; what
// belongs to one page only (saving, versions, a program) is in `home`.

import { h } from '../../core/page/dom.js';
import { t } from '../../core/text/i18n.js';
import { Form } from '../../parts/frame/form.js';
import { icon } from '../../parts/frame/icons.js';
import { mayPass } from '../../parts/frame/problem.js';
import { saveFile } from '../../parts/frame/download.js';
import { segments } from '../../parts/frame/segments.js';
import { articleList } from './articles.js';
import { Comparison } from './comparison.js';
import { explanation } from './explanation.js';
import { faultList } from './faultList.js';
import { Paper } from './paper.js';
import { resultId, resultView } from './result.js';
import { Review, pauseAfter } from './review.js';
import { Samples } from './samples.js';
import { Sheet } from './sheet.js';
import { valuesView } from './values.js';

// How long typing must pause before the text is kept, in milliseconds.
const PAUSE = 150;

export class Editor {
  app;
  review;
  samples;
  generation = 0;
  #home;
  #paper;
  #settings;
  #pane = 'text';
  #side = 'result';
  #caret = 0;
  #point = null;
  #pointed = null;
  #timer = null;
  #before = { key: null, standing: null, problem: null };
  #again = null;
  #values = null;
  #comparison = null;
  #sheet = null;

  /** `start` is `{text, settings}`. `home` is the page around the editor: `keep(state)` is called when typing pauses,
   *  `inForce()` returns the configuration in force, or null, and `texts()` the texts to compare with. */
  constructor(app, start, home) {
    this.app = app;
    this.#home = home;
    this.#settings = start.settings;
    this.#paper = new Paper(start.text, {
      onInput: () => this.#typed(),
      onCaret: place => this.#at(place),
      onPoint: place => this.#over(place),
      onKey: event => this.#key(event),
    });
    this.review = new Review(app.http,
      () => ({ text: this.text, settings: this.#settings, record: this.samples.question }), () => this.#answered());
    this.samples = new Samples(this.review, app.http, () => this.review.ask());
  }

  get text() {
    return this.#paper.text;
  }

  get settings() {
    return this.#settings;
  }

  get state() {
    return { text: this.text, settings: this.#settings };
  }

  /** The standing of the sample under the version in force; null if there is none. */
  get before() {
    return this.#before.standing;
  }

  /** Why that standing is not there yet, or null. */
  get beforeProblem() {
    return this.#before.problem;
  }

  /** The declaration whose name is under the pointer, or else at the caret. */
  get explained() {
    return this.#pointed ?? this.review.meaningAt(this.#caret);
  }

  /** Whether the caret is in a range. */
  isAt({ start, end }) {
    return start <= this.#caret && this.#caret <= end;
  }

  begin() {
    return this.review.ask();
  }

  close() {
    clearTimeout(this.#timer);
    clearTimeout(this.#again);
    this.review.close();
    this.#home.keep(this.state);
  }

  view(bar) {
    const { redraw } = this.app;
    requestAnimationFrame(() => this.#colour());
    const pane = next => {
      this.#pane = next;
      redraw();
    };
    const side = next => {
      this.#side = next;
      redraw();
    };
    return h('div', { class: 'regulation', 'data-pane': this.#pane, key: 'regulation' },
      h('div', { class: 'panes' },
        segments(t('regulation.panes'), ['articles', 'text', 'side'].map(id => [id, t(`regulation.pane.${id}`)]),
          this.#pane, pane)),
      h('nav', { class: 'card articles', 'aria-label': t('regulation.pane.articles') },
        h('h2', null, t('regulation.pane.articles')),
        articleList(this)),
      h('section', { class: 'card document', 'aria-label': t('regulation.text') },
        h('div', { class: 'tools' },
          bar,
          h('button', { type: 'button', class: 'button quiet small', onclick: () => this.#compare() },
            icon('history'),
            t('regulation.compare')),
          h('button', {
            type: 'button', class: 'button quiet small',
            onclick: () => saveFile('regulations.md', 'text/markdown', this.text),
          }, icon('download'), t('regulation.download'))),
        this.#paper.view(),
        h('p', { class: 'hint', id: 'regulation-keys' }, t('regulation.keys')),
        explanation(this),
        faultList(this)),
      h('aside', { class: 'card example side', 'aria-label': t('regulation.pane.side') },
        segments(t('regulation.pane.side'), ['result', 'values'].map(id => [id, t(`regulation.side.${id}`)]),
          this.#side, side),
        this.#side === 'result' ? resultView(this) : valuesView(this)),
      this.#comparison?.view(),
      this.#sheet?.view());
  }

  // MARK: the text

  /** Replaces the text and the settings. */
  put({ text, settings }) {
    this.#settings = settings;
    this.#renewSettings();
    this.#paper.set(text);
    this.#typed();
  }

  /** Replaces a part of the text. */
  replace(start, end, text) {
    this.#paper.replace(start, end, text);
    this.#typed();
  }

  /** Replaces a range of the last answer, unless it was edited since. Waits until the focus, which may be moving from
   *  one input to the next, has arrived, because the text takes it for a moment. */
  write(range, text) {
    requestAnimationFrame(() => {
      const now = this.review.currentRange(range);
      if (now) this.replace(now.start, now.end, text);
    });
  }

  /** Applies the fix of a fault. */
  mend({ fix }) {
    this.replace(fix.start, fix.end, fix.replacement);
    this.#caret = fix.start + fix.replacement.length;
    if (this.#pane === 'text') this.#paper.select(this.#caret);
  }

  /** Shows a place of the text. */
  go(start, end = start) {
    this.#pane = 'text';
    this.app.redraw();
    if (this.#paper.isVisible) this.#paper.select(start, end);
    else requestAnimationFrame(() => requestAnimationFrame(() => this.#paper.select(start, end)));
  }

  /** Shows a line, counted from 1. */
  goToLine(line) {
    const lines = this.text.split('\n').slice(0, line - 1);
    const start = lines.reduce((sum, one) => sum + one.length + 1, 0);
    this.go(start, start + (this.text.split('\n')[line - 1]?.length ?? 0));
  }

  /** Shows the formula of a figure, or the name of another declaration. */
  goToDeclaration(item) {
    const range = this.review.currentRange(item.formula ?? item) ?? this.review.currentRange(item);
    if (range) this.go(range.start, range.end);
  }

  /** Shows the line of the result that a declaration produces. */
  showResult(item) {
    this.#pane = 'side';
    this.#side = 'result';
    this.app.redraw();
    requestAnimationFrame(() => requestAnimationFrame(() => {
      const line = document.querySelector(`[data-result="${CSS.escape(resultId(item))}"] button`);
      line?.focus();
      line?.scrollIntoView({ block: 'nearest' });
    }));
  }

  chooseExample(name) {
    this.samples.chooseExample(name);
  }

  #colour() {
    this.#paper.colour(this.review.marks(), this.review.faults());
  }

  // The letters of the text area are transparent, so typed text must be drawn at once.
  #typed() {
    this.#colour();
    this.#pointed = null;
    this.review.wake();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#home.keep(this.state), PAUSE);
    this.app.redraw();
  }

  #at(place) {
    if (place === this.#caret) return;
    this.#caret = place;
    this.#pointed = null;
    this.app.redraw();
  }

  #over(place) {
    if (place === this.#point) return;
    this.#point = place;
    const item = place === null ? null : this.review.meaningAt(place);
    // The explanation stays when the pointer leaves the word, so that the pointer can move to it.
    if (!item || item === this.#pointed) return;
    this.#pointed = item;
    this.app.redraw();
  }

  #key(event) {
    if (event.isComposing) return;
    const faults = this.review.faults();
    if (event.key === 'F8' && faults.length > 0) {
      event.preventDefault();
      const next = event.shiftKey
        ? faults.findLast(fault => fault.end < this.#caret) ?? faults.at(-1)
        : faults.find(fault => fault.start > this.#caret) ?? faults[0];
      this.go(next.start, next.end);
    } else if (event.key === 'Enter' && event.altKey) {
      const fault = faults.find(item => item.fix && this.isAt(item));
      if (!fault) return;
      event.preventDefault();
      this.mend(fault);
    } else if (event.key === 'F12' || (event.key === 'Enter' && (event.ctrlKey || event.metaKey))) {
      const item = this.review.meaningAt(this.#caret);
      if (!item) return;
      event.preventDefault();
      if (this.isAt(item) && item.sort === 'figure') this.showResult(item);
      else this.goToDeclaration(item);
    } else if (event.key === 's' && (event.ctrlKey || event.metaKey) && this.#home.save) {
      event.preventDefault();
      this.#home.save();
    }
  }

  // MARK: the answer

  #answered() {
    if (this.samples.settle()) this.review.ask();
    this.#judgeBefore();
    this.app.redraw();
  }

  // Judges the sample under the version in force, again whenever the sample has changed.
  async #judgeBefore() {
    const inForce = this.#home.inForce();
    const record = this.review.last?.record;
    if (!inForce || !record) return;
    const { fields, entries } = record;
    const key = JSON.stringify([inForce, fields, entries]);
    if (key === this.#before.key) return;
    clearTimeout(this.#again);
    this.#before = { key, standing: null, problem: null };
    const body = { scheme: 'regulations', configuration: inForce, entries, ...fields && { fields } };
    const found = await this.app.http.post('/v1/evaluate', body).then(
      answer => ({ key, standing: answer.body, problem: null }),
      problem => ({ key, standing: null, problem: mayPass(problem) ? problem : null }));
    if (key !== this.#before.key) return;
    this.#before = found;
    // There were too many requests, or the network is gone: ask again later.
    if (found.problem) {
      this.#again = setTimeout(() => {
        this.#before = { ...found, key: null };
        this.#judgeBefore();
      }, pauseAfter(found.problem));
    }
    this.app.redraw();
  }

  // MARK: settings

  /** The form of the program's settings: the values that it changes, beginning with the document's `defaults`. */
  settingsForm(defaults) {
    const key = JSON.stringify(defaults);
    if (this.#values?.key !== key) {
      this.#values = {
        key, defaults, holder: { ...defaults, ...this.#settings }, form: new Form(this.app.redraw, () => {}),
      };
      this.generation += 1;
    }
    return this.#values;
  }

  /** Takes the values of the form; values equal to the document's own are not set. */
  takeSettings = () => {
    const { defaults, holder } = this.#values;
    this.#settings = Object.fromEntries(Object.entries(holder).filter(([name, value]) =>
      String(value) !== String(defaults[name])));
    this.#typed();
  };

  /** Sets the values of a preset. */
  setSettings(settings) {
    const { defaults } = this.#values;
    this.#settings = Object.fromEntries(Object.entries(settings).filter(([name, value]) =>
      String(value) !== String(defaults[name])));
    this.#renewSettings();
    this.#typed();
  }

  #renewSettings() {
    this.#values = null;
  }

  // MARK: tables

  /** Opens the dialog that replaces a table with a sheet. */
  fillTable(declaration) {
    this.#sheet = new Sheet(this, declaration, () => {
      this.#sheet = null;
      this.app.redraw();
    });
    this.app.redraw();
  }

  // MARK: versions

  async #compare() {
    const texts = [{ id: 'now', name: t('regulation.now'), text: this.text }, ...await this.#home.texts()];
    this.#comparison = new Comparison(texts, [texts[1]?.id ?? 'now', 'now'], {
      redraw: this.app.redraw,
      close: () => {
        this.#comparison = null;
        this.app.redraw();
      },
    });
    this.app.redraw();
  }
}
