"""Records with rows of classes move to a new version of their program, and the rows with them."""

import threading

import pytest
from programs import Program

import gradecast
from classroom import CONFIG, Room
from client import changed


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    server = gradecast.Server(tmp_path_factory.mktemp("moves"), config=CONFIG).start()
    yield server
    assert server.stop() == 0, server.output()


@pytest.fixture
def room(server):
    """A class in which one student has 84.5. Its program has two decimals, whatever earlier tests made of it."""
    room = Room(server)
    republish(program(room), 2, records="move_closed")
    for line, value in ((3, 84.5), (4, 8.45)):
        changed(room.enter(line, value=value))
    return room


def program(room):
    return Program.of(room.registrar, room.program)


def republish(program, scale, records="move"):
    """Publishes rules by which grades have so many decimals; the rehearsal and the move, once it has ended."""
    changed(program.edit(configuration={"grade": {"scale": scale}}))
    rehearsal = program.rehearse()
    changed(program.publish(rehearsal["digest"], records=records))
    return rehearsal, program.moved()


def version(room):
    return room.registrar.get(f"/v1/records/{room.record}/standing").json["programVersion"]


def test_a_record_moves_with_the_rows_of_its_classes_and_all_who_follow_hear_of_it(room, live):
    before = version(room)
    row, grid = live(room.student.token), live(room.teacher.token)
    first = row.subscribe(f"row/{room.row}")["doc"]["standing"]["entries"][room.entry]
    assert first["figures"]["grade"]["display"] == "84.50"
    grid.subscribe("grid/" + room.path.rpartition("/")[2])
    rehearsal, move = republish(program(room), 0)
    counts = rehearsal["counts"]
    assert (counts["refused"], counts["closed"]) == (0, 0) and counts["figures"] > 0
    assert (move["refused"], move["refusals"], move["changed"]) == (0, [], move["total"])
    assert version(room) > before
    assert (room.grade(room.registrar), room.grade(room.student)) == ("85", "85")
    after = row.next("state")["doc"]["standing"]["entries"][room.entry]
    assert after["figures"]["grade"]["display"] == "85"
    grid.next("rows")
    figures = room.teacher.get(f"{room.path}/rows").json["rows"][0]["figures"]
    assert figures["grade"] == ["85", "B+"]
    ledger = room.teacher.get(f"{room.path}/ledger").json["items"][0]
    assert (ledger["operation"], ledger["enrolment"]) == ("move", room.row)
    assert ledger["after"] == {"programVersion": version(room)}
    answer = room.teacher.post(f"{room.path}/undo", {"v": ledger["v"]})
    assert answer.status == 422 and answer.faults == [("nothing_to_undo", "")]


def test_a_closed_class_keeps_its_records_until_the_registrar_says_otherwise(room):
    changed(room.teacher.patch(room.path, {"state": "closed"}))
    before = version(room)
    rehearsal, move = republish(program(room), 1)
    assert rehearsal["counts"]["closed"] == 1
    rows = [row for row in program(room).changes(rehearsal) if row["record"] == room.record]
    assert [(row["path"][1:], row["before"], row["after"]) for row in rows if row.get("closed")] == [
        ([], "84.50", "84.5"), (["exams"], "84.50", "84.5"), (["labs"], "84.50", "84.5")
    ]  # fmt: skip
    assert all(row.get("closed") or row["path"] == [] for row in rows)
    assert (move["refused"], version(room), room.grade(room.student)) == (1, before, "84.50")
    [refusal] = move["refusals"]
    assert (refusal["code"], refusal["count"]) == ("class_closed", 1)
    assert refusal["records"] == [
        {"record": room.record, "account": room.student.account["id"], "displayName": "Person"}
    ]
    _, move = republish(program(room), 0, records="move_closed")
    assert (move["refused"], move["closed"]) == (0, True)
    assert room.grade(room.student) == "85"


def test_records_move_while_their_teacher_goes_on_grading(room):
    for _ in range(60):
        student = room.server.api().sign_up()
        room.registrar.makes_member(student, room.college, "student", [])
        changed(room.teacher.post(f"{room.path}/enrolments", {"student": student.account["id"]}), 201)
    rows = [row["id"] for row in room.teacher.get(f"{room.path}/rows").json["rows"]]
    moved, values = threading.Event(), {}

    def grade():
        number = 0
        while not moved.is_set():
            row, number = rows[number % len(rows)], number + 1
            cells = {room.lines[3]: {"value": number % 100}}
            changed(room.teacher.patch(f"{room.path}/rows/{row}", {"cells": cells}))
            values[row] = number % 100

    teacher = threading.Thread(target=grade)
    teacher.start()
    try:
        _, move = republish(program(room), 2, records="move_closed")
    finally:
        moved.set()
        teacher.join()
    assert (move["refused"], move["changed"]) == (0, move["total"])
    column = room.column(3)
    for row in room.teacher.get(f"{room.path}/rows").json["rows"]:
        if row["id"] in values:
            assert row["cells"][column] == str(values[row["id"]])
    assert room.teacher.get(f"{room.path}/rows").json.get("faults", []) == []
