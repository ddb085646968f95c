// The frame of a program's pages: its name, its current state, and links to its sections, each of which has an address
// of its own. A section that the user may not see is not offered, and its address leads nowhere.

import { h, named } from '../../core/page/dom.js';
import { date, dateTime, label, t } from '../../core/text/i18n.js';
import { isAdministrator, keeps, registers } from '../../core/net/session.js';
import { confirmation } from '../../parts/frame/dialog.js';
import { icon } from '../../parts/frame/icons.js';
import { problemText } from '../../parts/frame/problem.js';
import { schemeOf } from '../../parts/program/programScheme.js';
import { open as missing } from '../missing.js';

const sections = [
  { id: 'overview', path: '', symbol: 'programs', staff: false },
  { id: 'rules', path: '/rules', symbol: 'pencil', staff: false },
  { id: 'versions', path: '/versions', symbol: 'history', staff: false },
  { id: 'people', path: '/people', symbol: 'people', staff: true },
  { id: 'classes', path: '/classes', symbol: 'grid', staff: true },
  { id: 'records', path: '/records', symbol: 'records', staff: true },
  { id: 'cohort', path: '/cohort', symbol: 'chart', staff: true },
];

/** A program in the form in which its pages work with it. */
export class ProgramDesk {
  sheet = null;

  constructor(app, { body, place }, scheme) {
    Object.assign(this, { app, scheme, program: body.program, place });
    this.id = body.program.id;
    this.path = `/v1/programs/${this.id}`;
  }

  /** Whether the user may change the program itself. */
  get manages() {
    return registers(this.app.store.state, this.program);
  }

  /** Whether its rules are a document that the user writes. */
  get isWritten() {
    return this.manages && this.program.scheme === 'regulations';
  }

  /** Whether the user keeps the records of its students. */
  get keeps() {
    return keeps(this.app.store.state, this.program);
  }

  get oversees() {
    return this.keeps || isAdministrator(this.app.store.state);
  }

  /** Accepts the program from an answer. */
  take({ body, place }) {
    this.program = body.program;
    this.place = place;
    this.app.catalogue.forgetProgram(this.id);
  }

  /** Reads the program again, for example after something else than its own page changed it. */
  async look() {
    this.take(await this.app.http.get(this.path));
  }

  patch = async body => {
    const answer = await this.app.http.patch(this.path, body, { match: this.place });
    this.take(answer);
    return answer.body.warnings ?? [];
  };

  /** Asks for confirmation of something that others will notice; `about` are sentences that say what will happen. */
  ask({ key, title, about, action, danger = false, confirm }) {
    const close = () => {
      this.sheet = null;
      this.app.redraw();
    };
    this.sheet = () => confirmation({
      key, title, text: about, action, danger, close,
      confirm: () => {
        close();
        return this.attempt(confirm);
      },
    });
    this.app.redraw();
  }

  async attempt(action) {
    try {
      await action();
    } catch (problem) {
      this.app.say(problemText(problem), 'bad');
    }
    this.app.redraw();
  }
}

/**
 * Opens a section. `make(desk)` returns its content, `{view, onDocument, close}`; `offered(desk)` says whether the user
 * may see it, if the list above does not decide that.
 */
export async function openSection(app, id, section, make, offered = null) {
  const answer = await app.http.get(`/v1/programs/${encodeURIComponent(id)}`);
  const desk = new ProgramDesk(app, answer, await schemeOf(app, answer.body.program));
  const own = sections.find(item => item.id === section);
  if (offered ? !offered(desk) : own.staff && !desk.oversees) return missing();
  const content = await make(desk);
  return {
    wide: true,
    title: () => `${t(`program.section.${section}`)} – ${desk.program.title}`,
    view: () => h('div', { class: 'program' },
      heading(desk),
      tabs(desk, section),
      content.view(),
      desk.sheet?.()),
    onDocument: content.onDocument,
    again: () => content.again?.(),
    reopen: open => content.reopen?.(open),
    close: () => content.close?.(),
  };
}

function heading({ program, scheme }) {
  return h('div', { class: 'page-head' },
    h('a', { class: 'round', href: '/programs', 'aria-label': t('action.back') }, icon('back')),
    h('h1', { tabindex: '-1' }, named(program.title)),
    h('p', { class: 'page-facts' },
      h('span', { class: 'pill' }, label(scheme.title, scheme.id)),
      program.version && h('span', { class: 'pill' },
        t('programs.version', { version: program.version, date: date(program.effectiveFrom) })),
      program.draft && h('span', { class: 'pill' },
        t('program.draftSince', { at: dateTime(program.draft.editedAt) }))));
}

// Results belong to the records: the page that enters and releases them is below that of the records.
const parents = { results: 'records' };

function tabs(desk, section) {
  const here = parents[section] ?? section;
  // On a phone the row of sections is wider than the screen: scrolls to the open one.
  const show = element => requestAnimationFrame(() => {
    const current = element.querySelector('[aria-current]');
    if (current) element.scrollTo({ left: current.offsetLeft - (element.clientWidth - current.offsetWidth) / 2 });
  });
  return h('nav', { key: `sections-${section}`, class: 'sections', 'aria-label': t('program.sections'), onMount: show },
    sections.filter(item => !item.staff || desk.oversees).map(item =>
      h('a', {
        key: item.id, href: `/programs/${desk.id}${item.id === 'rules' && desk.isWritten ? '/regulation' : item.path}`,
        'aria-current': item.id === here ? (section === here ? 'page' : 'true') : null,
      }, icon(item.symbol), h('span', null, t(`program.section.${item.id}`)))));
}
