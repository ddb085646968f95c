"""What the browser keeps of the client, so that it opens without a network."""

from playwright.sync_api import Page

# Scripts and texts are loaded before the page is drawn; pictures may come later, and a page opens without them.
KEPT = """async () => {
    const cache = await caches.open('gradecast-shell');
    const loaded = performance.getEntriesByType('resource').map(entry => new URL(entry.name))
        .filter(url => url.search === '' && /^[/]app[/].*[.](js|json)$/.test(url.pathname)).map(url => url.pathname);
    const kept = await Promise.all(['/', ...loaded].map(path => cache.match(path)));
    return loaded.some(path => path.startsWith('/app/built/main-')) && kept.every(Boolean);
}"""


def kept(page: Page):
    """Waits until the service worker has everything that the page has loaded in order to be drawn."""
    # Files request other files: between two of them there may be nothing left to keep for a moment.
    page.wait_for_load_state("networkidle")
    page.wait_for_function(KEPT)
