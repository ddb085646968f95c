"""Results from a file: the grid shows what the file would do before it is entered, and no file does harm."""

import base64
import datetime
import io
import zipfile

import openpyxl
import pytest
from accessibility import violations
from classroom import SMALL_PHONE, Classroom
from grid import LAB, MIDTERM, QUIET, cell, keys, opened, said, settled
from openpyxl.styles import Font
from playwright.sync_api import expect
from texts import LANGUAGES, shown
from waiting import eventually

STAYING = {"staff"}

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


# The effect of a key is drawn in the next frame.
IS_CLEAR = """async () => {
    for (let turn = 0; turn < 2; turn += 1) await new Promise(requestAnimationFrame);
    return document.querySelector('dialog, .grid-plan, [data-state]:not([data-state=status])') === null;
}"""


@pytest.fixture
def room(staff):
    return filled(staff("teacher"))


@pytest.fixture(scope="module")
def read_room(resident):
    """A class in which nothing is entered, for tests that only show a plan or refuse a file."""
    room = filled(resident("teacher"))
    opened(room)
    return room


@pytest.fixture
def grid(read_room):
    """The grid of that class in its initial state."""
    page = read_room.teacher.page
    yield page
    if not page.evaluate(IS_CLEAR):
        opened(read_room)


def filled(teacher):
    """Three students, with results in two columns and hidden ones in the third."""
    room = Classroom(teacher, title="Logic", students=3)
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
    teacher = room.teacher
    return teacher.context.request.get(f"{teacher.url}{room.path}/export?{query}").body()


def choose(page, body, name="results.csv", kind="text/csv", texts=LANGUAGES["en"]):
    page.get_by_role("button", name=texts["file.open"], exact=True).click()
    sheet = page.get_by_role("dialog", name=texts["file.title"])
    body = body if isinstance(body, bytes) else body.encode("utf-8")
    sheet.get_by_label(texts["file.choose"]).set_input_files({"name": name, "mimeType": kind, "buffer": body})
    return sheet


def plan(page):
    return page.locator(".grid-plan")


def offered(page, counts):
    """The grid says what the file would do, and has the focus."""
    expect(plan(page)).to_be_visible()
    expect(said(page)).to_have_text(counts)
    expect(page.locator(".grid-cell:focus")).to_have_count(1)


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
    """A workbook with some parts replaced; in their names, `_` stands for `/` and `.`."""
    with zipfile.ZipFile(io.BytesIO(body)) as file:
        texts = {name: file.read(name) for name in file.namelist()}
    for name in texts:
        texts[name] = parts.get(name.replace("/", "_").replace(".", "_"), texts[name])
    return packed(texts)


@pytest.mark.parametrize("form", ["csv", "csv&delimiter=tab", "xlsx"])
def test_a_file_from_here_comes_back_as_the_same(read_room, grid, form):
    page = grid
    choose(page, exported(read_room, f"format={form}"))
    expect(plan(page)).to_be_visible()
    offered(page, "6 the same")
    # There is nothing to enter.
    expect(plan(page).get_by_role("button")).to_have_text(["Cancel"])
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
    offered(page, "1 new, 1 changed, 5 the same, 1 refused")
    refused = page.locator('[data-state="paste-refused"]')
    expect(refused).to_have_text("a lot")
    expect(refused).to_have_attribute("aria-description", "Not a number")
    assert violations(page) == []
    keys(page, "Enter")
    settled(page)
    assert room.values(MIDTERM) == ["62", "74.5", "80.25"]
    # The refused text stays in its cell.
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
    offered(page, "1 changed")
    keys(page, "Enter")
    settled(page)
    assert room.values(MIDTERM) == ["61", "90", None]


