"""First and last names: who sets them, who reads them, and that fellow students never do."""

import uuid

import pytest
from classroom import CONFIG, Room
from test_class_export import joined, table
from test_search import ask, found

import gradecast
from client import changed

GIVEN, FAMILY = "givenName", "familyName"
NONE = {GIVEN: None, FAMILY: None}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    server = gradecast.Server(tmp_path_factory.mktemp("names"), config=CONFIG).start()
    yield server
    assert server.stop() == 0, server.output()


@pytest.fixture
def room(server):
    return Room(server)


def names(document):
    return {name: document[name] for name in (GIVEN, FAMILY)}


def said(api):
    """Says a first and a last name that nobody else has."""
    own = {GIVEN: f"Given{uuid.uuid4().hex[:8]}", FAMILY: f"Family{uuid.uuid4().hex[:8]}"}
    changed(api.patch("/v1/accounts/me", own))
    return own


def test_the_owner_says_them_changes_them_and_takes_them_away(server):
    api = server.api().sign_up()
    me = "/v1/accounts/me"
    assert names(api.get(me).json) == NONE
    changed(api.patch(me, {GIVEN: " Ada ", FAMILY: "Lovelace"}))
    assert names(api.get(me).json) == {GIVEN: "Ada", FAMILY: "Lovelace"}
    assert api.get(me).json["displayName"] == api.account["displayName"]
    changed(api.patch(me, {"description": "I like logic"}))
    assert names(changed(api.get(f"{me}/export")).json["account"]) == {GIVEN: "Ada", FAMILY: "Lovelace"}
    changed(api.patch(me, {GIVEN: None}))
    assert names(api.get(me).json) == {GIVEN: None, FAMILY: "Lovelace"}


WRONG = pytest.mark.parametrize(
    ("value", "code"),
    [
        ("x" * 101, "text_too_long"),
        ("a\nb", "text_invalid"),
        ("\u202eadA", "text_invalid"),
        (" ", "missing_field"),
        (7, "wrong_type"),
    ],
    ids=["too long", "two lines", "backwards", "blank", "a number"],
)


@pytest.mark.parametrize("name", [GIVEN, FAMILY])
@WRONG
def test_they_are_bounded_like_the_displayed_name(server, name, value, code):
    api = server.api().sign_up()
    answer = api.patch("/v1/accounts/me", {name: value})
    assert (answer.status, answer.faults) == (422, [(code, f"/{name}")])
    assert changed(api.patch("/v1/accounts/me", {name: "y" * 100})).json[name] == "y" * 100


@pytest.mark.parametrize("name", [GIVEN, FAMILY])
@WRONG
def test_signing_up_is_refused_where_the_profile_would_be(server, name, value, code):
    api = server.api()
    body = {"login": f"new-{uuid.uuid4().hex[:8]}", "password": "correct horse battery", "displayName": "New"}
    answer = api.post("/v1/accounts", {**body, name: value})
    assert (answer.status, answer.faults) == (422, [(code, f"/{name}")])
    # Nobody has the login.
    assert names(changed(api.post("/v1/accounts", {**body, name: "y" * 100}), 201).json["account"])[name] == "y" * 100


def test_a_new_account_may_have_them(server):
    own = {GIVEN: "Grace", FAMILY: "Hopper"}
    assert names(server.api().sign_up(**own).get("/v1/accounts/me").json) == own
    api = server.api().sign_up(**own)
    administrator = server.signed_in("administrator")
    changed(administrator.patch(f"/v1/accounts/{api.account['id']}", {FAMILY: "Murray"}))
    assert names(api.get("/v1/accounts/me").json) == {GIVEN: "Grace", FAMILY: "Murray"}
    listed = administrator.get("/v1/accounts?query=murray").json["items"]
    assert [names(item) for item in listed if item["id"] == api.account["id"]] == [{GIVEN: "Grace", FAMILY: "Murray"}]


def test_the_command_line_gives_them(tmp_path):
    def create(*words):
        return gradecast.run("account", "create", *words, "--role", "administrator", "--data", tmp_path / "data")

    refused = create("other", "--last-name", "x" * 101)
    assert refused.returncode != 0 and "/familyName: text_too_long" in refused.stderr, refused
    done = create("grace", "--first-name", "Grace", "--last-name", "Hopper")
    assert done.returncode == 0, done
    token = done.stdout.split()[-1]
    server = gradecast.Server(tmp_path, demo=False).start()
    try:
        api = server.api()
        changed(api.post("/v1/accounts/password", {"token": token, "password": "correct horse battery"}), 204)
        account = api.sign_in("grace", "correct horse battery").account
        assert names(account) == {GIVEN: "Grace", FAMILY: "Hopper"} and account["displayName"] == "grace"
    finally:
        assert server.stop() == 0, server.output()


