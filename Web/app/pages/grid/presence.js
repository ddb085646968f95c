// Who else is in the grid, and in which cell: what the server tells about others, and what it is told about the user.

import { People } from '../../core/live/people.js';
import { sentences, t } from '../../core/text/i18n.js';

// The time between two messages, before the same message is repeated, and between two announcements, in milliseconds.
const PAUSE = 260;
const AGAIN = 10_000;
const CALM = 5000;
/** The key under which this browser stores that the user is shown without a cell. */
const HIDING = 'gradecast.presence.hidden';
/** The number of colours for people. */
const COLOURS = 6;

const hides = () => {
  try {
    return localStorage.getItem(HIDING) === '1';
  } catch {
    return false;
  }
};

export class Presence {
  /** The others, `{number, colour, account, name, initials, row, line, isEditing}`, and how many more there are. */
  people = [];
  more = 0;
  isHiding = hides();
  #context;
  #topic;
  #people;
  #stop;
  #changed;
  // By `row/line`: the people in that cell.
  #places = new Map();
  // Where the user is.
  #here = { row: null, line: null, isEditing: false };
  #said = null;
  #saidAt = -Infinity;
  #timer = null;
  #again;
  // The people at the last announcement, and those who have come and gone since.
  #announced = new Map();
  #teller = null;
  #look = () => document.hidden || this.#say(true);

  /** `context` has `{topic, live, permissions, names, say}`, where `topic` is that of the rows and `say(text)`
   *  announces to screen readers; `changed()` is called when others have come, moved or gone. */
  constructor(context, changed) {
    this.#context = context;
    this.#changed = changed;
    this.#topic = context.topic;
    this.#people = context.live.people(send => new People(send));
    this.#stop = this.#people.follow(this.#topic, {
      begin: () => this.#say(true), take: message => this.#take(message),
    });
    this.#again = setInterval(this.#look, AGAIN);
    document.addEventListener('visibilitychange', this.#look);
  }

  /** Whether the user can be shown in cells at all: users who only read are shown by name alone. */
  get mayHide() {
    return this.#context.permissions.mayGrade || this.#context.permissions.mayCorrect;
  }

  /** Shows the user in cells, or only as present. */
  hide(isHiding) {
    this.isHiding = isHiding;
    try {
      if (isHiding) localStorage.setItem(HIDING, '1');
      else localStorage.removeItem(HIDING);
    } catch {
      // A browser that stores nothing shows the user in cells again next time.
    }
    this.#say();
    this.#changed();
  }

  /** The user has moved to another cell, or begins or ends editing one. */
  at(row, column, isEditing = false) {
    this.#here = { row: row?.id ?? null, line: row ? column?.line ?? null : null, isEditing };
    this.#say();
  }

  /** The people in a cell. */
  in(row, column) {
    return (column.field === null && this.#places.get(`${row.id}/${column.line}`)) || [];
  }

  /** What a cell tells about the people in it; null if there are none. */
  noteOf(people) {
    if (people.length === 0) return null;
    return sentences(people.map(({ name, isEditing }) =>
      t(isEditing ? 'presence.edits' : 'presence.isHere', { name })));
  }

  close() {
    this.#stop();
    clearTimeout(this.#timer);
    clearTimeout(this.#teller);
    clearInterval(this.#again);
    document.removeEventListener('visibilitychange', this.#look);
  }

  // Sends at most four messages a second, of which the last is always sent.
  #say(isAgain = false) {
    const { row, line, isEditing } = this.#here;
    const at = row && line && !this.isHiding && this.mayHide ? [row, line] : null;
    const next = JSON.stringify([at, at !== null && isEditing]);
    if (next === this.#said && !isAgain) return;
    const wait = this.#saidAt + PAUSE - performance.now();
    if (wait > 0) {
      this.#timer ??= setTimeout(() => {
        this.#timer = null;
        this.#say(isAgain);
      }, wait);
      return;
    }
    this.#said = next;
    this.#saidAt = performance.now();
    this.#people.here(this.#topic, at, at !== null && isEditing);
  }

  // `message` is null while the channel is down: then the page does not know who is there.
  #take(message) {
    const own = this.#context.permissions.account;
    this.more = message?.more ?? 0;
    this.people = (message?.who ?? []).filter(({ account }) => account !== own)
      .map(({ n, account, name, at, editing }) => ({
        number: n, colour: (n - 1) % COLOURS, account, name, initials: initialsOf(name), row: at?.[0] ?? null,
        line: at?.[1] ?? null, isEditing: editing === true,
      }));
    // From then on, the names of the people who work here are known.
    for (const { account, name } of this.people) this.#context.names.set(account, name);
    this.#places = new Map();
    for (const person of this.people) {
      if (!person.row) continue;
      const place = `${person.row}/${person.line}`;
      this.#places.set(place, [...this.#places.get(place) ?? [], person]);
    }
    // When a connection comes back, nobody has left.
    if (message) this.#announce();
    this.#changed();
  }

  // Announces who came and who went, but not who moved.
  #announce() {
    this.#teller ??= setTimeout(() => {
      this.#teller = null;
      const now = new Map(this.people.map(({ account, name }) => [account, name]));
      const names = (some, others) => [...some].filter(([account]) => !others.has(account)).map(([, name]) => name);
      const [came, went] = [names(now, this.#announced), names(this.#announced, now)];
      this.#announced = now;
      const said = [
        came.length > 0 && t('presence.came', { names: came.join(', ') }),
        went.length > 0 && t('presence.went', { names: went.join(', ') }),
      ].filter(Boolean);
      if (said.length > 0) this.#context.say(sentences(said));
    }, CALM);
  }
}

/** Two letters of a name, or the first character if its script has no capitals. */
export function initialsOf(name) {
  const words = name.trim().split(/\s+/u).filter(Boolean);
  if (words.length === 0) return '?';
  const first = word => [...word][0];
  if (/^\p{Script=Han}/u.test(words[0])) return first(words[0]);
  return (words.length === 1 ? first(words[0]) : first(words[0]) + first(words.at(-1))).toUpperCase();
}
