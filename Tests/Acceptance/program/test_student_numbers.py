"""Student numbers: given by registrars and by providers, one in an institution, and what imports know students by."""

import json
import uuid

import pytest
from oidc import configuration, sign_in
from programs import Program
from tokens import bearer

import gradecast
from client import changed, listed
from oracle.build import unit

MEMBERS = "/v1/institutions/demo/members"


def fresh():
    return f"N-{uuid.uuid4().hex[:12]}"


def give(registrar, api, number):
    return registrar.call("PUT", f"{MEMBERS}/{api.account['id']}/student-number", {"studentNumber": number})


def own(api):
    (mine,) = changed(api.get("/v1/memberships")).json["items"]
    return mine["studentNumber"]


@pytest.fixture
def member(server, registrar):
    """Makes students of the demonstration."""

    def make(**more):
        api = server.api().sign_up(**more)
        registrar.makes_member(api, "demo", "student")
        return api

    return make


def test_a_registrar_gives_a_number_that_staff_and_the_student_see(server, registrar, member):
    student, number = member(), fresh()
    assert own(student) is None
    assert changed(give(registrar, student, f" {number} ")).json["member"]["studentNumber"] == number
    assert own(student) == number
    for staff in (registrar, server.signed_in("teacher")):
        members = listed(staff, f"{MEMBERS}?role=student&limit=200")
        assert [item["studentNumber"] for item in members if item["account"] == student.account["id"]] == [number]
    export = changed(student.get("/v1/accounts/me/export")).json
    assert [place["studentNumber"] for place in export["memberships"]] == [number]
    trail = changed(server.signed_in("administrator").get(f"/v1/audit?subject={student.account['id']}")).json["items"]
    assert trail[0]["action"] == "member.changed"
    told = (trail[0]["detail"]["before"]["studentNumber"], trail[0]["detail"]["after"]["studentNumber"])
    assert told == (None, number)
    # Another role changes nothing about it.
    changed(registrar.call("PUT", f"{MEMBERS}/{student.account['id']}", {"role": "student"}))
    assert own(student) == number


def test_no_two_members_have_the_same_number_and_one_that_is_free_can_be_given(registrar, member):
    first, second, number = member(), member(), fresh()
    changed(give(registrar, first, number))
    refused = give(registrar, second, number)
    assert (refused.status, refused.faults) == (422, [("student_number_taken", "/studentNumber")])
    changed(give(registrar, first, number))
    changed(give(registrar, first, None))
    assert own(first) is None
    changed(give(registrar, second, number))
    # It goes with the membership.
    changed(registrar.delete(f"{MEMBERS}/{second.account['id']}"), 204)
    changed(give(registrar, first, number))
    registrar.makes_member(second, "demo", "student")
    assert own(second) is None


def test_a_number_is_a_line_of_text_for_a_member(registrar, member, stranger):
    student = member()
    for number, code in (
        ("", "missing_field"),
        ("x" * 65, "text_too_long"),
        ("a\nb", "text_invalid"),
        (7, "wrong_type"),
    ):
        assert give(registrar, student, number).faults == [(code, "/studentNumber")], number
    missing = registrar.call("PUT", f"{MEMBERS}/{student.account['id']}/student-number", {})
    assert missing.faults == [("missing_field", "/studentNumber")]
    assert give(registrar, stranger, fresh()).status == 404
    assert give(student, student, fresh()).status == 403


def test_a_program_with_the_scope_gives_numbers(server, registrar, member):
    student, number = member(), fresh()
    changed(give(bearer(server, registrar, "roster:write"), student, number))
    assert own(student) == number
    assert give(bearer(server, registrar, "roster:read"), student, fresh()).status == 403


