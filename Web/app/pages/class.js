// A class: its grid, and the views of one column and of one student.

import { h, named } from '../core/page/dom.js';
import { t } from '../core/text/i18n.js';
import { isolate } from '../core/text/isolate.js';
import { signInInvitation } from '../parts/account/invitation.js';
import { contextMenu } from '../parts/frame/contextMenu.js';
import { icon } from '../parts/frame/icons.js';
import { segments } from '../parts/frame/segments.js';
import { rulesOfClass, schemeOf } from '../parts/program/programScheme.js';
import { revealSheet } from './grid/anonymous.js';
import { arrangementOf, queryOf } from './grid/arrangement.js';
import { ClassDesk } from './grid/desk.js';
import { endedCard } from './grid/endedCard.js';
import { GridFrame } from './grid/frame.js';
import { beginning } from './grid/beginning.js';
import { nextLeft } from './grid/left.js';
import { peopleBar } from './grid/peopleBar.js';
import { ClassLists } from './grid/lists.js';
import { openBanners } from './grid/trouble.js';
import { StudentPart } from './grid/studentPart.js';
import { structureSheet } from './grid/sheets/structure.js';
import { columnMenu } from './grid/sheets/columnMenu.js';
import { curveSheet, takesCurve } from './grid/sheets/curve.js';
import { leavingSheet, rosterSheet } from './grid/sheets/roster.js';
import { transferSheet } from './grid/sheets/transfer.js';
import { exportSheet } from './grid/sheets/export.js';
import { importSheet } from './grid/sheets/import.js';
import { ledgerSheet } from './grid/sheets/ledger.js';
import { cellHistorySheet } from './grid/sheets/cellHistory.js';
import { commentsSheet } from './grid/sheets/comments.js';
import { askSheet, correctionsSheet } from './grid/sheets/corrections.js';
import { settingsSheet } from './grid/sheets/settings.js';
import { overrideSheet } from './grid/sheets/override.js';
import { keysSheet } from './grid/sheets/keysHelp.js';
import { hasStatistics, statisticsSheet } from './grid/sheets/statistics.js';
import { sectionChoice, viewSheet } from './grid/sheets/view.js';

const small = matchMedia('(max-width: 759px)');

export async function open(app, { id }) {
  if (!app.store.state.account) return signInInvitation(t('classes.title'));
  app.live.begin();
  const [taught, early, acts] = await Promise.all([
    app.http.get(`/v1/classes/${encodeURIComponent(id)}`), app.catalogue.isNew ? rulesOfClass(app, id) : null, app.cellActs(),
  ]);
  const { body } = taught;
  const { program, scheme } = early ?? await rulesOfProgram(app, body.class.program);
  const page = new ClassPage(app, body.class, program, scheme, acts);
  try {
    await page.desk.rows.start();
  } catch (error) {
    page.close();
    throw error;
  }
  return page;
}

async function rulesOfProgram(app, id) {
  const program = await app.catalogue.program(id);
  return { program, scheme: await schemeOf(app, program) };
}

// The columns that are shown: all, or those of one period if the class's term has any.
function periodChoice(desk) {
  const periods = desk.taught.term?.periods ?? [];
  if (periods.length === 0) return null;
  return h('select', { key: 'period', class: 'grid-period', 'aria-label': t('grid.period'), onchange: event => desk.showPeriod(event.target.value || null) },
    h('option', { key: 'all', value: '', selected: desk.period === null }, t('grid.allPeriods')),
    periods.map(({ id, title, locked }) => h('option', { key: id, value: id, selected: id === desk.period }, locked ? t('terms.lockedTitle', { title }) : title)));
}

// The rows that are shown: all, or those of one group if the class has any. Groups are in sets.
function groupChoice(desk) {
  if (desk.permissions.groups.length === 0) return null;
  const sets = [...new Set(desk.permissions.groups.map(({ set }) => set))];
  return h('select', { key: 'group', class: 'grid-period', 'aria-label': t('group.title'), onchange: event => desk.showGroup(event.target.value || null) },
    !desk.permissions.isLimited && h('option', { key: 'all', value: '', selected: desk.group === null }, t('group.all')),
    sets.map(set => h('optgroup', { key: set, label: set },
      desk.permissions.groups.filter(group => group.set === set).map(({ id, title }) => h('option', { key: id, value: id, selected: id === desk.group }, title)))));
}

class ClassPage {
  wide = true;
  within = '/classes';
  #view;
  #frame;
  #lists;
  #part;
  #menu = null;
  #resized = () => this.desk.redraw();

