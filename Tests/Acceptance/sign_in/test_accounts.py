"""Accounts, sessions, roles, and what one may not know exists."""

import uuid

import pytest

from client import changed
from oracle.build import board_total, without_ids

SOUND = {"password": "correct horse battery", "displayName": "Person"}


def problem(answer):
    """What a refusal says, without what names this very request."""
    return answer.status, {name: value for name, value in answer.json.items() if name not in ("instance", "id")}


# -- signing up, in and out


def test_signing_up_signs_in(guest):
    login = f"new-{uuid.uuid4().hex}"
    answer = guest.post("/v1/accounts", SOUND | {"login": login})
    assert answer.status == 201, answer
    assert {"token", "expiresAt"} <= set(answer.json["session"])
    assert "password" not in answer.body.decode()
    guest.token = answer.json["session"]["token"]
    assert guest.get("/v1/accounts/me").status == 200


def test_a_login_belongs_to_one_account(guest, student):
    for login in (student.login, student.login.upper()):
        answer = guest.post("/v1/accounts", SOUND | {"login": login})
        assert answer.status == 422, answer
    assert guest.sign_in(student.login, student.password).account["id"] == student.account["id"]


def test_every_fault_of_a_sign_up_is_named(guest):
    answer = guest.post("/v1/accounts", {"login": "", "password": "short", "displayName": "", "colour": "blue"})
    assert answer.status == 422, answer
    assert {"/login", "/password", "/colour"} <= {path for _, path in answer.faults}


@pytest.mark.parametrize("password", ["1234567", "password", "12345678", "x" * 257, "", 12345678, None])
def test_a_weak_password_is_refused(guest, password):
    answer = guest.post("/v1/accounts", SOUND | {"login": f"new-{uuid.uuid4().hex}", "password": password})
    assert answer.status == 422, answer
    assert "/password" in {path for _, path in answer.faults}


def test_a_password_may_be_any_text(server):
    for password in ("пароль и ещё", "🔑 und 🚪, bitte", " leading and trailing ", "xylophone " * 25 + "tuning"):
        api = server.api().sign_up(password=password)
        server.api().sign_in(api.login, password)


def test_unknown_logins_and_wrong_passwords_are_told_alike(guest, student):
    wrong = guest.post("/v1/sessions", {"login": student.login, "password": "wrong horse battery"})
    unknown = guest.post("/v1/sessions", {"login": f"nobody-{uuid.uuid4().hex}", "password": "wrong horse battery"})
    assert wrong.status == 401
    assert problem(wrong) == problem(unknown)


def test_signing_out_ends_the_session(student):
    other = student.twin().sign_in(student.login, student.password)
    sessions = student.get("/v1/sessions").json["items"]
    assert len(sessions) == 2
    assert all("token" not in session for session in sessions)
    assert student.delete("/v1/sessions/current").status == 204
    assert student.get("/v1/accounts/me").status == 401
    assert other.get("/v1/accounts/me").status == 200


def test_a_session_ends_another_of_the_same_account_only(student, stranger):
    other = student.twin()
    answer = other.post("/v1/sessions", {"login": student.login, "password": student.password})
    session = answer.json["session"]
    other.token = session["token"]
    assert stranger.delete(f"/v1/sessions/{session['id']}").status == 404
    assert other.get("/v1/accounts/me").status == 200
    assert student.delete(f"/v1/sessions/{session['id']}").status == 204
    assert other.get("/v1/accounts/me").status == 401


@pytest.mark.parametrize("header", ["Bearer", "Bearer ", "Bearer x", "Basic eDp5", "bearer\tx", "Bearer " + "a" * 4000])
def test_a_bad_token_is_unauthenticated(guest, header):
    answer = guest.get("/v1/accounts/me", authorization=header)
    assert (answer.status, answer.json["code"]) == (401, "unauthenticated")


