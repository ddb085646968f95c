"""Curves over HTTP: what the results of a column count for, rehearsed before it is set, and who sees it."""

import pytest

import gradecast
from classroom import CONFIG, Room
from client import changed

FINAL, FIRST, HIDDEN = 3, 4, 5


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    server = gradecast.Server(tmp_path_factory.mktemp("curves"), config=CONFIG).start()
    yield server
    assert server.stop() == 0, server.output()


@pytest.fixture
def room(server):
    room = Room(server)
    changed(room.enter(FINAL, value=80))
    changed(room.enter(FIRST, value=10))
    return room


def step(room, curve, line=FINAL):
    return {"changes": [{"op": "patch", "line": room.lines[line], "curve": curve}]}


def curved(room, curve, line=FINAL, by=None):
    return (by or room.teacher).post(f"{room.path}/changes", step(room, curve, line))


def own(room):
    return room.student.get(f"/v1/rows/{room.row}").json


def test_a_curve_counts_in_the_record_and_what_was_entered_stays(room):
    answer = changed(curved(room, {"op": "add", "value": 5, "cap": True}))
    assert room.grade(room.teacher) == room.grade(room.student) == "91.00"
    lines = room.teacher.get(room.path).json["class"]["structure"]["lines"]
    assert [line["curve"] for line in lines if "curve" in line] == [{"op": "add", "value": "5", "cap": True}]
    assert room.teacher.get(f"{room.path}/rows").json["rows"][0]["cells"][room.column(FINAL)] == "80"
    assert own(room)["lines"] == {room.lines[FINAL]: {"why": "curve", "counts": "85"}}
    changed(room.teacher.post(f"{room.path}/undo", {"v": answer.json["v"]}))
    assert room.grade(room.teacher) == "88.00"
    assert own(room)["lines"] == {}


def test_the_explanation_says_why(room):
    changed(curved(room, {"op": "table", "points": [[0, 20], ["50", "60"], [100, 100]]}))
    traces = room.student.get(f"/v1/records/{room.record}/standing?trace=grade").json["traces"]
    adjusted = [node for node in traces["nodes"] if node["op"] == "adjust"]
    assert [(node["value"], node["adjust"]["why"]) for node in adjusted] == [("84", "curve")]


def test_a_rehearsal_shows_what_counts_now_and_then(room):
    answer = room.teacher.post(f"{room.path}/rehearsals", step(room, {"op": "add", "value": 15})).json
    assert (answer["changed"], answer["refused"]) == (1, 0)
    assert answer["rows"][0]["after"]["figures"]["grade"] == "97.00"
    (curve,) = answer["curves"]
    assert curve["line"] == room.lines[FINAL]
    assert (curve["before"]["mean"], curve["after"]["mean"]) == ("80.00", "95.00")
    full = {(bar["from"], bar["to"]): bar["count"] for bar in curve["after"]["bars"] if bar["count"]}
    assert len(full) == 1 and list(full.values()) == [1]
    assert [bar["from"] for bar in curve["before"]["bars"]] == [bar["from"] for bar in curve["after"]["bars"]]
    assert room.grade(room.teacher) == "88.00"
    weights = {"changes": [{"op": "patch", "line": room.lines[1], "fields": {"weight": 50}}]}
    assert "curves" not in room.teacher.post(f"{room.path}/rehearsals", weights).json


def test_of_a_hidden_column_no_curve_is_told(room):
    changed(room.enter(HIDDEN, value=4))
    before = own(room)
    changed(curved(room, {"op": "scale", "value": "0.5"}, HIDDEN))
    assert own(room) == before
    changed(room.teacher.post(f"{room.path}/post", {"lines": [room.lines[HIDDEN]]}))
    assert own(room)["lines"] == {room.lines[HIDDEN]: {"why": "curve", "counts": "2"}}


def test_what_is_wrong_is_said_at_its_place(room):
    answer = curved(room, {"op": "table", "points": [[0, 50], [10, 40], ["x", 1]]})
    assert answer.status == 422
    assert {(fault["path"], fault["code"]) for fault in answer.json["faults"]} == {
        ("/changes/0/curve/points/1", "curve_falls"),
        ("/changes/0/curve/points/2/0", "not_a_number"),
    }
    answer = curved(room, {"op": "add", "value": 5}, line=1)
    assert answer.status == 422
    assert [fault["code"] for fault in answer.json["faults"]] == ["curve_misplaced"]


def test_a_grader_sets_no_curve(room, server):
    grader = server.api().sign_up()
    room.registrar.makes_member(grader, room.college, "teacher", [room.program])
    changed(room.teacher.post(f"{room.path}/staff", {"account": grader.account["id"], "role": "grader"}))
    assert curved(room, {"op": "add", "value": 5}, by=grader).status == 403
    assert grader.post(f"{room.path}/rehearsals", step(room, {"op": "add", "value": 5})).status == 403
