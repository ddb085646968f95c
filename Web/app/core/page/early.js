// Runs before the first paint: a chosen theme never flashes in other colours, and what every page asks the server first is on its
// way while the modules still come.
(() => {
  const theme = localStorage.getItem('gradecast.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  globalThis.early = { session: fetch('/v1/session', { headers: { accept: 'application/json' } }).catch(() => null) };
})();
