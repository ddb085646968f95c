"""Second factors: codes of an authenticator app, recovery codes, and what the server's owner does about lost ones."""

import xml.etree.ElementTree

from factors import App, challenge, enrolled
from tokens import bearer

import gradecast
from client import changed
from live import Live
from stored import stored


def answer(api, waiting, code, **more):
    return api.post("/v1/sessions/second-factor", {"challenge": waiting["challenge"], "code": code} | more)


def test_an_authenticator_app_is_asked_after_the_password(student, guest):
    app, _ = enrolled(student)
    waiting = challenge(guest, student.login, student.password)
    assert waiting["ways"] == ["totp", "recovery"]
    assert waiting["expiresIn"] == 300
    refused = answer(guest, waiting, "000000")
    assert (refused.status, refused.faults) == (422, [("code_refused", "/code")])
    admitted = changed(answer(guest, waiting, app.next_code()), 201)
    guest.token = admitted.json["session"]["token"]
    assert guest.get("/v1/accounts/me").json["login"] == student.login
    again = answer(guest, waiting, app.next_code())
    assert again.faults == [("sign_in_expired", "")]


def test_a_recovery_code_lets_in_once(student, guest):
    _, codes = enrolled(student)
    assert len(set(codes)) == 10
    changed(answer(guest, challenge(guest, student.login, student.password), codes[3]), 201)
    waiting = challenge(guest, student.login, student.password)
    assert answer(guest, waiting, codes[3]).faults == [("code_refused", "/code")]
    assert student.get("/v1/accounts/me/totp").json["recoveryCodes"] == 9
    fresh = changed(student.post("/v1/accounts/me/recovery-codes"), 201).json["recoveryCodes"]
    assert not set(fresh) & set(codes)
    assert answer(guest, waiting, codes[4]).faults == [("code_refused", "/code")]
    changed(answer(guest, waiting, fresh[4]), 201)


def test_a_browser_gets_its_cookie_after_the_second_factor(student, guest):
    _, codes = enrolled(student)
    body = {"login": student.login, "password": student.password, "cookie": True}
    waiting = guest.post("/v1/sessions", body)
    assert waiting.status == 401
    assert "Set-Cookie" not in waiting.headers
    admitted = changed(answer(guest, waiting.json, codes[0], cookie=True), 201)
    assert "token" not in admitted.json["session"]
    assert any(value.startswith("gradecast-local=") for value in admitted.headers.get_all("Set-Cookie"))


def test_an_app_is_set_up_by_camera_or_by_hand(student):
    app = App(student)
    assert app.address.startswith("otpauth://totp/Gradecast")
    assert f"secret={app.secret}&" in app.address
    drawing = xml.etree.ElementTree.fromstring(app.qr)
    assert drawing.tag == "{http://www.w3.org/2000/svg}svg"
    state = student.get("/v1/accounts/me/totp").json
    assert state == {"enabled": False, "since": None, "recoveryCodes": 0}
    wrong = student.call("PUT", "/v1/accounts/me/totp", {"code": "abc"})
    assert wrong.faults == [("code_refused", "/code")]
    changed(app.confirm())
    state = student.get("/v1/accounts/me/totp").json
    assert (state["enabled"], state["recoveryCodes"]) == (True, 10)
    assert student.get("/v1/accounts/me/export").json["secondFactor"] == state


def test_without_the_second_factor_the_password_is_enough_again(student, guest):
    enrolled(student)
    changed(student.delete("/v1/accounts/me/totp"), 204)
    assert student.delete("/v1/accounts/me/totp").status == 404
    guest.sign_in(student.login, student.password)


def test_a_new_password_by_link_does_not_skip_the_second_factor(server, student, guest):
    app, _ = enrolled(student)
    path = f"/v1/accounts/{student.account['id']}/reset"
    token = changed(server.signed_in("administrator").post(path), 201).json["token"]
    changed(guest.post("/v1/accounts/password", {"token": token, "password": "another horse battery"}), 204)
    waiting = challenge(guest, student.login, "another horse battery")
    changed(answer(guest, waiting, app.next_code()), 201)


