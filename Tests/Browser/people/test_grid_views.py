"""A user's view of a class: filters, sorting by several columns, hidden or moved columns, density; a view is a link."""

import pytest
from accessibility import violations
from classroom import Classroom
from grid import LAB, MIDTERM, QUIET, cell, head, names, opened, settled, type_in
from playwright.sync_api import expect
from waiting import eventually

STAYING = {"staff"}


@pytest.fixture
def room(staff):
    """Four students: two have 80 in the midterm, one of them with more in the lab; one is missing it; one has nothing
    yet."""
    room = Classroom(staff("teacher"), students=4)
    for row, line, value in ((0, MIDTERM, 80), (1, MIDTERM, 80), (0, LAB, 7), (1, LAB, 9), (3, MIDTERM, 90)):
        room.enter(row, line, value)
    cells = {room.lines[LAB]: {"status": "missing"}}
    room.call("PATCH", f"{room.path}/rows/{room.rows[3]['id']}", {"cells": cells})
    return room


def chosen(page, column, text):
    head(page, column).click()
    page.get_by_role("dialog").get_by_role("button", name=text).click()


@pytest.mark.slow("arranges a view step by step, and opens its link in another browser")
def test_a_view_is_arranged_and_is_a_link(room, staff):
    page = opened(room)
    # By the midterm, then by the lab.
    chosen(page, 0, "Sort ascending")
    chosen(page, 1, "Then by this, descending")
    order = [room.names[place] for place in (1, 0, 3, 2)]
    expect(names(page)).to_have_text(order)
    expect(head(page, 1)).to_have_attribute("data-rank", "2")
    page.get_by_role("button", name="View", exact=True).click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_label("with missing work (1)").check()
    expect(names(page)).to_have_text([room.names[3]])
    sheet.get_by_label("with missing work (1)").uncheck()
    sheet.locator(".arranged .check", has_text="Lab 2").get_by_role("checkbox").uncheck()
    sheet.get_by_role("button", name="Lab 1 forward").click()
    sheet.get_by_label("Close rows").check()
    sheet.get_by_label("Sort students by").select_option("first name")
    assert violations(page) == []
    sheet.get_by_role("button", name="Done").click()
    expect(head(page, 0).locator(".grid-title")).to_have_text("Lab 1")
    expect(head(page, 1).locator(".grid-title")).to_have_text("Midterm")
    expect(page.locator(".grid.dense")).to_have_count(1)
    # Another person opens the link and sees the same.
    other = staff("registrar").open(page.url.removeprefix(room.teacher.url))
    expect(names(other)).to_have_text(order)
    expect(head(other, 0).locator(".grid-title")).to_have_text("Lab 1")
    expect(other.locator(".grid.dense")).to_have_count(1)
    # What was entered in a column before it is hidden is not lost, and all columns can be shown again.
    cell(page, 0, 1).click()
    page.keyboard.type("70")
    chosen(page, 1, "Hide this column")
    assert room.values(MIDTERM)[1] == "70"
    page.get_by_role("button", name="View", exact=True).click()
    page.get_by_role("button", name="Show everything").click()
    page.get_by_role("button", name="Done").click()
    expect(head(page, 0).locator(".grid-title")).to_have_text("Midterm")
    assert "?" not in page.url


def test_the_grid_is_that_of_the_class_to_which_one_goes(room):
    page = opened(room)
    other = Classroom(room.teacher, title="Sets", students=2)
    other.enter(0, MIDTERM, 55)
    room.teacher.open(other.page)
    expect(page.get_by_role("grid", name="Sets")).to_be_visible()
    expect(names(page)).to_have_text(other.names)
    expect(cell(page, 0, 0)).to_have_text("55")
    page.go_back()
    expect(page.get_by_role("grid", name=room.title)).to_be_visible()
    expect(names(page)).to_have_text(room.names)
    cell(page, 2, 0).click()
    page.keyboard.type("61")
    page.keyboard.press("Enter")
    settled(page)
    assert (room.values(MIDTERM)[2], other.values(MIDTERM)) == ("61", ["55", None])


@pytest.mark.slow("fills cells of a filtered view, and loads the page twice more by its link")
def test_the_students_below_a_value_are_shown_and_their_empty_cells_filled(room):
    page = opened(room)
    chosen(page, 0, "Only students below a value…")
    sheet = page.get_by_role("dialog", name="Filter by Midterm")
    sheet.get_by_label("Show students below").fill("abc")
    sheet.get_by_role("button", name="Show", exact=True).click()
    expect(sheet.get_by_text("Enter a number.")).to_be_visible()
    sheet.get_by_label("Show students below").fill("80.5")
    assert violations(page) == []
    sheet.get_by_role("button", name="Show", exact=True).click()
    # A student without a result is not below anything.
    expect(names(page)).to_have_text([room.names[0], room.names[1]])
    expect(page.get_by_role("button", name="2 of 4 shown")).to_be_visible()
    # Lab 2 is empty for both; the other students, who are not shown, keep their empty cells.
    chosen(page, 2, "Fill the empty cells…")
    sheet = page.get_by_role("dialog", name="Fill the empty cells of Lab 2")
    expect(sheet.get_by_text("The result goes into the 2 empty cells that are shown.")).to_be_visible()
    sheet.get_by_label("Result").fill("6")
    sheet.get_by_role("button", name="Enter").click()
    expect(cell(page, 1, 2)).to_have_text("6")
    eventually(page, lambda: room.values(QUIET)[:2] == ["6", "6"])
    assert room.values(QUIET)[2:] == [None, None]
    # The filter is part of the link, and is removed like the others.
    page = room.teacher.load(page.url.removeprefix(room.teacher.url))
    expect(names(page)).to_have_text([room.names[0], room.names[1]])
    page.get_by_role("button", name="View", exact=True).click()
    page.get_by_role("dialog").get_by_label("below 80.5 in Midterm (2)").click()
    page.get_by_role("button", name="Done").click()
    expect(names(page)).to_have_count(4)
    # The page tells how many students the filters hide, and one press shows all of them.
    page = room.teacher.load(f"{room.page}?below=-5_{room.lines[MIDTERM]}")
    page.get_by_role("button", name="0 of 4 shown").click()
    expect(names(page)).to_have_count(4)


def test_what_stands_in_a_cell_in_whatever_way_is_not_filled(room):
    marking = {"mode": "double", "tolerance": "2", "rule": "mean", "open": False}
    room.call(
        "POST", f"{room.path}/changes", {"changes": [{"op": "patch", "line": room.lines[QUIET], "marking": marking}]}
    )
    cells = {room.lines[QUIET]: {"mark": 4}}
    room.call("PATCH", f"{room.path}/rows/{room.rows[0]['id']}", {"cells": cells})
    page = opened(room)
    # The user's own mark, and a text that was typed and not taken.
    cell(page, 1, 2).click()
    type_in(page, "abc")
    chosen(page, 2, "Fill the empty cells…")
    sheet = page.get_by_role("dialog", name="Fill the empty cells of Lab 2")
    expect(sheet.get_by_text("The result goes into the 2 empty cells that are shown.")).to_be_visible()
    sheet.get_by_label("Result").fill("six")
    sheet.get_by_role("button", name="Enter").click()
    expect(sheet.locator(".fault")).to_be_visible()
    sheet.get_by_label("Result").fill("6")
    sheet.get_by_role("button", name="Enter").click()
    expect(cell(page, 0, 2)).to_have_text("4")
    expect(cell(page, 1, 2)).to_have_text("abc")
    expect(cell(page, 3, 2)).to_have_text("6")
