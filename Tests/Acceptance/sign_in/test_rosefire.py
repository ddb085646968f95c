"""Signing in with Rosefire: what is believed, of whom, how often."""

import concurrent.futures
import hashlib
import time
import uuid

import pytest
from rosefire import OLD, begin, claims, come_back, encoded, signed, signed_in, start

import gradecast
from client import changed


@pytest.fixture(scope="module")
def campus(tmp_path_factory):
    """A server that believes the tests' Rosefire."""
    running = start(tmp_path_factory.mktemp("rosefire"), demo=True).start()
    yield running
    assert running.stop() == 0, running.output()


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
