// A class to try: results are typed as in a sheet, and weights are tried before they are applied. Its students are
// invented, and all that is entered stays in this tab.

import { clamped, h } from '../core/page/dom.js';
import { t, toInput } from '../core/text/i18n.js';
import { ambiguity, fromInput } from '../core/text/numbers.js';
import { percent } from '../core/text/wording.js';
import { Problem } from '../core/net/http.js';
import { CalculatorBook } from '../core/data/book.js';
import { SCHEME_TO_TRY } from '../parts/record/beginning.js';
import { bars } from '../parts/program/distribution.js';
import { Desk } from '../parts/record/desk.js';
import { figureButton } from '../parts/record/figure.js';
import { icon } from '../parts/frame/icons.js';
import { mayPass, problemText } from '../parts/frame/problem.js';
import { slider } from '../parts/frame/slider.js';

const COLUMNS = [['assignments', 20, 30], ['quizzes', 50, 30], ['exams', 100, 40]];
const STUDENTS = [
  ['Amina', 19, 46, 88], ['Bruno', 17, 39, 71], ['Chen', 20, 44, 96], ['Dana', 12, 41, 78], ['Elif', 16, 31, 84],
  ['Farid', 14, 28, null],
];
const STEP = 5;
// The changes that make the class.
const CLASS = STUDENTS.map(([title, ...scores]) => ({
  op: 'add', kind: 'course', fields: { title, quarter: 1, year: 2026, credits: 1 },
  children: COLUMNS.map(([category, max, weight], index) => ({
    kind: 'category', fields: { category, weight },
    children: [{ kind: 'item', fields: { title: category, score: scores[index], max } }],
  })),
}));

export async function open(app) {
  const page = new ClassToTry(app, await app.catalogue.scheme(SCHEME_TO_TRY));
  await page.start();
  return { wide: true, title: () => t('tryClass.title'), view: () => page.view() };
}

class ClassToTry {
  #app;
  #book;
  #desk;
  // The weights that are tried, by category; null if there are none.
  #tried = null;
  // Why these weights could not be tried; null if they could.
  #trouble = null;
  // The slider that was moved last.
  #slider = null;
  // By the entry of a result: what its cell has while somebody types, what is on its way, and what was refused.
  #typed = new Map();
  #sent = new Map();
  #refused = new Map();
  // One request after the other: each rests on what the one before it made.
  #turn = Promise.resolve();
  #isToTry = false;
  #isApplying = false;

  constructor(app, scheme) {
    this.#app = app;
    this.#book = new CalculatorBook(app, scheme, { preset: 'default' }, 'class');
    this.#desk = new Desk(app, this.#book, scheme);
  }

  async start() {
    await this.#book.start();
    if (this.#book.isEmpty) await this.#book.apply(CLASS);
  }

  get #students() {
    return this.#book.record.entries;
  }

  /** The weights that count. */
  get #own() {
    return weightsOf(this.#students[0]);
  }

