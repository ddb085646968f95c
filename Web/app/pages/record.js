// One record: its scheme's view over the live document, with why, what-if, goal and history.

import { h, named } from '../core/page/dom.js';
import { date, label, t, time, useTexts } from '../core/text/i18n.js';
import { useStyles } from '../core/page/styles.js';
import { StoredBook, SandboxBook } from '../core/data/book.js';
import { changedEntries, walk } from '../core/values/tree.js';
import { viewFor } from '../schemes/views.js';
import { Desk } from '../parts/record/desk.js';
import { figureOf, figureText } from '../parts/record/figure.js';
import { icon } from '../parts/frame/icons.js';
import { pendingCards } from '../parts/record/pending.js';
import { signInInvitation } from '../parts/account/invitation.js';
import { ClassRows } from '../parts/record/classRows.js';
import { goalSheet } from '../parts/record/goal.js';
import { historySheet } from '../parts/record/history.js';
import { schemeOf } from '../parts/program/programScheme.js';
import { confirmation } from '../parts/frame/dialog.js';

export async function open(app, { id }) {
  const { account } = app.store.state;
  if (!account) return signInInvitation(t('record.title'));
  const path = `/v1/records/${id}`;
  const [{ body, place }, judged,
    people] = await Promise.all([path, `${path}/program`, `${path}/people`].map(address => app.http.get(address)));
  const { program, view: sight, may } = judged.body;
  const scheme = await schemeOf(app, program);
  const isStaff = sight === 'full';
  const topic = isStaff ? `record/${id}/staff` : `record/${id}`;
  app.documents.accept(topic, place, body);
  const view = await viewFor(scheme);
  const stored = new StoredBook(app, topic, scheme, program, may.includes('write'));
  const shares = may.includes('share');
  const desk = new Desk(app, stored, scheme, {
    staff: isStaff, removes: may.includes('delete'), mayGive: may.includes('give'), names: namesOf(people),
    sheets: { ...view.sheets, goal: goalSheet },
  });
  const rows = new ClassRows(app, stored, !isStaff, () => {
    desk.redraw();
    desk.sheet?.refresh?.();
  });
  rows.follow();
  const unwatch = app.live.watch(topic);
  // Without its lines a class shows only its total.
  await stored.assemble().catch(() => {});
  // A scheme without a view of its own is represented by its first figure.
  const mainFigure = view.mainFigure ?? scheme.figures.find(figure => !figure.kind && !figure.family)?.name;
  const owner = isStaff ? people.body.student?.displayName ?? t('program.noStudent') : null;
  const page = {
    owner,
    // Staff come from the program, and go back there.
    within: isStaff ? '/programs' : '/records',
    wide: view.wide ?? false,
    mainFigure,
    shares,
    title: () => program.title,
    view: () => draw(page, desk, stored, view),
    onDocument(changed, held) {
      rows.onDocument(changed, held);
      if (changed !== topic || !held.before) return;
      rows.follow();
      rows.read();
      if (held.doc.standing.programVersion !== stored.program.version) judgeAnew(app, desk, stored);
      const ids = changedEntries(held.before.record.entries, held.doc.record.entries);
      if (hasStranger(desk, held.doc.record)) learnNames(desk);
      desk.flash(ids.filter(entry => !app.edits.isOwn(entry)));
    },
    // After a session, a what-if is not restored, and what was typed for it is not put into the record.
    again: () => (desk.book === stored
      ? {
        open: { sheet: desk.sheet?.again ?? null, view: view.typed?.(desk)?.open ?? null },
        typed: view.typed?.(desk)?.texts,
      } : null),
    reopen({ sheet, view: typed }) {
      if (typed) view.retype(desk, typed);
      return (sheet ? desk.reopen(sheet) : false) || Boolean(typed);
    },
    close() {
      unwatch();
      rows.close();
    },
  };
  rows.settle();
  // The page of a class has a link to the what-if.
  if (new URLSearchParams(location.search).has('whatIf')) imagine(desk, stored);
  return page;
}

const namesOf = ({ body }) => new Map(body.staff.map(person => [person.id, person.displayName]));

// Whether a staff member entered something whose name is not known yet.
function hasStranger(desk, record) {
  const things = [record, ...Array.from(walk(record.entries), ({ entry }) => entry)];
  return things.some(({ enteredBy, given }) => [
    ...Object.values(enteredBy?.fields ?? {}), enteredBy?.status,
    ...[given?.figures, given?.outcomes].flatMap(values => Object.values(values ?? {}).map(value => value.by)),
  ].some(id => id && !desk.names.has(id)));
}

async function learnNames(desk) {
  desk.names = namesOf(await desk.app.http.get(`/v1/records/${desk.book.id}/people`));
  desk.redraw();
}

// The record was moved to another version of the rules, which changes the view, too.
async function judgeAnew(app, desk, stored) {
  const { program } = (await app.http.get(`/v1/records/${stored.id}/program`)).body;
  const scheme = await schemeOf(app, program);
  Object.assign(stored, { program, scheme });
  desk.scheme = scheme;
  app.redraw();
}

