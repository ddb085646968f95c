"""The idle end of a session: live connections neither move it nor outlast it."""

import time

import pytest
from websockets.exceptions import ConnectionClosed

from client import changed
from live import Events, Live
from oracle.build import board_total
from stored import stored

HOUR = 3_600  # seconds without a request after which a staff session ends


def asked(server, statement, *values):
    """Runs a statement on the server's store; returns the first row."""
    with stored(server) as store:
        return store.execute(statement, values).fetchone()


def fresh(server, person, seconds):
    """A new session of a person, without a request so far, that ends in so many seconds unless there is one."""
    credentials = {"login": person.login, "password": person.password}
    answer = changed(server.api().post("/v1/sessions", credentials), 201).json["session"]
    seen = int((time.time() - HOUR + seconds) * 1_000_000)
    asked(server, "UPDATE sessions SET last_seen_at = ? WHERE id = ?", seen, answer["id"])
    return server.api(answer["token"]), answer["id"], seen


def last_seen(server, session):
    return asked(server, "SELECT last_seen_at FROM sessions WHERE id = ?", session)[0]


@pytest.fixture
def staff(server, registrar):
    """A registrar of the test's own."""
    person = server.api().sign_up()
    registrar.makes_member(person, "demo", "registrar")
    return person


@pytest.fixture
def board(server):
    """A student's record, which registrars may read."""
    record = server.api().sign_up().new_record("chalkboard")
    changed(record.add(board_total("Algorithms", 3, 85)), 201)
    return record


def test_what_opens_live_connections_is_no_request_that_keeps_a_session(server, staff, board):
    api, session, seen = fresh(server, staff, HOUR / 2)
    topic = f"standing/{board.id}"
    ticket = changed(api.post("/v1/live/tickets"), 201).json["ticket"]
    for token in (ticket, api.token):
        socket = Live(server, token)
        assert socket.subscribe(topic)["t"] == "state"
        socket.send({"t": "auth", "token": api.token})
        socket.next("ok")
        socket.close()
    events = Events(server, api.token, topic)
    assert events.status == 200
    events.close()
    etag = board.standing().etag
    assert board.seen_by(api).standing(if_none_match=etag, prefer="wait=1").status == 304
    assert last_seen(server, session) == seen
    changed(board.seen_by(api).get())
    assert last_seen(server, session) > seen


# Waits for the end of a session, which a slow machine must not miss.
@pytest.mark.slow("waits for the three seconds of a session; one that ends sooner may end before it is used")
def test_a_live_connection_ends_with_its_session_when_no_request_comes(server, staff, board):
    topic = f"standing/{board.id}"
    for seconds in (3, 15, 60, 240):
        (busy, _, _), (idle, _, _) = fresh(server, staff, seconds - 1), fresh(server, staff, seconds)
        if idle.get("/v1/live/events").status == 401:
            continue  # too slow to get here in time
        sockets = [Live(server, api.token, hello=False) for api in (busy, idle)]
        for socket, api in zip(sockets, (busy, idle), strict=True):
            socket.send({"t": "hello", "token": api.token, "client": "test/1"})
        if busy.get("/v1/accounts/me").status != 200 or idle.twin().get("/v1/live/events").status == 401:
            continue
        going_on, ending = sockets
        try:
            ending.next("welcome")
            assert ending.subscribe(topic)["t"] == "state"
        except ConnectionClosed:
            continue
        break
    else:
        raise AssertionError("no session lasted until its connection had subscribed")
    assert ending.closed() == 4002
    assert idle.get("/v1/accounts/me").status == 401
    # The other's earlier end was moved by a request.
    going_on.next("welcome")
    assert going_on.subscribe(topic)["t"] == "state"
    going_on.close()
