"""Sections, late enrolment, copies of classes and transfers over HTTP."""

import pytest
from tokens import bearer

import gradecast
from classroom import CONFIG, COURSE, Room
from client import changed
from services import access, new_secret, new_service

FINAL, FIRST, SECOND = 3, 4, 5


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    server = gradecast.Server(tmp_path_factory.mktemp("roster"), config=CONFIG).start()
    yield server
    assert server.stop() == 0, server.output()


def codes(answer):
    assert answer.status == 422, answer
    return [fault["code"] for fault in answer.json["faults"]]


def test_a_student_of_a_section_has_its_credits_and_is_found_in_the_grid(server):
    room = Room(server)
    steps = [{"op": "addSection", "title": "02", "fields": {"credits": 2}}]
    changed(room.teacher.post(f"{room.path}/changes", {"changes": steps}))
    section = room.teacher.get(room.path).json["class"]["structure"]["sections"][0]
    assert (section["title"], section["fields"]) == ("02", {"credits": 2})
    path = f"{room.path}/enrolments/{room.row}"
    enrolment = changed(room.teacher.patch(path, {"section": section["id"]})).json["enrolment"]
    assert enrolment["section"] == section["id"]
    assert room.teacher.get(f"{room.path}/rows").json["rows"][0]["section"] == section["id"]
    entry = room.student.get(f"/v1/records/{room.record}").json["record"]["entries"][0]
    assert entry["fields"]["credits"] == 2
    refused = room.teacher.post(f"{room.path}/changes", {"changes": [{"op": "deleteSection", "section": section["id"]}]})
    assert codes(refused) == ["section_in_use"]
    assert codes(room.teacher.patch(path, {"section": "elsewhere"})) == ["section_unknown"]
    changed(room.teacher.post(f"{room.path}/undo", {"v": enrolment["v"]}))
    assert "section" not in room.teacher.get(f"{room.path}/rows").json["rows"][0]


def test_students_are_put_into_sections_as_one_act_on_condition_of_what_was_seen(server):
    room = Room(server)
    other = server.api().sign_up()
    room.registrar.makes_member(other, room.college, "student", [])
    row = changed(room.teacher.post(f"{room.path}/enrolments", {"student": other.account["id"]}), 201).json
    rows = [room.row, row["enrolment"]["id"]]
    # A number that was typed is stored as one.
    steps = [{"op": "addSection", "title": title, "fields": {"credits": "2.5"}} for title in ("02", "03")]
    changed(room.teacher.post(f"{room.path}/changes", {"changes": steps}))
    sections = room.teacher.get(room.path).json["class"]["structure"]["sections"]
    assert [section["fields"] for section in sections] == [{"credits": 2.5}] * 2
    second, third = [section["id"] for section in sections]

    def put(to, *seen):
        changes = [{"row": row, "section": to, "was": was} for row, was in zip(rows, seen, strict=True)]
        return room.teacher.post(f"{room.path}/sections", {"rows": changes})

    def held():
        return [row.get("section") for row in room.teacher.get(f"{room.path}/rows").json["rows"]]

    answer = changed(put(second, None, None)).json
    assert answer["accepted"] == 2 and held() == [second, second]
    refused = put(third, second, None)
    assert (refused.status, refused.json["code"]) == (409, "section_changed")
    assert [fault["path"] for fault in refused.json["faults"]] == ["/rows/1/section"]
    assert codes(put("elsewhere", second, second)) == ["section_unknown"] * 2
    # One of them goes elsewhere: an undo leaves that student there, and says so.
    changed(room.teacher.patch(f"{room.path}/enrolments/{rows[0]}", {"section": third}))
    undone = changed(room.teacher.post(f"{room.path}/undo", {"v": answer["v"]})).json
    assert (undone["accepted"], held()) == (1, [third, None])
    assert [(fault["code"], fault["path"]) for fault in undone["faults"]] == [("section_changed", f"/rows/{rows[0]}")]


