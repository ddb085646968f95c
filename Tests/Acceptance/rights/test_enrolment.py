"""Second factors that a role needs: what a session without one may do, and what changes that at once."""

import base64
import hashlib
import os
import time

import pytest
from authenticator import Authenticator
from factors import App, challenge, enrolled
from tokens import bearer

import gradecast
from client import changed
from live import Events, Live
from stored import stored

REQUIRED = {"signIn": {"secondFactor": {"administrators": True}}}
PROOF, MINE, TOTP = "/v1/sessions/current/proof", "/v1/accounts/me/passkeys", "/v1/accounts/me/totp"


@pytest.fixture(scope="module")
def strict(tmp_path_factory):
    """A demonstration whose administrators must have a second factor."""
    running = gradecast.Server(tmp_path_factory.mktemp("strict"), config=REQUIRED).start()
    yield running
    assert running.stop() == 0, running.output()


@pytest.fixture
def chief(strict):
    """A new administrator without a second factor, signed in."""
    api = strict.api().sign_up()
    promote(strict, api)
    return api


def promote(server, api):
    """Makes somebody an administrator."""
    command = ("account", "role", api.login, "administrator", "--data", server.data)
    assert gradecast.run(*command).returncode == 0


@pytest.fixture
def school(own_server):
    """An institution with its registrar, a teacher and a student."""
    administrator = own_server.signed_in("administrator")
    made = administrator.post("/v1/institutions", {"slug": "school", "title": "School"})
    school = changed(made, 201).json["institution"]["id"]
    people = {role: own_server.api().sign_up() for role in ("registrar", "teacher", "student")}
    administrator.makes_member(people["registrar"], school, "registrar")
    for role in ("teacher", "student"):
        people["registrar"].makes_member(people[role], school, role)
    return f"/v1/institutions/{school}", people


def has_to(answer, ways):
    """Whether the answer says that a second factor has to be shown in these ways, or set up where there is none."""
    return (answer.status, answer.json["code"], answer.json.get("ways")) == (403, "enrolment_required", ways)


def enrolment(api):
    return changed(api.get("/v1/accounts/me")).json["enrolment"]


def passkey(server, api):
    """A passkey of the account, from now on."""
    phone = Authenticator(f"http://localhost:{server.port}")
    options = changed(api.post("/v1/passkeys/options", {"purpose": "register"}), 201).json
    changed(api.post(MINE, phone.make(options)), 201)
    return phone


def test_an_administrator_sets_up_an_app_before_anything_else(strict, chief):
    assert enrolment(chief) == {"ways": []}
    assert has_to(chief.get("/v1/accounts"), [])
    assert has_to(chief.post("/v1/live/tickets"), [])
    app, _ = enrolled(chief)
    assert enrolment(chief) is None
    changed(chief.get("/v1/accounts"))
    again = strict.api()
    waiting = challenge(again, chief.login, chief.password)
    answer = again.post("/v1/sessions/second-factor", {"challenge": waiting["challenge"], "code": app.next_code()})
    again.token = changed(answer, 201).json["session"]["token"]
    changed(again.get("/v1/accounts"))


def test_a_passkey_counts_and_a_password_beside_it_is_not_enough(strict, chief):
    phone = passkey(strict, chief)
    changed(chief.get("/v1/accounts"))
    thief = strict.api().sign_in(chief.login, chief.password)
    assert enrolment(thief) == {"ways": ["passkey"]}
    # Who knows the password alone sets up nothing else in its place.
    for answer in (thief.get("/v1/accounts"), thief.post(TOTP), thief.delete(MINE + "/x")):
        assert has_to(answer, ["passkey"])
    refused = thief.post("/v1/passkeys/options", {"purpose": "register"})
    assert has_to(thief.post(MINE, Authenticator(phone.origin).make(refused.json)), ["passkey"])
    changed(thief.post(PROOF, {"password": chief.password}), 204)
    assert has_to(thief.get("/v1/accounts"), ["passkey"])
    options = changed(thief.post("/v1/passkeys/options", {"purpose": "proof"}), 201).json
    changed(thief.post(PROOF, {"passkey": phone.use(options)}), 204)
    changed(thief.get("/v1/accounts"))


