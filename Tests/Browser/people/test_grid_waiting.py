"""Results that are not in their class yet: nothing that was typed is lost, whatever happens to network, session and
class."""

import pytest
from accessibility import violations
from classroom import Classroom
from grid import LAB, MIDTERM, QUIET, cell, head, kept, keys, names, opened, ordered, paste, settled, type_in
from playwright.sync_api import expect
from waiting import eventually

STAYING = {"staff"}


@pytest.fixture
def small(staff):
    return Classroom(staff("teacher"), students=4)


def test_without_a_network_results_wait_in_their_order_and_go_when_it_is_back(small, staff):
    page = opened(small)
    small.teacher.context.set_offline(True)
    type_in(page, "71", "72", "73")
    keys(page, "ArrowUp")
    type_in(page, "74")
    expect(page.locator('.grid-cell[data-state="waiting"]')).to_have_count(3)
    expect(page.locator(".banner.waiting")).to_contain_text("3 results wait")
    assert violations(page) == []
    small.teacher.context.set_offline(False)
    settled(page)
    assert small.values(MIDTERM)[:3] == ["71", "72", "74"]
    expect(page.locator(".banner.waiting")).to_have_count(0)


def test_what_waits_outlives_the_page_and_leaves_with_any_page(small):
    page = opened(small)
    page.route("**/v1/classes/**", lambda route: route.abort() if route.request.method != "GET" else route.continue_())
    type_in(page, "71")
    expect(cell(page, 0, 0)).to_have_attribute("data-state", "waiting")
    sealed = page.evaluate(
        "Object.entries(localStorage).filter(([key]) => key.startsWith('gradecast.cell.')).map(([, text]) => text)"
    )
    assert len(sealed) == 1 and "71" not in sealed[0].split(".")
    small.teacher.page.close()
    small.teacher.page = small.teacher.window()
    small.teacher.open("/records")
    eventually(small.teacher.page, lambda: kept(small.teacher.page) == 0)
    assert small.values(MIDTERM)[0] == "71"


def test_a_result_that_is_refused_stays_through_a_reload(small):
    page = opened(small)
    type_in(page, "ninety")
    expect(cell(page, 0, 0)).to_have_attribute("data-state", "refused")
    eventually(page, lambda: kept(page) == 1)
    page.reload()
    expect(cell(page, 0, 0)).to_have_text("ninety")
    expect(page.locator(".banner.refused")).to_contain_text("1 result was not entered")
    page.get_by_role("button", name="Go to the next one").click()
    expect(cell(page, 0, 0)).to_be_focused()
    keys(page, "Escape")
    expect(cell(page, 0, 0)).to_have_text("")


def offline(small):
    small.teacher.context.set_offline(True)


def online(small):
    small.teacher.context.set_offline(False)


def test_opening_and_leaving_a_waiting_cell_leaves_its_result(small):
    page = opened(small)
    offline(small)
    type_in(page, "71", "72")
    expect(page.locator('.grid-cell[data-state="waiting"]')).to_have_count(2)
    keys(page, "ArrowUp", "F2", "Enter")
    cell(page, 0, 0).dblclick()
    expect(page.locator(".grid-editor")).to_have_value("71")
    cell(page, 3, 1).click()
    expect(page.locator('.grid-cell[data-state="waiting"]')).to_have_count(2)
    page.get_by_role("button", name="One column").click()
    field = page.locator("input.mark").nth(1)
    field.fill("73")
    field.fill("72")
    field.press("Enter")
    online(small)
    expect(page.locator(".banner.waiting")).to_have_count(0)
    assert small.values(MIDTERM)[:2] == ["71", "72"]


def test_an_editor_that_changes_nothing_enters_nothing(small, staff):
    page = opened(small)
    type_in(page, "10")
    keys(page, "ArrowUp", "x")
    expect(cell(page, 0, 0)).to_have_attribute("title", "excused")
    settled(page)
    keys(page, "F2")
    expect(page.locator(".grid-editor")).to_have_value("10")
    small.enter(0, MIDTERM, 12, by=staff("registrar"))
    keys(page, "Enter")
    expect(cell(page, 0, 0)).to_have_text("12")
    expect(page.locator('[data-state="conflict"]')).to_have_count(0)
    assert small.cell(0, MIDTERM) == {"value": "12", "status": "excused", "posted": True}


def test_a_status_over_a_waiting_result_is_entered_with_it(small):
    page = opened(small)
    offline(small)
    type_in(page, "72")
    expect(cell(page, 0, 0)).to_have_attribute("data-state", "waiting")
    keys(page, "ArrowUp", "x")
    expect(cell(page, 0, 0)).to_have_text("72")
    online(small)
    settled(page)
    assert small.cell(0, MIDTERM) == {"value": "72", "status": "excused", "posted": True}


