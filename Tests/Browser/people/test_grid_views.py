"""How a person looks at a class: filters, sorting by several columns, columns hidden and moved, density; a view is a link."""

import pytest
from accessibility import violations
from classroom import SMALL_PHONE, Classroom
from grid import LAB, MIDTERM, cell, head, names, opened, settled
from playwright.sync_api import expect

STAYING = {"staff"}


@pytest.fixture
def room(staff):
    """Four students: two have 80 in the midterm, one of them more in the lab; one is missing it; one has nothing yet."""
    room = Classroom(staff("teacher"), students=4)
    for row, line, value in ((0, MIDTERM, 80), (1, MIDTERM, 80), (0, LAB, 7), (1, LAB, 9), (3, MIDTERM, 90)):
        room.enter(row, line, value)
    cells = {room.lines[LAB]: {"status": "missing"}}
    room.call("PATCH", f"{room.path}/rows/{room.rows[3]['id']}", {"cells": cells})
    return room


def chosen(page, column, text):
    head(page, column).click()
    page.get_by_role("dialog").get_by_role("button", name=text).click()


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
    # What is entered in a column that is hidden afterwards is not lost, and all can be shown again.
    cell(page, 0, 1).click()
    page.keyboard.type("70")
    chosen(page, 1, "Hide this column")
    assert room.values(MIDTERM)[1] == "70"
    page.get_by_role("button", name="View", exact=True).click()
    page.get_by_role("button", name="Show everything").click()
    page.get_by_role("button", name="Done").click()
    expect(head(page, 0).locator(".grid-title")).to_have_text("Midterm")
    assert "?" not in page.url


def test_a_weight_is_tried_while_it_is_dragged_and_stored_when_it_is_applied(room):
    page = opened(room)
    page.get_by_role("button", name="Columns").click()
    page.get_by_role("button", name="Weights").click()
    sheet = page.get_by_role("dialog", name="Weights")
    expect(cell(page, 0, 3)).not_to_have_text("")
    before, total = room.call("GET", room.path)["class"]["v"], cell(page, 0, 3).inner_text()
    slider = sheet.get_by_role("slider").first
    slider.fill("10")
    expect(sheet.locator(".banner")).to_contain_text("This changes the figures of")
    expect(sheet.get_by_role("table", name="Students by letter")).to_be_visible()
    moves = [f"{room.names[0]}: C+ → C", f"{room.names[1]}: B → B+"]
    expect(sheet.locator(".changes li")).to_have_text(moves)
    assert room.call("GET", room.path)["class"]["v"] == before
    assert violations(page) == []
    sheet.get_by_role("button", name="Apply").click()
    expect(sheet).to_have_count(0)
    lines = room.call("GET", room.path)["class"]["structure"]["lines"]
    assert [line["fields"].get("weight") for line in lines if line["kind"] == "category"][0] == 10
    page.get_by_role("button", name="Undo").click()
    expect(cell(page, 0, 3)).to_have_text(total)
    page.set_viewport_size(SMALL_PHONE)
    page.get_by_role("button", name="Columns").click()
    page.get_by_role("button", name="Weights").click()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


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
