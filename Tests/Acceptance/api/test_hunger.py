"""Floods and hunger: too few descriptors, a full disk, floods of bad input. The server stays well and recovers."""

import contextlib
import json
import socket
import threading
import time

import pytest

import gradecast
from client import TIMEOUT, Api, changed
from disk import Disk
from live import Live
from oracle.build import board_total
from stored import of_a_file
from test_http import CHUNKED, HOST, LARGE, OK, SMUGGLING, exchange, post, statuses

MEBIBYTE = 1 << 20


def connect(server):
    """A bare connection, as far as the kernel gives one."""
    return socket.create_connection(("127.0.0.1", server.port), TIMEOUT)


def eventually(holds):
    """Waits until something holds; gives up only when it never will."""
    deadline = time.monotonic() + gradecast.PATIENCE
    while not holds():
        assert time.monotonic() < deadline, "it never came to hold"
        time.sleep(0.02)


# -- descriptors


@pytest.fixture
def poor_server(tmp_path):
    """A server that may open few files."""
    running = gradecast.Server(tmp_path, descriptors=120).start()
    yield running
    running.kill()


def test_without_descriptors_the_server_neither_spins_nor_ends(poor_server):
    student = poor_server.api().sign_up()
    record = student.new_record("chalkboard")
    crowd = [connect(poor_server) for _ in range(200)]
    eventually(lambda: poor_server.open_files >= 118)
    with contextlib.ExitStack() as stack:
        for member in crowd:
            stack.callback(member.close)
        eventually(lambda: poor_server.thread_states == {"S"})  # a thread that spins never sleeps
        # Whoever is in is served, and what is durable is durable.
        changed(record.add(board_total("Algorithms", 3, 85)), 201)
        assert poor_server.process.poll() is None
    eventually(lambda: poor_server.open_files < 60)
    assert poor_server.api().get("/readyz").status == 200
    assert poor_server.stop() == 0


# -- the disk


@pytest.fixture
def frail_server(tmp_path):
    """A server over a disk that can fail."""
    disk = Disk(tmp_path)
    running = gradecast.Server(tmp_path, demo=False, environment=disk.environment).start()
    yield running, disk
    running.kill()


@of_a_file("its disk fails; test_database_faults.py fills PostgreSQL's")
def test_a_full_disk_refuses_writes_reads_on_and_recovers(frail_server):
    server, disk = frail_server
    student = server.api().sign_up()
    record = student.new_record("chalkboard")
    course = changed(record.add(board_total("Algorithms", 3, 85)), 201).json["entry"]["id"]
    before = record.get()
    disk.fill()
    for _ in range(3):
        refused = record.patch(course, {"credits": 9})
        assert (refused.status, refused.json["code"]) == (507, "storage_full"), refused
        assert record.get().body == before.body
    assert server.api().get("/healthz").status == 200
    disk.heal()
    eventually(lambda: record.patch(course, {"credits": 9}).status == 200)
    assert record.entries[0]["fields"]["credits"] == 9
    assert server.api().get("/readyz").status == 200
    assert server.stop() == 0
    assert gradecast.run("doctor", "--data", server.data).returncode == 0


@of_a_file("its disk fails; test_database_faults.py fills PostgreSQL's")
@pytest.mark.slow("waits for the server to look for room, which it does every five seconds")
@pytest.mark.parametrize("end", ["stop", "kill"])
def test_a_server_that_starts_on_a_full_disk_reads_and_writes_once_there_is_room(frail_server, tmp_path, end):
    server, disk = frail_server
    student = server.api().sign_up()
    record = student.new_record("chalkboard")
    course = changed(record.add(board_total("Algorithms", 3, 85)), 201).json["entry"]["id"]
    before = record.get()
    getattr(server, end)()
    disk.fill()
    # What the configuration names since then is made once there is room.
    config = json.loads((tmp_path / "config.json").read_text())
    demo = {"slug": "demo", "title": "Demo", "open": True}
    config["institutions"] = [demo, {"slug": "college", "title": "College", "open": True}]
    (tmp_path / "config.json").write_text(json.dumps(config))
    links = server.output(2**20).count("/first#")
    server.start(readiness=503)
    assert record.get().body == before.body
    for _ in range(3):
        refused = record.patch(course, {"credits": 9})
        assert (refused.status, refused.json["code"]) == (507, "storage_full"), refused
        assert server.api().get("/readyz").status == 503
    eventually(lambda: server.output(2**20).count("Metrics and readiness") == 2)
    assert "the disk is full" in server.management().get("/readyz").json["obstacle"]
    assert 'takes no changes for now","store":"' in server.output(2**20)
    disk.heal()
    eventually(lambda: record.patch(course, {"credits": 9}).status == 200)
    assert record.entries[0]["fields"]["credits"] == 9
    eventually(lambda: server.api().get("/v1/institutions/college").status == 200)
    eventually(lambda: server.output(2**20).count("/first#") == links + 1)
    assert server.api().get("/readyz").status == 200
    assert server.stop() == 0
    assert gradecast.run("doctor", "--data", server.data).returncode == 0


