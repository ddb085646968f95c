"""Late and missing work over HTTP: marks, what they count for, and who sees what of them."""

import csv
import datetime
import io

import pytest

import gradecast
from classroom import CONFIG, Room
from client import changed
from programs import until

FINAL, FIRST, HIDDEN = 3, 4, 5
DAY = 24 * 60


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    server = gradecast.Server(tmp_path_factory.mktemp("late"), config=CONFIG).start()
    yield server
    assert server.stop() == 0, server.output()


@pytest.fixture
def room(server):
    room = Room(server)
    changed(room.enter(FINAL, value=80))
    changed(room.enter(FIRST, value=10))
    return room


def settle(room, policy, *more):
    return room.teacher.post(f"{room.path}/changes", {"changes": [{"op": "policy", "policy": policy}, *more]})


def own(room):
    return room.student.get(f"/v1/rows/{room.row}").json


def test_a_class_says_what_late_work_loses_and_the_record_follows(room):
    changed(room.enter(FINAL, late=DAY + 1))
    assert room.grade(room.teacher) == room.grade(room.student) == "88.00"
    answer = changed(settle(room, {"late": {"percent": 10, "per": "day"}}))
    assert room.grade(room.teacher) == room.grade(room.student) == "76.00"
    policy = room.teacher.get(room.path).json["class"]["structure"]["policy"]
    assert policy == {
        "late": {"percent": "10", "per": "day", "grace": 0, "floor": "0", "cap": "100"},
        "missing": {"percent": None, "automatic": False},
    }
    cell = room.teacher.get(f"{room.path}/rows").json["rows"][0]["cells"][room.column(FINAL)]
    assert cell == {"value": "80", "late": DAY + 1, "posted": True}
    assert own(room)["lines"] == {room.lines[FINAL]: {"why": "late", "late": DAY + 1, "counts": "60"}}
    changed(room.teacher.post(f"{room.path}/undo", {"v": answer.json["v"]}))
    assert room.grade(room.teacher) == "88.00"
    # What counts for nothing is no matter of the student.
    assert own(room)["lines"] == {}


def test_the_explanation_says_why(room):
    changed(room.enter(FINAL, late=1))
    changed(settle(room, {"late": {"percent": 10, "per": "once"}}))
    traces = room.student.get(f"/v1/records/{room.record}/standing?trace=grade").json["traces"]
    adjusted = [node for node in traces["nodes"] if node["op"] == "adjust"]
    assert [(node["value"], node["adjust"]["why"]) for node in adjusted] == [("70", "late")]


def test_missing_is_a_status_until_a_result_comes(room):
    changed(settle(room, {"missing": {"percent": 0}}, {"op": "patch", "line": room.lines[FINAL], "due": "2026-11-20"}))
    changed(room.enter(FINAL, value=None))
    changed(room.enter(FINAL, status="missing", was={"value": None}))
    assert room.grade(room.teacher) == "40.00"
    assert own(room)["lines"] == {room.lines[FINAL]: {"due": "2026-11-20", "why": "missing", "counts": "0"}}
    statistics = room.teacher.get(f"{room.path}/statistics").json["columns"][room.column(FINAL)]
    assert (statistics["count"], statistics["statuses"]) == (0, {"missing": 1})
    conflict = room.enter(FINAL, value=5, was={"value": None})
    assert (conflict.status, conflict.json["code"]) == (409, "cell_conflict")
    assert conflict.json["faults"][0]["args"]["status"] == "missing"
    changed(room.enter(FINAL, value=50, was={"value": None, "status": "missing"}))
    assert room.grade(room.teacher) == "70.00"
    refused = room.enter(FINAL, status="missing")
    assert refused.status == 422 and refused.json["faults"][0]["code"] == "result_entered"


def test_of_a_hidden_result_no_mark_is_told(room):
    changed(settle(room, {"late": {"percent": 50, "per": "once"}, "missing": {"percent": 0}}))
    before = own(room)
    changed(room.enter(HIDDEN, value=10, late=5))
    assert own(room) == before
    changed(room.enter(HIDDEN, value=None, late=None))
    changed(room.enter(HIDDEN, status="missing"))
    assert own(room) == before
    assert room.grade(room.student) == "88.00" != room.grade(room.teacher)


