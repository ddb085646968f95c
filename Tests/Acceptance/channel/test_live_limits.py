"""How many live connections there may be: what is proven takes its place before what is not."""

import json
import socket
import time

import pytest
from websockets.exceptions import InvalidStatus

import gradecast
from client import Record, changed
from live import Events, Live
from test_hunger import eventually

TRUSTING = {"listen": {"proxies": ["127.0.0.1"]}}
HELLO = 5  # seconds that a socket may wait with its hello


def refusal(open_socket):
    """The answer to an upgrade that is refused."""
    with pytest.raises(InvalidStatus) as refused:
        open_socket()
    answer = refused.value.response
    return answer.status_code, json.loads(answer.body)["code"], answer.headers["Retry-After"]


def crowded(server, headers, full=False):
    """As many sockets without a hello as an address may have that is not full, and the refusal of a further one. Where
    ten are not opened within the time for a hello, the first have ended meanwhile, and more follow them."""
    sockets, begun = [], time.monotonic()
    while len(sockets) < 200:
        try:
            sockets.append(Live(server, hello=False, headers=headers))
        except InvalidStatus as refused:
            assert full or len(sockets) == 10 or len(sockets) > 10 and time.monotonic() > begun + HELLO
            answer = refused.response
            return sockets, (answer.status_code, json.loads(answer.body)["code"], answer.headers["Retry-After"])
    raise AssertionError("no socket was refused")


def readers(server):
    """How many live connections the server has."""
    return int(server.management().get("/readyz").json["live"]["readers"])


def wait(server, record):
    """Begins a long poll for a newer standing and returns its connection once it waits."""
    before = readers(server)
    connection = socket.create_connection(("127.0.0.1", server.port), gradecast.PATIENCE)
    connection.sendall(
        f"GET /v1/records/{record.id}/standing HTTP/1.1\r\nHost: localhost\r\nPrefer: wait=60\r\n"
        f"Authorization: Bearer {record.api.token}\r\nIf-None-Match: {record.standing().etag}\r\n\r\n".encode()
    )
    eventually(lambda: readers(server) == before + 1)
    return connection


def poll(record):
    """The answer to a further long poll."""
    return record.standing(if_none_match=record.standing().etag, prefer="wait=1")


@pytest.fixture(scope="module")
def trusting(tmp_path_factory):
    """A server that believes what this machine says of the client's address."""
    server = gradecast.Server(tmp_path_factory.mktemp("trusting"), TRUSTING).start()
    yield server
    assert server.stop() == 0, server.output()


def test_idle_sockets_of_an_address_block_nobody_who_has_signed_in(trusting):
    here, elsewhere = {"X-Forwarded-For": "198.51.100.7"}, {"X-Forwarded-For": "198.51.100.8"}
    signed_in = trusting.api().sign_up()
    credentials = {"login": signed_in.login, "password": signed_in.password, "cookie": True}
    cookie = changed(trusting.api().post("/v1/sessions", credentials), 201).headers["Set-Cookie"].split(";")[0]
    strange = {"Cookie": "gradecast-local=x"}
    idle, refused = crowded(trusting, here)
    assert refused == (429, "too_many_connections", "5")
    more, refused = crowded(trusting, here | strange, full=True)
    assert refused[0] == 429
    # From the same address: a program with a token, and a browser with its cookie.
    program = Live(trusting, hello=False, headers=here | {"Authorization": f"Bearer {signed_in.token}"})
    program.send({"t": "hello"})
    assert program.next("welcome")["exp"] > 0
    browser = Live(trusting, hello=False, headers=here | {"Cookie": cookie})
    ticket = changed(signed_in.post("/v1/live/tickets"), 201).json["ticket"]
    browser.send({"t": "hello", "token": ticket})
    assert browser.next("welcome")["exp"] > 0
    record = signed_in.new_record("iut", template="sample")
    assert Events(trusting, signed_in.token, f"standing/{record.id}", headers=here).status == 200
    assert poll(record).status == 304
    # And guests from another address behind the same proxy.
    Live(trusting, headers=elsewhere).close()
    for connection in [*idle, *more, program, browser]:
        connection.close()


def test_a_socket_is_unproven_until_its_hello(trusting):
    here = {"X-Forwarded-For": "198.51.100.9"}
    idle, refused = crowded(trusting, here)
    assert refused[0] == 429
    idle[-1].send({"t": "hello"})  # the newest: it has most of its time left
    idle[-1].next("welcome")
    Live(trusting, headers=here).close()
    for connection in idle:
        connection.close()


