"""Letters as results of a class: typed, pasted, read from a file, exported, and named by a student's goal."""

import csv
import re

import board
import pytest
from accessibility import violations
from classroom import Classroom
from grid import cell, head, keys, opened, paste, settled, type_in
from playwright.sync_api import expect
from regulated import published
from waiting import eventually

STAYING = {"staff"}
ESSAY, EXAMINATION = 1, 2
LINES = [
    {"op": "add", "kind": "component", "in": "#0", "fields": {"title": "Essay", "weight": 40}},
    {"op": "add", "kind": "component", "in": "#0", "fields": {"title": "Examination", "weight": 60}},
]


@pytest.fixture
def room(staff):
    registrar = staff("registrar")
    return Classroom(registrar, "Logic", 9, LINES, published(registrar, "glasgow"), fields={"credits": 20})


@pytest.mark.slow("enters letters in three ways, waits for each, and reads the export")
def test_letters_are_typed_pasted_imported_and_exported(room):
    page = opened(room)
    type_in(page, "b2", "A1")
    expect(cell(page, 0, 0)).to_have_text("B2")
    expect(cell(page, 1, 0)).to_have_text("A1")
    settled(page)
    # What is no letter of the schedule stays in its cell, with the reason.
    type_in(page, "17")
    expect(cell(page, 2, 0)).to_have_attribute("data-state", "refused")
    expect(cell(page, 2, 0)).to_have_text("17")
    expect(cell(page, 2, 0)).to_have_attribute("title", re.compile("^Not an allowed value; the 23"))
    assert room.values(ESSAY)[:3] == ["B2", "A1", None]
    cell(page, 0, 1).click()
    paste(page, "C1\nd3\nB+")
    page.keyboard.press("Enter")
    settled(page)
    assert room.values(EXAMINATION)[:3] == ["C1", "D3", None]
    # A file gives two students a letter, and one of them also what is none.
    lines = [["Student", "Essay", "Examination"], [room.names[3], "A5", "h"], [room.names[4], "E", "B3"]]
    page.get_by_role("button", name="Import", exact=True).click()
    body = "\n".join(",".join(line) for line in lines).encode()
    sheet = page.get_by_role("dialog", name="Import results from a file")
    sheet.locator("input[type=file]").set_input_files({"name": "letters.csv", "mimeType": "text/csv", "buffer": body})
    expect(page.locator('[data-state="paste-refused"]')).to_have_text("E")
    expect(page.locator(".grid-cell:focus")).to_have_count(1)
    page.keyboard.press("Enter")
    settled(page)
    assert (room.values(ESSAY)[3:5], room.values(EXAMINATION)[3:5]) == (["A5", None], ["H", "B3"])
    text = room.teacher.context.request.get(f"{room.teacher.url}{room.path}/export").text()
    _, columns, *rows = csv.reader(text.splitlines())
    rows = [dict(zip(columns, row, strict=True)) for row in rows]
    assert [row[room.lines[ESSAY]] for row in rows][:4] == ["B2", "A1", "", "A5"]
    assert [row[room.lines[EXAMINATION]] for row in rows][:5] == ["C1", "D3", "", "H", "B3"]
    assert violations(page) == []


def test_a_students_goal_in_a_class_names_a_letter(room, staff):
    row = room.rows[room.names.index("Demo student")]
    room.enter(room.rows.index(row), ESSAY, "B1")
    page = staff("student").open(f"/records/{row['record']}/classes/{row['entry']}")
    page.get_by_role("button", name="Goal").click()
    sheet = page.get_by_role("dialog")
    sheet.locator('[name="/what"]').select_option(label="Logic – Grade points")
    # The target is asked for as a letter now, the best one to begin with.
    expect(sheet.locator('[name="/target"]')).to_have_value("A1")
    sheet.locator('[name="/target"]').fill("A5")
    sheet.get_by_role("button", name="Tell me").click()
    # 0.4 of 17 and 0.6 of 18 are 17.6, which is rounded to 18.
    expect(sheet.locator(".goal-answer li")).to_have_text("Logic › ExaminationA5")
    assert violations(page) == []


RESITS = """# Resits

## §1 Module
The resit counts instead of the mark.

```rules
regulation resits "Resits" language 1
scale points "Points" worst 0 best 20 step 1
rounding whole half up, 0 decimals, judged as shown
bands letters in points judged by whole worth points
    A 16 20
    B 12 14
    F 0 0
entry module "Module"
    title "Title" text
    prepared "Prepared" yes/no optional per student
entry exam in module "Examination"
    title "Title" text
    mark "Mark" letter of letters
    resit "Resit" letter of letters per student
figure value of exam in points "Points" shown by whole = resit otherwise mark
figure result of module in points "Result" shown by whole = mean of value over exam otherwise ungraded
```
"""


