"""What happened lately around the ways into an account, as its owner is told."""

import uuid

from authenticator import Authenticator
from factors import enrolled

import gradecast
from client import changed
from stored import of_a_file, stored

PATH = "/v1/accounts/me/activity"


def told(api, limit=50):
    """The acts, newest first."""
    return changed(api.get(f"{PATH}?limit={limit}")).json["items"]


def actions(api):
    return [item["action"] for item in told(api)]


def test_a_sign_in_tells_its_way_its_device_and_where_it_came_from(server, student):
    first = told(student)[0]
    assert (first["action"], first["own"], first["way"], first["newDevice"]) == (
        "session.opened",
        True,
        "password",
        False,
    )
    assert first["source"] == "127.0.0.…"
    body = {"login": student.login, "password": student.password, "deviceName": "My old phone"}
    again = changed(server.api().post("/v1/sessions", body), 201).json
    assert (told(student)[0]["deviceName"], told(student)[0]["newDevice"]) == ("My old phone", True)
    changed(server.api().post("/v1/sessions", body | {"device": again["device"]}), 201)
    assert told(student)[0]["newDevice"] is False


def test_every_change_of_the_ways_in_is_told(server, student):
    app, codes = enrolled(student)
    changed(student.post("/v1/accounts/me/recovery-codes"), 201)
    phone = Authenticator(f"http://localhost:{server.port}")
    options = changed(student.post("/v1/passkeys/options", {"purpose": "register"}), 201).json
    kept = changed(student.post("/v1/accounts/me/passkeys", phone.make(options)), 201).json["passkey"]
    changed(student.patch(f"/v1/accounts/me/passkeys/{kept['id']}", {"name": "Other"}))
    changed(student.delete(f"/v1/accounts/me/passkeys/{kept['id']}"), 204)
    changed(student.delete("/v1/accounts/me/totp"), 204)
    new = {"current": student.password, "new": uuid.uuid4().hex}
    changed(student.call("PUT", "/v1/accounts/me/password", new), 204)
    assert actions(student) == [
        "password.changed", "second-factor.removed", "passkey.removed", "passkey.renamed", "passkey.added",
        "recovery-codes.renewed", "second-factor.set", "session.opened",
    ]  # fmt: skip
    assert all(item["own"] for item in told(student))


def test_a_proof_that_fails_is_told(student):
    assert student.post("/v1/sessions/current/proof", {"password": "not the password"}).status == 422
    enrolled(student)
    assert student.post("/v1/sessions/current/proof", {"totp": "000000"}).status == 422
    assert student.post("/v1/sessions/current/proof", {"unheardOf": 1}).status == 422
    assert actions(student) == ["proof.refused", "second-factor.set", "proof.refused", "session.opened"]


def test_a_passkey_whose_counter_stands_still_is_told(server, student, guest):
    phone = Authenticator(f"http://localhost:{server.port}")
    phone.counter = 5
    options = changed(student.post("/v1/passkeys/options", {"purpose": "register"}), 201).json
    changed(student.post("/v1/accounts/me/passkeys", phone.make(options)), 201)
    options = changed(guest.post("/v1/passkeys/options", {"purpose": "signIn"}), 201).json
    assert guest.post("/v1/sessions/passkey", phone.use(options)).status == 422
    assert actions(student)[0] == "passkey.refused"


def test_what_others_do_is_told_without_who_and_where(server, student, administrator):
    account = student.account["id"]
    other = server.api().sign_in(student.login, student.password)
    session = next(item["id"] for item in other.get("/v1/sessions").json["items"] if item["current"])
    changed(administrator.delete(f"/v1/accounts/{account}/sessions/{session}"), 204)
    changed(administrator.post(f"/v1/accounts/{account}/reset"), 201)
    link, ended = told(student)[:2]
    assert (link["action"], ended["action"]) == ("link.issued", "session.ended")
    assert all((item["own"], item["source"]) == (False, None) for item in (link, ended))


def test_it_is_told_in_pages_and_in_the_language_of_the_reader(server, student):
    for _ in range(4):
        server.api().sign_in(student.login, student.password)
    answer = student.get(f"{PATH}?limit=2")
    found = [item["id"] for item in answer.json["items"]]
    while "Link" in answer.headers:
        answer = student.get(answer.headers["Link"].partition(">")[0].lstrip("<"))
        found += [item["id"] for item in answer.json["items"]]
    assert found == sorted((item["id"] for item in told(student)), reverse=True) and len(found) == 5
    assert student.get(f"{PATH}?limit=0").status == 400
    browser = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0"
    body = {"login": student.login, "password": student.password}
    changed(server.api().call("POST", "/v1/sessions", body, user_agent=browser), 201)
    names = {told(student.twin(language=language))[0]["deviceName"] for language in ("en", "fr", "zh-Hans")}
    assert names == {"Firefox on Linux", "Firefox sur Linux", "Linux 上的 Firefox"}


def test_the_owner_alone_is_told_and_nothing_is_left_of_who_is_gone(server, student, stranger):
    assert not {item["id"] for item in told(student)} & {item["id"] for item in told(stranger)}
    changed(student.delete("/v1/accounts/me"), 204)
    with stored(server) as store:
        lines = store.execute("SELECT detail FROM audit WHERE subject = ?", (student.account["id"],)).fetchall()
    assert lines and {detail for (detail,) in lines if detail is not None} <= {"{}"}


@of_a_file("asks how it is searched; PostgreSQL decides that by statistics")
def test_the_trail_is_found_by_its_subject_without_a_search(server):
    with stored(server) as store:
        query = "SELECT seq FROM audit WHERE seq < 9 AND scope = '' AND subject = 'x' ORDER BY seq DESC LIMIT 5"
        plan = " ".join(row[3] for row in store.execute("EXPLAIN QUERY PLAN " + query))
    assert "audit_by_subject" in plan and "SCAN" not in plan


def test_who_lost_the_second_factor_reads_that_it_was_removed_on_the_server(own_server):
    student = own_server.api().sign_up()
    enrolled(student)
    command = ("account", "second-factor", "--remove", student.login, "--data", own_server.data)
    assert gradecast.run(*command).returncode == 0
    again = own_server.api().sign_in(student.login, student.password)
    removed = told(again)[1]
    assert (removed["action"], removed["own"], removed["source"]) == ("second-factor.removed", False, None)
