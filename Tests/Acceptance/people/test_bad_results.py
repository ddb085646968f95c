"""Bad input to a class: each is a clear fault in its cell, and enters nothing."""

import pytest
from programs import until

import gradecast
from classroom import CONFIG, COURSE, LINES, Room
from client import changed

STRICT = {"scheme": "rose-hulman", "title": "Strict", "entry": "both", "configuration": {"extraCredit": False}}
MOST = 20_000


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    server = gradecast.Server(tmp_path_factory.mktemp("bad"), config=CONFIG).start()
    yield server
    assert server.stop() == 0, server.output()


@pytest.fixture(scope="module")
def room(server):
    room = Room(server)
    changed(room.enter(4, value=7))
    return room


@pytest.fixture
def whole(room):
    """Nothing of the class is another one after the test."""
    before = room.teacher.get(f"{room.path}/rows").body
    yield room
    assert room.teacher.get(f"{room.path}/rows").body == before


def entered(room, cells, mode="all"):
    return room.teacher.post(f"{room.path}/cells?mode={mode}", {"cells": cells})


def refusal(answer):
    return answer.status, answer.faults


def another_class(room, program=None):
    """A class of the same teacher with the same student: its path, its lines, and the row."""
    body = {"title": "Logic", "root": "course", "fields": COURSE | {"title": "Logic"}, "lines": LINES}
    made = changed(room.teacher.post(f"/v1/programs/{program or room.program}/classes", body), 201).json["class"]
    path = f"/v1/classes/{made['id']}"
    answer = room.teacher.post(f"{path}/enrolments", {"student": room.student.account["id"]})
    lines = [line["id"] for line in sorted(made["structure"]["lines"], key=lambda line: line["number"])]
    return path, lines, changed(answer, 201).json["enrolment"]["id"]


def test_a_paste_of_one_cell_too_many_is_refused_whole(whole):
    cell = {"row": whole.row, "line": whole.lines[4], "value": 8}
    for mode in ("all", "each"):
        assert refusal(entered(whole, [cell] * (MOST + 1), mode)) == (422, [("entry_limit", "/cells")])


def test_a_student_of_another_class_is_unknown_at_the_cell(whole):
    path, lines, row = another_class(whole)
    cells = [{"row": row, "line": whole.lines[4], "value": 8}, {"row": whole.row, "line": lines[4], "value": 8}]
    found = [("enrolment_unknown", "/cells/0/row"), ("line_unknown", "/cells/1/line")]
    assert refusal(entered(whole, cells)) == (422, found)
    assert changed(entered(whole, cells, "each")).faults == found
    assert whole.teacher.patch(f"{whole.path}/rows/{row}", {"cells": {whole.lines[4]: {"value": 8}}}).status == 404


NO_NUMBERS = ["=1+1", "=HYPERLINK(0)", "+cmd", "@SUM(1)", "1e400", "NaN", "A", "", [1], {"a": 1}, True]


@pytest.mark.parametrize("value", NO_NUMBERS)
def test_what_is_no_number_is_refused_in_its_cell(whole, value):
    status, [(code, path)] = refusal(whole.enter(4, value=value))
    assert (status, path) == (422, f"/cells/{whole.lines[4]}/value")
    assert code in ("not_a_number", "wrong_type")


def test_a_result_above_the_maximum_is_refused_where_the_rules_know_no_extra_credit(room):
    answer = room.registrar.post(f"/v1/institutions/{room.college}/programs", STRICT)
    program = changed(answer, 201).json["program"]["id"]
    rehearsal = changed(room.registrar.post(f"/v1/programs/{program}/rehearsals"), 202).json["rehearsal"]["id"]
    done = until(
        lambda: room.registrar.get(f"/v1/programs/{program}/rehearsals/{rehearsal}").json["rehearsal"],
        lambda found: found["state"] == "done",
    )
    changed(room.registrar.post(f"/v1/programs/{program}/publish", {"digest": done["digest"]}))
    room.registrar.makes_member(room.teacher, room.college, "teacher", [room.program, program])
    path, lines, row = another_class(room, program)
    cells = {lines[3]: {"value": 100}, lines[4]: {"value": "10.01"}}
    assert refusal(room.teacher.patch(f"{path}/rows/{row}", {"cells": cells})) == (
        422,
        [("grade_out_of_range", f"/cells/{lines[4]}")],
    )


def test_a_closed_class_takes_nothing(room):
    path, lines, row = another_class(room)
    changed(room.teacher.patch(path, {"state": "closed"}))
    for answer in (
        room.teacher.patch(f"{path}/rows/{row}", {"cells": {lines[4]: {"value": 8}}}),
        room.teacher.post(f"{path}/cells?mode=each", {"cells": [{"row": row, "line": lines[4], "value": 8}]}),
    ):
        assert refusal(answer) == (422, [("class_closed", "")])
