// A student's own row of a class: every line with its weight, whether results are shown, the result, and the total with
// its possible range, with what follows from them. Staff see the same as the student.

import { h, named } from '../core/page/dom.js';
import { delayText } from '../core/text/delays.js';
import { date, label, t, toInput } from '../core/text/i18n.js';
import { statusText } from '../core/text/statuses.js';
import { StoredBook } from '../core/data/book.js';
import { kindOf } from '../core/data/kinds.js';
import { find } from '../core/values/tree.js';
import { valueIn } from '../core/values/own.js';
import { begin, isEnded } from '../core/live/ended.js';
import { signInInvitation } from '../parts/account/invitation.js';
import { icon } from '../parts/frame/icons.js';
import { problemText } from '../parts/frame/problem.js';
import { schemeOf } from '../parts/program/programScheme.js';
import { Desk } from '../parts/record/desk.js';
import { fieldText } from '../parts/record/fieldText.js';
import { figureText } from '../parts/record/figure.js';
import { goalSheet } from '../parts/record/goal.js';
import { outcomePill } from '../parts/record/outcome.js';
import { titleOf } from '../parts/record/entryTitle.js';
import { endedCard } from './grid/endedCard.js';
import { commentText } from './grid/sheets/comments.js';
import { explained, totals } from './grid/studentPart.js';
import { open as missing } from './missing.js';

export async function open(app, { id, entry }) {
  if (!app.store.state.account) return signInInvitation(t('class.mine'));
  const path = `/v1/records/${encodeURIComponent(id)}`;
  const [{ body: held, place },
    { body: judged }] = await Promise.all([app.http.get(path), app.http.get(`${path}/program`)]);
  const link = find(held.record.entries, entry);
  if (!link?.class) return missing();
  const isOwn = judged.view !== 'full';
  const scheme = await schemeOf(app, judged.program);
  const topic = isOwn ? `record/${id}` : `record/${id}/staff`;
  app.documents.accept(topic, place, held);
  const desk = new Desk(app, new StoredBook(app, topic, scheme, judged.program, false), scheme, { staff: !isOwn });
  const page = new OwnRow(app, link, isOwn, desk, () => draw(page, desk, id, link));
  page.title = () => titleOf(link, scheme);
  await page.look();
  await page.follow();
  return page;
}

// Students follow their own row; staff follow the rows of the class, and read this one when it has changed.
class OwnRow {
  within = '/records';
  answer = null;
  /** Comments by line, and the address of the next page of them. */
  comments = { byLine: new Map(), next: null };
  #app;
  #class;
  #topic;
  #isOwn;
  #path;
  #enrolment;
  #desk;
  #draw;
  #turn = 0;
  #stop = () => {};

  /** `desk` is the desk of the record, which explains the figures. */
  constructor(app, link, isOwn, desk, draw) {
    this.#app = app;
    this.#isOwn = isOwn;
    this.#topic = isOwn ? `row/${link.enrolment}` : null;
    this.#class = link.class;
    this.#path = `/v1/classes/${link.class}/rows/${link.enrolment}`;
    this.#enrolment = link.enrolment;
    this.#desk = desk;
    this.#draw = draw;
  }

