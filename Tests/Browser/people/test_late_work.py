"""Late and missing work on the pages of a class: the rule, the column for delays, and what students see."""

import pytest
from accessibility import violations
from classroom import SMALL_PHONE, Classroom
from grid import LAB, MIDTERM, cell, head, keys, opened, said, settled, type_in
from playwright.sync_api import expect
from texts import LANGUAGES, shown

STAYING = {"staff"}

DAY = 24 * 60


@pytest.fixture
def room(staff):
    """Two students with results, and a column with a due date."""
    room = Classroom(staff("teacher"), title="Logic", students=2)
    for row, value in enumerate((80, 60)):
        room.enter(row, MIDTERM, value)
    change(room, {"op": "patch", "line": room.lines[MIDTERM], "due": "2026-11-20"})
    return room


def change(room, *steps):
    return room.call("POST", f"{room.path}/changes", {"changes": list(steps)})


def deducting(room):
    change(room, {"op": "policy", "policy": {"late": {"percent": 10, "per": "day"}, "missing": {"percent": 0}}})


def test_by_keyboard_the_class_says_what_late_work_loses_and_sees_before_whom_it_concerns(room):
    path = f"{room.path}/rows/{room.rows[0]['id']}"
    room.call("PATCH", path, {"cells": {room.lines[MIDTERM]: {"late": DAY + 1}}})
    page = opened(room)
    page.get_by_role("button", name="Columns").click()
    page.get_by_role("button", name="Late and missing work").click()
    sheet = page.get_by_role("dialog", name="Late and missing work")
    assert violations(page) == []
    sheet.get_by_label("Late work loses").select_option("day")
    sheet.get_by_label("How much, in %").fill("10")
    sheet.get_by_label("Missing work counts as").fill("0")
    assert violations(page) == []
    sheet.get_by_label("Missing work counts as").press("Enter")
    expect(sheet.locator(".banner")).to_have_text("This changes the figures of 1 student.")
    sheet.get_by_role("button", name="Save").focus()
    keys(page, "Enter")
    expect(sheet).to_have_count(0)
    # 80 - 20 of 100.
    expect(cell(page, 0, 4)).to_contain_text("60.00")
    expect(head(page, 1)).to_contain_text("Midterm: late")
    expect(cell(page, 0, 1)).to_have_text("1 d 1 min")
    expect(cell(page, 0, 0)).to_have_attribute("aria-description", "late by 1 d 1 min")


def test_what_is_wrong_with_the_rule_stands_at_its_field(room):
    page = opened(room)
    page.get_by_role("button", name="Columns").click()
    page.get_by_role("button", name="Late and missing work").click()
    sheet = page.get_by_role("dialog", name="Late and missing work")
    sheet.get_by_label("Late work loses").select_option("once")
    sheet.get_by_label("How much, in %").fill("101")
    sheet.get_by_role("button", name="Show what changes").click()
    expect(sheet.get_by_label("How much, in %")).to_have_attribute("aria-invalid", "true")
    assert violations(page) == []


def test_a_delay_is_typed_beside_the_result_and_undone(room):
    deducting(room)
    page = opened(room)
    cell(page, 0, 1).click()
    type_in(page, "2d", "3 h")
    settled(page)
    expect(cell(page, 0, 1)).to_have_text("2 d")
    expect(cell(page, 1, 1)).to_have_text("3 h")
    assert [room.cell(row, MIDTERM)["late"] for row in range(2)] == [2 * DAY, 180]
    cell(page, 0, 1).click()
    type_in(page, "soon")
    expect(cell(page, 0, 1)).to_have_attribute("data-state", "refused")
    cell(page, 0, 1).click()
    keys(page, "Delete")
    expect(cell(page, 0, 1)).to_have_text("2 d")
    keys(page, "Control+z")
    settled(page)
    cell(page, 1, 1).click()
    expect(cell(page, 1, 1)).to_have_text("")
    assert "late" not in str(room.cell(1, MIDTERM))


@pytest.mark.parametrize("text", ["90", "367 d"])
def test_a_number_alone_is_no_delay_and_the_server_says_how_long_one_is(room, text):
    """Files mean minutes by such a number, and people days."""
    deducting(room)
    page = opened(room)
    cell(page, 0, 1).click()
    type_in(page, text)
    expect(cell(page, 0, 1)).to_have_attribute("data-state", "refused")
    assert "late" not in str(room.cell(0, MIDTERM))


def test_two_who_enter_a_delay_see_both(room, staff):
    deducting(room)
    page = opened(room)
    path = f"{room.path}/rows/{room.rows[0]['id']}"
    cell(page, 0, 1).click()
    page.keyboard.type("3 h")
    body = {"cells": {room.lines[MIDTERM]: {"late": 2 * DAY}}}
    assert staff("registrar").api("PATCH", path, body)["status"] == 200
    keys(page, "Enter")
    expect(cell(page, 0, 1)).to_have_attribute("data-state", "conflict")
    keys(page, "ArrowUp")
    note = page.locator(".cell-note")
    expect(note).to_contain_text("entered 2 d on")
    expect(note).to_contain_text("You typed 3 h.")
    assert room.cell(0, MIDTERM)["late"] == 2 * DAY
    note.get_by_role("button", name="Keep 3 h").click()
    settled(page)
    expect(page.locator('[data-state="conflict"]')).to_have_count(0)
    assert room.cell(0, MIDTERM)["late"] == 180


