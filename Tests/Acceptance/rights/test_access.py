"""Who may call what: every route of the server's own description, by everybody, against a table written by hand."""

import uuid

import pytest
from access_table import ACCESS, ENROLLING, UNFINISHED, ask, by_column, told

from access import COLUMNS


def routes(world):
    """Every operation of the server's description, with who may call it at all."""
    paths = world.server.api().get("/openapi.json").json["paths"]
    return {
        f"{method.upper()} {path}": operation["x-access"]
        for path, operations in paths.items()
        for method, operation in operations.items()
        if method != "parameters"
    }


def test_every_route_has_its_line(world):
    assert set(routes(world)) == set(ACCESS)


@pytest.mark.slow("makes a new person for each column where a request uses up its caller")
@pytest.mark.parametrize("route", ACCESS)
def test_the_table_holds(world, route):
    method, pattern = route.split()
    found = [ask(world, route, name, world.place(method, pattern)) for name in COLUMNS]
    assert [world.description.untold(method, pattern, answer) for answer in found] == [[] for _ in COLUMNS]
    expected = {name: int(status) for name, status in by_column(ACCESS[route]).items()}
    assert {name: answer.status for name, answer in zip(COLUMNS, found, strict=True)} == expected


@pytest.mark.slow("makes anew for each column of the table what a request may use up")
@pytest.mark.parametrize("route", [route for route in ACCESS if "{" in route])
def test_what_one_may_not_know_answers_as_what_is_not_there(world, route):
    method, pattern = route.split()
    hidden = ("401", "404", "403") if ACCESS[route].startswith("401 403 403 403 403 403 403") else ("401", "404")
    for name, status in by_column(ACCESS[route]).items():
        if status not in hidden:
            continue
        there = world.place(method, pattern)
        nowhere = {part: str(uuid.uuid4()) for part in there}
        assert told(ask(world, route, name, there)) == told(ask(world, route, name, nowhere)), name


@pytest.mark.parametrize("route", sorted(ACCESS.keys() - {"DELETE /v1/sessions/{session}"}))  # itself alone
def test_a_session_that_is_not_finished_reaches_what_finishes_it(world, unfinished, route):
    method, pattern = route.split()
    for name in unfinished:
        answer = ask(world, route, name, world.place(method, pattern))
        assert world.description.untold(method, pattern, answer) == [], name
        code = answer.json.get("code") if answer.status == 403 else None
        serves = route in UNFINISHED or name in ("enrolling", "token") and route in ENROLLING
        assert (code == "enrolment_required") is not serves, (name, answer)


# -- what the caller's own request names


def test_a_foreign_program_is_an_unknown_one_in_a_body(world):
    foreign = world.people["foreign"]
    answers = [foreign.post("/v1/records", {"program": program}) for program in (world.ours, str(uuid.uuid4()))]
    assert told(answers[0]) == told(answers[1])
    path = f"/v1/institutions/{world.college}/invitations"
    registrar = world.people["registrar"]
    answers = [
        registrar.post(path, {"role": "teacher", "programs": [program]})
        for program in (world.elsewhere, str(uuid.uuid4()))
    ]
    assert answers[0].status == 422
    assert told(answers[0]) == told(answers[1])


def test_a_draft_is_known_to_those_who_make_it(world):
    expected = by_column("404 404 404 404 404 200 404 200 401 401")
    for suffix in ("", "/versions"):
        path = f"/v1/programs/{world.draft}{suffix}"
        assert {name: world.people[name].get(path).status for name in COLUMNS} == {
            name: int(status) for name, status in expected.items()
        }
    for name in ("student", "teacher", "foreign"):
        missing = world.people[name].get(f"/v1/programs/{uuid.uuid4()}")
        assert told(world.people[name].get(f"/v1/programs/{world.draft}")) == told(missing)


def test_only_staff_of_the_program_start_a_record_for_somebody(world):
    body = {"program": world.ours, "student": world.people["other"].account["id"]}
    expected = by_column("401 403 201 201 403 201 422 403 401 401")
    found = {name: world.people[name].post("/v1/records", body) for name in COLUMNS}
    assert {name: str(answer.status) for name, answer in found.items()} == expected


# -- what lists hold


def holders(world, path, wanted, member="id"):
    """Who finds something in a list."""
    found = set()
    for name in COLUMNS:
        answer = world.people[name].get(path)
        if answer.status == 200 and wanted in [item.get(member) for item in answer.json["items"]]:
            found.add(name)
    return found


def test_a_list_holds_what_one_may_see_and_nothing_else(world):
    inside = {"student", "other", "teacher", "colleague", "registrar", "administrator"}
    assert holders(world, "/v1/institutions?limit=200", world.college) == inside
    programs = f"/v1/institutions/{world.college}/programs?limit=200"
    assert holders(world, programs, world.ours) == inside
    assert holders(world, programs, world.draft) == {"registrar", "administrator"}
    assert holders(world, "/v1/records?limit=200", world.record) == {"student"}
    of_program = f"/v1/records?program={world.ours}&limit=200"
    assert holders(world, of_program, world.record) == {"student", "teacher", "registrar", "administrator"}
    of_student = f"{of_program}&student={world.student.account['id']}"
    assert holders(world, of_student, world.record) == {"student", "teacher", "registrar", "administrator"}
    anywhere = f"/v1/records?student={world.student.account['id']}&limit=200"
    assert holders(world, anywhere, world.record) == {"student"}


# -- rights that end


@pytest.mark.parametrize("name", ["teacher", "registrar"])
def test_a_member_who_is_removed_sees_nothing_from_then_on(world, name):
    member = world.person(name)
    path = f"/v1/records/{world.record}"
    assert member.get(path).status == 200
    remover = world.administrator if name == "registrar" else world.people["registrar"]
    removed = remover.delete(f"/v1/institutions/{world.college}/members/{member.account['id']}")
    assert removed.status == 204
    assert told(member.get(path)) == told(member.get(f"/v1/records/{uuid.uuid4()}"))


def test_a_teacher_loses_a_program_at_once(world):
    teacher = world.person("teacher")
    path = f"/v1/records/{world.record}"
    assert teacher.get(path).status == 200
    world.enrol(teacher, world.college, "teacher", [world.theirs])
    assert teacher.get(path).status == 404
    assert teacher.patch(f"{path}/entries/{world.entry}", {"fields": {"credits": 9}}).status == 404


def test_students_do_not_write_where_only_staff_enter(world):
    registrar = world.people["registrar"]
    assert registrar.patch(f"/v1/programs/{world.theirs}", {"entry": "staff"}).status == 200
    body = {"program": world.theirs, "student": world.student.account["id"]}
    made = world.people["colleague"].post("/v1/records", body)
    assert made.status == 201, made
    record = f"/v1/records/{made.json['record']['id']}"
    assert world.student.get(record).status == 200
    assert world.student.patch(record, {"fields": {}}).status == 403
    assert world.student.delete(record).status == 403
    assert world.people["colleague"].patch(record, {"fields": {}}).status == 200
    assert world.people["teacher"].get(record).status == 404
    assert registrar.patch(f"/v1/programs/{world.theirs}", {"entry": "both"}).status == 200