def test_a_cookie_session_works_from_the_same_origin_only(student, server):
    answer = student.twin().post("/v1/sessions", {"login": student.login, "password": student.password, "cookie": True})
    assert answer.status == 201, answer
    assert "token" not in answer.json["session"]
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie and "SameSite=Strict" in cookie
    guest, pair = server.api(), cookie.split(";")[0]
    assert guest.get("/v1/accounts/me", cookie=pair).status == 200
    own = f"http://127.0.0.1:{server.port}"
    change = {"displayName": "Renamed"}
    assert guest.patch("/v1/accounts/me", change, cookie=pair, origin="http://elsewhere.example").status == 403
    assert guest.patch("/v1/accounts/me", change, cookie=pair, origin="null").status == 403
    assert guest.patch("/v1/accounts/me", change, cookie=pair, origin=own).status == 200


@pytest.mark.parametrize("cookie", ["ended", "unknown", "malformed"])
def test_a_stale_cookie_locks_nobody_out(server, cookie):
    api = server.api().sign_up()
    answer = api.post("/v1/sessions", {"login": api.login, "password": api.password, "cookie": True})
    pair = answer.headers["Set-Cookie"].split(";")[0]
    own = f"http://127.0.0.1:{server.port}"
    assert server.api().delete("/v1/sessions/current", cookie=pair, origin=own).status == 204
    pair = {"ended": pair, "unknown": "gradecast-local=" + "A" * 43, "malformed": "gradecast-local=x"}[cookie]
    guest = server.api()
    for path in ("/", "/v1/schemes", "/v1/sign-in", "/v1/institutions/demo/programs", "/openapi.json"):
        assert guest.get(path, cookie=pair).status == 200, path
    assert guest.post("/v1/evaluate", {"scheme": "iut", "entries": []}, cookie=pair).status == 200
    assert guest.get("/v1/accounts/me", cookie=pair).status == 401
    login = {"login": api.login, "password": api.password}
    assert guest.post("/v1/sessions", login, cookie=pair).status == 201
    assert guest.post("/v1/sessions", login, cookie=pair, origin=own).status == 201
    assert guest.post("/v1/accounts", SOUND | {"login": uuid.uuid4().hex}, cookie=pair).status == 201
    assert guest.post("/v1/sign-in/rosefire", cookie=pair).status == 201


def test_a_stale_token_that_is_shown_on_purpose_is_refused_everywhere(server):
    api = server.api().sign_up()
    assert api.delete("/v1/sessions/current").status == 204
    for path in ("/v1/schemes", "/v1/sign-in", "/v1/accounts/me"):
        answer = api.get(path)
        assert (answer.status, answer.json["code"]) == (401, "unauthenticated"), path


# -- the profile


def test_the_profile_is_edited_field_by_field(student):
    change = {"displayName": "Zoë", "description": "多语言", "avatarHue": 359.9, "locale": "fr"}
    answer = student.patch("/v1/accounts/me", change)
    assert answer.status == 200, answer
    account = student.get("/v1/accounts/me").json
    account = account.get("account", account)
    assert {name: str(account[name]) for name in change} == {name: str(value) for name, value in change.items()}


@pytest.mark.parametrize(
    "change, path",
    [
        ({"avatarHue": 360.1}, "/avatarHue"),
        ({"avatarHue": -1}, "/avatarHue"),
        ({"avatarHue": "0.05"}, "/avatarHue"),
        ({"locale": "xx"}, "/locale"),
        ({"displayName": ""}, "/displayName"),
        ({"role": "administrator"}, "/role"),
        ({"id": "x"}, "/id"),
        ({"displayName": 1}, "/displayName"),
        ({"gender": "x" * 5000}, "/gender"),
    ],
)
def test_a_wrong_profile_changes_nothing(student, change, path):
    before = student.get("/v1/accounts/me").body
    answer = student.patch("/v1/accounts/me", {"description": "changed"} | change)
    assert answer.status == 422, answer
    assert [found for _, found in answer.faults] == [path]
    assert student.get("/v1/accounts/me").body == before


