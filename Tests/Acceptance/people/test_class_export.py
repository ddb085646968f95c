"""A class as a file, read back by readers that are not ours, and compared with the grid."""

import csv
import io
import zipfile

import openpyxl
import pytest

import gradecast
from classroom import CONFIG, LINES, Room
from client import changed
from test_trail import lines

FINAL, LAB, QUIET = 3, 4, 5
ROSTER = ["studentNumber", "login", "name"]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    server = gradecast.Server(tmp_path_factory.mktemp("export"), config=CONFIG).start()
    yield server
    assert server.stop() == 0, server.output()


@pytest.fixture
def room(server):
    return Room(server)


def joined(room, **names):
    """Another student of the class, with the row."""
    student = room.server.api().sign_up(**names)
    room.registrar.makes_member(student, room.college, "student", [])
    answer = room.teacher.post(f"{room.path}/enrolments", {"student": student.account["id"]})
    return student, changed(answer, 201).json["enrolment"]["id"]


def exported(room, query="format=csv", by=None, **headers):
    answer = (by or room.teacher).get(f"{room.path}/export?{query}", **headers)
    assert answer.status == 200, answer
    return answer


def table(answer, delimiter=","):
    """The titles, and the rows by the keys of the columns."""
    titles, keys, *rows = csv.reader(io.StringIO(answer.body.decode("utf-8"), newline=""), delimiter=delimiter)
    assert len(set(keys)) == len(keys) and {len(row) for row in rows} <= {len(keys)}
    return titles, keys, [dict(zip(keys, row, strict=True)) for row in rows]


def test_with_comments_each_line_has_a_column_of_them_oldest_first(room):
    changed(room.enter(LAB, value=7))
    path = f"{room.path}/rows/{room.row}/comments"
    for text, audience in (("=Clear.\nSee page 4", "student"), ("Late?", "staff")):
        changed(room.teacher.post(path, {"line": room.lines[LAB], "for": audience, "text": text}), 201)
    name = room.teacher.account["displayName"]
    titles, keys, (row,) = table(exported(room, "format=csv&comments=true"))
    assert row[f"comments:{room.lines[LAB]}"] == f"{name}: =Clear.\nSee page 4\n{name} (staff): Late?"
    assert row[f"comments:{room.lines[FINAL]}"] == ""
    assert titles[keys.index(f"comments:{room.lines[LAB]}")] == "Lab 1: comments"
    sheet = openpyxl.load_workbook(io.BytesIO(exported(room, "format=xlsx&comments=true").body)).active
    assert [cell.value for cell in sheet[3] if cell.value and "Late?" in str(cell.value)] != []
    assert not [key for key in table(exported(room))[1] if key.startswith("comments:")]


def test_who_is_a_student_of_the_class_reads_no_comment_of_staff_on_the_own_row(room):
    changed(room.enter(LAB, value=7))
    room.registrar.makes_member(room.student, room.college, "registrar")
    path = f"{room.path}/rows/{room.row}/comments"
    for text, audience in (("Well done", "student"), ("Copied?", "staff")):
        changed(room.teacher.post(path, {"line": room.lines[LAB], "for": audience, "text": text}), 201)
    _, _, (row,) = table(exported(room, "format=csv&comments=true", by=room.student))
    assert row[f"comments:{room.lines[LAB]}"].endswith(": Well done")
    _, _, (row,) = table(exported(room, "format=csv&comments=true"))
    assert "Copied?" in row[f"comments:{room.lines[LAB]}"]


@pytest.mark.slow("writes more comments on a row than a file has of one")
def test_where_older_comments_are_left_out_the_file_says_so(room):
    more = [
        {"op": "add", "kind": "item", "in": "#2", "fields": {"title": title, "max": 10}} for title in ("Lab 3", "Lab 4")
    ]
    room = room.another("Much discussed", LINES + more)
    room.enrol()
    items = room.lines[FINAL:]
    for line in items:
        for number in range(41):
            body = {"line": line, "for": "staff", "text": str(number)}
            changed(room.teacher.post(f"{room.path}/rows/{room.row}/comments", body), 201)
    _, _, (row,) = table(exported(room, "format=csv&comments=true"))
    texts = [row[f"comments:{line}"] for line in items]
    # The newest two hundred of 205; the oldest were on the first line.
    assert [text.count("(staff)") for text in texts] == [36, 41, 41, 41, 41]
    assert [text.startswith("…") for text in texts] == [True, False, False, False, False]


