"""Classes over HTTP: structure once, rows of cells, and records that follow."""

import gzip
import uuid

import pytest

import gradecast
from classroom import CONFIG, Room
from client import changed, next_page
from test_trail import lines
from tokens import bearer


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    server = gradecast.Server(tmp_path_factory.mktemp("classes"), config=CONFIG).start()
    yield server
    assert server.stop() == 0, server.output()


@pytest.fixture
def room(server):
    return Room(server)


def test_a_result_reaches_the_record_and_hidden_ones_only_what_staff_see(room):
    changed(room.enter(3, value=90))
    changed(room.enter(4, value=10))
    assert room.grade(room.student) == room.grade(room.teacher) == "94.00"
    before = room.student.get(f"/v1/records/{room.record}")
    changed(room.enter(5, value=0))
    assert room.grade(room.teacher) == "74.00"
    after = room.student.get(f"/v1/records/{room.record}")
    assert (after.json, after.headers["ETag"]) == (before.json, before.headers["ETag"])
    changed(room.teacher.post(f"{room.path}/post", {"lines": [room.lines[5]]}))
    assert room.grade(room.student) == "74.00"


def test_a_conflict_shows_the_other_value_and_loses_nothing(room):
    changed(room.enter(4, value=7))
    refused = room.enter(4, value=5, was={"value": None})
    assert (refused.status, refused.json["code"]) == (409, "cell_conflict")
    (fault,) = refused.json["faults"]
    assert (fault["path"], fault["args"]["value"]) == (f"/cells/{room.lines[4]}", 7)
    assert fault["args"]["account"] == room.teacher.account["id"]
    changed(room.enter(4, value=5, was={"value": 7}))
    step = {"op": "patch", "line": room.lines[4], "fields": {"max": 20}}
    changed(room.teacher.post(f"{room.path}/changes", {"changes": [step]}))
    stale = room.enter(4, value=6, s=room.structure)
    assert (stale.status, stale.json["code"]) == (409, "line_changed")


def test_the_program_of_a_class_comes_with_its_scheme(room):
    answer = changed(room.teacher.get(f"{room.path}/program"))
    program = answer.json["program"]["id"]
    assert answer.json["program"] == room.teacher.get(f"/v1/programs/{program}").json["program"]
    assert answer.json["scheme"] == room.teacher.get("/v1/schemes/rose-hulman").json
    assert answer.headers["Content-Encoding"] is None
    compressed = changed(room.teacher.get(f"{room.path}/program", accept_encoding="gzip"))
    assert (compressed.headers["Content-Encoding"], compressed.headers["Vary"]) == ("gzip", "Accept-Encoding")
    assert gzip.decompress(compressed.body) == answer.body
    assert len(compressed.body) < len(answer.body) / 3


def test_a_token_for_classes_sees_no_draft_of_their_program(room):
    changed(room.registrar.patch(f"/v1/programs/{room.program}", {"preset": "default"}))
    path = f"{room.path}/program"
    assert changed(room.teacher.get(path)).json["program"]["draft"] is not None
    alone = changed(bearer(room.server, room.teacher, "classes:read").get(path)).json["program"]
    assert alone["id"] == room.program and alone.get("draft") is None
    both = bearer(room.server, room.teacher, "classes:read", "programs:read")
    assert changed(both.get(path)).json["program"]["draft"] is not None


def test_a_change_of_the_structure_rests_on_the_one_that_was_seen(room):
    seen = room.teacher.get(room.path).json["class"]["structure"]["s"]

    def change(most, s):
        step = {"op": "patch", "line": room.lines[4], "fields": {"max": most}}
        return room.teacher.post(f"{room.path}/changes", {"changes": [step], "s": s})

    changed(change(20, seen))
    stale = change(30, seen)
    assert (stale.status, stale.json["code"], stale.json["faults"][0]["path"]) == (409, "structure_changed", "/s")
    assert room.teacher.get(room.path).json["class"]["structure"]["lines"][4]["fields"]["max"] == 20
    changed(change(30, seen + 1))


