"""Edits under generated orders of events in a browser, its network, its server and its people.

Each order is drawn from a seed. `GRADECAST_SEED` sets the first seed, `GRADECAST_ORDERS` the number of orders.
"""

import json
import os
import random

import board
import pytest
from account import Account
from conftest import KEEPING, PASSWORD, Person
from line import Line
from playwright.sync_api import Error, expect

FIRST = int(os.environ.get("GRADECAST_SEED", "1"))
COUNT = int(os.environ.get("GRADECAST_ORDERS", "3"))
LENGTH = (6, 16)
EVENTS = {
    "add": 5, "rename": 4, "add_in_second_tab": 3, "rename_in_second_tab": 2, "undo": 1, "change_elsewhere": 3,
    "down": 3, "up": 2, "lose_answers": 2, "offline": 2, "online": 2, "reload": 3, "reload_second_tab": 1,
    "close_second_tab": 1, "end_session": 3, "sign_in": 4, "other_signs_in": 2, "sign_out": 2,
}  # fmt: skip

# Orders that once failed, when pages that could not be opened were not opened again.
KNOWN = (
    "end_session reload sign_in down sign_in change_elsewhere add add down reload offline reload add online",
    "down add add up end_session add",
    "add_in_second_tab offline add add_in_second_tab close_second_tab online",
    "lose_answers add rename reload up",
    "down add reload other_signs_in up other_signs_in sign_out sign_in",
)

ADD = """title => {
    const input = document.querySelector('.course-form [name="/fields/title"]');
    if (!input || input.form.querySelector('[type=submit]').ariaDisabled) return false;
    const set = (name, value) => { input.form.querySelector(`[name="${name}"]`).value = value; };
    set('/fields/title', title);
    set('/fields/credits', '3');
    for (const child of [0, 1, 2]) set(`/children/${child}/fields/points`, '90');
    window.typedInto = input;
    input.form.requestSubmit();
    return true;
}"""
OPEN = """number => {
    const lines = document.querySelectorAll('.board-line');
    if (lines.length === 0 || document.querySelector('dialog')) return false;
    lines[number % lines.length].click();
    return true;
}"""
RENAME = """title => {
    const input = document.querySelector('dialog [name="/fields/title"]');
    if (!input || input.form.querySelector('[type=submit]').ariaDisabled) return false;
    input.value = title;
    window.typedInto = input;
    input.form.requestSubmit();
    return true;
}"""
# The form no longer needs what was typed, or says what is wrong with it.
ANSWERED = """title => !window.typedInto.isConnected || window.typedInto.value !== title
    || window.typedInto.form.querySelector('.alert, [aria-invalid=true]') !== null"""
REFUSED = "title => window.typedInto.isConnected && window.typedInto.value === title"
KEPT = "Object.keys(localStorage).filter(key => key.startsWith('gradecast.edit')).length"


class House:
    """Two people who share a browser, and their accounts elsewhere."""

    def __init__(self, browser, server):
        self.browser, self.server = browser, server
        self.owner, self.other = (self.new_login() for _ in range(2))
        self.account = Account(server.url, self.owner)
        institutions = self.account.call("GET", "/v1/institutions")["items"]
        programs = [
            program
            for institution in institutions
            for program in self.account.call("GET", f"/v1/institutions/{institution['id']}/programs")["items"]
        ]
        self.program = next(
            program["id"] for program in programs if program["scheme"] == "chalkboard" and program["version"]
        )

    def new_login(self) -> str:
        person = Person(self.browser, self.server.url).sign_up()
        person.context.close()
        return person.login


@pytest.fixture(scope="module")
def house(browser, server):
    if server is None:
        pytest.skip("needs a server of its own")
    return House(browser, server)


