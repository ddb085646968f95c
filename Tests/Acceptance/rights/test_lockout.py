"""Guessing a password is slowed down, and nobody is locked out by the guesses of others."""

import uuid

import pytest
from factors import enrolled

import gradecast
from client import changed

ATTACKER = "127.0.0.66"
WRONG = {"password": "wrong horse battery"}


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    """A server without the demonstration, so that loopback is limited like any other address."""
    running = gradecast.Server(tmp_path_factory.mktemp("plain"), demo=False).start()
    yield running
    assert running.stop() == 0, running.output()


@pytest.fixture
def owner(plain):
    return plain.api().sign_up()


def fail(api, login, times):
    for _ in range(times):
        answer = api.post("/v1/sessions", {"login": login} | WRONG)
        assert answer.status == 401, answer
    return api


def test_a_stranger_who_guesses_locks_no_owner_out(plain, owner):
    stranger, failures = fail(plain.api(source=ATTACKER), owner.login, 5), 5
    # The wait doubles with each further failure, so however slow the machine is, one of these comes too soon.
    while (turned_away := stranger.post("/v1/sessions", {"login": owner.login} | WRONG)).status == 401:
        failures += 1
    assert turned_away.status == 429, turned_away
    assert 1 <= int(turned_away.headers["Retry-After"]) <= 2 ** (failures - 5)
    assert plain.api(source="127.0.0.67").sign_in(owner.login, owner.password).account["id"] == owner.account["id"]


def test_guesses_from_the_same_address_keep_no_signed_in_owner_from_a_new_password(plain, owner):
    fail(plain.api(source="127.0.0.68"), owner.login, 5)
    neighbour = plain.api(token=owner.token, source="127.0.0.68")
    new = uuid.uuid4().hex
    answer = neighbour.call("PUT", "/v1/accounts/me/password", {"current": owner.password, "new": new})
    assert answer.status == 204, answer


def test_a_session_that_guesses_the_password_is_slowed_down_alone(plain, owner):
    thief = plain.api(token=owner.token)
    other = plain.api().sign_in(owner.login, owner.password)
    guess = {"current": "wrong horse battery", "new": "quite another battery"}
    statuses = []
    while 429 not in statuses:  # the waits double: one of these comes too soon
        statuses.append(thief.call("PUT", "/v1/accounts/me/password", guess).status)
    assert len(statuses) > 5 and set(statuses[:-1]) == {422}
    right = {"current": owner.password, "new": "quite another battery"}
    assert other.call("PUT", "/v1/accounts/me/password", right).status == 204


def test_a_bearer_s_device_gets_its_owner_in_while_others_guess_at_the_same_address(plain, owner):
    first = plain.api(source="127.0.0.69").post("/v1/sessions", {"login": owner.login, "password": owner.password})
    device = first.json["device"]
    others = fail(plain.api(source="127.0.0.69"), owner.login, 5)
    api, right = plain.api(source="127.0.0.69"), {"login": owner.login, "password": owner.password}
    # A slow machine may have waited long enough meanwhile; the wait doubles with each further guess.
    while (turned_away := api.post("/v1/sessions", right)).status == 201:
        fail(others, owner.login, 5)
    assert turned_away.status == 429, turned_away
    known = api.post("/v1/sessions", right | {"device": device})
    assert known.status == 201, known
    assert known.json["device"] == device


def test_a_cookie_s_answer_gives_its_device_to_no_script(plain, owner):
    answer = plain.api().post("/v1/sessions", {"login": owner.login, "password": owner.password, "cookie": True})
    assert answer.status == 201 and "device" not in answer.json
    assert "gradecast-device=" in "".join(answer.headers.get_all("Set-Cookie"))


@pytest.mark.slow("fails to sign in sixty times, each time at the price of a password")
def test_one_address_has_twenty_failures_a_minute(plain):
    api = plain.api(source="127.0.0.70")
    statuses = [api.post("/v1/sessions", {"login": uuid.uuid4().hex} | WRONG).status for _ in range(60)]
    assert statuses[:20] == [401] * 20 and 429 in statuses  # on a slow machine a few more pass meanwhile


# Has more than forty passwords hashed.
@pytest.mark.slow("fails to sign in more than forty times, each time at the price of a password")
def test_the_networks_of_an_ipv6_site_count_together_as_well(tmp_path):
    server = gradecast.Server(tmp_path, {"listen": {"proxies": ["127.0.0.1"]}}, demo=False).start()
    victim = server.api().sign_up()

    def guess(address):
        return server.api().post("/v1/sessions", {"login": victim.login} | WRONG, **{"X-Forwarded-For": address})

    statuses = []
    # The waits double, so however slow the machine is, one of these comes too soon.
    while 429 not in statuses:
        assert len(statuses) < 60, statuses
        statuses.append(guess(f"2001:db8:1:{len(statuses):x}::1").status)
    assert statuses.count(401) > 40
    assert guess("2001:db8:2::1").status == 401
    assert guess("198.51.100.7").status == 401
    assert server.stop() == 0, server.output()


