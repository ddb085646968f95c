"""Step-up by a provider, what a provider's sign-in proves, and when it counts as two factors."""

import json
import time
import uuid

import pytest
from authenticator import Authenticator
from factors import enrolled
from issuer import Issuer
from oidc import begin, come_back, configuration
from test_cas import Cas, success
from tokens import bearer

import gradecast
from client import changed

PROOF, EXPIRED = "/v1/sessions/current/proof", [("sign_in_expired", "")]


@pytest.fixture(scope="module")
def issuers():
    running = {name: Issuer() for name in ("university", "academy")}
    yield running
    for issuer in running.values():
        issuer.stop()


@pytest.fixture(scope="module")
def cas():
    running = Cas()
    yield running
    running.service.stop()


@pytest.fixture(scope="module")
def campus(tmp_path_factory, issuers, cas):
    """A demonstration whose administrators need a second factor; the university is believed about it, the academy not."""
    folder = tmp_path_factory.mktemp("step-up")
    config = configuration(folder, {name: issuer.url for name, issuer in issuers.items()})
    config["signIn"]["oidc"][0]["secondFactor"] = "provider"
    config["signIn"] |= {
        "cas": [{"id": "cas", "title": "CAS", "url": cas.url}], "secondFactor": {"administrators": True}
    }  # fmt: skip
    running = gradecast.Server(folder, config=config).start()
    yield running
    assert running.stop() == 0, running.output()


@pytest.fixture
def university(issuers):
    return issuers["university"]


def visit(api, issuer, subject, provider="university", **claims):
    """Signs in with a provider; the answer."""
    cookie, location = begin(api, provider)
    return come_back(api, issuer.grant(location, subject, **claims), cookie, provider)


def person(campus, issuer, provider="university", subject=None, auth_time=None, **claims):
    """Somebody whom a provider has signed in, without a word unless it says when it asked."""
    api = campus.api()
    api.subject = subject or uuid.uuid4().hex
    answer = changed(visit(api, issuer, api.subject, provider, auth_time=auth_time, **claims), 201)
    api.token, api.account = answer.json["session"]["token"], answer.json["account"]
    return api


def shown(api, issuer, subject=None, provider="university", by=None, **claims):
    """Has a provider ask the owner of a session again; the answer to the proof, which `by` sends."""
    cookie, location = begin(api, provider, purpose="stepUp")
    reply = issuer.grant(location, subject or api.subject, **claims)
    return (by or api).post(PROOF, {"provider": {"id": provider} | reply}, cookie=cookie)


def until(api):
    return changed(api.get(PROOF)).json["until"]


# -- what a sign-in proves


def test_a_silent_sign_in_is_no_proof_and_a_fresh_one_is(campus, university):
    now = int(time.time())
    assert until(person(campus, university)) is None
    assert until(person(campus, university, auth_time=now - 3600)) is None
    assert until(person(campus, university, auth_time="now")) is None
    assert until(person(campus, university, auth_time=now)) is not None
    asked = person(campus, university).delete("/v1/accounts/me")
    assert (asked.status, asked.json["ways"], asked.json["providers"]) == (401, ["provider"], ["university"])


def test_a_proof_by_a_provider_lets_the_session_go_on(campus, university):
    api = person(campus, university)
    _, location = begin(api, purpose="stepUp")
    assert "&prompt=login&max_age=0" in location
    changed(shown(api, university, auth_time=int(time.time())), 204)
    assert until(api) is not None
    changed(api.delete("/v1/accounts/me"), 204)


def test_a_person_who_was_not_asked_again_proves_nothing(campus, university):
    api = person(campus, university)
    for time_of_asking in (None, int(time.time()) - 600, int(time.time()) + 600, "now"):
        answer = shown(api, university, auth_time=time_of_asking)
        assert (answer.status, answer.faults) == (422, [("sign_in_refused", "/code")]), time_of_asking
    assert until(api) is None