def test_a_resit_is_a_column_beside_the_mark(staff):
    registrar = staff("registrar")
    body = {"scheme": "regulations", "title": "Resits", "entry": "both", "configuration": {"document": RESITS}}
    program = registrar.api("POST", "/v1/institutions/demo/programs", body)["body"]["program"]["id"]
    board.publish(registrar, f"/v1/programs/{program}")
    steps = [{"op": "add", "kind": "exam", "in": "#0", "fields": {"title": "Essay"}}]
    room = Classroom(registrar, "Logic", 2, steps, program, root="module", fields={"title": "Logic"})
    page = opened(room)
    heads = [head(page, column).inner_text() for column in range(3)]
    assert [text.split("\n")[0] for text in heads] == ["Logic: Prepared", "Essay", "Essay: Resit"]
    # Nobody writes about a column without results.
    page.keyboard.press("Alt+c")
    expect(page.get_by_role("dialog")).to_have_count(0)
    cell(page, 0, 1).click()
    type_in(page, "f")
    cell(page, 0, 2).click()
    type_in(page, "b", "a")
    settled(page)
    # What was typed below is a resit without a mark.
    expect(cell(page, 0, 2)).to_have_text("B")
    first, second = room.cell(0, 1), room.cell(1, 1)
    assert (first["value"], first["fields"], second["fields"]) == ("F", {"resit": "B"}, {"resit": "A"})
    # What somebody else enters meanwhile is not overwritten.
    cell(page, 0, 2).click()
    page.keyboard.type("f")
    room.call("PATCH", f"{room.path}/rows/{room.rows[0]['id']}", {"cells": {room.lines[1]: {"fields": {"resit": "A"}}}})
    keys(page, "Enter")
    expect(cell(page, 0, 2)).to_have_attribute("data-state", "conflict")
    keys(page, "ArrowUp")
    page.locator(".cell-note").get_by_role("button", name="Take A").click()
    expect(cell(page, 0, 2)).to_have_text("A")
    assert room.cell(0, 1)["fields"] == {"resit": "A"}
    # A letter has no maximum beside it.
    page.get_by_role("button", name="One student").click()
    expect(page.locator(".marks .mark").first).to_be_visible()
    expect(page.locator(".marks")).not_to_contain_text("/ 20")
    assert violations(page) == []


NUMBERED_RESITS = """# Resits

## §1 Module

```rules
regulation resits "Resits" language 1
scale points "Points" worst 0 best 20
rounding shown half up, 2 decimals, judged as shown
entry module "Module"
    title "Title" text
entry exam in module "Examination" statuses excused
    title "Title" text
    resit "Resit" grade in points optional per student
    mark "Mark" grade in points
figure value of exam in points "Points" shown by shown = resit otherwise mark
figure result of module in points "Result" shown by shown = mean of value over exam otherwise ungraded
```
"""


