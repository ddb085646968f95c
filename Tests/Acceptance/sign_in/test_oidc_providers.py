"""Issuers that fail, are tried by administrators, are configured wrongly, or are of others' making."""

import concurrent.futures
import json
import threading
import time

import glewlwyd
import pytest
from issuer import SECRET, Issuer
from oidc import EXPIRED, LINKING, PUBLIC, REFUSED, begin, come_back, configuration, sign_in
from programs import until

import gradecast
from client import changed

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
    "a page without TLS": {"authorization_endpoint": "http://login.example.org/authorize"},
    "a page with a user": {"authorization_endpoint": "https://user:password@login.example.org/authorize"},
    "a page behind another": {"authorization_endpoint": "https://login.example.org\\@elsewhere.example.org/"},
    "a token endpoint without TLS": {"token_endpoint": "http://login.example.org/token"},
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
        statuses = [administrator.post("/v1/providers/university/test").status for _ in range(40)]
        assert statuses[:5] == [200] * 5 and 429 in statuses  # on a slow machine a few more pass meanwhile
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