def test_it_serves_the_account_that_began_it_and_its_own_person(campus, university):
    now = int(time.time())
    api, other = person(campus, university), person(campus, university)
    assert shown(api, university, by=other, auth_time=now).faults == EXPIRED
    stranger = shown(api, university, subject=other.subject, auth_time=now)
    assert stranger.faults == [("sign_in_refused", "/provider")]
    nobody = shown(api, university, subject=uuid.uuid4().hex, auth_time=now)
    assert nobody.faults == [("sign_in_refused", "/provider")]
    assert until(api) is None and until(other) is None


def test_another_person_at_the_provider_counts_like_a_wrong_password(campus, university):
    api = person(campus, university)

    def stranger():
        return shown(api, university, subject=uuid.uuid4().hex, auth_time=int(time.time()))

    for _ in range(5):
        assert stranger().faults == [("sign_in_refused", "/provider")]
    assert stranger().status == 429
    lines = changed(api.get("/v1/accounts/me/activity?limit=200")).json["items"]
    assert [line["action"] for line in lines].count("proof.refused") == 5
    assert until(api) is None


def test_an_attempt_serves_its_own_purpose_once(campus, university):
    now = int(time.time())
    api = person(campus, university)
    cookie, location = begin(api, purpose="stepUp")
    reply = university.grant(location, api.subject, auth_time=now)
    guest = campus.api()
    assert come_back(guest, reply, cookie).faults == EXPIRED
    assert api.post(PROOF, {"provider": {"id": "university"} | reply}, cookie=cookie).faults == EXPIRED
    cookie, location = begin(guest)
    reply = university.grant(location, api.subject, auth_time=now)
    assert api.post(PROOF, {"provider": {"id": "university"} | reply}, cookie=cookie).faults == EXPIRED
    linking, location = begin(api)
    reply = university.grant(location, api.subject, auth_time=now)
    assert api.post(PROOF, {"provider": {"id": "university"} | reply}, cookie=linking).faults == EXPIRED


def test_it_is_for_those_whom_the_provider_knows(campus, university):
    refused = [("out_of_range", "/purpose")]
    assert campus.api().post("/v1/sign-in/university", {"purpose": "stepUp"}).faults == refused
    local = campus.api().sign_up()
    assert local.post("/v1/sign-in/university", {"purpose": "stepUp"}).faults == refused
    assert person(campus, university).post("/v1/sign-in/academy", {"purpose": "stepUp"}).faults == refused


def test_with_an_authenticator_app_a_provider_alone_is_not_enough(campus, issuers):
    academy = issuers["academy"]
    api = person(campus, academy, "academy", auth_time=int(time.time()))
    enrolled(api)
    answer = shown(api, academy, provider="academy", auth_time=int(time.time()))
    assert answer.faults == [("missing_field", "/totp")]


def test_cas_is_made_to_ask_again(campus, cas):
    api, user = campus.api(), f"ada-{uuid.uuid4().hex[:8]}"
    cookie, location = begin(api, "cas")
    answer = come_back(api, cas.grant(location, success(user)), cookie, "cas")
    api.token = changed(answer, 201).json["session"]["token"]
    assert until(api) is None
    cookie, location = begin(api, "cas", purpose="stepUp")
    assert "&renew=true" in location
    reply = cas.grant(location, success(user))
    changed(api.post(PROOF, {"provider": {"id": "cas"} | reply}, cookie=cookie), 204)
    assert cas.renewed and until(api) is not None
    fresh = campus.api()
    cookie, location = begin(fresh, "cas")
    said = success(user, "<cas:isFromNewLogin>true</cas:isFromNewLogin>")
    fresh.token = changed(come_back(fresh, cas.grant(location, said), cookie, "cas"), 201).json["session"]["token"]
    assert until(fresh) is not None


