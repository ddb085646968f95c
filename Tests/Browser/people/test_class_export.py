"""Exporting the class from its page: by keyboard, on a phone, refused, in each language, and pasted into the grid
again."""

import csv
import io
import json

import openpyxl
import pytest
from accessibility import violations
from classroom import SMALL_PHONE, Classroom
from grid import LAB, MIDTERM, QUIET, cell, keys, opened, ordered, paste, said
from playwright.sync_api import expect
from texts import LANGUAGES, shown

STAYING = {"staff"}

DIALECTS = {"en": (",", "."), "fr": (";", ","), "zh-Hans": (",", ".")}


@pytest.fixture
def room(staff):
    """Three students, with results in two columns and hidden ones in the third."""
    room = Classroom(staff("teacher"), title="Logic: 1/2", students=3)
    for row, value in enumerate(("61", "74.5")):
        room.enter(row, MIDTERM, value)
    room.enter(0, LAB, 7)
    room.enter(2, QUIET, "9.25")
    return room


def table(download, delimiter=","):
    """The titles, and the rows by the keys of the columns."""
    with open(download.value.path(), encoding="utf-8", newline="") as file:
        titles, columns, *rows = csv.reader(file, delimiter=delimiter)
    return titles, [dict(zip(columns, row, strict=True)) for row in rows]


def exported(room):
    """The rows of the CSV file from the server."""
    body = room.teacher.context.request.get(f"{room.teacher.url}{room.path}/export").text()
    _, columns, *rows = csv.reader(body.splitlines())
    return [dict(zip(columns, row, strict=True)) for row in rows]


def test_by_keyboard_it_is_a_file_that_the_grid_has_already_when_it_is_pasted(room):
    page = opened(room)
    page.get_by_role("button", name="Export").focus()
    keys(page, "Enter")
    sheet = page.get_by_role("dialog", name="Export the class")
    expect(sheet).to_contain_text("results that students do not see yet")
    assert violations(page) == []
    expect(sheet.get_by_role("button", name="Excel workbook")).to_be_focused()
    keys(page, "Tab")
    expect(sheet.get_by_role("button", name="CSV file")).to_be_focused()
    with page.expect_download() as download:
        keys(page, "Enter")
    assert download.value.suggested_filename == "Logic 1 2.csv"
    expect(sheet).to_have_count(0)
    expect(page.get_by_role("button", name="Export")).to_be_focused()
    titles, rows = table(download)
    names = ["Student number", "Login", "Name", "Last name", "First name"]
    assert titles[:8] == [*names, "Midterm", "Lab 1", "Lab 2"]
    lines = [room.lines[line] for line in (MIDTERM, LAB, QUIET)]
    by_name = {row["name"]: row for row in rows}
    assert sorted(by_name) == sorted(room.names)
    shown_rows = [by_name[name] for name in ordered(page, room)]
    # What a spreadsheet copies from it.
    cell(page, 0, 0).click()
    paste(page, "\n".join("\t".join(row[line] for line in lines) for row in shown_rows))
    expect(page.locator(".grid-plan")).to_be_visible()
    expect(said(page)).to_have_text("9 the same")


def test_what_the_grid_shows_is_a_file_in_its_order(room):
    room.enter(1, LAB, 9)
    page = room.teacher.load(f"{room.page}?sort=-{room.lines[MIDTERM]}&hide={room.lines[QUIET]}")
    expect(cell(page, 0, 0)).to_have_text("74.5")
    page.get_by_role("button", name="Export").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="What the grid shows (CSV)").click()
    with open(download.value.path(), encoding="utf-8-sig", newline="") as file:
        head, *rows = csv.reader(file)
    assert head == ["Student", "Exams › Midterm (out of 100)", "Labs › Lab 1 (out of 10)", "Grade", "Grade, letter"]
    shown_rows = [
        [name, *values] for name, values in zip(room.names, (["61", "7"], ["74.5", "9"], ["", ""]), strict=True)
    ]
    # The number is a number for a spreadsheet, too.
    assert rows[0][3].replace(".", "").isdecimal() and rows[0][4].isalpha()
    assert [row[:3] for row in rows] == [shown_rows[1], shown_rows[0], shown_rows[2]]


