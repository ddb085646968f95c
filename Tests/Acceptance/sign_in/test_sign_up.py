"""Who gets an account at the first sign-in with a provider, and which institution's sign-in offers which provider."""

import concurrent.futures
import json
import uuid

import pytest
from factors import enrolled
from oidc import begin, come_back, configuration

import gradecast
from client import changed

CLOSED = [("sign_up_closed", "/code")]


@pytest.fixture(scope="module")
def campus(tmp_path_factory, issuer):
    folder = tmp_path_factory.mktemp("sign-up")
    config = configuration(folder, {"university": issuer.url}, signUp="invited")
    running = gradecast.Server(folder, config=config, demo=True).start()
    yield running
    assert running.stop() == 0, running.output()


def invitation(server, role="student"):
    """The token of a new invitation's link."""
    answer = server.signed_in("registrar").post("/v1/institutions/demo/invitations", {"role": role})
    return changed(answer, 201).json["invitation"]["token"]


def sign_in(server, issuer, subject, **wish):
    """The way of a person who sets out with a wish."""
    api = server.api()
    cookie, location = begin(api, **wish)
    return come_back(api, issuer.grant(location, subject), cookie)


def roles(server, answer):
    api = server.api(token=changed(answer, 201).json["session"]["token"])
    return [item["role"] for item in changed(api.get("/v1/memberships")).json["items"]]


def test_a_newcomer_needs_an_invitation_and_accepts_it_by_signing_in(campus, issuer):
    subject = uuid.uuid4().hex
    assert sign_in(campus, issuer, subject).faults == CLOSED
    assert sign_in(campus, issuer, subject, invitation="A" * 43).faults == CLOSED
    assert campus.api().post("/v1/sign-in/university", {"invitation": "x"}).faults == [("out_of_range", "/invitation")]
    token = invitation(campus)
    assert token not in begin(campus.api(), invitation=token)[1]
    assert roles(campus, sign_in(campus, issuer, subject, invitation=token)) == ["student"]
    # It is used up, for the next one who comes with it.
    assert sign_in(campus, issuer, uuid.uuid4().hex, invitation=token).faults == CLOSED
    assert roles(campus, sign_in(campus, issuer, subject)) == ["student"]


def test_who_has_an_account_sees_the_role_before_accepting_it(campus, issuer):
    subject = uuid.uuid4().hex
    assert roles(campus, sign_in(campus, issuer, subject, invitation=invitation(campus))) == ["student"]
    token = invitation(campus, "teacher")
    answer = sign_in(campus, issuer, subject, invitation=token)
    assert roles(campus, answer) == ["student"]
    api = campus.api(token=answer.json["session"]["token"])
    (offer,) = changed(api.get("/v1/invitations")).json["items"]
    assert (offer["role"], offer["account"], bool(offer["title"])) == ("teacher", answer.json["account"]["id"], True)
    assert "token" not in offer
    changed(api.post("/v1/invitations/accept", {"invitation": offer["id"]}), 201)
    assert roles(campus, sign_in(campus, issuer, subject)) == ["teacher"]
    assert changed(api.get("/v1/invitations")).json["items"] == []
    # It is used up, and so is its link.
    stranger = campus.api().sign_up()
    assert stranger.post("/v1/invitations/accept", {"token": token}).faults == [("invitation_refused", "/token")]


def test_an_invitation_that_is_offered_can_be_declined_and_one_that_is_none_changes_nothing(campus, issuer):
    subject = uuid.uuid4().hex
    assert roles(campus, sign_in(campus, issuer, subject, invitation=invitation(campus))) == ["student"]
    answer = sign_in(campus, issuer, subject, invitation=invitation(campus, "teacher"))
    api = campus.api(token=answer.json["session"]["token"])
    (offer,) = changed(api.get("/v1/invitations")).json["items"]
    changed(api.delete(f"/v1/invitations/{offer['id']}"), 204)
    assert roles(campus, sign_in(campus, issuer, subject, invitation="A" * 43)) == ["student"]
    assert changed(api.get("/v1/invitations")).json["items"] == []


def test_nothing_is_accepted_before_the_second_factor_is_shown(campus, issuer):
    subject = uuid.uuid4().hex
    first = sign_in(campus, issuer, subject, invitation=invitation(campus))
    api = campus.api(token=changed(first, 201).json["session"]["token"])
    enrolled(api)
    answer = sign_in(campus, issuer, subject, invitation=invitation(campus, "teacher"))
    assert (answer.status, answer.json["code"]) == (401, "second_factor_required")
    assert [item["role"] for item in changed(api.get("/v1/memberships")).json["items"]] == ["student"]
    assert changed(api.get("/v1/invitations")).json["items"] == []


