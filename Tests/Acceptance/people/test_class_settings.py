"""A class's staff, its end, what is tried in it, and acts that are sent again."""

import pytest
from programs import until
from tokens import bearer

import gradecast
from classroom import CONFIG, Room, administrator_of
from client import changed, next_page


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    server = gradecast.Server(tmp_path_factory.mktemp("settings"), config=CONFIG).start()
    yield server
    assert server.stop() == 0, server.output()


@pytest.fixture
def room(server):
    return Room(server)


def test_a_repeated_act_is_carried_out_once_and_answered_as_first(room):
    cells = {"cells": {room.lines[4]: {"value": 7}}}
    path = f"{room.path}/rows/{room.row}"
    first = changed(room.teacher.patch(path, cells, idempotency_key="enter-7"))
    changed(room.enter(4, value=9))
    again = room.teacher.patch(path, cells, idempotency_key="enter-7")
    assert (again.status, again.json) == (200, first.json)
    rows = room.teacher.get(f"{room.path}/rows").json["rows"]
    assert rows[0]["cells"][room.column(4)] == "9"
    other = room.teacher.patch(path, {"cells": {room.lines[4]: {"value": 1}}}, idempotency_key="enter-7")
    assert (other.status, other.json["code"]) == (422, "idempotency_mismatch")


def test_a_row_that_moved_on_is_not_written_under_its_old_tag(room):
    version = changed(room.enter(4, value=7)).json["v"]
    epoch = room.teacher.get(f"/v1/records/{room.record}").headers["ETag"].strip('"').split(".")[0]
    path, cells = f"{room.path}/rows/{room.row}", {"cells": {room.lines[4]: {"value": 8}}}
    stale = room.teacher.patch(path, cells, if_match=f'"{epoch}.{version - 1}"')
    assert (stale.status, stale.json["code"]) == (409, "version_conflict")
    assert stale.json["current"]["v"] == version
    ahead = room.teacher.patch(path, cells, if_match=f'"{epoch}.{version + 1000}"')
    assert (ahead.status, ahead.json["code"]) == (409, "version_conflict")
    changed(room.teacher.patch(path, cells, if_match=f'"{epoch}.{version}"'))


def test_the_ledger_is_read_page_by_page_without_a_gap(room):
    cells = [{"row": room.row, "line": room.lines[3], "value": 80}]
    changed(room.teacher.post(f"{room.path}/cells", {"cells": cells}))
    for path in (f"{room.path}/ledger", f"{room.path}/rows/{room.row}/history"):
        whole = room.teacher.get(path).json["items"]
        pages, page = [], f"{path}?limit=1"
        while page:
            answer = room.teacher.get(page)
            pages += answer.json["items"]
            page = next_page(answer)
        assert pages == whole
        assert len({line["number"] for line in whole}) == len(whole)


def test_each_structure_that_the_ledger_names_can_be_read(room):
    title = {"op": "patch", "line": room.lines[3], "fields": {"title": "Midterm exam"}}
    changed(room.teacher.post(f"{room.path}/changes", {"changes": [title]}))
    (newest, *_) = room.teacher.get(f"{room.path}/ledger").json["items"]
    before, after = (
        room.teacher.get(f"{room.path}/structures/{newest[side]['s']}").json for side in ("before", "after")
    )
    assert after == room.teacher.get(room.path).json["class"]["structure"]
    lines = [(old, new) for old, new in zip(before["lines"], after["lines"], strict=True) if old != new]
    assert [new["fields"]["title"] for _, new in lines] == ["Midterm exam"]
    for number in ("0", "99", "one"):
        assert room.teacher.get(f"{room.path}/structures/{number}").status == 404
    assert room.student.get(f"{room.path}/structures/1").status == 404