class Story:
    """One order of events, and what has been typed in its course."""

    def __init__(self, house: House, seed: int):
        self.house = house
        self.random = random.Random(seed)
        self.line = Line(house.server.port)
        self.person = Person(house.browser, self.line.url, **KEEPING)
        self.context = self.person.context
        self.record = house.account.call("POST", "/v1/records", {"program": house.program})["record"]["id"]
        self.path = f"/records/{self.record}"
        house.account.call("POST", f"/v1/records/{self.record}/entries", board.course("Zero", 90))
        self.first = self.person.page
        self.second = None
        self.is_offline = False
        self.typed: list[str] = []
        self.happened: list[str] = []
        self.sign_in_as(house.owner)

    def close(self):
        self.context.close()
        self.line.close()

    # -- the current state

    @property
    def is_reachable(self) -> bool:
        return not (self.line.is_cut or self.line.loses_answers or self.is_offline)

    def signed_in(self) -> str | None:
        """The login whose session the browser has."""
        answer = self.context.request.get(self.line.url + "/v1/accounts/me")
        return answer.json()["login"] if answer.ok else None

    # -- events

    def play(self, events):
        for event in events:
            self.happened.append(event)
            getattr(self, event)()

    def submitted(self, page, script: str, kind: str):
        title = f"{kind} {len(self.typed) + 1}"
        if not page.evaluate(script, title):
            return
        self.typed.append(title)
        try:
            page.wait_for_function(ANSWERED, arg=title)
            if page.evaluate(REFUSED, title):
                self.typed[-1] = ""  # still in its form
        except Error as problem:
            if "navigat" not in str(problem) and "context" not in str(problem):
                raise

    def new_course(self, page):
        self.submitted(page, ADD, "Added")

    def new_title(self, page):
        if page.evaluate(OPEN, self.random.randrange(8)):
            page.wait_for_function("() => document.querySelector('dialog') || !document.querySelector('.board')")
            self.submitted(page, RENAME, "Renamed")
            page.keyboard.press("Escape")

    def add(self):
        self.new_course(self.first)

    def rename(self):
        self.new_title(self.first)

    def tab(self):
        if self.second is None:
            self.second = self.person.window()
            self.go(self.second, self.path)
        return self.second

    def add_in_second_tab(self):
        self.new_course(self.tab())

    def rename_in_second_tab(self):
        self.new_title(self.tab())

    def close_second_tab(self):
        if self.second:
            self.second.close()
            self.second = None

    def undo(self):
        # Whatever the answer is: what was typed is in the history.
        self.first.evaluate(
            "path => fetch(path, {method: 'POST', headers: {'content-type': 'application/json'}, body: '{}'})"
            ".catch(() => null).then(() => null)",
            f"/v1/records/{self.record}/undo",
        )

    def change_elsewhere(self):
        self.house.account.rename(self.record, f"Elsewhere {len(self.happened)}")

    def down(self):
        self.line.cut()

    def up(self):
        self.line.mend()

    def lose_answers(self):
        self.line.lose_answers()

    def offline(self):
        self.is_offline = True
        self.context.set_offline(True)

    def online(self):
        self.is_offline = False
        self.context.set_offline(False)

    def go(self, page, path=None):
        """Opens an address, or the page again. Without a network that may fail."""
        try:
            page.goto(self.line.url + path) if path else page.reload()
        except Error as problem:
            if "net::" not in str(problem) and "interrupted" not in str(problem):
                raise

    def reload(self):
        self.go(self.first)

    def reload_second_tab(self):
        if self.second:
            self.go(self.second)

    def end_session(self):
        self.house.account.end_other_sessions()

    def sign_in(self):
        if self.is_reachable and self.signed_in() is None:
            self.sign_in_as(self.house.owner)

    def other_signs_in(self):
        if self.is_reachable:
            self.sign_in_as(self.house.other)

    def sign_in_as(self, login: str):
        self.context.clear_cookies()
        self.go(self.first, f"/sign-in?next={self.path}")
        self.first.fill('[name="/login"]', login)
        self.first.fill('[name="/password"]', PASSWORD)
        self.first.click("main button[type=submit]")
        # Other people cannot see the owner's record.
        there = self.first.locator(".board" if login == self.house.owner else "main h1:has-text('Nothing here')")
        expect(there).to_be_visible()

    def sign_out(self):
        if not self.is_reachable or self.signed_in() is None:
            return
        page = self.first
        self.go(page, "/profile")
        page.get_by_role("button", name="Sign out", exact=True).click()
        question = page.get_by_role("dialog").get_by_role("button", name="Keep on this device")
        out = page.get_by_role("link", name="Sign in").first
        expect(question.or_(out).first).to_be_visible()
        if question.is_visible():
            question.click()
        expect(out).to_be_visible()
        self.go(page, self.path)

    # -- the end

    def recover(self):
        """The network, the server and the owner are back. A page that the owner left open recovers by itself."""
        self.online()
        self.up()
        if self.signed_in() != self.house.owner:
            self.sign_in_as(self.house.owner)
        for page in filter(None, (self.first, self.second)):
            if not page.url.startswith(self.line.url + self.path):
                self.go(page, self.path)
            expect(page.locator(".board")).to_be_visible()
            expect(page.locator(".banner.waiting")).to_have_count(0)
            expect(page.locator(".connection")).to_contain_text("Live")

    def check(self):
        # The last column of a conflict is the user's own value.
        cards = self.first.locator(".conflict td:last-child, .refused p")
        self.first.wait_for_function(f"() => {KEPT} === document.querySelectorAll('.conflict, .refused').length")
        shown = "\n".join(cards.all_inner_texts()) + "\n"
        history = self.house.account.history(self.record)
        entered = [
            step["after"]["fields"].get("title")
            for item in json.loads(history)
            if item["op"] in ("add", "patch", "changes")
            for step in (item["after"] if isinstance(item["after"], list) else [item])
            if step["after"]
        ]
        for title in filter(None, self.typed):
            places = entered.count(title) + (f"{title}\n" in shown or f"{title}," in shown)
            assert places == 1, f"{title} is in {places} places after {' '.join(self.happened)}; {entered} {shown}"


def orders():
    for number, events in enumerate(KNOWN):
        yield pytest.param(number, events.split(), id=f"known-{number}")
    for seed in range(FIRST, FIRST + COUNT):
        chosen = random.Random(seed)
        events = chosen.choices(list(EVENTS), list(EVENTS.values()), k=chosen.randint(*LENGTH))
        yield pytest.param(seed, events, id=f"seed-{seed}")


@pytest.mark.slow("plays up to sixteen events in real tabs, and waits until all that was typed is in place")
@pytest.mark.parametrize("seed, events", list(orders()))
def test_nothing_that_was_typed_is_lost(house, seed, events):
    story = Story(house, seed)
    try:
        story.play(events)
        story.recover()
        story.check()
        assert story.person.problems == []
    finally:
        story.close()
