"""The grid of a class as users work with it: visible places, keys, the clipboard, and what the browser keeps."""

from playwright.sync_api import expect
from waiting import eventually

MIDTERM, LAB, QUIET = 3, 4, 5


def opened(room, person=None):
    """The class's grid, with the focus in the first cell of the first column."""
    person = person or room.teacher
    page = person.open(room.page)
    expect(names(page).first).to_be_visible()
    cell(page, 0, 0).click()
    return page


def names(page):
    return page.locator(".grid-row:not([hidden]) .grid-name")


def ordered(page, room):
    """The names of the whole class in the order of the grid."""
    expect(names(page)).to_have_count(len(room.rows))
    return names(page).all_inner_texts()


def cell(page, row, column):
    """A cell by its visible place, not counting headers."""
    return page.locator(f'[aria-rowindex="{row + 2}"] [aria-colindex="{column + 2}"][role=gridcell]:not([hidden])')


def head(page, column):
    return page.locator(f'.grid-th[aria-colindex="{column + 2}"]:not([hidden])')


def settled(page):
    """Waits until everything entered has reached the server."""
    # What a key enters is drawn in the next frame.
    page.evaluate("() => new Promise(requestAnimationFrame)")
    states = ':is([data-state="sending"], [data-state="waiting"])'
    expect(page.locator(f":is(.grid-cell, .marks > li){states}")).to_have_count(0)


def keys(page, *all_):
    for key in all_:
        page.keyboard.press(key)


def type_in(page, *texts):
    """Types texts, each with Enter."""
    for text in texts:
        page.keyboard.type(text)
        page.keyboard.press("Enter")


def paste(page, text):
    page.evaluate(
        """text => {
             const data = new DataTransfer();
             data.setData('text/plain', text);
             document.activeElement.dispatchEvent(new ClipboardEvent('paste', {clipboardData: data, bubbles: true, cancelable: true}));
           }""",
        text,
    )


def copied(page, act="copy"):
    return page.evaluate(
        """act => {
             const data = new DataTransfer();
             document.activeElement.dispatchEvent(new ClipboardEvent(act, {clipboardData: data, bubbles: true, cancelable: true}));
             return data.getData('text/plain');
           }""",
        act,
    )


def cut(page):
    return copied(page, "cut")


def said(page):
    """The last message to screen readers."""
    return page.locator(".class-page > [role=status]").last


def kept(page):
    """The number of acts that the browser keeps because they are not in their class yet."""
    return page.evaluate("Object.keys(localStorage).filter(key => key.startsWith('gradecast.cell.')).length")


def holding(page, pattern="**/v1/classes/**"):
    """Holds back what the page enters; each request is added to `held`."""
    held = []
    page.route(pattern, lambda route: route.continue_() if route.request.method == "GET" else held.append(route))
    return held


def one_of(page, held):
    """The first request that is held back, once there is one."""
    eventually(page, lambda: held)
    return held.pop(0)