@pytest.mark.slow("signs in 131 times, each time at the price of a password")
def test_who_knows_the_password_holds_no_place_from_another_network(tmp_path):
    server = gradecast.Server(tmp_path, {"listen": {"proxies": ["127.0.0.1"]}}, demo=False).start()
    owner = server.api().sign_up()
    _, codes = enrolled(owner)
    credentials = {"login": owner.login, "password": owner.password}

    def begin(address):
        answer = server.api().post("/v1/sessions", credentials, **{"X-Forwarded-For": address})
        assert (answer.status, answer.json["code"]) == (401, "second_factor_required"), answer
        return answer.json["challenge"]

    for number in range(110):
        begin(f"2001:db8:1:{number:x}::1")
    waiting = begin("2001:db8:2::1")
    for number in range(20):
        begin(f"2001:db8:1:{number:x}::2")
    answer = {"challenge": waiting, "code": codes[0]}
    changed(server.api().post("/v1/sessions/second-factor", answer, **{"X-Forwarded-For": "2001:db8:2::1"}), 201)
    assert server.stop() == 0, server.output()


def test_a_sign_up_with_anything_wrong_does_not_tell_whose_login_is_taken(plain, owner):
    guest = plain.api()
    taken = guest.post("/v1/accounts", {"login": owner.login, "password": "short", "displayName": "X"})
    free = guest.post("/v1/accounts", {"login": uuid.uuid4().hex, "password": "short", "displayName": "X"})
    assert taken.status == 422
    assert taken.faults == free.faults


def test_sign_ups_that_ask_for_logins_are_limited(plain, owner):
    guest = plain.api(source="127.0.0.71")
    asked = {"login": owner.login, "password": "correct horse battery", "displayName": "X"}
    statuses = [guest.post("/v1/accounts", asked).status for _ in range(60)]
    assert statuses[:20] == [422] * 20 and 429 in statuses


@pytest.mark.parametrize("login", ["p\u0430ypal", "ada\u200b", "ada\u3164", "\u0430\u0440\u0440\u04cf\u0435"])
def test_a_login_that_looks_like_another_is_refused(server, login):
    answer = server.api().post(
        "/v1/accounts", {"login": login, "password": "correct horse battery", "displayName": "X"}
    )
    assert (answer.status, [path for _, path in answer.faults]) == (422, ["/login"])


@pytest.mark.parametrize("name", ["Ada\u202enimda", "\u200b\u2060", "A" + "\u0336\u0341" * 20, "A\u0007"])
def test_a_name_that_does_not_show_as_it_reads_is_refused(student, name):
    answer = student.patch("/v1/accounts/me", {"displayName": name})
    assert (answer.status, answer.faults) == (422, [("text_invalid", "/displayName")])


# -- sessions


@pytest.mark.slow("signs in fifty times, each time at the price of a password")
def test_an_account_has_at_most_fifty_sessions(server):
    api = server.api().sign_up()
    first, latest = api.token, None
    for _ in range(50):
        latest = server.api().sign_in(api.login, api.password)
    assert server.api(token=first).get("/v1/accounts/me").status == 401
    sessions = latest.get("/v1/sessions").json["items"]
    assert len(sessions) == 50 and sessions[0]["current"] is True


def test_sessions_have_the_names_of_their_devices(server):
    api, firefox = server.api().sign_up(), "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Firefox/140.0"
    right = {"login": api.login, "password": api.password}
    assert api.post("/v1/sessions", right, user_agent=firefox).status == 201
    assert api.post("/v1/sessions", right | {"deviceName": "Ada’s phone"}, user_agent=firefox).status == 201
    names = [session["deviceName"] for session in api.get("/v1/sessions").json["items"]]
    assert names == ["Ada’s phone", "Firefox on Windows", None]
    french = api.get("/v1/sessions", accept_language="fr").json["items"]
    assert french[1]["deviceName"] == "Firefox sur Windows"
    exported = api.get("/v1/accounts/me/export").json["sessions"]
    assert exported[0]["deviceName"] == "Ada’s phone"


def test_a_device_s_name_is_one_plain_line(server):
    api = server.api().sign_up()
    for name in ("x" * 61, "a\nb", 5):
        answer = api.post("/v1/sessions", {"login": api.login, "password": api.password, "deviceName": name})
        assert (answer.status, [path for _, path in answer.faults]) == (422, ["/deviceName"])