def test_a_paste_is_one_act_that_is_undone_whole(room):
    cells = [
        {"row": room.row, "line": room.lines[3], "value": 80},
        {"row": room.row, "line": room.lines[4], "value": -1},
        {"row": room.row, "line": room.lines[1], "value": 5},
    ]
    refused = room.teacher.post(f"{room.path}/cells", {"cells": cells})
    assert refused.status == 422
    answer = changed(room.teacher.post(f"{room.path}/cells?mode=each", {"cells": cells}))
    assert answer.json["accepted"] == 1
    assert [fault["path"] for fault in answer.json["faults"]] == ["/cells/1", "/cells/2/line"]
    assert room.grade(room.teacher) == "80.00"
    undone = changed(room.teacher.post(f"{room.path}/undo", {"v": answer.json["v"]}))
    assert undone.json["faults"] == []
    assert room.grade(room.teacher) == ""
    history = room.teacher.get(f"{room.path}/rows/{room.row}/history").json["items"]
    assert [line["operation"] for line in history] == ["undo", "cells", "enrol"]
    newest = room.student.get(f"/v1/records/{room.record}/history").json["items"][0]
    assert (newest["op"], newest["class"], newest["reason"]) == ("class", room.path.rpartition("/")[2], None)


def test_the_history_of_a_record_tells_which_results_a_class_changed(room):
    """To the student as far as the student saw it: 3 is shown as it comes, 4 and 5 once they are posted."""

    def told(by):
        items = by.get(f"/v1/records/{room.record}/history").json["items"]
        named = {item["version"]: item for item in items if item["op"] == "class"}
        return [
            [(cell["title"], cell["before"], cell["after"]) for cell in item["cells"]]
            + [f"+{line['title']}" for line in item.get("shown", [])]
            + [f"-{line['title']}" for line in item.get("hidden", [])]
            for _, item in sorted(named.items(), reverse=True)
        ]

    def score(value):
        return {"values": {"score": value}} if value is not None else {}

    cells = [{"row": room.row, "line": room.lines[line], "value": value} for line, value in ((3, 70), (5, 4))]
    changed(room.teacher.post(f"{room.path}/cells", {"cells": cells}))
    changed(room.enter(5, value=6))
    changed(room.enter(3, status="excused"))
    changed(room.teacher.post(f"{room.path}/post", {"lines": [room.lines[5]]}))
    changed(room.enter(5, value=7))
    final, lab = "Final", "Lab 2"
    excused = score(70) | {"status": "excused"}
    staff = [
        [(lab, score(6), score(7))], ["+Lab 2"], [(final, score(70), excused)], [(lab, score(4), score(6))],
        [(final, score(None), score(70)), (lab, score(None), score(4))],
    ]  # fmt: skip
    student = [
        [(lab, score(6), score(7))], ["+Lab 2"], [(final, score(70), excused)], [(final, score(None), score(70))]
    ]  # fmt: skip
    assert told(room.teacher)[:5] == staff
    assert told(room.student)[:4] == student
    # A person takes the same along.
    [record] = [one for one in room.student.get("/v1/accounts/me/export").json["records"] if "assembled" in one]
    assert [len(item["cells"]) for item in record["history"] if item.get("cells")] == [1, 1, 1]
    [course] = record["assembled"]["entries"]
    assert [[item["fields"].get("score") for item in part["children"]] for part in course["children"]] == [
        [70],
        [None, 7],
    ]
    changed(room.teacher.post(f"{room.path}/post", {"lines": [room.lines[5]], "hide": True}))
    assert [(lab, score(6), score(7))] not in told(room.student) and ["+Lab 2"] not in told(room.student)


@pytest.mark.slow("changes 190 results 24 times, more than a page of a history tells")
def test_a_page_of_a_history_ends_where_acts_changed_many_results(room):
    lines = [
        {"op": "add", "kind": "item", "in": room.lines[2], "fields": {"title": f"Task {n}", "max": 10}}
        for n in range(190)
    ]
    changed(room.teacher.post(f"{room.path}/changes", {"changes": lines}))
    structure = room.teacher.get(room.path).json["class"]["structure"]
    items = [line["id"] for line in structure["lines"] if line["kind"] == "item"]
    for value in range(24):
        cells = [{"row": room.row, "line": line, "value": value % 10} for line in items]
        changed(room.teacher.post(f"{room.path}/cells", {"cells": cells}))
    path, pages = f"/v1/records/{room.record}/history?limit=100", []
    while path:
        answer = room.student.get(path)
        pages.append([item["version"] for item in answer.json["items"]])
        path = next_page(answer)
    versions = [version for page in pages for version in page]
    assert len(pages) == 2 and versions == list(range(versions[0], 0, -1))