@pytest.mark.parametrize(("row", "before", "kind"), [(2, None, "new"), (0, "61", "changed")])
def test_of_two_texts_for_one_cell_none_is_entered(room, row, before, kind):
    page = opened(room)
    name = room.names[row]
    # One of them may be the current value.
    choose(page, f"Name;Midterm;Lab 1\n{name};61;\n{name};60;9\n")
    offered(page, f"1 {kind}, 2 refused")
    expect(cell(page, row, 0)).to_have_attribute("aria-description", LANGUAGES["en"]["file.twice"])
    keys(page, "Enter")
    expect(cell(page, row, 1)).to_have_text("9")
    settled(page)
    assert (room.values(MIDTERM)[row], room.values(LAB)[row]) == (before, "9")
    expect(page.locator('[data-state="refused"]')).to_have_count(0)


def test_what_was_seen_on_another_scale_is_not_entered(room):
    page = opened(room)
    choose(page, f"Name,Midterm,Lab 1\n{room.names[2]},50,9\n")
    offered(page, "2 new")
    step = {"op": "patch", "line": room.lines[MIDTERM], "fields": {"max": 200}}
    room.call("POST", f"{room.path}/changes", {"changes": [step]})
    # The page has the new scale before it enters results that were previewed with the old one.
    expect(page.locator(".grid-th").filter(has_text="Midterm")).to_contain_text("200")
    keys(page, "Enter")
    settled(page)
    expect(cell(page, 2, 0)).to_have_attribute("data-state", "moved")
    assert (room.values(MIDTERM)[2], room.values(LAB)[2]) == (None, "9")


def test_what_another_enters_while_a_file_is_shown_is_not_written_over(room, staff):
    page = opened(room)
    choose(page, f"Name,Midterm,Lab 1\n{room.names[2]},50,9\n")
    offered(page, "2 new")
    room.enter(2, MIDTERM, 88, by=staff("registrar"))
    eventually(page, lambda: room.values(MIDTERM)[2] == "88")
    keys(page, "Enter")
    expect(cell(page, 2, 0)).to_have_attribute("data-state", "conflict")
    assert (room.values(MIDTERM)[2], room.values(LAB)[2]) == ("88", "9")


def test_students_are_found_by_their_logins_alone(room):
    """As in an exported file of which only titles, logins and one column were kept."""
    lines = [line.split(",") for line in exported(room).decode("utf-8-sig").splitlines()]
    keys_ = lines.pop(1)
    login, midterm = keys_.index("login"), keys_.index(room.lines[MIDTERM])
    page = opened(room)
    choose(page, "\n".join(f"{line[login]},{line[midterm] or 50}" for line in lines))
    offered(page, "1 new, 2 the same")
    keys(page, "Enter")
    settled(page)
    assert room.values(MIDTERM) == ["61", "74.5", "50"]


def saved(book):
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def formatted(room, cells):
    """A workbook with results in the rows and columns of the class, each `(value, format)`."""
    book = openpyxl.Workbook()
    book.active.append(["Name", "Midterm", "Lab 1", "Lab 2"])
    for name in room.names:
        book.active.append([name])
    for (row, column), (value, form) in cells.items():
        place = book.active.cell(row + 2, column + 2, value)
        place.number_format = form
    return saved(book)


def test_cells_that_are_shown_as_something_else_are_not_entered_as_numbers(read_room, grid):
    room, page = read_room, grid
    no_number, texts = "Not a number", LANGUAGES["en"]
    cells = {
        (0, 0): (True, "General", "yes", no_number),
        (1, 0): (False, "General", "no", no_number),
        (2, 0): (0.85, "0%", "85%", texts["file.cell.percentage"]),
        (0, 1): (0.855, "[Red]0.0 %", "85.5%", texts["file.cell.percentage"]),
        (1, 1): (datetime.date(1900, 3, 5), "mm-dd-yy", "1900-03-05", texts["file.cell.date"]),
        (2, 1): (45, "[h]:mm", "1080:00:00", texts["file.cell.date"]),
        (0, 2): ("#N/A", "General", "#N/A", texts["file.cell.error"]),
    }
    before = [room.values(line) for line in (MIDTERM, LAB, QUIET)]
    body = formatted(room, {place: (value, form) for place, (value, form, _, _) in cells.items()})
    choose(page, body, "results.xlsx", XLSX)
    offered(page, "7 refused")
    for place, (_, _, text, why) in cells.items():
        expect(cell(page, *place)).to_have_text(text)
        expect(cell(page, *place)).to_have_attribute("aria-description", why)
    # Nothing is entered: texts that can be typed may be kept in their cells for correction.
    expect(plan(page).get_by_role("button")).to_have_text([texts["paste.keep"], "Cancel"])
    keys(page, "Enter")
    settled(page)
    assert [room.values(line) for line in (MIDTERM, LAB, QUIET)] == before