def test_a_session_that_has_to_enrol_can_still_be_ended(strict, chief):
    changed(chief.delete("/v1/sessions/current"), 204)
    assert chief.get("/v1/accounts/me").status == 401


def test_a_factor_that_is_removed_is_missed_at_once(strict, chief):
    enrolled(chief)
    changed(chief.get("/v1/accounts"))
    changed(chief.delete(TOTP), 204)
    assert has_to(chief.get("/v1/accounts"), [])
    passkey(strict, chief)
    changed(chief.get("/v1/accounts"))
    changed(chief.delete(f"{MINE}/{chief.get(MINE).json['items'][0]['id']}"), 204)
    assert has_to(chief.get("/v1/accounts"), [])


def test_a_token_made_with_a_password_alone_does_nothing_for_a_new_administrator(strict, live):
    student = strict.api().sign_up()
    topic = f"record/{student.new_record('chalkboard').id}"
    caller = bearer(strict, student, "profile:read", "records:read")
    listener = live(caller.token, at=strict)
    assert listener.subscribe(topic)["t"] == "state"
    promote(strict, student)
    assert has_to(caller.get("/v1/records"), [])
    listener.next("end", topic=topic)
    assert listener.subscribe(topic)["code"] == "forbidden"
    assert Events(strict, caller.token, topic).status == 403
    assert enrolment(caller) == {"ways": []}
    enrolled(student)
    # What the owner shows later adds nothing to the token.
    assert has_to(caller.get("/v1/records"), ["totp"])
    assert listener.subscribe(topic)["code"] == "forbidden"
    changed(bearer(strict, student, "records:read").get("/v1/records"))


def test_a_token_made_after_a_second_factor_was_shown_goes_on_for_a_new_administrator(strict, live):
    student = strict.api().sign_up()
    topic = f"record/{student.new_record('chalkboard').id}"
    enrolled(student)
    caller = bearer(strict, student, "profile:read", "records:read")
    promote(strict, student)
    changed(caller.get("/v1/records"))
    assert enrolment(caller) is None
    listener = live(caller.token, at=strict)
    assert listener.subscribe(topic)["t"] == "state"
    changed(student.delete(TOTP), 204)
    listener.next("end", topic=topic)
    assert has_to(caller.get("/v1/records"), [])


def test_a_token_of_an_older_release_counts_as_made_with_a_password_alone(own_server, school):
    base, people = school
    registrar = people["registrar"]
    enrolled(registrar)
    caller, secret = bearer(own_server, registrar, "roster:read"), os.urandom(32)
    with stored(own_server) as store:
        kept = "account, kind, name, scopes, networks, created_at, expires_at"
        store.execute(
            f"INSERT INTO api_tokens (token, id, {kept}) SELECT ?, 'older', {kept} FROM api_tokens WHERE id = ?",
            (hashlib.sha256(secret).digest(), caller.id),
        )
    older = own_server.api("gct_" + base64.urlsafe_b64encode(secret).decode().rstrip("="))
    for token in (caller, older):
        changed(token.get(f"{base}/members"))
    changed(registrar.patch(base, {"secondFactor": "staff"}))
    changed(caller.get(f"{base}/members"))
    assert has_to(older.get(f"{base}/members"), ["totp"])


def test_who_lost_it_comes_back_through_the_server_without_any_session_left(strict, chief):
    passkey(strict, chief)
    enrolled(chief)
    listener = Live(strict, chief.token)
    command = ("account", "second-factor", "--remove", chief.login, "--data", strict.data)
    assert gradecast.run(*command).returncode == 0
    assert listener.closed() == 4503
    assert chief.get("/v1/accounts/me").status == 401
    again = strict.api().sign_in(chief.login, chief.password)
    assert enrolment(again) == {"ways": []}
    assert again.get(MINE).json["items"] == []
    assert gradecast.run(*command).returncode == 1
    enrolled(again)
    lines = changed(again.get(f"/v1/audit?subject={again.account['id']}")).json["items"]
    removed = next(line for line in lines if line["action"] == "second-factor.removed")
    assert (removed["by"], removed["source"]) == (None, "cli")


