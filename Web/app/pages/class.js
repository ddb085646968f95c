// A class: its grid, and the views of one column and of one student.

import { h, named } from '../core/page/dom.js';
import { t } from '../core/text/i18n.js';
import { isolate } from '../core/text/isolate.js';
import { signInInvitation } from '../parts/account/invitation.js';
import { contextMenu } from '../parts/frame/contextMenu.js';
import { icon } from '../parts/frame/icons.js';
import { segments } from '../parts/frame/segments.js';
import { rulesOfClass, schemeOf } from '../parts/program/programScheme.js';
import { arrangementOf, queryOf } from './grid/arrangement.js';
import { groupChoice, periodChoice, sectionChoice } from './grid/choices.js';
import { hasStatistics, takesCurve } from './grid/columns.js';
import { ClassDesk } from './grid/desk.js';
import { endedCard } from './grid/endedCard.js';
import { GridFrame } from './grid/frame.js';
import { beginning } from './grid/beginning.js';
import { nextLeft } from './grid/left.js';
import { peopleBar } from './grid/peopleBar.js';
import { ClassLists } from './grid/lists.js';
import { openBanners } from './grid/trouble.js';
import { StudentPart } from './grid/studentPart.js';

const small = matchMedia('(max-width: 47.4375em)');

// The sheets are a file of their own, which is loaded once the grid is shown.
let sheets = null;
const loadSheets = async () => (sheets ??= await import('./grid/sheets/all.js'));
const whenIdle = globalThis.requestIdleCallback ?? (act => setTimeout(act, 1000));

