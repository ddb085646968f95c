"""Signing in by way of Rosefire: what is believed, of whom, how often; and the stand-in of a demonstration."""

import base64
import concurrent.futures
import hashlib
import hmac
import json
import os
import time
import uuid

import pytest
from factors import enrolled

import gradecast
from client import changed

SECRET, OLD = "a secret of the tests, longer than 32 bytes".replace(" ", "-"), "the-secret-before-" + "x" * 32


def encoded(value):
    text = value if isinstance(value, bytes) else json.dumps(value).encode()
    return base64.urlsafe_b64encode(text).rstrip(b"=").decode()


def signed(payload, header=None, secret=SECRET, digest=hashlib.sha256):
    """A token as Rosefire makes one."""
    text = f"{encoded(header or {'alg': 'HS256', 'typ': 'JWT'})}.{encoded(payload)}"
    return f"{text}.{encoded(hmac.new(secret.encode(), text.encode(), digest).digest())}"


def claims(uid=None, **more):
    person = {"uid": uid or f"u-{uuid.uuid4().hex[:12]}", "name": "A Person", "group": "STUDENT"}
    return {"v": 0, "iat": int(time.time()), "d": person} | more


def start(folder, demo=False, secrets=(SECRET, OLD), **rosefire):
    key = folder / "rosefire"
    key.write_text("\n".join(secrets))
    key.chmod(0o600)
    config = {"signIn": {"rosefire": {"registry": "an app/1", "secret": str(key)} | rosefire}}
    return gradecast.Server(folder, config=config, demo=demo)


@pytest.fixture(scope="module")
def campus(tmp_path_factory):
    """A server that believes the tests' Rosefire."""
    running = start(tmp_path_factory.mktemp("rosefire"), demo=True).start()
    yield running
    assert running.stop() == 0, running.output()


def begin(api):
    """Sets out; the cookie to come back with, and the attempt."""
    answer = changed(api.post("/v1/sign-in/rosefire"), 201)
    cookie = answer.headers["Set-Cookie"]
    assert {"HttpOnly", "SameSite=Strict", "Path=/", "Max-Age=600"} <= set(cookie.split("; "))
    return cookie.split(";")[0], answer.json["attempt"]


def come_back(api, token, outset=None, path="/v1/sessions/rosefire", **more):
    cookie, attempt = outset or begin(api)
    return api.post(path, {"token": token, "attempt": attempt} | more, cookie=cookie)


def signed_in(server, uid):
    """Somebody who has come by way of Rosefire."""
    api = server.api()
    answer = changed(come_back(api, signed(claims(uid, jti=uuid.uuid4().hex))), 201)
    api.token, api.account = answer.json["session"]["token"], answer.json["account"]
    return api


# -- what is offered


def test_guests_are_told_how_to_sign_in(campus, guest):
    offer = changed(campus.api().get("/v1/sign-in")).json
    page = "https://rosefire.csse.rose-hulman.edu/webview/login?platform=web&registryToken=an%20app%2F1"
    assert offer["providers"] == [{"id": "rosefire", "title": "Rosefire", "page": page}]
    assert offer["password"] == {"signUp": True}
    assert campus.api().get("/stand-in/rosefire").status == 404
    assert campus.api().post("/stand-in/rosefire/tokens", {"person": "lovelace"}).status == 404
    assert changed(guest.get("/v1/sign-in")).json["providers"][0]["page"] == "/stand-in/rosefire?platform=web"


def test_nothing_is_offered_unless_it_is_configured(tmp_path):
    server = gradecast.Server(tmp_path, demo=False).start()
    try:
        api = server.api()
        assert changed(api.get("/v1/sign-in")).json["providers"] == []
        assert api.post("/v1/sign-in/rosefire").status == 404
        assert api.post("/v1/sessions/rosefire", {"token": signed(claims()), "attempt": "x"}).status == 404
        assert api.get("/stand-in/rosefire").status == 404
    finally:
        assert server.stop() == 0


# -- who is let in


