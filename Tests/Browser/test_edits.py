"""What a person typed is in the record, in a conflict, or waiting with the reason shown; never nowhere."""

import datetime
import json
import time

import board
import pytest
from account import Account
from conftest import PASSWORD, PATIENCE, Person
from line import Line
from playwright.sync_api import expect

FULL = ("100", "100", "100")


@pytest.fixture
def line(server):
    if server is None:
        pytest.skip("needs a server of its own")
    line = Line(server.port)
    yield line
    line.close()


class Desk:
    """Somebody with a record, at a browser whose network can be cut, and the same account elsewhere."""

    def __init__(self, browser, line: Line, server):
        self.person = Person(browser, line.url).sign_up()
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


@pytest.fixture
def desk(browser, line, server):
    desk = Desk(browser, line, server)
    yield desk
    desk.person.context.close()
    assert desk.person.problems == []


def sign_in(page, login):
    page.fill('[name="/login"]', login)
    page.fill('[name="/password"]', PASSWORD)
    page.click("main button[type=submit]")


def sign_in_again(page, login):
    """From where a page landed when its session ended."""
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


def test_edits_outlive_the_end_of_their_session(desk, line):
    line.cut()
    add(desk.page, "One", "Two", "Three")
    waits(desk.page, 3)
    desk.elsewhere.end_other_sessions()
    line.mend()
    expect(desk.page.locator(".banner")).to_contain_text("3 changes on this device have not been sent")
    assert desk.elsewhere.titles(desk.record) == []
    sign_in_again(desk.page, desk.person.login)
    lines(desk.page, "One", "Two", "Three")


def test_an_edit_that_meets_an_ended_session_waits(desk, line):
    desk.page.route("**/v1/live/tickets", lambda route: route.abort())
    line.cut()
    expect(desk.page.locator(".connection")).to_contain_text("As of")
    desk.elsewhere.end_other_sessions()
    line.mend()
    board.add(desk.page, "One", *FULL)
    expect(desk.page.locator(".banner")).to_contain_text("1 change on this device has not been sent")
    desk.page.unroute("**/v1/live/tickets")
    sign_in_again(desk.page, desk.person.login)
    lines(desk.page, "One")


def test_edits_of_two_tabs_both_arrive(desk, line):
    first, second = desk.page, desk.tab()
    line.cut()
    add(first, "One")
    add(second, "Two")
    add(first, "Three")
    for page in (first, second):
        waits(page, 3)
    line.mend()
    for page in (first, second):
        lines(page, "One", "Two", "Three")
    assert desk.elsewhere.titles(desk.record) == ["One", "Two", "Three"]


def test_an_edit_survives_its_tab(desk, line):
    other = desk.tab()
    line.cut()
    add(other, "One")
    other.close()
    line.mend()
    lines(desk.page, "One")


def test_an_answer_that_was_lost_enters_nothing_twice(desk, line):
    line.lose_answers()
    add(desk.page, "One")
    waits(desk.page, 1)
    assert desk.elsewhere.titles(desk.record) == ["One"]
    line.mend()
    lines(desk.page, "One")
    assert desk.elsewhere.titles(desk.record) == ["One"]


def hold(page, pattern):
    """Keeps requests from the network; what it answers grows by each."""
    held = []
    page.route(pattern, lambda route: held.append(route))
    return held


def held_one(page, held):
    deadline = time.monotonic() + PATIENCE / 1000
    while not held and time.monotonic() < deadline:
        page.wait_for_timeout(20)
    return held[0]


def send_later(desk, title, pattern="**/entries"):
    """Adds a course without a network; answers its request, held, once there is one again."""
    desk.person.context.set_offline(True)
    add(desk.page, title)
    waits(desk.page, 1)
    held = hold(desk.page, pattern)
    desk.person.context.set_offline(False)
    return held_one(desk.page, held)


@pytest.mark.parametrize("answer", [None, 502], ids=["none", "from-a-gateway"])
def test_an_addition_that_may_have_arrived_a_day_ago_is_not_sent_again(desk, answer):
    request = send_later(desk, "One")
    if answer:
        request.fulfill(status=answer)
        expect(desk.page.locator(".banner.waiting")).to_contain_text(f"HTTP {answer}")
    desk.page.close()
    context, sent = desk.person.context, []
    context.on("request", lambda request: sent.append(request.url))
    context.clock.set_fixed_time(datetime.datetime.now() + datetime.timedelta(hours=25))
    expect(desk.tab().locator(".refused")).to_contain_text("One")
    assert not any(address.endswith("/entries") for address in sent)