def test_an_invitation_that_was_used_or_withdrawn_meanwhile_makes_no_account(campus, issuer):
    registrar = campus.signed_in("registrar")
    answer = changed(registrar.post("/v1/institutions/demo/invitations", {"role": "student"}), 201).json["invitation"]
    api = campus.api()
    cookie, location = begin(api, invitation=answer["token"])
    changed(registrar.delete(f"/v1/institutions/demo/invitations/{answer['id']}"), 204)
    assert come_back(api, issuer.grant(location, uuid.uuid4().hex), cookie).faults == CLOSED


def test_of_several_who_come_with_one_invitation_one_gets_an_account(campus, issuer):
    administrator = campus.signed_in("administrator")

    def accounts():
        return len(changed(administrator.get("/v1/accounts?limit=200")).json["items"])

    token, before = invitation(campus), accounts()
    ways = []
    for _ in range(6):
        api = campus.api()
        cookie, location = begin(api, invitation=token)
        ways.append((api, issuer.grant(location, uuid.uuid4().hex), cookie))
    with concurrent.futures.ThreadPoolExecutor(len(ways)) as pool:
        answers = list(pool.map(lambda way: come_back(*way), ways))
    assert sorted(answer.status for answer in answers) == [201] + [422] * 5
    assert all(answer.faults == CLOSED for answer in answers if answer.status == 422)
    assert accounts() == before + 1


def test_an_offer_to_another_account_is_no_invitation(campus, issuer):
    registrar, other = campus.signed_in("registrar"), campus.api().sign_up()
    path = f"/v1/institutions/demo/members/{other.account['id']}"
    offer = changed(registrar.call("PUT", path, {"role": "student"}), 202).json["invitation"]
    assert "token" not in offer
    assert sign_in(campus, issuer, uuid.uuid4().hex).faults == CLOSED


def test_github_asks_for_an_invitation_unless_the_operator_says_otherwise(tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("a secret")
    secret.chmod(0o600)
    entry = {"clientId": "x", "clientSecretFile": str(secret)}
    config = {"publicUrl": "https://a.example", "signIn": {"github": entry}}
    server = gradecast.Server(tmp_path, config=config).start()
    try:
        listed = changed(server.signed_in("administrator").get("/v1/providers")).json["items"]
        assert {item["id"]: item["signUp"] for item in listed}["github"] == "invited"
    finally:
        assert server.stop() == 0


# -- providers of one institution


def test_an_institutions_provider_is_offered_at_its_sign_in_and_to_its_members(tmp_path, issuer):
    rule = {"claim": "groups", "equals": "staff", "role": "student"}
    config = configuration(tmp_path, {"university": issuer.url}, institution="demo", memberships=[rule])
    server = gradecast.Server(tmp_path, config=config).start()
    try:

        def offered(api, query=""):
            providers = changed(api.get(f"/v1/sign-in{query}")).json["providers"]
            return "university" in [provider["id"] for provider in providers]

        guest = server.api()
        assert not offered(guest) and not offered(guest, "?institution=elsewhere")
        assert offered(guest, "?institution=demo")
        found = changed(server.signed_in("administrator").get("/v1/institutions/demo")).json["institution"]["id"]
        assert offered(guest, f"?institution={found}")
        assert offered(server.signed_in("registrar")) and not offered(server.api().sign_up())
        api = server.api()
        cookie, location = begin(api)
        answer = come_back(api, issuer.grant(location, uuid.uuid4().hex, groups=["staff"]), cookie)
        assert roles(server, answer) == ["student"]
    finally:
        assert server.stop() == 0


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ({"institution": "nowhere"}, "is of the institution nowhere, which does not exist"),
        (
            {
                "institution": "demo",
                "memberships": [{"claim": "a", "equals": "b", "institution": "other", "role": "student"}],
            },
            "which does not exist",
        ),
        ({"memberships": [{"claim": "a", "equals": "b", "role": "student"}]}, "memberships/0/institution"),
        ({"institution": "demo", "secondFactor": "provider"}, "cannot vouch for second factors"),
    ],
)
def test_a_provider_of_an_institution_makes_members_there_alone(tmp_path, entry, words):
    config = configuration(tmp_path, {"university": "https://login.example.org"}, **entry)
    path = tmp_path / "config.json"
    path.write_text(json.dumps(config))
    found = gradecast.run("check", "--config", path, "--data", tmp_path / "data")
    assert found.returncode == 1 and words in found.stdout + found.stderr


def test_a_rule_for_another_institution_is_refused(tmp_path):
    rule = {"claim": "a", "equals": "b", "institution": "other", "role": "student"}
    institutions = [{"slug": slug, "title": slug} for slug in ("demo", "other")]
    config = configuration(tmp_path, {"university": "https://a.example"}, institution="demo", memberships=[rule])
    with pytest.raises(AssertionError, match="makes members of other, and the provider is of demo alone"):
        gradecast.Server(tmp_path, config=config | {"institutions": institutions}, demo=False).start()