def test_a_grader_of_one_line_enters_its_results_until_taken_off(room):
    grader = room.server.api().sign_up()
    room.registrar.makes_member(grader, room.college, "teacher", [room.program])
    assert room.enter(3, by=grader, value=1).status == 404
    wish = {"account": grader.account["id"], "role": "grader", "lines": [room.lines[2]]}
    assert room.student.post(f"{room.path}/staff", wish).status == 404
    staff = changed(room.teacher.post(f"{room.path}/staff", wish)).json["class"]["staff"]
    assert {"account": grader.account["id"], "role": "grader", "lines": [room.lines[2]]} in staff
    # Labs, and the items in them.
    changed(room.enter(4, by=grader, value=9))
    refused = room.enter(3, by=grader, value=1)
    assert refused.status == 422
    (fault,) = refused.json["faults"]
    assert (fault["code"], fault["path"]) == ("line_not_assigned", f"/cells/{room.lines[3]}/line")
    assert grader.post(f"{room.path}/staff", wish).status == 403
    assert grader.post(f"{room.path}/undo", {"v": 2}).status == 403
    changed(room.teacher.delete(f"{room.path}/staff/{grader.account['id']}"))
    assert room.enter(4, by=grader, value=1).status == 404
    assert room.teacher.delete(f"{room.path}/staff/{grader.account['id']}").status == 404
    last = room.teacher.delete(f"{room.path}/staff/{room.teacher.account['id']}")
    assert [fault["code"] for fault in last.json["faults"]] == ["teacher_needed"]
    nobody = {"account": room.student.account["id"], "role": "observer"}
    assert room.teacher.post(f"{room.path}/staff", nobody).json["faults"][0]["code"] == "account_unknown"


def test_a_program_neither_closes_a_class_nor_gives_roles_in_it(server, room):
    caller = bearer(server, room.teacher, "classes:read", "classes:write", "roster:write", "results:write")
    assert changed(caller.patch(room.path, {"title": "Sets"})).json["class"]["title"] == "Sets"
    changed(room.enter(3, by=caller, value=10))
    person = {"account": room.student.account["id"], "role": "observer"}
    for refused in (
        caller.patch(room.path, {"state": "closed"}),
        caller.patch(room.path, {"title": "Other", "state": "open"}),
        caller.post(f"{room.path}/staff", person),
        caller.delete(f"{room.path}/staff/{room.teacher.account['id']}"),
    ):
        assert (refused.status, refused.json["code"]) == (403, "session_required"), refused
    found = changed(caller.get(room.path)).json["class"]
    assert (found["title"], found["state"]) == ("Sets", "open")
    records = bearer(server, room.teacher, "records:read", "results:write")
    refused = records.get(room.path)
    assert (refused.status, refused.json["code"]) == (403, "insufficient_scope")


def test_a_closed_class_stands_still_until_a_registrar_opens_it(room):
    changed(room.enter(3, value=90))
    renamed = changed(room.teacher.patch(room.path, {"title": "Sets", "posting": "manual"})).json["class"]
    assert (renamed["title"], renamed["posting"]) == ("Sets", "manual")
    assert changed(room.teacher.patch(room.path, {"state": "closed"})).json["class"]["state"] == "closed"
    assert room.enter(3, value=10).json["faults"][0]["code"] == "class_closed"
    assert room.grade(room.student) == "90.00"
    assert room.teacher.patch(room.path, {"state": "open"}).status == 403
    changed(room.registrar.patch(room.path, {"state": "open"}))
    changed(room.enter(3, value=80))
    step = {"op": "add", "kind": "item", "in": room.lines[2], "fields": {"title": "Lab 3", "max": 10}}
    changed(room.teacher.post(f"{room.path}/changes", {"changes": [step]}))
    lines = room.teacher.get(room.path).json["class"]["structure"]["lines"]
    assert [line["posting"] for line in lines if line["fields"].get("title") == "Lab 3"] == ["manual"]


def test_results_are_tried_and_not_entered(room):
    changed(room.enter(3, value=90))
    changed(room.enter(5, value=0))
    path, cells = f"{room.path}/rows/{room.row}/preview", {"cells": {room.lines[4]: {"value": 10}}}

    def grade(answer):
        return changed(answer).json["standing"]["entries"][room.entry]["figures"]["grade"]["display"]

    assert grade(room.teacher.post(path, cells)) == "74.00"
    # The student tries the same without the result that is not posted.
    assert grade(room.student.post(path, cells)) == "94.00"
    refused = room.student.post(path, {"cells": {room.lines[4]: {"value": -1}}})
    assert [fault["path"] for fault in refused.json["faults"]] == [f"/cells/{room.lines[4]}"]
    assert room.server.api().sign_up().post(path, cells).status == 404
    assert room.teacher.get(f"{room.path}/rows").json["rows"][0]["cells"][room.column(4)] is None


