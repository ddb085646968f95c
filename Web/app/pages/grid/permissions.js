// What the user may do in a class, as far as the page knows. The server decides.

import { keeps, registers } from '../../core/net/session.js';

export class Permissions {
  #state;
  #program;
  #taught;
  #own = null;

  /** `state()` returns the state with the signed-in account, `taught()` the current class. */
  constructor(state, program, taught) {
    this.#state = state;
    this.#program = program;
    this.#taught = taught;
  }

  /** The signed-in account; undefined if there is none. */
  get account() {
    return this.#state().account?.id;
  }

  get #member() {
    return this.#taught().staff.find(({ account }) => account === this.account) ?? null;
  }

  get #isRegistrar() {
    return registers(this.#state(), this.#program);
  }

  get #isClosed() {
    return this.#taught().state === 'closed';
  }

  // Whether the user works with results, as a registrar or as a member of the class's staff.
  get #marks() {
    return keeps(this.#state(), this.#program)
      && (this.#isRegistrar || ['teacher', 'grader'].includes(this.#member?.role));
  }

  get mayGrade() {
    return !this.#isClosed && this.#marks;
  }

  get mayTeach() {
    return this.mayGrade && (this.#isRegistrar || this.#member?.role === 'teacher');
  }

  /** Whether the user may request corrections of results in a closed class. */
  get mayCorrect() {
    return this.#isClosed && this.#marks;
  }

  /** Whether the user decides on corrections that others requested, and may reopen a closed class. */
  get mayApprove() {
    return this.#isRegistrar;
  }

  /** Whether the user may read only the rows of some groups. */
  get isLimited() {
    return Boolean(this.#member?.groups) && !this.#isRegistrar;
  }

  /** The groups of the class, `{id, set, title}`, whose rows the user may read. */
  get groups() {
    const { groups = [] } = this.#taught();
    return this.isLimited ? groups.filter(({ id }) => this.#member.groups.includes(id)) : groups;
  }

  /** Whether the user enters results only in some lines and the lines inside them. */
  get hasOwnLines() {
    return !this.#isRegistrar && Boolean(this.#member?.lines);
  }

  /** Whether the user enters results in a column. */
  marks = ({ line, isLocked }) => !isLocked && (!this.hasOwnLines || this.#ownLines.has(line));

  // The lines in which the user enters results, with all lines inside them. They are looked up for each cell, so they
  // are kept for one state of the class.
  get #ownLines() {
    const member = this.#member;
    if (this.#own?.member !== member) {
      const { lines } = this.#taught().structure;
      const parents = new Map(lines.map(({ id, parent }) => [id, parent]));
      const isOwn = id => Boolean(id) && (member.lines.includes(id) || isOwn(parents.get(id)));
      this.#own = { member, lines: new Set(lines.map(({ id }) => id).filter(isOwn)) };
    }
    return this.#own.lines;
  }
}