def test_who_joins_late_is_excused_from_what_was_due(server):
    room = Room(server)
    due = {"op": "patch", "line": room.lines[FIRST], "due": "2026-09-01"}
    changed(room.teacher.post(f"{room.path}/changes", {"changes": [due]}))
    late = server.api().sign_up()
    room.registrar.makes_member(late, room.college, "student", [])
    body = {"student": late.account["id"], "from": "2026-10-01", "earlier": "excused"}
    enrolment = changed(room.teacher.post(f"{room.path}/enrolments", body), 201).json["enrolment"]
    assert enrolment["since"] == "2026-10-01"
    row = next(row for row in room.teacher.get(f"{room.path}/rows").json["rows"] if row["id"] == enrolment["id"])
    assert row["cells"][room.column(FIRST)]["status"] == "excused"
    assert row["cells"][room.column(FINAL)] is None


def test_a_copy_takes_over_the_structure_and_a_student_goes_there_with_the_results(server):
    room = Room(server)
    changed(room.enter(FINAL, value=80))
    changed(room.enter(FIRST, value=7))
    body = {"title": "Evening", "copyOf": room.path.rsplit("/", 1)[1], "fields": {"quarter": 2}}
    copy = changed(room.teacher.post(f"/v1/programs/{room.program}/classes", body), 201).json["class"]
    root, *lines = copy["structure"]["lines"]
    assert root["fields"] == COURSE | {"quarter": 2}
    assert {line["key"] for line in lines} == set(room.lines[1:])
    there = f"/v1/classes/{copy['id']}"
    second = next(line["id"] for line in lines if line["key"] == room.lines[FIRST])
    changed(room.teacher.post(f"{there}/changes", {"changes": [{"op": "patch", "line": second, "fields": {"max": 20}}]}))
    move = {"enrolment": room.row, "to": copy["id"]}
    stranger = room.student.post(f"{room.path}/transfers", move)
    assert stranger.status == 404
    answer = changed(room.teacher.post(f"{room.path}/transfers", move), 201).json
    assert answer["left"] == [room.lines[FIRST]]
    assert answer["enrolment"]["class"] == copy["id"]
    assert [row.get("withdrawn") for row in room.teacher.get(f"{room.path}/rows").json["rows"]] == [True]
    rows = room.teacher.get(f"{there}/rows").json["rows"]
    assert [row["id"] for row in rows] == [answer["enrolment"]["id"]]
    entries = room.student.get(f"/v1/records/{room.record}").json["record"]["entries"]
    assert [entry["class"] for entry in entries] == [copy["id"]]
    assert codes(room.teacher.post(f"{room.path}/transfers", move)) == ["enrolment_ended"]
    assert codes(room.teacher.post(f"{room.path}/transfers", move | {"to": room.path.rsplit("/", 1)[1]})) == ["class_unlike"]


def test_a_student_who_leaves_can_keep_the_course_as_withdrawn(server):
    room = Room(server)
    path = f"{room.path}/enrolments/{room.row}"
    assert room.teacher.delete(f"{path}?keep=later").status == 400
    left = changed(room.teacher.delete(f"{path}?keep=withdrawn")).json["enrolment"]
    [course] = room.student.get(f"/v1/records/{room.record}").json["record"]["entries"]
    assert (left["withdrawn"], course["id"], course["status"]) == (True, room.entry, "withdrawn")
    row = room.teacher.get(f"{room.path}/rows/{room.row}").json
    assert row["part"]["entries"][0]["status"] == "withdrawn"
    changed(room.teacher.post(f"{room.path}/undo", {"v": left["v"]}))
    [course] = room.student.get(f"/v1/records/{room.record}").json["record"]["entries"]
    assert course.get("status") in (None, "graded")


