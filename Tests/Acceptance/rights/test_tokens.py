"""API tokens: what they open, from where, until when, and what their end takes with it."""

import time

import pytest
from tokens import TOKENS, bearer
from websockets.exceptions import ConnectionClosed

from client import changed
from live import Events, Live
from stored import stored


def change(server, statement, *values):
    """What a test cannot wait for."""
    with stored(server) as store:
        store.execute(statement, values)


def test_a_token_is_told_once_and_listed_without_its_text(student):
    answer = changed(
        student.post(TOKENS, {"name": "Export", "scopes": ["records:read", "profile:read"], "days": 7}), 201
    )
    text = answer.json["token"]["token"]
    assert text.startswith("gct_") and len(text) == 47
    (listed,) = student.get(TOKENS).json["items"]
    assert listed == {name: value for name, value in answer.json["token"].items() if name != "token"}
    assert (listed["scopes"], listed["networks"], listed["usedAt"]) == (["profile:read", "records:read"], [], None)
    held = student.get("/v1/accounts/me/export")
    assert [token["id"] for token in held.json["tokens"]] == [listed["id"]]
    assert text.encode() not in held.body
    trail = [line for line in held.json["audit"] if line["action"] == "token.created"]
    assert [line["detail"]["name"] for line in trail] == ["Export"]


def test_a_use_is_noted(server, student):
    caller = bearer(server, student, "profile:read")
    assert caller.get("/v1/accounts/me").json["login"] == student.login
    (listed,) = student.get(TOKENS).json["items"]
    assert listed["usedAt"] is not None


def test_a_token_counts_alone_whatever_cookie_comes_with_it(server, student):
    caller = bearer(server, student, "profile:read")
    body = {"login": student.login, "password": student.password, "cookie": True}
    cookies = changed(server.api().post("/v1/sessions", body), 201).headers.get_all("Set-Cookie")
    session = next(cookie for cookie in cookies if cookie.startswith("gradecast-local=")).split(";")[0]
    assert server.api().get("/v1/records", cookie=session).status == 200
    refused = caller.get("/v1/records", cookie=session)
    assert (refused.status, refused.json["code"]) == (403, "insufficient_scope")
    refused = caller.post(TOKENS, {"name": "x", "scopes": ["profile:read"]}, cookie=session)
    assert (refused.status, refused.json["code"]) == (403, "session_required")


def test_a_token_in_a_cookie_opens_nothing(server, student):
    token = bearer(server, student, "profile:read").token
    for value in (token, token.removeprefix("gct_")):
        assert server.api().get("/v1/accounts/me", cookie=f"gradecast-local={value}").status == 401


def test_a_token_works_from_its_networks_alone(server, student):
    token = bearer(server, student, "profile:read", networks=["127.0.0.2"]).token
    assert server.api(token, source="127.0.0.2").get("/v1/accounts/me").status == 200
    refused = server.api(token).get("/v1/accounts/me")
    assert (refused.status, refused.json["code"]) == (403, "forbidden")
    with pytest.raises(ConnectionClosed) as end:
        Live(server, token)
    assert end.value.rcvd.code == 4501


def test_an_old_session_makes_no_token(own_server):
    student = own_server.api().sign_up()
    change(own_server, "UPDATE sessions SET created_at = 0 WHERE account = ?", student.account["id"])
    change(own_server, "DELETE FROM session_proofs")
    refused = student.post(TOKENS, {"name": "x", "scopes": ["profile:read"]})
    assert (refused.status, refused.json["code"]) == (401, "step_up_required")
    assert refused.headers["WWW-Authenticate"] == 'Bearer realm="gradecast", error="insufficient_user_authentication"'


def test_the_end_of_a_token_ends_its_connections(server, student):
    record = student.new_record("chalkboard")
    ended, other = (bearer(server, student, "records:read") for _ in range(2))
    connections = [Live(server, caller.token) for caller in (ended, other)]
    for connection in connections:
        assert connection.subscribe(f"standing/{record.id}")["t"] == "state"
    stream = Events(server, ended.token, f"standing/{record.id}")
    assert stream.status == 200
    changed(student.delete(f"{TOKENS}/{ended.id}"), 204)
    assert connections[0].closed() == 4503
    assert connections[1].subscribe(f"record/{record.id}")["t"] == "state"
    connections[1].close()
    stream.close()
    assert ended.get("/v1/records").status == 401
    assert other.get("/v1/records").status == 200
    assert student.delete(f"{TOKENS}/{ended.id}").status == 404


