"""What the server keeps for clients that do not read their responses, or do not end their requests."""

import contextlib
import socket
import time

import pytest
from test_tls import config, renew, trusting

import gradecast
from client import changed
from oracle.build import category, item, rose_course, without_ids
from oracle.wire import dumps
from test_http import HOST
from test_hunger import MEBIBYTE, eventually

STALL = 30  # seconds after which the server gives up a client that reads nothing, however little that is
PAUSE = 5  # seconds between two looks of a client that reads slowly


def least(clients, room, begun):
    """How many of the clients are reset for what they left unread, where there is room for so many answers: on a slow
    machine others are given up meanwhile, and leave their room to later ones."""
    return len(clients) - room * (1 + int(time.monotonic() - begun) // STALL) - 2


def connected(server, context=None):
    """A connection on which the kernel keeps little for a client that does not read."""
    connection = socket.socket()
    connection.settimeout(gradecast.PATIENCE)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.connect(("127.0.0.1", server.port))
    return context.wrap_socket(connection, server_hostname="127.0.0.1") if context else connection


def explanation(headers=b""):
    """A request, of a guest unless the headers say otherwise, whose answer is a large explanation."""
    course = rose_course(category("exams", 100, [item(f"Item {number}", score=7, max=10) for number in range(300)]))
    body = dumps({"scheme": "rose-hulman", "entries": without_ids([course])}).encode()
    head = f"POST /v1/evaluate?trace=all HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
    return head.encode() + HOST + headers + b"\r\n" + body


def history(server):
    """A request of somebody new whose answer is large and soon made: what was done to a record, which is one course."""
    api = server.api().sign_up()
    many = [item(f"{'Item ' * 22}{number}", score=7, max=10) for number in range(900)]
    record = api.new_record("rose-hulman")
    changed(record.add(rose_course(category("exams", 100, many))), 201)
    head = f"GET {record.path}/history HTTP/1.1\r\nAuthorization: Bearer {api.token}\r\n"
    return head.encode() + HOST + b"\r\n"


def answer(server, request):
    """The answer to a request on a connection of its own, read to its end."""
    with socket.create_connection(("127.0.0.1", server.port), gradecast.PATIENCE) as connection:
        connection.sendall(request.replace(b"\r\n", b"\r\nConnection: close\r\n", 1))
        received = b""
        while chunk := connection.recv(65536):
            received += chunk
    return received


def stalled(server, count, request):
    """So many clients that ask for a large answer, one after the other, and read no more than its first byte."""
    clients = [connected(server) for _ in range(count)]
    for client in clients:
        client.sendall(request)
        client.recv(1, socket.MSG_PEEK)
    return clients


def whole(client, size):
    """Whether the client reads an answer of that size to its end, rather than to a reset."""
    received = 0
    with contextlib.suppress(ConnectionResetError):
        while received < size and (chunk := client.recv(65536)):
            received += len(chunk)
    return received == size


class Reading:
    """Clients that read a little now and then, as those must that would keep their connections."""

    def __init__(self, clients):
        self.received, self.last = dict.fromkeys(clients, 0), time.monotonic()

    def go_on(self):
        if time.monotonic() > self.last + PAUSE:
            self.last = time.monotonic()
            for client in self.received:
                self.received[client] += len(client.recv(8192))
        return True

    def are_whole(self, size):
        """Whether each reads an answer of that size to its end."""
        return all([whole(client, size - received) for client, received in self.received.items()])


def test_clients_that_ask_for_much_and_never_read_cost_little(own_server):
    request = history(own_server)
    size = len(answer(own_server, request))
    assert size > 256 << 10
    for _ in range(20):  # what the work itself takes, for one after the other
        answer(own_server, request)
    before = own_server.memory
    count = 40 * MEBIBYTE // size
    clients, begun = [], time.monotonic()
    for _ in range(count // 8):
        clients += stalled(own_server, 8, request)
        assert len(answer(own_server, request)) == size
    # All but those that the limit of 8 MiB has room for.
    wanted = least(clients, 8 * MEBIBYTE // size, begun)
    eventually(lambda: own_server.metric("gradecast_unread_resets_total") >= wanted)
    assert own_server.memory < before + 32 * MEBIBYTE
    assert own_server.metric("gradecast_unread_bytes") < 8 * MEBIBYTE + 2 * size
    # The others are answered as ever.
    student = own_server.api().sign_up()
    record = student.new_record("iut", template="sample")
    changed(record.patch(record.entries[-1]["children"][0]["id"], {"grade": "8"}))
    for client in clients:
        client.close()
    eventually(lambda: own_server.metric("gradecast_unread_bytes") == 0)


@pytest.fixture
def narrow(tmp_path):
    """A server with narrow limits, which believes what this machine says of the client's address."""
    limits = {"unreadBytesPerClient": MEBIBYTE, "unreadBytes": 4 * MEBIBYTE, "requestBytesPerClient": MEBIBYTE}
    limits["evaluationsPerSecond"] = 1_000_000  # what is kept is bounded, whatever is calculated
    server = gradecast.Server(tmp_path, {"listen": {"proxies": ["127.0.0.1"]}, "limits": limits}).start()
    yield server
    server.kill()


@pytest.mark.slow("calculates some thirty explanations of 300 items")
def test_what_one_client_leaves_unread_costs_no_other(narrow):
    student = narrow.api().sign_up()
    here, elsewhere = b"X-Forwarded-For: 198.51.100.7\r\n", b"X-Forwarded-For: 198.51.100.8\r\n"
    token = b"Authorization: Bearer " + student.token.encode() + b"\r\n"
    size = len(answer(narrow, explanation(here)))
    others = Reading(stalled(narrow, 3, explanation(here + token)) + stalled(narrow, 3, explanation(elsewhere)))
    many, begun = [], time.monotonic()
    while len(many) < 20 and others.go_on():
        many += stalled(narrow, 1, explanation(here))
    wanted = least(many, MEBIBYTE // size, begun)
    eventually(lambda: others.go_on() and narrow.metric("gradecast_unread_resets_total") >= wanted)
    kept = size - len(b"Connection: close\r\n")  # that connection was to close
    assert others.are_whole(kept)
    assert not all(whole(client, kept) for client in many)


@pytest.mark.slow("calculates some thirty explanations of 300 items")
def test_what_all_clients_leave_unread_is_bounded(narrow):
    size = len(answer(narrow, explanation()))
    clients, begun = [], time.monotonic()
    for number in range(32):
        clients += stalled(narrow, 1, explanation(b"X-Forwarded-For: 198.51.100.%d\r\n" % number))
    wanted = least(clients, 4 * MEBIBYTE // size, begun)
    eventually(lambda: narrow.metric("gradecast_unread_resets_total") >= wanted)
    assert narrow.metric("gradecast_unread_bytes") < 4 * MEBIBYTE + 2 * size
    assert narrow.api().get("/readyz").status == 200


def test_requests_that_come_in_slowly_are_refused_for_others(narrow):
    here, elsewhere = b"X-Forwarded-For: 198.51.100.7\r\n", b"X-Forwarded-For: 198.51.100.8\r\n"
    head, part = b"POST /v1/evaluate HTTP/1.1\r\nContent-Length: 700000\r\n", b" " * 350_000

    def begun(headers):
        client = socket.create_connection(("127.0.0.1", narrow.port), gradecast.PATIENCE)
        client.sendall(head + HOST + headers + b"\r\n" + part)
        return client

    other = begun(elsewhere)
    clients = [begun(here) for _ in range(8)]
    eventually(lambda: narrow.metric("gradecast_request_refusals_total") > 0)
    assert narrow.metric("gradecast_request_bytes") < 3 * MEBIBYTE
    statuses = []
    for client in [*clients, other]:
        with contextlib.suppress(ConnectionError):  # one that was refused may be closed already
            client.sendall(part)
        statuses.append(client.recv(12))
    assert statuses[-1] == b"HTTP/1.1 415"  # read whole: its type is missing
    assert set(statuses[:-1]) == {b"HTTP/1.1 415", b"HTTP/1.1 503"}
    eventually(lambda: narrow.metric("gradecast_request_bytes") == 0)


def test_over_tls_as_well(tmp_path):
    renew(tmp_path, 1)
    context = trusting(tmp_path)
    limits = {"unreadBytesPerClient": MEBIBYTE}
    server = gradecast.Server(tmp_path, config(tmp_path) | {"limits": limits}, context=context).start()
    try:
        clients = []
        while server.metric("gradecast_unread_resets_total") <= 4:
            assert len(clients) < 100
            clients.append(connected(server, context))
            clients[-1].sendall(explanation())
            with contextlib.suppress(ConnectionError):  # the one that is too much may be reset before
                clients[-1].recv(1)
        assert server.metric("gradecast_unread_bytes") < 2 * MEBIBYTE
        assert server.api().get("/readyz").status == 200
        for client in clients:
            client.close()
    finally:
        server.kill()
