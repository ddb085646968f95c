"""Every page on a phone, in one tour of all of them."""

import pytest

SMALLEST = (320, 568)
PHONES = [SMALLEST, (375, 667), (414, 736), (568, 320), (736, 414)]
USUAL = (390, 844)

# Targets of presses, except links within a text: 24 pixels at least (WCAG 2.5.8).
TARGETS = """() => [...document.querySelectorAll('button, a[href], input, select, summary')]
    .filter(element => element.checkVisibility() && !element.matches('.visually-hidden, .skip, .segmented input')
      && getComputedStyle(element).display !== 'inline')
    .map(element => [element.innerText || element.name || element.className, element.getBoundingClientRect()])
    .filter(([, {width, height}]) => width > 0 && (width < 24 || height < 24))
    .map(([name, {width, height}]) => [name, width, height])"""


def held(page, size):
    width, height = size
    page.set_viewport_size({"width": width, "height": height})


@pytest.fixture(scope="module")
def found(gallery):
    """The faults, by the kind of check."""
    found = {"wide": [], "primary": [], "small": []}
    width, height = SMALLEST
    for name, page in gallery.tour(viewport={"width": width, "height": height}):
        for size in PHONES:
            held(page, size)
            wider = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            if wider > 0:
                found["wide"].append((name, *size, wider))
        held(page, USUAL)
        view = "dialog" if page.locator("dialog").count() > 0 else "main"
        primary = page.locator(f"{view} .button:not(.quiet):visible").all_inner_texts()
        if len(primary) > 1:
            found["primary"].append((name, primary))
        found["small"] += [(name, *target) for target in page.evaluate(TARGETS)]
        held(page, SMALLEST)
    return found


def test_no_page_scrolls_sideways_on_a_phone_however_it_is_held(found):
    assert found["wide"] == []


def test_a_phone_shows_one_primary_action(found):
    assert found["primary"] == []


def test_whatever_one_presses_is_large_enough(found):
    assert found["small"] == []
