"""A class that has ended, in the browser: closing it, asking for a correction, approving it, opening it again."""

import pytest
from accessibility import violations
from classroom import Classroom
from playwright.sync_api import expect
from texts import LANGUAGES, shown

STAYING = {"staff"}

LAB = 4


@pytest.fixture
def room(staff):
    """A class of two students, the first of whom has 7 of 10 in the lab."""
    room = Classroom(staff("teacher"), students=2)
    room.enter(0, LAB, 7)
    return room


def cell(page, row, column):
    return page.locator(f'[aria-rowindex="{row + 2}"] [aria-colindex="{column + 2}"][role=gridcell]:not([hidden])')


def opened(room, person):
    page = person.open(room.page)
    expect(page.locator(".grid-row:not([hidden]) .grid-name").first).to_be_visible()
    return page


def close_class(page):
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("dialog").get_by_role("button", name="Close the class").click()
    page.get_by_role("dialog").get_by_role("button", name="Close the class").click()
    expect(page.get_by_text("This class is closed.").first).to_be_visible()


def ask(page, text, reason):
    """Asks for another result of the first student in the lab, by keyboard."""
    cell(page, 0, 1).click()
    page.keyboard.press("F2")
    sheet = page.get_by_role("dialog")
    sheet.get_by_label("Result").fill(text)
    sheet.get_by_label("Reason").fill(reason)
    sheet.get_by_role("button", name="Ask for the correction").click()


@pytest.mark.slow("takes a correction from one person's browser to another's and back")
def test_a_closed_class_is_corrected_by_two_people(room, staff):
    teacher = opened(room, room.teacher)
    close_class(teacher)
    ask(teacher, "9", "Page 4 was not marked")
    expect(teacher.get_by_text("1 correction waits.")).to_be_visible()
    expect(cell(teacher, 0, 1)).to_have_text("7")
    registrar = staff("registrar").open("/work")
    registrar.get_by_role("link", name="Page 4 was not marked").first.click()
    sheet = registrar.get_by_role("dialog")
    expect(sheet.get_by_text("7 → 9")).to_be_visible()
    expect(sheet.get_by_text("Page 4 was not marked")).to_be_visible()
    assert violations(registrar) == []
    sheet.get_by_role("button", name="Approve").click()
    expect(sheet.get_by_text("Approved and entered")).to_be_visible()
    expect(cell(teacher, 0, 1)).to_have_text("9")
    registrar.keyboard.press("Escape")
    registrar.get_by_role("button", name="Settings").click()
    registrar.get_by_role("dialog").get_by_role("button", name="Open the class again").click()
    expect(registrar.get_by_text("The class is open again.")).to_be_visible()


def test_a_correction_that_can_hardly_be_meant_is_asked_about_first(room):
    teacher = opened(room, room.teacher)
    close_class(teacher)
    ask(teacher, "95", "Page 4 was not marked")
    sheet = teacher.get_by_role("dialog")
    expect(sheet.locator(".fault")).to_contain_text("Send it again if it is meant.")
    assert violations(teacher) == []
    expect(teacher.get_by_text("1 correction waits.")).to_have_count(0)
    sheet.get_by_role("button", name="Ask for the correction").click()
    expect(teacher.get_by_text("1 correction waits.")).to_be_visible()


def test_what_is_wrong_with_a_correction_stands_at_its_field(room):
    page = opened(room, room.teacher)
    close_class(page)
    ask(page, "7", "Nothing")
    sheet = page.get_by_role("dialog")
    expect(sheet.get_by_text("This result stands there already.").first).to_be_visible()
    ask_again = sheet.get_by_label("Result")
    ask_again.fill("-1")
    sheet.get_by_role("button", name="Ask for the correction").click()
    expect(sheet.locator(".fault, .alert").first).to_be_visible()
    assert violations(page) == []


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_a_closed_class_speaks_no_english_to_others(room, newcomer, language):
    room.call("PATCH", room.path, {"state": "closed"})
    cells = [{"row": room.rows[0]["id"], "line": room.lines[LAB], "value": 9}]
    room.call("POST", f"{room.path}/corrections", {"cells": cells, "reason": "4"})
    own = set(LANGUAGES[language].values())
    english = {text for text in LANGUAGES["en"].values() if "{" not in text} - own - {"Midterm"}
    person = room.teacher_elsewhere(newcomer, language)
    page, found = opened(room, person), set()
    found |= shown(page) & english
    page.get_by_role("button", name=LANGUAGES[language]["corrections.title"]).click()
    expect(page.get_by_role("dialog").locator(".history li").first).to_be_visible()
    found |= shown(page) & english
    page.keyboard.press("Escape")
    cell(page, 0, 1).click()
    page.keyboard.press("F2")
    expect(page.get_by_role("dialog").get_by_label(LANGUAGES[language]["corrections.reason"])).to_be_visible()
    found |= shown(page) & english
    assert found == set()
