"""Windows in step, honest connection state, edits that survive a lost connection, conflicts."""

import re

import board
import pytest
import shell
from conftest import KEEPING, Person, Server
from playwright.sync_api import expect

# People sign up anew in browsers that stay.
STAYING = {"browser"}

FULL = ("100", "100", "100")


@pytest.fixture
def windows(student):
    first = student.new_record("chalkboard")
    second = student.window()
    second.goto(first.url)
    for page in (first, second):
        expect(page.locator(".connection")).to_contain_text("Live")
    return first, second


def test_two_windows_are_in_step(windows):
    first, second = windows
    board.added(first, "Algorithms", *FULL)
    expect(second.locator(".board-gpa")).to_have_text("GPA: 4.00")
    board.delete(second, "1")
    expect(first.locator(".board-gpa")).to_have_text("GPA: ")


def test_a_new_record_appears_in_the_list_of_the_other_window(student):
    other = student.open("/records", student.window())
    student.new_record("chalkboard")
    expect(other.locator(".record-link")).to_have_count(1)


def test_a_deleted_record_says_so_in_the_other_window(windows):
    first, second = windows
    first.get_by_role("button", name="Delete record").click()
    first.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(first).to_have_url(re.compile("/records$"))
    expect(second.get_by_text("This record was deleted")).to_be_visible()


def test_offline_is_said_and_edits_are_kept_and_sent(student, windows):
    first, second = windows
    student.context.set_offline(True)
    expect(first.locator(".connection")).to_contain_text("Offline")
    board.add(first, "Algorithms", *FULL)
    expect(first.locator(".banner.waiting")).to_contain_text("1 change")
    expect(first.locator(".board-line")).to_have_text("1) Algorithms | 3")
    expect(first.locator(".board-gpa")).to_have_text("GPA: ")
    student.context.set_offline(False)
    expect(first.locator(".connection")).to_contain_text("Live")
    expect(first.locator(".board-gpa")).to_have_text("GPA: 4.00")
    expect(first.locator(".banner.waiting")).to_have_count(0)
    expect(second.locator(".board-gpa")).to_have_text("GPA: 4.00")


def test_a_page_opens_without_a_network(newcomer):
    student = newcomer(**KEEPING).sign_up()
    first = student.new_record("chalkboard")
    first.evaluate("navigator.serviceWorker.ready.then(() => null)")
    first.reload()
    expect(first.locator(".board")).to_be_visible()
    shell.kept(first)
    student.context.set_offline(True)
    first.reload()
    expect(first.locator(".brand")).to_be_visible()
    expect(first.get_by_role("button", name="Retry")).to_be_visible()
    student.context.set_offline(False)
    expect(first.locator(".board")).to_be_visible()


@pytest.mark.slow("waits for a page that was offline to come back, beside a second browser")
def test_a_conflict_is_shown_side_by_side_and_decided(student, newcomer, windows, url):
    first, _ = windows
    board.added(first, "Algorithms", *FULL)
    elsewhere = newcomer()
    elsewhere.context.add_cookies(student.context.cookies())
    other = elsewhere.open(first.url.removeprefix(url))
    expect(other.locator(".board-line")).to_have_text("1) Algorithms | 3")
    student.context.set_offline(True)
    expect(first.locator(".connection")).to_contain_text("Offline")
    rename(first, "Mine")
    expect(first.locator(".banner.waiting")).to_be_visible()
    rename(other, "Theirs")
    expect(other.locator(".board-line")).to_have_text("1) Theirs | 3")
    student.context.set_offline(False)
    card = first.locator(".conflict")
    expect(card).to_contain_text("Algorithms")
    expect(card).to_contain_text("Theirs")
    expect(card).to_contain_text("Mine")
    card.get_by_role("button", name="Keep mine").click()
    expect(card).to_have_count(0)
    expect(other.locator(".board-line")).to_have_text("1) Mine | 3")


@pytest.mark.slow("waits for a page that was offline to come back, beside a second browser")
def test_changes_to_different_things_do_not_conflict(student, newcomer, windows, url):
    first, _ = windows
    board.added(first, "Algorithms", *FULL)
    elsewhere = newcomer()
    elsewhere.context.add_cookies(student.context.cookies())
    other = elsewhere.open(first.url.removeprefix(url))
    student.context.set_offline(True)
    expect(first.locator(".connection")).to_contain_text("Offline")
    rename(first, "Mine")
    board.added(other, "Data Structures", *FULL)
    student.context.set_offline(False)
    expect(first.locator(".board-line")).to_have_text(["1) Mine | 3", "2) Data Structures | 3"])
    expect(first.locator(".conflict")).to_have_count(0)


