"""Work that is marked by codes: in the grid, on a phone, as a student reads it, and revealed."""

import pytest
from accessibility import violations
from classroom import SMALL_PHONE, Classroom
from grid import MIDTERM, cell, head, keys, opened, paste
from playwright.sync_api import expect
from texts import LANGUAGES, shown
from waiting import eventually

STAYING = {"staff"}


@pytest.fixture
def room(staff):
    return Classroom(staff("teacher"), title="Sets", students=2)


def make_anonymous(room):
    step = {"op": "patch", "line": room.lines[MIDTERM], "marking": "anonymous"}
    room.call("POST", f"{room.path}/changes", {"changes": [step]})


def entered(room):
    """What is stored under codes, by code."""
    codes = room.call("GET", f"{room.path}/marking/{room.lines[MIDTERM]}")["codes"]
    return {item["code"]: str(item["cell"]["values"]["score"]) for item in codes if "cell" in item}


@pytest.mark.slow("marks by codes from the setting to the revelation, beside another marker")
def test_a_teacher_marks_by_codes_and_reveals_the_students(room, staff):
    page = opened(room)
    head(page, 0).click()
    page.get_by_role("dialog").get_by_role("button", name="Edit").click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_label("Who marks").select_option("anonymous")
    sheet.get_by_role("button", name="Save").click()
    expect(sheet).to_have_count(0)
    # The cells of the grid are read-only, and nothing can be pasted into them.
    expect(cell(page, 0, 0)).to_have_attribute("data-state", "anonymous")
    expect(cell(page, 0, 0)).to_have_attribute("aria-readonly", "true")
    assert violations(page) == []
    cell(page, 0, 0).click()
    paste(page, "55\n66")
    expect(page.get_by_text("2 refused").first).to_be_visible()
    keys(page, "Escape")
    # F2 opens the work by codes, which names no student.
    cell(page, 0, 0).click()
    keys(page, "F2")
    marks = page.locator(".marks li")
    expect(marks).to_have_count(20)
    codes = page.locator(".marks code").all_text_contents()
    assert codes == sorted(codes)
    assert not set(room.names) & shown(page)
    assert violations(page) == []
    page.get_by_role("textbox", name=codes[0]).click()
    page.keyboard.type("81")
    keys(page, "Enter")
    page.keyboard.type("200x")
    keys(page, "Enter")
    expect(marks.nth(1).locator(".mark-note")).to_be_visible()
    eventually(page, lambda: entered(room) == {codes[0]: "81"})
    # What another marker enters meanwhile appears at once, and is not overwritten.
    third = page.get_by_role("textbox", name=codes[2])
    third.click()
    page.keyboard.type("70")
    other = staff("registrar")
    path = f"{room.path}/marking/{room.lines[MIDTERM]}"
    assert other.api("POST", path, {"cells": [{"code": codes[3], "value": 64}]})["status"] == 200
    expect(page.get_by_role("textbox", name=codes[3])).to_have_value("64")
    expect(third).to_have_value("70")
    keys(page, "Enter")
    eventually(page, lambda: entered(room) == {codes[0]: "81", codes[2]: "70", codes[3]: "64"})
    page.get_by_role("button", name="Reveal the students").click()
    page.get_by_role("dialog").get_by_role("button", name="Reveal the students").click()
    expect(page.get_by_text("Midterm are with their students").first).to_be_visible()
    expect(page.locator(".marks li")).to_have_count(2)
    page.get_by_role("button", name="History").click()
    expect(page.get_by_role("dialog").get_by_text("revealed the students of anonymous results").first).to_be_visible()


def test_a_phone_marks_by_codes(room, newcomer):
    make_anonymous(room)
    person = room.teacher_elsewhere(newcomer, viewport=SMALL_PHONE)
    page = person.open(f"{room.page}?view=column&of={room.lines[MIDTERM]}")
    expect(page.locator(".marks li")).to_have_count(20)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert not set(room.names) & shown(page)
    assert violations(page) == []


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_marking_by_codes_speaks_no_english_to_others(room, newcomer, language):
    make_anonymous(room)
    own = set(LANGUAGES[language].values())
    english = {text for text in LANGUAGES["en"].values() if "{" not in text} - own - {"Midterm"}
    page = room.teacher_elsewhere(newcomer, language).open(f"{room.page}?view=column&of={room.lines[MIDTERM]}")
    expect(page.get_by_text(LANGUAGES[language]["anonymous.about"])).to_be_visible()
    page.get_by_role("button", name=LANGUAGES[language]["anonymous.reveal"]).click()
    expect(page.get_by_role("dialog")).to_be_visible()
    assert shown(page) & english == set()
