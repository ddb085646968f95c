"""Groups of students in sets, and graders who read and mark the students of their groups alone."""

import pytest
from classroom import CONFIG, Room

import gradecast
from client import changed
from live import Live

FINAL, LAB = 3, 4


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    server = gradecast.Server(tmp_path_factory.mktemp("groups"), config=CONFIG).start()
    yield server
    assert server.stop() == 0, server.output()


@pytest.fixture
def room(server):
    """A class of two students in two labs, and a grader of the first lab."""
    room = Room(server)
    other = server.api().sign_up()
    room.registrar.makes_member(other, room.college, "student", [])
    answer = room.teacher.post(f"{room.path}/enrolments", {"student": other.account["id"]})
    room.other_row = changed(answer, 201).json["enrolment"]["id"]
    room.monday, room.tuesday = (new_group(room, title) for title in ("Monday", "Tuesday"))
    move(room, room.monday, join=[room.row])
    move(room, room.tuesday, join=[room.other_row])
    results = {room.row: 7, room.other_row: 3}
    cells = [{"row": row, "line": room.lines[LAB], "value": value} for row, value in results.items()]
    changed(room.teacher.post(f"{room.path}/cells", {"cells": cells}))
    room.grader = server.api().sign_up()
    room.registrar.makes_member(room.grader, room.college, "teacher", [room.program])
    appoint(room, room.grader, groups=[room.monday])
    return room


def appoint(room, person, **more):
    member = {"account": person.account["id"], "role": "grader", **more}
    return changed(room.teacher.post(f"{room.path}/staff", member))


def new_group(room, title):
    answer = room.teacher.post(f"{room.path}/groups", {"set": "Labs", "title": title})
    return changed(answer, 201).json["group"]["id"]


def move(room, group, **members):
    return changed(room.teacher.post(f"{room.path}/groups/{group}/members", members))


def rows(room, by, group=None, **query):
    asked = "&".join([*([f"group={group}"] if group else []), *(f"{name}={value}" for name, value in query.items())])
    return by.get(f"{room.path}/rows?{asked}")


def test_a_teacher_sees_groups_and_the_rows_of_one(room):
    taught = room.teacher.get(room.path).json["class"]
    assert [(group["set"], group["title"]) for group in taught["groups"]] == [("Labs", "Monday"), ("Labs", "Tuesday")]
    everyone = {row["id"]: row["groups"] for row in rows(room, room.teacher).json["rows"]}
    assert everyone == {room.row: [room.monday], room.other_row: [room.tuesday]}
    assert [row["id"] for row in rows(room, room.teacher, room.tuesday).json["rows"]] == [room.other_row]
    assert rows(room, room.teacher, "no").status == 404
    counted = room.teacher.get(f"{room.path}/statistics?group={room.monday}").json
    assert (counted["students"], counted["columns"][1]["numbers"]["mean"]) == (1, "7.00")
    assert room.teacher.get(f"{room.path}/statistics").json["students"] == 2
    file = room.teacher.get(f"{room.path}/export?group={room.monday}").body.decode()
    assert room.row in file and room.other_row not in file
    version = move(room, room.tuesday, join=[room.row]).json["group"]["v"]
    changed(room.teacher.post(f"{room.path}/undo", {"v": version}))
    assert [row["id"] for row in rows(room, room.teacher, room.monday).json["rows"]] == [room.row]


def test_a_grader_of_a_group_reads_nothing_of_other_students(room):
    grader, other = room.grader, f"{room.path}/rows/{room.other_row}"
    assert [row["id"] for row in rows(room, grader, room.monday).json["rows"]] == [room.row]
    assert grader.get(f"{room.path}/ledger").status == 403
    for path in ("rows", "statistics", "export"):
        for asked in (path, f"{path}?group={room.tuesday}"):
            assert grader.get(f"{room.path}/{asked}").status == 403, asked
    for path in (other, f"{other}/history", f"{other}/comments"):
        assert grader.get(path).status == 404, path
    assert grader.post(f"{other}/preview", {"cells": {}}).status == 404
    own = f"{room.path}/rows/{room.row}"
    for path in (own, f"{own}/history", f"{own}/comments"):
        assert grader.get(path).status == 200, path
    for end in ("", "/corrections", f"/marking/{room.lines[LAB]}"):
        assert grader.get(room.path + end).status == 200, end
    assert grader.get(f"{room.path}/statistics?group={room.monday}").json["students"] == 1
    step = {"op": "patch", "line": room.lines[FINAL], "marking": "anonymous"}
    changed(room.teacher.post(f"{room.path}/changes", {"changes": [step]}))
    # Codes do not tell groups.
    assert grader.get(f"{room.path}/marking/{room.lines[FINAL]}").status == 403
    code = room.teacher.get(f"{room.path}/marking/{room.lines[FINAL]}").json["codes"][0]["code"]
    answer = grader.post(f"{room.path}/marking/{room.lines[FINAL]}", {"cells": [{"code": code, "value": 1}]})
    assert answer.faults == [("row_not_assigned", "/line")]