def test_a_sign_up_that_is_repeated_does_not_skip_the_second_factor(guest):
    key = {"idempotency_key": "again"}
    body = {"login": "repeated", "password": "correct horse battery", "displayName": "Person"}
    guest.token = changed(guest.post("/v1/accounts", body, **key), 201).json["session"]["token"]
    enrolled(guest)
    guest.token = None
    again = guest.post("/v1/accounts", body, **key)
    assert (again.status, again.json["code"]) == (401, "second_factor_required")


def test_who_lost_everything_comes_back_through_the_server_and_the_trail_says_so(server, student, guest):
    enrolled(student)
    machine = bearer(server, student, "profile:read")
    connection = Live(server, machine.token)
    command = ("account", "second-factor", "--remove", student.login, "--data", str(server.data))
    assert gradecast.run(*command).returncode == 0
    assert connection.closed() == 4503
    assert machine.get("/v1/accounts/me").status == student.get("/v1/accounts/me").status == 401
    guest.sign_in(student.login, student.password)
    lines = server.signed_in("administrator").get(f"/v1/audit?subject={student.account['id']}").json["items"]
    removed = next(line for line in lines if line["action"] == "second-factor.removed")
    assert (removed["by"], removed["source"]) == (None, "cli")
    assert gradecast.run(*command).returncode == 1
    assert gradecast.run("account", "second-factor", student.login, "--data", str(server.data)).returncode == 64


# -- step-up


def grow_old(server, api):
    """Lets the last proof of an account's sessions be from long ago."""
    with stored(server) as store:
        store.execute("UPDATE sessions SET created_at = 0 WHERE account = ?", (api.account["id"],))
        store.execute("DELETE FROM session_proofs")


def asks_for_proof(answer):
    return (answer.status, answer.json["code"]) == (401, "step_up_required")


