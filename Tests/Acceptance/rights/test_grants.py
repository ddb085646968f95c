"""Memberships that rules give over what providers say: who gets one, who keeps it, and what no rule may give."""

import json
import time
import uuid

import pytest
import test_cas
from oidc import begin, come_back, configuration, sign_in
from programs import Program, until

import gradecast
from client import changed
from live import Live
from stored import stored

STAFF = {"claim": "groups", "equals": "staff", "institution": "demo", "role": "teacher"}
STUDENTS = {"claim": "groups", "equals": "students", "institution": "demo", "role": "student"}
MANAGERS = {"claim": "office", "equals": "registry", "institution": "demo", "role": "registrar", "mayManage": True}
RULES = [STAFF, STUDENTS, MANAGERS]


@pytest.fixture(scope="module")
def campus(tmp_path_factory, issuer):
    folder = tmp_path_factory.mktemp("grants")
    config = configuration(folder, {"university": issuer.url}, memberships=RULES)
    running = gradecast.Server(folder, config=config, demo=True).start()
    yield running
    assert running.stop() == 0, running.output()


class Person:
    """Somebody of the issuer's, who signs in again and again."""

    def __init__(self, server, issuer):
        self.server, self.issuer, self.subject = server, issuer, uuid.uuid4().hex

    def sign_in(self, **claims):
        answer = changed(sign_in(self.server, self.issuer, self.subject, **claims), 201)
        self.id = answer.json["account"]["id"]
        api = self.server.api(token=answer.json["session"]["token"])
        api.account = answer.json["account"]
        return api


def memberships(api):
    return changed(api.get("/v1/memberships")).json["items"]


def roles(api):
    return [item["role"] for item in memberships(api)]


def trail(server, account):
    """What was done to an account's memberships, newest first."""
    lines = changed(server.signed_in("administrator").get(f"/v1/audit?subject={account}")).json["items"]
    return [(line["action"], line["detail"]) for line in lines if line["action"].startswith("member.")]


def test_a_group_grants_and_its_loss_takes_back(campus, issuer):
    person = Person(campus, issuer)
    assert roles(person.sign_in()) == []
    api = person.sign_in(groups=["others", "staff"])
    (mine,) = memberships(api)
    (grant,) = mine["grants"]
    assert (mine["role"], grant["by"], grant["role"]) == ("teacher", "rule", "teacher")
    assert grant["rule"] == {"issuer": issuer.url, "claim": "groups", "equals": "staff"} and grant["until"]
    registrar = campus.signed_in("registrar")
    changed(api.get("/v1/institutions/demo/members"))
    listed = changed(registrar.get("/v1/institutions/demo/members?limit=200")).json["items"]
    assert [one["grants"] for one in listed if one["account"] == person.id] == [[grant]]
    # The older session is held to what the newer sign-in has shown.
    person.sign_in(groups="students")
    assert roles(api) == ["student"] and api.get("/v1/institutions/demo/members").status == 403
    person.sign_in(groups=["others"])
    assert roles(api) == []
    done = trail(campus, person.id)
    assert [action for action, _ in done] == [
        "member.revoked", "member.granted", "member.revoked", "member.granted",
    ]  # fmt: skip
    assert all(detail["rule"]["claim"] == "groups" for _, detail in done)


def test_a_claim_is_compared_as_it_is(campus, issuer):
    for claim in ("Staff", "staff ", ["STAFF"], 7, True, {"staff": True}, [["staff"]], None):
        assert roles(Person(campus, issuer).sign_in(groups=claim)) == [], claim
    assert roles(Person(campus, issuer).sign_in(groups="staff")) == ["teacher"]
    assert roles(Person(campus, issuer).sign_in(office="registry", groups="students")) == ["registrar"]


def test_a_pointer_elsewhere_changes_nothing(campus, issuer):
    person = Person(campus, issuer)
    (before,) = memberships(person.sign_in(groups=["staff"]))
    overflow = {"_claim_names": {"groups": "src1"}, "_claim_sources": {"src1": {"endpoint": "https://a.example"}}}
    assert memberships(person.sign_in(**overflow)) == [before]
    assert roles(Person(campus, issuer).sign_in(**overflow)) == []
    # A claim that stands there itself is what counts.
    assert roles(person.sign_in(groups=["others"], **overflow)) == []


def test_a_failing_provider_and_a_refused_sign_in_change_nothing(campus, issuer):
    person = Person(campus, issuer)
    api = person.sign_in(groups=["staff"])
    assert sign_in(campus, issuer, person.subject, groups=[], aud="somebody else").status == 422
    issuer.answers["/realm/token"] = (500, b"{}")
    assert sign_in(campus, issuer, person.subject, groups=[]).status == 503
    del issuer.answers["/realm/token"]
    assert roles(api) == ["teacher"]