function draw(page, desk, stored, view) {
  const { app } = desk;
  const ended = app.store.state.ended[stored.topic];
  if (!stored.doc || ended) return endedCard(ended);
  const sandbox = desk.book.mode === 'sandbox';
  return h('div', {
    class: `record ${sandbox ? 'sandbox' : ''}`, 'data-scope': sandbox ? 'sandbox' : null, inert: desk.isOpening,
    'aria-busy': desk.isOpening ? 'true' : null,
  },
    h('div', { class: 'page-head' },
      h('a', {
        class: 'round', href: page.owner ? `/programs/${stored.program.id}/records` : '/records',
        'aria-label': t('action.back'),
      }, icon('back')),
      h('h1', { tabindex: '-1' }, named(page.owner ?? page.title())),
      page.owner && h('p', { class: 'page-facts' },
        h('a', { href: `/programs/${stored.program.id}/records` }, named(page.title()))),
      tools(desk, stored, page)),
    onPaper(page, app),
    sandbox && sandboxBanner(desk, stored),
    sinceWhen(app),
    spoken(desk, page.mainFigure),
    !desk.staff && !stored.editable && stored.program.entry !== 'staff'
      && h('p', { class: 'since' }, t('record.readOnly')),
    pendingCards(desk, stored),
    !sandbox && classLinks(desk, stored),
    view.draw(desk),
    desk.sheet?.view());
}

// On a screen it is clear whose page this is and that it is current; a printed page has to say so.
const onPaper = (page, app) => h('p', { class: 'on-paper' },
  !page.owner && app.store.state.account && [named(app.store.state.account.displayName), ' · '], date(Date.now()));

function tools(desk, stored, { mainFigure, shares }) {
  const sandbox = desk.book.mode === 'sandbox';
  return h('div', { class: 'tools' },
    !sandbox && tool('flask', t('whatIf.open'), () => imagine(desk, stored)),
    !sandbox && tool('target', t('goal.open'), () => desk.open(goalSheet(desk))),
    !sandbox && tool('history', t('history.open'), () => desk.open(historySheet(desk, mainFigure))),
    !sandbox && shares && tool('people', t('sharing.open'), () => desk.attempt(async () => {
      const [{ sharingSheet }] = await Promise.all([import('../parts/record/sharing.js'), useTexts('people'),
        useStyles('people')]);
      desk.open(sharingSheet(desk));
    }), t('sharing.title')),
    !sandbox && desk.removes && tool('trash', t('action.delete'), () => desk.open(deletion(desk)), t('record.delete')));
}

// Until everything is loaded, nothing can be changed: changes for a what-if must not get into the record.
async function imagine(desk, stored) {
  desk.isOpening = true;
  desk.redraw();
  await desk.attempt(async () => {
    try {
      desk.book = await SandboxBook.over(stored);
    } finally {
      desk.isOpening = false;
    }
  });
}

function tool(symbol, text, onclick, name = text) {
  return h('button', { class: 'tool', type: 'button', onclick, title: name, 'aria-label': name },
    icon(symbol),
    h('span', null, text));
}

function sandboxBanner(desk, stored) {
  const { count } = desk.book;
  return h('div', { class: 'banner sandbox-banner', role: 'status' },
    icon('flask'),
    h('div', { class: 'grow' },
      h('strong', null, t('whatIf.title')),
      h('p', null, count > 0 ? t('whatIf.changes', { count }) : t('whatIf.text'))),
    h('button', {
      class: 'button quiet',
      type: 'button',
      onclick: () => {
        desk.book = stored;
        desk.redraw();
      },
    }, t('whatIf.leave')));
}

// An entry that represents a row of a class has a link to it.
function classLinks(desk, stored) {
  const { links } = stored;
  return links.length > 0 && h('nav', { class: 'actions class-links', 'aria-label': t('nav.classes') },
    links.map(entry => h('a', {
      key: entry.id, class: 'button quiet small', href: `/records/${stored.id}/classes/${entry.id}`,
    }, icon('grid'), t('record.inClass', { title: desk.titleOf(entry.id) }))));
}

// Screen readers announce the main figure when it changes, wherever the change came from.
function spoken(desk, name) {
  const described = desk.scheme.figures.find(figure => figure.name === name && !figure.kind);
  return described && h('p', { class: 'visually-hidden', role: 'status' },
    t('outcome.is', { name: label(described.label, name), state: figureText(figureOf(desk.book, name)) }));
}

// While the connection is down, the figures are still shown, with the time up to which they are known to be correct.
function sinceWhen(app) {
  const { kind, asOf } = app.store.state.connection;
  if (kind === 'live' || kind === 'connecting' || kind === 'idle' || !asOf) return null;
  return h('p', { class: 'since' }, t('live.figuresAsOf', { time: time(asOf) }));
}

function endedCard(why) {
  return h('section', { class: 'card problem', role: 'alert' },
    h('h1', { tabindex: '-1' }, t(why === 'gone' ? 'record.gone' : 'record.revoked')),
    h('a', { class: 'button', href: '/records' }, t('nav.records')));
}

function deletion(desk) {
  return {
    view: () => confirmation({
      key: 'record',
      title: t('record.delete'),
      text: t('record.deleteText'),
      action: t('action.delete'),
      close: desk.close,
      confirm: async () => {
        desk.close();
        if (await desk.attempt(() => desk.app.http.delete(`/v1/records/${desk.book.id}`))) desk.app.go('/records');
      },
    }),
  };
}
