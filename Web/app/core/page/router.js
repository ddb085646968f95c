// Maps addresses to pages. A route is a pattern such as "/records/:id" and a function that loads its page.

// The parameters that a route may have: they become part of the server's addresses and must not lead out of them.
const name = /^[A-Za-z0-9][A-Za-z0-9._~-]{0,127}$/;

export function createRouter(routes, onMove) {
  const compiled = routes.map(([pattern, load]) => ({ parts: pattern.split('/').filter(Boolean), load }));

  function match(path) {
    const parts = path.split('/').filter(Boolean);
    for (const route of compiled) {
      if (route.parts.length !== parts.length) continue;
      const values = {};
      const fits = route.parts.every((part, index) => {
        if (!part.startsWith(':')) return part === parts[index];
        values[part.slice(1)] = parts[index];
        return name.test(parts[index]);
      });
      if (fits) return { load: route.load, values };
    }
    return null;
  }

  const move = () => onMove(match(location.pathname), location.pathname);

  addEventListener('popstate', move);
  document.addEventListener('click', event => {
    const link = event.target.closest?.('a[href]');
    if (!link || event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    if (link.origin !== location.origin || link.target || link.hasAttribute('download')) return;
    if (link.hash && link.pathname === location.pathname) return;
    if (!match(link.pathname)) return;
    event.preventDefault();
    go(link.pathname + link.search + link.hash);
  });

  function go(path, { replace = false } = {}) {
    if (replace) history.replaceState(null, '', path);
    else if (path !== location.pathname + location.search + location.hash) history.pushState(null, '', path);
    move();
  }

  /** Starts loading the page of the current address before it can be opened. */
  const fetchAhead = () => match(location.pathname)?.load().catch(() => {});

  return { go, start: move, fetchAhead };
}
