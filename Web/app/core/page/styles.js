// Loads style sheets that only one page needs, together with that page.

const loaded = new Map();

/** Resolves when the sheet applies, so that a page is never shown without its style. */
export function useStyles(path) {
  if (!loaded.has(path)) {
    loaded.set(path, new Promise(resolve => {
      const link = document.createElement('link');
      link.rel = 'stylesheet';
      link.href = path;
      link.onload = link.onerror = resolve;
      document.head.append(link);
    }));
  }
  return loaded.get(path);
}
