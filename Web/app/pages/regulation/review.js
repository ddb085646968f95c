// The server's answer about the text, requested again once typing pauses: words, faults, declarations, examples, laws,
// and what the rules make of a sample record.

import { label } from '../../core/text/i18n.js';
import { changeOf, moved, placesOf } from './source.js';

// How long typing must pause, in milliseconds, before the text is checked, and before the laws are tried too, which
// takes longer.
const PAUSE = 150;
const PAUSE_FOR_LAWS = 2500;
// How long to wait if the server was not reached, in milliseconds.
const REST = 5000;

/** How long to wait after a request without an answer, in milliseconds. */
export const pauseAfter = error => (error.status === 429 ? Math.max(1, error.retryAfter) * 1000 : REST);

export class Review {
  /** The last answer, about the text that was current then; null before the first answer. */
  last = null;
  /** The problem of the last request; null once one was answered. */
  problem = null;
  #http;
  #question;
  #changed;
  #timer = null;
  #asked = 0;

  /** `question()` returns `{text, settings, record}`; `changed()` is called after every answer. */
  constructor(http, question, changed) {
    this.#http = http;
    this.#question = question;
    this.#changed = changed;
  }

  /** Whether the current text has been checked. */
  get isCurrent() {
    return this.last?.text === this.#question().text;
  }

  /** Checks the text once typing pauses. */
  wake(after = PAUSE, laws = false) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.ask(laws), after);
  }

  close() {
    clearTimeout(this.#timer);
    this.#asked += 1;
  }

  /** Checks the text now. */
  async ask(laws = false) {
    clearTimeout(this.#timer);
    const asked = (this.#asked += 1);
    const { text, settings, record } = this.#question();
    try {
      const { body } = await this.#http.post('/v1/regulations/check', {
        document: text, settings, laws, annotations: true, ...record && { record },
      });
      if (asked !== this.#asked) return;
      this.problem = null;
      this.#take(understood(text, body));
    } catch (error) {
      if (asked !== this.#asked) return;
      this.problem = error;
      // There were too many requests, or the network is gone: ask again later.
      this.wake(pauseAfter(error), laws);
    }
    this.#changed();
  }

  #take(next) {
    const before = this.last;
    // Results of an older text are shown until there are results of the new one.
    if (next.hasErrors && before) {
      Object.assign(next, { record: before.record, examples: before.examples, isStale: true });
    }
    if (!next.laws && before && before.text === next.text) {
      Object.assign(next, { laws: before.laws, lawsTried: before.lawsTried, classes: before.classes });
    }
    this.last = next;
    if (!next.hasErrors && !next.laws) this.wake(PAUSE_FOR_LAWS, true);
  }

  /** The places of ranges of the checked text in the current text; ranges that were edited since are left out. */
  current(ranges) {
    if (!this.last) return [];
    const { text } = this.#question();
    return text === this.last.text ? ranges : moved(ranges, this.#change(text));
  }

  /** The same for one range; null if it was edited. */
  currentRange(range) {
    return this.current([range])[0] ?? null;
  }

  #memory = { from: null, to: null, change: null };

  #change(text) {
    const { from, to } = this.#memory;
    if (from !== this.last.text || to !== text) {
      this.#memory = { from: this.last.text, to: text, change: changeOf(this.last.text, text) };
    }
    return this.#memory.change;
  }

  /** The coloured words of the current text. In text typed since the last answer, only keywords are coloured. */
  marks() {
    if (!this.last) return [];
    const { text } = this.#question();
    const marks = this.current(this.last.marks);
    if (text === this.last.text) return marks;
    const { start, end, by } = this.#change(text);
    const from = text.lastIndexOf('\n', start - 1) + 1;
    const to = text.indexOf('\n', end + by);
    return [...marks,
      ...this.#keywords(text, from, to < 0 ? text.length : to, marks)].sort((one, other) => one.start - other.start);
  }

  #keywords(text, from, to, marks) {
    const fences = marks.filter(mark => mark.sort === 'fence' && mark.start < from).length;
    if (fences % 2 === 0) return [];
    const taken = marks.filter(mark => mark.end > from && mark.start < to);
    return [...text.slice(from, to).matchAll(/[A-Za-z_]\w*/g)]
      .map(({ 0: word, index }) => ({ start: from + index, end: from + index + word.length, sort: 'keyword', word }))
      .filter(({ start, end, word }) => this.last.keywords.has(word)
        && !taken.some(mark => mark.start < end && mark.end > start));
  }

  /** The faults in parts of the text that have not changed, in text order, each with its fix if that is in an unchanged
   *  part, too. */
  faults() {
    if (!this.last) return [];
    return this.current(this.last.faults).map(fault => ({ ...fault, fix: fault.fix && this.currentRange(fault.fix) }));
  }

  /** The declarations, with the ranges of their names. */
  declarations() {
    return this.last ? this.current(this.last.outline) : [];
  }

  /** The declaration to which the name at a place refers, or whose own name is there; null if there is none. */
  meaningAt(place) {
    if (!this.last) return null;
    const isThere = ({ start, end }) => start <= place && place <= end;
    const mention = this.current(this.last.mentions).find(isThere);
    if (mention) return this.last.outline.find(item => item.origin === mention.of) ?? null;
    const own = this.declarations().find(isThere);
    if (own) return own;
    const word = this.current(this.last.marks).find(mark => mark.sort === 'name' && isThere(mark));
    const found = word
      ? this.last.outline.filter(item => item.name === this.#question().text.slice(word.start, word.end))
      : [];
    return found.length === 1 ? found[0] : null;
  }
}

// Converts the answer to places in the text.
function understood(text, body) {
  const place = placesOf(text);
  const range = ([start, end]) => ({ start: place(start), end: place(end) });
  const { words, mentions, values, readings, configuration } = body.annotations;
  const inWords = new Map(readings.map(({ of, text: sentence }) => [of, sentence]));
  const marks = Object.entries(words).flatMap(([sort, list]) => inPairs(list).map(pair => ({ ...range(pair), sort })))
    .sort((one, other) => one.start - other.start);
  const outline = body.outline.map(item =>
    ({
      ...item, ...range(item.range), origin: item.range[0], formula: item.formula && range(item.formula),
      words: inWords.get(item.range[0]),
    }));
  return {
    text,
    marks,
    outline,
    keywords: new Set(marks.filter(mark => mark.sort === 'keyword').map(({ start, end }) => text.slice(start, end))),
    mentions: inThrees(mentions).map(([start, end, of]) => ({ ...range([start, end]), of })),
    values: values.flatMap(({ of, rows }) => {
      const declaration = outline.find(item => item.origin === of);
      return declaration ? [{ declaration, rows: rows.map(row => inPairs(row).map(range)) }] : [];
    }),
    configuration,
    faults: body.faults.map(({ code, message, range: where, warning, fix }) => ({
      code, message, ...range(where), isWarning: warning === true,
      fix: fix ? { ...range(fix.range), replacement: fix.replacement } : null,
    })),
    settingFaults: body.settingFaults,
    hasErrors: body.faults.some(fault => !fault.warning),
    examples: body.examples,
    laws: body.laws,
    lawsTried: body.lawsTried,
    classes: body.classes,
    record: body.record,
    isStale: false,
  };
}

const inPairs = list => Array.from({ length: list.length / 2 }, (_, index) => [list[2 * index], list[2 * index + 1]]);
const inThrees = list => Array.from({ length: list.length / 3 }, (_, index) => list.slice(3 * index, 3 * index + 3));

/** The words of a fault, in the language of the page. */
export const faultWords = fault => label(fault.message);
