"""Records with rows of classes move to a new version of their program, and the rows with them."""

import concurrent.futures
import contextlib
import itertools
import threading

import pytest
from programs import Program

import gradecast
from classroom import CONFIG, Room
from client import changed, next_page
from gradecast import PATIENCE


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
    return version_of(room, room.record)


def version_of(room, record):
    return room.registrar.get(f"/v1/records/{record}/standing").json["programVersion"]


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


def enrolled(room, count):
    """Enrols so many further students in the class."""
    for _ in range(count):
        student = room.server.api().sign_up()
        room.registrar.makes_member(student, room.college, "student", [])
        changed(room.teacher.post(f"{room.path}/enrolments", {"student": student.account["id"]}), 201)


def rows(room):
    """The rows of a class, page after page."""
    found, path = [], f"{room.path}/rows"
    while path:
        answer = changed(room.teacher.get(path))
        found += answer.json["rows"]
        path = next_page(answer)
    return found


@contextlib.contextmanager
def grading(room, line):
    """Somebody enters one cell after the other while the block runs; yields what was acknowledged, by row."""
    api, places = room.teacher.twin(), [row["id"] for row in rows(room)]
    over, values, begun = threading.Event(), {}, threading.Event()

    def grade():
        for number in itertools.count():
            row, value = places[number % len(places)], number % 100
            changed(api.patch(f"{room.path}/rows/{row}", {"cells": {room.lines[line]: {"value": value}}}))
            values[row] = value
            begun.set()
            if over.is_set():
                return

    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        teacher = pool.submit(grade)
        assert begun.wait(PATIENCE)
        try:
            yield values
        finally:
            over.set()
        teacher.result(PATIENCE)


@pytest.mark.slow("enrols sixty students, so that grading goes on while their records move")
@pytest.mark.parametrize("count", [60, pytest.param(500, marks=pytest.mark.long)])
def test_records_move_while_their_teacher_goes_on_grading(room, server, count):
    enrolled(room, count)
    closed = Room(server)
    enrolled(closed, 2)
    changed(closed.teacher.patch(closed.path, {"state": "closed"}))
    before = version(room)
    with grading(room, 3) as values:
        _, move = republish(program(room), 0)
    moved, column = rows(room), room.column(3)
    assert len(moved) == count + 1
    assert {row["record"]: version_of(room, row["record"]) for row in moved} == {
        row["record"]: before + 1 for row in moved
    }
    # Who stays is told, with the reason.
    [refusal] = [refusal for refusal in move["refusals"] if refusal["code"] == "class_closed"]
    left = {row["record"] for row in rows(closed)}
    assert {record["record"] for record in refusal["records"]} >= left
    assert {version_of(closed, record) for record in left} == {before}
    assert move["refused"] == sum(refusal["count"] for refusal in move["refusals"])
    assert move["changed"] + move["refused"] == move["total"]
    for row in moved:
        if row["id"] in values:
            assert row["cells"][column] == str(values[row["id"]])
    assert room.teacher.get(f"{room.path}/rows").json.get("faults", []) == []
    doctor = gradecast.run("doctor", "--data", server.data)
    assert doctor.returncode == 0, doctor.stdout + doctor.stderr