def test_whose_provider_never_asks_again_adds_a_passkey_first(campus):
    api = campus.api()
    cookie = changed(api.post("/v1/sign-in/rosefire"), 201)
    shown_by, attempt = cookie.headers["Set-Cookie"].split(";")[0], cookie.json["attempt"]
    token = changed(api.post("/stand-in/rosefire/tokens", {"person": "germain"}), 201).json["token"]
    answer = api.post("/v1/sessions/rosefire", {"token": token, "attempt": attempt}, cookie=shown_by)
    api.token = changed(answer, 201).json["session"]["token"]
    asked = api.delete("/v1/accounts/me")
    assert (asked.status, asked.json["ways"]) == (401, [])
    assert api.post("/v1/sign-in/rosefire", {"purpose": "stepUp"}).faults == [("out_of_range", "/purpose")]
    options = changed(api.post("/v1/passkeys/options", {"purpose": "register"}), 201).json
    phone = Authenticator("https://grades.example.org", party="grades.example.org")
    changed(api.post("/v1/accounts/me/passkeys", phone.make(options)), 201)
    assert api.delete("/v1/accounts/me").json["ways"] == ["passkey"]
    proof = phone.use(changed(api.post("/v1/passkeys/options", {"purpose": "proof"}), 201).json)
    changed(api.post(PROOF, {"passkey": proof}), 204)
    changed(api.delete("/v1/accounts/me"), 204)


# -- when a provider's sign-in counts as two factors


def promoted(campus, issuer, provider="university", **claims):
    """An administrator's new session by a provider."""
    subject = person(campus, issuer, provider).subject
    login = person(campus, issuer, provider, subject).account["login"]
    assert gradecast.run("account", "role", login, "administrator", "--data", campus.data).returncode == 0
    return person(campus, issuer, provider, subject, **claims)


@pytest.mark.parametrize(
    ("claims", "counts"),
    [
        ({"amr": ["mfa"]}, True),
        ({"amr": ["pwd", "otp"]}, True),
        ({"amr": ["pin", "hwk", "user"]}, True),
        ({"amr": ["face", "swk"]}, True),
        ({"acr": "https://refeds.org/profile/mfa"}, True),
        ({"acr": "phr"}, True),
        ({}, False),
        ({"amr": ["otp"]}, False),
        ({"amr": ["hwk"]}, False),
        ({"amr": ["pwd", "kba"]}, False),
        ({"amr": ["pwd", "user", "geo", "rba"]}, False),
        ({"amr": "mfa"}, False),
        ({"amr": [5, None]}, False),
        ({"acr": "1"}, False),
    ],
    ids=str,
)
def test_two_factors_at_a_provider_that_is_trusted_are_enough(campus, university, claims, counts):
    api = promoted(campus, university, **claims)
    assert api.get("/v1/accounts").status == (200 if counts else 403)


def test_a_password_sets_up_no_factor_where_a_provider_vouches_for_one(campus, university):
    owner, subject = campus.api().sign_up(), uuid.uuid4().hex
    cookie, location = begin(owner)
    linked = come_back(owner, university.grant(location, subject), cookie, path="/v1/accounts/me/identities/{}")
    changed(linked, 201)
    assert gradecast.run("account", "role", owner.login, "administrator", "--data", campus.data).returncode == 0
    before = campus.api().sign_in(owner.login, owner.password)
    assert changed(before.get("/v1/accounts/me")).json["enrolment"] == {"ways": []}
    vouched = changed(visit(campus.api(), university, subject, amr=["mfa"]), 201).json["session"]["token"]
    after = campus.api().sign_in(owner.login, owner.password)
    for thief in (before, after):
        assert changed(thief.get("/v1/accounts/me")).json["enrolment"] == {"ways": ["provider"]}
        for path in ("/v1/accounts/me/totp", "/v1/accounts/me/passkeys", "/v1/institutions"):
            answer = thief.post(path, {})
            assert (answer.status, answer.json["code"]) == (403, "enrolment_required"), path
            assert answer.json["ways"] == ["provider"]
        offered = changed(thief.get(PROOF)).json
        assert (offered["ways"], offered["providers"]) == (["provider"], ["university"])
    changed(shown(after, university, subject, auth_time=int(time.time())), 204)
    assert after.get("/v1/accounts").status == 403, "one factor is not enough"
    changed(shown(after, university, subject, auth_time=int(time.time()), amr=["mfa"]), 204)
    for api in (after, campus.api(token=vouched)):
        changed(api.get("/v1/accounts"))
    command = ("account", "second-factor", "--remove", owner.login, "--data", campus.data)
    assert gradecast.run(*command).returncode == 0
    assert after.get("/v1/accounts/me").status == 401
    again = campus.api().sign_in(owner.login, owner.password)
    assert changed(again.get("/v1/accounts/me")).json["enrolment"] == {"ways": []}