def test_with_comments_the_file_still_imports_as_it_is(room):
    body = {"line": room.lines[LAB], "for": "staff", "text": "Check this"}
    room.call("POST", f"{room.path}/rows/{room.rows[0]['id']}/comments", body)
    page = opened(room)
    page.get_by_role("button", name="Export").click()
    page.get_by_label("With the comments on results").check()
    with page.expect_download() as download:
        page.get_by_role("button", name="CSV file").click()
    _, rows = table(download)
    texts = [row[f"comments:{room.lines[LAB]}"] for row in rows]
    assert [text.split(": ")[-1] for text in texts if text] == ["Check this"]
    page.get_by_role("button", name="Import", exact=True).click()
    with open(download.value.path(), "rb") as file:
        body = {"name": "class.csv", "mimeType": "text/csv", "buffer": file.read()}
    page.get_by_role("dialog").get_by_label("File").set_input_files(body)
    # A column that the class does not have would be named first, in the dialog.
    expect(page.locator(".grid-plan")).to_be_visible()
    expect(said(page)).to_have_text("4 the same")


def test_a_phone_has_it_too(room, newcomer):
    person = room.teacher_elsewhere(newcomer, viewport=SMALL_PHONE)
    page = person.open(room.page)
    page.get_by_role("button", name="Export").click()
    sheet = page.get_by_role("dialog")
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    with page.expect_download() as download:
        sheet.get_by_role("button", name="Excel workbook").click()
    assert download.value.suggested_filename == "Logic 1 2.xlsx"
    book = openpyxl.load_workbook(io.BytesIO(download.value.path().read_bytes()))
    assert [cell.value for cell in book.active["C"][2:]] == [row["name"] for row in exported(room)]


def test_what_the_server_refuses_is_said_and_can_be_tried_again(room):
    page = opened(room)
    body = json.dumps({"code": "rate_limited", "title": "Too many requests"})
    page.route(
        "**/export?*", lambda route: route.fulfill(status=429, content_type="application/problem+json", body=body)
    )
    page.get_by_role("button", name="Export").click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_role("button", name="CSV file").click()
    expect(sheet.get_by_role("alert")).to_have_text("Too many requests")
    page.unroute("**/export?*")
    with page.expect_download():
        sheet.get_by_role("button", name="CSV file").click()
    expect(sheet).to_have_count(0)
    room.teacher.problems.clear()


@pytest.mark.parametrize("language", LANGUAGES)
def test_in_each_language_it_has_its_words_and_its_decimal_sign(room, newcomer, language):
    texts = LANGUAGES[language]
    english = {text for text in LANGUAGES["en"].values() if "{" not in text} - set(texts.values()) - {"Midterm"}
    locale = {"en": "en-US", "fr": "fr-FR", "zh-Hans": "zh-CN"}[language]
    person = room.teacher_elsewhere(newcomer, language, locale=locale)
    page = opened(room, person)
    page.get_by_role("button", name=texts["export.open"]).click()
    sheet = page.get_by_role("dialog", name=texts["export.title"])
    expect(sheet).to_be_visible()
    assert shown(page) & english == set()
    with page.expect_download() as download:
        expect(sheet.get_by_role("button", name=texts["export.xlsx"])).to_be_visible()
        sheet.get_by_role("button", name=texts["export.csv"]).click()
    delimiter, mark = DIALECTS[language]
    titles, rows = table(download, delimiter)
    assert titles[2] == {"en": "Name", "fr": "Nom", "zh-Hans": "姓名"}[language]
    assert sorted(row[room.lines[MIDTERM]] for row in rows) == ["", "61", f"74{mark}5"]