def test_an_institution_asks_its_staff_from_that_moment_on(own_server, school):
    base, people = school
    live = Live(own_server, people["teacher"].token)
    topic = f"records/{people['teacher'].account['id']}"
    assert live.subscribe(topic)["t"] == "state"
    assert changed(people["registrar"].get(base)).json["institution"]["secondFactor"] == "none"
    for role in ("teacher", "student"):
        assert people[role].patch(base, {"secondFactor": "staff"}).status == 403
    wrong = people["registrar"].patch(base, {"secondFactor": "everybody"})
    assert wrong.faults == [("out_of_range", "/secondFactor")]
    changed(people["registrar"].patch(base, {"secondFactor": "staff"}))
    for role in ("registrar", "teacher"):
        assert has_to(people[role].get(base), [])
    live.next("end", topic=topic)
    assert enrolment(people["student"]) is None
    changed(people["student"].get(base))
    assert live.subscribe(topic)["code"] == "forbidden"
    enrolled(people["registrar"])
    changed(people["registrar"].patch(base, {"secondFactor": "none"}))
    changed(people["teacher"].get(base))


def test_who_finds_a_session_drops_no_demand_for_a_second_factor(own_server, school):
    base, people = school
    registrar = people["registrar"]
    changed(registrar.patch(base, {"secondFactor": "staff"}))
    app, _ = enrolled(registrar)
    with stored(own_server) as store:
        store.execute("UPDATE session_proofs SET proven_at = 0")
    for change in ({"secondFactor": "none"}, {"title": "Other", "secondFactor": "none"}):
        asked = registrar.patch(base, change)
        assert (asked.status, asked.json["code"], asked.json["ways"]) == (401, "step_up_required", ["totp"])
    found = changed(registrar.patch(base, {"title": "Other"})).json["institution"]
    assert (found["title"], found["secondFactor"]) == ("Other", "staff")
    changed(registrar.post(PROOF, {"totp": app.next_code()}), 204)
    assert changed(registrar.patch(base, {"secondFactor": "none"})).json["institution"]["secondFactor"] == "none"


def test_who_becomes_staff_there_is_asked_from_that_moment_on(school):
    base, people = school
    changed(people["registrar"].patch(base, {"secondFactor": "staff"}))
    enrolled(people["registrar"])
    changed(people["student"].get("/v1/records"))
    people["registrar"].makes_member(people["student"], base.split("/")[-1], "teacher")
    assert has_to(people["student"].get("/v1/records"), [])
    people["registrar"].makes_member(people["student"], base.split("/")[-1], "student")
    changed(people["student"].get("/v1/records"))


def first_token(server):
    """The token of the link that a new server prints."""
    deadline = time.monotonic() + gradecast.PATIENCE
    while "/first#" not in server.output(2**20):
        assert time.monotonic() < deadline, server.output()
        time.sleep(0.02)
    return server.output(2**20).split("/first#")[1].split()[0]


@pytest.mark.slow("starts two servers of its own")
def test_a_server_asks_its_first_administrator_unless_it_is_told_otherwise(tmp_path):
    for name, config in (("asks", None), ("asks-not", {"signIn": {"secondFactor": {"administrators": False}}})):
        folder = tmp_path / name
        folder.mkdir()
        server = gradecast.Server(folder, config=config, demo=False).start()
        token = first_token(server)
        body = {"token": token, "login": "root", "password": "correct horse battery", "displayName": "Root"}
        api = server.api()
        api.token = changed(api.post("/v1/accounts/first", body), 201).json["session"]["token"]
        assert api.get("/v1/accounts").status == (403 if config is None else 200)
        if config is None:
            App(api).confirm()
            changed(api.get("/v1/accounts"))
        assert server.stop() == 0


def test_a_demonstration_asks_nobody(own_server):
    changed(own_server.signed_in("administrator").get("/v1/accounts"))