def test_the_total_of_a_student_takes_a_status(server):
    room = Room(server)
    document = room.teacher.get(room.path).json["class"]
    assert document["total"]["statuses"] == ["excused", "audit", "withdrawn", "transfer"]

    def give(status, **more):
        total = {"row": room.row, "status": status} | more
        return room.teacher.post(f"{room.path}/override", {"rows": [total], "reason": "Listens only"})

    given = changed(give("audit", wasStatus=None)).json["v"]
    [course] = room.student.get(f"/v1/records/{room.record}").json["record"]["entries"]
    assert (course["id"], course["status"]) == (room.entry, "audit")
    assert room.student.get(f"/v1/rows/{room.row}").json["part"]["entries"][0]["status"] == "audit"
    [row] = room.teacher.get(f"{room.path}/rows").json["rows"]
    assert row["status"] == room.teacher.get(f"{room.path}/rows/{room.row}").json["row"]["status"] == "audit"
    refused = give("withdrawn", wasStatus=None)
    assert (refused.status, refused.json["code"]) == (409, "given_changed")
    assert codes(give("absent")) == ["out_of_range"]
    # A new result takes nothing away from it.
    changed(room.enter(FINAL, value=50))
    assert room.student.get(f"/v1/records/{room.record}").json["record"]["entries"][0]["status"] == "audit"
    line = room.teacher.get(f"{room.path}/rows/{room.row}/history").json["items"][1]
    assert (line["before"], line["after"], line["reason"]) == ({"status": None}, {"status": "audit"}, "Listens only")
    scopes = bearer(server, room.teacher, "classes:read", "classes:write")
    assert scopes.post(f"{room.path}/undo", {"v": given}).json["scope"] == "given:write"
    changed(room.teacher.post(f"{room.path}/undo", {"v": given}))
    assert "status" not in room.teacher.get(f"{room.path}/rows").json["rows"][0]
    [course] = room.student.get(f"/v1/records/{room.record}").json["record"]["entries"]
    assert course.get("status") in (None, "graded")


def test_who_may_not_carry_out_an_act_may_not_take_it_back(server):
    room = Room(server)
    entering = bearer(server, room.teacher, "classes:read", "classes:write")
    steps = [{"op": "addSection", "title": "02", "fields": {"credits": 2}}]
    changed(room.teacher.post(f"{room.path}/changes", {"changes": steps}))
    section = room.teacher.get(room.path).json["class"]["structure"]["sections"][0]["id"]
    path = f"{room.path}/enrolments/{room.row}"
    joined = room.teacher.get(f"{room.path}/rows/{room.row}/history").json["items"][-1]["v"]
    moved = changed(room.teacher.patch(path, {"section": section})).json["enrolment"]["v"]
    group = changed(room.teacher.post(f"{room.path}/groups", {"set": "Labs", "title": "Monday"}), 201).json["group"]["id"]
    changed(room.teacher.post(f"{room.path}/groups/{group}/members", {"join": [room.row]}))
    grouped = room.teacher.get(room.path).json["class"]["v"]
    total = {"rows": [{"row": room.row, "figures": {"grade": "85"}}], "reason": "Oral examination"}
    changed(room.teacher.post(f"{room.path}/override", total))
    given = room.teacher.get(room.path).json["class"]["v"]
    entered = changed(room.enter(FINAL, value=50)).json["v"]
    scopes = {joined: "roster:write", moved: "roster:write", grouped: "roster:write", given: "given:write"}
    for version, scope in scopes.items():
        refused = entering.post(f"{room.path}/undo", {"v": version})
        assert (refused.status, refused.json["code"], refused.json["scope"]) == (403, "insufficient_scope", scope)
    changed(entering.post(f"{room.path}/undo", {"v": entered}))
    changed(room.teacher.post(f"{room.path}/undo", {"v": grouped}))
    left = changed(room.teacher.delete(path)).json["enrolment"]["v"]
    assert entering.post(f"{room.path}/undo", {"v": left}).json["code"] == "insufficient_scope"
    roster = bearer(server, room.teacher, "classes:write", "roster:write")
    changed(roster.post(f"{room.path}/undo", {"v": left}))


