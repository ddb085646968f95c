// What the person may do in a class, as far as the page knows. The server decides.

import { keeps, registers } from '../../core/net/session.js';

export class Permissions {
  #state;
  #program;
  #taught;

  /** `state()` answers who is signed in, `taught()` the class as it is now. */
  constructor(state, program, taught) {
    this.#state = state;
    this.#program = program;
    this.#taught = taught;
  }

  /** Who is signed in; undefined for nobody. */
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

  // Whether the person has to do with results, as a registrar or in the class's staff.
  get #marks() {
    return keeps(this.#state(), this.#program) && (this.#isRegistrar || ['teacher', 'grader'].includes(this.#member?.role));
  }

  get mayGrade() {
    return !this.#isClosed && this.#marks;
  }

  get mayTeach() {
    return this.mayGrade && (this.#isRegistrar || this.#member?.role === 'teacher');
  }

  /** Whether the person asks for changes of results that nobody enters any more. */
  get mayCorrect() {
    return this.#isClosed && this.#marks;
  }

  /** Whether the person decides on corrections that others asked for, and opens a closed class again. */
  get mayApprove() {
    return this.#isRegistrar;
  }

  /** Whether the person reads only the rows of some groups. */
  get isLimited() {
    return Boolean(this.#member?.groups) && !this.#isRegistrar;
  }

  /** The groups of the class, `{id, set, title}`, whose rows the person reads. */
  get groups() {
    const { groups = [] } = this.#taught();
    return this.isLimited ? groups.filter(({ id }) => this.#member.groups.includes(id)) : groups;
  }

  /** Whether the person enters results in some lines only, and in the lines inside those. */
  get hasOwnLines() {
    return !this.#isRegistrar && Boolean(this.#member?.lines);
  }

  /** Whether the person enters results in a column. */
  marks({ line, isLocked }) {
    if (isLocked) return false;
    if (!this.hasOwnLines) return true;
    const all = new Map(this.#taught().structure.lines.map(each => [each.id, each]));
    for (let at = all.get(line); at; at = all.get(at.parent)) if (this.#member.lines.includes(at.id)) return true;
    return false;
  }
}