def test_what_is_dangerous_asks_an_old_session_who_it_is(own_server):
    administrator = own_server.signed_in("administrator")
    registrar = own_server.signed_in("registrar")
    person = own_server.api().sign_up()
    other = f"/v1/accounts/{person.account['id']}"
    institution = administrator.get("/v1/institutions/demo").json["institution"]["id"]
    members = f"/v1/institutions/{institution}"
    listed = registrar.get(f"{members}/programs").json["items"][0]
    program = listed["id"]
    entry = "staff" if listed["entry"] != "staff" else "both"
    new = {"current": person.password, "new": "another horse battery"}
    dangerous = [
        (person, "DELETE", "/v1/accounts/me", None),
        (person, "PUT", "/v1/accounts/me/password", new),
        (person, "POST", "/v1/accounts/me/identities/rosefire", {"token": "x", "attempt": "x"}),
        (person, "DELETE", "/v1/accounts/me/identities/rosefire", None),
        (person, "POST", "/v1/accounts/me/totp", None),
        (person, "PUT", "/v1/accounts/me/totp", {"code": "x"}),
        (person, "DELETE", "/v1/accounts/me/totp", None),
        (person, "POST", "/v1/accounts/me/recovery-codes", None),
        (person, "POST", "/v1/accounts/me/passkeys", {"name": "x", "clientDataJSON": "eA", "attestationObject": "eA"}),
        (person, "DELETE", "/v1/accounts/me/passkeys/x", None),
        (person, "POST", "/v1/accounts/me/tokens", {"name": "x", "scopes": ["profile:read"]}),
        (person, "PUT", "/v1/accounts/me/email", {"email": "ada@example.org"}),
        (person, "DELETE", "/v1/accounts/me/email", None),
        (administrator, "PATCH", other, {"role": "administrator"}),
        (administrator, "DELETE", f"{other}?reason=asked", None),
        (administrator, "POST", f"{other}/reset", None),
        (administrator, "GET", f"{other}/export?reason=asked", None),
        (registrar, "POST", f"/v1/programs/{program}/publish", {"digest": "x"}),
        (registrar, "PATCH", f"/v1/programs/{program}", {"entry": entry}),
        (registrar, "PATCH", members, {"secondFactor": "staff"}),
        (registrar, "PUT", f"{members}/members/{person.account['id']}", {"role": "teacher"}),
        (registrar, "POST", f"{members}/invitations", {"role": "registrar"}),
        (registrar, "POST", f"{members}/service-accounts", {"name": "x", "role": "registrar", "scopes": []}),
        (registrar, "PATCH", f"{members}/service-accounts/x", {"name": "y"}),
        (registrar, "POST", f"{members}/service-accounts/x/secrets", {"name": "x"}),
        (registrar, "POST", f"{members}/service-accounts/x/tokens", {"name": "x", "scopes": []}),
        (registrar, "POST", f"{members}/webhooks", {"title": "x", "url": "https://x.example.org/", "events": []}),
        (registrar, "PATCH", f"{members}/webhooks/x", {"title": "y"}),
        (registrar, "POST", f"{members}/webhooks/x/secret", None),
    ]
    if gradecast.STORE == "sqlite":
        dangerous.append((administrator, "GET", "/v1/backup", None))
    too = [(administrator, "PATCH", other, change) for change in ({"login": "renamed"}, {"disabled": True})]
    harmless = [
        (person, "GET", "/v1/accounts/me", None, 200),
        (administrator, "PATCH", other, {"displayName": "Renamed"}, 200),
        (registrar, "POST", f"{members}/invitations", {"role": "student"}, 201),
        (registrar, "PATCH", f"/v1/programs/{program}", {"title": "Renamed", "entry": listed["entry"]}, 200),
        (registrar, "PATCH", members, {"title": "Renamed", "secondFactor": "none"}, 200),
    ]
    for who in (person, administrator, registrar):
        grow_old(own_server, who)
    for who, method, path, body in dangerous + too:
        answer = who.call(method, path, body)
        assert asks_for_proof(answer), (method, path, answer)
        assert answer.json["ways"] == ["password"]
    for who, method, path, body, status in harmless:
        assert who.call(method, path, body).status == status, (method, path)
    # Whoever may not do it at all is told so, and not asked.
    assert person.get(f"{other}/export?reason=asked").status == 403
    assert own_server.api().get(f"{other}/export?reason=asked").status == 401
    described = own_server.api().get("/openapi.json").json["paths"]
    declared = sum("step_up_required" in str(operation) for path in described.values() for operation in path.values())
    assert declared == len(dangerous)


def test_a_second_factor_ends_the_sessions_that_never_showed_one(server, student):
    thief = server.api().sign_in(student.login, student.password)
    changed(thief.get("/v1/accounts/me"))
    enrolled(student)
    assert thief.get("/v1/accounts/me").status == 401
    changed(student.get("/v1/accounts/me"))


def test_a_proof_lets_the_session_go_on(server, student):
    path = "/v1/sessions/current/proof"
    grow_old(server, student)
    assert student.get(path).json == {"until": None, "ways": ["password"], "providers": []}
    wrong = student.post(path, {"password": "not the password"})
    assert (wrong.status, wrong.faults) == (422, [("password_wrong", "/password")])
    assert asks_for_proof(student.delete("/v1/accounts/me"))
    changed(student.post(path, {"password": student.password}), 204)
    assert student.get(path).json["until"]
    app, _ = enrolled(student)
    grow_old(server, student)
    assert student.get(path).json["ways"] == ["totp"]
    refused = student.post(path, {"password": student.password})  # it must not take the second factor away
    assert (refused.status, refused.faults) == (422, [("missing_field", "/totp")])
    changed(student.post(path, {"totp": app.next_code()}), 204)
    changed(student.delete("/v1/accounts/me"), 204)
