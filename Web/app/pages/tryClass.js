// A class to try: results are typed as in a sheet, and weights are tried before they are applied. Its students are
// invented, and all that is entered stays on this page.

import { clamped, h } from '../core/page/dom.js';
import { label, t, toInput } from '../core/text/i18n.js';
import { fromInput } from '../core/text/numbers.js';
import { percent } from '../core/text/wording.js';
import { CalculatorBook } from '../core/data/book.js';
import { SCHEME_TO_TRY } from '../parts/record/beginning.js';
import { bars } from '../parts/program/distribution.js';
import { Desk } from '../parts/record/desk.js';
import { figureButton } from '../parts/record/figure.js';
import { icon } from '../parts/frame/icons.js';
import { problemText } from '../parts/frame/problem.js';
import { slider } from '../parts/frame/slider.js';

const COLUMNS = [['assignments', 20, 30], ['quizzes', 50, 30], ['exams', 100, 40]];
const STUDENTS = [
  ['Amina', 19, 46, 88], ['Bruno', 17, 39, 71], ['Chen', 20, 44, 96], ['Dana', 12, 41, 78], ['Elif', 16, 31, 84], ['Farid', 14, 28, null],
];
const STEP = 5;

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
  // What the server refused, by the entry: the text that was typed, and why.
  #refused = new Map();
  // One request after the other: each rests on what the one before it made.
  #turn = Promise.resolve();
  #isToTry = false;

  constructor(app, scheme) {
    this.#app = app;
    this.#book = new CalculatorBook(app, scheme, { preset: 'default' });
    this.#desk = new Desk(app, this.#book, scheme);
  }

  start = () => this.#book.apply(STUDENTS.map(([title, ...scores]) => ({
    op: 'add', kind: 'course', fields: { title, quarter: 1, year: 2026, credits: 1 },
    children: COLUMNS.map(([category, max, weight], index) => ({
      kind: 'category', fields: { category, weight }, children: [{ kind: 'item', fields: { title: category, score: scores[index], max } }],
    })),
  })));

  get #students() {
    return this.#book.record.entries;
  }

  get #weights() {
    return this.#tried ?? weightsOf(this.#students[0]);
  }

  view() {
    const { account, path } = this.#app.store.state;
    return h('div', { class: 'class-to-try' },
      h('div', { class: 'page-head' },
        h('a', { class: 'round', href: '/explore', 'aria-label': t('action.back') }, icon('back')),
        h('h1', { tabindex: '-1' }, clamped(t('tryClass.title')))),
      h('div', { class: 'banner guest', role: 'note' },
        h('p', { class: 'grow' }, t('tryClass.text')),
        !account && h('a', { class: 'button quiet', href: `/sign-up?next=${encodeURIComponent(path)}` }, t('signUp.action'))),
      h('div', { class: 'card scroll' }, this.#table()),
      h('div', { role: 'alert' }, [...this.#refused].map(([id, { of, text }]) => h('p', { key: id, class: 'alert' }, t('outcome.is', { name: of, state: text })))),
      this.#tried && this.#moves(),
      h('section', { class: 'card' },
        h('h2', null, t('tryClass.letters')),
        bars(t('tryClass.letters'), this.#desk.configuration.bands.map(({ label: name }) => (
          { name, count: this.#students.filter(student => this.#letter(this.#book.standing, student) === name).length })))),
      this.#desk.sheet?.view());
  }

  #table() {
    return h('table', null,
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

  #head(category, max) {
    const name = this.#desk.choiceLabel('category', 'category', category);
    const weight = this.#weights[category];
    return [
      h('span', { class: 'of' }, name, ' ', h('span', { class: 'muted' }, `/ ${max}`)),
      h('label', null,
        slider({ min: 0, max: 100, step: STEP, value: weight, 'aria-label': t('tryClass.weight', { name }), oninput: event => this.#try(category, event.target.value) }),
        h('span', { 'data-tried': this.#tried && weight !== weightsOf(this.#students[0])[category] ? '' : null }, percent(weight))),
    ];
  }

  #cell(student, { fields, children: [item] }, row) {
    const name = this.#desk.choiceLabel('category', 'category', fields.category);
    const refused = this.#refused.get(item.id);
    const shown = refused?.typed ?? toInput(item.fields.score);
    return h('input', {
      type: 'text', inputmode: 'decimal', autocomplete: 'off', maxlength: 30, value: shown,
      'aria-label': t('tryClass.cell', { student: student.fields.title, name, max: Number(item.fields.max) }),
      'aria-invalid': refused ? 'true' : null,
      // What was refused is sent again: the network may be back.
      onblur: ({ target }) => (refused || target.value !== shown) && this.#enter(item, target.value, `${student.fields.title}, ${name}`),
      onkeydown: event => step(event, row),
    });
  }

  #letterOf(student) {
    const [before, now] = [this.#book.saved, this.#book.standing].map(standing => this.#letter(standing, student));
    const letter = h('strong', { class: 'letter' }, now ?? '–');
    return before === now ? letter : [h('del', null, before ?? '–'), ' ', letter];
  }

  #letter = (standing, { id }) => standing.entries[id]?.letter ?? null;

  // Whose letter the weights that are tried would move, and what to do about it.
  #moves() {
    const { saved, standing } = this.#book;
    const moved = this.#students.filter(student => this.#letter(saved, student) !== this.#letter(standing, student));
    return h('section', { class: 'card moves' },
      h('div', { role: 'status' },
        h('p', null, moved.length === 0 ? t('tryClass.none') : t('tryClass.moves', { count: moved.length })),
        h('ul', null, moved.map(student => h('li', { key: student.id }, t('tryClass.move', {
          name: student.fields.title, before: this.#letter(saved, student) ?? '–', after: this.#letter(standing, student) ?? '–',
        }))))),
      h('div', { class: 'actions' },
        h('button', { class: 'button', type: 'button', onclick: () => this.#apply() }, t('tryClass.apply')),
        h('button', { class: 'button quiet', type: 'button', onclick: () => this.#drop() }, t('tryClass.discard'))));
  }

  #enter(item, typed, of) {
    const score = typed.trim() === '' ? null : fromInput(typed);
    this.#then(async () => {
      try {
        await this.#book.apply([{ op: 'patch', entry: item.id, fields: { score } }]);
        this.#refused.delete(item.id);
      } catch (error) {
        this.#refused.set(item.id, { of, typed, text: problemText(error) });
      }
      await this.#rehearse();
    });
  }

  // While a request is running, the next one waits; it is then sent with the newest weights.
  #try(category, weight) {
    this.#tried = { ...this.#weights, [category]: weight };
    this.#app.redraw();
    if (this.#isToTry) return;
    this.#isToTry = true;
    this.#then(() => {
      this.#isToTry = false;
      return this.#rehearse();
    });
  }

  async #rehearse() {
    const ops = this.#tried && weighed(this.#students, this.#tried);
    const standing = ops && await this.#book.preview(ops);
    // They may have been discarded meanwhile.
    this.#book.previewed = standing && this.#tried ? { standing, ops } : null;
  }

  #drop() {
    this.#tried = null;
    this.#book.previewed = null;
    this.#app.redraw();
  }

  #apply() {
    const [before, after] = [weightsOf(this.#students[0]), this.#tried];
    this.#then(async () => {
      await this.#book.apply(weighed(this.#students, after));
      if (this.#tried === after) this.#drop();
      else await this.#rehearse();
      this.#app.say(t('tryClass.applied'), 'good', () => this.#then(() => this.#book.apply(weighed(this.#students, before))));
    });
  }

  #then(act) {
    this.#turn = this.#turn.then(act).catch(error => this.#app.say(problemText(error), 'bad')).then(this.#app.redraw);
    return this.#turn;
  }
}

const weightsOf = student => Object.fromEntries(student.children.map(({ fields: { category, weight } }) => [category, String(weight)]));

// The changes that give the categories of all students these weights.
const weighed = (students, weights) => students.flatMap(({ children }) => children.map(({ id, fields: { category } }) => (
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