def test_a_rehearsal_shows_what_a_policy_would_do(room):
    changed(room.enter(FINAL, late=1))
    step = {"op": "policy", "policy": {"late": {"percent": 100, "per": "once", "floor": 40}}}
    answer = room.teacher.post(f"{room.path}/rehearsals", {"changes": [step]}).json
    assert (answer["changed"], answer["refused"]) == (1, 0)
    assert answer["rows"][0]["after"]["figures"]["grade"] == "64.00"
    assert room.grade(room.teacher) == "88.00"


@pytest.mark.parametrize("late", [-1, 366 * DAY + 1, 1.5, "2", True])
def test_a_delay_has_bounds(room, late):
    answer = room.enter(FINAL, late=late)
    assert answer.status == 422
    assert [fault["path"] for fault in answer.json["faults"]] == [f"/cells/{room.lines[FINAL]}/late"]


def test_what_is_wrong_with_a_policy_is_said_at_its_place(room):
    answer = settle(room, {"late": {"percent": 101, "per": "week"}, "missing": {"percent": "x"}})
    assert answer.status == 422
    assert {(fault["path"], fault["code"]) for fault in answer.json["faults"]} == {
        ("/changes/0/policy/late/percent", "out_of_range"),
        ("/changes/0/policy/late/per", "out_of_range"),
        ("/changes/0/policy/missing/percent", "not_a_number"),
    }


def test_a_half_of_a_policy_that_is_left_out_stays(room):
    changed(settle(room, {"missing": {"percent": 0, "automatic": True}}))
    changed(settle(room, {"late": {"percent": 10, "per": "day"}}))
    policy = room.teacher.get(room.path).json["class"]["structure"]["policy"]
    assert policy["late"]["percent"] == "10"
    assert policy["missing"] == {"percent": "0", "automatic": True}
    changed(settle(room, {"late": None}))
    policy = room.teacher.get(room.path).json["class"]["structure"]["policy"]
    assert (policy["late"], policy["missing"]) == (None, {"percent": "0", "automatic": True})


def test_a_delay_is_entered_over_the_one_that_was_seen(room):
    changed(room.enter(FINAL, late=120, was={"late": None}))
    conflict = room.enter(FINAL, late=180, was={"late": None})
    assert (conflict.status, conflict.json["code"]) == (409, "cell_conflict")
    arguments = conflict.json["faults"][0]["args"]
    assert (arguments["late"], arguments["account"]) == (120, room.teacher.account["id"])
    # A result that another person enters meanwhile is no conflict, nor is a delay for a result.
    changed(room.enter(FINAL, value=70, was={"value": 80}))
    changed(room.enter(FINAL, late=180, was={"late": 120}))
    wrong = room.enter(FINAL, late=60, was={"late": "180"})
    assert [fault["path"] for fault in wrong.json["faults"]] == [f"/cells/{room.lines[FINAL]}/was/late"]
    cell = room.teacher.get(f"{room.path}/rows").json["rows"][0]["cells"][room.column(FINAL)]
    assert (cell["value"], cell["late"]) == ("70", 180)


def test_a_correction_of_a_delay_stands_on_the_delay_that_it_was_asked_for(room):
    changed(room.enter(FINAL, late=120))
    changed(room.teacher.patch(room.path, {"state": "closed"}))
    path = f"{room.path}/corrections"
    asked = []
    for late in (60, 30):
        cells = [{"row": room.row, "line": room.lines[FINAL], "late": late}]
        answer = room.teacher.post(path, {"cells": cells, "reason": "It came by post"})
        asked.append(changed(answer, 201).json["correction"]["id"])
    first, second = reversed(room.teacher.get(path).json["items"])
    assert [item["cells"][0]["was"]["late"] for item in (first, second)] == [120, 120]
    changed(room.registrar.post(f"{path}/{asked[0]}/approve"))
    refused = room.registrar.post(f"{path}/{asked[1]}/approve")
    assert (refused.status, refused.json["code"]) == (409, "cell_conflict")


def test_a_file_has_the_delay_beside_results_with_a_due_date(room):
    due = {"op": "patch", "line": room.lines[FINAL], "due": "2026-11-20"}
    changed(settle(room, {"late": {"percent": 10, "per": "day"}}, due))
    changed(room.enter(FINAL, late=90))
    changed(room.enter(FIRST, value=None, status="missing"))
    body = room.teacher.get(f"{room.path}/export?format=csv").body.decode("utf-8")
    titles, columns, row = csv.reader(io.StringIO(body))
    found = dict(zip(columns, row, strict=True))
    assert found[room.lines[FINAL]] == "80" and found[f"{room.lines[FINAL]}/late"] == "90"
    assert found[room.lines[FIRST]] == "missing" and f"{room.lines[FIRST]}/late" not in found
    assert titles[columns.index(f"{room.lines[FINAL]}/late")] == "Final: minutes late"


