"""Clients that ask and do not read: what is held for them, and what they get when they read on."""

import contextlib
import pathlib
import socket
import time

import pytest
from test_crowd import masked

import gradecast
from client import changed
from oracle.build import unit
from test_http import HOST
from test_hunger import UPGRADE, eventually

READERS = 10
KIBIBYTE = 1 << 10
OF_A_READER = 96 * KIBIBYTE  # what the kernel may hold for one: what is unsent, and the segment under way
GIVEN_UP = 10  # seconds after which the server gives a live connection up that does not read


def unread(server):
    """Bytes that the kernel holds for the other ends of the server's connections, also of those it has closed."""
    table = pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]
    queues = (line.split() for line in table)
    return sum(int(fields[4][:8], 16) for fields in queues if int(fields[1][-4:], 16) == server.port)


def connected(server):
    """A connection on which the kernel keeps little for a client that does not read."""
    connection = socket.socket()
    connection.settimeout(gradecast.PATIENCE)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.connect(("127.0.0.1", server.port))
    return connection


def subscribed(server, token, topic):
    """A live connection that has got the present state of a topic, and reads no more."""
    connection = connected(server)
    connection.sendall(
        UPGRADE.replace(b"\r\n\r\n", f"\r\nAuthorization: Bearer {token}\r\n\r\n".encode())
        + masked({"t": "hello"})
        + masked({"t": "sub", "topic": topic})
    )
    received = b""
    while b'"t":"state"' not in received or not received.endswith(b"}"):
        received += connection.recv(4096)
    return connection


def states(connection, version):
    """Reads on to the state of a version or to the end; every state that comes, by version, and how many bytes."""
    received, found = b"", []
    with contextlib.suppress(ConnectionError):
        while (not found or found[-1] < version) and (chunk := connection.recv(65536)):
            received += chunk
            found = [int(part.partition(b",")[0]) for part in received.split(b'"v":')[1:] if b"," in part]
    return found, len(received)


def late(server, student, record, subject, changes):
    """What one gets that reads on, after so many changes, within the time; a slow machine may need several tries."""
    deadline = time.monotonic() + gradecast.PATIENCE
    while True:
        begun = time.monotonic()
        with subscribed(server, student.token, f"record/{record.id}") as reader:
            for number in range(changes):
                version = changed(record.patch(subject, {"grade": str(number % 20)})).json["version"]
            found, length = states(reader, version)
        if found[-1:] == [version] or time.monotonic() < begun + GIVEN_UP or time.monotonic() > deadline:
            return version, found, length


def large_record(student):
    """A record whose document is some ten thousand bytes, and a grade in it to change."""
    record = student.new_record("iut", template="sample")
    for number in range(12):
        changed(record.add(unit(f"Unit {number} " + "x" * 100, 3, [("Subject " + "y" * 100, 1, 12)])), 201)
    return record, record.entries[-1]["children"][0]["id"]


class Unread:
    """Responses that nobody reads; the server gives them up after half a minute, in which other tests go on."""

    def __init__(self, server):
        self.server, self.files = server, server.open_files
        # Such as fit the kernel's buffers and such as do not, each with the end of the connection behind them.
        last = b"GET /healthz HTTP/1.1\r\nConnection: close\r\n" + HOST + b"\r\n"
        self.clients = []
        for path, count in ((b"/healthz", 8), (b"/openapi.json", 4)):
            for _ in range(READERS):
                self.clients.append(connected(server))
                self.clients[-1].sendall((b"GET " + path + b" HTTP/1.1\r\n" + HOST + b"\r\n") * count + last)
        eventually(lambda: unread(server) > READERS * KIBIBYTE)
        assert unread(server) < 2 * READERS * OF_A_READER


@pytest.fixture(scope="module", autouse=True)
def left(tmp_path_factory):
    """Such responses, from the first test of this module on."""
    server = gradecast.Server(tmp_path_factory.mktemp("left")).start()
    yield Unread(server)
    server.kill()


# Waits the ten seconds after which a reader that stalls is given up.
@pytest.mark.slow("waits for the ten seconds after which a reader that stalls is given up")
def test_readers_that_stall_hold_little_and_get_what_is_new(own_server):
    student = own_server.api().sign_up()
    record, subject = large_record(student)
    size = len(record.get().body)
    assert size > 8 * KIBIBYTE
    files = own_server.open_files
    stalled = [subscribed(own_server, student.token, f"record/{record.id}") for _ in range(READERS)]
    for number in range(200):
        changed(record.patch(subject, {"grade": str(number % 20)}))
    assert 200 * size > 8 * OF_A_READER
    assert unread(own_server) < READERS * OF_A_READER
    # One that reads on within the time gets what was under way, and then the newest.
    assert 20 * size > OF_A_READER
    version, found, length = late(own_server, student, record, subject, 20)
    assert found[-1] == version and found == sorted(set(found)) and length < OF_A_READER
    # The others are given up, and nothing is kept for them.
    eventually(lambda: own_server.open_files <= files and unread(own_server) == 0)
    for connection in stalled:
        connection.close()


def test_large_responses_are_not_held_up(own_server):
    document = own_server.api().get("/openapi.json")
    assert len(document.body) > 256 * KIBIBYTE
    for _ in range(20):
        assert own_server.api().get("/openapi.json").body == document.body
    # A slow reader gets all of it, also when the server closes behind it.
    with connected(own_server) as connection:
        connection.sendall(b"GET /openapi.json HTTP/1.1\r\nConnection: close\r\n" + HOST + b"\r\n")
        received = b""
        while chunk := connection.recv(4096):
            received += chunk
    assert received.endswith(document.body)


# Waits the rest of the half minute after which a client that reads nothing is given up.
@pytest.mark.slow("waits for the half minute after which a response that nobody reads is given up")
def test_responses_that_nobody_reads_leave_nothing_behind(left):
    eventually(lambda: left.server.open_files <= left.files and unread(left.server) == 0)
