"""A person with a record at a browser whose network can be cut, and what this person does there."""

import time

import board
from account import Account
from conftest import PASSWORD, PATIENCE, Person
from line import Line
from playwright.sync_api import expect

FULL = ("100", "100", "100")


class Desk:
    """A person with a record, at a browser whose network can be cut, and the same account elsewhere."""

    def __init__(self, person: Person, line: Line, server):
        self.person = person.sign_up()
        self.page = self.person.new_record("chalkboard")
        self.path = self.page.url.removeprefix(line.url)
        self.record = self.path.rpartition("/")[2]
        self.elsewhere = Account(server.url, self.person.login)
        expect(self.page.locator(".connection")).to_contain_text("Live")

    def tab(self):
        page = self.person.window()
        page.goto(self.person.url + self.path)
        expect(page.locator(".connection")).to_contain_text("Live")
        return page

    def kept(self) -> dict:
        return self.page.evaluate("({...localStorage})")


def sign_in(page, login, password=PASSWORD):
    page.fill('[name="/login"]', login)
    page.fill('[name="/password"]', password)
    page.click("main button[type=submit]")


def sign_in_again(page, login):
    """Signs in again from the page that the user got when the session ended."""
    page.locator("main").get_by_role("link", name="Sign in").click()
    sign_in(page, login)


def add(page, *titles):
    for title in titles:
        board.added(page, title, *FULL)


def rename(page, old, new):
    page.locator(".board-line", has_text=old).click()
    sheet = page.get_by_role("dialog")
    sheet.locator('[name="/fields/title"]').fill(new)
    sheet.get_by_role("button", name="Save").click()
    expect(sheet).to_have_count(0)


def waits(page, count):
    expect(page.locator(".banner.waiting")).to_contain_text(f"{count} change")


def lines(page, *titles):
    expect(page.locator(".board-line")).to_have_text([f"{index}) {title} | 3" for index, title in enumerate(titles, 1)])
    expect(page.locator(".banner.waiting")).to_have_count(0)


# Waiting changes are sent again at any time, so requests about them are lost, too.
LOST = """([part, words]) => {
    const { fetch } = window;
    let isPressed = false;
    addEventListener('click', event => { isPressed ||= event.target.closest('button')?.textContent === words; }, true);
    addEventListener('mended', () => { isPressed = true; });
    window.fetch = (path, options) => (isPressed || (options?.method ?? 'GET') === 'GET' || !path.includes(part)
        ? fetch(path, options) : Promise.reject(new TypeError('lost')));
}"""


def lose_until_pressed(page, part, words):
    """Loses what the page sends to addresses with this part, until the button with these words is pressed."""
    page.evaluate(LOST, [part, words])


def lose_no_more(page):
    """Ends ``lose_until_pressed`` without a press."""
    page.evaluate("() => dispatchEvent(new Event('mended'))")


def hold(page, pattern):
    """Holds requests back from the network; the list that it returns grows with each."""
    held = []
    page.route(pattern, lambda route: held.append(route))
    return held


def held_one(page, held):
    deadline = time.monotonic() + PATIENCE / 1000
    while not held:
        assert time.monotonic() < deadline, "no request was sent"
        page.wait_for_timeout(20)
    return held[0]


def send_later(desk, title, pattern="**/entries"):
    """Adds a course without a network. Once there is one again, returns the course's request, which is held back."""
    desk.person.context.set_offline(True)
    add(desk.page, title)
    waits(desk.page, 1)
    held = hold(desk.page, pattern)
    desk.person.context.set_offline(False)
    return held_one(desk.page, held)
