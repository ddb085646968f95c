"""Results from a file: what it would do is shown in the grid before it is entered, and no file does harm."""

import io
import zipfile

import openpyxl
import pytest
from accessibility import violations
from classroom import SMALL_PHONE, Classroom
from grid import LAB, MIDTERM, QUIET, keys, opened, said, settled
from playwright.sync_api import expect
from texts import LANGUAGES, shown

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@pytest.fixture
def room(staff):
    """Three students, with results in two columns and hidden ones in the third."""
    room = Classroom(staff("teacher"), title="Logic", students=3)
    for row, value in enumerate(("61", "74.5")):
        room.enter(row, MIDTERM, value)
    room.enter(0, LAB, 7)
    room.enter(2, QUIET, "9.25")
    path = f"{room.path}/rows/{room.rows[1]['id']}"
    room.call("PATCH", path, {"cells": {room.lines[LAB]: {"value": 5, "status": "excused"}}})
    room.call("PATCH", path, {"cells": {room.lines[QUIET]: {"status": "missing"}}})
    return room


def exported(room, query="format=csv"):
    """The file that the server makes."""
    script = "path => fetch(path).then(answer => answer.arrayBuffer()).then(bytes => [...new Uint8Array(bytes)])"
    return bytes(room.teacher.page.evaluate(script, f"{room.path}/export?{query}"))


def choose(page, body, name="results.csv", kind="text/csv", texts=LANGUAGES["en"]):
    page.get_by_role("button", name=texts["file.open"], exact=True).click()
    sheet = page.get_by_role("dialog", name=texts["file.title"])
    body = body if isinstance(body, bytes) else body.encode("utf-8")
    sheet.get_by_label(texts["file.choose"]).set_input_files({"name": name, "mimeType": kind, "buffer": body})
    return sheet


def plan(page):
    return page.locator(".grid-plan")


def workbook(rows):
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def packed(parts):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as file:
        for name, text in parts.items():
            file.writestr(name, text)
    return stream.getvalue()


def repacked(body, **parts):
    """A workbook with some parts replaced, named with `_` for each `/` and `.`."""
    with zipfile.ZipFile(io.BytesIO(body)) as file:
        texts = {name: file.read(name) for name in file.namelist()}
    for name in texts:
        texts[name] = parts.get(name.replace("/", "_").replace(".", "_"), texts[name])
    return packed(texts)


@pytest.mark.parametrize("form", ["csv", "csv&delimiter=tab", "xlsx"])
def test_a_file_from_here_comes_back_as_the_same(room, form):
    page = opened(room)
    choose(page, exported(room, f"format={form}"))
    expect(plan(page)).to_be_visible()
    expect(said(page)).to_have_text("6 the same")
    keys(page, "Escape")
    expect(plan(page)).to_have_count(0)


def test_by_keyboard_a_workbook_is_seen_in_the_grid_and_entered_as_one_act(room):
    book = openpyxl.load_workbook(io.BytesIO(exported(room, "format=xlsx")))
    sheet = book.active
    places = {sheet.cell(2, number).value: number for number in range(1, sheet.max_column + 1)}
    by_row = {sheet.cell(number, places["row"]).value: number for number in range(3, sheet.max_row + 1)}
    rows = [by_row[row["id"]] for row in room.rows]
    sheet.cell(rows[0], places[room.lines[MIDTERM]]).value = 62
    sheet.cell(rows[2], places[room.lines[MIDTERM]]).value = 80.25
    sheet.cell(rows[2], places[room.lines[LAB]]).value = "a lot"
    # Columns are moved as people move them.
    sheet.move_range(f"A1:C{sheet.max_row}", cols=30)
    stream = io.BytesIO()
    book.save(stream)
    page = opened(room)
    before = room.call("GET", room.path)["class"]["v"]
    choose(page, stream.getvalue(), "results.xlsx", XLSX)
    expect(said(page)).to_have_text("1 new, 1 changed, 5 the same, 1 refused")
    refused = page.locator('[data-state="paste-refused"]')
    expect(refused).to_have_text("a lot")
    expect(refused).to_have_attribute("aria-description", "Not a number")
    assert violations(page) == []
    keys(page, "Enter")
    settled(page)
    assert room.values(MIDTERM) == ["62", "74.5", "80.25"]
    # What was refused stays in its cell.
    expect(page.locator('[data-state="refused"]')).to_have_text("a lot")
    assert room.call("GET", room.path)["class"]["v"] == before + 1


def test_a_file_of_names_and_titles_is_understood_and_what_is_unknown_is_named(room):
    first, second, third = room.names
    page = opened(room)
    body = f"Midterm,Essay,Name\n90,1,{second.upper()}\n,3,{first}\n5,4,Grace Hopper\n"
    sheet = choose(page, body)
    expect(sheet).to_contain_text("1 student is not in this class: Grace Hopper.")
    expect(sheet).to_contain_text("1 column is not in this class: Essay.")
    assert violations(page) == []
    sheet.get_by_role("button", name="Show in the grid").click()
    # An empty cell changes nothing.
    expect(said(page)).to_have_text("1 changed")
    keys(page, "Enter")
    settled(page)
    assert room.values(MIDTERM) == ["61", "90", None]


def test_of_two_texts_for_one_cell_the_second_is_refused(room):
    page = opened(room)
    name = room.names[2]
    choose(page, f"Name;Midterm\n{name};50\n{name};60\n")
    expect(said(page)).to_have_text("1 new, 1 refused")
    keys(page, "Escape")


