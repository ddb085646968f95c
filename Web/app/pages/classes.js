// The classes that the user teaches, for registrars also all of their institutions, and a new one in one of the user's
// programs.

import { h, named } from '../core/page/dom.js';
import { t } from '../core/text/i18n.js';
import { keeps } from '../core/net/session.js';
import { signInInvitation } from '../parts/account/invitation.js';
import { dialog } from '../parts/frame/dialog.js';
import { icon } from '../parts/frame/icons.js';
import { problemText } from '../parts/frame/problem.js';
import { segments } from '../parts/frame/segments.js';
import { schemeOf } from '../parts/program/programScheme.js';
import { newClassSheet } from './grid/sheets/newClass.js';

const MINE = 'mine';

export async function open(app) {
  if (!app.store.state.account) return signInInvitation(t('classes.title'));
  const page = new ClassesPage(app);
  await page.begin();
  return page;
}

class ClassesPage {
  #app;
  #items = [];
  #next = null;
  // Counts the lists that were begun: an answer for an earlier list is dropped.
  #list = 0;
  // The titles of programs by their identifiers, and the institutions in which a registrar may see all classes.
  #programs = new Map();
  #institutions = [];
  // `MINE`, or the identifier of an institution.
  #chosen = MINE;
  #sheet = null;

  constructor(app) {
    this.#app = app;
  }

  async begin() {
    const { memberships } = this.#app.store.state;
    const registered = new Set(memberships.filter(({ role }) =>
      role === 'registrar').map(({ institution }) => institution));
    if (registered.size > 0) {
      this.#institutions = (await this.#app.catalogue.institutions()).filter(({ id }) => registered.has(id));
    }
    await this.#load(MINE);
    // Users who teach nothing get all classes at once.
    if (this.#items.length === 0 && this.#institutions.length > 0) await this.#load(this.#institutions[0].id);
  }

  title = () => t('classes.title');

  view() {
    const { memberships } = this.#app.store.state;
    const mayMake = memberships.some(({ role }) => role === 'registrar' || role === 'teacher');
    return h('div', null,
      h('div', { class: 'page-head' },
        h('h1', { tabindex: '-1', class: 'grow' }, t('classes.title')),
        h('a', { class: 'button quiet', href: '/programs' }, icon('programs'), t('nav.programs')),
        mayMake && h('button', { class: 'button', type: 'button', onclick: () => this.#attempt(() => this.#make()) },
          icon('plus'),
          t('classes.new'))),
      h('p', { class: 'help' }, t('classes.help')),
      this.#institutions.length > 0 && segments(t('classes.whose'),
        [[MINE, t('classes.mine')], ...this.#institutions.map(({ id, title }) => [id, t('classes.allOf', { title })])],
        this.#chosen, chosen => this.#attempt(() => this.#load(chosen))),
      this.#items.length === 0 && h('p', { class: 'empty' },
        icon('grid'),
        t(this.#chosen === MINE ? 'classes.none' : 'classes.noneAtAll')),
      classList(this.#items, item => this.#programs.get(item.program) ?? ''),
      this.#next && h('button', {
        class: 'button quiet', type: 'button', onclick: () => this.#attempt(() => this.#more(this.#next)),
      }, t('action.more')),
      this.#sheet?.());
  }

  async #load(chosen) {
    this.#chosen = chosen;
    this.#list += 1;
    this.#items = [];
    this.#next = null;
    await this.#more(`/v1/classes?limit=100${chosen === MINE ? '' : `&institution=${chosen}`}`);
  }

  async #more(path) {
    const list = this.#list;
    this.#next = null;
    const { body, next } = await this.#app.http.get(path);
    const unknown = [...new Set(body.items.map(item => item.program))].filter(id => !this.#programs.has(id));
    await Promise.all(unknown.map(async id => {
      this.#programs.set(id, (await this.#app.catalogue.program(id).catch(() => null))?.title ?? '');
    }));
    if (list !== this.#list) return;
    this.#items = [...this.#items, ...body.items];
    this.#next = next;
  }

  // Asks for the program, unless there is only one.
  async #make() {
    const { catalogue, store } = this.#app;
    const institutions = [...new Set(store.state.memberships.map(({ institution }) => institution))];
    const all = (await Promise.all(institutions.map(id => catalogue.programs(id)))).flat();
    // Programs in which students enter everything themselves have no classes.
    const programs = all.filter(program => program.version && program.entry !== 'self' && keeps(store.state, program));
    if (programs.length === 1) return this.#makeIn(programs[0]);
    if (programs.length === 0) return this.#app.say(t('classes.noProgram'), 'bad');
    this.#sheet = () => dialog({ key: 'class-program', title: t('classes.inProgram'), close: this.#close },
      h('div', { class: 'menu' }, programs.map((program, place) => h('button', {
        key: program.id, class: 'menu-item', type: 'button', autofocus: place === 0,
        onclick: () => this.#attempt(() => this.#makeIn(program)),
      }, icon('programs'), h('span', null, named(program.title))))));
    return null;
  }

  async #makeIn(program) {
    this.#sheet = newClassSheet(this.#app, program, await schemeOf(this.#app, program), this.#close);
  }

  #close = () => {
    this.#sheet = null;
    this.#app.redraw();
  };

  async #attempt(action) {
    try {
      await action();
    } catch (error) {
      this.#app.say(problemText(error), 'bad');
    }
    this.#app.redraw();
  }
}

/** Classes as links; `about(item)` is the second line. */
export const classList = (items, about) => h('ul', { class: 'record-list' }, items.map(item => h('li', { key: item.id },
  h('a', { class: 'record-link', href: `/classes/${item.id}` },
    icon('grid'),
    h('span', { class: 'grow' },
      h('strong', null, named(item.title)),
      h('span', { class: 'muted' }, named(about(item)))),
    item.state !== 'open' && h('span', { class: 'pill' }, t(`class.state.${item.state}`))))));
