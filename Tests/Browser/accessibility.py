"""What axe finds on a page."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page


def violations(page: Page) -> list[tuple]:
    """Everything, once nothing on the page moves: a dialog that fades in has too little contrast on its way."""
    page.evaluate("Promise.allSettled(document.getAnimations().map(animation => animation.finished))")
    return [
        (item["impact"], item["id"], node["target"], node.get("failureSummary"))
        for item in Axe().run(page).response["violations"]
        for node in item["nodes"][:1]
    ]


def serious(page: Page) -> list[tuple]:
    return [found for found in violations(page) if found[0] in ("serious", "critical")]
