"""Signing out at a provider ends the sessions that were opened through it, and nothing else."""

import time
import urllib.parse
import uuid

import pytest
import test_cas
from factors import enrolled
from issuer import CLIENT, Key, signed
from oidc import begin, come_back, configuration, sign_in

import gradecast
from client import changed
from live import Live
from stored import kept, stored

EVENT = "http://schemas.openid.net/event/backchannel-logout"
FORM = "application/x-www-form-urlencoded"
ENDED = 4503  # the session of a live connection is over


@pytest.fixture(scope="module")
def campus(tmp_path_factory, issuer, other):
    folder = tmp_path_factory.mktemp("logout")
    config = configuration(folder, {"university": issuer.url, "academy": other.url})
    running = gradecast.Server(folder, config=config, demo=True).start()
    yield running
    assert running.stop() == 0, running.output()


def posted(server, form, provider="university", path="/v1/sign-in/{}/logout"):
    body = form if isinstance(form, bytes) else urllib.parse.urlencode(form).encode()
    return server.api().post(path.format(provider), body, content_type=FORM)


def said(issuer, **claims):
    """What a right logout token says, but for the claims that are given; `None` takes one away."""
    now = int(time.time())
    right = {
        "iss": issuer.url, "aud": CLIENT, "iat": now, "exp": now + 120, "jti": uuid.uuid4().hex, "events": {EVENT: {}},
    } | claims  # fmt: skip
    return {name: value for name, value in right.items() if value is not None}


def told(server, issuer, make=signed, provider="university", **claims):
    """The issuer tells of a logout."""
    token = make(said(issuer, **claims), issuer.keys[-1])
    return posted(server, {"logout_token": token}, provider)


def opened(server, issuer, subject, **claims):
    """A session through the issuer."""
    token = changed(sign_in(server, issuer, subject, **claims), 201).json["session"]["token"]
    return server.api(token=token)


def is_open(api):
    return api.get("/v1/accounts/me").status == 200


def test_a_logout_ends_the_session_that_it_names(campus, issuer):
    subject = uuid.uuid4().hex
    one, two = (opened(campus, issuer, subject, sid=sid) for sid in ("one", "two"))
    answer = changed(told(campus, issuer, sid="one", sub=subject))
    assert (answer.headers["Cache-Control"], answer.body) == ("no-store", b"")
    assert not is_open(one) and is_open(two)
    lines = changed(campus.signed_in("administrator").get("/v1/audit")).json["items"]
    (line,) = [line for line in lines if line["action"] == "session.loggedOut"][:1]
    assert (line["by"], line["subject"]) == (None, changed(two.get("/v1/accounts/me")).json["id"])
    item = changed(two.get("/v1/accounts/me/activity")).json["items"][0]
    assert (item["action"], item["own"], item["source"]) == ("session.loggedOut", False, None)


def test_a_logout_of_a_person_ends_what_was_opened_through_the_provider_alone(campus, issuer, other):
    subject = uuid.uuid4().hex
    api = opened(campus, issuer, subject, sid="first")
    cookie, location = begin(api, "academy")
    linked = come_back(api, other.grant(location, subject), cookie, "academy", path="/v1/accounts/me/identities/{}")
    changed(linked, 201)
    guest = campus.api()
    cookie, location = begin(guest, "academy")
    through = changed(come_back(guest, other.grant(location, subject), cookie, "academy"), 201).json["session"]["token"]
    second, stranger = opened(campus, issuer, subject), opened(campus, issuer, uuid.uuid4().hex, sid="first")
    changed(told(campus, issuer, sub=subject))
    assert [is_open(one) for one in (api, second, stranger, campus.api(token=through))] == [False, False, True, True]
    changed(told(campus, issuer, sub="nobody"))


def test_live_connections_end_before_the_answer(campus, issuer):
    subject = uuid.uuid4().hex
    api = opened(campus, issuer, subject, sid="live")
    live = Live(campus, api.token)
    changed(told(campus, issuer, sid="live"))
    assert live.closed() == ENDED