def test_a_number_is_one_in_each_format_of_numbers(read_room, grid):
    room, page = read_room, grid
    forms = ["0.00", '0.0" % of days"', "[Blue]0.0", "0.0\\%", "#,##0.00", "0.0E+00"]
    places = [(row, column) for column in (0, 1) for row in range(3)]
    body = formatted(room, {place: (6.25, form) for place, form in zip(places, forms, strict=True)})
    choose(page, body, "results.xlsx", XLSX)
    offered(page, "2 new, 4 changed")
    for place in places:
        expect(cell(page, *place)).to_have_text("6.25")
    keys(page, "Escape")


def test_formatted_cells_without_anything_in_them_are_no_part_of_the_file(read_room, grid):
    room, page = read_room, grid
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(["Name", "Midterm"])
    sheet.append([room.names[2], 62.5])
    for place in ((1, 900), (2, 16384), (3, 2), (1_048_576, 1)):
        sheet.cell(*place).font = Font(bold=True)
    choose(page, saved(book), "results.xlsx", XLSX)
    offered(page, "1 new")
    keys(page, "Escape")


# The page reads a file in a worker. The answer of the first one is held back.
SLOW = """() => {
    const Ordinary = window.Worker;
    const released = new Promise(resolve => { window.release = resolve; });
    window.Worker = class extends Ordinary {
        constructor(...about) {
            super(...about);
            window.Worker = Ordinary;
            window.isRead = new Promise(resolve => this.addEventListener('message', resolve, { once: true }));
        }
        set onmessage(take) {
            super.onmessage = event => released.then(() => take(event));
        }
    };
}"""
GO_ON = """async () => {
    await window.isRead;
    window.release();
    for (let turn = 0; turn < 10; turn += 1) await new Promise(requestAnimationFrame);
}"""


def test_a_file_whose_sheet_was_closed_shows_nothing(room):
    page = opened(room)
    page.evaluate(SLOW)
    sheet = choose(page, f"Name,Midterm\n{room.names[2]},50\n")
    keys(page, "Escape")
    expect(sheet).to_have_count(0)
    page.get_by_role("button", name="History").click()
    page.evaluate(GO_ON)
    expect(page.get_by_role("dialog", name="History")).to_be_visible()
    expect(plan(page)).to_have_count(0)


def test_of_two_files_the_one_chosen_last_is_shown(room):
    page = opened(room)
    page.evaluate(SLOW)
    sheet = choose(page, f"Name,Midterm\n{room.names[2]},50\n{room.names[0]},50\n")
    body = f"Name,Midterm\n{room.names[2]},60\n"
    sheet.get_by_label("File").set_input_files({"name": "other.csv", "mimeType": "text/csv", "buffer": body.encode()})
    offered(page, "1 new")
    page.evaluate(GO_ON)
    offered(page, "1 new")
    expect(cell(page, 2, 0)).to_have_text("60")


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
    eventually(page, lambda: room.values(MIDTERM) == ["61", "74.5", "50"])


