"""Anonymous marking: graders enter results under codes, and nothing ties a code to a student before it is revealed."""

import json

import pytest
from classroom import CONFIG, Room, administrator_of

import gradecast
from client import changed
from live import Live
from programs import until

FINAL = 3


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    server = gradecast.Server(tmp_path_factory.mktemp("anonymous"), config=CONFIG).start()
    yield server
    assert server.stop() == 0, server.output()


@pytest.fixture
def room(server):
    """A class of two students with results in the labs, whose final is marked anonymously."""
    room = Room(server)
    room.other = server.api().sign_up()
    room.registrar.makes_member(room.other, room.college, "student", [])
    answer = room.teacher.post(f"{room.path}/enrolments", {"student": room.other.account["id"]})
    room.other_row = changed(answer, 201).json["enrolment"]["id"]
    room.people = {room.row: room.student, room.other_row: room.other}
    cells = [{"row": row, "line": room.lines[line], "value": 7} for row in room.people for line in (4, 5)]
    changed(room.teacher.post(f"{room.path}/cells", {"cells": cells}))
    step = {"op": "patch", "line": room.lines[FINAL], "marking": "anonymous"}
    changed(room.teacher.post(f"{room.path}/changes", {"changes": [step]}))
    room.marking = f"{room.path}/marking/{room.lines[FINAL]}"
    return room


def codes(room, by=None):
    return [item["code"] for item in (by or room.teacher).get(room.marking).json["codes"]]


def own_code(person, row, room):
    return person.get(f"/v1/rows/{row}").json["lines"][room.lines[FINAL]]["code"]


def enter(room, code, value, by=None, **more):
    return (by or room.teacher).post(room.marking, {"cells": [{"code": code, "value": value, **more}]})


def all_of_staff(room, by):
    """All that a member of the staff may read of the class but the list of codes, in one text."""
    paths = [room.path, *(f"{room.path}/{end}" for end in ("rows", "statistics", "export", "corrections"))]
    for row in room.people:
        paths += [f"{room.path}/rows/{row}{end}" for end in ("", "/history", "/comments")]
    paths += [f"/v1/records/{room.record}{end}" for end in ("", "/standing", "/history")]
    # The list of one's work tells when one last did something, and no more.
    paths += ["/v1/feed", f"/v1/search?q={own_code(room.student, room.row, room)}"]
    return "\n".join(by.get(path).body.decode() for path in paths)


def refusal(answer):
    return answer.status, answer.faults[0]


def test_nobody_marks_the_own_work(room):
    own, other = (own_code(person, row, room) for row, person in room.people.items())
    administrator_of(room.server).makes_member(room.student, room.college, "registrar", [])
    assert refusal(enter(room, own, 100, by=room.student)) == (422, ("about_oneself", "/cells/0/code"))
    changed(enter(room, other, 80, by=room.student))
    changed(enter(room, own, 70))


def test_results_are_entered_under_codes_and_revealed_in_one_act(room):
    by_row = {row: own_code(person, row, room) for row, person in room.people.items()}
    known = codes(room)
    assert known == sorted(known)
    assert (len(known), len(set(known))) == (20, 20)
    assert set(by_row.values()) < set(known)
    for value, row in enumerate(room.people, start=70):
        changed(enter(room, by_row[row], value))
    changed(room.teacher.post(f"{room.path}/reveal", {"line": room.lines[FINAL]}))
    column = room.column(FINAL)
    rows = {row["id"]: row["cells"][column] for row in room.teacher.get(f"{room.path}/rows").json["rows"]}
    assert rows == {row: str(value) for value, row in enumerate(room.people, start=70)}
    [line] = room.teacher.get(f"{room.path}/rows/{room.row}/history?limit=1").json["items"]
    assert (line["operation"], line["after"]["code"]) == ("reveal", by_row[room.row])
    again = room.teacher.post(f"{room.path}/reveal", {"line": room.lines[FINAL]})
    assert refusal(again) == (422, ("not_anonymous", "/line"))
    version = room.teacher.get(room.path).json["class"]["v"]
    assert refusal(room.teacher.post(f"{room.path}/undo", {"v": version}))[1][0] == "nothing_to_undo"


def test_nothing_that_staff_read_or_hear_changes_with_a_result_under_a_code(room):
    code = own_code(room.student, room.row, room)
    grid = Live(room.server, room.teacher.token)
    grid.send({"t": "sub", "topic": f"grid/{room.path.rsplit('/', 1)[-1]}"})
    first = grid.next("rows")
    own = room.student.get(f"/v1/rows/{room.row}")
    # What made the teacher one is told a little later.
    until(lambda: room.teacher.get("/v1/feed").json["items"], bool)
    before = all_of_staff(room, room.teacher)
    version = room.teacher.get(room.path).json["class"]["v"]
    changed(enter(room, code, 81))
    heard = grid.next("rows")
    grid.close()
    assert (heard["rows"], heard["v"]) == ([], version + 1)
    after = all_of_staff(room, room.teacher)
    # The class counts its acts; nothing else is another.
    new, old = f'"v":{version + 1}', f'"v":{version}'
    assert after.replace(new, old) == before.replace(new, old)
    for text in (after, json.dumps(first), json.dumps(heard)):
        assert code not in text.replace(f"q={code}", "")
    now = room.student.get(f"/v1/rows/{room.row}")
    assert (now.headers["ETag"], now.body) == (own.headers["ETag"], own.body)
    [line] = room.teacher.get(f"{room.path}/ledger?limit=1").json["items"]
    assert (line["operation"], line["enrolment"]) == ("marking", None)
    assert list(line["after"]["codes"]) == [code]
    people = [*room.people, *(person.account["id"] for person in room.people.values()), room.record, room.entry]
    assert not [name for name in people if name in json.dumps(line)]
    assert not [name for name in people if name in room.teacher.get(room.marking).body.decode()]


