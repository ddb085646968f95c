// Runs before the first paint: a chosen theme never flashes in other colours, and what every page asks the server first is on its
// way while the modules still come.
(() => {
  const theme = localStorage.getItem('gradecast.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  const early = { session: fetch('/v1/session', { headers: { accept: 'application/json' } }).catch(() => null), tabs: null };
  globalThis.early = early;
  if (!('BroadcastChannel' in globalThis)) return;
  // Another tab signs in or out meanwhile: what was asked before says nothing any more.
  early.tabs = new BroadcastChannel('gradecast.session');
  early.tabs.onmessage = () => { early.session = null; };
})();
