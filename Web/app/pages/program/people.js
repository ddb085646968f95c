// Who keeps a program's records, and whose records they are; records of students without one are begun here.

import { h, named } from '../../core/page/dom.js';
import { t } from '../../core/text/i18n.js';
import {
  comparePeople, isMemberOf, listedName, namesIn, NAMES_PARAMETER, personOf, searchable,
} from '../../core/text/names.js';
import { icon } from '../../parts/frame/icons.js';
import { nameChoice } from '../../parts/program/nameChoice.js';
import { learnMembers } from '../../parts/record/students.js';
import { openSection } from './frame.js';

export const open = (app, { id }) => openSection(app, id, 'people', async desk => {
  const people = new People(desk);
  await people.load();
  return people;
});

class People {
  #desk;
  #members = new Map();
  #records = new Map();
  #query = '';
  #names = namesIn(new URLSearchParams(location.search));

  constructor(desk) {
    this.#desk = desk;
  }

  async load() {
    const { app, id, program } = this.#desk;
    const members = learnMembers(app, program.institution);
    const records = new Map();
    for (let path = `/v1/records?program=${id}&limit=200`; path;) {
      const { body, next } = await app.http.get(path);
      for (const item of body.items) if (!records.has(item.student)) records.set(item.student, item);
      path = next;
    }
    [this.#members, this.#records] = [await members, records];
  }

  view() {
    return [this.#staff(), this.#students()];
  }

  #staff() {
    const { manages, id, program } = this.#desk;
    const all = [...this.#members.values()];
    const registrars = all.filter(member => member.role === 'registrar');
    const teachers = all.filter(member => member.role === 'teacher');
    const mine = teachers.filter(member => member.programs.includes(id));
    const others = teachers.filter(member => !member.programs.includes(id));
    // A teacher is told only the students.
    if (registrars.length + teachers.length === 0) return null;
    return h('section', { class: 'card' },
      h('h2', null, t('people.staff')),
      h('p', { class: 'hint' }, t('people.staffHint')),
      h('ul', { class: 'rows' },
        [...mine, ...registrars].map(member => h('li', { key: member.account },
          this.#name(member),
          h('span', { class: 'pill' }, t(`role.${member.role}`)),
          manages && member.role === 'teacher' && h('button', {
            class: 'button quiet small', type: 'button', onclick: () => this.#assign(member, false),
          }, t('people.takeAway'))))),
      manages && h('div', { class: 'actions' },
        others.map(member =>
          h('button', {
            key: member.account, class: 'button quiet small', type: 'button', onclick: () => this.#assign(member, true),
          },
          icon('plus'), t('people.give', { name: member.displayName }))),
        h('a', { class: 'button quiet small', href: `/institutions/${program.institution}/members` },
          icon('people'),
          t('people.members'))));
  }

  // Taking a program away can be undone by giving it back, so it is done at once, with a message.
  #assign(member, isGiven) {
    const { app, id, program } = this.#desk;
    const put = programs =>
      app.http.put(`/v1/institutions/${program.institution}/members/${member.account}`, { role: 'teacher', programs });
    const before = member.programs;
    const wanted = isGiven ? [...before, id] : before.filter(item => item !== id);
    return this.#desk.attempt(async () => {
      const { status } = await put(wanted);
      await this.load();
      // Additional programs for a teacher are an offer, which the teacher accepts.
      if (status === 202) {
        return app.say(t('members.offered', { name: member.displayName, role: t('role.teacher') }), 'good');
      }
      app.say(t(isGiven ? 'people.given' : 'people.taken', { name: member.displayName }), 'good',
        () => this.#desk.attempt(async () => {
          await put(before);
          await this.load();
        }));
    });
  }

  #students() {
    const rows = this.#rows();
    const words = searchable(this.#query.trim());
    const found = rows.filter(row => isMemberOf(row, words));
    return h('section', { class: 'card' },
      h('h2', null, t('people.students', { count: rows.length })),
      rows.length > 1 && h('div', { key: 'choices', class: 'form' },
        rows.length > 10 && h('div', { key: 'query', class: 'field' },
          h('label', { for: 'people-query' }, t('people.search')),
          h('input', {
            id: 'people-query', type: 'search', value: this.#query,
            oninput: event => { this.#query = event.target.value; this.#desk.app.redraw(); },
          })),
        nameChoice({ names: this.#names }, this.#arrange)),
      rows.length === 0 && h('p', { class: 'empty' }, icon('people'), t('program.noStudents')),
      words !== '' && found.length === 0 && h('p', { class: 'muted' }, t('accounts.none')),
      h('ul', { class: 'rows' }, found.map(row => h('li', { key: row.account },
        this.#name({ ...row, displayName: listedName(row, this.#names) }),
        row.record
          ? h('a', { class: 'button quiet small', href: `/records/${row.record}` }, icon('records'), t('people.record'))
          : this.#begin(row)))));
  }

  // Students of the institution, and all others who have a record here.
  #rows() {
    const rows = new Map();
    for (const member of this.#members.values()) {
      if (member.role === 'student') {
        rows.set(member.account, { ...member, record: this.#records.get(member.account)?.id ?? null });
      }
    }
    for (const [account, item] of this.#records) {
      if (!rows.has(account)) {
        rows.set(account, {
          account: account ?? item.id, displayName: item.displayName ?? t('program.noStudent'), record: item.id,
        });
      }
    }
    return [...rows.values()].map(personOf).sort((one, other) => comparePeople(one, other, this.#names));
  }

  // The address says by which names the list is sorted, so that it is a link.
  #arrange = ({ names }) => {
    this.#names = names;
    history.replaceState(null, '', location.pathname + (names ? `?${NAMES_PARAMETER}=${names}` : ''));
    this.#desk.app.redraw();
  };

  #begin(row) {
    const { app, id, keeps, program } = this.#desk;
    if (!keeps || !program.version) return h('span', { class: 'muted' }, t('people.noRecord'));
    return h('button', {
      class: 'button quiet small', type: 'button',
      onclick: () => this.#desk.attempt(async () => {
        const { body } = await app.http.post('/v1/records', { program: id, student: row.account });
        app.go(`/records/${body.record.id}`);
      }),
    }, icon('plus'), t('people.begin'));
  }

  #name = ({ displayName, login }) => h('span', { class: 'grow' },
    h('strong', null, named(displayName)), login && h('span', { class: 'muted' }, named(login)));
}