@of_a_file("its syncs fail; a PostgreSQL whose syncs fail ends itself, and test_cluster.py ends one")
def test_after_a_failed_sync_nothing_is_acknowledged_until_a_restart(frail_server):
    server, disk = frail_server
    student = server.api().sign_up()
    record = student.new_record("chalkboard")
    course = changed(record.add(board_total("Algorithms", 3, 85)), 201).json["entry"]["id"]
    disk.break_syncs()
    refused = record.patch(course, {"credits": 9})
    assert refused.status == 503, refused
    disk.heal()
    # What the disk lost it will not find again: to try the same sync once more would be to believe in luck.
    assert record.patch(course, {"credits": 8}).status == 503
    assert record.get().status == 200
    assert server.api().get("/readyz").status == 503
    server.kill()
    server.start()
    assert record.entries[0]["fields"]["credits"] in (3, 9)  # in doubt is what was not acknowledged, and only that
    changed(record.patch(course, {"credits": 7}))
    server.kill()
    assert gradecast.run("doctor", "--data", server.data).returncode == 0


# -- floods


def test_a_flood_of_sign_ins_stops_neither_changes_nor_pushes(server, student):
    record = student.new_record("chalkboard")
    course = changed(record.add(board_total("Algorithms", 3, 85)), 201).json["entry"]["id"]
    reader = Live(server, student.token)
    reader.subscribe(f"standing/{record.id}")
    over, found = threading.Event(), []

    def knock(number):
        api = Api("127.0.0.1", server.port)
        while not over.is_set():
            body = {"login": f"nobody-{number % 4}", "password": "wrong horse battery"}
            found.append(api.post("/v1/sessions", body).status)
        api.close()

    knockers = [threading.Thread(target=knock, args=(number,)) for number in range(16)]
    for knocker in knockers:
        knocker.start()
    try:
        for credits in range(1, 41):
            answer = changed(record.patch(course, {"credits": credits}))
            reader.until(f"standing/{record.id}", answer.json["version"])
    finally:
        over.set()
        for knocker in knockers:
            knocker.join()
        reader.close()
    assert set(found) <= {401, 429, 503} and found, set(found)
    student.twin().sign_in(student.login, student.password)


def leave_midway(server, number):
    """One of many ways to leave: in the middle of something, with or without a word."""
    ways = [
        lambda: exchange(server, list(SMUGGLING.values())[number % len(SMUGGLING)]),
        lambda: exchange(server, list(LARGE.values())[number % len(LARGE)][0]),
        lambda: connect(server).close(),
        lambda: hang_up(server, b"GET /healthz HT"),
        lambda: hang_up(server, post(b"Content-Length: 1000000\r\n", b"{" * 1000)),
        lambda: hang_up(server, post(CHUNKED, b"5\r\n{")),
        lambda: hang_up(server, OK * 50),
        lambda: hang_up(server, UPGRADE),
        lambda: hang_up(server, UPGRADE + bytes.fromhex("818000000000") * 40),
        lambda: hang_up(server, b"GET /v1/live/events?topic=program/x HTTP/1.1\r\n" + HOST + b"\r\n"),
    ]
    ways[number % len(ways)]()


UPGRADE = (
    b"GET /v1/live HTTP/1.1\r\n" + HOST + b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: gradecast.live.v1\r\n\r\n"
)


def hang_up(server, sent):
    """Sends, and is gone; with a reset, as what would be answered is not read."""
    with connect(server) as connection:
        with contextlib.suppress(OSError):
            connection.sendall(sent)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, bytes([1, 0, 0, 0, 0, 0, 0, 0]))


@pytest.mark.slow("leaves six hundred times in ten ways, so that a small leak by one of them shows")
def test_bad_manners_leave_neither_memory_nor_descriptors_behind(own_server):
    for number in range(120):
        leave_midway(own_server, number)
    eventually(lambda: own_server.api().get("/healthz").status == 200)
    files, memory = own_server.open_files, own_server.memory
    for number in range(480):
        leave_midway(own_server, number)
    eventually(lambda: own_server.open_files <= files)
    assert own_server.memory < memory + 24 * MEBIBYTE
    # Nobody is still counted as a stranger at the door.
    for _ in range(12):
        Live(own_server).close()
    assert own_server.stop() == 0


@pytest.mark.long
def test_slow_heads_and_bodies_are_shown_out_while_others_are_served(own_server):
    slow = [b"GET /healthz HTTP/1.1\r\nX: ", post(b"Content-Length: 1000000\r\n", b"{")]
    crowd = [connect(own_server) for _ in range(200)]
    for number, member in enumerate(crowd):
        member.sendall(slow[number % 2])
    served = own_server.api()
    for _ in range(100):
        assert served.get("/healthz").status == 200
    for member in crowd:
        answer = b""
        with contextlib.suppress(ConnectionResetError):
            while chunk := member.recv(65536):
                answer += chunk
        assert statuses(answer) in ([], [408]), answer
        member.close()
    assert served.get("/healthz").status == 200