  constructor(app, taught, program, scheme, acts) {
    this.desk = new ClassDesk(app, taught, program, scheme, acts, () => {
      this.#frame?.update();
      app.redraw();
    });
    const openComments = (row, column) => this.desk.sheets.open(commentsSheet(this.desk, row, column));
    const openHistory = (row, column) => this.desk.sheets.open(cellHistorySheet(this.desk, row, column));
    const openMenu = menu => {
      this.#menu = menu;
      this.desk.redraw();
    };
    const ofStudent = {
      openStudent: row => this.#show('student', row.id),
      openLedger: row => this.desk.sheets.open(ledgerSheet(this.desk, row)),
      openTransfer: row => this.desk.sheets.open(transferSheet(this.desk, row, this.desk.sheets.close)),
      openLeaving: row => this.desk.sheets.open(leavingSheet(this.desk, row, this.desk.sheets.close)),
    };
    this.#lists = new ClassLists(this.desk, { openComments, openHistory, openMenu, ...ofStudent });
    this.#part = new StudentPart(this.desk);
    this.#frame = new GridFrame(this.desk, {
      openColumn: column => this.desk.sheets.open(columnMenu(this.desk, column, this.#show, this.#arrange)),
      arrange: changes => this.#arrange(changes),
      ...ofStudent,
      openCorrection: (row, column) => this.desk.sheets.open(askSheet(this.desk, row, column)),
      openComments,
      openHistory,
      openMenu,
      openOverride: (row, column) => this.desk.sheets.open(overrideSheet(this.desk, row, column)),
      openMarking: column => this.#show('column', column.key),
      openKeys: () => this.desk.sheets.open(keysSheet(this.desk)),
    });
    const asked = new URLSearchParams(location.search);
    this.#view = ['column', 'student'].includes(asked.get('view')) ? asked.get('view') : 'grid';
    if (this.#view !== 'grid') this.#lists[this.#view] = asked.get('of');
    this.desk.model.setArrangement(arrangementOf(asked));
    small.addEventListener('change', this.#resized);
  }

  title = () => this.desk.taught.title;

  /** Whether messages are shown in a sheet that stays open over the page. */
  get holdsToasts() {
    return this.desk.sheets.top?.holdsToasts ?? false;
  }

  onDocument(topic, held) {
    if (topic === this.desk.topic) this.desk.setClass(held.doc.class);
  }

  // A notice about a correction has a link that opens the corrections.
  #opened = () => {
    if (new URLSearchParams(location.search).has('corrections')) this.desk.sheets.open(correctionsSheet(this.desk));
  };

  // A phone has no room for the grid.
  get #shown() {
    return small.matches && this.#view === 'grid' ? 'column' : this.#view;
  }

