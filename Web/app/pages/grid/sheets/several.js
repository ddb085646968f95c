// Many students at once, from pasted lines or a file: the sheet shows whom they name before anybody is added to the
// class.

import { h, named } from '../../../core/page/dom.js';
import { sentences, t } from '../../../core/text/i18n.js';
import { dialog } from '../../../parts/frame/dialog.js';
import { problemText } from '../../../parts/frame/problem.js';
import { readMembers } from '../../../parts/record/students.js';
import { peopleIn } from '../file/people.js';
import { readTable } from '../file/table.js';
import { FileFault } from '../file/zip.js';
import { placing } from '../placing.js';
import { alike, beginningOf, enrol, joining } from './enrolling.js';

const ACCEPTED = '.csv,.tsv,.txt,.xlsx,.ods';
// How long typing must pause before the lines are read, in milliseconds.
const PAUSE = 300;
// At most this many names are listed.
const LISTED = 50;
// If there are too many requests, the server says how long to wait; a request is sent at most this many times.
const TRIES = 5;

/** The sheet; `back()` returns to the roster. */
export function severalSheet(desk, back) {
  const state = {
    text: '', people: null, fault: null, chosen: new Map(), how: beginningOf(desk), done: null, isOver: false,
    failures: [], timer: null, asked: 0, members: null,
  };
  // While students are being added, closing only stops that: the result still has to be shown.
  const close = () => {
    if (state.done === null) back();
    else state.isOver = true;
  };
  // Also when the user goes to another page.
  const leave = () => {
    state.isOver = true;
    clearTimeout(state.timer);
  };
  const read = async file => {
    const asked = (state.asked += 1);
    let [people, fault] = [null, null];
    try {
      state.members ??= readMembers(desk.app, desk.program.institution);
      const students = [...(await state.members).values()].filter(({ role }) => role === 'student');
      if (file && file.size > 0) people = peopleIn((await readTable(file)).rows, students);
    } catch (error) {
      state.members = null;
      fault = error instanceof FileFault ? t(`file.fault.${error.message}`, error.args) : problemText(error);
    }
    if (asked !== state.asked || state.isOver) return;
    Object.assign(state, { people, fault, chosen: new Map(), failures: [] });
    desk.redraw();
  };
  const type = text => {
    state.text = text;
    clearTimeout(state.timer);
    state.timer = setTimeout(() => read(new File([text.trim()], 'lines.txt')), PAUSE);
  };
  const put = () => putAll(desk, state, sorted(desk, state).next);
  return () => dialog({ key: 'several', title: t('several.title'), close, className: 'sheet' },
    h('p', { class: 'help', onUnmount: leave }, t('several.help')),
    h('div', { class: 'field' },
      h('label', { for: 'several-lines' }, t('several.lines')),
      h('textarea', {
        id: 'several-lines', rows: '6', spellcheck: 'false', autocomplete: 'off', initial: state.text,
        disabled: state.done !== null, oninput: event => type(event.target.value),
      })),
    h('div', { class: 'field' },
      h('label', { for: 'several-file' }, t('several.file')),
      h('input', {
        id: 'several-file', type: 'file', accept: ACCEPTED, disabled: state.done !== null,
        onchange: event => read(event.target.files[0]),
      })),
    joining(desk, state.how, 'several'),
    state.fault && h('p', { key: 'fault', class: 'alert', role: 'alert' }, state.fault),
    state.people && h('div', { key: 'people' }, told(desk, state)),
    state.failures.length > 0 && h('div', { key: 'failures' },
      h('h3', null, t('several.failed', { count: state.failures.length })),
      h('ul', { class: 'changes' },
        state.failures.slice(0, LISTED).map(({ member, why }) =>
          h('li', { key: member.account }, t('outcome.is', { name: member.displayName, state: why })))),
      state.failures.length > LISTED && h('p', { class: 'muted' },
        t('roster.more', { count: state.failures.length - LISTED }))),
    actions(desk, state, put, close));
}