def test_the_accounts_language_is_used_where_the_request_names_none(student):
    student.patch("/v1/accounts/me", {"locale": "fr"})
    record = student.new_record("chalkboard")
    body = without_ids([board_total("", 3, 80)])[0]
    french = student.post(record.path + "/entries", body, accept_language=None).json["faults"][0]["message"]
    english = student.post(record.path + "/entries", body, accept_language="en").json["faults"][0]["message"]
    assert french != english
    assert (
        french
        == student.post(record.path + "/entries", body, accept_language="fr-CA, en;q=0.5").json["faults"][0]["message"]
    )


def test_the_export_has_everything_of_mine(student):
    record = student.new_record("chalkboard")
    record.add(board_total("Algorithms of mine", 3, 80))
    answer = student.get("/v1/accounts/me/export")
    assert answer.status == 200, answer
    text = answer.body.decode()
    for held in (student.login, record.id, "Algorithms of mine"):
        assert held in text
    assert student.token not in text and "argon2" not in text


def test_a_deleted_account_leaves_nothing_behind(server, student, guest):
    record = student.new_record("chalkboard")
    account = student.account["id"]
    assert student.delete("/v1/accounts/me").status == 204
    assert student.get("/v1/accounts/me").status == 401
    assert guest.post("/v1/sessions", {"login": student.login, "password": student.password}).status == 401
    administrator = server.signed_in("administrator")
    assert administrator.get(record.path).status == 404
    assert account not in [one["id"] for one in administrator.get(f"/v1/accounts?query={student.login}").json["items"]]


def test_an_administrator_exports_and_erases_with_a_reason_in_the_trail(server, administrator, student):
    record, account = student.new_record("chalkboard"), student.account["id"]
    record.add(board_total("Algorithms of mine", 3, 80))
    path = f"/v1/accounts/{account}"
    export = administrator.get(f"{path}/export?reason=Asked+in+writing,+2026-11-22")
    assert export.status == 200, export
    own = student.get("/v1/accounts/me/export").json
    assert export.json["account"] == own["account"]
    assert export.json["records"] == own["records"] and "Algorithms of mine" in export.body.decode()
    assert administrator.delete(f"{path}?reason=Asked+in+writing").status == 204
    assert student.get("/v1/accounts/me").status == 401
    assert administrator.get(record.path).status == 404
    assert server.api().post("/v1/sessions", {"login": student.login, "password": student.password}).status == 401
    trail = administrator.get(f"/v1/audit?subject={account}").json["items"]
    assert [(line["action"], line["by"]) for line in trail[:2]] == [
        ("account.deleted", administrator.account["id"]), ("account.exported", administrator.account["id"])
    ]  # fmt: skip
    assert trail[0]["detail"] == {"reason": "Asked in writing"}
    assert trail[1]["detail"] is None  # erased with the account, like all that was said of it


@pytest.mark.parametrize("query", ["", "?reason=", "?reason=%20", "?reason=" + "x" * 501, "?reason=a%0Ab"])
def test_nobodys_data_is_taken_or_erased_without_a_reason(administrator, student, query):
    path = f"/v1/accounts/{student.account['id']}"
    for answer in (administrator.get(f"{path}/export{query}"), administrator.delete(f"{path}{query}")):
        assert (answer.status, [path for _, path in answer.faults]) == (422, ["/reason"])
    assert student.get("/v1/accounts/me").status == 200
    trail = administrator.get(f"/v1/audit?subject={student.account['id']}").json["items"]
    assert {line["action"] for line in trail} == {"account.created", "session.opened"}


def test_an_unknown_account_has_no_export_and_the_last_administrator_stays(administrator):
    unknown = f"/v1/accounts/{uuid.uuid4()}"
    assert administrator.get(f"{unknown}/export?reason=asked").status == 404
    assert administrator.delete(f"{unknown}?reason=asked").status == 404
    answer = administrator.delete(f"/v1/accounts/{administrator.account['id']}?reason=asked")
    assert (answer.status, answer.faults) == (422, [("last_administrator", "")])


# -- roles


