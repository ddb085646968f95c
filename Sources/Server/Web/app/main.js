// Puts the parts together, once, and draws the page whenever the state changes.

import { createStore } from './core/store.js';
import { createHTTP } from './core/http.js';
import { createDocuments } from './core/documents.js';
import { LiveChannel } from './core/live.js';
import { honestState } from './core/liveRules.js';
import { createSession } from './core/session.js';
import { createCatalogue } from './core/catalogue.js';
import { createRouter } from './core/router.js';
import { Edits } from './core/edits.js';
import { Unreachable } from './core/http.js';
import { render } from './core/dom.js';
import { loadLanguage, preferredLanguage, chooseLanguage, t } from './core/i18n.js';
import { routes } from './routes.js';
import { layout } from './parts/layout.js';
import { problemCard } from './parts/problem.js';

const store = createStore({
  account: undefined,
  institutions: [],
  connection: { kind: 'idle' },
  edits: [],
  ended: {},
  toasts: [],
  path: location.pathname,
});

let page = null;
let frame = 0;
let restoring = null;

// One drawing a frame; a hidden page gets no frames, yet its title and its other windows must not wait.
const redraw = () => {
  if (frame) return;
  frame = document.hidden ? setTimeout(draw) : requestAnimationFrame(draw);
};

const http = createHTTP({ onSignedOut: () => session.ended() });
const documents = createDocuments((topic, held) => {
  page?.onDocument?.(topic, held);
  redraw();
});
const catalogue = createCatalogue(http);
const edits = new Edits({ http, store, documents });
const session = createSession({ http, store, onChange: accountChanged });

const live = new LiveChannel({
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
  onVerdict: () => session.start().catch(() => {}),
});

const app = { store, http, documents, catalogue, edits, session, live, redraw, say, go: path => router.go(path) };
const router = createRouter(routes, open);

// The institutions an account belongs to, with its role in each, decide what the navigation offers.
async function learnInstitutions(account) {
  store.set({ institutions: account ? await catalogue.institutions().catch(() => []) : [] });
}

async function accountChanged(account) {
  documents.clear();
  store.set({ ended: {} });
  await learnInstitutions(account);
  edits.restore(account);
  live.restart();
  if (account?.locale && !localStorage.getItem('gradecast.language')) {
    chooseLanguage(account.locale).then(redraw, () => {});
  }
  if (page) router.start();
}

function reconnected() {
  edits.flush();
  if (page?.problem instanceof Unreachable) router.start();
}

/** Shows a short message that goes away by itself. */
function say(text, kind = 'info') {
  const toast = { id: performance.now(), text, kind };
  store.set({ toasts: [...store.state.toasts, toast] });
  setTimeout(() => store.set({ toasts: store.state.toasts.filter(item => item !== toast) }), 6000);
}

async function open(match, path) {
  const token = (restoring = {});
  try {
    const module = await (match ? match.load() : import('./pages/missing.js'));
    const next = await module.open(app, match?.values ?? {});
    if (restoring === token) show(next, path);
    else next.close?.();
  } catch (error) {
    if (restoring === token) show(failed(error), path);
  }
}

function show(next, path) {
  page?.close?.();
  const moved = store.state.path !== path;
  page = next;
  store.set({ path });
  draw();
  if (moved) {
    scrollTo(0, 0);
    document.querySelector('main h1')?.focus();
  }
}

const failed = problem => ({
  problem,
  title: () => t('error.title'),
  view: () => problemCard(problem, () => router.start()),
});

function draw() {
  frame = 0;
  if (!page) return;
  document.title = `${page.title()} · Gradecast`;
  render(document.getElementById('app'), layout(app, page));
}

store.subscribe(redraw);
addEventListener('unhandledrejection', event => {
  if (event.reason instanceof Unreachable) event.preventDefault();
});

await loadLanguage(preferredLanguage());
await session.start().catch(() => store.set({ account: null }));
router.start();
if ('serviceWorker' in navigator) navigator.serviceWorker.register('/sw.js').catch(() => {});