export async function open(app, { id }) {
  if (!app.store.state.account) return signInInvitation(t('classes.title'));
  app.live.begin();
  const [taught, early, acts] = await Promise.all([
    app.http.get(`/v1/classes/${encodeURIComponent(id)}`), app.catalogue.isNew ? rulesOfClass(app, id) : null,
    app.cellActs(),
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
  whenIdle(() => loadSheets().catch(() => {}));
  return page;
}

async function rulesOfProgram(app, id) {
  const program = await app.catalogue.program(id);
  return { program, scheme: await schemeOf(app, program) };
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
    const openMenu = menu => {
      this.#menu = menu;
      this.desk.redraw();
    };
    const sheet = make => (...of) => this.#open(all => make(all, ...of));
    const opens = {
      openComments: sheet(({ commentsSheet }, row, column) => commentsSheet(this.desk, row, column)),
      openHistory: sheet(({ cellHistorySheet }, row, column) => cellHistorySheet(this.desk, row, column)),
      openMenu,
      openStudent: row => this.#show('student', row.id),
      openLedger: sheet(({ ledgerSheet }, row) => ledgerSheet(this.desk, row)),
      openTransfer: sheet(({ transferSheet }, row) => transferSheet(this.desk, row, this.desk.sheets.close)),
      openLeaving: sheet(({ leavingSheet }, row) => leavingSheet(this.desk, row, this.desk.sheets.close)),
    };
    this.#lists = new ClassLists(this.desk, opens);
    this.#part = new StudentPart(this.desk);
    this.#frame = new GridFrame(this.desk, {
      ...opens,
      openColumn: sheet(({ columnMenu }, column) => columnMenu(this.desk, column, this.#show, this.#arrange)),
      arrange: changes => this.#arrange(changes),
      openCorrection: sheet(({ askSheet }, row, column) => askSheet(this.desk, row, column)),
      openOverride: this.#openOverride,
      openMarking: column => this.#show('column', column.key),
      openKeys: sheet(({ keysSheet }) => keysSheet(this.desk)),
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

  // Once the sheets are there, one opens at once: what is typed after a key that opens it goes into it.
  #open = make => {
    if (sheets) this.desk.sheets.open(make(sheets));
    else loadSheets().then(() => this.#open(make), this.desk.app.lacks);
  };

  #openOverride = (row, column) => this.#open(({ overrideSheet }) => overrideSheet(this.desk, row, column));
  #openCorrections = () => this.#open(({ correctionsSheet }) => correctionsSheet(this.desk));

  // A notice about a correction has a link that opens the corrections.
  #opened = () => {
    if (new URLSearchParams(location.search).has('corrections')) this.#openCorrections();
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
        segments(t('class.views'),
          [['grid', t('class.grid')], ['column', t('grid.oneColumn')],
            ['student', t('grid.oneStudent')]].filter(([view]) => view !== 'grid' || !small.matches),
          shown, view => this.#show(view)),
        shown === 'grid' && this.#frame.search(),
        shown === 'grid'
          && [periodChoice(desk),
            sectionChoice(desk, { key: 'section', class: 'grid-period', 'aria-label': t('section.title') },
              this.#arrange)],
        (shown === 'grid' || desk.permissions.isLimited) && groupChoice(desk)),
      beginning(desk, {
        columns: () => this.#open(({ structureSheet }) => structureSheet(desk)),
        students: () => this.#open(({ rosterSheet }) => rosterSheet(desk)),
      }),
      peopleBar(desk, shown === 'grid' ? place => this.#frame.go(place) : null),
      shown !== 'grid' && this.#waiting(),
      shown === 'grid' && [this.#frame.view(), this.#waiting()],
      shown === 'column' && this.#lists.columnView(column => h('div', { class: 'tools' },
        column.isAnonymous && desk.permissions.mayTeach
          && this.#tool('eye', t('anonymous.reveal'), ({ revealSheet }) => revealSheet(desk, column)),
        hasStatistics(column) && !column.isAnonymous
          && this.#tool('chart', t('statistics.open'), ({ statisticsSheet }) => statisticsSheet(desk, column)),
        desk.permissions.mayTeach && takesCurve(column)
          && this.#tool('target', t('curve.open'), ({ curveSheet }) => curveSheet(desk, column)))),
      shown === 'student'
        && this.#lists.studentView(row =>
          this.#part.view(row, () => this.#open(({ ledgerSheet }) => ledgerSheet(desk, row)),
            column => this.#openOverride(row, column))),
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
    const writes = model.order.length > 0 && h('button', {
      key: 'message', class: 'pill filtered', type: 'button',
      onclick: () => this.#open(({ messageSheet }) => messageSheet(this.desk)),
    }, icon('comment'), t('message.open'));
    return [h('button', {
      key: 'filtered', class: 'pill filtered', type: 'button', title: t('view.reset'),
      onclick: () => {
        model.setFilter('');
        this.desk.showGroup(null);
        this.#arrange({ only: new Set(), below: [], section: null });
      },
    }, t('view.shown', { shown: model.order.length, count: model.rows.size }), icon('close')), writes];
  }

  #tool(symbol, text, make) {
    return h('button', { key: text, class: 'tool', type: 'button', onclick: () => this.#open(make) },
      icon(symbol),
      h('span', null, text));
  }

  #tools() {
    const { desk } = this;
    const { permissions } = desk;
    const show = this.#shown === 'grid' ? plan => this.#frame.showFile(plan) : null;
    return h('div', { class: 'tools' },
      permissions.mayTeach && this.#tool('programs', t('structure.open'), ({ structureSheet }) => structureSheet(desk)),
      this.#tool('eye', t('view.open'), ({ viewSheet }) => viewSheet(desk, this.#arrange)),
      this.#tool('people', t('roster.open'), ({ rosterSheet }) => rosterSheet(desk)),
      !permissions.isLimited && this.#tool('history', t('ledger.open'), ({ ledgerSheet }) => ledgerSheet(desk)),
      this.#tool('download', t('export.open'), ({ exportSheet }) => exportSheet(desk)),
      permissions.mayGrade && this.#tool('upload', t('file.open'), ({ importSheet }) => importSheet(desk, show)),
      (permissions.mayTeach || (permissions.mayApprove && desk.taught.state === 'closed'))
        && this.#tool('pencil', t('settings.open'), ({ settingsSheet }) => settingsSheet(desk)),
      this.#shown === 'grid' && this.#tool('why', t('keys.open'), ({ keysSheet }) => keysSheet(desk)));
  }

  // What is not in the class yet.
  #waiting() {
    const { corrections, state } = this.desk.taught;
    return [
      state === 'closed' && h('p', { key: 'closed', class: 'banner' },
        h('span', { class: 'grow' },
          corrections > 0
            ? t('corrections.waiting', { count: corrections })
            : t(this.desk.permissions.mayCorrect ? 'corrections.closed' : 'settings.closed')),
        h('button', { class: 'button quiet small', type: 'button', onclick: this.#openCorrections },
          t('corrections.title'))),
      this.desk.isUnseen && h('p', { key: 'unseen', class: 'banner' }, t('settings.unseen')),
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