def test_a_sign_in_that_waits_for_its_second_factor_ends_as_well(campus, issuer):
    subject = uuid.uuid4().hex
    api = opened(campus, issuer, subject)
    app, _ = enrolled(api)
    waiting = sign_in(campus, issuer, subject, sid="waits")
    assert (waiting.status, waiting.json["code"]) == (401, "second_factor_required")
    changed(told(campus, issuer, sid="waits"))
    answer = campus.api().post(
        "/v1/sessions/second-factor", {"challenge": waiting.json["challenge"], "code": app.next_code()}
    )
    assert answer.faults == [("sign_in_expired", "")]


NOW = int(time.time())
CLAIMS = {
    "another issuer": {"iss": "https://login.example.org"},
    "another audience": {"aud": "somebody else"},
    "no audience": {"aud": None},
    "a nonce": {"nonce": "x"},
    "no events": {"events": None},
    "other events": {"events": {"http://schemas.openid.net/event/other": {}}},
    "events that are a list": {"events": [EVENT]},
    "an event that is no object": {"events": {EVENT: True}},
    "no time": {"iat": None},
    "an old one": {"iat": NOW - 3_600, "exp": None},
    "one of the future": {"iat": NOW + 30 * 86_400},
    "expired": {"exp": NOW - 120},
    "no name": {"jti": None},
    "nobody": {"sub": None, "sid": None},
    "a session that is a number": {"sid": 7},
    "a subject that is a number": {"sub": 7},
    "another person": {"sub": "somebody-else"},
}


@pytest.mark.parametrize("name", CLAIMS)
def test_what_is_wrong_about_a_token_ends_nothing(campus, issuer, name):
    subject = uuid.uuid4().hex
    api = opened(campus, issuer, subject, sid=subject)
    answer = told(campus, issuer, **({"sub": subject, "sid": subject} | CLAIMS[name]))
    assert answer.status == (200 if name == "another person" else 400), answer
    assert is_open(api)


STRANGER = Key()
TOKENS = {
    "another key by the same name": lambda said, key: signed(said, STRANGER, {"kid": key.id}),
    "no algorithm": lambda said, key: signed(said, key, algorithm="none"),
    "HS256 with the public key": lambda said, key: signed(said, key, algorithm="HS256"),
    "ES256 by name": lambda said, key: signed(said, key, {"alg": "ES256"}),
    "a critical extension": lambda said, key: signed(said, key, {"crit": ["x"], "x": 1}),
    "an access token": lambda said, key: signed(said, key, {"typ": "at+jwt"}),
    "not a token": lambda said, key: "x.y.z",
    "nothing": lambda said, key: "",
}


@pytest.mark.parametrize("name", TOKENS)
def test_what_the_issuer_did_not_sign_ends_nothing(campus, issuer, name):
    subject = uuid.uuid4().hex
    api = opened(campus, issuer, subject)
    assert told(campus, issuer, make=TOKENS[name], sub=subject).status == 400
    assert is_open(api)


@pytest.mark.parametrize("kind", ["JWT", "logout+jwt", "Logout+JWT"])
def test_a_logout_token_may_say_what_it_is(campus, issuer, kind):
    subject = uuid.uuid4().hex
    api = opened(campus, issuer, subject)
    changed(told(campus, issuer, make=lambda said, key: signed(said, key, {"typ": kind}), sub=subject))
    assert not is_open(api)


def test_an_id_token_is_no_logout_token_nor_the_other_way_round(campus, issuer):
    subject = uuid.uuid4().hex
    api = opened(campus, issuer, subject)
    assert told(campus, issuer, sub=subject, events=None, nonce="x").status == 400
    answer = sign_in(campus, issuer, subject, events={EVENT: {}}, jti="x", nonce=None)
    assert answer.status == 422 and is_open(api)


def test_a_token_counts_once_and_at_the_issuers_own_address(campus, issuer, other):
    subject = uuid.uuid4().hex
    opened(campus, issuer, subject)
    token = signed(said(issuer, sub=subject), issuer.keys[-1])
    assert posted(campus, {"logout_token": token}, "academy").status == 400
    changed(posted(campus, {"logout_token": token}))
    api = opened(campus, issuer, subject)
    assert posted(campus, {"logout_token": token}).status == 400
    assert is_open(api)