FAULTS = ("unreadable", "tooLarge", "old", "empty", "noHead")
UNREADABLE, TOO_LARGE, PROTECTED, EMPTY, NO_HEAD = (LANGUAGES["en"][f"file.fault.{fault}"] for fault in FAULTS)
OLD = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(512)
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
# What the sheet says about a file that is filled up to a length with some bytes, or the counts of the plan that it
# shows, for a class of one student and one column.
TAKEN = """async ([packed, filled]) => {
    const { GridModel } = await import('/app/pages/grid/model.js');
    const { empty } = await import('/app/pages/grid/cells.js');
    const { importSheet } = await import('/app/pages/grid/sheets/import.js');
    const { useTexts } = await import('/app/core/text/i18n.js');
    const { render } = await import('/app/core/page/dom.js');
    await useTexts('class');
    const model = new GridModel(() => '');
    const column = { key: 'L', line: 'L', field: null, type: 'number', title: 'Midterm', path: [], choices: [] };
    model.setColumns([{ ...column, least: '0', most: '100', statuses: [] }]);
    model.take([{ id: 'R', name: 'x' }]);
    const host = document.body.appendChild(document.createElement('div'));
    const found = await new Promise(done => {
        const sheets = { close() { sheets.top = () => null; } };
        const permissions = { mayTeach: true };
        const desk = { model, permissions, sheets, taught: { structure: { s: 1 } }, sections: [], contents: { of: () => empty }, doubts: { asker: () => () => null } };
        desk.redraw = () => {
            render(host, sheets.top());
            if (host.querySelector('[role=status]') === null) done([host.querySelector('[role=alert]')?.textContent]);
        };
        sheets.top = importSheet(desk, plan => done([null, plan.counts]));
        render(host, sheets.top());
        const files = new DataTransfer();
        files.items.add(new File([Uint8Array.fromBase64(packed), new Uint8Array(filled)], 'results'));
        const input = host.querySelector('input');
        input.files = files.files;
        input.dispatchEvent(new Event('change'));
    });
    render(host, null);
    host.remove();
    return found;
}"""