def test_what_is_changed_while_it_is_sent_follows_it(desk):
    request = send_later(desk, "One")
    rename(desk.page, "One", "Uno")
    waits(desk.page, 2)
    request.continue_()
    lines(desk.page, "Uno")


def test_a_sheet_opened_before_its_entry_was_sent_still_saves(desk):
    request = send_later(desk, "One")
    desk.page.locator(".board-line", has_text="One").click()
    sheet = desk.page.get_by_role("dialog")
    sheet.locator('[name="/fields/title"]').fill("Uno")
    request.continue_()
    expect(desk.page.locator(".banner.waiting")).to_have_count(0)
    sheet.get_by_role("button", name="Save").click()
    lines(desk.page, "Uno")


def test_a_sheet_of_another_tab_that_was_opened_before_its_entry_was_sent_still_saves(desk):
    other = desk.tab()
    # The tab that made the entry sends it.
    other.route("**/entries", lambda route: route.abort())
    desk.person.context.set_offline(True)
    add(desk.page, "One")
    waits(other, 1)
    other.locator(".board-line", has_text="One").click()
    sheet = other.get_by_role("dialog")
    sheet.locator('[name="/fields/title"]').fill("Uno")
    desk.person.context.set_offline(False)
    expect(other.locator(".banner.waiting")).to_have_count(0)
    sheet.get_by_role("button", name="Save").click()
    for page in (desk.page, other):
        lines(page, "Uno")
        expect(page.locator(".conflict, .refused")).to_have_count(0)


def test_an_entry_that_another_tab_is_sending_can_be_changed_meanwhile(desk):
    other = desk.tab()
    other.route("**/entries", lambda route: route.abort())
    request = send_later(desk, "One")
    rename(other, "One", "Uno")
    waits(other, 2)
    request.continue_()
    for page in (desk.page, other):
        lines(page, "Uno")
        expect(page.locator(".conflict, .refused")).to_have_count(0)


def test_a_refusal_stands_on_the_page_when_its_form_was_closed(desk):
    add(desk.page, "One", "Two")
    held = hold(desk.page, "**/entries/*")
    desk.page.locator(".board-line", has_text="Two").click()
    sheet = desk.page.get_by_role("dialog")
    sheet.locator('[name="/fields/title"]').fill("One")
    sheet.get_by_role("button", name="Save").click()
    request = held_one(desk.page, held)
    desk.page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)
    request.continue_()
    expect(desk.page.locator(".refused")).to_contain_text("already entered before")
    expect(desk.page.locator(".refused")).to_contain_text("Title: One")


def test_a_refusal_stands_on_the_page_when_it_was_left(desk):
    add(desk.page, "One")
    held = hold(desk.page, "**/entries")
    board.add(desk.page, "One", *FULL)
    request = held_one(desk.page, held)
    desk.page.get_by_role("link", name="Back").click()
    expect(desk.page.get_by_role("heading", name="My records")).to_be_visible()
    request.continue_()
    desk.page.go_back()
    expect(desk.page.locator(".refused")).to_contain_text("already entered before")


def test_what_waits_can_be_worked_on(desk, line):
    add(desk.page, "Zero")
    line.cut()
    add(desk.page, "One")
    rename(desk.page, "One", "Uno")
    rename(desk.page, "Zero", "Nil")
    rename(desk.page, "Nil", "Nought")
    add(desk.page, "Two")
    board.delete(desk.page, "3")
    expect(desk.page.locator(".board-line")).to_have_count(2)
    waits(desk.page, 6)
    line.mend()
    lines(desk.page, "Nought", "Uno")
    expect(desk.page.locator(".conflict")).to_have_count(0)


def test_what_waits_can_be_given_up(desk, line):
    line.cut()
    add(desk.page, "One", "Two")
    desk.page.locator(".banner.waiting li", has_text="One").get_by_role("button", name="Discard").click()
    expect(desk.page.locator(".board-line")).to_have_text(["1) Two | 3"])
    line.mend()
    lines(desk.page, "Two")


def test_the_same_change_made_elsewhere_is_no_conflict_and_another_is(desk, line):
    add(desk.page, "One")
    line.cut()
    rename(desk.page, "One", "Mine")
    desk.elsewhere.rename(desk.record, "Mine")
    line.mend()
    lines(desk.page, "Mine")
    line.cut()
    expect(desk.page.locator(".connection")).to_contain_text("As of")
    rename(desk.page, "Mine", "Yours")
    desk.elsewhere.rename(desk.record, "Theirs")
    line.mend()
    card = desk.page.locator(".conflict")
    for text in ("Mine", "Theirs", "Yours"):
        expect(card).to_contain_text(text)