def test_of_many_refused_cells_a_repeated_answer_names_all_and_gives_reasons_of_a_hundred(room):
    cells = [{"row": room.row, "line": f"unknown-{number}", "value": number} for number in range(250)]
    cells[150] = {"row": room.row, "line": room.lines[3], "value": 77}
    path, key = f"{room.path}/cells?mode=each", uuid.uuid4().hex
    first = changed(room.teacher.post(path, {"cells": cells}, idempotency_key=key)).json
    again = changed(room.teacher.post(path, {"cells": cells}, idempotency_key=key)).json
    assert len(first["faults"]) == 249
    assert [fault["path"].split("/")[2] for fault in again["faults"]] == [
        fault["path"].split("/")[2] for fault in first["faults"]
    ]
    assert again["faults"][:100] == first["faults"][:100]
    assert {fault["code"] for fault in again["faults"][100:]} == {"refused_before"}
    assert {name: again[name] for name in again if name != "faults"} == {
        name: first[name] for name in first if name != "faults"
    }


def test_an_act_that_changes_nothing_makes_no_version(room):
    def step(*changes):
        return changed(room.teacher.post(f"{room.path}/changes", {"changes": list(changes)})).json

    first = changed(room.enter(3, value=80)).json
    assert first["changed"] is True
    for answer in (
        changed(room.enter(3, value=80)).json,
        changed(room.enter(3, value="80.0")).json,
        step(),
        step({"op": "patch", "line": room.lines[3], "fields": {"max": "100.0"}}),
        changed(room.teacher.post(f"{room.path}/post", {"lines": [room.lines[3]]})).json,
    ):
        assert (answer["changed"], answer["v"]) == (False, first["v"])
    assert step({"op": "patch", "line": room.lines[1], "fields": {"weight": 50}})["v"] == first["v"] + 1


def test_of_two_results_for_one_cell_none_is_entered(room):
    cells = [{"row": room.row, "line": room.lines[3], "value": value} for value in (70, 80)]
    refused = room.teacher.post(f"{room.path}/cells", {"cells": cells})
    assert refused.faults == [("cell_twice", "/cells/0"), ("cell_twice", "/cells/1")]
    answer = changed(room.teacher.post(f"{room.path}/cells?mode=each", {"cells": cells})).json
    assert (answer["accepted"], answer["changed"]) == (0, False)


def test_the_record_leaves_the_entry_to_the_class(room):
    for call in (
        lambda: room.teacher.patch(f"/v1/records/{room.record}/entries/{room.entry}", {"fields": {"credits": 1}}),
        lambda: room.teacher.delete(f"/v1/records/{room.record}/entries/{room.entry}"),
        lambda: room.teacher.post(
            f"/v1/records/{room.record}/entries",
            {"parent": room.entry, "kind": "category", "fields": {"category": "quizzes", "weight": 1}},
        ),
        lambda: room.registrar.delete(f"/v1/records/{room.record}"),
    ):
        refused = call()
        assert refused.status == 422, refused.json
        assert [fault["code"] for fault in refused.json["faults"]] == ["class_entry"]


def test_what_ifs_goals_and_traces_look_into_the_row(room):
    changed(room.enter(3, value=90))
    change = {"op": "patch", "entry": room.lines[4], "fields": {"score": "5"}}
    tried = room.student.post(f"/v1/records/{room.record}/what-if", {"changes": [change]})
    assert changed(tried).json["entries"][room.entry]["figures"]["grade"]["display"] == "74.00"
    goal = {"figure": "grade", "entry": room.entry, "target": "94", "unknowns": [room.lines[4]]}
    found = changed(room.student.post(f"/v1/records/{room.record}/goals", goal)).json
    assert found["status"] == "reachable", found
    nodes = room.student.get(f"/v1/records/{room.record}/standing?trace=gpa").json["traces"]["nodes"]
    assert any(node["op"] == "input" and node["entry"] == room.lines[3] for node in nodes)


def assembled(room, by):
    return changed(by.get(f"/v1/records/{room.record}/assembled")).json


def test_the_assembled_record_has_the_lines_of_its_class_as_each_view_shows_them(room):
    changed(room.enter(3, value=90))
    changed(room.enter(5, value=1))
    for caller, percent, score in ((room.registrar, "10.00", 1), (room.student, "", None)):
        whole = assembled(room, caller)
        assert whole["classes"] == [
            {"entry": room.entry, "class": room.path.rpartition("/")[2], "enrolment": room.row, "complete": True}
        ]
        (course,) = whole["record"]["entries"]
        labs = next(entry for entry in course["children"] if entry["id"] == room.lines[2])
        assert labs["children"][1]["fields"]["score"] == score
        entries = whole["standing"]["entries"]
        assert entries[room.lines[2]]["figures"]["percent"]["display"] == percent
        assert entries[room.entry]["figures"]["grade"]["display"] == room.grade(caller)
    assert room.teacher.get(f"/v1/records/{room.record}/assembled").status == 200
    assert room.server.api().sign_up().get(f"/v1/records/{room.record}/assembled").status == 404