def test_the_comments_on_a_result_end_where_a_workbook_has_no_more_room(room):
    path = f"{room.path}/rows/{room.row}/comments"
    for number in range(9):
        body = {"line": room.lines[LAB], "for": "staff", "text": f"{number} {'👩🏽‍🎓' * 570}"}
        changed(room.teacher.post(path, body), 201)
    _, _, (row,) = table(exported(room, "format=csv&comments=true"))
    text = row[f"comments:{room.lines[LAB]}"]
    assert 31_990 < len(text.encode("utf-16-le")) / 2 <= 32_000 and text.endswith("🎓…")
    sheet = openpyxl.load_workbook(io.BytesIO(exported(room, "format=xlsx&comments=true").body)).active
    assert text in [cell.value for cell in sheet[3]]


def test_it_is_the_grid_with_the_names_of_the_students(room):
    number = f"N-{room.student.account['id'][:8]}"
    path = f"/v1/institutions/{room.college}/members/{room.student.account['id']}/student-number"
    changed(room.registrar.call("PUT", path, {"studentNumber": number}))
    other, row = joined(room)
    changed(room.enter(FINAL, value="81.25"))
    changed(room.enter(QUIET, value=3))
    changed(room.teacher.patch(f"{room.path}/rows/{row}", {"cells": {room.lines[LAB]: {"value": 7}}}))
    answer = exported(room)
    titles, keys, rows = table(answer)
    assert titles == [
        "Student number",
        "Login",
        "Name",
        *(label(column) for column in taught(room)["columns"]),
        *figure_titles(room),
        "Status",
        "Row",
    ]
    lines_ = [column["line"] for column in taught(room)["columns"]]
    assert keys[:3] == ROSTER and keys[-2:] == ["status", "row"]
    assert keys[3 : 3 + len(lines_)] == lines_
    grid = room.teacher.get(f"{room.path}/rows").json["rows"]
    assert [item["row"] for item in rows] == [item["id"] for item in grid]
    for item, shown in zip(rows, grid, strict=True):
        assert [item[line] for line in lines_] == [cell_text(cell) for cell in shown["cells"]]
        for name, (display, letter) in shown["figures"].items():
            assert float(item[f"figure:{name}"]) == float(display)
            assert item[f"figure:{name}/letter"] == letter
    people = [(number, room.student), ("", other)]
    assert [[item[key] for key in ROSTER] for item in rows] == [
        [number, student.account["login"], student.account["displayName"]] for number, student in people
    ]
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    disposition = answer.headers["Content-Disposition"]
    assert disposition == "attachment; filename=\"class.csv\"; filename*=UTF-8''Algorithms.csv"


def test_it_says_in_which_section_a_student_is(room):
    assert "section" not in table(exported(room))[1]
    changed(room.teacher.post(f"{room.path}/changes", {"changes": [{"op": "addSection", "title": "=02"}]}))
    joined(room)
    section = taught(room)["structure"]["sections"][0]["id"]
    changed(room.teacher.patch(f"{room.path}/enrolments/{room.row}", {"section": section}))
    titles, keys, rows = table(exported(room))
    assert titles[keys.index("section")] == "Section"
    assert [row["section"] for row in rows] == ["'=02", ""]
    sheet = openpyxl.load_workbook(io.BytesIO(exported(room, "format=xlsx").body)).active
    assert [cell.value for cell in list(sheet.columns)[keys.index("section")]][2:] == ["=02", None]


def taught(room):
    return room.teacher.get(room.path).json["class"]


def label(column):
    return column["label"]["en"]


def figure_titles(room):
    for figure in taught(room)["figures"]:
        yield figure["label"]["en"]
        if "letters" in figure:
            yield f"{figure['label']['en']} (letter)"


def cell_text(cell):
    """A result as the file has it."""
    if cell is None:
        return ""
    if isinstance(cell, str):
        return cell
    value, status = cell["value"], cell.get("status")
    return f"{value} ({status})" if value and status else value or status or ""


def test_a_status_stands_alone_or_behind_its_result(room):
    changed(room.enter(LAB, value="7.5"))
    changed(room.enter(LAB, status="excused"))
    changed(room.enter(FINAL, status="absent"))
    _, _, (row,) = table(exported(room))
    assert (row[room.lines[LAB]], row[room.lines[FINAL]]) == ("7.5 (excused)", "absent")