def test_the_first_sign_in_makes_the_account_and_later_ones_find_it(campus):
    uid = f"turing-{uuid.uuid4().hex[:6]}"
    first, again = signed_in(campus, uid), signed_in(campus, uid)
    assert first.account["id"] == again.account["id"]
    assert first.account["displayName"] == "A Person" and first.account["login"] == f"{uid}@rosefire"
    assert again.get("/v1/accounts/me").status == 200


def test_a_group_grants_nothing(campus):
    api = campus.api()
    person = {"uid": uuid.uuid4().hex, "group": "FACULTY", "role": "administrator", "admin": True}
    answer = changed(come_back(api, signed({"iat": int(time.time()), "admin": True, "d": person})), 201)
    api.token = answer.json["session"]["token"]
    assert answer.json["account"]["role"] is None
    assert api.get("/v1/memberships").json["items"] == []
    assert api.get("/v1/accounts").status == 403


def test_a_session_may_come_as_a_cookie(campus):
    answer = changed(come_back(campus.api(), signed(claims())), 201)
    assert "token" in answer.json["session"]
    api = campus.api()
    answer = changed(come_back(api, signed(claims()), cookie=True), 201)
    assert "token" not in answer.json["session"]
    cookies = answer.headers.get_all("Set-Cookie")
    pair = next(cookie for cookie in cookies if cookie.startswith("gradecast-local=")).split(";")[0]
    assert any(cookie.startswith("gradecast-sign-in=; ") and "Max-Age=0" in cookie for cookie in cookies)
    assert api.get("/v1/accounts/me", cookie=pair).status == 200


def test_the_secret_before_still_counts(campus):
    assert come_back(campus.api(), signed(claims(), secret=OLD)).status == 201


NOW = int(time.time())
HOSTILE = {
    "no signature": lambda: signed(claims()).rpartition(".")[0] + ".",
    "algorithm none": lambda: f"{encoded({'alg': 'none'})}.{encoded(claims())}.",
    "algorithm none with a signature": lambda: signed(claims(), {"alg": "none"}),
    "another hash": lambda: signed(claims(), {"alg": "HS512"}, digest=hashlib.sha512),
    "another hash by name": lambda: signed(claims(), {"alg": "RS256"}),
    "no algorithm": lambda: signed(claims(), {"typ": "JWT"}),
    "a critical extension": lambda: signed(claims(), {"alg": "HS256", "crit": ["exp"], "exp": 1}),
    "another secret": lambda: signed(claims(), secret="guessed" * 8),
    "an empty secret": lambda: signed(claims(), secret=""),
    "a payload of another token": lambda: swapped(),
    "too old": lambda: signed(claims(iat=int(time.time()) - 200)),
    "from the future": lambda: signed(claims(iat=int(time.time()) + 300)),
    "no time": lambda: signed({"d": {"uid": "ada"}}),
    "time as text": lambda: signed(claims(iat=str(NOW))),
    "time as fraction": lambda: signed(claims(iat=NOW + 0.5)),
    "an enormous time": lambda: signed(claims(iat=10**30)),
    "expired": lambda: signed(claims(exp=int(time.time()) - 1)),
    "nobody": lambda: signed({"iat": int(time.time()), "d": {"email": "ada@example.org"}}),
    "a number for a person": lambda: signed({"iat": int(time.time()), "d": {"uid": 7}}),
    "an empty person": lambda: signed({"iat": int(time.time()), "d": {"uid": ""}}),
    "a control character": lambda: signed({"iat": int(time.time()), "d": {"uid": "a\u0000"}}),
    "a member twice": lambda: signed(b'{"iat":%d,"d":{"uid":"a"},"d":{"uid":"b"}}' % int(time.time())),
    "deep nesting": lambda: signed(b'{"iat":%d,"d":{"uid":"a","x":%s}}' % (int(time.time()), b"[" * 200 + b"]" * 200)),
    "not JSON": lambda: signed(b"\xff\xfe"),
    "padding": lambda: signed(claims()) + "=",
    "four parts": lambda: signed(claims()) + ".YQ",
    "too long": lambda: signed(claims(more="x" * 5000)),
    "nothing": lambda: "",
    "not a token": lambda: "x.y.z",
}