def test_an_import_knows_students_by_their_numbers(server, registrar, member):
    program = Program(registrar, "iut", entry="staff")
    changed(program.publish())

    def record(student):
        return program.record([unit("Maths", 2, [("Algebra", 1, 10)])], student=student.account["id"]).id

    def send(name, kind="student"):
        fields = {"title": f"Subject {fresh()}", "weight": 1, "grade": 12}
        row = json.dumps({kind: name, "path": ["Maths"], "kind": "subject", "fields": fields}).encode()
        answer = registrar.post(program.path + "/results", row, content_type="application/jsonl")
        (told,) = changed(answer).json["import"]["rows"]
        return told

    student, number = member(), fresh()
    changed(give(registrar, student, number))
    assert send(number)["faults"][0]["code"] == "record_unknown"
    mine = record(student)
    told = send(number)
    assert (told["state"], told["record"], told["student"]) == ("accepted", mine, student.account["id"])
    for kind, name in (("studentNumber", number), ("login", student.login), ("account", student.account["id"])):
        assert send(name)["record"] == send(name, kind)["record"] == mine, kind
    (fault,) = send(student.login, "studentNumber")["faults"]
    assert (fault["code"], fault["path"]) == ("record_unknown", "/studentNumber")
    # Who signs up with another's number as a login gets nothing that is meant for the other, however it is typed.
    impostor = member(login=number.lower())
    # Without a record in the program, such a login stops nothing.
    assert send(number.lower())["record"] == mine
    record(impostor)
    # No login has such a hyphen.
    assert send(number.replace("-", "\u2011"))["record"] == mine
    for form in (number, number.lower(), number.replace("N", "\uff2e")):
        assert send(form)["faults"][0]["code"] == "record_ambiguous", form
        assert send(form, "studentNumber")["record"] == mine, form
    assert send(student.login)["record"] == mine
    # Nor while the other has no record yet.
    newcomer, taken = member(), fresh()
    other = member(login=taken.lower())
    changed(give(registrar, newcomer, taken.lower()))
    record(other)
    assert send(taken.lower())["faults"][0]["code"] == "record_ambiguous"
    assert send(taken.lower(), "studentNumber")["faults"][0]["code"] == "record_unknown"


def test_a_column_says_which_kind_of_name_it_has(registrar, member):
    program = Program(registrar, "iut", entry="staff")
    changed(program.publish())
    student, number = member(), fresh()
    changed(give(registrar, student, number))
    record = program.record([unit("Maths", 2, [("Algebra", 1, 10)])], student=student.account["id"]).id
    for column, name in (("StudentNumber", number), ("login", student.login), ("account", student.account["id"])):
        table = f"{column},path,kind,title,weight,grade\n{name},Maths,subject,{fresh()},1,12\n".encode()
        answer = changed(registrar.post(program.path + "/results", table, content_type="text/csv"))
        (told,) = answer.json["import"]["rows"]
        assert (told["state"], told["record"]) == ("accepted", record), column
    table = f"login,account,path,grade\n{student.login},{student.account['id']},Maths,12\n".encode()
    (told,) = changed(registrar.post(program.path + "/results", table, content_type="text/csv")).json["import"]["rows"]
    assert [(fault["code"], fault["path"]) for fault in told["faults"]] == [("unknown_field", "/account")]


def test_numbers_that_look_alike_are_one(registrar, member):
    first, second, number = member(), member(), fresh() + "7"
    typed = number.replace("-", "\u2010")
    assert changed(give(registrar, first, typed)).json["member"]["studentNumber"] == typed
    forms = number.lower(), number.replace("-", "\u2011"), number + "\u0332", number.replace("N", "\uff2e")
    for form in (number, *forms):
        assert give(registrar, second, form).faults == [("student_number_taken", "/studentNumber")], form


def test_no_login_has_the_form_of_an_identifier(server, member):
    wish = {"login": member().account["id"], "password": "correct horse battery", "displayName": "Person"}
    assert server.api().post("/v1/accounts", wish).faults == [("login_invalid", "/login")]


def test_a_provider_gives_the_number_once_and_none_that_another_member_has(tmp_path, issuer):
    rules = [
        {"claim": "groups", "equals": "students", "institution": "demo", "role": "student"}
        | {"studentNumber": "matricule"}
    ]
    config = configuration(tmp_path, {"university": issuer.url}, memberships=rules)
    running = gradecast.Server(tmp_path, config=config, demo=True).start()

    def visit(subject, **claims):
        answer = changed(sign_in(running, issuer, subject, groups=["students"], **claims), 201).json
        api = running.api(token=answer["session"]["token"])
        api.account = answer["account"]
        return api

    first, second, number = uuid.uuid4().hex, uuid.uuid4().hex, fresh()
    assert own(visit(first)) is None
    for nonsense in (7, [number, fresh()], "x" * 65, {"a": number}):
        assert own(visit(first, matricule=nonsense)) is None, nonsense
    assert own(visit(first, matricule=number)) == number
    assert own(visit(first, matricule=fresh())) == number
    assert own(visit(second, matricule=number)) is None
    # What a registrar gives stays, too.
    registrar, student = running.signed_in("registrar"), visit(second)
    other = fresh()
    changed(give(registrar, student, other))
    assert own(visit(second, matricule=fresh())) == other
    assert running.stop() == 0, running.output()
