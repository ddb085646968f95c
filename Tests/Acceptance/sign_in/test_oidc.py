"""Sign-in with OpenID Connect: what is believed of an issuer, by whom an attempt is finished, and where it leads."""

import base64
import concurrent.futures
import hashlib
import json
import threading
import time
import uuid

import glewlwyd
import pytest
from issuer import CLIENT, SECRET, Issuer, Key, signed
from programs import until

import gradecast
from client import changed
from live import Live

PUBLIC = "https://grades.example.org"


def configuration(folder, issuers, networks=("127.0.0.0/8",), **more):
    """A configuration with these issuers, by their names here."""
    secret = folder / "client-secret"
    secret.write_text(SECRET + "\n")
    secret.chmod(0o600)
    oidc = [
        {"id": name, "title": name.title(), "issuer": url, "clientId": CLIENT, "clientSecretFile": str(secret)} | more
        for name, url in issuers.items()
    ]
    return {"publicUrl": PUBLIC, "signIn": {"oidc": oidc}, "outbound": {"networks": list(networks)}}


@pytest.fixture(scope="module")
def campus(tmp_path_factory, issuer, other):
    folder = tmp_path_factory.mktemp("oidc")
    config = configuration(folder, {"university": issuer.url, "academy": other.url})
    running = gradecast.Server(folder, config=config, demo=True).start()
    yield running
    assert running.stop() == 0, running.output()


def begin(api, provider="university", **wish):
    """Sets out; the cookie to come back with, and where the browser goes."""
    answer = changed(api.post(f"/v1/sign-in/{provider}", wish), 201)
    return answer.headers["Set-Cookie"].split(";")[0], answer.json["location"]


def come_back(api, reply, shown, provider="university", path="/v1/sessions/{}", **more):
    return api.post(path.format(provider), reply | more, cookie=shown)


def sign_in(server, issuer, subject, **more):
    """The whole way of a person who signs in."""
    api = server.api()
    cookie, location = begin(api)
    return come_back(api, issuer.grant(location, subject, **more), cookie)


LINKING = "/v1/accounts/me/identities/{}"
REFUSED = [("sign_in_refused", "/code")]
EXPIRED = [("sign_in_expired", "")]


# -- who is let in


def test_the_offer_names_the_providers_without_a_page(campus):
    offer = changed(campus.api().get("/v1/sign-in")).json["providers"]
    assert {"id": "university", "title": "University", "page": None} in offer


def test_the_first_sign_in_makes_the_account_and_later_ones_find_it(campus, issuer):
    subject = f"s-{uuid.uuid4().hex}"
    first = changed(sign_in(campus, issuer, subject, name="Ada Lovelace", preferred_username="ada.l"), 201)
    account = first.json["account"]
    assert account["displayName"] == "Ada Lovelace" and account["login"].startswith("ada.l")
    assert account["login"].endswith("@university") and account["role"] is None
    again = changed(sign_in(campus, issuer, subject, name="Another Name"), 201).json["account"]
    assert (again["id"], again["displayName"]) == (account["id"], "Ada Lovelace")
    assert changed(sign_in(campus, issuer, f"s-{uuid.uuid4().hex}"), 201).json["account"]["id"] != account["id"]


def test_the_browser_goes_to_the_issuer_and_comes_back_to_a_page_of_this_site(campus):
    _, location = begin(campus.api())
    assert "redirect_uri=https%3A%2F%2Fgrades.example.org%2Fsign-in%2Funiversity" in location
    for secret in (SECRET, "code_verifier"):
        assert secret not in location


def test_an_e_mail_address_links_nobody(campus, issuer):
    local = campus.api().sign_up(login=f"ada-{uuid.uuid4().hex[:8]}@example.org")
    more = {"email": local.login, "email_verified": True, "preferred_username": local.login}
    answer = changed(sign_in(campus, issuer, uuid.uuid4().hex, **more), 201)
    assert answer.json["account"]["id"] != local.account["id"]


def test_ps256_is_believed_as_well(campus, issuer):
    def make(said):
        return signed(said, issuer.keys[-1], algorithm="PS256")

    assert sign_in(campus, issuer, "ps", make=make).status == 201


