"""What axe finds on a page."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

# What was asked for is drawn in the next frame, and begins to move in the one after it. Some things never rest.
STILL = """async () => {
    const frame = () => new Promise(requestAnimationFrame);
    const moving = () => document.getAnimations().filter(animation => animation.playState === 'running'
        && Number.isFinite(animation.effect.getComputedTiming().endTime));
    do {
        await Promise.allSettled(moving().map(animation => animation.finished));
        await frame();
        await frame();
    } while (moving().length > 0);
}"""


def violations(page: Page) -> list[tuple]:
    """Everything, once nothing on the page moves: a dialog that fades in has too little contrast on its way."""
    page.evaluate(STILL)
    return [
        (item["impact"], item["id"], node["target"], node.get("failureSummary"))
        for item in Axe().run(page).response["violations"]
        for node in item["nodes"][:1]
    ]


def serious(page: Page) -> list[tuple]:
    return [found for found in violations(page) if found[0] in ("serious", "critical")]