def test_a_phone_has_it_too(room, newcomer):
    person = room.teacher_elsewhere(newcomer, viewport=SMALL_PHONE)
    page = person.open(room.page)
    sheet = choose(page, f"Name,Midterm\n{room.names[2]},50\n{room.names[0]},-5\n")
    expect(sheet).to_contain_text("1 new, 1 refused")
    expect(sheet.locator("li")).to_contain_text([f"{room.names[2]}, Midterm: 50", "Less than 0"])
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    sheet.get_by_role("button", name="Enter these results").click()
    expect(sheet).to_have_count(0)
    expect(page.locator('input.mark[aria-invalid="true"]')).to_have_value("-5")
    assert room.values(MIDTERM) == ["61", "74.5", "50"]


UNREADABLE = "This file cannot be read."
TOO_LARGE = "This file is too large."
NOTHING = "In this file there is no column of students"
SHEET = "xl_worksheets_sheet1_xml"
STRING = "xl_sharedStrings_xml"
BOMB = b'<?xml version="1.0"?><worksheet><sheetData>' + b" " * (40 << 20) + b"</sheetData></worksheet>"
BILLION = (
    b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>'
    b"<worksheet><sheetData><row r='1'><c r='A1' t='inlineStr'><is><t>&b;</t></is></c></row></sheetData></worksheet>"
)
FAR = b"<worksheet><sheetData><row r='1048576'><c r='XFD1048576'><v>1</v></c></row></sheetData></worksheet>"
WIDE = b"<worksheet><sheetData><row r='1'><c r='XFD1'><v>1</v></c></row></sheetData></worksheet>"
OPEN = b"<worksheet><sheetData><row r='1'><c r='A1"
LONG = b"<worksheet><sheetData><row r='1' " + b"a" * (4 << 20) + b"></row></sheetData></worksheet>"
PLAIN = workbook([["Name", "Midterm"], ["x", 1]])


@pytest.mark.parametrize(
    ("body", "text"),
    [
        pytest.param(repacked(PLAIN, **{SHEET: BOMB}), TOO_LARGE, id="a bomb"),
        pytest.param(repacked(PLAIN, **{SHEET: BILLION}), UNREADABLE, id="entities"),
        pytest.param(repacked(PLAIN, **{SHEET: FAR}), TOO_LARGE, id="a far row"),
        pytest.param(repacked(PLAIN, **{SHEET: WIDE}), TOO_LARGE, id="a far column"),
        pytest.param(repacked(PLAIN, **{SHEET: OPEN}), UNREADABLE, id="a tag that nothing closes"),
        pytest.param(repacked(PLAIN, **{SHEET: LONG}), NOTHING, id="a long word in a tag"),
        pytest.param(PLAIN[: len(PLAIN) // 2], UNREADABLE, id="half a file"),
        pytest.param(packed({"xl/workbook.xml": "<workbook/>"}), UNREADABLE, id="no sheet"),
        pytest.param(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(512), "This is an old or a protected", id="old"),
        pytest.param(b"Name,Midterm\n" + b"x,1\n" * 150_000, TOO_LARGE, id="many cells"),
        pytest.param(b"x" * ((8 << 20) + 1), TOO_LARGE, id="many bytes"),
        pytest.param(b"Who,What\nx,1\n", NOTHING, id="other columns"),
        pytest.param(b"", NOTHING, id="nothing"),
        pytest.param(bytes(range(256)), UNREADABLE, id="no text"),
    ],
)
def test_what_is_no_file_of_results_is_refused_in_words(room, body, text):
    page = opened(room)
    sheet = choose(page, body)
    expect(sheet.get_by_role("alert")).to_contain_text(text)
    expect(plan(page)).to_have_count(0)
    assert page.get_by_role("grid").count() == 1


def test_any_byte_may_be_wrong(room):
    """No fault of a byte stops the page: the file is read, or refused in words."""
    body = exported(room, "format=xlsx")
    page = opened(room)
    script = """async bodies => {
        const { readTable } = await import('/app/pages/grid/file/table.js');
        const { FileFault } = await import('/app/pages/grid/file/zip.js');
        const others = [];
        for (const body of bodies) {
            try { await readTable(new Blob([new Uint8Array(body)])); }
            catch (error) { if (!(error instanceof FileFault)) others.push(String(error)); }
        }
        return others;
    }"""
    step = max(1, len(body) // 400)
    bodies = [list(body[:at] + bytes([body[at] ^ 0xFF]) + body[at + 1 :]) for at in range(0, len(body), step)]
    assert page.evaluate(script, bodies) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_in_each_language_it_has_its_words_and_its_decimal_sign(room, newcomer, language):
    texts = LANGUAGES[language]
    english = {text for text in LANGUAGES["en"].values() if "{" not in text} - set(texts.values()) - {"Midterm"}
    locale = {"en": "en-US", "fr": "fr-FR", "zh-Hans": "zh-CN"}[language]
    person = room.teacher_elsewhere(newcomer, language, locale=locale)
    page = opened(room, person)
    dialect = "format=csv&delimiter=semicolon&decimal=comma" if language == "fr" else "format=csv"
    choose(page, exported(room, dialect), texts=texts)
    expect(said(page)).to_have_text(texts["paste.count.same.other"].replace("{count}", "6"))
    keys(page, "Escape")
    sheet = choose(page, f"Name;Essay\n{room.names[0]};1\n", texts=texts)
    expect(sheet.get_by_role("alert")).to_have_text(texts["file.fault.nothing"])
    assert shown(page) & english == set()