def test_a_student_sees_a_resit_beside_the_mark_and_alone(staff):
    registrar = staff("registrar")
    body = {
        "scheme": "regulations",
        "title": "Numbered",
        "entry": "both",
        "configuration": {"document": NUMBERED_RESITS},
    }
    program = registrar.api("POST", "/v1/institutions/demo/programs", body)["body"]["program"]["id"]
    board.publish(registrar, f"/v1/programs/{program}")
    steps = [
        {"op": "add", "kind": "exam", "in": "#0", "fields": {"title": title}, "grade": "mark"}
        for title in ("Essay", "Oral", "Lab", "Viva")
    ]
    steps.append({"op": "policy", "policy": {"missing": {"percent": 0}}})
    room = Classroom(registrar, "Logic", 1, steps, program, root="module", fields={"title": "Logic"})
    row = room.rows[0]
    cells = [
        {"value": 10, "fields": {"resit": 11}},
        {"fields": {"resit": 12}},
        {"status": "missing", "fields": {"resit": 13}},
        {"status": "excused", "fields": {"resit": 14}},
    ]
    room.call("PATCH", f"{room.path}/rows/{row['id']}", {"cells": dict(zip(room.lines[1:], cells, strict=True))})
    page = registrar.open(f"/records/{row['record']}/classes/{row['entry']}")
    essay, oral, lab, viva = (
        page.locator(".own-line", has_text=title).locator(".own-result") for title in ("Essay", "Oral", "Lab", "Viva")
    )
    expect(essay.locator(".figure")).to_have_text("10 of 20")
    expect(essay).to_contain_text("Resit: 11")
    # A resit alone is not the result.
    expect(oral.locator(".figure")).to_have_text("–")
    expect(oral).to_contain_text("no result yet")
    expect(oral).to_contain_text("Resit: 12")
    expect(lab.locator(".figure")).to_have_text("–")
    expect(lab).to_contain_text("missing")
    expect(lab).to_contain_text("Resit: 13")
    expect(viva).to_contain_text("excused")
    expect(viva).to_contain_text("Resit: 14")
    expect(viva).to_contain_text("does not count beside “excused”")
    assert violations(page) == []
    # Whoever gives the status beside a resit is told as well, and work with a result is not offered as missing.
    grid = opened(room)
    expect(head(grid, 1)).to_contain_text("out of 20")
    cell(grid, 0, 0).click(button="right")
    menu = grid.get_by_role("menu")
    expect(menu.get_by_role("menuitemcheckbox", name="excused")).to_be_visible()
    expect(menu.get_by_role("menuitemcheckbox", name="missing")).to_have_count(0)
    menu.get_by_role("menuitemcheckbox", name="excused").click()
    expect(grid.locator(".toast")).to_contain_text("counts instead of every grade")


@pytest.mark.slow("exports a class, imports it again, and enters for a group and for all")
def test_files_groups_and_views_take_a_resit_like_a_result(staff):
    registrar = staff("registrar")
    body = {
        "scheme": "regulations",
        "title": "Numbered",
        "entry": "both",
        "configuration": {"document": NUMBERED_RESITS},
    }
    program = registrar.api("POST", "/v1/institutions/demo/programs", body)["body"]["program"]["id"]
    board.publish(registrar, f"/v1/programs/{program}")
    steps = [{"op": "add", "kind": "exam", "in": "#0", "fields": {"title": "Essay"}, "grade": "mark"}]
    room = Classroom(registrar, "Logic", 3, steps, program, root="module", fields={"title": "Logic"})
    line = room.lines[1]

    def enter(row, **cell):
        room.call("PATCH", f"{room.path}/rows/{room.rows[row]['id']}", {"cells": {line: cell}})

    def resits():
        return [room.cell(row, 1).get("fields", {}).get("resit") for row in range(3)]

    enter(0, value=6, fields={"resit": 11})
    enter(1, fields={"resit": 3.5})
    enter(2, value=15, status="excused")
    file = registrar.context.request.get(f"{registrar.url}{room.path}/export?format=csv").body()
    page = room.teacher.load(f"{room.page}?low=50")
    # A low resit stands out like a low result.
    expect(page.locator(".grid-cell[data-low]:not([hidden])")).to_have_text(["6", "3.5"])
    # What was exported comes back.
    enter(0, fields={"resit": 12})
    enter(1, fields={"resit": None})
    expect(cell(page, 0, 1)).to_have_text("12")
    page.get_by_role("button", name="Import", exact=True).click()
    sheet = page.get_by_role("dialog", name="Import results from a file")
    sheet.get_by_label("File").set_input_files({"name": "logic.csv", "mimeType": "text/csv", "buffer": file})
    page.get_by_role("button", name="Enter these results").click()
    eventually(page, lambda: resits() == ["11", "3.5", None])
    # One resit for a group.
    group = room.call("POST", f"{room.path}/groups", {"set": "Labs", "title": "Monday"})["group"]["id"]
    room.call("POST", f"{room.path}/groups/{group}/members", {"join": [row["id"] for row in room.rows[:2]]})
    page = opened(room)
    head(page, 1).click()
    page.get_by_role("button", name="Result for a group").click()
    page.get_by_role("dialog").get_by_label("Result", exact=True).fill("14")
    page.get_by_role("dialog").get_by_role("button", name="Enter for all of them").click()
    eventually(page, lambda: resits() == ["14", "14", None])
    # A status that stands in place of all grades leaves no cell to fill.
    enter(1, fields={"resit": None})
    expect(cell(page, 1, 1)).to_have_text("")
    head(page, 1).click()
    page.get_by_role("button", name="Fill the empty cells…").click()
    page.get_by_role("dialog").get_by_label("Result").fill("9")
    page.get_by_role("dialog").get_by_role("button", name="Enter").click()
    eventually(page, lambda: resits() == ["14", "9", None])
    assert violations(page) == []
