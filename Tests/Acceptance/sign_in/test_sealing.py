"""Keys with which browsers seal unsent edits, and requests that name the account they are made for."""

import base64


from client import changed

KEY = "/v1/accounts/me/sealing-key"


def key(api):
    answer = changed(api.get(KEY))
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.json["account"] == api.account["id"]
    return base64.urlsafe_b64decode(answer.json["key"] + "=")


def test_an_account_has_one_key_and_no_other_has_it(own_server):
    one, other = own_server.api().sign_up(), own_server.api().sign_up()
    sealing = key(one)
    assert len(sealing) == 32 and sealing != key(other)
    answer = own_server.api().post("/v1/sessions", {"login": one.login, "password": one.password})
    one.token = changed(answer, 201).json["session"]["token"]
    assert key(one) == sealing
    own_server.stop()
    assert all(sealing not in path.read_bytes() for path in own_server.data.rglob("*") if path.is_file())
    own_server.start()
    later = own_server.api(token=one.token)
    later.account = one.account
    assert key(later) == sealing


def test_a_request_for_another_account_is_not_carried_out(student, server):
    own = student.account["id"]
    assert student.get("/v1/accounts/me", gradecast_account=own).status == 200
    stranger = server.api().sign_up().account["id"]
    answer = student.patch("/v1/accounts/me", {"description": "meant for another"}, gradecast_account=stranger)
    assert (answer.status, answer.json["code"]) == (401, "unauthenticated")
    assert student.get("/v1/accounts/me").json["description"] != "meant for another"


def test_so_it_is_with_a_cookie(guest, server):
    person, other = server.api().sign_up(), server.api().sign_up()
    answer = guest.post("/v1/sessions", {"login": person.login, "password": person.password, "cookie": True})
    cookie = answer.headers["Set-Cookie"].split(";")[0]
    for account, status in ((person, 200), (other, 401)):
        name = account.account["id"]
        assert guest.get("/v1/accounts/me", cookie=cookie, gradecast_account=name).status == status


def test_a_client_begins_with_one_answer(student, registrar):
    registrar.makes_member(student, "demo", "student")
    begun = changed(student.get("/v1/session")).json
    assert begun == {
        "account": student.get("/v1/accounts/me").json,
        "sealingKey": student.get(KEY).json["key"],
        "memberships": student.get("/v1/memberships").json["items"],
        "invitations": student.get("/v1/invitations").json["items"],
    }
    assert begun["memberships"] != []