@pytest.mark.parametrize(
    ("body", "text"),
    [
        pytest.param(repacked(PLAIN, **{SHEET: BOMB}), TOO_LARGE, id="a bomb"),
        pytest.param(repacked(PLAIN, **{SHEET: BILLION}), UNREADABLE, id="entities"),
        pytest.param(repacked(PLAIN, **{SHEET: FAR}), TOO_LARGE, id="a far row"),
        pytest.param(repacked(PLAIN, **{SHEET: WIDE}), TOO_LARGE, id="a far column"),
        pytest.param(repacked(PLAIN, **{SHEET: OPEN}), UNREADABLE, id="a tag that nothing closes"),
        pytest.param(repacked(PLAIN, **{SHEET: LONG}), EMPTY, id="a long word in a tag"),
        pytest.param(PLAIN[: len(PLAIN) // 2], UNREADABLE, id="half a file"),
        pytest.param(packed({"xl/workbook.xml": "<workbook/>"}), UNREADABLE, id="no sheet"),
        pytest.param(OLD, PROTECTED, id="old"),
        pytest.param(b"Name,Midterm\n" + b"x,1\n" * 150_000, TOO_LARGE, id="many cells"),
        pytest.param(b"Who,What\nx,1\n", NO_HEAD.format(line="Who, What"), id="other columns"),
        pytest.param(b"", EMPTY, id="nothing"),
        pytest.param(bytes(range(256)), UNREADABLE, id="no text"),
    ],
)
def test_what_is_no_file_of_results_is_refused_in_words(anywhere, body, text):
    assert taken(anywhere, body) == [text]


def taken(page, body, filled=0):
    return page.evaluate(TAKEN, [base64.b64encode(body).decode(), filled])


def test_a_file_of_too_many_bytes_is_refused_unread(anywhere):
    assert taken(anywhere, b"x", filled=8 << 20) == [TOO_LARGE]


def test_a_file_of_results_is_none_of_these(anywhere):
    counts = {"new": 1, "changed": 0, "cleared": 0, "same": 0, "doubtful": 0, "refused": 0}
    assert taken(anywhere, PLAIN) == [None, counts]


def test_a_refused_file_leaves_the_class_as_it_was(grid):
    page = grid
    sheet = choose(page, b"Who,What\nx,1\n")
    expect(sheet.get_by_role("alert")).to_have_text(NO_HEAD.format(line="Who, What"))
    old = {"name": "old.xls", "mimeType": "application/vnd.ms-excel", "buffer": OLD}
    sheet.get_by_label("File").set_input_files(old)
    expect(sheet.get_by_role("alert")).to_have_text(PROTECTED)
    expect(plan(page)).to_have_count(0)
    expect(page.locator("[role=grid]")).to_have_count(1)
    keys(page, "Escape")
    expect(sheet).to_have_count(0)


def test_what_a_bomb_inflates_ahead_is_given_up_at_once(anywhere):
    script = """async body => {
        const { tableOf } = await import('/app/pages/grid/file/reading.js');
        const { prototype } = ReadableStreamDefaultReader;
        const own = prototype.cancel;
        let open = 0;
        prototype.cancel = function (...all) { open += 1; return own.apply(this, all); };
        const fault = await tableOf(new Blob([new Uint8Array(body)])).then(() => null, error => error.message);
        prototype.cancel = own;
        return [fault, open > 0];
    }"""
    assert anywhere.evaluate(script, list(repacked(PLAIN, **{SHEET: BOMB}))) == ["tooLarge", True]


@pytest.mark.slow("reads a workbook four hundred times, each time with another byte wrong")
def test_any_byte_may_be_wrong(read_room, anywhere):
    """No wrong byte stops the page: the file is read, or refused in words."""
    body = exported(read_room, "format=xlsx")
    script = """async ([sound, count]) => {
        const { tableOf } = await import('/app/pages/grid/file/reading.js');
        const { FileFault } = await import('/app/pages/grid/file/zip.js');
        const others = [];
        for (let at = 0; at < sound.length; at += Math.max(1, Math.floor(sound.length / count))) {
            const body = Uint8Array.from(sound);
            body[at] ^= 0xff;
            try { await tableOf(new Blob([body])); }
            catch (error) { if (!(error instanceof FileFault)) others.push(String(error)); }
        }
        return others;
    }"""
    assert anywhere.evaluate(script, [list(body), 400]) == []


def test_a_file_is_read_beside_the_page_and_nothing_goes_on_when_it_is(anywhere):
    script = """async body => {
        const { readTable } = await import('/app/pages/grid/file/table.js');
        return readTable(new Blob([Uint8Array.fromBase64(body)])).then(({ rows }) => rows, error => error.message);
    }"""
    for body, found in [(PLAIN, [["Name", "Midterm"], ["x", "1"]]), (repacked(PLAIN, **{SHEET: BOMB}), "tooLarge")]:
        with anywhere.expect_event("worker"):
            read = anywhere.evaluate(script, base64.b64encode(body).decode())
        assert read == found
    eventually(anywhere, lambda: not anywhere.workers)


@pytest.mark.parametrize("language", LANGUAGES)
def test_in_each_language_it_has_its_words_and_its_decimal_sign(room, newcomer, language):
    texts = LANGUAGES[language]
    english = {text for text in LANGUAGES["en"].values() if "{" not in text} - set(texts.values()) - {"Midterm"}
    locale = {"en": "en-US", "fr": "fr-FR", "zh-Hans": "zh-CN"}[language]
    person = room.teacher_elsewhere(newcomer, language, locale=locale)
    page = opened(room, person)
    dialect = "format=csv&delimiter=semicolon&decimal=comma" if language == "fr" else "format=csv"
    choose(page, exported(room, dialect), texts=texts)
    offered(page, texts["paste.count.same.other"].replace("{count}", "6"))
    keys(page, "Escape")
    sheet = choose(page, f"Name;Essay\n{room.names[0]};1\n", texts=texts)
    expect(sheet.get_by_role("alert")).to_have_text(
        texts["file.fault.noResults"].format(titles=f"Name{texts['paste.and']}Essay")
    )
    eventually(page, lambda: shown(page) & english == set())