def test_another_person_at_the_browser_neither_reads_nor_loses_edits(desk, line, newcomer, url):
    other = newcomer().sign_up().login
    line.cut()
    add(desk.page, "Secret course")
    waits(desk.page, 1)
    assert "Secret" not in json.dumps(desk.kept())
    desk.elsewhere.end_other_sessions()
    line.mend()
    sign_in_again(desk.page, other)
    expect(desk.page.locator("main h1")).to_have_text("Nothing here")
    desk.person.new_record("chalkboard")
    line.cut()
    expect(desk.page.locator(".connection")).to_contain_text("As of")
    add(desk.page, "Another")
    waits(desk.page, 1)
    line.mend()
    lines(desk.page, "Another")
    assert "Secret" not in desk.page.content()
    desk.person.open("/profile")
    desk.page.get_by_role("button", name="Sign out", exact=True).click()
    expect(desk.page.locator(".banner")).to_contain_text("1 change on this device has not been sent")
    desk.person.open("/sign-in")
    sign_in(desk.page, desk.person.login)
    expect(desk.page.get_by_role("heading", name="My records")).to_be_visible()
    desk.page.wait_for_function("() => !Object.keys(localStorage).some(key => key.startsWith('gradecast.edit'))")
    assert desk.elsewhere.titles(desk.record) == ["Secret course"]


def test_nothing_is_sent_under_another_name(desk, newcomer, url):
    other = newcomer().sign_up()
    desk.person.context.clear_cookies()
    desk.person.context.add_cookies(other.context.cookies())
    board.add(desk.page, "Mine", *FULL)
    expect(desk.page.locator(".me")).to_have_attribute("aria-label", "Profile")
    expect(desk.page.locator(".board-line")).to_have_count(0)
    assert desk.elsewhere.titles(desk.record) == []
    desk.person.open("/profile")
    desk.page.get_by_role("button", name="Sign out", exact=True).click()
    expect(desk.page.locator(".banner")).to_contain_text("1 change on this device")
    desk.person.open("/sign-in?next=" + desk.path)
    sign_in(desk.page, desk.person.login)
    lines(desk.page, "Mine")


def leave_with_one_edit(desk, line):
    line.cut()
    add(desk.page, "One")
    desk.page.route("**/entries", lambda route: route.abort())
    line.mend()
    desk.page.locator(".me").click()
    desk.page.get_by_role("button", name="Sign out", exact=True).click()
    sheet = desk.page.get_by_role("dialog")
    expect(sheet).to_contain_text("1 change has not been sent")
    return sheet


def test_signing_out_may_send_what_waits(desk, line):
    sheet = leave_with_one_edit(desk, line)
    desk.page.unroute("**/entries")
    sheet.get_by_role("button", name="Send and sign out").click()
    expect(desk.page.get_by_role("link", name="Sign in").first).to_be_visible()
    assert desk.elsewhere.titles(desk.record) == ["One"]


def test_signing_out_may_keep_what_waits(desk, line):
    sheet = leave_with_one_edit(desk, line)
    sheet.get_by_role("button", name="Keep on this device").click()
    expect(desk.page.locator(".banner")).to_contain_text("1 change on this device")
    desk.page.unroute("**/entries")
    desk.person.open("/sign-in?next=" + desk.path)
    sign_in(desk.page, desk.person.login)
    lines(desk.page, "One")


def test_signing_out_may_discard_what_waits(desk, line):
    sheet = leave_with_one_edit(desk, line)
    sheet.get_by_role("button", name="Discard and sign out").click()
    expect(desk.page.get_by_role("link", name="Sign in").first).to_be_visible()
    assert not any(key.startswith("gradecast.edit") for key in desk.kept())
    assert desk.elsewhere.titles(desk.record) == []


def test_edits_kept_by_an_earlier_version_are_taken_over(desk):
    document = desk.elsewhere.call("GET", f"/v1/records/{desk.record}")
    mine = {
        "id": "a" * 32, "account": desk.person.api("GET", "/v1/accounts/me")["body"]["id"], "record": desk.record,
        "topic": f"record/{desk.record}", "ops": [{"op": "add", **board.course("Old", 90)}], "base": {}, "place": None,
        "at": datetime.datetime.now(datetime.UTC).isoformat(), "state": "waiting",
    }  # fmt: skip
    old = mine | {"id": "c" * 32, "ops": [{"op": "add", **board.course("Older", 90)}], "at": "2026-01-02T03:04:05.000Z"}
    assert document["record"]["entries"] == []
    theirs = mine | {"id": "b" * 32, "account": "somebody"}
    desk.page.evaluate("edits => localStorage.setItem('gradecast.edits', edits)", json.dumps([mine, old, theirs]))
    desk.page.reload()
    lines(desk.page, "Old")
    expect(desk.page.locator(".refused")).to_contain_text("Older")
    assert json.loads(desk.kept()["gradecast.edits"]) == [theirs]