def test_a_session_as_a_cookie_leads_to_the_page_it_was_begun_for(campus, issuer):
    api = campus.api()
    cookie, location = begin(api, returnTo="/records/one?tab=2")
    answer = changed(come_back(api, issuer.grant(location, "cookie"), cookie, cookie=True), 201)
    assert answer.json["returnTo"] == "/records/one?tab=2" and "token" not in answer.json["session"]


# -- what is not believed


def half(text):
    digest = hashlib.sha256(text.encode()).digest()[:16]
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


NOW = int(time.time())
STRANGER = Key()
CLAIMS = {
    "another issuer": {"iss": "https://login.example.org"},
    "no issuer": {"iss": None},
    "another audience": {"aud": "somebody else"},
    "an audience of others": {"aud": ["a", "b"]},
    "several audiences and no party": {"aud": [CLIENT, "b"]},
    "several audiences and another party": {"aud": [CLIENT, "b"], "azp": "b"},
    "another party": {"azp": "b"},
    "no audience": {"aud": None},
    "another nonce": {"nonce": "another"},
    "no nonce": {"nonce": None},
    "expired": {"exp": NOW - 120},
    "no end": {"exp": None},
    "an end as text": {"exp": str(NOW + 300)},
    "from the future": {"iat": NOW + 3_600},
    "older than the attempt": {"iat": NOW - 600},
    "no time": {"iat": None},
    "not yet": {"nbf": NOW + 3_600},
    "no subject": {"sub": None},
    "an empty subject": {"sub": ""},
    "a long subject": {"sub": "x" * 256},
    "a subject with a line break": {"sub": "a\nb"},
    "a number as subject": {"sub": 7},
    "another access token": {"at_hash": half("another access token")},
}


@pytest.mark.parametrize("name", CLAIMS)
def test_a_wrong_claim_signs_nobody_in(campus, issuer, name):
    answer = sign_in(campus, issuer, "claims", **CLAIMS[name])
    assert (answer.status, answer.faults) == (422, REFUSED), answer


def test_right_claims_that_need_not_be_there_are_fine(campus, issuer):
    right = {"at_hash": half("an access token"), "azp": CLIENT, "aud": [CLIENT, "b"], "nbf": NOW - 5}
    assert sign_in(campus, issuer, "claims", **right).status == 201


TOKENS = {
    "another key by the same name": lambda said, key: signed(said, STRANGER, {"kid": key.id}),
    "an unknown key": lambda said, key: signed(said, STRANGER),
    "no algorithm": lambda said, key: signed(said, key, algorithm="none"),
    "none with a signature": lambda said, key: signed(said, key, {"alg": "none"}),
    "HS256 with the public key": lambda said, key: signed(said, key, algorithm="HS256"),
    "HS256 by name": lambda said, key: signed(said, key, {"alg": "HS256"}),
    "ES256 by name": lambda said, key: signed(said, key, {"alg": "ES256"}),
    "PS256 by name": lambda said, key: signed(said, key, {"alg": "PS256"}),
    "a critical extension": lambda said, key: signed(said, key, {"crit": ["b64"], "b64": False}),
    "a key of its own": lambda said, key: signed(said, STRANGER, {"kid": None, "jwk": STRANGER.public}),
    "a payload of another token": lambda said, key: swapped(said, key),
    "cut short": lambda said, key: signed(said, key)[:-8],
    "too long": lambda said, key: signed(said | {"more": "x" * 20_000}, key),
    "not a token": lambda said, key: "x.y.z",
    "a number": lambda said, key: 7,
}


def swapped(said, key):
    one, two = signed(said, key).split("."), signed(said | {"sub": "administrator"}, key).split(".")
    return ".".join((one[0], two[1], one[2]))


@pytest.mark.parametrize("name", TOKENS)
def test_a_wrong_signature_signs_nobody_in(campus, issuer, name):
    answer = sign_in(campus, issuer, "tokens", make=lambda said: TOKENS[name](said, issuer.keys[-1]))
    assert (answer.status, answer.faults) == (422, REFUSED), answer