def test_no_code_is_learned_by_changing_who_is_in_the_class(room):
    before = codes(room)
    newcomer = room.server.api().sign_up()
    room.registrar.makes_member(newcomer, room.college, "student", [])
    answer = room.teacher.post(f"{room.path}/enrolments", {"student": newcomer.account["id"]})
    row = changed(answer, 201).json["enrolment"]["id"]
    assert codes(room) == before
    changed(enter(room, own_code(newcomer, row, room), 50))
    marked = room.teacher.get(room.marking).body
    changed(room.teacher.delete(f"{room.path}/enrolments/{row}"))
    assert codes(room) == before
    changed(newcomer.delete("/v1/accounts/me"), 204)
    assert json.loads(room.teacher.get(room.marking).body)["codes"] == json.loads(marked)["codes"]
    changed(room.teacher.post(f"{room.path}/reveal", {"line": room.lines[FINAL]}))
    assert "50" not in [cell for item in room.teacher.get(f"{room.path}/rows").json["rows"] for cell in item["cells"]]


def test_nothing_is_entered_tried_or_written_by_the_names_of_students(room):
    assert refusal(room.enter(FINAL, value=70)) == (422, ("anonymous_line", f"/cells/{room.lines[FINAL]}/line"))
    cells = [{"row": room.row, "line": room.lines[line], "value": 8} for line in (FINAL, 4)]
    answer = changed(room.teacher.post(f"{room.path}/cells?mode=each", {"cells": cells}))
    assert (answer.json["accepted"], answer.faults) == (1, [("anonymous_line", "/cells/0/line")])
    comment = {"line": room.lines[FINAL], "for": "staff", "text": "Ada's"}
    answer = room.teacher.post(f"{room.path}/rows/{room.row}/comments", comment)
    assert refusal(answer)[1] == ("anonymous_line", "/line")
    for marking in ("single", {"mode": "double"}):
        body = {"changes": [{"op": "patch", "line": room.lines[FINAL], "marking": marking}]}
        for path in ("changes", "rehearsals"):
            assert refusal(room.teacher.post(f"{room.path}/{path}", body))[1][0] == "anonymous_line"
    assert refusal(room.teacher.patch(room.path, {"state": "closed"}))[1] == ("anonymous_line", "/state")
    made = room.teacher.get(room.path).json["class"]["v"]
    step = {"op": "patch", "line": room.lines[4], "marking": "anonymous"}
    assert refusal(room.teacher.post(f"{room.path}/changes", {"changes": [step]}))[1][0] == "line_has_results"
    assert room.teacher.get(room.path).json["class"]["v"] == made


def test_what_is_wrong_with_work_under_a_code_is_said_at_its_place(room):
    code = codes(room)[0]
    assert refusal(enter(room, "00000-00000", 1)) == (422, ("code_unknown", "/cells/0/code"))
    assert refusal(enter(room, code, -1)) == (422, ("grade_out_of_range", "/cells/0/value"))
    assert refusal(enter(room, code, 1, held=True)) == (422, ("unknown_field", "/cells/0/held"))
    changed(enter(room, code, 60))
    answer = enter(room, code, 61, was={"value": None})
    assert (answer.status, answer.json["code"]) == (409, "cell_conflict")
    assert room.row not in answer.body.decode()
    changed(enter(room, code, 61, was={"value": 60}))
    answer = room.teacher.post(f"{room.path}/marking/{room.lines[4]}", {"cells": []})
    assert refusal(answer) == (422, ("not_anonymous", "/line"))
    cells = [{"code": code, "value": 1}] * 2001
    assert refusal(room.teacher.post(room.marking, {"cells": cells}))[1] == ("entry_limit", "/cells")


def test_graders_mark_in_their_lines_and_reveal_nothing(room):
    graders = []
    for line in (FINAL, 4):
        grader = room.server.api().sign_up()
        room.registrar.makes_member(grader, room.college, "teacher", [room.program])
        member = {"account": grader.account["id"], "role": "grader", "lines": [room.lines[line]]}
        changed(room.teacher.post(f"{room.path}/staff", member))
        graders.append(grader)
    code = codes(room, graders[0])[0]
    changed(enter(room, code, 60, by=graders[0]))
    assert refusal(enter(room, code, 61, by=graders[1])) == (422, ("line_not_assigned", "/line"))
    assert graders[0].post(f"{room.path}/reveal", {"line": room.lines[FINAL]}).status == 403
    assert room.student.get(room.marking).status == 404
    assert enter(room, code, 99, by=room.student).status == 404