def test_what_rests_on_a_refused_addition_follows_when_it_is_sent_again(desk, line):
    for title in ("One", "Two", "Three"):
        desk.elsewhere.call("POST", f"/v1/records/{desk.record}/entries", board.course(title, 90))
    expect(desk.page.locator(".board-line")).to_have_count(3)
    line.cut()
    expect(desk.page.locator(".connection")).to_contain_text("As of")
    add(desk.page, "Five")
    rename(desk.page, "Five", "Fifth")
    waits(desk.page, 2)
    desk.elsewhere.call("POST", f"/v1/records/{desk.record}/entries", board.course("Four", 90))
    line.mend()
    refused, conflict = desk.page.locator(".refused"), desk.page.locator(".conflict")
    expect(refused).to_have_count(1)
    expect(conflict).to_have_count(1)
    expect(desk.page.locator(".board-line")).to_have_count(4)
    desk.page.locator(".board-line", has_text="Four").click()
    desk.page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    desk.page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(desk.page.locator(".board-line")).to_have_count(3)
    refused.get_by_role("button", name="Send it again").click()
    expect(refused).to_have_count(0)
    conflict.get_by_role("button", name="Keep mine").click()
    expect(conflict).to_have_count(0)
    lines(desk.page, "One", "Two", "Three", "Fifth")


def test_without_sealing_edits_outlive_their_session(desk, line):
    desk.page.add_init_script("Object.defineProperty(Crypto.prototype, 'subtle', { value: undefined })")
    desk.page.reload()
    expect(desk.page.locator(".connection")).to_contain_text("Live")
    line.cut()
    add(desk.page, "One")
    waits(desk.page, 1)
    desk.elsewhere.end_other_sessions()
    line.mend()
    expect(desk.page.locator("main").get_by_role("link", name="Sign in")).to_be_visible()
    assert not any(key.startswith("gradecast.edit") for key in desk.kept())
    sign_in_again(desk.page, desk.person.login)
    lines(desk.page, "One")


def test_a_position_that_is_not_there_deletes_nothing_later(desk, line):
    add(desk.page, "One")
    line.cut()
    board.delete(desk.page, "2")
    expect(desk.page.get_by_text("That course does not exist")).to_be_visible()
    expect(desk.page.locator(".banner.waiting")).to_have_count(0)
    desk.elsewhere.call("POST", f"/v1/records/{desk.record}/entries", board.course("Two", 100))
    line.mend()
    lines(desk.page, "One", "Two")


def test_undo_twice_goes_two_steps_back(desk):
    add(desk.page, "One", "Two", "Three")
    desk.page.get_by_role("button", name="History").click()
    sheet = desk.page.get_by_role("dialog")
    for left in (2, 1):
        sheet.get_by_role("button", name="Undo").click()
        expect(desk.page.locator(".board-line")).to_have_count(left)
    assert desk.elsewhere.titles(desk.record) == ["One"]


SLOW = """() => {
    const { encrypt } = SubtleCrypto.prototype;
    SubtleCrypto.prototype.encrypt = async function (...all) {
        const sealed = await encrypt.apply(this, all);
        await new Promise(resolve => { window.seal = resolve; });
        SubtleCrypto.prototype.encrypt = encrypt;
        return sealed;
    };
}"""


def test_a_form_is_not_closed_before_what_it_sent_is_kept(desk, line):
    desk.page.evaluate(SLOW)
    board.add(desk.page, "Late", *FULL)
    desk.page.wait_for_function("() => window.seal !== undefined")
    with desk.page.expect_response(lambda answer: answer.url.endswith("/v1/accounts/me") and answer.status == 401):
        desk.elsewhere.end_other_sessions()
    expect(desk.page.locator('.course-form [name="/fields/title"]')).to_have_value("Late")
    desk.page.evaluate("window.seal()")
    expect(desk.page.locator(".banner")).to_contain_text("1 change on this device has not been sent")
    sign_in_again(desk.page, desk.person.login)
    lines(desk.page, "Late")
    # What is kept as an edit does not stand in its form as well.
    expect(desk.page.locator('.course-form [name="/fields/title"]')).to_have_value("Mobile programming")
