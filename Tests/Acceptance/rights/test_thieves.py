"""What is left to a person who knows a password alone, or has found a session or a link."""

import contextlib
import json
import re
import socket
import threading
import time

import oidc
import pytest
from authenticator import Authenticator
from factors import challenge, enrolled
from issuer import Issuer

import gradecast
from client import changed
from stored import stored

OTHER = "another horse battery"


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    """A server without the demonstration, so that loopback is limited like any other address."""
    running = gradecast.Server(tmp_path_factory.mktemp("plain"), demo=False).start()
    yield running
    assert running.stop() == 0, running.output()


def with_device(server, api, code=None):
    """The token of a device that has signed in to an account."""
    credentials = {"login": api.login, "password": api.password}
    answer = server.api().post("/v1/sessions", credentials)
    if code:
        shown = {"challenge": answer.json["challenge"], "code": code}
        answer = server.api().post("/v1/sessions/second-factor", shown)
    return changed(answer, 201).json["device"]


def knows(server, api, device):
    """Whether a sign-in with a device's token is one of a device that the account knows."""
    answer = server.api().post("/v1/sessions", {"login": api.login, "password": api.password, "device": device})
    return changed(answer, 201).json["device"] == device


# -- the password alone


def test_who_signs_in_without_end_keeps_no_known_device_from_its_second_factor(server, student):
    _, codes = enrolled(student)
    device = with_device(server, student, codes[0])
    credentials = {"login": student.login, "password": student.password}
    owner = server.api().post("/v1/sessions", credentials | {"device": device}).json
    for _ in range(6):
        challenge(server.api(), student.login, student.password)
    shown = {"challenge": owner["challenge"], "code": codes[1], "device": device}
    changed(server.api().post("/v1/sessions/second-factor", shown), 201)


