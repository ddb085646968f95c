// Loads style sheets that not every page needs, together with the first page that needs them.

const loaded = new Map();

/** Resolves when the sheets of these names apply, so that a page is never shown without its style. */
export const useStyles = (...names) => Promise.all(names.map(name => {
  if (!loaded.has(name)) loaded.set(name, apply(`/app/css/${name}.css`));
  return loaded.get(name);
}));

function apply(address) {
  return new Promise(resolve => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = address;
    link.onload = link.onerror = resolve;
    document.head.append(link);
  });
}
