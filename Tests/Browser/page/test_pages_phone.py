"""Every page on a phone, and with large text, in one tour of all of them."""

import contextlib

import pytest
from playwright.sync_api import expect

SMALLEST = (320, 568)
PHONES = [SMALLEST, (375, 667), (414, 736), (568, 320), (736, 414)]
USUAL = (390, 844)
LAPTOP = (1280, 800)

# Targets of presses, except links within a text: 24 pixels at least (WCAG 2.5.8).
TARGETS = """() => [...document.querySelectorAll('button, a[href], input, select, summary')]
    .filter(element => element.checkVisibility() && !element.matches('.visually-hidden, .skip, .segmented input')
      && getComputedStyle(element).display !== 'inline')
    .map(element => [element.innerText || element.name || element.className, element.getBoundingClientRect()])
    .filter(([, {width, height}]) => width > 0 && (width < 24 || height < 24))
    .map(([name, {width, height}]) => [name, width, height])"""

# By how much a page or its dialog is too wide, and the places in the bar whose names run into their neighbours.
WIDE = """() => {
    const dialogs = [...document.querySelectorAll('dialog')].map(dialog => dialog.scrollWidth - dialog.clientWidth);
    const wider = Math.max(document.documentElement.scrollWidth - innerWidth, ...dialogs);
    const places = [...document.querySelectorAll('.tabs a')].filter(place => place.checkVisibility()).map(place => place.getBoundingClientRect());
    const names = [...document.querySelectorAll('.tabs a > span')].filter(name => name.checkVisibility());
    const crowded = names.filter((name, index) => {
        const {left, right} = name.getBoundingClientRect();
        return left < places[index].left - 1 || right > places[index].right + 1 || left < 0 || right > innerWidth;
    });
    return [wider, crowded.map(name => name.textContent)];
}"""

# Words of headings that go on in a second line, and choices of which only the beginning is seen.
CUT = """() => {
    const faults = [];
    for (const heading of document.querySelectorAll('h1, h2, h3')) {
        const texts = document.createTreeWalker(heading, NodeFilter.SHOW_TEXT);
        while (texts.nextNode()) {
            const text = texts.currentNode;
            for (const {0: word, index} of text.data.matchAll(/\\p{L}+/gu)) {
                const range = document.createRange();
                range.setStart(text, index);
                range.setEnd(text, index + word.length);
                const lines = new Set([...range.getClientRects()].map(({top}) => Math.round(top)));
                if (lines.size > 1 && !/\\p{Script=Han}/u.test(word)) faults.push(['heading', word]);
            }
        }
    }
    const canvas = document.createElement('canvas').getContext('2d');
    for (const select of document.querySelectorAll('select')) {
        if (!select.checkVisibility() || !select.selectedOptions[0]) continue;
        const style = getComputedStyle(select);
        canvas.font = style.font;
        const room = select.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
        const text = select.selectedOptions[0].text;
        if (canvas.measureText(text).width > room + 1) faults.push(['choice', select.name, text]);
    }
    return faults;
}"""


# Words of the places in the bar that go on in a second line or beyond their place, and places beyond the bar.
BROKEN = """() => {
    const faults = [];
    const bar = document.querySelector('.tabs');
    if (bar.scrollWidth > bar.clientWidth + 1) faults.push(['bar', bar.scrollWidth]);
    for (const place of bar.querySelectorAll('a')) {
        const name = place.querySelector('span');
        if (name.scrollWidth > name.clientWidth + 1) faults.push(['cut', name.textContent]);
        for (const {0: word, index} of name.textContent.matchAll(/\\p{L}+/gu)) {
            const range = document.createRange();
            range.setStart(name.firstChild, index);
            range.setEnd(name.firstChild, index + word.length);
            const boxes = [...range.getClientRects()];
            if (new Set(boxes.map(({top}) => Math.round(top))).size > 1) faults.push(['broken', word]);
        }
    }
    return faults;
}"""


def held(page, size):
    width, height = size
    if page.viewport_size != {"width": width, "height": height}:
        page.set_viewport_size({"width": width, "height": height})


@contextlib.contextmanager
def doubled(page, sessions, pixels=32):
    """The page as those see it who have set the browser's text to twice its size, or to another one."""
    # A tour stays in one page for many names.
    if page not in sessions:
        sessions[page] = page.context.new_cdp_session(page)
    sessions[page].send("Page.setFontSizes", {"fontSizes": {"standard": pixels}})
    yield
    sessions[page].send("Page.setFontSizes", {"fontSizes": {"standard": 16}})


@pytest.fixture(scope="module")
def found(gallery):
    """The faults, by the kind of check."""
    found = {"wide": [], "primary": [], "small": [], "cut": [], "large": [], "crowded": []}
    width, height = SMALLEST
    sessions = {}
    for name, page in gallery.tour(viewport={"width": width, "height": height}):
        for size in PHONES:
            held(page, size)
            wider, crowded = page.evaluate(WIDE)
            if wider > 0:
                found["wide"].append((name, *size, wider))
            found["crowded"] += [(name, *size, place) for place in crowded]
        held(page, USUAL)
        view = "dialog" if page.locator("dialog").count() > 0 else "main"
        primary = page.locator(f"{view} .button:not(.quiet):visible").all_inner_texts()
        if len(primary) > 1:
            found["primary"].append((name, primary))
        found["small"] += [(name, *target) for target in page.evaluate(TARGETS)]
        found["cut"] += [(name, *fault) for fault in page.evaluate(CUT)]
        with doubled(page, sessions):
            for size in (USUAL, LAPTOP):
                held(page, size)
                wider, crowded = page.evaluate(WIDE)
                if wider > 0:
                    found["large"].append((name, *size, wider))
                found["crowded"] += [(name, *size, place) for place in crowded]
        held(page, SMALLEST)
    return found


def test_no_page_scrolls_sideways_on_a_phone_however_it_is_held(found):
    assert found["wide"] == []


def test_a_phone_shows_one_primary_action(found):
    assert found["primary"] == []


def test_whatever_one_presses_is_large_enough(found):
    assert found["small"] == []


def test_no_page_scrolls_sideways_where_text_is_twice_as_large(found):
    assert found["large"] == []


def test_the_names_of_places_do_not_run_into_each_other(found):
    assert found["crowded"] == []


def test_no_heading_breaks_a_word_and_no_choice_is_cut(found):
    assert found["cut"] == []


@pytest.mark.parametrize("role", [None, "teacher", "registrar", "administrator"])
@pytest.mark.parametrize("locale", ["en-US", "fr-FR", "zh-CN"])
def test_no_place_in_the_bar_breaks_a_word(staff, newcomer, locale, role):
    look = {"locale": locale, "viewport": {"width": USUAL[0], "height": USUAL[1]}}
    person = staff(role, **look) if role else newcomer(**look).sign_up()
    page = person.open("/profile")
    expect(page.locator(".tabs a")).not_to_have_count(0)
    found, sessions = [], {}
    for width in (USUAL[0], 360):
        held(page, (width, USUAL[1]))
        found += [(width, *fault) for fault in page.evaluate(BROKEN)]
        # With large text the bar may scroll, and the names of places may be hidden.
        for pixels in (20, 24, 32):
            with doubled(page, sessions, pixels):
                found += [(width, pixels, *fault) for fault in page.evaluate(BROKEN) if fault[0] == "broken"]
    assert found == []