def take_out(small, name):
    answer = small.teacher.api("DELETE", f"{small.path}/enrolments/{small.rows[small.names.index(name)]['id']}")
    assert answer["status"] == 200, answer


def test_what_is_typed_for_a_student_who_leaves_goes_to_no_other(small):
    page = opened(small)
    order = ordered(page, small)
    keys(page, "ArrowDown", "ArrowDown")
    page.keyboard.type("77")
    take_out(small, order[0])
    expect(names(page)).to_have_count(3)
    expect(cell(page, 1, 0).locator(".grid-editor")).to_have_value("77")
    expect(page.locator(".grid-editor")).to_be_focused()
    take_out(small, order[2])
    expect(names(page)).to_have_count(2)
    banner = page.locator(".banner.refused")
    expect(banner).to_contain_text(f"{order[2]}, Midterm: 77.")
    assert [small.cell(small.names.index(name), MIDTERM) for name in (order[1], order[3])] == [None, None]
    eventually(page, lambda: kept(page) == 1)
    page.reload()
    expect(banner).to_contain_text(f"{order[2]}, Midterm: 77.")
    expect(page.get_by_role("button", name="Go to the next one")).to_have_count(0)
    assert violations(page) == []
    banner.get_by_role("button", name="Discard", exact=True).click()
    expect(banner).to_have_count(0)
    eventually(page, lambda: kept(page) == 0)


def change(small, who, *steps):
    answer = who.api("POST", f"{small.path}/changes", {"changes": list(steps)})
    assert answer["status"] == 200, answer


def test_what_is_typed_in_a_column_that_goes_or_moves_stays_there(small, staff):
    registrar = staff("registrar")
    page = opened(small)
    cell(page, 0, 1).click()
    page.keyboard.type("7")
    change(
        small, registrar, {"op": "add", "kind": "item", "in": small.lines[1], "fields": {"title": "Final", "max": 100}}
    )
    expect(head(page, 1)).to_contain_text("Final")
    expect(cell(page, 0, 2).locator(".grid-editor")).to_have_value("7")
    change(small, registrar, {"op": "delete", "line": small.lines[LAB]})
    expect(page.locator(".banner.refused")).to_contain_text("Lab 1: 7.")
    assert small.cell(0, QUIET) is None and small.cell(0, MIDTERM) is None


def test_what_is_refused_is_reached_wherever_it_is(small):
    page = opened(small)
    order = ordered(page, small)
    type_in(page, "ninety")
    expect(cell(page, 0, 0)).to_have_attribute("data-state", "refused")
    page.locator(".grid-find").fill(order[3])
    expect(names(page)).to_have_count(1)
    page.get_by_role("button", name="Go to the next one").click()
    expect(names(page)).to_have_count(4)
    expect(cell(page, 0, 0)).to_be_focused()
    paste(page, "ninety\neighty")
    keys(page, "Enter")
    expect(page.locator(".banner.refused")).to_contain_text("2 results were not entered")
    page.get_by_role("button", name="Discard all").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    assert violations(page) == []
    page.get_by_role("dialog").get_by_role("button", name="Discard all").click()
    expect(page.locator(".banner.refused")).to_have_count(0)
    eventually(page, lambda: kept(page) == 0)


def test_what_is_typed_while_the_class_is_closed_stays_with_the_reason_and_is_tried_again(small, staff):
    page = opened(small)
    page.keyboard.type("55")
    small.call("PATCH", small.path, {"state": "closed"})
    expect(page.locator(".page-facts")).to_contain_text("closed")
    keys(page, "Enter")
    expect(cell(page, 0, 0)).to_have_text("55")
    expect(cell(page, 0, 0)).to_have_attribute("data-state", "refused")
    expect(cell(page, 0, 0)).to_have_attribute("title", "This class is closed.")
    assert staff("registrar").api("PATCH", small.path, {"state": "open"})["status"] == 200
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(".banner.refused")).to_have_count(0)
    settled(page)
    assert small.values(MIDTERM)[0] == "55"


def test_what_is_typed_in_a_list_is_entered_wherever_one_goes(small):
    page = small.teacher.open(small.page + "?view=student")
    field = page.locator("input.mark").first
    field.focus()
    page.keyboard.type("61")
    # Clicks that do not move the focus, like those of a touch.
    page.get_by_role("button", name="Next", exact=True).dispatch_event("click")
    expect(page.locator(".chooser select")).not_to_have_value(small.rows[0]["id"])
    field.focus()
    page.keyboard.type("62")
    page.evaluate("history.pushState(null, '', '/records'); dispatchEvent(new PopStateEvent('popstate'))")
    expect(page.locator(".class-page")).to_have_count(0)
    eventually(page, lambda: sorted(value for value in small.values(MIDTERM) if value) == ["61", "62"])
    eventually(page, lambda: kept(page) == 0)
