// Puts the parts together, and draws the page whenever the state changes.

import { createStore } from './core/values/store.js';
import { createHTTP, Problem, Unreachable } from './core/net/http.js';
import { createDocuments } from './core/data/documents.js';
import { LiveChannel } from './core/live/live.js';
import { honestState } from './core/live/liveRules.js';
import { createSession, isUnfinished } from './core/net/session.js';
import { createCatalogue } from './core/data/catalogue.js';
import { createRouter } from './core/page/router.js';
import { createWaker } from './core/live/waker.js';
import { render } from './core/page/dom.js';
import { keepsCells } from './core/storage/kept.js';
import { language, speak, t } from './core/text/i18n.js';
import { isolate } from './core/text/isolate.js';
import { enrolment, isForEverybody, isForGuests, routes } from './routes.js';
import { layout } from './parts/frame/layout.js';
import { mayPass, problemCard } from './parts/frame/problem.js';

const store = createStore({
  account: undefined,
  memberships: [],
  connection: { kind: 'idle' },
  edits: [],
  ended: {},
  toasts: [],
  path: location.pathname,
});

let page = null;
let pending = null;
let restoring = null;

// Draws at most once in a frame; the timer serves hidden pages, which get no frames.
const redraw = () => {
  if (pending) return;
  pending = { frame: requestAnimationFrame(draw), timer: setTimeout(draw, 150) };
};

const http = createHTTP({
  language,
  account: () => store.state.account?.id,
  onSignedOut: id => session.ended(id),
  onUnfinished: () => isUnfinished(store.state) || session.start().catch(() => {}),
  prove: async asked => (await import('./parts/account/proof.js')).askProof(app, asked),
});
const documents = createDocuments((topic, held) => {
  page?.onDocument?.(topic, held);
  redraw();
});
const catalogue = createCatalogue(http);
const session = createSession({ http, store, prepare, onChange: accountChanged });
// Guests need none of these.
let edits = null;
let drafts = null;
let draftCards = null;
let offerCards = null;
// Sends results to classes; created with the first class that is opened, or if some were left on this device.
let cells = null;
let seal = null;
// The live channel was refused: ask the server again who uses the page.
let isUncertain = false;

const live = new LiveChannel({
  url: `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/v1/live`,
  client: 'web/1.0',
  documents,
  ticket: async () => (store.state.account ? (await http.post('/v1/live/tickets')).body.ticket : null),
  async fetch(topic, href) {
    const { body, place } = await http.get(href);
    documents.accept(topic, place, body);
  },
  onStatus(status) {
    const before = store.state.connection.kind;
    store.set({ connection: honestState(status) });
    if (store.state.connection.kind === 'live' && before !== 'live') reconnected();
  },
  onEnded: (topic, why) => store.set({ ended: { ...store.state.ended, [topic]: why } }),
  onVerdict(code) {
    isUncertain = code === 4501 || code === 4503;
    waker.urge();
  },
});

const waker = createWaker({
  isNeeded: () => store.state.account === undefined || isUncertain || isBroken() || (edits?.isWaiting ?? false),
  act: tryAgain,
});

const app = {
  proof: null, palette: null, menu: null, store, http, documents, catalogue, get edits() { return edits; },
  get drafts() { return drafts; }, get draftCards() { return draftCards; }, get offerCards() { return offerCards; },
  get cells() { return cells; }, get seal() { return seal; }, cellActs, waker, session, live, redraw, say, lacks,
  go: (path, options) => router.go(path, options),
};
const router = createRouter(routes, open);

const signedInParts = () => import('./signedIn.js');

// Show an account as signed in only once its edits can be stored.
async function prepare({ sealingKey }) {
  const parts = await signedInParts();
  edits ??= new parts.Edits({
    http,
    documents,
    account: () => store.state.account?.id,
    isLive: () => store.state.connection.kind === 'live',
    onChange: all => store.set({ edits: all }),
    waker: least => waker.rest(least),
  });
  drafts ??= new parts.Drafts(redraw);
  draftCards = parts.draftCards;
  offerCards = parts.offers;
  return { seal: await parts.createSeal(sealingKey) };
}

async function cellActs() {
  const { CellActs } = await import('./core/edits/cellActs.js');
  cells ??= new CellActs(http, createWaker, redraw);
  await cells.open(store.state.account, seal);
  return cells;
}

async function accountChanged(account, prepared, session) {
  const isCurrent = () => store.state.account?.id === account?.id;
  await edits?.settled();
  drafts?.keep(page, store.state.path);
  documents.clear();
  live.forget();
  // Nobody else may undo what the previous user did.
  store.set({ ended: {}, toasts: store.state.toasts.filter(({ undo }) => !undo) });
  const opened = account?.enrolment ? null : account;
  if (prepared || !opened) await Promise.all([edits, drafts, cells].map(each => each?.open(opened, prepared?.seal)));
  if (prepared) ({ seal } = prepared);
  if (prepared && keepsCells(account.id)) cellActs();
  if (!isCurrent()) return;
  store.set({ memberships: session?.memberships ?? [], offers: session?.invitations ?? [] });
  if (!account?.enrolment) live.restart();
  await speak(account?.locale).catch(() => {});
  if (page) router.start();
  waker.urge();
}

function reconnected() {
  isUncertain = false;
  waker.urge();
}

const isBroken = () => page?.problem !== undefined && mayPass(page.problem);

