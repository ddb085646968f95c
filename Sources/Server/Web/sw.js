// Keeps the page itself, never anybody's data: with a network everything comes fresh from the server, without one the
// last page that was loaded still opens. Requests below /v1 are left alone.

const CACHE = 'gradecast-shell';

self.addEventListener('install', event => {
  self.skipWaiting();
  event.waitUntil(caches.open(CACHE).then(cache => cache.add('/')));
});

self.addEventListener('activate', event => event.waitUntil(self.clients.claim()));

self.addEventListener('fetch', event => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== location.origin || !isShell(request, url)) return;
  event.respondWith(fresh(request));
});

// The first visit is over before this worker can listen to it: the page tells what it has loaded.
self.addEventListener('message', event => event.waitUntil(keep(event.data)));

async function keep(addresses) {
  const cache = await caches.open(CACHE);
  const shell = addresses.map(address => new URL(address)).filter(url => url.origin === location.origin && isShell({}, url));
  await Promise.all(shell.map(async ({ href }) => (await cache.match(href)) ?? cache.add(href).catch(() => null)));
}

const isShell = (request, url) =>
  !url.pathname.startsWith('/v1/')
  && (request.mode === 'navigate' || url.pathname.startsWith('/app/') || /^\/(icon\.svg|manifest\.webmanifest)$/.test(url.pathname));

async function fresh(request) {
  const cache = await caches.open(CACHE);
  const key = request.mode === 'navigate' ? '/' : request;
  try {
    const response = await fetch(request);
    if (response.ok) await cache.put(key, response.clone());
    return response;
  } catch (error) {
    const kept = await cache.match(key);
    if (kept) return kept;
    throw error;
  }
}
