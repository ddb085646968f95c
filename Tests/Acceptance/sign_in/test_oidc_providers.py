"""Issuers that fail, are tried by administrators, are configured wrongly, or are of others' making."""

import concurrent.futures
import json
import threading
import time

import glewlwyd
import pytest
from issuer import SECRET, Issuer, Key
from oidc import EXPIRED, LINKING, PUBLIC, REFUSED, begin, come_back, configuration
from programs import until

import gradecast
from client import changed

# -- a provider that does not answer as it should


class Troubled:
    """A server with many issuers, each in trouble of its own, and what came of the first request to each.

    All failures begin at once, so that the tests wait together: for answers that do not come within five seconds, and
    for the five seconds in which a failure is remembered.
    """

    def __init__(self, folder):
        names = [*DOCUMENTS, *METADATA, *ENDPOINTS, "silent", "hanging", "well"]
        keys = [Key()]
        self.issuers = {name: Issuer(keys) for name in names}
        self.providers = {name: f"issuer-{number}" for number, name in enumerate(names)}
        config = configuration(folder, {self.providers[name]: issuer.url for name, issuer in self.issuers.items()})
        self.server = gradecast.Server(folder, config=config).start()
        self.pool = concurrent.futures.ThreadPoolExecutor(32)
        self.sign_in("hanging")  # its metadata and keys are known from here on
        self.silence("silent", DISCOVERY)
        self.silence("hanging", "/realm/token")
        self.hanging = [self.pool.submit(self.sign_in, "hanging") for _ in range(24)]
        while self.issuers["hanging"].asked[-1] != "/realm/token":
            assert not self.have_answers(self.hanging)
        self.beside = self.begin("well")
        self.was_beside = not self.have_answers(self.hanging)
        self.silent = [self.pool.submit(self.begin, "silent") for _ in range(8)]
        self.server.api().sign_up()
        for name, answer in DOCUMENTS.items():
            self.issuers[name].answers[DISCOVERY] = answer
        for name, told in METADATA.items():
            self.issuers[name].metadata = told
        for path in ENDPOINTS:
            self.issuers[path].answers[path] = (500, b"{}")
        self.first = {name: self.begin(name) for name in (*DOCUMENTS, *METADATA)}
        self.first |= {path: self.sign_in(path) for path in ENDPOINTS}

    @staticmethod
    def have_answers(requests):
        return all(request.done() for request in requests)

    def begin(self, name):
        return self.server.api().post(f"/v1/sign-in/{self.providers[name]}", {})

    def sign_in(self, name):
        """The whole way of a person who signs in, or as far as it goes."""
        api = self.server.api()
        answer = api.post(f"/v1/sign-in/{self.providers[name]}", {})
        if answer.status != 201:
            return answer
        shown = answer.headers["Set-Cookie"].split(";")[0]
        reply = self.issuers[name].grant(answer.json["location"], "x")
        return come_back(api, reply, shown, self.providers[name])

    def eventually_in(self, name):
        """Signs in once the failure is no longer remembered."""
        deadline = time.monotonic() + gradecast.PATIENCE
        while (answer := self.sign_in(name)).status != 201:
            assert is_unavailable(answer) and time.monotonic() < deadline
            time.sleep(0.2)

    def silence(self, name, path):
        self.issuers[name].stalled[path] = threading.Event()

    def speak(self, name, path):
        if path in self.issuers[name].stalled:
            self.issuers[name].stalled.pop(path).set()

    def stop(self):
        self.speak("silent", DISCOVERY)
        self.speak("hanging", "/realm/token")
        self.pool.shutdown()
        assert self.server.stop() == 0, self.server.output()
        for issuer in self.issuers.values():
            issuer.stop()


@pytest.fixture(scope="module")
def troubled(tmp_path_factory):
    troubled = Troubled(tmp_path_factory.mktemp("troubled"))
    yield troubled
    troubled.stop()


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
ENDPOINTS = ("/realm/token", "/realm/keys")