def test_a_grader_of_a_group_enters_nothing_for_other_students(room):
    cells = [{"row": row, "line": room.lines[LAB], "value": 9} for row in (room.row, room.other_row)]
    answer = changed(room.grader.post(f"{room.path}/cells?mode=each", {"cells": cells}))
    assert (answer.json["accepted"], answer.faults) == (1, [("row_not_assigned", "/cells/1/row")])
    # Not even whether it is another result is told.
    cells[1]["was"] = {"value": 8}
    assert room.grader.post(f"{room.path}/cells", {"cells": cells[1:]}).faults == [("row_not_assigned", "/cells/0/row")]
    comment = {"line": room.lines[LAB], "for": "staff", "text": "Page 4"}
    answer = room.grader.post(f"{room.path}/rows/{room.other_row}/comments", comment)
    assert answer.faults == [("row_not_assigned", "/row")]
    assert room.grader.post(f"{room.path}/groups", {"set": "Labs", "title": "Friday"}).status == 403


def test_a_grader_neither_holds_a_result_back_nor_shows_one(room):
    changed(room.enter(FINAL, value=80, held=True))
    for held in (True, False):
        assert room.enter(FINAL, by=room.grader, held=held).status == 403, held
    changed(room.enter(FINAL, by=room.grader, value=81))
    (row,) = rows(room, room.teacher, room.monday).json["rows"]
    assert row["cells"][room.column(FINAL)] == {"value": "81", "posted": False, "held": True}


def test_a_grader_follows_the_rows_of_a_group_and_hears_who_leaves_it(room):
    name = room.path.rsplit("/", 1)[-1]
    live = Live(room.server, room.grader.token)
    for topic in (f"grid/{name}", f"grid/{name}/{room.tuesday}", f"grid/{name}/no"):
        live.send({"t": "sub", "topic": topic})
        assert live.next("error")["code"] == "forbidden"
    live.send({"t": "sub", "topic": f"grid/{name}/{room.monday}"})
    assert [row["id"] for row in live.next("rows")["rows"]] == [room.row]
    changed(room.enter(LAB, value=8))
    [row] = live.next("rows")["rows"]
    assert (row["id"], row["cells"][room.column(LAB)]) == (room.row, "8")
    # What happens elsewhere raises the version, and tells nothing.
    cells = [{"row": room.other_row, "line": room.lines[LAB], "value": 1}]
    changed(room.teacher.post(f"{room.path}/cells", {"cells": cells}))
    heard = live.next("rows")
    assert heard["rows"] == []
    held = f"{heard['e']}.{heard['v']}"
    move(room, room.tuesday, join=[room.row])
    [row] = live.next("rows")["rows"]
    assert row == {"id": room.row, "v": heard["v"] + 1, "s": row["s"], "gone": True}
    assert rows(room, room.grader, room.monday, since=held).json["rows"] == [row]
    appoint(room, room.grader, groups=[room.tuesday])
    # The version of the class may be told first.
    while (message := live.receive())["t"] == "rows":
        assert message["rows"] == []
    assert (message["t"], message["why"]) == ("end", "revoked")
    assert rows(room, room.grader, room.monday).status == 403
    live.close()


def test_a_group_stays_while_a_grader_is_limited_to_it(room):
    path = f"{room.path}/groups/{room.monday}"
    assert room.teacher.delete(path).faults == [("group_in_use", "")]
    appoint(room, room.grader)
    changed(room.teacher.delete(path))
    assert room.teacher.delete(path).status == 404
    assert "groups" not in rows(room, room.teacher).json["rows"][0]