def test_a_new_key_is_looked_for_and_at_most_once_a_minute(tmp_path, issuer):
    server = gradecast.Server(tmp_path, config=configuration(tmp_path, {"university": issuer.url})).start()
    try:
        assert sign_in(server, issuer, "rotation").status == 201
        known = issuer.asked.count("/realm/keys")
        for _ in range(3):
            assert sign_in(server, issuer, "rotation", make=lambda said: signed(said, STRANGER)).faults == REFUSED
        assert issuer.asked.count("/realm/keys") == known  # they are not a minute old
    finally:
        assert server.stop() == 0


# -- by whom, and how often


def test_a_code_and_an_attempt_are_used_once(campus, issuer):
    api = campus.api()
    cookie, location = begin(api)
    reply = issuer.grant(location, "once")
    assert come_back(api, reply, cookie).status == 201
    assert come_back(api, reply, cookie).faults == EXPIRED
    cookie, location = begin(api)
    again = issuer.grant(location, "once") | {"code": reply["code"]}
    assert come_back(api, again, cookie).faults == REFUSED


def test_a_token_is_believed_once_whatever_the_issuer_does(campus, issuer):
    kept = []
    subject = uuid.uuid4().hex

    def make(said):
        kept.append(signed(said, issuer.keys[-1]))
        return kept[0]

    assert sign_in(campus, issuer, subject, make=make).status == 201
    assert sign_in(campus, issuer, subject, make=lambda said: kept[0]).faults == REFUSED


def test_only_the_browser_that_set_out_comes_back(campus, issuer):
    """Login CSRF and session fixation: an attacker's code, or attempt, is worth nothing in another browser."""
    attacker, victim = campus.api(), campus.api()
    cookie, location = begin(attacker)
    reply = issuer.grant(location, "attacker")
    mine, _ = begin(victim)
    for shown in (None, "gradecast-sign-in=" + "A" * 43, mine):
        assert come_back(victim, reply, shown).faults == EXPIRED
    assert come_back(attacker, reply, cookie).status == 201


def test_a_session_that_was_planted_in_a_browser_is_not_the_one_that_opens(campus, issuer):
    """Session fixation: who signs in gets a session of its own, whatever cookie was there before."""
    planted, person = "A" * 43, campus.api().sign_up()

    def opened(answer):
        cookies = [text.split(";")[0].split("=") for text in changed(answer, 201).headers.get_all("Set-Cookie")]
        return next(value for name, value in cookies if name == "gradecast-local")

    api = campus.api()
    cookie, location = begin(api)
    shown = f"{cookie}; gradecast-local={planted}"
    sessions = [opened(come_back(api, issuer.grant(location, uuid.uuid4().hex), shown, cookie=True))]
    body = {"login": person.login, "password": person.password, "cookie": True}
    sessions.append(opened(campus.api().post("/v1/sessions", body, cookie=f"gradecast-local={planted}")))
    for value in sessions:
        changed(campus.api().get("/v1/accounts/me", cookie=f"gradecast-local={value}"))
    assert planted not in sessions and len(set(sessions)) == 2
    assert campus.api().get("/v1/accounts/me", cookie=f"gradecast-local={planted}").status == 401


def test_states_and_nonces_of_two_attempts_are_not_exchanged(campus, issuer):
    api = campus.api()
    (one, there), (two, elsewhere) = begin(api), begin(api)
    first, second = issuer.grant(there, "swap"), issuer.grant(elsewhere, "swap")
    assert come_back(api, first | {"state": second["state"]}, one).faults == EXPIRED
    assert come_back(api, second | {"code": first["code"]}, two).faults == REFUSED  # another verifier


def test_an_answer_of_another_issuer_is_not_taken_to_this_one(campus, issuer, other):
    """Mix-up: the attempt, its page and `iss` have to name the same issuer."""
    api = campus.api()
    cookie, location = begin(api)
    reply = issuer.grant(location, "mix")
    assert come_back(api, reply, cookie, provider="academy").faults == EXPIRED
    for wrong in (other.url, "", issuer.url + "/"):
        cookie, location = begin(api)
        asked = len(issuer.codes)
        answer = come_back(api, issuer.grant(location, "mix") | {"iss": wrong}, cookie)
        assert answer.faults == REFUSED and len(issuer.codes) == asked + 1  # the code was not even sent
    cookie, location = begin(api)
    reply = issuer.grant(location, "mix")
    del reply["iss"]
    assert come_back(api, reply, cookie).faults == REFUSED