@pytest.mark.slow("has 96 connections give a password without end while another signs in twenty times")
def test_right_passwords_given_without_end_delay_no_other_person(plain):
    thief, owner = plain.api().sign_up(), plain.api().sign_up()
    body = json.dumps({"password": thief.password}).encode()
    head = (
        f"POST /v1/sessions/current/proof HTTP/1.1\r\nHost: 127.0.0.1:{plain.port}\r\n"
        f"Authorization: Bearer {thief.token}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    tokens = [thief.token] + [plain.api().sign_in(thief.login, thief.password).token for _ in range(7)]
    over = threading.Event()

    def ask(token):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", plain.port), timeout=60) as link:
            while not over.is_set():
                link.sendall(head.replace(thief.token, token).encode() + body)
                if not link.recv(1 << 16):
                    return

    threads = [threading.Thread(target=ask, args=(token,), daemon=True) for token in tokens * 12]
    for thread in threads:
        thread.start()
    credentials = {"login": owner.login, "password": owner.password}
    statuses = [plain.api().post("/v1/sessions", credentials).status for _ in range(20)]
    over.set()
    for thread in threads:
        thread.join(60)
    assert statuses == [201] * 20


@pytest.fixture
def strict(tmp_path):
    config = {"signIn": {"secondFactor": {"administrators": True}}}
    running = gradecast.Server(tmp_path, config=config).start()
    yield running
    assert running.stop() == 0, running.output()


def test_a_session_that_owes_its_second_factor_ends_itself_alone(strict):
    owner = strict.api().sign_up()
    assert gradecast.run("account", "role", owner.login, "administrator", "--data", strict.data).returncode == 0
    passkey = Authenticator(f"http://localhost:{strict.port}")
    options = changed(owner.post("/v1/passkeys/options", {"purpose": "register"}), 201).json
    changed(owner.post("/v1/accounts/me/passkeys", passkey.make(options)), 201)
    thief = strict.api().sign_in(owner.login, owner.password)
    theirs = next(item["id"] for item in owner.get("/v1/sessions").json["items"] if item["current"])
    for method, path in (
        ("DELETE", "/v1/sessions"),
        ("DELETE", f"/v1/sessions/{theirs}"),
        ("GET", "/v1/accounts/me/sealing-key"),
    ):
        refused = thief.call(method, path)
        assert (refused.status, refused.json["code"]) == (403, "enrolment_required"), path
    # The key is in no other answer either.
    assert set(changed(thief.get("/v1/session")).json) == {"account"}
    changed(owner.get("/v1/audit"))
    changed(thief.delete("/v1/sessions/current"), 204)
    assert thief.get("/v1/accounts/me").status == 401


# -- a session that was found


def test_live_tickets_of_an_account_are_counted(plain):
    one, other = plain.api().sign_up(), plain.api().sign_up()
    statuses = [one.post("/v1/live/tickets").status for _ in range(200)]
    assert statuses[:60] == [201] * 60 and 429 in statuses
    changed(other.post("/v1/live/tickets"), 201)


def test_profiles_and_pictures_are_changed_as_fast_as_records(tmp_path):
    config = {"limits": {"writesPerSecond": 1, "writeBurst": 5}}
    running = gradecast.Server(tmp_path, config=config, demo=False).start()
    one = running.api().sign_up()
    statuses = [one.patch("/v1/accounts/me", {"description": str(number)}).status for number in range(40)]
    assert statuses[:5] == [200] * 5 and 429 in statuses
    two = running.api().sign_up()
    avatar = f"/v1/accounts/{two.account['id']}/avatar"
    assert 429 in [two.delete(avatar).status for _ in range(40)]
    assert 429 in [two.call("PUT", avatar, b"x", content_type="image/png").status for _ in range(40)]
    assert running.stop() == 0, running.output()


def test_a_device_of_before_is_a_stranger_after_a_new_password_or_the_end_of_all_sessions(plain):
    owner = plain.api().sign_up()
    thief, own = with_device(plain, owner), with_device(plain, owner)
    cookie = f"gradecast-device={own}"
    new = {"current": owner.password, "new": OTHER}
    changed(owner.call("PUT", "/v1/accounts/me/password", new, cookie=cookie), 204)
    owner.password = OTHER
    assert (knows(plain, owner, thief), knows(plain, owner, own)) == (False, True)
    changed(owner.delete("/v1/sessions"), 204)
    assert not knows(plain, owner, own)


# -- links


def test_links_end_with_the_account_and_with_their_maker_s_role(server):
    administrator = server.signed_in("administrator")
    person, maker = server.api().sign_up(), server.api().sign_up()
    path, end = f"/v1/accounts/{person.account['id']}", f"/v1/accounts/{maker.account['id']}"

    def is_refused(token):
        answer = server.api().post("/v1/accounts/password", {"token": token, "password": OTHER})
        return (answer.status, answer.faults) == (422, [("token_refused", "/token")])

    token = changed(administrator.post(f"{path}/reset"), 201).json["token"]
    for disabled in (True, False):
        changed(administrator.patch(path, {"disabled": disabled}))
    assert is_refused(token)
    changed(administrator.patch(end, {"role": "administrator"}))
    maker = server.api().sign_in(maker.login, maker.password)
    token = changed(maker.post(f"{path}/reset"), 201).json["token"]
    changed(administrator.patch(end, {"role": None}))
    assert is_refused(token)


def first_link(server):
    """The token of the link that a server without an administrator prints."""
    deadline = time.monotonic() + gradecast.PATIENCE
    while "/first#" not in server.output(2**20):
        assert time.monotonic() < deadline, server.output()
        time.sleep(0.02)
    return re.findall(r"/first#(\S+)", server.output(2**20))[-1]


def make_first(server, token):
    details = {"token": token, "login": "intruder", "password": OTHER, "displayName": "I"}
    answer = server.api().post("/v1/accounts/first", details)
    return answer.status, answer.faults


REFUSED = (422, [("token_refused", "/token")])


def test_the_first_link_is_void_once_an_administrator_was_made_in_another_way(tmp_path):
    server = gradecast.Server(tmp_path, demo=False).start()
    token = first_link(server)
    chief = server.api().sign_up()
    assert gradecast.run("account", "role", chief.login, "administrator", "--data", server.data).returncode == 0
    assert make_first(server, token) == REFUSED
    with stored(server) as store:
        assert store.execute("SELECT count(*) FROM one_time_tokens").fetchone() == (0,)
    assert server.stop() == 0, server.output()


@pytest.mark.slow("stops its server twice, and runs the program twice to make administrators")
def test_a_server_whose_administrators_come_by_a_provider_prints_no_link(tmp_path):
    with Issuer() as issuer:
        config = oidc.configuration(tmp_path, {"university": issuer.url})
        config["signIn"]["secondFactor"] = {"administrators": False}
        server = gradecast.Server(tmp_path, config=config, demo=False).start()
        first_link(server)
        people = [changed(oidc.sign_in(server, issuer, name), 201).json for name in ("boss", "deputy")]
        for person in people:
            run = gradecast.run(
                "account", "role", person["account"]["login"], "administrator", "--data", server.data,
                "--config", tmp_path / "config.json",
            )  # fmt: skip
            assert run.returncode == 0, run
        printed = server.output(2**20).count("/first#")
        assert server.stop() == 0, server.output()
        server.start()
        changed(server.api().get("/readyz"))
        boss = server.api(people[0]["session"]["token"])
        changed(boss.get("/v1/audit"))
        assert server.output(2**20).count("/first#") == printed
        # The last who can sign in stays one.
        with stored(server) as store:
            store.execute("UPDATE session_proofs SET proven_at = (SELECT max(created_at) FROM sessions)")
        for number, status in ((1, 200), (0, 422)):
            path = f"/v1/accounts/{people[number]['account']['id']}"
            assert boss.patch(path, {"role": None}).status == status
        assert server.stop() == 0, server.output()