def test_a_change_by_somebody_else_flashes_where_it_happened(windows):
    first, second = windows
    for page in windows:
        page.evaluate("document.addEventListener('animationstart', event => window.flashed ||= event.animationName)")
    board.added(first, "Algorithms", *FULL)
    expect(second.locator(".board-line")).to_have_count(1)
    second.wait_for_function("() => window.flashed === 'chalk-flash'")
    assert first.evaluate("window.flashed ?? null") is None


@pytest.mark.slow("stops a server of its own under an open page, and starts it again")
def test_a_server_that_restarts_is_waited_for_and_nothing_is_lost(browser, tmp_path):
    server = Server(tmp_path).start()
    person = Person(browser, server.url).sign_up()
    page = person.new_record("chalkboard")
    expect(page.locator(".connection")).to_contain_text("Live")
    server.stop()
    expect(page.locator(".connection")).to_contain_text("As of")
    expect(page.locator(".since")).to_contain_text("These figures were correct at")
    board.add(page, "Algorithms", *FULL)
    expect(page.locator(".banner.waiting")).to_contain_text("1 change")
    server.start()
    # Without this, the page may wait half a minute before it tries again.
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.locator(".connection")).to_contain_text("Live")
    expect(page.locator(".board-gpa")).to_have_text("GPA: 4.00")
    expect(page.locator(".since")).to_have_count(0)
    person.context.close()
    server.stop()
    assert person.problems == []


def rename(page, title):
    page.locator(".board-line").first.click()
    sheet = page.get_by_role("dialog")
    sheet.locator('[name="/fields/title"]').fill(title)
    sheet.get_by_role("button", name="Save").click()
    expect(sheet).to_have_count(0)


SHARED = """async ([before, after]) => {
    const { shared } = await import('/app/core/values/sharing.js');
    const result = shared(before, after);
    const a = before.entries.find(entry => entry.id === 'a');
    const c = before.entries.find(entry => entry.id === 'c');
    return [JSON.stringify(result) === JSON.stringify(after), result === before, result.entries.includes(a), result.entries.includes(c),
        result.fields === before.fields];
}"""


def test_what_is_equal_in_a_new_document_stays_the_object_it_was(anywhere):
    page = anywhere
    entries = [{"id": name, "fields": {"points": 1}, "children": []} for name in "abc"]
    before = {"fields": {"x": [1, {"y": None}]}, "entries": entries}
    assert page.evaluate(SHARED, [before, before]) == [True, True, True, True, True]
    changed = {"id": "c", "fields": {"points": 2}, "children": []}
    after = {"fields": before["fields"], "entries": [changed, entries[0]]}
    assert page.evaluate(SHARED, [before, after]) == [True, False, True, False, True]
    assert page.evaluate(SHARED, [before, before | {"more": 1}])[:3] == [True, False, True]


REDRAWN = """() => {
    window.redrawn = new Set();
    new MutationObserver(list => {
        for (const { target } of list) {
            const row = (target.closest ? target : target.parentElement)?.closest('.items > li');
            if (row) window.redrawn.add(row.querySelector('.item-title').textContent);
        }
    }).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
}"""


def test_a_change_from_elsewhere_redraws_its_own_row_alone(student):
    page = student.new_record("rose-hulman")
    record = page.url.split("/")[-1]
    items = [{"kind": "item", "fields": {"title": f"Item {n}", "score": 80, "max": 100}} for n in range(40)]
    category = {"kind": "category", "fields": {"category": "assignments", "weight": 50}, "children": items}
    fields = {"title": "Algorithms", "quarter": 1, "year": 2027, "credits": 4}
    course = {"kind": "course", "fields": fields, "children": [category]}
    answer = student.api("POST", f"/v1/records/{record}/entries", course)
    item = answer["body"]["entry"]["children"][0]["children"][7]["id"]
    page.locator(".course-open").click()
    expect(page.locator(".items > li")).to_have_count(40)
    expect(page.locator(".flash")).to_have_count(0)
    page.evaluate(REDRAWN)
    student.api("PATCH", f"/v1/records/{record}/entries/{item}", {"fields": {"score": 12}})
    expect(page.locator(".items > li").nth(7)).to_contain_text("12 / 100")
    assert page.evaluate("[...window.redrawn]") == ["Item 7"]
    student.api("DELETE", f"/v1/records/{record}/entries/{item}")
    expect(page.locator(".items > li")).to_have_count(39)
    expect(page.locator(".flash")).to_have_count(0)
    # Every other item's share of the grade rose; none of the items moved.
    expect(page.locator(".items > li .item-title")).to_have_text([f"Item {n}" for n in range(40) if n != 7])
