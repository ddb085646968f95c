"""Results of a closed class: one person asks for a change, and a second one approves it."""

import pytest

import gradecast
from classroom import CONFIG, Room, administrator_of
from client import changed
from services import access, new_secret, new_service, path_of


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    server = gradecast.Server(tmp_path_factory.mktemp("corrections"), config=CONFIG).start()
    yield server
    assert server.stop() == 0, server.output()


@pytest.fixture
def room(server):
    """A closed class, in which one student has 7 of 10."""
    room = Room(server)
    changed(room.enter(4, value=7))
    changed(room.teacher.patch(room.path, {"state": "closed"}))
    return room


def asked(room, value, by=None, reason="Page 4 was not marked", **cell):
    cells = [{"row": room.row, "line": room.lines[4], "value": value, **cell}]
    return (by or room.teacher).post(f"{room.path}/corrections", {"cells": cells, "reason": reason})


def correction(room, value, by=None):
    """The path of a correction that is asked for."""
    made = changed(asked(room, value, by), 201).json["correction"]
    assert made["state"] == "waiting"
    return f"{room.path}/corrections/{made['id']}"


def cell(room):
    found = room.teacher.get(f"{room.path}/rows").json["rows"][0]["cells"][room.column(4)]
    return found["value"] if isinstance(found, dict) else found


def listed(room, by=None):
    return (by or room.teacher).get(f"{room.path}/corrections").json["items"]


def refusal(answer):
    return answer.status, answer.faults[0][0]


def test_a_second_person_enters_what_the_first_one_asked_for(room):
    path = correction(room, 9)
    assert cell(room) == "7"
    assert room.teacher.get(room.path).json["class"]["corrections"] == 1
    assert room.teacher.post(f"{path}/approve").status == 403
    before = room.grade(room.teacher)
    changed(room.registrar.post(f"{path}/approve"))
    assert cell(room) == "9"
    assert room.grade(room.teacher) != before
    assert room.teacher.get(room.path).json["class"]["corrections"] == 0
    [item] = listed(room)
    assert (item["state"], item["account"], item["decidedBy"]) == (
        "entered",
        room.teacher.account["id"],
        room.registrar.account["id"],
    )
    assert item["cells"][0]["was"] == {"value": 7, "status": None}
    # The ledger has both names, each with its act.
    acts = [
        (line["operation"], line["account"]) for line in room.teacher.get(f"{room.path}/ledger?limit=3").json["items"]
    ]
    assert acts == [
        ("correction", room.registrar.account["id"]),
        ("correction", room.registrar.account["id"]),
        ("correction_asked", room.teacher.account["id"]),
    ]


def test_a_registrar_approves_no_correction_of_the_own(room):
    path = correction(room, 9, by=room.registrar)
    assert refusal(room.registrar.post(f"{path}/approve")) == (422, "needs_second_person")
    assert cell(room) == "7"


def test_who_made_a_service_account_does_not_approve_what_it_asks_for(room):
    account = new_service(room.registrar, room.college, scopes=["classes:read", "classes:write"])
    secret = new_secret(room.registrar, account)
    other, third = (room.server.api().sign_up() for _ in range(2))
    for registrar in (other, third):
        administrator_of(room.server).makes_member(registrar, room.college, "registrar", [])
    again = new_secret(other, account)
    path = correction(room, 9, by=access(room.server, account, secret["secret"]))
    # That the secret has ended changes nothing.
    changed(other.delete(f"{path_of(room.college)}/{account['id']}/secrets/{again['id']}"), 204)
    for registrar in (room.registrar, other):
        assert refusal(registrar.post(f"{path}/approve")) == (422, "needs_second_person")
    assert cell(room) == "7"
    changed(third.post(f"{path}/approve"))
    assert cell(room) == "9"


def test_a_registrar_decides_no_correction_of_the_own_row(room):
    path = correction(room, 9)
    administrator_of(room.server).makes_member(room.student, room.college, "registrar", [])
    for answer in (room.student.post(f"{path}/approve"), room.student.delete(path), asked(room, 10, by=room.student)):
        assert refusal(answer) == (422, "about_oneself")
    changed(room.registrar.post(f"{path}/approve"))


