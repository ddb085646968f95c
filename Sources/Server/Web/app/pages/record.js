// One record: its scheme's view over the live document, with why, what-if, goal and history.

import { h } from '../core/dom.js';
import { label, t, time } from '../core/i18n.js';
import { StoredBook, SandboxBook } from '../core/book.js';
import { changedEntries } from '../core/tree.js';
import { isAdministrator, keeps, registers } from '../core/session.js';
import { viewFor } from '../schemes/views.js';
import { Desk } from '../parts/desk.js';
import { figureOf, figureText } from '../parts/figure.js';
import { icon } from '../parts/icons.js';
import { pendingCards } from '../parts/pending.js';
import { signInInvitation } from '../parts/invitation.js';
import { goalSheet } from '../parts/goal.js';
import { historySheet } from '../parts/history.js';
import { confirmation } from '../parts/dialog.js';

export async function open(app, { id }) {
  const { account } = app.store.state;
  if (!account) return signInInvitation(t('record.title'));
  const { body, place } = await app.http.get(`/v1/records/${id}`);
  const scheme = await app.catalogue.scheme(body.standing.scheme);
  const program = await app.catalogue.program(body.record.program);
  const rights = await rightsOn(app, id, program);
  const topic = rights.staff ? `record/${id}/staff` : `record/${id}`;
  app.documents.accept(topic, place, body);
  const [view, abilities] = await Promise.all([viewFor(scheme), app.catalogue.abilities()]);
  const unwatch = app.live.watch(topic);
  const stored = new StoredBook(app, topic, scheme, program, rights.write);
  const desk = new Desk(app, stored, scheme, { staff: rights.staff, removes: rights.remove, abilities });
  // A scheme that nobody here has heard of is known by its first figure.
  const mainFigure = view.mainFigure ?? scheme.figures.find(figure => !figure.kind && !figure.family)?.name;
  const owner = rights.staff ? await ownerOf(app, id) : null;
  const page = {
    owner,
    wide: view.wide ?? false,
    mainFigure,
    title: () => program.title,
    view: () => draw(page, desk, stored, view),
    onDocument(changed, held) {
      if (changed !== topic || !held.before) return;
      const ids = changedEntries(held.before.record.entries, held.doc.record.entries);
      desk.flash(ids.filter(entry => !app.edits.isOwn(entry)));
      desk.sheet?.refresh?.();
    },
    close: unwatch,
  };
  return page;
}

// Whoever keeps the program's records sees the full view, as does an administrator on somebody else's record; who may
// write is the program's choice. The server decides by the same rule; here it picks the topic and the buttons.
async function rightsOn(app, id, program) {
  const { state } = app.store;
  const keeper = keeps(state, program);
  const mine = !keeper && !isAdministrator(state) ? true : await isMine(app, id);
  const write = (keeper && program.entry !== 'self') || (mine && program.entry !== 'staff');
  // What staff may have had a part in is not the student's alone to take away.
  return { staff: keeper || !mine, write, remove: write && (registers(state, program) || (mine && program.entry === 'self')) };
}

// Whose record it is, for staff; one's own needs no name.
const ownerOf = async (app, id) => (await app.http.get(`/v1/records/${id}/people`).catch(() => null))?.body.student?.displayName ?? null;

async function isMine(app, id) {
  for (let path = '/v1/records'; path;) {
    const { body, next } = await app.http.get(path);
    if (body.items.some(item => item.id === id)) return true;
    path = next;
  }
  return false;
}

function draw(page, desk, stored, view) {
  const { app } = desk;
  const ended = app.store.state.ended[stored.topic];
  if (!stored.doc || ended) return endedCard(ended);
  const sandbox = desk.book.mode === 'sandbox';
  return h('div', { class: `record ${sandbox ? 'sandbox' : ''}` },
    h('div', { class: 'page-head' },
      h('a', { class: 'round', href: page.owner ? `/programs/${stored.program.id}/records` : '/records', 'aria-label': t('action.back') }, icon('back')),
      h('h1', { tabindex: '-1' }, page.owner ? h('bdi', null, page.owner) : page.title()),
      page.owner && h('p', { class: 'page-facts' }, h('a', { href: `/programs/${stored.program.id}/records` }, page.title())),
      tools(desk, stored, page.mainFigure)),
    sandbox && sandboxBanner(desk, stored),
    sinceWhen(app),
    spoken(desk, page.mainFigure),
    pendingCards(desk, stored),
    view.draw(desk),
    desk.sheet?.view());
}

function tools(desk, stored, mainFigure) {
  const sandbox = desk.book.mode === 'sandbox';
  return h('div', { class: 'tools' },
    !sandbox && tool('flask', t('whatIf.open'), () => desk.attempt(async () => {
      desk.book = await SandboxBook.over(stored);
    })),
    !sandbox && desk.can('goals') && tool('target', t('goal.open'), () => desk.open(goalSheet(desk))),
    !sandbox && tool('history', t('history.open'), () => desk.open(historySheet(desk, mainFigure))),
    !sandbox && desk.removes && tool('trash', t('action.delete'), () => desk.open(deletion(desk)), t('record.delete')));
}

function tool(symbol, text, onclick, name = text) {
  return h('button', { class: 'tool', type: 'button', onclick, title: name, 'aria-label': name }, icon(symbol), h('span', null, text));
}

function sandboxBanner(desk, stored) {
  const { count } = desk.book;
  return h('div', { class: 'banner sandbox-banner', role: 'status' },
    icon('flask'),
    h('div', { class: 'grow' },
      h('strong', null, t('whatIf.title')),
      h('p', null, count > 0 ? t('whatIf.changes', { count }) : t('whatIf.text'))),
    h('button', {
      class: 'button',
      type: 'button',
      onclick: () => {
        desk.book = stored;
        desk.redraw();
      },
    }, t('whatIf.leave')));
}

// Who listens to the page hears the main figure when it moves, wherever the change came from.
function spoken(desk, name) {
  const described = desk.scheme.figures.find(figure => figure.name === name && !figure.kind);
  return described && h('p', { class: 'visually-hidden', role: 'status' },
    `${label(described.label, name)}: ${figureText(figureOf(desk.book, name))}`);
}

// While the connection is down the figures are still shown, with the time up to which they are known to be true.
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
