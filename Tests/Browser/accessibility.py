"""Accessibility faults that axe finds on a page."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

# A change is drawn in the next frame, and its animation begins in the frame after that. Finishes all animations, except
# those that never end.
STILL = """async () => {
    const frame = () => new Promise(requestAnimationFrame);
    const moving = () => document.getAnimations().filter(animation => animation.playState === 'running'
        && Number.isFinite(animation.effect.getComputedTiming().endTime));
    do {
        for (const animation of moving()) animation.finish();
        await frame();
        await frame();
    } while (moving().length > 0);
}"""


# The readability of elements is tested only for the first two of all neighbours that look the same in each of their
# parts: it takes most of the time, and a list has hundreds of them.
RUN = """async rules => {
    const looks = element => {
        const style = getComputedStyle(element);
        const own = [...element.childNodes].filter(node => node.nodeType === Node.TEXT_NODE);
        const text = own.map(({ data }) => data.trim()).join('');
        // Axe judges no single letter.
        return [
            element.localName, element.className, element.disabled, element.value?.length > 1, text.length > 1,
            /[\\p{L}\\p{N}]/u.test(text), style.color, style.backgroundColor, style.backgroundImage, style.opacity,
            style.fontSize, style.fontWeight, style.textShadow, style.display, style.visibility,
        ].join();
    };
    const marked = [];
    const look = element => {
        const parts = [...element.children].map(child => [child, look(child)]);
        const known = new Map();
        for (const [child, text] of parts) {
            known.set(text, (known.get(text) ?? 0) + 1);
            if (known.get(text) > 2) marked.push(child);
        }
        return `${looks(element)}(${parts.map(([, text]) => text).join()})`;
    };
    look(document.body);
    for (const element of marked) element.setAttribute('data-same', '');
    axe.configure({ rules: [{ id: 'color-contrast', selector: ':not([data-same], [data-same] *)' }] });
    const only = rules && { runOnly: { type: 'rule', values: rules } };
    const { violations } = await axe.run(document, { resultTypes: ['violations'], ...only });
    for (const element of marked) element.removeAttribute('data-same');
    return violations.map(({ impact, id, nodes: [node] }) => [impact, id, node.target, node.failureSummary]);
}"""
SCRIPT = Axe().axe_script
# The rules about colours: only these can give another result in another theme.
COLOURS = ["color-contrast", "link-in-text-block"]


def violations(page: Page, rules: list[str] | None = None) -> list[tuple]:
    """All faults, once nothing on the page moves: a dialog that fades in has too little contrast meanwhile."""
    page.evaluate(STILL)
    if not page.evaluate("'axe' in window"):
        page.evaluate(SCRIPT)
    return [tuple(found) for found in page.evaluate(RUN, rules)]


def themes(pages) -> dict[str, list[tuple]]:
    """Serious faults of pages in the light theme, and those that the colours of the dark theme add."""
    found = {"light": [], "dark": []}
    for name, page in pages:
        found["light"] += [(name, *violation) for violation in serious(page)]
        page.emulate_media(color_scheme="dark")
        found["dark"] += [(name, *violation) for violation in serious(page, COLOURS)]
        page.emulate_media(color_scheme="light")
    return found


def serious(page: Page, rules: list[str] | None = None) -> list[tuple]:
    return [found for found in violations(page, rules) if found[0] in ("serious", "critical")]
