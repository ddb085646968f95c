"""A class in which others work, too: conflicts, changes from elsewhere, and undo."""

import re

import pytest
from accessibility import violations
from classroom import Classroom
from grid import LAB, MIDTERM, cell, keys, opened, paste, said, settled, type_in
from playwright.sync_api import expect

STAYING = {"staff"}


@pytest.fixture
def small(staff):
    return Classroom(staff("teacher"), students=4)


def test_an_undo_never_takes_back_what_somebody_else_did(small, staff):
    page = opened(small)
    registrar = staff("registrar")
    small.enter(0, MIDTERM, 50, by=registrar)
    # A value that is there already is entered by nobody.
    type_in(page, "50")
    settled(page)
    keys(page, "Control+z")
    expect(said(page)).to_have_text("There is nothing to undo.")
    assert small.values(MIDTERM)[0] == "50"


def test_a_conflict_shows_both_values_with_names_and_either_is_kept(small, staff):
    page = opened(small)
    registrar = staff("registrar")
    # The other person enters a result while the user types.
    for row, mine, theirs in ((0, "17", 12), (1, "18", 13)):
        page.keyboard.type(mine)
        small.enter(row, MIDTERM, theirs, by=registrar)
        keys(page, "Enter")
    expect(cell(page, 0, 0)).to_have_attribute("data-state", "conflict")
    expect(cell(page, 1, 0)).to_have_attribute("data-state", "conflict")
    expect(cell(page, 0, 0)).to_have_text("17")
    keys(page, "ArrowUp", "ArrowUp")
    note = page.locator(".cell-note")
    expect(note).to_contain_text(re.compile("entered 12 on"))
    expect(note).to_contain_text("You typed 17.")
    assert violations(page) == []
    note.get_by_role("button", name="Keep 17").click()
    settled(page)
    expect(cell(page, 0, 0)).to_be_focused()
    keys(page, "ArrowDown")
    note.get_by_role("button", name="Take 13").click()
    expect(cell(page, 1, 0)).to_have_text("13")
    expect(page.locator('[data-state="conflict"]')).to_have_count(0)
    assert small.values(MIDTERM)[:2] == ["17", "13"]


def test_results_of_others_appear_and_are_marked(small, staff):
    page = opened(small)
    small.enter(2, LAB, 7, by=staff("registrar"))
    expect(cell(page, 2, 1)).to_have_text("7")


def test_a_cell_is_not_edited_while_a_paste_is_shown(small):
    page = opened(small)
    paste(page, "81\nseven\n-3\n84")
    expect(page.locator(".grid-plan")).to_be_visible()
    cell(page, 1, 0).dblclick()
    expect(page.locator(".grid-plan")).to_be_visible()
    expect(page.locator(".grid-editor")).to_have_count(0)
    assert small.values(MIDTERM) == [None] * 4


def test_leaving_the_window_enters_no_half_number(small):
    """The window loses the focus, but the editor keeps it inside the page."""
    left = "() => document.activeElement.dispatchEvent(new FocusEvent('blur'))"
    page = opened(small)
    page.keyboard.type("8")
    page.evaluate(left)
    page.keyboard.type("1")
    keys(page, "Enter")
    settled(page)
    page.get_by_role("button", name="One column").click()
    page.locator("input.mark").nth(1).focus()
    page.keyboard.type("8")
    page.evaluate(left)
    page.keyboard.type("2")
    keys(page, "Enter")
    settled(page)
    assert small.values(MIDTERM)[:2] == ["81", "82"]


def account(person):
    body = person.api("GET", "/v1/accounts/me")["body"]
    return body.get("account", body)["id"]


def test_the_history_says_what_happened_to_the_class(small, staff):
    registrar = staff("registrar")
    other = account(registrar)
    small.call("PATCH", small.path, {"title": "Compilers II"})
    small.call("POST", f"{small.path}/staff", {"account": other, "role": "teacher"})
    v = small.call("DELETE", f"{small.path}/enrolments/{small.rows[3]['id']}")["enrolment"]["v"]
    small.call("POST", f"{small.path}/undo", {"v": v})
    page = opened(small)
    page.get_by_role("button", name="History").click()
    lines = page.get_by_role("dialog").locator(".history > li")
    for place, text in enumerate(
        (
            f"You put {small.names[3]} into the class",
            f"You took {small.names[3]} out of the class",
            "You changed the staff of the class",
            "You changed the settings of the class",
        )
    ):
        expect(lines.nth(place)).to_contain_text(text)


def test_one_who_was_taken_off_a_class_and_put_back_sees_it_again(small, staff):
    registrar = staff("registrar")
    me, other = account(small.teacher), account(registrar)
    small.call("POST", f"{small.path}/staff", {"account": other, "role": "teacher"})
    page = opened(small)
    assert registrar.api("DELETE", f"{small.path}/staff/{me}")["status"] in (200, 204)
    expect(page.get_by_role("heading", name="You may not see this class any more.")).to_be_visible()
    assert registrar.api("POST", f"{small.path}/staff", {"account": me, "role": "teacher"})["status"] in (200, 201)
    page.get_by_role("main").get_by_role("link", name="Classes").click()
    expect(page.get_by_role("heading", name="Classes", exact=True)).to_be_visible()
    # As by the link there, which another page of the list may have.
    small.teacher.open(small.page)
    expect(cell(page, 0, 0)).to_be_visible()


def test_a_student_sees_what_changes_no_record(small, staff):
    """The name of a column is only in the row."""
    row = small.rows[small.names.index("Demo student")]
    page = staff("student").open(f"/records/{row['record']}/classes/{row['entry']}")
    expect(page.locator(".own-line", has_text="Lab 1")).to_be_visible()
    expect(page.locator(".connection")).to_have_attribute("data-kind", "live")
    for title in ("First lab", "Warming up"):
        small.call(
            "POST",
            f"{small.path}/changes",
            {"changes": [{"op": "patch", "line": small.lines[LAB], "fields": {"title": title}}]},
        )
        expect(page.locator(".own-line", has_text=title)).to_be_visible()


def test_a_student_with_many_records_is_put_into_one_of_them(small):
    """The records come in pages; if a page fails, the user is told, and the next try works."""
    page = opened(small)
    members = small.call("GET", "/v1/institutions/demo/members?role=student&limit=200")["items"]
    other = next(item for item in members if item["displayName"] not in small.names and "person-" not in item["login"])
    ambiguous = {
        "code": "invalid",
        "title": "Invalid",
        "faults": [{"path": "/record", "code": "record_ambiguous", "message": "Which record?"}],
    }
    page.route("**/enrolments", lambda route: route.fulfill(status=422, json=ambiguous))
    asked = []

    def records(route):
        asked.append(route.request.url)
        if len(asked) == 1:
            return route.fulfill(status=500, json={"code": "internal", "title": "Something broke here."})
        if "cursor" in route.request.url:
            return route.fulfill(json={"items": [{"id": "second"}]})
        route.fulfill(
            json={"items": [{"id": "first"}]}, headers={"link": f'<{route.request.url}&cursor=1>; rel="next"'}
        )

    page.route("**/v1/records?*", records)
    page.get_by_role("button", name="Students", exact=True).click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_label("Add a student").fill(other["displayName"])
    sheet.get_by_role("button", name="Put into the class").click()
    expect(page.locator(".toast")).to_contain_text("Something broke here.")
    sheet.get_by_role("button", name="Put into the class").click()
    expect(sheet.get_by_role("button", name="Record 2")).to_be_visible()
    assert f"student={other['account']}" in asked[-2]