@pytest.mark.parametrize(
    "path",
    [
        "https://elsewhere.example", "//elsewhere.example", "/\\elsewhere.example", "/.//elsewhere.example",
        "javascript:alert(1)", "records",
        "", "/a b", "/a\tb", "/records#secret", "/" + "x" * 2_000, "/é",
    ],
)  # fmt: skip
def test_a_page_of_another_site_is_not_returned_to(campus, path):
    answer = campus.api().post("/v1/sign-in/university", {"returnTo": path})
    assert (answer.status, answer.faults) == (422, [("out_of_range", "/returnTo")])


def test_another_origin_cannot_sign_anybody_in(campus, issuer):
    api, elsewhere = campus.api(), "https://elsewhere.example"
    assert api.post("/v1/sign-in/university", {}, origin=elsewhere).status == 403
    cookie, location = begin(api)
    reply = issuer.grant(location, "x")
    assert api.post("/v1/sessions/university", reply, cookie=cookie, origin=elsewhere).status == 403


# -- linking


def test_an_account_links_and_unlinks_a_person(campus, issuer):
    api, subject = campus.api().sign_up(), uuid.uuid4().hex
    cookie, location = begin(api)
    made = changed(come_back(api, issuer.grant(location, subject), cookie, path=LINKING), 201).json["identity"]
    assert (made["provider"], made["issuer"], made["subject"]) == ("university", issuer.url, subject)
    assert changed(sign_in(campus, issuer, subject), 201).json["account"]["id"] == api.account["id"]
    assert api.delete("/v1/accounts/me/identities/university").status == 204
    assert changed(sign_in(campus, issuer, subject), 201).json["account"]["id"] != api.account["id"]


def test_the_end_of_a_link_ends_the_sessions_that_it_opened(campus, issuer, other):
    api, subject = campus.api().sign_up(), uuid.uuid4().hex
    for provider, source in (("university", issuer), ("academy", other)):
        cookie, location = begin(api, provider)
        changed(come_back(api, source.grant(location, subject), cookie, provider, LINKING), 201)
    opened = []
    for provider, source in (("university", issuer), ("university", issuer), ("academy", other)):
        guest = campus.api()
        cookie, location = begin(guest, provider)
        answer = changed(come_back(guest, source.grant(location, subject), cookie, provider), 201)
        opened.append(campus.api(token=answer.json["session"]["token"]))
    thief, keeper, elsewhere = opened
    changed(keeper.post("/v1/sessions/current/proof", {"password": api.password}), 204)
    live = Live(campus, thief.token)
    assert keeper.delete("/v1/accounts/me/identities/university").status == 204
    assert live.closed() == 4503
    statuses = [one.get("/v1/accounts/me").status for one in (thief, keeper, elsewhere, api)]
    assert statuses == [401, 200, 200, 200]


def test_what_one_account_begins_no_other_finishes(campus, issuer):
    attacker, victim = campus.api().sign_up(), campus.api().sign_up()
    for beginner in (attacker, campus.api()):
        cookie, location = begin(beginner)
        assert come_back(victim, issuer.grant(location, "link"), cookie, path=LINKING).faults == EXPIRED
    assert victim.get("/v1/accounts/me/identities").json["items"] == []


def test_a_link_signs_nobody_in_and_a_sign_in_links_nobody(campus, issuer):
    api = campus.api().sign_up()
    cookie, location = begin(api)
    assert come_back(campus.api(), issuer.grant(location, "purpose"), cookie).faults == EXPIRED
    assert campus.api().post("/v1/sign-in/university", {"purpose": "link"}).faults == [("out_of_range", "/purpose")]
    assert api.post("/v1/sign-in/university", {"purpose": "signIn"}).faults == [("out_of_range", "/purpose")]


def test_nobody_who_is_signed_in_is_switched_to_another_account(campus, issuer):
    guest = campus.api()
    cookie, location = begin(guest)
    local = campus.api().sign_up()
    answer = come_back(local, issuer.grant(location, uuid.uuid4().hex), cookie)
    assert (answer.status, answer.faults) == (422, REFUSED)