@pytest.mark.slow("opens all thirty connections that the guests of one address may have")
def test_guests_of_one_address_have_a_limit_behind_a_proxy_too(tmp_path):
    """The attack: one client behind the proxy says hello without a token, again and again."""
    server = gradecast.Server(tmp_path, TRUSTING | {"limits": {"guestsPerAddress": 30}}).start()
    here, elsewhere = {"X-Forwarded-For": "2001:db8::7"}, {"X-Forwarded-For": "2001:db8:0:1::7"}
    try:
        guests = [Live(server, headers={"X-Forwarded-For": f"2001:db8::{number}"}) for number in range(1, 31)]
        one_more = Live(server, hello=False, headers=here)
        one_more.send({"t": "hello"})
        assert one_more.closed() == 4504
        full = Events(server, None, "program/x", headers=here)
        assert (full.status, full.response.headers["Retry-After"]) == (429, "5")
        assert json.loads(full.response.read())["code"] == "too_many_connections"
        # Accounts at the same address, and guests at another one.
        student = server.api().sign_up()
        record = student.new_record("iut", template="sample")
        Live(server, student.token, headers=here).close()
        assert Events(server, student.token, f"standing/{record.id}", headers=here).status == 200
        assert poll(record).status == 304
        Live(server, headers=elsewhere).close()
        # One that leaves makes room.
        guests.pop().close()
        eventually(lambda: Events(server, None, "program/x", headers=here).status == 404)
        Live(server, headers=here).close()
        for guest in guests:
            guest.close()
    finally:
        server.kill()


def test_event_streams_and_long_polls_are_live_connections(own_server):
    server, student = own_server, own_server.api().sign_up()
    record = student.new_record("iut", template="sample")
    topic = f"standing/{record.id}"
    sockets = [Live(server, student.token) for _ in range(18)]
    events, waits = Events(server, student.token, topic), [wait(server, record)]
    refused = poll(record)
    assert (events.status, refused.status) == (200, 429)
    assert (refused.json["code"], refused.headers["Retry-After"]) == ("too_many_connections", "5")
    full = Events(server, student.token, topic)
    assert (full.status, full.response.headers["Retry-After"]) == (429, "5")
    assert json.loads(full.response.read())["code"] == "too_many_connections"
    one_more = Live(server, hello=False, headers={"Authorization": f"Bearer {student.token}"})
    one_more.send({"t": "hello"})
    assert one_more.closed() == 4504
    # Each gives its place back when its client leaves, to any other.
    for leaving in (sockets[0], events, waits[0]):
        eventually(lambda: readers(server) == 20)
        leaving.close()
        eventually(lambda: readers(server) == 19)
        waits.append(wait(server, record))
        assert poll(record).status == 429
    # A wait that is answered gives its place back as well.
    changed(record.patch(record.entries[-1]["children"][0]["id"], {"grade": "8"}))
    assert [waiting.recv(12) for waiting in waits[1:]] == [b"HTTP/1.1 200"] * 3
    for connection in [*sockets, *waits]:
        connection.close()


def test_streams_and_polls_of_a_session_that_ends_give_their_places_back(own_server):
    server, student = own_server, own_server.api().sign_up()
    record = student.new_record("iut", template="sample")
    other = server.api().sign_in(student.login, student.password)
    topic, theirs = f"standing/{record.id}", Record(other, record.id)
    streams = [Events(server, other.token, topic) for _ in range(10)]
    polls = [wait(server, theirs) for _ in range(10)]
    assert poll(record).status == 429
    assert other.delete("/v1/sessions/current").status == 204
    assert [waiting.recv(12) for waiting in polls] == [b"HTTP/1.1 401"] * 10
    again = [Events(server, student.token, topic) for _ in range(20)]
    assert [events.status for events in again] == [200] * 20
    assert Events(server, student.token, topic).status == 429
    for connection in [*streams, *polls, *again]:
        connection.close()


@pytest.mark.parametrize("proxies", [["127.0.0.1"], []])
def test_a_named_proxy_may_have_more_connections_than_an_address(tmp_path, proxies):
    config = {"listen": {"proxies": proxies}, "limits": {"connectionsPerAddress": 5}}
    server = gradecast.Server(tmp_path, config).start()
    try:
        connections = [server.api() for _ in range(9)]
        statuses = {connection.get("/v1/schemes").status for connection in connections}
        assert statuses == ({200} if proxies else {200, 429})
    finally:
        server.kill()