function actions(desk, state, put, close) {
  const count = state.people ? sorted(desk, state).next.length : 0;
  return h('div', { class: 'actions' },
    h('p', { role: 'status', class: state.done === null ? 'visually-hidden' : '' },
      state.done === null ? '' : t('several.progress', state.done)),
    state.done === null && count > 0 && h('button', { class: 'button', type: 'button', onclick: put },
      t('several.put', { count })),
    h('button', { class: 'button quiet', type: 'button', onclick: close },
      t(state.done === null ? 'action.back' : 'several.stop')));
}

// The students who will be added, and those who are in the class already: those whom a line identifies, and those whom
// the user chose if it fits several.
function sorted(desk, { people, chosen }) {
  const inside = new Set([...desk.model.rows.values()].map(({ student }) => student));
  const picked = people.several.flatMap(({ members, section }, place) => {
    const member = members.find(({ account }) => account === chosen.get(place));
    return member ? [{ member, section }] : [];
  });
  const all = [...new Map([...people.found, ...picked].map(each => [each.member.account, each])).values()];
  return {
    next: all.filter(({ member }) => !inside.has(member.account)),
    there: all.filter(({ member }) => inside.has(member.account)),
  };
}

function told(desk, state) {
  const { people } = state;
  const { next, there } = sorted(desk, state);
  const none = next.length + there.length + people.several.length + people.unknown.length === 0;
  return [
    h('p', { class: 'banner', role: 'status' }, none ? t('several.nobody')
      : sentences([t('several.found', { count: next.length }),
        there.length > 0 && t('several.there', { count: there.length }),
        people.unknown.length > 0 && t('several.unknown', { count: people.unknown.length })])),
    people.several.map(({ text, members }, place) => h('div', { key: `several-${place}`, class: 'field' },
      h('label', { for: `several-${place}` }, t('several.which', { text })),
      h('select', { id: `several-${place}`, onchange: event => {
        state.chosen.set(place, event.target.value);
        desk.redraw();
      } },
      h('option', { key: 'none', value: '' }, t('several.neither')),
      members.map(member =>
        h('option', {
          key: member.account, value: member.account, selected: state.chosen.get(place) === member.account,
        },
        [member.displayName, member.studentNumber ?? member.login].filter(Boolean).join(' · ')))))),
    names('unknown', t('several.unknownTitle'), people.unknown),
    names('next', t('several.nextTitle'),
      next.map(({ member, section }) =>
        [member.displayName, member.studentNumber, sectionOf(desk, section)?.text].filter(Boolean).join(' · '))),
  ];
}

const names = (key, title, list) => list.length > 0 && h('details', { key, open: true },
  h('summary', null, title),
  h('ul', { class: 'changes' }, list.slice(0, LISTED).map((text, place) => h('li', { key: place }, named(text)))),
  list.length > LISTED && h('p', { class: 'muted' }, t('roster.more', { count: list.length - LISTED })));

const sectionOf = (desk, text) =>
  (text !== '' && desk.sections.length > 0 ? placing(desk.sections, { section: null }, text) : null);

// One after the other, so that one failure does not stop the others, and so that the user can stop.
async function putAll(desk, state, list) {
  const guard = event => event.preventDefault();
  addEventListener('beforeunload', guard);
  Object.assign(state, { failures: [], isOver: false });
  let count = 0;
  for (const [place, { member, section }] of list.entries()) {
    if (state.isOver) break;
    state.done = { done: place, count: list.length };
    desk.redraw();
    try {
      const own = sectionOf(desk, section);
      if (own?.fault) throw new Refusal(own.fault);
      if ((await alike(desk, member)).length > 0) throw new Refusal(t('several.own'));
      await patiently(state, () => enrol(desk, member, { ...state.how, section: own?.section ?? state.how.section }));
      count += 1;
    } catch (error) {
      state.failures.push({ member, why: error instanceof Refusal ? error.message : problemText(error) });
    }
  }
  removeEventListener('beforeunload', guard);
  Object.assign(state, { done: null, isOver: false });
  desk.app.say(t('several.did', { count }), count > 0 ? 'good' : 'info');
  await desk.rows.read().catch(() => {});
  desk.redraw();
}

class Refusal extends Error {}

async function patiently(state, action) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await action();
    } catch (error) {
      if (error.status !== 429 || tries === TRIES || state.isOver) throw error;
      await new Promise(resolve => setTimeout(resolve, 1000 * Math.max(1, error.retryAfter)));
    }
  }
}
