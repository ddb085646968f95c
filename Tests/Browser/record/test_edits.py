"""What a user typed is in the record, in a conflict, or waiting with the reason shown; never lost."""

import datetime

import board
import pytest
from desk import FULL, add, held_one, hold, lines, rename, send_later, sign_in_again, waits
from playwright.sync_api import expect

# People sign up anew in browsers that stay.
STAYING = {"browser"}


@pytest.fixture
def keeping():
    """Here no page is opened without a network."""
    return {}


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


@pytest.mark.slow("waits for a second tab to learn what the first has kept, and again that it was sent")
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
    # The other tab knows of it and has drawn its line. Once that tab is live again, nothing above the line disappears
    # any more, which would move the line away under the pointer.
    waits(other, 1)
    expect(other.locator(".connection")).to_contain_text("Live")
    expect(other.locator(".since")).to_have_count(0)
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


@pytest.mark.slow("makes six changes without a network, and waits until all have been sent in order")
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