def test_a_person_of_another_account_is_refused(campus, issuer):
    one, two, subject = campus.api().sign_up(), campus.api().sign_up(), uuid.uuid4().hex
    cookie, location = begin(one)
    changed(come_back(one, issuer.grant(location, subject), cookie, path=LINKING), 201)
    cookie, location = begin(two)
    taken = come_back(two, issuer.grant(location, subject), cookie, path=LINKING)
    assert taken.faults == [("identity_taken", "/code")]
    cookie, location = begin(one)
    present = come_back(one, issuer.grant(location, uuid.uuid4().hex), cookie, path=LINKING)
    assert present.faults == [("identity_present", "/code")]


def test_the_last_way_in_stays(campus, issuer):
    api = campus.api()
    answer = changed(sign_in(campus, issuer, uuid.uuid4().hex), 201)
    api.token = answer.json["session"]["token"]
    assert api.delete("/v1/accounts/me/identities/university").faults == [("last_sign_in", "")]


def test_accounts_are_made_only_where_the_operator_allows_it(tmp_path, issuer):
    config = configuration(tmp_path, {"university": issuer.url}, signUp="closed")
    server = gradecast.Server(tmp_path, config=config).start()
    try:
        answer = sign_in(server, issuer, uuid.uuid4().hex)
        assert (answer.status, answer.faults) == (422, [("sign_up_closed", "/code")])
    finally:
        assert server.stop() == 0


# -- a provider that does not answer as it should


@pytest.fixture
def broken(tmp_path):
    """A server of its own with an issuer that the test may break."""
    issuer = Issuer()
    server = gradecast.Server(tmp_path, config=configuration(tmp_path, {"university": issuer.url})).start()
    yield server, issuer
    assert server.stop() == 0
    issuer.stop()


def eventually_in(server, issuer):
    """Signs in once the failure is no longer remembered."""
    deadline = time.monotonic() + gradecast.PATIENCE
    while True:
        api = server.api()
        answer = api.post("/v1/sign-in/university", {})
        if answer.status == 201:
            shown = answer.headers["Set-Cookie"].split(";")[0]
            answer = come_back(api, issuer.grant(answer.json["location"], "x"), shown)
        if answer.status == 201:
            return
        assert is_unavailable(answer) and time.monotonic() < deadline
        time.sleep(0.2)


def is_unavailable(answer):
    assert (answer.status, answer.json["code"], answer.json["retryable"]) == (503, "provider_unavailable", True), answer
    return True


DISCOVERY = "/realm/.well-known/openid-configuration"
DOCUMENTS = {
    "an error": (500, b"{}"),
    "a redirect": (302, b""),
    "no JSON": (200, b"<html>"),
    "an array": (200, b"[]"),
    "a huge answer": (200, b" " * (300 << 10) + b"{}"),
    "deep nesting": (200, b"[" * 5_000),
}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_discovery_that_fails_is_told_as_such(broken, name):
    server, issuer = broken
    issuer.answers[DISCOVERY] = DOCUMENTS[name]
    assert is_unavailable(server.api().post("/v1/sign-in/university", {}))
    assert "/realm/elsewhere" not in issuer.asked
    del issuer.answers[DISCOVERY]
    eventually_in(server, issuer)


METADATA = {
    "another issuer": {"issuer": "https://login.example.org"},
    "no token endpoint": {"token_endpoint": None},
    "keys in a file": {"jwks_uri": "file:///etc/passwd"},
    "a page of script": {"authorization_endpoint": "javascript:alert(1)"},
}


@pytest.mark.parametrize("name", METADATA)
def test_metadata_that_are_not_the_issuers_are_refused(broken, name):
    server, issuer = broken
    issuer.metadata = METADATA[name]
    assert is_unavailable(server.api().post("/v1/sign-in/university", {}))


@pytest.mark.parametrize("path", ["/realm/token", "/realm/keys"])
def test_a_failing_endpoint_signs_nobody_in_and_stops_nobody_else(broken, path):
    server, issuer = broken
    issuer.answers[path] = (500, b"{}")
    assert is_unavailable(sign_in(server, issuer, "x"))
    server.api().sign_up()
    del issuer.answers[path]
    eventually_in(server, issuer)
    assert "sign-in provider unavailable" in server.log.read_text()