def test_a_student_sees_the_own_row_as_it_is_released_and_nothing_of_the_class(room):
    changed(room.enter(3, value=90))
    changed(room.enter(5, value=1))
    own = room.student.get(f"{room.path}/rows/{room.row}").json
    assert "row" not in own
    assert '"score":1,' not in str(own["part"]).replace("'", '"').replace(" ", "")
    (course,) = own["part"]["entries"]
    labs = next(entry for entry in course["children"] if entry["id"] == room.lines[2])
    assert [item["fields"]["score"] for item in labs["children"]] == [None, None]
    for path in ("", "/rows", "/ledger"):
        assert room.student.get(room.path + path).status == 404
    assert room.enter(3, by=room.student, value=100).status == 404


def test_a_student_finds_a_line_of_the_own_class_at_once_by_its_new_name(room):
    def found(by, text):
        groups = changed(by.get(f"/v1/search?q={text}&kind=entry")).json["groups"]
        return [item["entry"] for group in groups for item in group["items"]]

    assert found(room.student, "final") == [room.lines[3]]
    step = {"op": "patch", "line": room.lines[3], "fields": {"title": "Quiz 3"}}
    changed(room.teacher.post(f"{room.path}/changes", {"changes": [step]}))
    assert (found(room.student, "final"), found(room.student, "quiz")) == ([], [room.lines[3]])
    assert found(room.teacher, "quiz") == found(room.registrar, "quiz") == []


def test_a_repeated_enrolment_enrols_once(room):
    student = room.server.api().sign_up()
    room.registrar.makes_member(student, room.college, "student", [])
    body = {"student": student.account["id"]}
    first, again = (room.teacher.post(f"{room.path}/enrolments", body, idempotency_key="join") for _ in range(2))
    assert (first.status, again.status, again.json) == (201, 201, first.json)


def test_who_leaves_takes_no_results(room):
    changed(room.enter(3, value=90))
    left = changed(room.teacher.delete(f"{room.path}/enrolments/{room.row}?keep=true")).json["enrolment"]
    assert left["withdrawn"]
    assert room.enter(3, value=10).json["faults"][0]["code"] == "enrolment_ended"
    assert room.grade(room.student) == "90.00"


def test_a_kind_that_the_shape_does_not_have_is_no_root(room):
    body = {"title": "X", "root": "item", "fields": {}}
    refused = room.teacher.post(f"/v1/programs/{room.program}/classes", body)
    assert [fault["code"] for fault in refused.json["faults"]] == ["not_mountable"]


def test_rows_since_a_version_are_those_that_changed(room):
    before = room.teacher.get(f"{room.path}/rows").json
    assert [row["id"] for row in before["rows"]] == [room.row]
    assert room.teacher.get(f"{room.path}/rows?since={before['v']}").json["rows"] == []
    changed(room.enter(3, value=50))
    after = room.teacher.get(f"{room.path}/rows?since={before['v']}").json
    assert after["rows"][0]["cells"][room.column(3)] == "50"
    assert (after["from"], after["v"]) == (before["v"], after["rows"][0]["v"])
    assert room.teacher.get(f"{room.path}/rows?since={after['e']}.{after['v']}").json["rows"] == []
    # What is held of another epoch is nothing.
    assert room.teacher.get(f"{room.path}/rows?since=elsewhere.{after['v']}").json["from"] == 0
    assert room.teacher.get(f"{room.path}/rows?since={after['v'] + 9}").json["from"] == 0
    assert room.teacher.get(f"{room.path}/rows?since=some").status == 400


def test_a_change_of_the_structure_is_one_of_every_row(room):
    before = room.teacher.get(f"{room.path}/rows").json
    step = {"op": "patch", "line": room.lines[1], "fields": {"weight": 50}}
    changed(room.teacher.post(f"{room.path}/changes", {"changes": [step]}))
    after = room.teacher.get(f"{room.path}/rows?since={before['v']}").json
    assert [(row["id"], row["s"], row["v"]) for row in after["rows"]] == [(room.row, after["s"], after["v"])]
    assert after["s"] == before["s"] + 1


def test_a_row_shows_cells_in_the_order_of_the_columns_and_the_figures_of_the_root(room):
    changed(room.enter(3, value=90))
    changed(room.enter(4, status="absent"))
    changed(room.enter(5, value=7, held=True))
    (row,) = room.teacher.get(f"{room.path}/rows").json["rows"]
    assert row["name"] == room.student.account["displayName"]
    assert row["cells"] == [
        "90", {"value": None, "status": "absent", "posted": True}, {"value": "7", "posted": False, "held": True}
    ]  # fmt: skip
    standing = room.teacher.get(f"{room.path}/rows/{room.row}").json["standing"]["entries"][room.entry]
    assert row["figures"]["grade"] == [standing["figures"]["grade"]["display"], standing["letter"]]
    changed(room.teacher.delete(f"{room.path}/enrolments/{room.row}"))
    assert room.teacher.get(f"{room.path}/rows").json["rows"][0]["withdrawn"] is True


