"""Two people mark the same work: their marks make the result, and the second one does not see the first."""

import json

import pytest

import gradecast
from classroom import CONFIG, Room
from client import changed
from live import Live

BLIND = {"mode": "double", "tolerance": "1", "rule": "mean"}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    server = gradecast.Server(tmp_path_factory.mktemp("double"), config=CONFIG).start()
    yield server
    assert server.stop() == 0, server.output()


@pytest.fixture
def room(server):
    """A class in whose first lab two graders mark, with results in everything else."""
    room = Room(server)
    for line in (3, 5):
        changed(room.enter(line, value=8))
    marking(room, BLIND)
    room.graders = [grader_of(room) for _ in range(2)]
    return room


def marking(room, value):
    step = {"op": "patch", "line": room.lines[4], "marking": value}
    return changed(room.teacher.post(f"{room.path}/changes", {"changes": [step]}))


def grader_of(room):
    grader = room.server.api().sign_up()
    room.registrar.makes_member(grader, room.college, "teacher", [room.program])
    changed(room.teacher.post(f"{room.path}/staff", {"account": grader.account["id"], "role": "grader"}))
    return grader


def cell(room, by=None):
    return (by or room.teacher).get(f"{room.path}/rows").json["rows"][0]["cells"][room.column(4)]


def own(room, by):
    return [mark["value"] for mark in by.get(f"{room.path}/marking/{room.lines[4]}").json["marks"]]


def everything(room, by):
    """All that a member of the staff may read of the class."""
    paths = ("", "/rows", "/ledger", f"/rows/{room.row}", f"/rows/{room.row}/history", "/statistics", "/export")
    return "\n".join(by.get(room.path + path).body.decode() for path in (*paths, f"/marking/{room.lines[4]}"))


def refusal(answer):
    return answer.status, answer.faults[0]


def test_the_second_marker_does_not_see_the_first_mark(room):
    first, second = room.graders
    live = Live(room.server, second.token)
    live.send({"t": "sub", "topic": f"grid/{room.path.rsplit('/', 1)[-1]}"})
    live.next("rows")
    changed(room.enter(4, by=first, mark="6.7301"))
    heard = live.next("rows")
    live.close()
    assert heard["rows"][0]["cells"][room.column(4)]["marks"] == [{"by": first.account["id"]}]
    for reader in (second, room.teacher, room.registrar):
        assert "6.7301" not in everything(room, reader)
    assert "6.7301" not in json.dumps(heard)
    assert own(room, first) == ["6.7301"]
    assert own(room, second) == []
    assert "6.7301" in first.get(f"{room.path}/rows/{room.row}/history").body.decode()
    changed(room.enter(4, by=second, mark=7))
    assert cell(room)["value"] == "6.8651"
    assert [mark["value"] for mark in cell(room)["marks"]] == ["6.7301", "7"]
    assert "6.7301" in room.teacher.get(f"{room.path}/ledger").body.decode()


def test_nothing_counts_before_two_marks_agree_or_a_third_person_decides(room):
    first, second = room.graders
    before = room.student.get(f"/v1/rows/{room.row}")
    changed(room.enter(4, by=first, mark=4))
    changed(room.enter(4, by=second, mark=7))
    after = room.student.get(f"/v1/rows/{room.row}")
    assert (after.headers["ETag"], after.body) == (before.headers["ETag"], before.body)
    columns = room.teacher.get(f"{room.path}/statistics").json["columns"]
    [column] = [item for item in columns if item["line"] == room.lines[4]]
    assert (column["count"], column["without"], column["unagreed"]) == (0, 1, 1)
    assert "4 / 7" in room.teacher.get(f"{room.path}/export").body.decode()
    assert refusal(room.enter(4, by=second, value=6)) == (422, ("needs_two_marks", f"/cells/{room.lines[4]}/value"))
    assert refusal(room.enter(4, mark=6)) == (422, ("marked_twice", f"/cells/{room.lines[4]}/mark"))
    changed(room.enter(4, value=6))
    assert cell(room)["value"] == "6"
    assert room.student.get(f"/v1/rows/{room.row}").body != before.body
    acts = room.teacher.get(f"{room.path}/ledger?limit=3").json["items"]
    people = [person.account["id"] for person in (room.teacher, second, first)]
    assert [(line["operation"], line["account"]) for line in acts] == [("cells", person) for person in people]


def test_a_paste_enters_marks(room):
    first, second = room.graders
    cells = [{"row": room.row, "line": room.lines[line], "mark": 7} for line in (4, 5)]
    answer = changed(first.post(f"{room.path}/cells?mode=each", {"cells": cells}))
    assert (answer.json["accepted"], answer.faults) == (1, [("unknown_field", "/cells/1/mark")])
    cells = [{"row": room.row, "line": room.lines[4], "mark": -1}]
    answer = second.post(f"{room.path}/cells", {"cells": cells})
    assert refusal(answer) == (422, ("grade_out_of_range", "/cells/0/mark"))
    changed(second.post(f"{room.path}/cells", {"cells": [cells[0] | {"mark": 7}]}))
    assert cell(room)["value"] == "7"


def test_a_class_may_say_that_the_first_mark_is_seen(room):
    first, second = room.graders
    changed(room.enter(4, by=first, mark="6.7301"))
    marking(room, BLIND | {"open": True})
    assert cell(room, second)["marks"][0]["value"] == "6.7301"
    marking(room, "single")
    assert "6.7301" not in everything(room, second)
    changed(room.enter(4, value=9))
    assert cell(room) == "9"


def test_a_change_of_the_way_of_marking_is_undone(room):
    first, second = room.graders
    changed(room.enter(4, by=first, mark=7))
    version = marking(room, "single").json["v"]
    changed(room.teacher.post(f"{room.path}/undo", {"v": version}))
    changed(room.enter(4, by=second, mark=8))
    assert cell(room)["value"] == "7.5"


def test_what_is_no_way_of_marking_is_refused(room):
    step = {"op": "patch", "line": room.lines[4], "marking": BLIND | {"tolerance": "-1"}}
    answer = room.teacher.post(f"{room.path}/changes", {"changes": [step]})
    assert refusal(answer) == (422, ("out_of_range", "/changes/0/marking/tolerance"))
    step = {"op": "patch", "line": room.lines[1], "marking": BLIND}
    answer = room.teacher.post(f"{room.path}/changes", {"changes": [step]})
    assert refusal(answer) == (422, ("marking_misplaced", f"/lines/{room.lines[1]}/marking"))