@pytest.mark.slow("waits for the three seconds of a token; one that ends sooner may end before it is used")
def test_a_token_that_expires_ends_its_connections(server, student):
    caller = bearer(server, student, "records:read")
    for seconds in (3, 15, 60):
        end = int((time.time() + seconds) * 1_000_000)
        change(server, "UPDATE api_tokens SET expires_at = ? WHERE id = ?", end, caller.id)
        try:
            connection = Live(server, caller.token)
        except ConnectionClosed:  # too slow to get here in time
            continue
        break
    assert connection.closed() == 4503
    refused = caller.get("/v1/records")
    assert (refused.status, refused.json["code"]) == (401, "token_expired")


def test_a_disabled_account_has_no_tokens_that_work(server):
    student, administrator = server.api().sign_up(), server.signed_in("administrator")
    caller = bearer(server, student, "profile:read", "records:read")
    connection = Live(server, caller.token)
    changed(administrator.patch(f"/v1/accounts/{student.account['id']}", {"disabled": True}))
    assert connection.closed() == 4503
    assert caller.get("/v1/accounts/me").status == 401


def test_a_token_waits_for_a_newer_version(server, student):
    record = student.new_record("chalkboard")
    caller = bearer(server, student, "records:read")
    first = caller.get(f"{record.path}/standing")
    same = caller.get(f"{record.path}/standing", prefer="wait=1", if_none_match=first.etag)
    assert same.status == 304


def test_who_enters_grades_changes_in_a_session_alone(server):
    registrar = server.signed_in("registrar")
    institution = server.signed_in("administrator").get("/v1/institutions/demo").json["institution"]["id"]
    caller = bearer(server, registrar, "programs:read", "programs:write")
    wish = {"scheme": "chalkboard", "title": "Whose", "entry": "self"}
    program = changed(caller.post(f"/v1/institutions/{institution}/programs", wish), 201).json["program"]["id"]
    path = f"/v1/programs/{program}"
    changed(caller.patch(path, {"title": "Renamed", "entry": "self"}))
    refused = caller.patch(path, {"entry": "both"})
    assert (refused.status, refused.json["code"]) == (403, "session_required")
    assert changed(caller.get(path)).json["program"]["entry"] == "self"
    assert changed(registrar.patch(path, {"entry": "both"})).json["program"]["entry"] == "both"


def test_roles_of_staff_need_a_session(server):
    registrar, student = server.signed_in("registrar"), server.api().sign_up()
    place = next(item for item in registrar.get("/v1/memberships").json["items"] if item["role"] == "registrar")
    caller = bearer(server, registrar, "roster:write")
    members = f"/v1/institutions/{place['institution']}/members"
    path = f"{members}/{student.account['id']}"
    assert caller.call("PUT", path, {"role": "student"}).status == 202
    refused = caller.call("PUT", path, {"role": "teacher"})
    assert (refused.status, refused.json["code"]) == (403, "session_required")
    registrar.makes_member(student, place["institution"], "teacher")
    assert caller.call("PUT", path, {"role": "student"}).status == 403
    assert caller.delete(path).status == 403
    assert registrar.call("PUT", path, {"role": "student"}).status == 200
    assert caller.delete(path).status == 204


def test_everything_wrong_with_a_request_is_told_at_once(student):
    answer = student.post(TOKENS, {"scopes": ["records:read", "all"], "days": 0, "networks": ["everywhere"]})
    assert answer.status == 422
    assert sorted(answer.faults) == [
        ("missing_field", "/name"),
        ("network_invalid", "/networks/0"),
        ("out_of_range", "/days"),
        ("out_of_range", "/scopes/1"),
    ]
    answer = student.post(TOKENS, {"name": "x", "scopes": ["backup"]})
    assert sorted(answer.faults) == [("missing_field", "/networks"), ("scope_refused", "/scopes")]


def test_a_refused_bearer_reads_in_a_header_what_is_wrong(server, student):
    """RFC 6750, 3, and RFC 9470 for a proof that is too old."""
    caller = bearer(server, student, "profile:read")
    unknown = server.api("gct_" + "A" * 43)
    told = {
        "unauthenticated": unknown.get("/v1/accounts/me"),
        "insufficient_scope": caller.get("/v1/records"),
        "session_required": caller.get("/v1/sessions"),
    }
    assert {code: answer.json["code"] for code, answer in told.items()} == {code: code for code in told}
    assert {code: answer.headers.get("WWW-Authenticate") for code, answer in told.items()} == {
        "unauthenticated": 'Bearer realm="gradecast", error="invalid_token"',
        "insufficient_scope": 'Bearer realm="gradecast", error="insufficient_scope", scope="records:read"',
        "session_required": None,
    }
    assert server.api().get("/v1/accounts/me").headers.get("WWW-Authenticate") is None