  get #weights() {
    return this.#tried ?? this.#own;
  }

  /** Whether the figures on the page are those of the weights on the page. */
  get #isCurrent() {
    return this.#tried === null || this.#book.previewed?.weights === this.#tried;
  }

  view() {
    const { account, path } = this.#app.store.state;
    return h('div', { class: 'class-to-try' },
      h('div', { class: 'page-head' },
        h('a', { class: 'round', href: '/explore', 'aria-label': t('action.back') }, icon('back')),
        h('h1', { tabindex: '-1' }, clamped(t('tryClass.title'))),
        h('button', { class: 'button quiet small', type: 'button', onclick: () => this.#begin() },
          t('tryClass.again'))),
      h('div', { class: 'banner guest', role: 'note' },
        h('p', { class: 'grow' }, t('tryClass.text')),
        !account && h('a', { class: 'button quiet', href: `/sign-up?next=${encodeURIComponent(path)}` },
          t('signUp.action'))),
      h('div', { class: 'card scroll' }, this.#table()),
      h('div', { role: 'alert' }, [...this.#refused].map(([id, refused]) => this.#refusal(id, refused))),
      this.#tried && this.#moves(),
      h('section', { class: 'card' },
        h('h2', null, t('tryClass.letters')),
        bars(t('tryClass.letters'), this.#desk.configuration.bands.map(({ label: name }) => (
          {
            name, count: this.#students.filter(student => this.#letter(this.#book.standing, student) === name).length,
          })))),
      this.#desk.sheet?.view());
  }

  #table() {
    return h('table', { 'aria-busy': this.#isCurrent ? null : 'true' },
      h('caption', { class: 'visually-hidden' }, t('tryClass.title')),
      h('thead', null, h('tr', null,
        h('th', { scope: 'col' }, t('tryClass.student')),
        COLUMNS.map(([category, max]) => h('th', { key: category, scope: 'col' }, this.#head(category, max))),
        h('th', { scope: 'col' }, t('tryClass.grade')),
        h('th', { scope: 'col' }, t('tryClass.letter')))),
      h('tbody', null, this.#students.map((student, row) => h('tr', { key: student.id },
        h('th', { scope: 'row' }, student.fields.title),
        student.children.map(category => h('td', { key: category.id }, this.#cell(student, category, row))),
        h('td', null, figureButton(this.#desk, 'grade', student, `${student.fields.title} – ${t('tryClass.grade')}`)),
        h('td', null, this.#letterOf(student))))));
  }

  #nameOf = category => this.#desk.choiceLabel('category', 'category', category);

  #head(category, max) {
    const name = this.#nameOf(category);
    const weight = this.#weights[category];
    return [
      h('span', { class: 'of' }, name, ' ', h('span', { class: 'muted' }, `/ ${max}`)),
      h('label', null,
        slider({
          min: 0, max: 100, step: STEP, value: weight, 'aria-label': t('tryClass.weight', { name }),
          'aria-valuetext': percent(weight),
          oninput: ({ target }) => this.#try(category, target),
        }),
        h('span', { 'data-tried': weight === this.#own[category] ? null : '' }, percent(weight))),
    ];
  }

  #cell({ fields: { title: student } }, { fields: { category }, children: [item] }, row) {
    const { id, fields } = item;
    const refused = this.#refused.get(id);
    return h('input', {
      type: 'text', inputmode: 'decimal', autocomplete: 'off', maxlength: 30,
      value: this.#typed.get(id) ?? refused?.typed ?? toInput(fields.score),
      'aria-label': t('tryClass.cell', { student, name: this.#nameOf(category), max: Number(fields.max) }),
      'aria-invalid': refused ? 'true' : null, 'aria-describedby': refused ? `refused-${id}` : null,
      oninput: ({ target }) => this.#typed.set(id, target.value),
      onblur: () => this.#leave(item, { student, category }),
      onkeydown: event => step(event, row),
    });
  }

  // What a cell has is entered if it is not what was entered last.
  #leave({ id, fields }, about) {
    const typed = this.#typed.get(id);
    if (typed === undefined) return;
    const last = this.#sent.get(id) ?? this.#refused.get(id)?.typed ?? toInput(fields.score);
    if (typed === last) this.#typed.delete(id);
    else this.#enter(id, typed, about);
  }

  #enter(id, typed, about) {
    const fault = ambiguity(typed);
    if (fault) {
      this.#refuse(id, {
        ...about, typed, error: new Problem(422, { code: 'ambiguous_number', faults: [{ message: fault }] }),
      });
      return this.#app.redraw();
    }
    this.#sent.set(id, typed);
    return this.#then(async () => {
      try {
        await this.#book.apply([{
          op: 'patch', entry: id, fields: { score: typed.trim() === '' ? null : fromInput(typed) },
        }]);
        this.#refused.delete(id);
        this.#settle(id, typed);
      } catch (error) {
        this.#refuse(id, { ...about, typed, error });
      }
      if (this.#tried) await this.#rehearse();
    });
  }

  #refuse(id, refused) {
    this.#refused.set(id, refused);
    this.#settle(id, refused.typed);
  }

  // Somebody may have typed something else meanwhile.
  #settle(id, typed) {
    for (const texts of [this.#typed, this.#sent]) if (texts.get(id) === typed) texts.delete(id);
  }

  #refusal(id, { student, category, typed, error }) {
    return h('p', { key: id, class: 'alert', id: `refused-${id}` },
      t('outcome.is', { name: t('tryClass.of', { student, name: this.#nameOf(category) }), state: problemText(error) }),
      ' ',
      mayPass(error) && h('button', {
        class: 'link', type: 'button', onclick: () => this.#enter(id, typed, { student, category }),
      }, t('action.retry')));
  }

  #letterOf(student) {
    const [before, now] = [this.#book.saved, this.#book.standing].map(standing => this.#letter(standing, student));
    const letter = h('strong', { class: 'letter' }, now ?? '–');
    return before === now ? letter : [h('del', null, before ?? '–'), ' ', letter];
  }

  #letter = (standing, { id }) => standing.entries[id]?.letter ?? null;

  // Whose letter the weights that are tried would move, and what to do about it.
  #moves() {
    return h('section', { class: 'card moves' },
      this.#trouble
        ? h('p', { class: 'alert', role: 'alert' },
          problemText(this.#trouble),
          ' ',
          h('button', { class: 'link', type: 'button', onclick: () => this.#then(() => this.#rehearse()) },
            t('action.retry')))
        : h('div', { role: 'status' },
          this.#isCurrent ? this.#moved() : h('p', { class: 'muted' }, t('tryClass.calculating'))),
      h('div', { class: 'actions' },
        h('button', { class: 'button', type: 'button', onclick: () => this.#apply() }, t('tryClass.apply')),
        h('button', { class: 'button quiet', type: 'button', onclick: () => this.#discard() }, t('tryClass.discard'))));
  }

  #moved() {
    const { saved, standing } = this.#book;
    const moved = this.#students.filter(student => this.#letter(saved, student) !== this.#letter(standing, student));
    return [
      h('p', { key: 'count' }, moved.length === 0 ? t('tryClass.none') : t('tryClass.moves', { count: moved.length })),
      h('ul', { key: 'moves' }, moved.map(student => h('li', { key: student.id }, t('tryClass.move', {
        name: student.fields.title, before: this.#letter(saved, student) ?? '–',
        after: this.#letter(standing, student) ?? '–',
      })))),
    ];
  }

  // While a request is running, the next one waits; it is then sent with the newest weights.
  #try(category, slider) {
    this.#slider = slider;
    const weights = { ...this.#weights, [category]: slider.value };
    if (COLUMNS.every(([name]) => weights[name] === this.#own[name])) return this.#drop();
    this.#tried = weights;
    this.#trouble = null;
    this.#app.redraw();
    if (this.#isToTry) return null;
    this.#isToTry = true;
    return this.#then(() => {
      this.#isToTry = false;
      return this.#rehearse();
    });
  }

  async #rehearse() {
    const weights = this.#tried;
    if (!weights) return;
    const ops = weighed(this.#students, weights);
    try {
      const standing = await this.#book.preview(ops);
      // They may have been discarded meanwhile.
      this.#book.previewed = this.#tried ? { standing, ops, weights } : null;
      this.#trouble = null;
    } catch (error) {
      this.#book.previewed = null;
      this.#trouble = this.#tried === weights ? error : null;
    }
  }

  #drop() {
    this.#tried = null;
    this.#trouble = null;
    this.#book.previewed = null;
    this.#app.redraw();
  }

  // The button that was pressed is gone afterwards.
  #discard() {
    this.#drop();
    this.#slider?.focus();
  }

  #apply() {
    if (this.#isApplying) return;
    this.#isApplying = true;
    const after = this.#tried;
    this.#then(async () => {
      this.#isApplying = false;
      const before = this.#own;
      await this.#book.apply(weighed(this.#students, after));
      this.#app.say(t('tryClass.applied'), 'good', () => this.#then(async () => {
        await this.#book.apply(weighed(this.#students, before));
        await this.#rehearse();
      }));
      if (this.#tried === after) this.#discard();
      else await this.#rehearse();
    });
  }

  #begin() {
    this.#then(async () => {
      const before = this.#students;
      await this.#replace(CLASS);
      for (const texts of [this.#typed, this.#sent, this.#refused]) texts.clear();
      this.#drop();
      this.#app.say(t('tryClass.begun'), 'info', () => this.#then(() => this.#replace(before.map(again))));
    });
  }

  // In one step: the page is never without students.
  #replace = ops => this.#book.apply([...this.#students.map(({ id }) => ({ op: 'delete', entry: id })), ...ops]);

  #then(act) {
    this.#turn = this.#turn.then(act).catch(error => this.#app.say(problemText(error), 'bad')).then(this.#app.redraw);
    return this.#turn;
  }
}

// The change that adds a deleted entry again.
const again = ({ id, kind, fields, children = [] }) =>
  ({ op: 'add', ref: id, kind, fields, children: children.map(again) });

const weightsOf = student =>
  Object.fromEntries(student.children.map(({ fields: { category, weight } }) => [category, String(weight)]));

// The changes that give the categories of all students these weights.
const weighed = (students, weights) =>
  students.flatMap(({ children }) => children.map(({ id, fields: { category } }) => (
    { op: 'patch', entry: id, fields: { weight: weights[category] } })));

// Enter and the arrow keys lead to the next student, as in a sheet.
function step(event, row) {
  const way = { Enter: event.shiftKey ? -1 : 1, ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!way || event.isComposing) return;
  event.preventDefault();
  const cell = event.target.closest('td');
  const next = cell.closest('tbody').rows[row + way]?.cells[cell.cellIndex].querySelector('input');
  // Leaving the field enters what was typed.
  if (next) {
    next.focus();
    next.select();
  } else {
    event.target.blur();
    event.target.focus();
  }
}