def test_a_silent_issuer_holds_up_nobody_else(broken):
    server, issuer = broken
    issuer.stalled[DISCOVERY] = threading.Event()
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        waiting = [pool.submit(server.api().post, "/v1/sign-in/university", {}) for _ in range(8)]
        server.api().sign_up()
        assert all(is_unavailable(answer.result()) for answer in waiting)
    issuer.stalled.pop(DISCOVERY).set()
    eventually_in(server, issuer)


def test_an_issuer_that_hangs_leaves_the_others_their_threads(tmp_path, issuer, other):
    config = configuration(tmp_path, {"university": issuer.url, "academy": other.url})
    server = gradecast.Server(tmp_path, config=config).start()
    try:
        sign_in(server, issuer, "warm")  # its metadata and keys are known from here on
        issuer.stalled["/realm/token"] = threading.Event()
        with concurrent.futures.ThreadPoolExecutor(24) as pool:
            waiting = [pool.submit(sign_in, server, issuer, "x") for _ in range(24)]
            while issuer.asked[-1] != "/realm/token":
                assert not all(answer.done() for answer in waiting)
            assert begin(server.api(), "academy")
            assert not all(answer.done() for answer in waiting)
            assert all(is_unavailable(answer.result()) for answer in waiting)
    finally:
        issuer.stalled.pop("/realm/token").set()
        assert server.stop() == 0


def test_an_issuer_inside_a_network_that_is_not_allowed_is_not_asked(tmp_path, issuer):
    config = configuration(tmp_path, {"university": issuer.url}, networks=["10.0.0.0/8"])
    server = gradecast.Server(tmp_path, config=config).start()
    try:
        asked = len(issuer.asked)
        assert is_unavailable(server.api().post("/v1/sign-in/university", {}))
        assert len(issuer.asked) == asked
    finally:
        assert server.stop() == 0


def test_a_name_that_leads_to_this_machine_is_refused_when_it_is_connected_to(tmp_path, issuer):
    url = issuer.url.replace("http://127.0.0.1", "https://localhost")
    server = gradecast.Server(tmp_path, config=configuration(tmp_path, {"university": url}, networks=[])).start()
    try:
        assert is_unavailable(server.api().post("/v1/sign-in/university", {}))
        # A thread of its own writes the log.
        until(server.log.read_text, lambda text: "outbound.networks" in text)
    finally:
        assert server.stop() == 0


# -- what administrators see


STEPS = ["metadata", "pkce", "keys", "client"]


def test_administrators_see_the_providers_and_try_them(campus, issuer):
    administrator = campus.signed_in("administrator")
    listed = changed(administrator.get("/v1/providers")).json["items"]
    assert {
        "id": "university",
        "title": "University",
        "kind": "OpenID Connect",
        "issuer": issuer.url,
        "callback": f"{PUBLIC}/sign-in/university",
        "signUp": "open",
        "institution": None,
    } in listed
    assert SECRET not in json.dumps(listed)
    tried = changed(administrator.post("/v1/providers/university/test"))
    assert tried.json["works"] is True and [step["step"] for step in tried.json["steps"]] == STEPS
    assert administrator.post("/v1/providers/elsewhere/test").status == 404
    assert campus.api().sign_up().get("/v1/providers").status == 403
    assert campus.api().sign_up().post("/v1/providers/university/test").status == 403


def outcomes(tried):
    """What became of each step, and which fault was found there."""
    assert changed(tried).json["works"] is all(
        step["outcome"] in ("passed", "doubtful") for step in tried.json["steps"]
    )
    return {step["step"]: step["fault"]["code"] if step["fault"] else step["outcome"] for step in tried.json["steps"]}


def answers(path, status, content):
    return lambda issuer: issuer.answers.update({f"/realm/{path}": (status, content)})


def tells(**metadata):
    return lambda issuer: issuer.metadata.update(metadata)


S256 = {"code_challenge_methods_supported": ["plain", "S256"]}
FINE = dict.fromkeys(STEPS, "passed")
LOST = dict.fromkeys(STEPS, "skipped")