def test_what_a_provider_vouched_for_counts_no_longer_once_the_link_ends(campus, university):
    owner, subject = campus.api().sign_up(), uuid.uuid4().hex
    cookie, location = begin(owner)
    linked = come_back(owner, university.grant(location, subject), cookie, path="/v1/accounts/me/identities/{}")
    changed(linked, 201)
    told = changed(visit(campus.api(), university, subject, amr=["mfa"], auth_time=int(time.time())), 201).json
    api = campus.api(token=told["session"]["token"])
    machine = bearer(campus, api, "profile:read")
    assert gradecast.run("account", "role", owner.login, "administrator", "--data", campus.data).returncode == 0
    changed(machine.get("/v1/accounts/me"))
    changed(api.get("/v1/accounts"))
    changed(api.delete("/v1/accounts/me/identities/university"), 204)
    for caller in (machine, api):
        answer = caller.get("/v1/institutions")
        assert (answer.status, answer.json["code"]) == (403, "enrolment_required")


def test_two_factors_count_as_long_as_the_provider_that_saw_them_is_believed(tmp_path, issuers):
    config = configuration(tmp_path, {name: issuer.url for name, issuer in issuers.items()}, secondFactor="provider")
    config["signIn"]["secondFactor"] = {"administrators": True}
    server = gradecast.Server(tmp_path, config=config).start()
    api = person(server, issuers["university"], auth_time=int(time.time()))
    cookie, location = begin(api, "academy")
    reply = issuers["academy"].grant(location, api.subject)
    changed(come_back(api, reply, cookie, "academy", path="/v1/accounts/me/identities/{}"), 201)
    login = api.account["login"]
    assert gradecast.run("account", "role", login, "administrator", "--data", server.data).returncode == 0
    tokens = {}
    for name, issuer in issuers.items():
        owner = person(server, issuer, name, api.subject, auth_time=int(time.time()), amr=["mfa"])
        tokens[name] = owner.token, bearer(server, owner, "profile:read").token
    assert server.stop() == 0, server.output()
    config["signIn"]["oidc"][0]["secondFactor"] = "own"
    (tmp_path / "config.json").write_text(json.dumps(config))
    server.start()
    for token in tokens["university"]:
        answer = server.api(token).get("/v1/institutions")
        assert (answer.status, answer.json["code"]) == (403, "enrolment_required")
    session, machine = (server.api(token) for token in tokens["academy"])
    changed(session.get("/v1/accounts"))
    changed(machine.get("/v1/accounts/me"))
    assert server.stop() == 0, server.output()


def test_a_provider_that_is_not_trusted_that_far_vouches_for_one(campus, issuers):
    api = promoted(campus, issuers["academy"], "academy", amr=["mfa"], auth_time=int(time.time()))
    assert changed(api.get("/v1/accounts/me")).json["enrolment"] == {"ways": []}


def test_the_authenticator_app_is_asked_for_unless_the_provider_has_seen_two(campus, university):
    api = person(campus, university, auth_time=int(time.time()))
    enrolled(api)
    assert visit(campus.api(), university, api.subject).json["code"] == "second_factor_required"
    changed(visit(campus.api(), university, api.subject, amr=["pwd", "otp"]), 201)