// Retries what waits: who uses the page, the page itself, and what was typed.
async function tryAgain() {
  if (store.state.account === undefined) return begin();
  if (isUncertain) {
    await session.start();
    isUncertain = false;
    live.revive();
  }
  if (isBroken()) router.start();
  if (!isUnfinished(store.state)) await edits?.flush({ ifFree: true });
}

/** Shows a short message for a while; with `undo` it has an undo button, and stays longer. */
function say(text, kind = 'info', undo = null) {
  const toast = { id: performance.now(), text, kind, undo: undo && (() => {
    store.set({ toasts: store.state.toasts.filter(item => item !== toast) });
    undo();
  }) };
  store.set({ toasts: [...store.state.toasts, toast] });
  setTimeout(() => store.set({ toasts: store.state.toasts.filter(item => item !== toast) }), undo ? 15000 : 6000);
}

// The address stays, so that the page opens once the second factor is set up.
function load(match, path) {
  if (isUnfinished(store.state) && !isForEverybody(path)) return enrolment();
  return match ? match.load() : import('./pages/missing.js');
}

async function open(match, path) {
  const token = (restoring = {});
  const account = store.state.account?.id;
  let next;
  try {
    const module = await load(match, path);
    next = await module.open(app, match?.values ?? {});
  } catch (error) {
    if (error instanceof TypeError && await isOutdated() && mayReload()) return location.reload();
    next = await failed(error instanceof TypeError && !navigator.onLine ? new Unreachable(error.message) : error);
  }
  if (restoring !== token) return next.close?.();
  if (store.state.account?.id === account) return show(next, path);
  // Another account uses the page by now; the change came before there was a page to open again.
  next.close?.();
  return router.start();
}

// After an upgrade the server no longer has the files of the build from which this page was loaded.
async function isOutdated() {
  const answer = await fetch('/', { headers: { Accept: 'text/html' } }).catch(() => null);
  return Boolean(answer?.ok) && !(await answer.text()).includes(new URL(import.meta.url).pathname);
}

// Tells that a file of the page did not come.
async function lacks() {
  say(t(await isOutdated() ? 'error.outdated' : 'error.unreachable'), 'bad');
}

// The user is leaving the page anyway, so nothing typed is lost. The wait prevents endless reloading while servers of
// two builds answer in turn.
function mayReload() {
  const last = Number(sessionStorage.getItem('gradecast.reloaded'));
  if (Date.now() - last < 30000) return false;
  sessionStorage.setItem('gradecast.reloaded', String(Date.now()));
  return true;
}

function show(next, path) {
  page?.close?.();
  app.menu = null;
  const moved = store.state.path !== path;
  page = next;
  store.set({ path });
  draw();
  // A dialog can only open over a page that is drawn.
  if (drafts?.reopen(page, path)) draw();
  waker.rest();
  if (moved) scrollTo(0, 0);
  // A page that is meant for typing takes the focus itself, unless it is somewhere else already.
  const isTaken = (moved || document.activeElement === document.body) && page.takeFocus?.();
  if (moved && !isTaken) document.querySelector('main h1')?.focus();
}

// A page that requires signing in says so, and leads to the sign-in and back.
async function failed(problem) {
  if (problem.status === 401) {
    return (await import('./parts/account/invitation.js')).signInInvitation(t('signIn.title'));
  }
  // The card does not explain faults of the page itself; developers find them in the console.
  if (!(problem instanceof Problem || problem instanceof Unreachable)) console.error(problem);
  return { problem, title: () => t('error.title'), view: () => problemCard(problem, () => router.start()) };
}

function draw() {
  if (pending) {
    cancelAnimationFrame(pending.frame);
    clearTimeout(pending.timer);
    pending = null;
  }
  if (!page) return;
  document.title = `${isolate(page.title())} · Gradecast`;
  const drawn = () => render(document.getElementById('app'), layout(app, page));
  drawn();
  // No longer announce drafts that are back in their forms.
  if (drafts?.place(page, store.state.path)) drawn();
}

store.subscribe(redraw);
addEventListener('keydown', async event => {
  const isWish = event.key === 'k' && (event.ctrlKey || event.metaKey)
    || event.key === '/' && !event.target.closest('input, textarea, select, dialog, [role=grid]');
  if (!isWish || event.defaultPrevented) return;
  event.preventDefault();
  (await import('./parts/search/palette.js')).openPalette(app);
});
addEventListener('unhandledrejection', async event => {
  if (event.reason instanceof Unreachable) event.preventDefault();
  else if (event.reason instanceof TypeError && await isOutdated()) say(t('error.outdated'), 'bad');
});

// Until the server answers, the page must not look as if nobody were signed in.
async function begin() {
  try {
    await session.start();
    router.start();
  } catch (problem) {
    show({ problem, title: () => t('error.title'), view: () => problemCard(problem, begin) }, location.pathname);
  }
}

// What this visit has loaded can be opened again without a network.
async function keepShell() {
  await navigator.serviceWorker.register('/sw.js');
  const { active } = await navigator.serviceWorker.ready;
  active.postMessage(performance.getEntriesByType('resource').map(entry => entry.name));
}

// The language is known at once; its texts are loaded together with the page.
async function start() {
  const spoken = speak();
  router.fetchAhead();
  if (!isForGuests(location.pathname)) signedInParts().catch(() => {});
  await spoken;
  await begin();
  if ('serviceWorker' in navigator) keepShell().catch(() => {});
}

start();
