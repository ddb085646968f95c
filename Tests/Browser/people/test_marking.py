"""Comments on results, and two people who mark the same work: in the grid, on a phone, and as a student reads them."""

import pytest
from accessibility import violations
from classroom import SMALL_PHONE, Classroom
from grid import LAB, cell, head, keys, opened, settled, type_in
from playwright.sync_api import expect
from texts import LANGUAGES, shown
from waiting import eventually

STAYING = {"staff"}


@pytest.fixture
def room(staff):
    """Two students, the first of whom has a result in the first lab."""
    room = Classroom(staff("teacher"), title="Logic", students=2)
    room.enter(0, LAB, 7)
    return room


def sheet_of(page):
    return page.get_by_role("dialog", name="Comments")


def write(page, text, audience):
    sheet = sheet_of(page)
    sheet.get_by_label("Comment", exact=True).fill(text)
    sheet.get_by_label("Who reads it").select_option(audience)
    sheet.get_by_role("button", name="Add the comment").press("Enter")
    expect(sheet.locator(".comment-text").first).to_have_text(text)


@pytest.mark.slow("writes, reads and deletes comments on two pages, each read by axe")
def test_by_keyboard_results_are_commented_on_and_the_grid_counts_them(room):
    page = opened(room)
    keys(page, "ArrowRight", "c")
    write(page, "Clear.\nSee page 4.", "student")
    write(page, "Check for copying", "staff")
    assert violations(page) == []
    keys(page, "Escape")
    expect(sheet_of(page)).to_have_count(0)
    expect(cell(page, 0, 1)).to_have_attribute("data-notes", "2")
    expect(cell(page, 0, 1)).to_have_attribute("aria-description", "2 comments")
    expect(cell(page, 0, 1)).to_be_focused()
    keys(page, "Alt+c")
    sheet_of(page).get_by_role("button", name="Delete the comment").first.click()
    expect(sheet_of(page).locator(".comment-text")).to_have_text(["Clear.\nSee page 4."])
    keys(page, "Escape")
    expect(cell(page, 0, 1)).to_have_attribute("data-notes", "1")
    page.get_by_role("button", name="History").click()
    expect(page.get_by_role("dialog").get_by_text("You commented on Lab 1").first).to_be_visible()
    keys(page, "Escape")
    # Staff see what the student sees, and the comments among staff.
    own = room.teacher.open(f"/records/{room.rows[0]['record']}/classes/{room.rows[0]['entry']}")
    expect(own.locator(".own-line", has_text="Lab 1").locator(".comment-text")).to_have_text("Clear.\nSee page 4.")
    assert violations(own) == []


def test_what_was_written_before_is_written_again_by_a_press(room):
    page = opened(room)
    keys(page, "ArrowRight", "c")
    write(page, "Shows each step.", "staff")
    sheet = sheet_of(page)
    sheet.get_by_text("Written before").click()
    sheet.get_by_role("button", name="Shows each step.", exact=True).click()
    field = sheet.get_by_label("Comment", exact=True)
    expect(field).to_be_focused()
    expect(field).to_have_value("Shows each step.")
    expect(sheet.get_by_label("Who reads it")).to_have_value("staff")
    # A text for staff makes all of it one for staff.
    sheet.get_by_label("Who reads it").select_option("student")
    sheet.get_by_role("button", name="Shows each step.", exact=True).click()
    expect(field).to_have_value("Shows each step.\nShows each step.")
    expect(sheet.get_by_label("Who reads it")).to_have_value("staff")
    assert violations(page) == []
    field.fill("x" * 3990)
    sheet.get_by_role("button", name="Shows each step.", exact=True).click()
    expect(page.locator(".toast")).to_have_text("The comment has no room for this text.")
    expect(field).to_have_value("x" * 3990)


def test_a_phone_has_comments_beside_each_result(room, newcomer):
    person = room.teacher_elsewhere(newcomer, viewport=SMALL_PHONE)
    page = person.open(f"{room.page}?view=student&of={room.rows[0]['id']}")
    page.get_by_role("button", name="Comments: Labs › Lab 1").click()
    write(page, "Good", "student")
    assert violations(page) == []
    keys(page, "Escape")
    expect(page.get_by_role("button", name="Comments: Labs › Lab 1 · 1 comment")).to_be_visible()


def mark_twice(room, tolerance="1"):
    marking = {"mode": "double", "tolerance": tolerance, "rule": "mean"}
    step = {"op": "patch", "line": room.lines[LAB], "marking": marking}
    room.call("POST", f"{room.path}/changes", {"changes": [step]})


def second_marker(room, staff):
    """A registrar, who marks, too."""
    registrar = staff("registrar")

    def mark(row, value):
        path = f"{room.path}/rows/{room.rows[row]['id']}"
        answer = registrar.api("PATCH", path, {"cells": {room.lines[LAB]: {"mark": value}}})
        assert answer["status"] == 200, answer

    return mark


@pytest.mark.slow("has two people mark, reloads in between, and lets axe read three states")
def test_two_people_mark_and_the_grid_shows_how_far_it_is(room, staff):
    mark = second_marker(room, staff)
    page = opened(room)
    head(page, 1).click()
    page.get_by_role("dialog").get_by_role("button", name="Edit").click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_label("Who marks").select_option("double")
    sheet.get_by_label("Marks agree").fill("1")
    assert violations(page) == []
    sheet.get_by_role("button", name="Save").click()
    expect(sheet).to_have_count(0)
    cell(page, 0, 1).click()
    type_in(page, "8", "4")
    settled(page)
    expect(cell(page, 0, 1)).to_have_attribute("data-state", "marked")
    expect(cell(page, 0, 1)).to_have_text("8")
    # A mark that only the user entered is still there after a reload.
    page.reload()
    expect(cell(page, 1, 1)).to_have_text("4")
    mark(0, 9)
    expect(cell(page, 0, 1)).to_have_text("8.5")
    mark(1, 9)
    expect(cell(page, 1, 1)).to_have_attribute("data-state", "unagreed")
    expect(cell(page, 1, 1)).to_have_text("4 / 9")
    assert violations(page) == []
    cell(page, 1, 1).click()
    type_in(page, "9.5")
    settled(page)
    expect(cell(page, 1, 1)).to_have_text("9.25")
    eventually(page, lambda: room.cell(1, LAB)["value"] == "9.25")


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_marking_speaks_no_english_to_others(room, newcomer, language):
    mark_twice(room)
    own = set(LANGUAGES[language].values())
    english = {text for text in LANGUAGES["en"].values() if "{" not in text} - own - {"Midterm"}
    page, found = opened(room, room.teacher_elsewhere(newcomer, language)), set()
    head(page, 1).click()
    page.get_by_role("dialog").get_by_role("button", name=LANGUAGES[language]["action.edit"]).click()
    expect(page.get_by_role("dialog").get_by_label(LANGUAGES[language]["marks.rule"])).to_be_visible()
    found |= shown(page) & english
    keys(page, "Escape")
    cell(page, 0, 1).click()
    keys(page, "Alt+c")
    expect(page.get_by_role("dialog").get_by_label(LANGUAGES[language]["comments.for"])).to_be_visible()
    found |= shown(page) & english
    assert found == set()
