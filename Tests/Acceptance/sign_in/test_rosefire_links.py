"""Rosefire: whose account it is, links, the operator's part and the stand-in of a demonstration."""

import json
import os
import uuid

import pytest
from factors import enrolled
from rosefire import SECRET, begin, claims, come_back, signed, signed_in, start

import gradecast
from client import changed


@pytest.fixture(scope="module")
def campus(tmp_path_factory):
    """A server that believes the tests' Rosefire."""
    running = start(tmp_path_factory.mktemp("rosefire"), demo=True).start()
    yield running
    assert running.stop() == 0, running.output()


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
