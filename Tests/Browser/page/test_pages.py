"""Every page, one after the other: what axe finds, small screens, languages."""

import pytest
from accessibility import serious
from gallery import Gallery
from texts import LANGUAGES, shown

PHONES = [(320, 568), (375, 667), (414, 736), (568, 320), (736, 414)]


@pytest.fixture(scope="module")
def gallery(browser, url, server):
    if server is None:
        pytest.skip("needs the demo server's own sign-ins")
    return Gallery(browser, url, server.sign_ins())


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_serious_on_any_page(gallery, theme):
    found = []
    for name, page in gallery.tour(color_scheme=theme):
        found += [(name, *violation) for violation in serious(page)]
    assert found == []


def test_no_page_scrolls_sideways_on_a_phone_however_it_is_held(gallery):
    found = []
    for name, page in gallery.tour(viewport={"width": 320, "height": 568}):
        for width, height in PHONES:
            page.set_viewport_size({"width": width, "height": height})
            wider = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            if wider > 0:
                found.append((name, width, height, wider))
        page.set_viewport_size({"width": 320, "height": 568})
    assert found == []


def test_a_phone_shows_one_primary_action(gallery):
    found = []
    for name, page in gallery.tour(viewport={"width": 390, "height": 844}):
        view = "dialog" if page.locator("dialog").count() > 0 else "main"
        primary = page.locator(f"{view} .button:not(.quiet):visible").all_inner_texts()
        if len(primary) > 1:
            found.append((name, primary))
    assert found == []


# What one presses, besides links within a text: 24 pixels at least (WCAG 2.5.8).
TARGETS = """() => [...document.querySelectorAll('button, a[href], input, select, summary')]
    .filter(element => element.checkVisibility() && !element.matches('.visually-hidden, .skip, .segmented input')
      && getComputedStyle(element).display !== 'inline')
    .map(element => [element.innerText || element.name || element.className, element.getBoundingClientRect()])
    .filter(([, {width, height}]) => width > 0 && (width < 24 || height < 24))
    .map(([name, {width, height}]) => [name, width, height])"""


def test_whatever_one_presses_is_large_enough(gallery):
    found = []
    for name, page in gallery.tour(viewport={"width": 390, "height": 844}):
        found += [(name, *target) for target in page.evaluate(TARGETS)]
    assert found == []


@pytest.mark.parametrize("language", ["fr", "zh-Hans"])
def test_no_page_speaks_english_to_others(gallery, language):
    own = set(LANGUAGES[language].values())
    english = {text for text in LANGUAGES["en"].values() if "{" not in text} - own
    # Titles of courses, items and programs are whatever somebody called them.
    english -= {"GPA", "Midterm", "Final", "Assignments", "Administration"}
    found = []
    for name, page in gallery.tour(language=language):
        found += sorted((name, text) for text in shown(page) if text in english or text in LANGUAGES["en"])
    assert found == []