@pytest.mark.parametrize(
    ("fault", "found"),
    [
        (tells(), FINE),
        (answers(".well-known/openid-configuration", 500, b"{}"), LOST | {"metadata": "outbound_status"}),
        (answers(".well-known/openid-configuration", 200, b"<html>"), LOST | {"metadata": "outbound_form"}),
        (answers(".well-known/openid-configuration", 200, b"x" * 300_000), LOST | {"metadata": "outbound_size"}),
        (tells(issuer="https://login.example.org"), LOST | {"metadata": "issuer_differs"}),
        (tells(token_endpoint="ftp://login.example.org"), LOST | {"metadata": "metadata_incomplete"}),
        (tells(code_challenge_methods_supported=["plain"]), FINE | {"pkce": "pkce_missing"}),
        (tells(code_challenge_methods_supported=None), FINE | {"pkce": "pkce_untold"}),
        (answers("keys", 200, b'{"keys":[]}'), FINE | {"keys": "key_missing"}),
        (answers("keys", 404, b""), FINE | {"keys": "outbound_status"}),
        (answers("token", 401, b'{"error":"invalid_client"}'), FINE | {"client": "client_refused"}),
        (answers("token", 400, b'{"error":"invalid_request"}'), FINE | {"client": "exchange_refused"}),
    ],
)
def test_a_trial_says_which_step_fails(tmp_path, fault, found):
    issuer = Issuer()
    issuer.metadata.update(S256)
    fault(issuer)
    issuer.metadata = {name: value for name, value in issuer.metadata.items() if value is not None}
    server = gradecast.Server(tmp_path, config=configuration(tmp_path, {"university": issuer.url})).start()
    try:
        tried = server.signed_in("administrator").post("/v1/providers/university/test")
        assert outcomes(tried) == found
    finally:
        assert server.stop() == 0
        issuer.stop()


def refusing():
    """The address of a port at which nobody listens."""
    return f"http://127.0.0.1:{gradecast.free_port()}"


@pytest.mark.parametrize(
    ("address", "code"),
    [
        (lambda issuer: "https://no-such-host.invalid", "outbound_name"),
        (lambda issuer: refusing(), "outbound_connection"),
        # What listens there answers the beginning of TLS with something else.
        (lambda issuer: issuer.url.replace("http:", "https:"), "outbound_tls"),
        (lambda issuer: issuer.url.replace("http://127.0.0.1", "https://[::1]"), "outbound_network"),
    ],
)
def test_a_trial_says_why_a_provider_is_not_reached(tmp_path, issuer, address, code):
    config = configuration(tmp_path, {"university": address(issuer)})
    server = gradecast.Server(tmp_path, config=config).start()
    try:
        tried = server.signed_in("administrator").post("/v1/providers/university/test")
        assert outcomes(tried) == LOST | {"metadata": code}
    finally:
        assert server.stop() == 0


def test_a_trial_asks_anew_and_words_what_it_finds_in_the_language_asked_for(campus, issuer):
    """What is kept of earlier sign-ins must not hide what is wrong now."""
    administrator = campus.signed_in("administrator")
    assert begin(campus.api())
    issuer.answers["/realm/keys"] = (503, b"")
    try:
        said = set()
        for language in ("en", "fr", "zh-Hans"):
            tried = administrator.post("/v1/providers/university/test", accept_language=language)
            said.add(next(s for s in changed(tried).json["steps"] if s["step"] == "keys")["fault"]["message"])
        assert len(said) == 3 and all("503" in words for words in said)
    finally:
        del issuer.answers["/realm/keys"]


def test_trials_are_limited(tmp_path, issuer):
    server = gradecast.Server(tmp_path, config=configuration(tmp_path, {"university": issuer.url})).start()
    try:
        administrator = server.signed_in("administrator")
        statuses = [administrator.post("/v1/providers/university/test").status for _ in range(6)]
        assert statuses == [200] * 5 + [429]
    finally:
        assert server.stop() == 0


# -- configuration


def test_what_a_provider_needs_is_said_at_once(tmp_path):
    wrong = [{"id": "current", "title": "X", "issuer": "http://login.example.org", "clientId": "x"}]
    path = tmp_path / "config.json"
    path.write_text(json.dumps({"signIn": {"oidc": wrong}}))
    found = gradecast.run("check", "--config", path, "--data", tmp_path / "data")
    assert found.returncode == 1
    for place in ("/publicUrl", "/signIn/oidc/0/id", "/signIn/oidc/0/issuer", "/signIn/oidc/0/clientSecretFile"):
        assert place in found.stdout + found.stderr