def test_a_correction_is_decided_once(room):
    path = correction(room, 9)
    changed(room.registrar.post(f"{path}/approve"))
    assert refusal(room.registrar.post(f"{path}/approve")) == (422, "correction_decided")
    assert refusal(room.registrar.delete(path)) == (422, "correction_decided")
    refused = correction(room, 10)
    changed(room.teacher.delete(refused))
    assert refusal(room.registrar.post(f"{refused}/approve")) == (422, "correction_decided")
    assert cell(room) == "9"


def test_what_was_corrected_meanwhile_is_a_conflict(room):
    first, second = correction(room, 8), correction(room, 9)
    changed(room.registrar.post(f"{first}/approve"))
    answer = room.registrar.post(f"{second}/approve")
    assert (answer.status, answer.json["code"]) == (409, "cell_conflict")
    assert cell(room) == "8"


def test_what_cannot_be_entered_is_refused_when_it_is_asked_for(room):
    assert refusal(asked(room, -1)) == (422, "grade_out_of_range")
    assert refusal(asked(room, 7)) == (422, "nothing_to_correct")
    assert refusal(asked(room, 9, held=True)) == (422, "unknown_field")
    assert refusal(asked(room, 9, reason="")) == (422, "missing_field")
    assert refusal(asked(room, 9, reason=None)) == (422, "needs_reason")
    assert listed(room) == []


def test_an_open_class_takes_no_corrections(room):
    path = correction(room, 9)
    changed(room.registrar.patch(room.path, {"state": "open"}))
    assert refusal(asked(room, 10)) == (422, "class_open")
    assert refusal(room.registrar.post(f"{path}/approve")) == (422, "class_open")
    changed(room.registrar.delete(path))


def test_a_repeated_request_asks_once(room):
    cells = [{"row": room.row, "line": room.lines[4], "value": 9}]
    body = {"cells": cells, "reason": "Page 4"}
    first, again = (room.teacher.post(f"{room.path}/corrections", body, idempotency_key="page-4") for _ in range(2))
    assert (first.status, again.status, again.json) == (201, 201, first.json)
    assert len(listed(room)) == 1


def test_a_grader_asks_in_the_own_lines_and_takes_back_the_own_corrections(room):
    changed(room.registrar.patch(room.path, {"state": "open"}))
    grader = room.server.api().sign_up()
    room.registrar.makes_member(grader, room.college, "teacher", [room.program])
    member = {"account": grader.account["id"], "role": "grader", "lines": [room.lines[4]]}
    changed(room.teacher.post(f"{room.path}/staff", member))
    changed(room.teacher.patch(room.path, {"state": "closed"}))
    others = correction(room, 8)
    own = correction(room, 9, by=grader)
    elsewhere = [{"row": room.row, "line": room.lines[3], "value": 9}]
    answer = grader.post(f"{room.path}/corrections", {"cells": elsewhere, "reason": "Page 4"})
    assert refusal(answer) == (422, "line_not_assigned")
    assert grader.delete(others).status == 403
    changed(grader.delete(own))


def test_a_teacher_takes_back_no_correction_of_another(room):
    other = room.server.api().sign_up()
    room.registrar.makes_member(other, room.college, "teacher", [room.program])
    changed(room.teacher.post(f"{room.path}/staff", {"account": other.account["id"], "role": "teacher"}))
    path = correction(room, 9)
    assert other.delete(path).status == 403
    assert listed(room)[0]["state"] == "waiting"


def test_the_number_of_undecided_corrections_is_bounded(room):
    for _ in range(100):
        correction(room, 9)
    assert refusal(asked(room, 9)) == (422, "correction_limit")


def test_a_correction_of_many_cells_is_bounded(room):
    cells = [{"row": room.row, "line": room.lines[4], "value": 9}] * 201
    answer = room.teacher.post(f"{room.path}/corrections", {"cells": cells, "reason": "Page 4"})
    assert refusal(answer) == (422, "entry_limit")


def test_a_deleted_account_leaves_nothing_of_itself_in_corrections(room):
    correction(room, 9)
    changed(room.student.delete("/v1/accounts/me"), 204)
    [item] = listed(room)
    assert (item["state"], item["cells"], item["reason"]) == ("refused", [], "")