def swapped():
    one, other = signed(claims()).split("."), signed(claims()).split(".")
    return ".".join((one[0], other[1], one[2]))


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_not_rosefires_word_is_refused_without_a_reason(campus, name):
    api = campus.api()
    answer = come_back(api, HOSTILE[name]())
    assert (answer.status, answer.faults) == (422, [("sign_in_refused", "/token")]), answer
    plain = come_back(api, "x.y.z")
    assert answer.body == plain.body


RIGHT = {"token": "x", "attempt": "x"}


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ([], ("wrong_type", "")),
        ({}, ("missing_field", "/token")),
        (RIGHT | {"token": 1}, ("wrong_type", "/token")),
        (RIGHT | {"token": None}, ("missing_field", "/token")),
        (RIGHT | {"more": 1}, ("unknown_field", "/more")),
        ({"token": "x"}, ("missing_field", "/attempt")),
    ],
)
def test_a_wrong_body_is_named(campus, body, fault):
    api = campus.api()
    answer = api.post("/v1/sessions/rosefire", body, cookie=begin(api)[0])
    assert answer.status == 422 and fault in answer.faults, answer


def test_a_sign_in_without_a_body_is_refused_by_its_type(campus):
    api = campus.api()
    assert api.post("/v1/sessions/rosefire", None, cookie=begin(api)[0]).status == 415


def test_a_token_is_believed_once(campus):
    token = signed(claims())
    assert come_back(campus.api(), token).status == 201
    assert come_back(campus.api(), token).faults == [("sign_in_refused", "/token")]


def test_of_one_token_at_once_one_is_believed(campus):
    token = signed(claims())
    callers = [campus.api() for _ in range(8)]
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda api: come_back(api, token).status, callers))
    assert sorted(found) == [201] + [422] * 7


def test_a_used_token_stays_used_over_a_restart(tmp_path):
    server = start(tmp_path).start()
    token = signed(claims())
    assert come_back(server.api(), token).status == 201
    server.kill()
    server.start()
    assert come_back(server.api(), token).faults == [("sign_in_refused", "/token")]
    assert server.stop() == 0


def test_only_the_browser_that_set_out_comes_back_and_once(campus):
    api = campus.api()
    for cookie in (None, "gradecast-sign-in=", "gradecast-sign-in=" + "A" * 43, "other=1"):
        answer = come_back(api, signed(claims()), (cookie, begin(api)[1]))
        assert (answer.status, answer.faults) == (422, [("sign_in_expired", "")]), cookie
    outset = begin(api)
    assert come_back(api, signed(claims()), outset).status == 201
    assert come_back(api, signed(claims()), outset).faults == [("sign_in_expired", "")]
    outset = begin(api)
    assert come_back(api, "x.y.z", outset).faults == [("sign_in_refused", "/token")]
    assert come_back(api, signed(claims()), outset).faults == [("sign_in_expired", "")]


def test_a_token_goes_with_the_attempt_that_asked_for_it(campus):
    api = campus.api()
    (_, first), second = begin(api), begin(api)
    assert come_back(api, signed(claims()), (second[0], first)).faults == [("sign_in_expired", "")]
    early = signed(claims(iat=int(time.time()) - 90))
    assert come_back(api, early, begin(api)).faults == [("sign_in_refused", "/token")]
    assert come_back(api, signed(claims()), second).status == 201


def test_another_origin_cannot_sign_anybody_in(campus):
    api = campus.api()
    (cookie, attempt), elsewhere = begin(api), "https://elsewhere.example"
    assert api.post("/v1/sign-in/rosefire", origin=elsewhere).status == 403
    body = {"token": signed(claims()), "attempt": attempt}
    assert api.post("/v1/sessions/rosefire", body, cookie=cookie, origin=elsewhere).status == 403
    form = api.call(
        "POST", "/v1/sessions/rosefire", f"token={signed(claims())}".encode(), cookie=cookie,
        content_type="application/x-www-form-urlencoded",
    )  # fmt: skip
    assert form.status == 415