  view() {
    return isEnded(this.#app, this.#topic) ? endedCard() : this.#draw();
  }

  // If two reads overlap, the later one counts, whichever answer comes last.
  async look() {
    const turn = (this.#turn += 1);
    const { body } = await this.#app.http.get(this.#path);
    const hasComments = Object.values(body.lines).some(({ comments = 0 }) => comments > 0);
    const comments = hasComments
      ? await this.#read(`${this.#path}/comments?limit=100`, new Map())
      : { byLine: new Map(), next: null };
    if (turn !== this.#turn) return;
    this.answer = body;
    this.comments = comments;
    this.#desk.sheet?.refresh?.();
    this.#app.redraw();
  }

  async #read(path, byLine) {
    const { body, next } = await this.#app.http.get(path);
    for (const comment of body.items) byLine.set(comment.line, [...byLine.get(comment.line) ?? [], comment]);
    return { byLine, next };
  }

  /** Reads the next page of comments. */
  more = async () => {
    const turn = this.#turn;
    try {
      const comments = await this.#read(this.comments.next, new Map(this.comments.byLine));
      if (turn === this.#turn) this.comments = comments;
    } catch (error) {
      this.#app.say(problemText(error), 'bad');
    }
    this.#app.redraw();
  };

  async follow() {
    this.#topic ??= await this.#rows();
    begin(this.#app, this.#topic);
    const { live } = this.#app;
    this.#stop = this.#isOwn
      ? live.watch(this.#topic)
      : await live.collection(this.#topic, shown => shown?.changed.has(this.#enrolment) && this.#again());
  }

  // A grader of groups follows the group of the student.
  async #rows() {
    const { body } = await this.#app.http.get(`/v1/classes/${this.#class}`);
    const groups = body.class.staff.find(({ account }) => account === this.#app.store.state.account.id)?.groups ?? [];
    const group = groups.find(id => (this.answer.row?.groups ?? []).includes(id));
    return group ? `grid/${this.#class}/${group}` : `grid/${this.#class}`;
  }

  onDocument(topic) {
    if (topic === this.#topic) this.#again();
  }

  // If there is no answer, the previous state stays, and the next change triggers another reading.
  #again = () => this.look().catch(error => this.#app.say(problemText(error), 'bad'));

  close = () => this.#stop();
}

function draw(page, desk, record, link) {
  const { answer, comments, more } = page;
  const [root] = answer.part.entries;
  const { scheme } = desk;
  return h('div', { class: 'own-row' },
    h('div', { class: 'page-head' },
      h('a', { class: 'round', href: `/records/${record}`, 'aria-label': t('action.back') }, icon('back')),
      h('h1', { tabindex: '-1' }, named(titleOf(root ?? link, scheme))),
      h('div', { class: 'tools' },
        h('a', { class: 'tool', href: `/records/${record}?whatIf` }, icon('flask'), h('span', null, t('whatIf.open'))),
        h('button', { class: 'tool', type: 'button', onclick: () => desk.open(goalSheet(desk)) },
          icon('target'),
          h('span', null, t('goal.open'))))),
    totals(scheme, answer, desk.why),
    root && outcomes(root, desk, page),
    root && h('ul', { class: 'own-lines' },
      linesOf(root, scheme).map(entry => lineOf(entry, desk, page, comments.byLine))),
    comments.next && h('button', { class: 'button quiet', type: 'button', onclick: more }, t('comments.more')),
    desk.sheet?.view());
}

// A class may have results in its root, or other values of the student's own, beside those in its lines.
function linesOf(root, scheme) {
  const below = root.children ?? [];
  const isColumn = kindOf(scheme, root.kind)
    .fields.some(field => (field.grade ? below.length === 0 || valueOf(root, field) !== null : field.perStudent));
  return isColumn ? [{ ...root, children: [], isAbove: below.length > 0 }, ...below] : below;
}

const valueOf = (entry, field) => valueIn(entry.fields, field.name) ?? null;

function lineOf(entry, desk, page, comments) {
  const { scheme } = desk;
  const { answer } = page;
  const { grade: ofLine = null, setAside = false, due = null, code = null, ...note } = valueIn(answer.lines, entry.id)
    ?? {};
  const kind = kindOf(scheme, entry.kind);
  const grades = kind.fields.filter(field => field.grade);
  const hasValue = field => valueOf(entry, field) !== null;
  const grade = entry.isAbove && !grades.some(hasValue)
    ? undefined
    : grades.find(field => field.name === ofLine) ?? grades[0];
  // Another grade stands beside the result, such as that of a resit.
  const seconds = grades.filter(field => field !== grade && hasValue(field));
  const below = entry.children ?? [];
  const shared = kind.fields.filter(field => !field.grade && field.type !== 'text' && field.name !== grade?.bestField
    && valueOf(entry, field) !== null && !isTitle(field, entry, kind));
  const facts = shared.map(field => fieldIs(field, entry));
  if (due) facts.push(t('line.dueOn', { day: date(due) }));
  if (code) facts.push(t('anonymous.code', { code }));
  const written = comments.get(entry.id) ?? [];
  return h('li', { key: entry.id, class: below.length > 0 ? 'own-group' : 'own-line' },
    h('div', { class: 'own-head' },
      h('span', { class: 'grow' },
        h('strong', null, named(titleOf(entry, scheme))),
        facts.length > 0 && h('span', { class: 'muted' }, facts.join(' · '))),
      below.length === 0 && grade && h('span', { class: 'own-result' }, result(entry, grade, kind, note),
        seconds.map(field => h('span', { key: field.name, class: 'muted' }, fieldIs(field, entry))),
        setAside && h('span', { class: 'muted' }, t('class.setAside', { status: statusText(entry.status, kind) }))),
      below.length > 0 && figures(entry, desk, answer.standing)),
    entry.id !== answer.part.entries[0].id && outcomes(entry, desk, page),
    written.length > 0 && h('ul', { class: 'comments', 'aria-label': t('comments.title') },
      written.map(comment => h('li', { key: comment.id },
        commentText(comment, comment.name ?? t('class.someone'),
          comment.for === 'staff' && h('span', { class: 'pill' }, t('comments.for.staff')))))),
    below.length > 0 && h('ul', { class: 'own-lines' }, below.map(child => lineOf(child, desk, page, comments))));
}

const fieldIs = (field, entry) =>
  t('field.is', { name: label(field.label, field.name), value: fieldText(field, entry.fields[field.name]) });

// Whether the field is a choice that gives the line its name.
const isTitle = (field, entry, kind) => field.type === 'choice'
  && !kind.fields.some(other => other.type === 'text' && valueIn(entry.fields, other.name));

function result(entry, grade, kind, { why = null, late = null, counts = null }) {
  // For missing work the entry has the value that it counts as, which is not a result.
  const value = why === 'missing' ? null : valueOf(entry, grade);
  const best = grade.bestField ? valueIn(entry.fields, grade.bestField) : grade.best;
  const text = value === null ? '–' : fieldText(grade, value);
  return [
    entry.status && h('span', { class: 'pill' }, statusText(entry.status, kind)),
    h('span', { class: 'figure' },
      value !== null && best !== null && best !== undefined && grade.type !== 'choice'
        ? t('class.of', { value: text, best: toInput(best) })
        : text),
    why === 'missing' && h('span', { class: 'pill' }, statusText('missing')),
    why === 'curve' && h('span', { class: 'pill' }, t('curve.pill')),
    why === 'late' && h('span', { class: 'pill' }, t('late.is', { delay: delayText(late) })),
    counts !== null && h('span', { class: 'muted' }, t('late.counts', { value: toInput(counts) })),
    value === null && !entry.status && why !== 'missing' && h('span', { class: 'muted' }, t('class.noResult')),
  ];
}

// What the rules decide about an entry, as the newest answer has it.
function outcomes(entry, desk, page) {
  const outcomesOf = () => valueIn(page.answer.standing.entries, entry.id)?.outcomes ?? {};
  const names = Object.keys(outcomesOf());
  return names.length > 0 && h('p', { class: 'entry-pills' },
    names.map(name => outcomePill(desk, name, entry.kind, () => valueIn(outcomesOf(), name) ?? null)));
}

function figures(entry, { scheme, why }, standing) {
  const own = valueIn(standing.entries, entry.id)?.figures;
  const first = scheme.figures.find(figure => figure.kind === entry.kind && !figure.family
    && valueIn(own, figure.name));
  const name = first && label(first.label, first.name);
  return first && explained(figureText(own[first.name]), name, () => why(first.name, entry, name));
}
