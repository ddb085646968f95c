"""Who teaches a class in which they are a student decides nothing about themselves."""

import pytest

import gradecast
from classroom import CONFIG, Room, administrator_of
from client import changed
from services import access, new_secret, new_service


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    server = gradecast.Server(tmp_path_factory.mktemp("oneself"), config=CONFIG).start()
    yield server
    assert server.stop() == 0, server.output()


@pytest.fixture
def own(server):
    """A class whose student became its teacher."""
    room = Room(server)
    changed(room.enter(4, value=7))
    administrator_of(server).makes_member(room.student, room.college, "registrar", [])
    changed(room.teacher.post(f"{room.path}/staff", {"account": room.student.account["id"], "role": "teacher"}))
    return room


def test_a_student_who_teaches_the_class_decides_nothing_about_the_own_row(own):
    me = own.student
    cells = [{"row": own.row, "line": own.lines[4], "value": 10}]
    totals = {"rows": [{"row": own.row, "figures": {"grade": "95"}}], "reason": "Oral examination"}
    enrolment = f"{own.path}/enrolments/{own.row}"
    refused = {
        "/cells/" + own.lines[4] + "/row": own.enter(4, by=me, value=10),
        "/cells/0/row": me.post(f"{own.path}/cells", {"cells": cells}),
        "/rows/0/row": me.post(f"{own.path}/override", totals),
        "/enrolment": me.delete(f"{enrolment}?keep=withdrawn"),
        "/row": me.patch(enrolment, {"section": None}),
    }
    for path, answer in refused.items():
        assert (answer.status, answer.faults) == (422, [("about_oneself", path)])
    assert own.enter(4, by=me, held=True).faults == [("about_oneself", f"/cells/{own.lines[4]}/row")]
    entered = changed(own.enter(4, value=2)).json["v"]
    undone = changed(me.post(f"{own.path}/undo", {"v": entered})).json
    assert [(fault["code"], fault["path"]) for fault in undone["faults"]] == [
        ("about_oneself", f"/rows/{own.row}/{own.lines[4]}")
    ]
    changed(own.enter(4, value=9))


def test_nor_does_a_service_account_of_the_students_own(own):
    scopes = ["classes:read", "classes:write", "roster:write", "given:write"]
    account = new_service(own.student, own.college, scopes=scopes)
    service = access(own.server, account, new_secret(own.student, account)["secret"])
    refused = own.enter(4, by=service, value=10)
    assert (refused.status, refused.faults) == (422, [("about_oneself", f"/cells/{own.lines[4]}/row")])
    assert service.delete(f"{own.path}/enrolments/{own.row}?keep=true").faults == [("about_oneself", "/enrolment")]
    # One that somebody else made may.
    account = new_service(own.registrar, own.college, scopes=scopes)
    changed(own.enter(4, by=access(own.server, account, new_secret(own.registrar, account)["secret"]), value=9))