def test_two_providers_of_one_issuer_are_refused(tmp_path):
    config = configuration(
        tmp_path, {"one": "https://login.example.org/realm", "two": "https://Login.example.org/realm/"}
    )
    path = tmp_path / "config.json"
    path.write_text(json.dumps(config))
    found = gradecast.run("check", "--config", path, "--data", tmp_path / "data")
    assert (
        found.returncode == 1
        and "/signIn/oidc/1/issuer: Another provider has this issuer" in found.stdout + found.stderr
    )


def test_the_people_of_a_provider_that_was_removed_are_told_and_keep_a_way_in(tmp_path, issuer, other):
    both = configuration(tmp_path, {"university": issuer.url, "academy": other.url})
    server = gradecast.Server(tmp_path, config=both).start()
    try:
        person = server.api()
        cookie, location = begin(person, "academy")
        session = changed(come_back(person, other.grant(location, "two-ways"), cookie, "academy"), 201)
        person.token = session.json["session"]["token"]
        cookie, location = begin(person)
        changed(come_back(person, issuer.grant(location, "two-ways"), cookie, path=LINKING), 201)
    finally:
        assert server.stop() == 0
    server = gradecast.Server(tmp_path, config=configuration(tmp_path, {"university": issuer.url})).start()
    try:
        api = server.api(token=person.token)
        listed = {item["issuer"]: item for item in changed(api.get("/v1/accounts/me/identities")).json["items"]}
        gone = listed[other.url]
        assert (gone["provider"], gone["offered"]) == (other.url, False) and listed[issuer.url]["offered"]
        # The identity that leads nowhere is no reason to give up the one that does.
        assert api.delete("/v1/accounts/me/identities/university").faults == [("last_sign_in", "")]
        assert server.api().post("/v1/sign-in/academy", {}).status == 404
    finally:
        assert server.stop() == 0


def test_a_secret_that_others_can_read_stops_the_start(tmp_path, issuer):
    config = configuration(tmp_path, {"university": issuer.url})
    (tmp_path / "client-secret").chmod(0o644)
    with pytest.raises(AssertionError, match="readable by others"):
        gradecast.Server(tmp_path, config=config).start()


def test_secrets_and_codes_stand_in_no_log(campus, issuer):
    api = campus.api()
    cookie, location = begin(api)
    reply = issuer.grant(location, "log")
    come_back(api, reply, cookie)
    come_back(api, reply, cookie)
    log = campus.log.read_text()
    for secret in (SECRET, reply["code"], reply["state"], cookie.partition("=")[2]):
        assert secret not in log


# -- an issuer of others' making


def test_people_of_glewlwyd_sign_in_and_link(tmp_path):
    page = f"{PUBLIC}/sign-in/university"
    provider = glewlwyd.Glewlwyd(tmp_path, "gradecast", "the-secret-of-the-client", page).start()
    try:
        provider.add("ada", "Ada Lovelace")
        browser = provider.signed_in("ada")
        config = configuration(tmp_path, {"university": provider.issuer}, clientId="gradecast")
        (tmp_path / "client-secret").write_text("the-secret-of-the-client")
        server = gradecast.Server(tmp_path, config=config).start()
        try:
            api = server.api()
            cookie, location = begin(api)
            reply = provider.grant(location, browser)
            account = changed(come_back(api, reply, cookie), 201).json["account"]
            assert account["displayName"] == "Ada Lovelace"
            assert come_back(api, reply, cookie).faults == EXPIRED
            cookie, location = begin(api)
            used = provider.grant(location, browser) | {"code": reply["code"]}
            assert come_back(api, used, cookie).faults == REFUSED  # Glewlwyd takes each code once
            local = server.api().sign_up()
            cookie, location = begin(local)
            taken = come_back(local, provider.grant(location, browser), cookie, path=LINKING)
            assert taken.faults == [("identity_taken", "/code")]
        finally:
            assert server.stop() == 0
    finally:
        provider.stop()