def test_a_rehearsal_shows_each_row_before_and_after_and_stores_nothing(room):
    changed(room.enter(3, value=100))
    changed(room.enter(4, value=0))
    before = room.teacher.get(room.path).json
    steps = [{"op": "patch", "line": room.lines[1], "fields": {"weight": 40}}]
    found = changed(room.teacher.post(f"{room.path}/rehearsals", {"changes": steps})).json
    (row,) = found["rows"]
    assert (row["row"], row["refusal"], found["changed"]) == (room.row, None, 1)
    assert [row[when]["figures"]["grade"] for when in ("before", "after")] == ["60.00", "50.00"]
    assert room.teacher.get(room.path).json == before
    assert room.student.post(f"{room.path}/rehearsals", {"changes": steps}).status == 404
    wrong = [{"op": "patch", "line": room.lines[3], "fields": {"max": None}}]
    refused = room.teacher.post(f"{room.path}/rehearsals", {"changes": wrong})
    assert [fault["code"] for fault in refused.json["faults"]] == ["missing_field"]


def test_who_left_comes_back_to_the_own_results(room):
    changed(room.enter(3, value=90))
    changed(room.teacher.delete(f"{room.path}/enrolments/{room.row}"))
    answer = room.teacher.post(f"{room.path}/enrolments", {"student": room.student.account["id"]})
    assert changed(answer, 201).json["enrolment"]["id"] == room.row
    assert room.grade(room.student) == "90.00"


def test_a_kept_entry_says_what_it_was_given_and_takes_no_what_if(room):
    changed(room.enter(3, value=90))
    changed(room.teacher.delete(f"{room.path}/enrolments/{room.row}?keep=true"))
    step = {"op": "patch", "line": room.lines[3], "fields": {"max": 200}}
    changed(room.teacher.post(f"{room.path}/changes", {"changes": [step]}))
    tried = changed(room.student.post(f"/v1/records/{room.record}/what-if", {"changes": []})).json
    assert tried["entries"][room.entry]["figures"]["grade"]["display"] == "90.00"


def test_an_erased_student_leaves_an_empty_row_and_a_ledger_without_words(room):
    changed(room.enter(3, value=90))
    changed(room.student.delete("/v1/accounts/me"), 204)
    (row,) = room.teacher.get(f"{room.path}/rows").json["rows"]
    assert (row["student"], row["withdrawn"], row["cells"]) == (None, True, [None] * 3)
    history = room.teacher.get(f"{room.path}/rows/{room.row}/history").json["items"]
    assert [line["operation"] for line in history] == ["erase", "cells", "enrol"]
    assert {(line["before"], line["after"], line["reason"]) for line in history} == {(None, None, None)}


def test_that_a_closed_class_was_opened_again_is_told_to_its_staff_and_students(room):
    changed(room.teacher.patch(room.path, {"state": "closed"}))
    changed(room.registrar.patch(room.path, {"state": "open"}))

    def told(by):
        return [line for line in by.get("/v1/feed").json["items"] if line["type"] == "class.reopened"]

    [line] = until(lambda: told(room.teacher), len)
    assert line["class"] == {"id": room.path.rsplit("/", 1)[1], "title": "Algorithms"}
    [line] = until(lambda: told(room.student), len)
    assert (line["result"], line["record"]["id"]) == ({"class": "Algorithms", "entry": room.entry}, room.record)
    assert "class" not in line


def test_a_program_and_an_institution_list_their_classes_to_registrars_and_the_trail_names_them(server, room):
    def classes(by, whose=f"program={room.program}"):
        items = changed(by.get(f"/v1/classes?{whose}&limit=200")).json["items"]
        return [item["id"] for item in items]

    taught = room.path.rsplit("/", 1)[1]
    colleague = server.api().sign_up()
    room.registrar.makes_member(colleague, room.college, "teacher", [room.program])
    for whose in (f"program={room.program}", f"institution={room.college}", "institution=college"):
        assert taught in classes(room.registrar, whose) and taught in classes(room.teacher, whose)
        assert classes(colleague, whose) == classes(room.student, whose) == []
    assert room.registrar.get("/v1/classes").json["items"] == []
    # Those of other institutions are no business of a registrar.
    other = room.student.get("/v1/institutions/demo").json["institution"]["id"]
    assert classes(room.registrar, f"institution={other}") == classes(room.teacher, f"institution={other}") == []
    both = room.registrar.get(f"/v1/classes?program={room.program}&institution={room.college}")
    assert both.status == 400
    # The registrar looks at the ledger, which the trail notes.
    changed(room.registrar.get(f"{room.path}/ledger"))
    lines = changed(administrator_of(server).get(f"/v1/audit?subject={taught}")).json["items"]
    assert {"kind": "class", "title": "Algorithms"} in [line["names"]["subject"] for line in lines]
