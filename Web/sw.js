// Keeps the page itself, never anybody's data: with a network everything comes fresh from the server, without one the
// page that was loaded last still opens. Requests below /v1 are left alone.

const CACHE = 'gradecast-shell';
// The page at every address of the client. Other addresses answer other things, and none of them is kept as the page.
const SHELL = '/';
// The client has fewer files; what a server of long ago had makes room.
const MOST = 300;

self.addEventListener('install', event => {
  self.skipWaiting();
  event.waitUntil(renewShell());
});

self.addEventListener('activate', event => event.waitUntil(self.clients.claim()));

self.addEventListener('fetch', event => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== location.origin || url.pathname.startsWith('/v1/')) return;
  if (request.mode === 'navigate') event.respondWith(opened(event));
  else if (isPart(url)) event.respondWith(part(event, url.pathname));
});

// The first visit is over before this worker can listen to it: the page tells what it has loaded.
self.addEventListener('message', event => event.waitUntil(keepParts(event.data)));

const isPart = url => url.search === ''
  && (url.pathname.startsWith('/app/') || url.pathname === '/icon.svg' || url.pathname === '/manifest.webmanifest');

async function opened(event) {
  const cache = await caches.open(CACHE);
  try {
    const response = await fetch(event.request);
    const kept = await cache.match(SHELL);
    if (kept?.headers.get('etag') !== response.headers.get('etag')) event.waitUntil(renewShell().catch(() => {}));
    return response;
  } catch (error) {
    const kept = await cache.match(SHELL);
    if (kept) return kept;
    throw error;
  }
}

async function renewShell() {
  const response = await fetch(SHELL);
  const isPage = response.status === 200 && !response.redirected
    && response.headers.get('content-type')?.startsWith('text/html');
  if (!isPage) throw new TypeError('This is not the page.');
  await (await caches.open(CACHE)).put(SHELL, response);
}

// A file below `built` gets another name when it changes, so a copy of it is always current.
async function part(event, path) {
  const cache = await caches.open(CACHE);
  const held = path.startsWith('/app/built/') ? await cache.match(path) : null;
  if (held && isFile(held)) return held;
  try {
    const response = await fetch(event.request);
    if (isFile(response)) event.waitUntil(keep(cache, path, response.clone()));
    if (response.status === 404) event.waitUntil(cache.delete(path));
    return response;
  } catch (error) {
    const kept = await cache.match(path);
    if (kept) return kept;
    throw error;
  }
}

// A proxy in front of the server may answer a request for a file with a page of its own.
const isFile = response => response.status === 200 && !response.redirected
  && !response.headers.get('content-type')?.startsWith('text/html');

async function keepParts(addresses) {
  const cache = await caches.open(CACHE);
  const parts = [addresses].flat().slice(0, MOST).filter(address => URL.canParse(address))
    .map(address => new URL(address))
    .filter(url => url.origin === location.origin && isPart(url));
  await Promise.all(parts.map(async ({ pathname }) => {
    if (await cache.match(pathname)) return;
    const response = await fetch(pathname).catch(() => null);
    if (response && isFile(response)) await keep(cache, pathname, response);
  }));
}

async function keep(cache, path, response) {
  await cache.put(path, response);
  const others = (await cache.keys()).filter(request => new URL(request.url).pathname !== SHELL);
  await Promise.all(others.slice(0, Math.max(0, others.length - MOST)).map(request => cache.delete(request)));
}