def test_what_is_no_form_is_refused(campus, issuer):
    path = "/v1/sign-in/university/logout"
    assert campus.api().post(path, {"logout_token": "x"}).status == 415
    for body in (b"", b"logout_token", b"logout_token=%", b"logout_token=%ff", b"other=x", b"\xff=\xfe"):
        assert posted(campus, body).status == 400, body
    assert posted(campus, b"logout_token=" + b"x" * (65 << 10)).status == 413
    assert posted(campus, {"logout_token": "x"}, "elsewhere").status == 404
    assert posted(campus, {"logout_token": "x"}, "rosefire").status == 400


def test_the_page_of_a_provider_is_still_a_page(campus):
    assert b"<html" in changed(campus.api().get("/sign-in/university", accept="text/html")).body


# -- CAS


def request(ticket, namespace="urn:oasis:names:tc:SAML:2.0:protocol", before=""):
    """What CAS posts when a person signs out."""
    return {
        "logoutRequest": f'{before}<samlp:LogoutRequest xmlns:samlp="{namespace}" ID="LR-1" Version="2.0">'
        f'<saml:NameID xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">@NOT_USED@</saml:NameID>'
        f"<samlp:SessionIndex>{ticket}</samlp:SessionIndex></samlp:LogoutRequest>"
    }


@pytest.mark.parametrize("path", ["/v1/sign-in/{}/logout", "/sign-in/{}"])
def test_cas_ends_the_session_of_a_ticket(tmp_path, path):
    cas = test_cas.Cas()
    entry = {"id": "cas", "title": "CAS", "url": cas.url}
    config = {"publicUrl": test_cas.PUBLIC, "signIn": {"cas": [entry]}, "outbound": {"networks": ["127.0.0.0/8"]}}
    server = gradecast.Server(tmp_path, config=config).start()
    try:

        def signed_in():
            api = server.api()
            cookie, location = test_cas.begin(api)
            reply = cas.grant(location, test_cas.success("ada"))
            token = changed(api.post("/v1/sessions/cas", reply, cookie=cookie), 201).json["session"]["token"]
            return server.api(token=token), reply["ticket"]

        (one, ticket), (two, _) = signed_in(), signed_in()
        for wrong in (
            request(ticket, namespace="urn:elsewhere"),
            request(ticket, before="<!DOCTYPE x [<!ENTITY e 'x'>]>"),
            request(""),
            {"logoutRequest": "<x/>"},
            {"logoutRequest": ticket},
            {"logout_token": ticket},
        ):
            assert posted(server, wrong, "cas", path).status == 400, wrong
        changed(posted(server, request("ST-unknown"), "cas", path))
        changed(posted(server, request("ada"), "cas", path))
        assert is_open(one) and is_open(two)
        live = Live(server, one.token)
        answer = changed(posted(server, request(f" {ticket}\n"), "cas", path))
        assert answer.headers["Cache-Control"] == "no-store"
        assert not is_open(one) and is_open(two) and live.closed() == ENDED
    finally:
        assert server.stop() == 0
        cas.service.stop()


def test_a_notice_that_ends_nothing_does_not_wait_for_the_writer(tmp_path):
    cas = test_cas.Cas()
    entry = {"id": "cas", "title": "CAS", "url": cas.url}
    config = {"publicUrl": test_cas.PUBLIC, "signIn": {"cas": [entry]}, "outbound": {"networks": ["127.0.0.0/8"]}}
    server = gradecast.Server(tmp_path, config=config).start()
    try:
        with stored(server) as store:
            keep_to_itself(store)
            for number in range(20):
                changed(posted(server, request(f"ST-{number}"), "cas"))
    finally:
        assert server.stop() == 0
        cas.service.stop()


def keep_to_itself(store):
    """Lets nobody else write anything but that their node is there."""
    if gradecast.STORE == "sqlite":
        store.execute("BEGIN IMMEDIATE")
        return
    names = store.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename NOT LIKE 'node%'")
    store.execute(f"LOCK TABLE {', '.join(name for (name,) in names)} IN SHARE MODE")


def test_tickets_and_names_stand_in_no_store(tmp_path, issuer):
    server = gradecast.Server(tmp_path, config=configuration(tmp_path, {"university": issuer.url})).start()
    name = f"sid-{uuid.uuid4().hex}"
    opened(server, issuer, uuid.uuid4().hex, sid=name)
    assert server.stop() == 0
    found = kept(server)
    assert b"session_origins" in found and name.encode() not in found