def test_the_class_says_what_its_columns_take(room):
    document = room.teacher.get(room.path).json["class"]
    assert (document["students"], document["withdrawn"]) == (1, 0)
    assert [column["line"] for column in document["columns"]] == [room.lines[number] for number in (3, 4, 5)]
    final = document["columns"][0]
    assert (final["label"]["en"], final["grade"], final["least"], final["best"]) == ("Final", "score", "0", "100")
    assert "absent" in final["statuses"] and final["takes"]["type"] == "number"
    grade = next(figure for figure in document["figures"] if figure["name"] == "grade")
    assert "A" in grade["letters"]


def test_rows_come_in_parts_and_answer_304_to_who_has_them(room):
    rows = room.teacher.get(f"{room.path}/rows")
    held = room.teacher.get(f"{room.path}/rows", if_none_match=rows.etag)
    assert held.status == 304 and "more" not in rows.json and "Link" not in rows.headers


def test_the_numbers_of_the_class_tell_a_student_nothing(room):
    changed(room.enter(5, value=1))
    assert not {"v", "s"} & set(room.student.get(f"{room.path}/rows/{room.row}").json)
    assert {"v", "s"} <= set(room.teacher.get(f"{room.path}/rows/{room.row}").json)


def test_who_reads_rows_stands_in_the_trail(room):
    room.registrar.get(f"{room.path}/rows")
    room.registrar.get(f"{room.path}/rows/{room.row}")
    administrator = room.server.signed_in("administrator")
    for action, subject in (("records.listed", room.program), ("record.read", room.record)):
        readings = lines(administrator, subject, action)
        assert room.registrar.account["id"] in [line["by"] for line in readings], action


def test_who_reads_the_ledger_stands_in_the_trail(room):
    administrator = room.server.signed_in("administrator")
    for path in ("/ledger", f"/rows/{room.row}/history"):
        changed(administrator.get(room.path + path))
    readings = lines(administrator, room.path.split("/")[-1], "class.read")
    assert [line["by"] for line in readings] == [administrator.account["id"]]


def test_who_is_taken_off_the_program_and_who_is_dismissed_sees_nothing(room):
    taught = [item["id"] for item in room.teacher.get("/v1/classes").json["items"]]
    assert taught == [room.path.split("/")[-1]]
    place = f"/v1/institutions/{room.college}/members/{room.teacher.account['id']}"
    changed(room.registrar.call("PUT", place, {"role": "teacher", "programs": []}))
    paths = ["", "/rows", f"/rows/{room.row}", "/ledger", f"/rows/{room.row}/history"]
    assert room.enter(3, value=1).status == 403
    assert [room.teacher.get(room.path + path).status for path in paths] == [404] * len(paths)
    assert room.teacher.get("/v1/classes").json["items"] == []
    changed(room.registrar.delete(place), 204)
    assert room.teacher.get("/v1/classes").json["items"] == []
    assert room.teacher.get(room.path).status == 404


def test_a_due_date_is_set_and_taken_away(room):
    def due(value):
        step = {"op": "patch", "line": room.lines[3], "due": value}
        changed(room.teacher.post(f"{room.path}/changes", {"changes": [step]}))
        lines = room.teacher.get(room.path).json["class"]["structure"]["lines"]
        return next(line["due"] for line in lines if line["id"] == room.lines[3])

    assert due("2027-01-31") == "2027-01-31"
    assert due(None) is None


def test_of_all_that_is_wrong_with_many_cells_a_part_is_listed(room):
    def refused(**members):
        cells = [{"row": room.row, "line": room.lines[3], **members}] * 200
        answer = room.teacher.post(f"{room.path}/cells", {"cells": cells})
        assert answer.status == 422
        return {fault["code"] for fault in answer.json["faults"]}, len(answer.json["faults"])

    assert refused(**{f"x{number}": 1 for number in range(300)}) == ({"unknown_field"}, 100)
    assert refused(fields={f"x{number}": 1 for number in range(65)}) == ({"entry_limit"}, 100)
    cells = {f"x{number}": {} for number in range(201)}
    answer = room.teacher.patch(f"{room.path}/rows/{room.row}", {"cells": cells})
    assert [fault["code"] for fault in answer.json["faults"]] == ["entry_limit"]