def test_regulations_that_name_missing_themselves_say_what_it_counts_for(room):
    document = changed(room.registrar.get("/v1/regulations/library/weighted-groups")).json["document"]
    body = {"scheme": "regulations", "title": "Categories", "configuration": {"document": document}}
    made = changed(room.registrar.post(f"/v1/institutions/{room.college}/programs", body), 201)
    program = f"/v1/programs/{made.json['program']['id']}"
    rehearsal = changed(room.registrar.post(f"{program}/rehearsals"), 202).json["rehearsal"]["id"]
    done = until(
        lambda: room.registrar.get(f"{program}/rehearsals/{rehearsal}").json["rehearsal"],
        lambda found: found["state"] == "done",
    )
    changed(room.registrar.post(f"{program}/publish", {"digest": done["digest"]}))
    lines = [
        {"op": "add", "kind": "assignment", "in": "#0", "fields": {"title": title, "max": 10}}
        for title in ("First", "Second")
    ]
    body = {"title": "Homework", "root": "category", "fields": {"title": "Homework", "weight": 1}, "lines": lines}
    course = changed(room.registrar.post(f"{program}/classes", body), 201).json["class"]
    path = f"/v1/classes/{course['id']}"
    assert [column["statuses"].count("missing") for column in course["columns"]] == [1, 1]
    assert course["columns"][0]["statusLabels"]["missing"]["fr"] == "Non rendu"
    policy = {"op": "policy", "policy": {"missing": {"percent": 0}}}
    changed(room.registrar.post(f"{path}/changes", {"changes": [policy]}))
    answer = room.registrar.post(f"{path}/enrolments", {"student": room.student.account["id"]})
    enrolment = changed(answer, 201).json["enrolment"]
    first, second = (line["id"] for line in course["structure"]["lines"][1:])
    cells = {first: {"value": 8}, second: {"status": "missing"}}
    changed(room.registrar.patch(f"{path}/rows/{enrolment['id']}", {"cells": cells}))
    # 8 of 10 and 40 percent, which the document says, in the place of the class's 0.
    standing = room.student.get(f"/v1/records/{enrolment['record']}/standing").json
    assert standing["entries"][enrolment["entry"]]["figures"]["percent"]["exact"] == "60"


@pytest.mark.slow("starts its server twice, with a class of its own")
def test_the_server_marks_empty_cells_once_their_day_is_over_at_the_institution(tmp_path):
    server = gradecast.Server(tmp_path, config=CONFIG).start()
    room = Room(server)
    place = f"/v1/institutions/{room.college}"
    # Pago Pago is 25 hours behind Kiritimati, where its day is always over.
    today = datetime.datetime.now(datetime.timezone(datetime.timedelta(hours=-11))).date()
    changed(room.registrar.patch(place, {"timeZone": "Pacific/Pago_Pago"}))
    newcomer = server.api().sign_up()
    room.registrar.makes_member(newcomer, room.college, "student", [])
    answer = room.teacher.post(f"{room.path}/enrolments", {"student": newcomer.account["id"]})
    row = f"{room.path}/rows/{changed(answer, 201).json['enrolment']['id']}"
    due = {"op": "patch", "line": room.lines[FINAL], "due": today.isoformat()}
    changed(settle(room, {"missing": {"percent": 0, "automatic": True}}, due))
    changed(room.registrar.patch(place, {"timeZone": "Pacific/Kiritimati"}))
    assert server.stop() == 0, server.output()
    # It looks at once when it starts.
    server.start()
    history = until(lambda: room.teacher.get(f"{row}/history").json["items"], lambda items: len(items) > 1)
    assert [line["operation"] for line in history] == ["missed", "enrol"]
    assert history[0]["after"] == {str(FINAL): {"status": "missing"}}
    # The act is in the name of a teacher, who entered nothing.
    refused = room.teacher.patch(row, {"cells": {room.lines[FINAL]: {"value": 50, "was": {"value": None}}}})
    assert (refused.status, refused.json["code"]) == (409, "cell_conflict")
    found = refused.json["faults"][0]["args"]
    assert found["status"] == "missing" and "at" in found and "account" not in found
    assert server.stop() == 0, server.output()
