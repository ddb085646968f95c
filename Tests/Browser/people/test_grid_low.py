"""Results below a share of their scale, which a view of a class marks."""

import re

import pytest
from accessibility import violations
from classroom import SMALL_PHONE, Classroom
from grid import MIDTERM
from playwright.sync_api import expect


@pytest.fixture
def room(staff):
    """The midterm, out of 100, of three students; the fourth has none."""
    room = Classroom(staff("teacher"), students=4)
    for row, value in enumerate(("49.9", "50", "80")):
        room.enter(row, MIDTERM, value)
    return room


def low(page):
    return page.locator(".grid-cell[data-low]:not([hidden])")


@pytest.mark.slow("has axe read the grid in both themes, and once more under the sheet")
def test_low_results_are_told_by_more_than_colour(room):
    page = room.teacher.load(f"{room.page}?low=50")
    expect(low(page)).to_have_text(["49.9"])
    expect(low(page)).to_have_attribute("aria-description", "below 50% of the scale")
    assert low(page).evaluate("cell => getComputedStyle(cell, '::before').content") == '"▾"'
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert violations(page) == []
    page.emulate_media(color_scheme=None)
    page.get_by_role("button", name="View", exact=True).click()
    sheet = page.get_by_role("dialog")
    bound = sheet.get_by_label("Mark results below, in % of the scale")
    expect(bound).to_have_value("50")
    bound.fill("101")
    bound.press("Tab")
    expect(sheet.get_by_role("alert")).to_have_text("Enter a number from 0 to 100.")
    expect(low(page)).to_have_text(["49.9"])
    bound.fill("50.5 %")
    bound.press("Tab")
    expect(sheet.get_by_role("alert")).to_have_count(0)
    expect(low(page)).to_have_text(["49.9", "50"])
    assert "low=50.5" in page.url
    assert violations(page) == []
    sheet.get_by_role("button", name="Show everything").click()
    expect(bound).to_have_value("")
    expect(low(page)).to_have_count(0)
    sheet.get_by_role("button", name="Done").click()
    assert "?" not in page.url


def test_the_class_says_which_results_are_low_and_a_view_may_say_otherwise(room):
    page = room.teacher.load(room.page)
    expect(low(page)).to_have_count(0)
    page.get_by_role("button", name="Columns", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name="Students at risk", exact=True).click()
    rules = page.get_by_role("dialog", name="Students at risk")
    bound = rules.get_by_label("Mark results below, in % of the scale")
    bound.fill("101")
    bound.press("Enter")
    expect(bound).to_have_attribute("aria-invalid", "true")
    bound.fill("50 %")
    bound.press("Enter")
    rules.get_by_role("button", name="Save").click()
    expect(low(page)).to_have_text(["49.9"])
    assert room.call("GET", room.path)["class"]["structure"]["policy"]["low"] == "50"
    page.keyboard.press("Escape")
    page.get_by_role("button", name="View", exact=True).click()
    own = page.get_by_role("dialog").get_by_label("Mark results below, in % of the scale")
    expect(own).to_have_accessible_description(re.compile("below 50%, as the class marks them"))
    own.fill("90")
    own.press("Tab")
    expect(low(page)).to_have_text(["49.9", "50", "80"])
    own.fill("0")
    own.press("Tab")
    expect(low(page)).to_have_count(0)
    own.fill("")
    own.press("Tab")
    expect(low(page)).to_have_text(["49.9"])
    page.keyboard.press("Escape")
    page.get_by_role("button", name="History", exact=True).click()
    # Few changes are told at once; whoever presses them then closes them.
    expect(page.get_by_role("dialog")).to_contain_text("Low results")


def test_low_results_are_marked_on_a_phone(room):
    page = room.teacher.load(f"{room.page}?low=50&view=column&of={room.lines[MIDTERM]}")
    page.set_viewport_size(SMALL_PHONE)
    marks = page.locator(".mark-cell[data-low]")
    expect(marks).to_have_count(1)
    expect(marks.get_by_role("textbox")).to_have_value("49.9")
    expect(marks.get_by_role("textbox")).to_have_accessible_description("below 50% of the scale")
    assert violations(page) == []


def test_a_share_counts_from_the_worst_result_to_the_best(anywhere):
    judged = anywhere.evaluate(
        """async () => {
            const { isLow } = await import('/app/pages/grid/low.js');
            const points = { best: '60', least: '0', most: null, field: null };
            const marks = { best: '1', least: '1', most: '5', field: null };
            const tenths = { best: '0.3', least: '-0.3', most: '0.3', field: null };
            return [
                [points, '29.99', '50'], [points, '30', '50'], [points, '-1', '0'], [points, 'abc', '50'], [points, null, '50'],
                [points, '1', null], [marks, '4.1', '25'], [marks, '4', '25'], [tenths, '0', '50'], [tenths, '-0.0001', '50'],
                [{ ...points, best: null }, '1', '50'], [{ ...points, field: 'resit' }, '1', '50'], [{ ...points, best: '0' }, '0', '50'],
            ].map(of => isLow(...of));
        }"""
    )
    assert judged == [True, False, True, False, False, False, True, False, False, True, False, True, False]