def test_who_has_left_the_institution_comes_back_neither_by_a_transfer_nor_by_an_undo(server):
    room = Room(server)
    body = {"title": "Algorithms 2", "copyOf": room.path.rsplit("/", 1)[1]}
    copy = changed(room.teacher.post(f"/v1/programs/{room.program}/classes", body), 201).json["class"]["id"]
    member = f"/v1/institutions/{room.college}/members/{room.student.account['id']}"
    changed(room.registrar.delete(member), 204)
    move = {"enrolment": room.row, "to": copy}
    assert codes(room.teacher.post(f"{room.path}/transfers", move)) == ["account_unknown"]
    left = changed(room.teacher.delete(f"{room.path}/enrolments/{room.row}")).json["enrolment"]["v"]
    assert codes(room.teacher.post(f"{room.path}/undo", {"v": left})) == ["account_unknown"]
    assert [row.get("withdrawn") for row in room.teacher.get(f"{room.path}/rows").json["rows"]] == [True]


def test_staff_and_service_accounts_become_no_students(server):
    room = Room(server)
    service = new_service(room.registrar, room.college)
    for account, by in (
        (room.teacher.account, room.registrar),
        (room.registrar.account, room.teacher),
        (service, room.registrar),
    ):
        student = {"student": account["id"]}
        for answer in (
            by.post(f"{room.path}/enrolments", student),
            by.post("/v1/records", student | {"program": room.program}),
        ):
            assert (answer.status, answer.faults) == (422, [("role", "/student")])
    # A student who is of the staff by now stays in the class, and does not come back to it.
    copy = changed(
        room.teacher.post(
            f"/v1/programs/{room.program}/classes",
            {"title": "Sets", "copyOf": room.path.rsplit("/", 1)[1], "fields": COURSE | {"title": "Sets"}},
        ),
        201,
    ).json["class"]
    room.registrar.makes_member(room.student, room.college, "teacher", [room.program])
    changed(room.enter(FINAL, value=50))
    move = {"enrolment": room.row, "to": copy["id"]}
    assert codes(room.teacher.post(f"{room.path}/transfers", move)) == ["role"]
    left = changed(room.teacher.delete(f"{room.path}/enrolments/{room.row}")).json["enrolment"]["v"]
    assert codes(room.teacher.post(f"{room.path}/undo", {"v": left})) == ["role"]


def test_a_service_account_is_never_the_only_teacher_of_a_class(server):
    room = Room(server)
    scopes = ["classes:read", "classes:write"]
    service = new_service(room.registrar, room.college, role="teacher", programs=[room.program], scopes=scopes)
    program = access(server, service, new_secret(room.registrar, service)["secret"])
    body = {"title": "Sets", "root": "course", "fields": COURSE | {"title": "Sets"}}
    classes = f"/v1/programs/{room.program}/classes"
    for teacher, code in (
        (None, "teacher_needed"),
        (service["id"], "teacher_needed"),
        (room.student.account["id"], "account_unknown"),
    ):
        answer = program.post(classes, body | ({"teacher": teacher} if teacher else {}))
        assert (answer.status, answer.faults) == (422, [(code, "/teacher")])
    made = changed(program.post(classes, body | {"teacher": room.teacher.account["id"]}), 201).json["class"]
    teachers = {room.teacher.account["id"], service["id"]}
    assert {member["account"] for member in made["staff"] if member["role"] == "teacher"} == teachers
    path = f"/v1/classes/{made['id']}"
    assert codes(room.teacher.delete(f"{path}/staff/{room.teacher.account['id']}")) == ["teacher_needed"]
    changed(room.teacher.delete(f"{path}/staff/{service['id']}"))
