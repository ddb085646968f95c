"""Totals that a teacher gives beside the computed ones, from the grid and from the view of one student."""

import re

import pytest
from accessibility import violations
from classroom import Classroom
from grid import LAB, MIDTERM, cell, keys, opened, settled
from playwright.sync_api import expect

STAYING = {"staff"}

TOTAL = 3


@pytest.fixture
def small(staff):
    room = Classroom(staff("teacher"), students=3)
    room.enter(0, MIDTERM, 80)
    room.enter(0, LAB, 10)
    return room


@pytest.mark.slow("gives a total, undoes it and takes it back, and waits for each in a second grid")
def test_a_total_is_given_with_a_reason_seen_by_others_and_taken_back(small, staff):
    page, other = opened(small), opened(small, staff("registrar"))
    expect(cell(page, 0, TOTAL)).not_to_have_text("")
    computed = cell(page, 0, TOTAL).inner_text()
    cell(page, 0, TOTAL).click()
    keys(page, "F2")
    sheet = page.get_by_role("dialog")
    expect(sheet.get_by_role("heading")).to_contain_text(small.names[0])
    expect(sheet).to_contain_text(f"Computed: {computed}.")
    sheet.get_by_label("Value").fill("95")
    sheet.get_by_role("button", name="Give").click()
    expect(sheet.locator(".alert, .fault").first).to_be_visible()
    sheet.get_by_label("Reason").fill("Oral examination")
    assert violations(page) == []
    sheet.get_by_role("button", name="Give").click()
    expect(sheet).to_have_count(0)
    for shown in (page, other):
        expect(cell(shown, 0, TOTAL)).to_have_text("95.00 A")
        expect(cell(shown, 0, TOTAL)).to_have_attribute("data-state", "given")
        expect(cell(shown, 0, TOTAL)).to_have_attribute(
            "title", re.compile(f"Given by .* on .* Reason: Oral examination. Computed: {re.escape(computed)}.")
        )
    settled(page)
    keys(page, "Control+z")
    expect(cell(other, 0, TOTAL)).to_have_text(computed)
    keys(page, "Control+y")
    expect(cell(other, 0, TOTAL)).to_have_text("95.00 A")
    # The same in the view of one student, which shows both values.
    other.get_by_role("button", name="One student").click()
    expect(other.locator(".total").first).to_contain_text("Given by staff.")
    other.locator(".student-part").get_by_role("button", name="Give").first.click()
    sheet = other.get_by_role("dialog")
    sheet.get_by_label("Reason").fill("A mistake")
    sheet.get_by_role("button", name="Take back").click()
    expect(sheet).to_have_count(0)
    expect(cell(page, 0, TOTAL)).to_have_text(computed)
    page.get_by_role("button", name="History").click()
    lines = page.get_by_role("dialog").locator(".history > li")
    expect(lines.first).to_contain_text(f"took back what was given to {small.names[0]}")
    expect(lines.last).not_to_contain_text("undefined")


def test_a_total_takes_a_status_and_gives_it_back(small):
    page = opened(small)
    expect(cell(page, 0, TOTAL)).not_to_have_text("")
    computed = cell(page, 0, TOTAL).inner_text()
    cell(page, 0, TOTAL).click()
    keys(page, "F2")
    sheet = page.get_by_role("dialog")
    sheet.get_by_label("Status").select_option("withdrawn")
    sheet.get_by_label("Reason").fill("Left in March")
    assert violations(page) == []
    sheet.get_by_role("button", name="Give").click()
    expect(sheet).to_have_count(0)
    expect(cell(page, 0, TOTAL)).to_have_text("withdrawn")
    settled(page)
    keys(page, "Control+z")
    expect(cell(page, 0, TOTAL)).to_have_text(computed)
    page.get_by_role("button", name="History").click()
    lines = page.get_by_role("dialog").locator(".history > li")
    expect(lines.last).not_to_contain_text("undefined")
    expect(lines.filter(has_text="withdrawn")).to_have_count(2)


def test_a_student_sees_what_was_given_and_what_was_computed_but_no_reason(staff):
    room = Classroom(staff("teacher"), students=4)
    place = room.names.index("Demo student")
    room.enter(place, MIDTERM, 80)
    row = room.rows[place]
    body = {"rows": [{"row": row["id"], "figures": {"grade": "95"}}], "reason": "Oral examination"}
    room.call("POST", f"{room.path}/override", body)
    page = staff("student").open(f"/records/{row['record']}/classes/{row['entry']}")
    expect(page.locator(".total").first).to_contain_text("95.00")
    expect(page.locator(".total").first).to_contain_text("Given by staff. Computed: 80.00.")
    expect(page.get_by_text("Oral examination")).to_have_count(0)


def test_a_student_sees_the_status_of_the_total(staff):
    room = Classroom(staff("teacher"), students=4)
    place = room.names.index("Demo student")
    row = room.rows[place]
    body = {"rows": [{"row": row["id"], "status": "audit"}], "reason": "A guest"}
    room.call("POST", f"{room.path}/override", body)
    page = staff("student").open(f"/records/{row['record']}/classes/{row['entry']}")
    expect(page.locator(".totals")).to_contain_text("audit")
    expect(page.get_by_text("A guest")).to_have_count(0)