def test_a_rule_changes_nothing_that_people_gave_nor_they_what_it_grants(campus, issuer):
    registrar = campus.signed_in("registrar")
    person = Person(campus, issuer)
    api = person.sign_in()
    registrar.makes_member(api, "demo", "teacher")
    place = f"/v1/institutions/demo/members/{person.id}"
    assert roles(person.sign_in(groups=[])) == ["teacher"]
    person.sign_in(groups=["students"])
    (mine,) = memberships(api)
    assert mine["role"] == "teacher" and {grant["by"] for grant in mine["grants"]} == {"invitation", "rule"}
    changed(registrar.call("PUT", place, {"role": "student"}))
    person.sign_in(groups=["staff"])
    changed(registrar.call("PUT", place, {"role": "student"}))
    assert roles(api) == ["teacher"]
    changed(registrar.delete(place), 204)
    assert roles(api) == ["teacher"]
    assert registrar.delete(place).faults == [("membership_by_rule", "")]
    person.sign_in()
    assert roles(api) == [] and registrar.delete(place).status == 404


def test_a_password_renews_nothing_and_the_end_of_the_link_takes_back(campus, issuer):
    local = campus.api().sign_up()
    cookie, location = begin(local)
    subject = uuid.uuid4().hex
    changed(
        come_back(
            local, issuer.grant(location, subject, groups=["staff"]), cookie, path="/v1/accounts/me/identities/{}"
        ),
        201,
    )
    assert roles(local) == []  # linking is no sign-in
    changed(sign_in(campus, issuer, subject, groups=["staff"]), 201)
    (before,) = memberships(local)
    again = campus.api().sign_in(local.login, local.password)
    assert memberships(again) == [before]
    assert again.delete("/v1/accounts/me/identities/university").status == 204
    assert roles(again) == []


def test_the_first_sign_in_brings_the_language_and_later_ones_do_not(campus, issuer):
    person = Person(campus, issuer)
    assert person.sign_in(locale="fr-CA").account["locale"] == "fr"
    assert person.sign_in(locale="en").account["locale"] == "fr"
    assert Person(campus, issuer).sign_in(locale="tlh").account["locale"] is None


# Waits until a grant lapses, which must outlast the start of a server.
@pytest.mark.slow("waits for the five seconds of a grant, and restarts its server twice")
def test_a_grant_that_lapses_ends_what_rests_on_it(tmp_path, issuer):
    config = configuration(tmp_path, {"university": issuer.url}, memberships=[MANAGERS])
    server = gradecast.Server(tmp_path, config=config).start()
    person = Person(server, issuer)
    api = person.sign_in(office="registry")
    program = Program(api, "chalkboard")
    changed(program.publish())
    changed(api.get(program.path + "/cohort"))
    try:
        for seconds in (5, 20, 80, 240):
            assert server.stop() == 0
            end = time.time() + seconds
            with stored(server) as store:
                assert store.execute("UPDATE grants SET until = ?", (int(end * 1_000_000),)).rowcount == 1
            server.start()
            api = server.api(token=api.token)
            live = Live(server, api.token)
            if live.subscribe(f"cohort/{program.id}")["t"] == "state" and roles(api) == ["registrar"]:
                break
            live.close()  # too slow to get here in time
            api = person.sign_in(office="registry")
        else:
            raise AssertionError("no grant lasted until its connection had subscribed")
        while (told := live.receive())["t"] != "end":
            assert roles(api) == ["registrar"] or time.time() >= end
        assert (told["why"], told["topic"]) == ("revoked", f"cohort/{program.id}") and time.time() >= end
        assert roles(api) == [] and api.get(program.path + "/cohort").status == 403
        assert trail(server, person.id)[0][0] == "member.lapsed"
        live.close()
        # Who signs in again has it again.
        assert roles(person.sign_in(office="registry")) == ["registrar"]
    finally:
        assert server.stop() == 0


def test_a_provider_that_gets_another_id_keeps_its_people_and_what_it_granted(tmp_path, issuer):
    config = configuration(tmp_path, {"university": issuer.url}, memberships=[STAFF])
    server = gradecast.Server(tmp_path, config=config).start()
    person = Person(server, issuer)
    api = person.sign_in(groups=["staff"])
    granted = memberships(api)
    assert [item["role"] for item in granted] == ["teacher"]
    assert server.stop() == 0, server.output()
    config["signIn"]["oidc"][0]["id"] = "campus"
    (tmp_path / "config.json").write_text(json.dumps(config))
    server.start()
    try:
        # The session that the provider opened under its former id goes on.
        assert memberships(server.api(token=api.token)) == granted
        assert server.api().post("/v1/sign-in/university", {}).status == 404
        cookie, location = begin(server.api(), "campus")
        reply = issuer.grant(location, person.subject, groups=["staff"])
        answer = changed(come_back(server.api(), reply, cookie, "campus"), 201).json
        assert answer["account"]["id"] == person.id
        api = server.api(token=answer["session"]["token"])
        ways = changed(api.get("/v1/accounts/me/identities")).json["items"]
        assert [way["provider"] for way in ways] == ["campus"]
        assert roles(api) == ["teacher"]
        assert [action for action, _ in trail(server, person.id)] == ["member.granted"]
    finally:
        assert server.stop() == 0, server.output()


