// Loads style sheets that not every page needs, together with the first page that needs them.

import { isBundled } from '../values/bundled.js';

const loaded = new Map();

/**
 * Loads sheets by their names, as far as they are not there yet; the bundled client has one file of what one call names.
 * Resolves when they apply, so that a page is never shown without its style.
 */
export function useStyles(...names) {
  const missing = names.filter(name => !loaded.has(name));
  const files = isBundled && missing.length > 0 ? [missing] : missing.map(name => [name]);
  for (const file of files) {
    const applied = apply(`/app/css/${file.join('-')}.css`);
    for (const name of file) loaded.set(name, applied);
  }
  return Promise.all(names.map(name => loaded.get(name)));
}

function apply(address) {
  return new Promise(resolve => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = address;
    link.onload = link.onerror = resolve;
    document.head.append(link);
  });
}