def test_it_says_the_status_of_a_total(room):
    total = {"row": room.row, "status": "audit"}
    changed(room.teacher.post(f"{room.path}/override", {"rows": [total], "reason": "Listens only"}))
    assert [row["status"] for row in table(exported(room))[2]] == ["audit"]


def test_who_has_left_is_not_in_it_and_an_empty_class_has_two_rows(room):
    _, row = joined(room)
    changed(room.teacher.delete(f"{room.path}/enrolments/{room.row}"))
    assert [item["row"] for item in table(exported(room))[2]] == [row]
    changed(room.teacher.delete(f"{room.path}/enrolments/{row}"))
    assert table(exported(room))[2] == []


def test_what_a_file_has_is_there_already_when_it_is_entered_again(room):
    """The keys find every row and line; no act changes anything."""
    _, row = joined(room)
    changed(room.enter(FINAL, value="81.25"))
    changed(room.enter(LAB, value="7.5"))
    changed(room.enter(LAB, status="excused"))
    changed(room.teacher.patch(f"{room.path}/rows/{row}", {"cells": {room.lines[QUIET]: {"value": "0.5"}}}))
    before = taught(room)
    lines_ = [column["line"] for column in before["columns"]]
    cells = []
    for item in table(exported(room))[2]:
        for line in lines_:
            value, _, status = item[line].partition(" (")
            status = status.removesuffix(")") or None
            if value.isalpha():
                value, status = None, value
            cells.append({"row": item["row"], "line": line, "value": value or None, "status": status})
    answer = changed(room.teacher.post(f"{room.path}/cells?mode=all", {"cells": cells}))
    assert len(cells) == 2 * len(lines_) and answer.json["faults"] == []
    assert taught(room)["v"] == before["v"]


def test_semicolons_and_decimal_commas_are_there_for_those_who_write_so(room):
    changed(room.enter(FINAL, value="81.25"))
    answer = exported(room, "delimiter=semicolon&decimal=comma", accept_language="fr")
    titles, _, (row,) = table(answer, ";")
    assert titles[:3] == ["Numéro d’étudiant", "Identifiant", "Nom"] and titles[-1] == "Ligne"
    assert row[room.lines[FINAL]] == "81,25"
    titles, _, (row,) = table(exported(room, "decimal=comma", accept_language="zh-Hans"))
    assert titles[:3] == ["学号", "登录名", "姓名"] and row[room.lines[FINAL]] == "81,25"


def test_no_cell_is_a_formula(room):
    student, _ = joined(room)
    changed(student.patch("/v1/accounts/me", {"displayName": '=HYPERLINK("http://x")'}))
    step = {"op": "patch", "line": room.lines[LAB], "fields": {"title": '@SUM(A1);"x",'}}
    changed(room.teacher.post(f"{room.path}/changes", {"changes": [step]}))
    titles, keys, rows = table(exported(room))
    assert titles[keys.index(room.lines[LAB])] == '\'@SUM(A1);"x",'
    assert rows[1]["name"] == '\'=HYPERLINK("http://x")'
    assert not any(
        text[:1] in ("=", "+", "-", "@", "\t") for row in [titles, keys, *map(dict.values, rows)] for text in row
    )


def test_each_file_is_a_line_of_the_audit_trail_and_a_refused_one_is_none(room):
    administrator = room.server.signed_in("administrator")
    subject = room.path.split("/")[-1]
    assert room.student.get(f"{room.path}/export").status == 404
    assert lines(administrator, subject, "class.exported") == []
    for _ in range(2):
        exported(room)
    exported(room, "format=xlsx")
    found = lines(administrator, subject, "class.exported")
    assert {line["by"] for line in found} == {room.teacher.account["id"]}
    assert sorted(line["detail"]["format"] for line in found) == ["csv", "csv", "xlsx"]


@pytest.mark.parametrize("query", ["format=pdf", "format=csv&format=csv", "delimiter=x", "decimal=x", "form=csv"])
def test_what_it_does_not_know_is_refused(room, query):
    answer = room.teacher.get(f"{room.path}/export?{query}")
    assert (answer.status, answer.json["code"]) == (400, "malformed")