def test_staff_of_the_class_and_of_the_institution_read_them(room):
    own = said(room.student)
    other, row = joined(room)
    rows = {item["id"]: item for item in room.teacher.get(f"{room.path}/rows").json["rows"]}
    assert names(rows[room.row]) == own
    assert rows[room.row]["name"] == room.student.account["displayName"]
    assert not {GIVEN, FAMILY} & set(rows[row])
    for staff in (room.registrar, room.teacher):
        members = staff.get(f"/v1/institutions/{room.college}/members?role=student&limit=200").json["items"]
        told = {item["account"]: names(item) for item in members}
        assert (told[room.student.account["id"]], told[other.account["id"]]) == (own, NONE)
        (item,) = found_items(staff, own[FAMILY])
        assert item["id"] == room.student.account["id"]


def found_items(api, text):
    groups = ask(api, text).json["groups"]
    return [item for group in groups if group["kind"] == "student" for item in group["items"]]


def test_a_grader_of_one_group_reads_only_those_of_the_group(room):
    own = said(room.student)
    other, row = joined(room)
    hidden = said(other)
    grader = room.server.api().sign_up()
    room.registrar.makes_member(grader, room.college, "teacher", [room.program])
    group = changed(room.teacher.post(f"{room.path}/groups", {"set": "Lab", "title": "A"}), 201).json["group"]["id"]
    changed(room.teacher.post(f"{room.path}/groups/{group}/members", {"join": [room.row]}))
    body = {"account": grader.account["id"], "role": "grader", "groups": [group]}
    changed(room.teacher.post(f"{room.path}/staff", body))
    answer = changed(grader.get(f"{room.path}/rows?group={group}"))
    assert [names(item) for item in answer.json["rows"]] == [own]
    assert hidden[FAMILY] not in answer.body.decode()
    assert hidden[FAMILY] not in grader.get(f"{room.path}/rows").body.decode()


def test_a_fellow_student_and_a_guest_never_get_them(room):
    fellow, row = joined(room)
    own = said(room.student)
    account, me = room.student.account["id"], fellow.account["id"]
    shown = f"shown{uuid.uuid4().hex[:8]}"
    choices = {"displayName": shown, "discoverable": True, "followers": "open", "lists": "friends"}
    changed(room.student.patch("/v1/accounts/me", choices))
    changed(fellow.patch("/v1/accounts/me", {"followers": "open"}))
    changed(fellow.call("PUT", f"/v1/accounts/{account}/following"), 201)
    changed(room.student.call("PUT", f"/v1/accounts/{me}/following"), 201)
    sharing = {"what": "standing", "with": ["friends", "members"]}
    changed(room.student.call("PUT", f"/v1/records/{room.record}/sharing", sharing))
    changed(room.enter(3, value=90))
    seen = [
        f"/v1/people/{account}",
        f"/v1/accounts/{account}/following",
        "/v1/accounts/me/friends",
        "/v1/accounts/me/followers",
        "/v1/accounts/me/following",
        f"/v1/records/{room.record}/shared",
        f"{room.path}/rows/{row}",
        "/v1/feed",
        "/v1/work",
        f"/v1/search?q={shown}",
        f"/v1/search?q={own[FAMILY]}",
    ]
    unseen = [
        room.path,
        f"{room.path}/rows",
        f"{room.path}/rows/{room.row}",
        f"{room.path}/export",
        f"/v1/institutions/{room.college}/members",
        f"/v1/records/{room.record}",
    ]
    assert shown in fellow.get(f"/v1/people/{account}").body.decode()
    for path in seen + unseen:
        answer = fellow.get(path)
        assert (answer.status in (403, 404)) is (path in unseen), answer
        guest = room.server.api().get(path)
        for text in own.values():
            assert text not in answer.body.decode() and text not in guest.body.decode(), path
    for text in own.values():
        assert found(fellow, "person", text) == found(fellow, "student", text) == []
    # The displayed name finds the person, so that the search sees the person at all.
    assert found(fellow, "person", shown) == [account]


def test_the_file_of_a_class_has_them_if_a_student_has_said_them(room):
    other, row = joined(room)
    assert not {GIVEN, FAMILY} & set(table(exported(room))[1])
    own = said(room.student)
    titles, keys, rows = table(exported(room))
    assert keys[:5] == ["studentNumber", "login", "name", FAMILY, GIVEN] and titles[3:5] == ["Last name", "First name"]
    assert [names(item) for item in rows] == [own, {GIVEN: "", FAMILY: ""}]
    # Who has left is not in the file, and so gives it no columns.
    changed(room.teacher.delete(f"{room.path}/enrolments/{room.row}"))
    assert not {GIVEN, FAMILY} & set(table(exported(room))[1])


def exported(room):
    return changed(room.teacher.get(f"{room.path}/export?format=csv"))