def test_a_role_that_is_given_or_taken_signs_nobody_out(administrator, student):
    path = f"/v1/accounts/{student.account['id']}"
    changed(administrator.patch(path, {"role": "administrator"}))
    changed(student.get("/v1/accounts"))
    changed(administrator.patch(path, {"role": None}))
    assert student.get("/v1/accounts").status == 403
    changed(student.get("/v1/accounts/me"))


def test_another_persons_record_answers_as_one_that_is_not_there(student, stranger, guest):
    record = student.new_record("chalkboard")
    course = record.add(board_total("Algorithms", 3, 80)).json["entry"]["id"]
    nowhere = str(uuid.uuid4())
    before = record.get().body
    body = without_ids([board_total("Mine", 3, 80)])[0]
    for method, path, sent in (
        ("GET", "", None),
        ("PATCH", "", {"fields": {}}),
        ("DELETE", "", None),
        ("GET", "/standing", None),
        ("GET", "/history", None),
        ("POST", "/entries", body),
        ("POST", "/changes", {"changes": []}),
        ("POST", "/undo", {}),
        ("POST", "/what-if", {"changes": []}),
        ("PATCH", f"/entries/{course}", {"fields": {"credits": 1}}),
        ("DELETE", f"/entries/{course}", None),
        ("DELETE", "/entries?position=1", None),
    ):
        foreign = stranger.call(method, f"/v1/records/{record.id}{path}", sent)
        missing = stranger.call(method, f"/v1/records/{nowhere}{path}", sent)
        assert foreign.status == 404, (method, path, foreign)
        assert problem(foreign) == problem(missing), (method, path)
        assert guest.call(method, f"/v1/records/{record.id}{path}", sent).status == 401, (method, path)
    assert record.get().body == before


def test_only_administrators_see_accounts_and_the_audit(server, student, guest):
    for path in ("/v1/accounts", "/v1/audit"):
        assert guest.get(path).status == 401
        for api in (student, server.signed_in("teacher"), server.signed_in("registrar")):
            assert api.get(path).status == 403, path
        assert server.signed_in("administrator").get(path).status == 200


def test_a_disabled_account_is_out_at_once(administrator, student, guest):
    path = f"/v1/accounts/{student.account['id']}"
    assert administrator.patch(path, {"disabled": True}).status == 200
    assert student.get("/v1/accounts/me").status == 401
    refused = guest.post("/v1/sessions", {"login": student.login, "password": student.password})
    unknown = guest.post("/v1/sessions", {"login": f"nobody-{uuid.uuid4().hex}", "password": student.password})
    assert problem(refused) == problem(unknown)
    assert administrator.patch(path, {"disabled": False}).status == 200
    guest.sign_in(student.login, student.password)


def test_every_demo_role_may_sign_in_and_the_file_is_private(server):
    assert set(server.sign_ins()) == {"administrator", "registrar", "teacher", "student"}
    assert (server.data / "demo-sign-ins.json").stat().st_mode & 0o777 == 0o600
    for role in server.sign_ins():
        server.signed_in(role)


def test_a_student_makes_no_institution_and_no_program(student):
    assert student.post("/v1/institutions", {"slug": "mine", "title": "Mine"}).status == 403
    answer = student.post("/v1/institutions/demo/programs", {"scheme": "iut", "title": "Mine"})
    assert answer.status == 403


# -- guests


def test_guests_read_schemes_and_open_programs(guest):
    schemes = guest.get("/v1/schemes")
    assert {scheme["id"] for scheme in schemes.json["items"]} >= {"chalkboard", "rose-hulman", "iut"}
    for scheme in ("chalkboard", "rose-hulman", "iut"):
        answer = guest.get(f"/v1/schemes/{scheme}")
        assert answer.status == 200, answer
        assert guest.program(scheme)
    assert guest.get("/v1/schemes/nothing").status == 404
    for path in ("/v1/records", "/v1/accounts/me", "/v1/sessions"):
        assert guest.get(path).status == 401