  // The address contains the view, so that a view is a link.
  #show = (view, of = null) => {
    this.#lists.leave();
    this.#view = view;
    if (of !== null) this.#lists[view] = of;
    this.#address();
    this.desk.redraw();
  };

  #arrange = changes => {
    this.desk.model.setArrangement(changes);
    this.#address();
    this.desk.redraw();
  };

  #address() {
    const view = this.#view;
    const shown = view === 'grid' ? [] : [['view', view], ...(this.#lists[view] ? [['of', this.#lists[view]]] : [])];
    const query = new URLSearchParams([...shown, ...queryOf(this.desk.model.arrangement)]).toString();
    history.replaceState(null, '', location.pathname + (query ? `?${query}` : ''));
  }

  view() {
    const { desk } = this;
    const shown = this.#shown;
    if (desk.rows.isEnded) return endedCard();
    return h('div', { class: `class-page showing-${shown}`, onMount: this.#opened },
      h('div', { class: 'class-head' }, this.#head(), this.#tools()),
      h('div', { class: 'class-tools' },
        segments(t('class.views'), [['grid', t('class.grid')], ['column', t('grid.oneColumn')], ['student', t('grid.oneStudent')]].filter(([view]) => view !== 'grid' || !small.matches), shown, view => this.#show(view)),
        shown === 'grid' && this.#frame.search(),
        shown === 'grid' && [periodChoice(desk), sectionChoice(desk, { key: 'section', class: 'grid-period', 'aria-label': t('section.title') }, this.#arrange)],
        (shown === 'grid' || desk.permissions.isLimited) && groupChoice(desk)),
      beginning(desk, { columns: () => desk.sheets.open(structureSheet(desk)), students: () => desk.sheets.open(rosterSheet(desk)) }),
      peopleBar(desk, shown === 'grid' ? place => this.#frame.go(place) : null),
      shown !== 'grid' && this.#open(),
      shown === 'grid' && [this.#frame.view(), this.#open()],
      shown === 'column' && this.#lists.columnView(column => h('div', { class: 'tools' },
        column.isAnonymous && desk.permissions.mayTeach && this.#tool('eye', t('anonymous.reveal'), () => revealSheet(desk, column)),
        hasStatistics(column) && !column.isAnonymous && this.#tool('chart', t('statistics.open'), () => statisticsSheet(desk, column)),
        desk.permissions.mayTeach && takesCurve(column) && this.#tool('target', t('curve.open'), () => curveSheet(desk, column)))),
      shown === 'student' && this.#lists.studentView(row => this.#part.view(row, () => desk.sheets.open(ledgerSheet(desk, row)), column => desk.sheets.open(overrideSheet(desk, row, column)))),
      h('p', { class: 'visually-hidden', role: 'status' }, desk.spoken),
      this.#menu && contextMenu({ ...this.#menu, close: () => this.#closeMenu() }),
      desk.sheets.top?.());
  }

  #closeMenu() {
    this.#menu = null;
    this.desk.redraw();
  }

  /** Puts the focus into the grid when the page opens; returns whether it did. */
  takeFocus = () => this.#shown === 'grid' && this.#frame.takeFocus();

  #head() {
    const { taught, program, model } = this.desk;
    return h('div', { class: 'page-head' },
      h('a', { class: 'round', href: '/classes', 'aria-label': t('action.back') }, icon('back')),
      h('h1', { tabindex: '-1' }, named(taught.title)),
      h('p', { class: 'page-facts' },
        h('a', { class: 'pill', href: `/programs/${program.id}` }, isolate(program.title)),
        h('span', { class: 'pill' }, t('people.students', { count: model.rows.size })),
        this.#filtered(),
        taught.state !== 'open' && h('span', { class: 'pill' }, t(`class.state.${taught.state}`))));
  }

  // Tells how many students are hidden by filters, so that nobody believes they are gone.
  #filtered() {
    const { model } = this.desk;
    if (model.order.length === model.rows.size) return null;
    return h('button', {
      key: 'filtered', class: 'pill filtered', type: 'button', title: t('view.reset'),
      onclick: () => {
        model.setFilter('');
        this.desk.showGroup(null);
        this.#arrange({ only: new Set(), below: [], section: null });
      },
    }, t('view.shown', { shown: model.order.length, count: model.rows.size }), icon('close'));
  }

  #tool(symbol, text, sheet) {
    const { desk } = this;
    return h('button', { key: text, class: 'tool', type: 'button', onclick: () => desk.sheets.open(sheet(desk)) }, icon(symbol), h('span', null, text));
  }

  #tools() {
    const { desk } = this;
    const tool = (symbol, text, sheet) => this.#tool(symbol, text, sheet);
    return h('div', { class: 'tools' },
      desk.permissions.mayTeach && tool('programs', t('structure.open'), structureSheet),
      tool('eye', t('view.open'), opened => viewSheet(opened, this.#arrange)),
      tool('people', t('roster.open'), rosterSheet),
      !desk.permissions.isLimited && tool('history', t('ledger.open'), ledgerSheet),
      tool('download', t('export.open'), exportSheet),
      desk.permissions.mayGrade && tool('upload', t('file.open'), opened => importSheet(opened, this.#shown === 'grid' ? plan => this.#frame.showFile(plan) : null)),
      (desk.permissions.mayTeach || (desk.permissions.mayApprove && desk.taught.state === 'closed')) && tool('pencil', t('settings.open'), settingsSheet),
      this.#shown === 'grid' && tool('why', t('keys.open'), keysSheet));
  }

  // What is not in the class yet.
  #open() {
    const { corrections, state } = this.desk.taught;
    return [
      state === 'closed' && h('p', { key: 'closed', class: 'banner' },
        h('span', { class: 'grow' }, corrections > 0 ? t('corrections.waiting', { count: corrections }) : t(this.desk.permissions.mayCorrect ? 'corrections.closed' : 'settings.closed')),
        h('button', { class: 'button quiet small', type: 'button', onclick: () => this.desk.sheets.open(correctionsSheet(this.desk)) }, t('corrections.title'))),
      openBanners(this.desk, () => this.#goToTrouble()),
    ];
  }

  #goToTrouble() {
    const { desk } = this;
    const place = nextLeft(desk);
    if (!place) return;
    if (this.#shown === 'grid') return this.#frame.go(place);
    desk.model.go(desk.model.order.indexOf(place.row), desk.model.columns.indexOf(place.column));
    return this.#show('student', place.row.id);
  }

  // Enters what is being typed, wherever the user goes next.
  close = () => {
    this.#frame.leave();
    this.#lists.leave();
    this.desk.close();
    small.removeEventListener('change', this.#resized);
  };
}
