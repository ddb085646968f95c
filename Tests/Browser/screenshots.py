"""Takes pictures of every page, light and dark, on a phone and on a desktop; then the same in French and Chinese, and
on a phone held sideways: `screenshots.py FOLDER [NAME…]`, where names choose pages and looks. Renews the README's
picture, too."""

import os
import pathlib
import sys
import tempfile

from conftest import Server
from gallery import Gallery
from playwright.sync_api import sync_playwright

PHONE, DESK = {"width": 375, "height": 667}, {"width": 1280, "height": 800}
LOOKS = {
    f"{size}-{theme}": {"viewport": viewport, "color_scheme": theme}
    for size, viewport in (("phone", PHONE), ("desktop", DESK))
    for theme in ("light", "dark")
}
LOOKS |= {
    f"{size}-{language}": {"viewport": viewport, "language": language}
    for size, viewport in (("phone", PHONE), ("desktop", DESK))
    for language in ("fr", "zh-Hans")
}
# The README's picture: the top of one page.
COVER, COVER_SIZE = "iut", {"width": 1280, "height": 720}
COVERS = pathlib.Path(__file__).resolve().parents[2] / "docs" / "images"
LOOKS["landscape"] = {"viewport": {"width": 667, "height": 375}}


def draw(folder: pathlib.Path, gallery: Gallery, wanted: set):
    looks = wanted & LOOKS.keys() or LOOKS.keys()
    names = wanted - LOOKS.keys()
    for look in sorted(looks):
        for name, page in gallery.tour(**LOOKS[look]):
            if names and name not in names:
                continue
            # For an open dialog, only the screen is taken; otherwise the whole page.
            whole = page.locator("dialog[open]").count() == 0
            picture(page, folder / f"{name}-{look}.png", whole)
            if name == COVER and look in ("desktop-light", "desktop-dark"):
                page.set_viewport_size(COVER_SIZE)
                page.screenshot(path=COVERS / f"record-{look.removeprefix('desktop-')}.png")
                page.set_viewport_size(DESK)


def picture(page, path: pathlib.Path, whole: bool):
    """The screen, or the whole page on a screen that is tall enough for it: what sticks to an edge stays there."""
    size = page.viewport_size
    # A phone held sideways would turn upright if its screen grew.
    lies = size["height"] < size["width"] < 800
    height = page.evaluate("document.documentElement.scrollHeight") if whole and not lies else size["height"]
    page.set_viewport_size({"width": size["width"], "height": max(size["height"], height)})
    page.evaluate("scrollTo(0, 0)")
    page.screenshot(path=path)
    page.set_viewport_size(size)


def main(folder: pathlib.Path, wanted: set):
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        server = Server(pathlib.Path(data)).start()
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium-headless-shell"), args=["--no-sandbox"]
        )
        try:
            draw(folder, Gallery(browser, server.url, server.sign_ins()), wanted)
        finally:
            browser.close()
            server.stop()
    print(f"{len(list(folder.glob('*.png')))} pictures in {folder}")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "screenshots"), set(sys.argv[2:]))
