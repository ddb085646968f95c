"""Statistics of a class over HTTP, against the same numbers computed by Python from the rows."""

import random
import statistics
from fractions import Fraction

import pytest

import gradecast
from classroom import CONFIG, Room
from client import changed

FINAL, LAB, QUIET = 3, 4, 5


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    server = gradecast.Server(tmp_path_factory.mktemp("statistics"), config=CONFIG).start()
    yield server
    assert server.stop() == 0, server.output()


@pytest.fixture
def room(server):
    return Room(server)


def joined(room, count):
    """The enrolments of the student who is there and of `count` others."""
    rows = [room.row]
    for _ in range(count):
        student = room.server.api().sign_up()
        room.registrar.makes_member(student, room.college, "student", [])
        answer = room.teacher.post(f"{room.path}/enrolments", {"student": student.account["id"]})
        rows.append(changed(answer, 201).json["enrolment"]["id"])
    return rows


def found(room, by=None):
    answer = (by or room.teacher).get(f"{room.path}/statistics")
    assert answer.status == 200, answer.json
    return answer.json


def column(room, line):
    return next(item for item in found(room)["columns"] if item["line"] == room.lines[line])


def rounded(value):
    """Two decimals, half up."""
    cents = (abs(value) * 100 + Fraction(1, 2)) // 1
    return f"{'-' if value < 0 else ''}{cents // 100}.{cents % 100:02}"


def check(numbers, values):
    values = sorted(Fraction(value) for value in values)
    assert numbers["mean"] == rounded(statistics.mean(values))
    assert numbers["median"] == rounded(statistics.median(values))
    if len(values) > 1:
        quartiles = statistics.quantiles(values, n=4, method="inclusive")
        assert [numbers["lowerQuartile"], numbers["upperQuartile"]] == [rounded(quartiles[0]), rounded(quartiles[2])]
    assert [Fraction(numbers["least"]), Fraction(numbers["greatest"])] == [values[0], values[-1]]
    assert 1 <= len(numbers["bars"]) <= 20
    assert sum(bar["count"] for bar in numbers["bars"]) == len(values)
    last = max(Fraction(bar["to"]) for bar in numbers["bars"] if bar["to"] is not None)
    for bar in numbers["bars"]:
        low = None if bar["from"] is None else Fraction(bar["from"])
        high = None if bar["to"] is None else Fraction(bar["to"])
        inside = [
            value
            for value in values
            if (
                value < high
                if low is None
                else value > low
                if high is None
                else low <= value < high or value == high == last
            )
        ]
        assert bar["count"] == len(inside), bar


def test_they_are_those_of_the_rows(room):
    rows = joined(room, 7)
    chance = random.Random(14)
    cells = [
        {"row": row, "line": room.lines[line], "value": chance.randint(0, most * 100) / 100}
        for row in rows
        for line, most in ((FINAL, 100), (LAB, 10))
    ]
    changed(room.teacher.post(f"{room.path}/cells", {"cells": cells}))
    grid = room.teacher.get(f"{room.path}/rows").json["rows"]
    body = found(room)
    assert body["students"] == len(rows) and body["v"] == room.teacher.get(room.path).json["class"]["v"]
    for place, item in enumerate(body["columns"]):
        values = [row["cells"][place] for row in grid if row["cells"][place] is not None]
        assert (item["count"], item["without"]) == (len(values), len(rows) - len(values))
        if values:
            check(item["numbers"], values)
        else:
            assert item["numbers"] is None
    (grade,) = [figure for figure in body["figures"] if figure["name"] == "grade"]
    shown = [row["figures"]["grade"] for row in grid]
    check(grade["numbers"], [display for display, _ in shown])
    assert {item["letter"]: item["count"] for item in grade["letters"] if item["count"]} == {
        letter: sum(other == letter for _, other in shown) for _, letter in shown
    }


def test_what_is_excused_is_no_result_and_who_has_left_is_not_counted(room):
    first, second, third = joined(room, 2)
    cells = [
        {"row": row, "line": room.lines[LAB], "value": value} for row, value in ((first, 4), (second, 6), (third, 9))
    ]
    changed(room.teacher.post(f"{room.path}/cells", {"cells": cells}))
    excused = {"cells": {room.lines[LAB]: {"status": "excused"}}}
    changed(room.teacher.patch(f"{room.path}/rows/{second}", excused))
    item = column(room, LAB)
    assert (item["count"], item["without"], item["statuses"]) == (2, 1, {"excused": 1})
    check(item["numbers"], ["4", "9"])
    changed(room.teacher.delete(f"{room.path}/enrolments/{third}"))
    item = column(room, LAB)
    assert (item["count"], item["without"], item["numbers"]["greatest"]) == (1, 1, "4")
    assert found(room)["students"] == 2


def test_staff_see_what_students_do_not_see_yet(room):
    changed(room.enter(QUIET, value=3))
    assert column(room, QUIET)["numbers"]["mean"] == "3.00"


def test_a_client_that_has_the_newest_is_answered_304(room):
    changed(room.enter(LAB, value=3))
    answer = room.teacher.get(f"{room.path}/statistics")
    tag = answer.etag
    assert tag == room.teacher.get(f"{room.path}/rows").etag
    assert room.teacher.get(f"{room.path}/statistics", if_none_match=tag).status == 304
    changed(room.enter(LAB, value=4))
    newer = room.teacher.get(f"{room.path}/statistics", if_none_match=tag)
    assert newer.status == 200 and newer.etag != tag


def test_a_class_without_students_or_lines_has_statistics_without_numbers(room):
    changed(room.teacher.delete(f"{room.path}/enrolments/{room.row}"))
    assert {item["count"] for item in found(room)["columns"]} == {0}
    steps = [{"op": "delete", "line": room.lines[line]} for line in (1, 2)]
    changed(room.teacher.post(f"{room.path}/changes", {"changes": steps}))
    body = found(room)
    assert body["columns"] == [] and body["students"] == 0
    assert all(figure["numbers"] is None for figure in body["figures"])


def test_who_may_not_read_the_grid_reads_no_statistics(room):
    for stranger in (room.student, room.server.api().sign_up()):
        assert stranger.get(f"{room.path}/statistics").status == 404
    assert room.server.api().get(f"{room.path}/statistics").status == 401
    assert found(room, room.registrar)["students"] == 1