def test_a_token_does_not_travel_in_an_address(campus):
    api = campus.api()
    assert api.get(f"/v1/sessions/rosefire?token={signed(claims())}", cookie=begin(api)[0]).status == 405
    answer = api.post(f"/v1/sessions/rosefire?token={signed(claims())}", {}, cookie=begin(api)[0])
    assert (answer.status, answer.json["code"]) == (400, "malformed")  # the route has no parameter `token`


def test_tokens_stand_in_no_log(campus):
    token = signed(claims())
    come_back(campus.api(), token)
    come_back(campus.api(), token)
    assert token.rpartition(".")[2] not in campus.log.read_text()


# -- whose account it is


def test_an_account_of_the_same_name_is_not_taken_over(campus):
    uid = f"mallory-{uuid.uuid4().hex[:6]}"
    local = campus.api().sign_up(login=f"{uid}@rosefire")
    person = signed_in(campus, uid)
    assert person.account["id"] != local.account["id"]
    assert person.account["login"] != local.login


def test_a_disabled_person_is_not_let_in(campus):
    uid = uuid.uuid4().hex
    person = signed_in(campus, uid)
    administrator = campus.signed_in("administrator")
    changed(administrator.patch(f"/v1/accounts/{person.account['id']}", {"disabled": True}))
    assert person.get("/v1/accounts/me").status == 401
    assert come_back(campus.api(), signed(claims(uid))).faults == [("sign_in_refused", "/token")]


def proven(person):
    """The person, who has shown who it is: Rosefire cannot ask again, so by an authenticator app."""
    app, _ = enrolled(person)
    changed(person.post("/v1/sessions/current/proof", {"totp": app.next_code()}), 204)
    return person


def test_a_deleted_person_is_a_newcomer(campus):
    uid = uuid.uuid4().hex
    person = proven(signed_in(campus, uid))
    assert person.delete("/v1/accounts/me").status == 204
    assert signed_in(campus, uid).account["id"] != person.account["id"]


def test_accounts_are_made_only_where_the_operator_allows_it(tmp_path):
    server = start(tmp_path, demo=True, signUp=False).start()
    try:
        api = server.api().sign_up()
        refused = come_back(server.api(), signed(claims("ada")))
        assert (refused.status, refused.faults) == (422, [("sign_up_closed", "/token")])
        link(api, "ada")
        assert signed_in(server, "ada").account["id"] == api.account["id"]
    finally:
        assert server.stop() == 0


# -- linking


LINKING = "/v1/accounts/me/identities/rosefire"


def link(api, uid):
    return come_back(api, signed(claims(uid, jti=uuid.uuid4().hex)), path=LINKING)


def test_a_signed_in_person_links_and_unlinks(campus):
    api, uid = campus.api().sign_up(), uuid.uuid4().hex
    made = changed(link(api, uid), 201).json["identity"]
    assert (made["provider"], made["subject"]) == ("rosefire", uid)
    assert signed_in(campus, uid).account["id"] == api.account["id"]
    listed = changed(api.get("/v1/accounts/me/identities")).json
    assert listed["items"] == [made] and listed["password"] is True
    assert uid in api.get("/v1/accounts/me/export").body.decode()
    assert api.delete("/v1/accounts/me/identities/rosefire").status == 204
    assert api.delete("/v1/accounts/me/identities/rosefire").status == 404
    assert api.delete("/v1/accounts/me/identities/elsewhere").status == 404
    assert signed_in(campus, uid).account["id"] != api.account["id"]


def test_what_was_begun_by_one_is_not_finished_by_another(campus):
    attacker, victim, uid = campus.api().sign_up(), campus.api().sign_up(), uuid.uuid4().hex
    for outset in (begin(attacker), begin(campus.api())):
        assert come_back(victim, signed(claims(uid)), outset, path=LINKING).faults == [("sign_in_expired", "")]
    assert come_back(campus.api(), signed(claims(uid)), path=LINKING).status == 401
    assert victim.get("/v1/accounts/me/identities").json["items"] == []


