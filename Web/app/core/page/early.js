// Runs before the first paint, so that a chosen theme never flashes in other colours, and so that the request that
// every page makes first is under way while the modules still load.
(() => {
  const theme = localStorage.getItem('gradecast.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  const early = {
    session: fetch('/v1/session', { headers: { accept: 'application/json' } }).catch(() => null), tabs: null,
  };
  globalThis.early = early;
  if (!('BroadcastChannel' in globalThis)) return;
  // If another tab signs in or out meanwhile, the earlier answer no longer holds.
  early.tabs = new BroadcastChannel('gradecast.session');
  early.tabs.onmessage = () => { early.session = null; };
})();