# -- what no rule may give


def checked(folder, rules, **more):
    """What `check` finds of a configuration with these rules, and what keeps the server from starting."""
    path = folder / "config.json"
    config = configuration(folder, {"university": "https://login.example.org"}, memberships=rules) | more
    path.write_text(json.dumps(config))
    found = gradecast.run("check", "--config", path, "--data", folder / "data")
    assert found.returncode == 1, found.stdout
    with pytest.raises(AssertionError):
        gradecast.Server(folder, config=config).start()
    return found.stdout + found.stderr


TOO_MUCH = {
    "an administrator": (STAFF | {"role": "administrator"}, "memberships/0/role: A provider's claims never make admin"),
    "a registrar": (STAFF | {"role": "registrar"}, "memberships/0/role: A rule makes registrars only with"),
    "a role that is none": (STAFF | {"role": "owner"}, "memberships/0/role"),
    "an unknown institution": (
        STAFF | {"institution": "nowhere"},
        "names the institution nowhere, which does not exist",
    ),
    "an unknown program": (STAFF | {"programs": ["none"]}, "names the program none, which demo does not have"),
    "a student's programs": (STUDENTS | {"programs": ["x"]}, "memberships/0/programs: Only teachers have programs"),
    "no claim": ({name: STAFF[name] for name in ("equals", "institution", "role")}, "memberships/0/claim"),
    "a key of no rule": (STAFF | {"matches": ".*"}, "memberships/0/matches"),
}


@pytest.mark.parametrize("name", TOO_MUCH)
def test_a_rule_that_grants_too_much_keeps_the_server_from_starting(tmp_path, name):
    rule, words = TOO_MUCH[name]
    assert words in checked(tmp_path, [rule])


@pytest.mark.parametrize("kind", ["github", "rosefire"])
def test_github_and_rosefire_have_no_rules(tmp_path, kind):
    needs = {"github": {"clientId": "x", "clientSecretFile": "x"}, "rosefire": {"registry": "x"}}[kind]
    path = tmp_path / "config.json"
    path.write_text(json.dumps({"publicUrl": "https://a.example", "signIn": {kind: needs | {"memberships": [STAFF]}}}))
    found = gradecast.run("check", "--config", path, "--data", tmp_path / "data")
    assert found.returncode == 1 and f"/signIn/{kind}/memberships" in found.stdout + found.stderr


# -- CAS


def test_the_attributes_of_cas_are_claims_as_well(tmp_path):
    cas = test_cas.Cas()
    entry = {"id": "cas", "title": "CAS", "url": cas.url + "/", "memberships": [STAFF]}
    config = {"publicUrl": test_cas.PUBLIC, "signIn": {"cas": [entry]}, "outbound": {"networks": ["127.0.0.0/8"]}}
    server = gradecast.Server(tmp_path, config=config).start()
    try:

        def granted(attributes):
            session = changed(test_cas.sign_in(server, cas, test_cas.success("ada", attributes)), 201).json["session"]
            return roles(server.api(token=session["token"]))

        assert granted("<cas:groups>others</cas:groups><cas:groups> staff </cas:groups>") == ["teacher"]
        assert granted("<cas:groups>others</cas:groups>") == []
        assert granted("<cas:more><cas:groups>staff</cas:groups></cas:more>") == []
    finally:
        assert server.stop() == 0
        cas.service.stop()


def test_a_configuration_that_uses_a_former_short_name_means_the_institution_that_had_it(tmp_path, issuer):
    config = configuration(tmp_path, {"university": issuer.url})
    server = gradecast.Server(tmp_path, config=config).start()
    administrator = server.signed_in("administrator")
    wish = {"slug": "school", "title": "School"}
    school = changed(administrator.post("/v1/institutions", wish), 201).json["institution"]["id"]
    changed(administrator.patch(f"/v1/institutions/{school}", {"slug": "academy"}))
    assert server.stop() == 0, server.output()
    config["institutions"] = [
        {"slug": "demo", "title": "Demo", "open": True, "programs": [{"scheme": "iut", "title": "Year"}]}, wish
    ]  # fmt: skip
    config["signIn"]["oidc"][0]["memberships"] = [STUDENTS | {"institution": "school"}]
    path = tmp_path / "config.json"
    path.write_text(json.dumps(config))
    check = gradecast.run("check", "--config", path, "--data", server.data, "--port", 0)
    assert check.returncode == 0, check
    assert "names the institution academy by its former short name school" in check.stdout
    server.start()
    until(server.output, lambda output: '"former":"school"' in output.replace('": "', '":"'))
    administrator = server.signed_in("administrator")
    institutions = changed(administrator.get("/v1/institutions")).json["items"]
    assert [item["slug"] for item in institutions] == ["demo", "academy"]
    assert changed(administrator.get("/v1/institutions/school")).json["institution"]["id"] == school
    person = Person(server, issuer).sign_in(groups=["students"])
    assert [(item["institution"], item["role"]) for item in memberships(person)] == [(school, "student")]
    assert server.stop() == 0, server.output()