def test_a_person_has_one_account_and_an_account_one_person(campus):
    one, other, uid = campus.api().sign_up(), campus.api().sign_up(), uuid.uuid4().hex
    changed(link(one, uid), 201)
    assert changed(link(one, uid), 201).json["identity"]["subject"] == uid
    assert link(other, uid).faults == [("identity_taken", "/token")]
    assert link(one, uuid.uuid4().hex).faults == [("identity_present", "/token")]


def test_the_only_way_in_stays(campus):
    person = proven(signed_in(campus, uuid.uuid4().hex))
    assert person.get("/v1/accounts/me/identities").json["password"] is False
    answer = person.delete("/v1/accounts/me/identities/rosefire")
    assert (answer.status, answer.faults) == (422, [("last_sign_in", "")])
    french = person.delete("/v1/accounts/me/identities/rosefire", accept_language="fr").json["faults"][0]["message"]
    assert french != answer.json["faults"][0]["message"]


def test_the_trail_tells_of_links(campus):
    person = signed_in(campus, uuid.uuid4().hex)
    administrator = campus.signed_in("administrator")
    items = administrator.get(f"/v1/audit?subject={person.account['id']}").json["items"]
    assert [item["action"] for item in items] == ["session.opened", "identity.linked", "account.created"]


# -- the operator


@pytest.mark.parametrize(
    "secrets, words",
    [(["short"], "32"), ([], "0"), ([SECRET] * 3, "3"), (["with a blank in it, but long enough otherwise"], "ASCII")],
)
def test_a_server_does_not_start_with_a_bad_secret(tmp_path, secrets, words):
    server = start(tmp_path, secrets=secrets)
    result = gradecast.run(*server.arguments)
    assert result.returncode == 1 and words in result.stderr, result


def test_a_server_does_not_start_with_a_secret_that_others_can_read(tmp_path):
    server = start(tmp_path)
    (tmp_path / "rosefire").chmod(0o640)
    result = gradecast.run(*server.arguments)
    assert result.returncode == 1 and "chmod" in result.stderr, result
    os.remove(tmp_path / "rosefire")
    assert gradecast.run(*server.arguments).returncode == 1


# -- the stand-in


@pytest.mark.parametrize(
    "more, arguments",
    [
        ({}, []),
        ({"listen": {"proxies": ["127.0.0.1"]}}, ["--demo"]),
        ({"listen": {"host": "0.0.0.0"}}, ["--demo", "--insecure"]),
    ],
)
def test_a_stand_in_is_refused_outside_a_demonstration_on_loopback(tmp_path, more, arguments):
    path = tmp_path / "config.json"
    path.write_text(json.dumps({"signIn": {"rosefire": {"standIn": True}}} | more))
    common = ["serve", "--config", path, "--data", tmp_path / "data", "--port", gradecast.free_port()]
    result = gradecast.run(*common, *arguments)
    assert result.returncode == 1 and "standIn" in result.stderr, result


def test_the_stand_in_lets_its_people_in(server, guest):
    page = changed(guest.get("/stand-in/rosefire?platform=web"))
    assert "Ada Lovelace" in page.body.decode()
    assert "script-src 'self'" in page.headers["Content-Security-Policy"]
    assert page.headers["Cross-Origin-Opener-Policy"] == "same-origin-allow-popups"
    script = changed(guest.get("/stand-in/rosefire/script.js"))
    assert script.headers["Content-Type"].startswith("text/javascript")
    token = changed(guest.post("/stand-in/rosefire/tokens", {"person": "lovelace"}), 201).json["token"]
    answer = changed(come_back(guest, token), 201)
    assert answer.json["account"]["displayName"] == "Ada Lovelace"
    assert guest.post("/stand-in/rosefire/tokens", {"person": "demo-administrator"}).status == 422
    key = server.data.parent / "data-keys" / "rosefire-stand-in"
    assert key.stat().st_mode & 0o777 == 0o600
