"""What the trail tells of those who look at others, and by which names; and who sees whose picture."""

import uuid

from programs import Program, enrolled

from access import picture
from client import Record, changed
from oracle.build import board_total, unit


def lines(administrator, subject, action=None):
    """The trail of a thing, newest first."""
    items = changed(administrator.get(f"/v1/audit?subject={subject}&limit=200")).json["items"]
    return [item for item in items if action in (None, item["action"])]


def cohort(server, registrar, size):
    """A published program with a record for each of so many students."""
    program = Program(registrar, "chalkboard")
    changed(program.publish())
    students = [enrolled(server, registrar) for _ in range(size)]
    return program, students, [program.record(api=student).id for student in students]


# -- reading


def test_a_page_of_others_records_is_one_line(server, registrar, administrator):
    program, _, records = cohort(server, registrar, 3)
    answer = changed(registrar.get(f"/v1/records?program={program.id}&limit=2"))
    assert [item["id"] for item in answer.json["items"]] == records[:2]
    (line,) = lines(administrator, program.id, "records.listed")
    assert line["by"] == registrar.account["id"] and line["institution"]
    assert line["detail"] == {"student": None, "records": 2, "first": records[0], "last": records[1]}
    rest = answer.headers["Link"].split("<")[1].split(">")[0]
    assert [item["id"] for item in changed(registrar.get(rest)).json["items"]] == records[2:]
    assert [line["detail"]["records"] for line in lines(administrator, program.id, "records.listed")] == [1, 2]


def test_a_list_of_one_students_records_names_the_student(server, registrar, administrator):
    program, students, records = cohort(server, registrar, 2)
    student = students[0].account["id"]
    changed(registrar.get(f"/v1/records?program={program.id}&student={student}"))
    (line,) = lines(administrator, program.id, "records.listed")
    assert line["detail"] == {"student": student, "records": 1, "first": records[0], "last": records[0]}


def test_what_is_ones_own_or_empty_is_no_reading(server, registrar, administrator):
    program, _, _ = cohort(server, registrar, 0)
    changed(registrar.get(f"/v1/records?program={program.id}"))
    program.record()
    changed(registrar.get(f"/v1/records?program={program.id}"))
    student = enrolled(server, registrar)
    program.record(api=student)
    changed(student.get(f"/v1/records?program={program.id}"))
    changed(student.get("/v1/records"))
    assert lines(administrator, program.id, "records.listed") == []


def test_what_a_rehearsal_shows_of_others_is_a_reading(server, registrar, administrator):
    program = Program(registrar, "iut", preset="lp")
    changed(program.publish())
    student = enrolled(server, registrar)
    program.record([unit("One", 1, [("A", 1, 10)], professional=True)], api=student)
    changed(program.edit(configuration={"bar": 11}))
    rows = program.changes(program.rehearse())
    assert {row["account"] for row in rows} == {student.account["id"]}
    assert [line["by"] for line in lines(administrator, program.id, "records.listed")] == [registrar.account["id"]]


def test_what_a_page_does_not_show_is_not_read(server, registrar, administrator):
    program, students, records = cohort(server, registrar, 2)
    for record, student in zip(records, students, strict=True):
        changed(Record(student, record).add(board_total("Algorithms", 3, 80)), 201)
    changed(program.edit(configuration={"bands": [{"label": "A", "from": 0, "points": 4}]}))
    rehearsal = program.rehearse()
    changed(registrar.get(f"{program.path}/rehearsals/{rehearsal['id']}/changes?limit=1"))
    changed(registrar.get(f"/v1/records?program={program.id}&limit=1"))
    read = [line["detail"] for line in lines(administrator, program.id, "records.listed")]
    assert read == [{"student": None, "records": 1, "first": records[0], "last": records[0]}] * 2


# -- names


def test_lines_name_who_and_what(server, registrar, administrator):
    program, students, records = cohort(server, registrar, 1)
    changed(registrar.get(f"/v1/records/{records[0]}"))
    registrar_names = {"login": registrar.login, "displayName": "Demo registrar"}
    title = changed(registrar.get(program.path)).json["program"]["title"]
    expected = {
        records[0]: ("record.read", {"kind": "record", "title": title, "student": "Person"}),
        program.id: ("program.published", {"kind": "program", "title": title}),
        students[0].account["id"]: (
            "member.added",
            {"kind": "account", "login": students[0].login, "displayName": "Person"},
        ),
    }
    member_names = {"login": students[0].login, "displayName": "Person"}
    for subject, (action, names) in expected.items():
        (line,) = lines(administrator, subject, action)
        # The membership was accepted by its owner; who offered it stands in the line of the invitation.
        by, by_names = (students[0], member_names) if action == "member.added" else (registrar, registrar_names)
        assert line["by"] == by.account["id"]
        assert line["names"] == {"by": by_names, "subject": names, "institution": {"title": "Demo College"}}


def test_what_is_gone_has_no_name(server, registrar, administrator):
    student = enrolled(server, registrar)
    account = student.account["id"]
    assert student.delete("/v1/accounts/me").status == 204
    found = lines(administrator, account)
    assert {"account.created", "account.deleted", "member.added"} <= {line["action"] for line in found}
    assert {repr(line["names"]["subject"]) for line in found} == {"None"}
    assert student.login not in repr([line["names"] for line in found])
    (line,) = lines(administrator, account, "account.deleted")
    assert line["names"] == {"by": None, "subject": None, "institution": None}


def test_ones_own_export_names_nobody_else(server, registrar):
    student = enrolled(server, registrar)
    assert registrar.login not in student.get("/v1/accounts/me/export").body.decode()


# -- pictures


def test_a_picture_is_for_those_of_the_same_institution(server, registrar, administrator):
    owner, classmate, stranger = enrolled(server, registrar), enrolled(server, registrar), server.api().sign_up()
    path = f"/v1/accounts/{owner.account['id']}/avatar"
    changed(owner.call("PUT", path, picture(), content_type="image/png"), 204)
    for api in (owner, classmate, registrar, administrator):
        assert api.get(path).status == 200
    hidden, missing = stranger.get(path), stranger.get(f"/v1/accounts/{uuid.uuid4()}/avatar")
    assert (hidden.status, hidden.body) == (missing.status, missing.body)
    members = "/v1/institutions/demo/members"
    changed(registrar.delete(f"{members}/{classmate.account['id']}"), 204)
    assert classmate.get(path).status == 404
    registrar.makes_member(stranger, "demo", "student")
    assert stranger.get(path).status == 200
