"""Two teachers at two browsers in one class: no result is lost, and every conflict is visible."""

import re

import pytest
from classroom import Classroom
from grid import LAB, MIDTERM, cell, keys, opened, said, settled
from playwright.sync_api import expect

STAYING = {"staff"}


@pytest.fixture
def small(staff):
    return Classroom(staff("teacher"), students=4)


@pytest.fixture
def two(small, staff):
    """Each sees the other."""
    pages = opened(small), opened(small, staff("registrar"))
    for page in pages:
        expect(page.locator(".people-bar")).to_be_visible()
    return pages


def test_in_neighbouring_cells_nothing_is_in_the_way(small, two):
    one, other = two
    cell(other, 0, 1).click()
    for page, texts in ((one, "80 81 82 83"), (other, "7 8 9 10")):
        for text in texts.split():
            page.keyboard.type(text)
            keys(page, "Enter")
    for page in two:
        settled(page)
        expect(page.locator('[data-state="conflict"]')).to_have_count(0)
        for row, (midterm, lab) in enumerate(zip((80, 81, 82, 83), (7, 8, 9, 10), strict=True)):
            expect(cell(page, row, 0)).to_have_text(str(midterm))
            expect(cell(page, row, 1)).to_have_text(str(lab))
    assert small.values(MIDTERM) == ["80", "81", "82", "83"] and small.values(LAB) == ["7", "8", "9", "10"]


def test_in_one_cell_the_slower_one_sees_both_values(small, two):
    one, other = two
    one.keyboard.type("70")
    other.keyboard.type("90")
    keys(other, "Enter")
    settled(other)
    keys(one, "Enter")
    expect(cell(one, 0, 0)).to_have_attribute("data-state", "conflict")
    keys(one, "ArrowUp")
    note = one.locator(".cell-note")
    expect(note).to_contain_text(re.compile("entered 90 on"))
    expect(note).to_contain_text("You typed 70.")
    assert small.values(MIDTERM)[0] == "90"
    note.get_by_role("button", name="Keep 70").click()
    settled(one)
    expect(cell(other, 0, 0)).to_have_text("70")


def test_a_maximum_that_changes_under_an_open_editor_is_asked_about(small, two):
    one, other = two
    one.keyboard.type("45")
    small.call(
        "POST",
        f"{small.path}/changes",
        {"changes": [{"op": "patch", "line": small.lines[MIDTERM], "fields": {"max": 50}}]},
    )
    expect(one.locator(".grid-editor")).to_have_value("45")
    expect(one.locator(".grid-th").first).to_contain_text("out of 50")
    keys(one, "Enter")
    expect(cell(one, 0, 0)).to_have_attribute("data-state", "moved")
    expect(cell(one, 0, 0)).to_have_text("45")
    expect(cell(other, 0, 0)).to_have_text("")
    assert small.values(MIDTERM)[0] is None


def test_offline_on_both_sides_all_is_entered_and_the_conflict_is_seen(small, two):
    one, other = two
    for page in two:
        page.context.set_offline(True)
    # Both type in the first cell, and each in another one.
    for page, texts in ((one, ("61", "62")), (other, ("71",))):
        for text in texts:
            page.keyboard.type(text)
            keys(page, "Enter")
        expect(cell(page, 0, 0)).to_have_attribute("data-state", "waiting")
    cell(other, 3, 1).click()
    other.keyboard.type("4")
    keys(other, "Enter")
    other.context.set_offline(False)
    settled(other)
    one.context.set_offline(False)
    expect(cell(one, 0, 0)).to_have_attribute("data-state", "conflict")
    expect(cell(one, 0, 0)).to_have_text("61")
    settled(one)
    for page in two:
        expect(cell(page, 1, 0)).to_have_text("62")
        expect(cell(page, 3, 1)).to_have_text("4")
    assert small.values(MIDTERM)[:2] == ["71", "62"] and small.values(LAB)[3] == "4"


def test_an_undo_after_the_others_change_leaves_that_as_it_is(small, two):
    one, other = two
    for text in ("50", "51"):
        one.keyboard.type(text)
        keys(one, "Enter")
    settled(one)
    expect(cell(other, 1, 0)).to_have_text("51")
    cell(other, 1, 0).click()
    other.keyboard.type("88")
    keys(other, "Enter")
    settled(other)
    expect(cell(one, 1, 0)).to_have_text("88")
    keys(one, "Control+z")
    expect(said(one)).to_contain_text("others have changed since")
    keys(one, "Control+z")
    expect(cell(other, 0, 0)).to_have_text("")
    for page in two:
        expect(cell(page, 1, 0)).to_have_text("88")
    assert small.values(MIDTERM)[:2] == [None, "88"]