def test_a_delay_and_a_result_that_two_enter_at_once_both_stay(room, staff):
    deducting(room)
    page = opened(room)
    cell(page, 0, 1).click()
    page.keyboard.type("3 h")
    room.enter(0, MIDTERM, 70, by=staff("registrar"))
    keys(page, "Enter")
    settled(page)
    found = room.cell(0, MIDTERM)
    assert (found["value"], found["late"]) == ("70", 180)


def test_the_sheet_changes_the_half_of_the_rule_that_was_changed_in_it(room):
    page = opened(room)
    page.get_by_role("button", name="Columns").click()
    page.get_by_role("button", name="Late and missing work").click()
    sheet = page.get_by_role("dialog", name="Late and missing work")
    expect(sheet).to_contain_text("Students always see why")
    change(room, {"op": "policy", "policy": {"missing": {"percent": 0, "automatic": True}}})
    sheet.get_by_label("Late work loses").select_option("day")
    sheet.get_by_label("How much, in %").fill("10")
    for name in ("Show what changes", "Save"):
        sheet.get_by_role("button", name=name).click()
    expect(sheet).to_have_count(0)
    policy = room.call("GET", room.path)["class"]["structure"]["policy"]
    assert policy["late"]["percent"] == "10"
    assert policy["missing"] == {"percent": "0", "automatic": True}


def test_empty_cells_are_marked_as_missing_at_once_and_a_result_takes_the_mark_away(room):
    deducting(room)
    room.enter(0, LAB, 10)
    page = opened(room)
    cell(page, 0, 2).click()
    keys(page, "m")
    expect(said(page)).to_have_text("There is a result: it is not missing.")
    head(page, 2).click()
    page.get_by_role("button", name="Mark empty cells as missing").click()
    settled(page)
    expect(cell(page, 1, 2)).to_have_text("missing")
    expect(cell(page, 0, 2)).to_have_text("10")
    assert room.cell(1, LAB)["status"] == "missing"
    cell(page, 1, 2).click()
    type_in(page, "7")
    settled(page)
    assert room.cell(1, LAB) == "7"


def test_the_history_says_how_late_work_was(room):
    deducting(room)
    path = f"{room.path}/rows/{room.rows[0]['id']}"
    room.call("PATCH", path, {"cells": {room.lines[MIDTERM]: {"late": 90}}})
    page = opened(room)
    page.get_by_role("button", name="History").click()
    expect(page.get_by_role("dialog").locator(".history > li").first).to_contain_text(
        "in Midterm as late by 1 h 30 min"
    )


def test_a_row_says_when_work_is_due_and_what_lateness_makes_of_it(room):
    deducting(room)
    path = f"{room.path}/rows/{room.rows[0]['id']}"
    room.call("PATCH", path, {"cells": {room.lines[MIDTERM]: {"late": 1}, room.lines[LAB]: {"status": "missing"}}})
    page = room.teacher.open(f"/records/{room.rows[0]['record']}/classes/{room.rows[0]['entry']}")
    midterm = page.locator(".own-line", has_text="Midterm")
    expect(midterm).to_contain_text("due ")
    expect(midterm).to_contain_text("80 of 100")
    expect(midterm).to_contain_text("late by 1 min")
    expect(midterm).to_contain_text("counts as 70")
    lab = page.locator(".own-line", has_text="Lab 1")
    expect(lab).to_contain_text("missing")
    expect(lab).to_contain_text("counts as 0")
    assert violations(page) == []


def test_a_phone_marks_both(room, newcomer):
    deducting(room)
    person = room.teacher_elsewhere(newcomer, viewport=SMALL_PHONE)
    page = person.open(f"{room.page}?view=student&of={room.rows[0]['id']}")
    field = page.get_by_label("Midterm: late")
    field.fill("2 d")
    field.press("Enter")
    expect(field).to_have_value("2 d")
    page.locator("select.mark-status").nth(1).select_option("missing")
    expect(page.locator("select.mark-status").nth(1)).to_have_value("missing")
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    assert violations(page) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_in_each_language_delays_have_their_words(room, newcomer, language):
    deducting(room)
    texts = LANGUAGES[language]
    english = {text for text in LANGUAGES["en"].values() if "{" not in text} - set(texts.values()) - {"Midterm"}
    person = room.teacher_elsewhere(newcomer, language)
    page = opened(room, person)
    cell(page, 0, 1).click()
    type_in(page, "1d 4h")
    settled(page)
    written = " ".join([texts["late.days"].format(count=1), texts["late.hours"].format(count=4)])
    expect(cell(page, 0, 1)).to_have_text(written)
    # A delay as it is shown can be typed again.
    cell(page, 1, 1).click()
    type_in(page, written)
    settled(page)
    assert [room.cell(row, MIDTERM)["late"] for row in range(2)] == [28 * 60] * 2
    page.get_by_role("button", name=texts["structure.open"], exact=True).click()
    page.get_by_role("button", name=texts["late.title"]).click()
    page.get_by_label(texts["late.per"]).select_option("day")
    assert shown(page) & english == set()
