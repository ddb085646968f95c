// Runs before the first paint, so that a chosen theme never flashes in other colours.
(() => {
  const theme = localStorage.getItem('gradecast.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
})();