@pytest.mark.slow("waits for the five seconds for which a failure of an issuer is remembered")
@pytest.mark.parametrize("name", DOCUMENTS)
def test_discovery_that_fails_is_told_as_such(troubled, name):
    issuer = troubled.issuers[name]
    assert is_unavailable(troubled.first[name])
    assert "/realm/elsewhere" not in issuer.asked
    issuer.answers.pop(DISCOVERY)
    troubled.eventually_in(name)


@pytest.mark.parametrize("name", METADATA)
def test_metadata_that_are_not_the_issuers_are_refused(troubled, name):
    assert is_unavailable(troubled.first[name])


@pytest.mark.parametrize("path", ENDPOINTS)
def test_a_failing_endpoint_signs_nobody_in_and_stops_nobody_else(troubled, path):
    assert is_unavailable(troubled.first[path])
    troubled.server.api().sign_up()
    troubled.issuers[path].answers.pop(path)
    troubled.eventually_in(path)
    assert "sign-in provider unavailable" in troubled.server.log.read_text()


# Waits the five seconds after which an answer is given up, and those in which that is remembered.
@pytest.mark.slow("waits for the five seconds that an issuer has, and then for those of its failure")
def test_a_silent_issuer_holds_up_nobody_else(troubled):
    assert all(is_unavailable(answer.result()) for answer in troubled.silent)
    troubled.speak("silent", DISCOVERY)
    troubled.eventually_in("silent")


def test_an_issuer_that_hangs_leaves_the_others_their_threads(troubled):
    assert troubled.beside.status == 201 and troubled.was_beside
    assert all(is_unavailable(answer.result()) for answer in troubled.hanging)


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


TRIALS = [
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
]


def refusing():
    """The address of a port at which nobody listens."""
    return f"http://127.0.0.1:{gradecast.free_port()}"


UNREACHABLE = [
    (lambda issuer: "https://no-such-host.invalid", "outbound_name"),
    (lambda issuer: refusing(), "outbound_connection"),
    # What listens there answers the beginning of TLS with something else.
    (lambda issuer: issuer.url.replace("http:", "https:"), "outbound_tls"),
    (lambda issuer: issuer.url.replace("http://127.0.0.1", "https://[::1]"), "outbound_network"),
]


@pytest.fixture(scope="module")
def trials(tmp_path_factory, issuer):
    """A server whose providers are those of the two lists above, in their order."""
    keys, issuers = [Key()], []
    for fault, _ in TRIALS:
        issuers.append(Issuer(keys))
        issuers[-1].metadata.update(S256)
        fault(issuers[-1])
        issuers[-1].metadata = {name: value for name, value in issuers[-1].metadata.items() if value is not None}
    addresses = [issuer.url for issuer in issuers] + [address(issuer) for address, _ in UNREACHABLE]
    folder = tmp_path_factory.mktemp("trials")
    named = {f"issuer-{number}": address for number, address in enumerate(addresses)}
    server = gradecast.Server(folder, config=configuration(folder, named)).start()
    yield server
    assert server.stop() == 0, server.output()
    for one in issuers:
        one.stop()


def another_administrator(server):
    """One who has tried no provider yet."""
    api = server.api().sign_up()
    account = f"/v1/accounts/{api.account['id']}"
    changed(server.signed_in("administrator").patch(account, {"role": "administrator"}))
    return server.api().sign_in(api.login, api.password)  # the role has ended the first session


@pytest.mark.parametrize("number", range(len(TRIALS)))
def test_a_trial_says_which_step_fails(trials, number):
    tried = another_administrator(trials).post(f"/v1/providers/issuer-{number}/test")
    assert outcomes(tried) == TRIALS[number][1]


@pytest.mark.parametrize("number", range(len(UNREACHABLE)))
def test_a_trial_says_why_a_provider_is_not_reached(trials, number):
    tried = another_administrator(trials).post(f"/v1/providers/issuer-{len(TRIALS) + number}/test")
    assert outcomes(tried) == LOST | {"metadata": UNREACHABLE[number][1]}


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


def test_trials_are_limited(trials):
    administrator = another_administrator(trials)
    statuses = [administrator.post("/v1/providers/issuer-0/test").status for _ in range(40)]
    assert statuses[:5] == [200] * 5 and 429 in statuses  # on a slow machine a few more pass meanwhile


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


@pytest.mark.slow("starts Glewlwyd and furnishes it")
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