# Signs up 104 students and enrols them.
@pytest.fixture(scope="module")
def many(server):
    """A class of more students than are read at a time, which tests only read, and its rows."""
    room = Room(server)
    rows = [room.row] + [joined(room)[1] for _ in range(104)]
    cells = [{"row": row, "line": room.lines[FINAL], "value": place % 101} for place, row in enumerate(rows)]
    changed(room.teacher.post(f"{room.path}/cells", {"cells": cells}))
    return room, rows


def test_many_students_come_in_parts_each_of_them_once(many):
    room, rows = many
    found = table(exported(room))[2]
    assert [item["row"] for item in found] == rows
    assert [item[room.lines[FINAL]] for item in found] == [str(place % 101) for place in range(len(rows))]


# -- A workbook


def workbook(room, **headers):
    """The archive and its only sheet."""
    answer = exported(room, "format=xlsx", **headers)
    archive = zipfile.ZipFile(io.BytesIO(answer.body))
    assert archive.testzip() is None
    book = openpyxl.load_workbook(io.BytesIO(answer.body))
    (sheet,) = book.worksheets
    return answer, archive, sheet


def texts(sheet):
    """Every cell as the CSV file has it."""
    return [["" if value is None else f"{value}" for value in row] for row in sheet.iter_rows(values_only=True)]


def test_a_workbook_has_what_the_csv_file_has_with_numbers_as_numbers(room):
    _, row = joined(room)
    changed(room.enter(FINAL, value="81.25"))
    changed(room.enter(LAB, value="7.5"))
    changed(room.enter(LAB, status="excused"))
    cells = {room.lines[QUIET]: {"value": "0.1"}, room.lines[FINAL]: {"status": "absent"}}
    changed(room.teacher.patch(f"{room.path}/rows/{row}", {"cells": cells}))
    answer, archive, sheet = workbook(room)
    assert answer.headers["Content-Type"] == "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    assert answer.headers["Content-Disposition"].endswith("filename*=UTF-8''Algorithms.xlsx")
    titles, keys, rows = table(exported(room))
    found = texts(sheet)
    assert found == [titles, keys, *(list(item.values()) for item in rows)]
    of = {key: place + 1 for place, key in enumerate(keys)}
    numbers = [
        sheet.cell(3, of[room.lines[FINAL]]),
        sheet.cell(4, of[room.lines[QUIET]]),
        sheet.cell(3, of["figure:grade"]),
    ]
    assert [cell.data_type for cell in numbers] == ["n"] * 3
    assert [cell.value for cell in numbers[:2]] == [81.25, 0.1]
    assert sheet.cell(3, of[room.lines[LAB]]).value == "7.5 (excused)"
    assert (sheet.title, sheet.freeze_panes) == ("Algorithms", "D3")
    assert [sheet.row_dimensions[number].hidden for number in (1, 2, 3)] == [False, True, False]
    assert [sheet.cell(number, 1).font.bold for number in (1, 3)] == [True, False]
    assert not any("calcChain" in name or "externalLink" in name for name in archive.namelist())


def test_no_text_of_a_workbook_is_a_formula_and_all_of_them_are_kept(room):
    name = '=1+1 <b>&amp;"é学𝄞'
    student, _ = joined(room)
    changed(student.patch("/v1/accounts/me", {"displayName": name}))
    step = {"op": "patch", "line": room.lines[LAB], "fields": {"title": "-2+3"}}
    changed(room.teacher.post(f"{room.path}/changes", {"changes": [step]}))
    changed(room.teacher.patch(room.path, {"title": "A/B: ['x'] " + "y" * 60}))
    _, archive, sheet = workbook(room)
    cells = {cell.value: cell for row in sheet.iter_rows() for cell in row}
    assert name in cells and "-2+3" in cells
    assert {cells[text].data_type for text in (name, "-2+3")} == {"s"}
    # A text that a person edits stays one.
    assert all(cells[text].quotePrefix for text in (name, "-2+3"))
    assert b"<f>" not in archive.read("xl/worksheets/sheet1.xml")
    assert len(sheet.title) <= 31 and not set(sheet.title) & set("[]:*?/\\")


def test_a_workbook_of_many_parts_is_whole(many):
    room, rows = many
    _, _, sheet = workbook(room, accept_language="fr")
    titles, keys, found = table(exported(room, accept_language="fr"))
    assert titles[0] == "Numéro d’étudiant" and len(found) == len(rows)
    assert texts(sheet) == [titles, keys, *(list(item.values()) for item in found)]
