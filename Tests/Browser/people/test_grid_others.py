"""A class that others work in, too: conflicts, what comes from elsewhere, and the way back."""

import re

import pytest
from accessibility import violations
from classroom import Classroom
from grid import LAB, MIDTERM, cell, keys, opened, said, settled, type_in
from playwright.sync_api import expect


@pytest.fixture
def small(staff):
    return Classroom(staff("teacher"), students=4)


def test_an_undo_never_takes_back_what_somebody_else_did(small, staff):
    page = opened(small)
    registrar = staff("registrar")
    small.enter(0, MIDTERM, 50, by=registrar)
    # What stands there already is entered by nobody.
    type_in(page, "50")
    settled(page)
    keys(page, "Control+z")
    expect(said(page)).to_have_text("There is nothing to undo.")
    assert small.values(MIDTERM)[0] == "50"


def test_a_conflict_shows_both_values_with_names_and_either_is_kept(small, staff):
    page = opened(small)
    registrar = staff("registrar")
    # While one types, the other one is faster.
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
