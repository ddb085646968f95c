"""Ten thousand who listen and a tenth of them who do not read: everybody who reads gets the newest state."""

import json
import os
import re
import resource
import selectors
import socket
import time

import pytest

import gradecast
from client import TIMEOUT, changed
from test_hunger import MEBIBYTE, UPGRADE

CROWD = int(os.environ.get("GRADECAST_CROWD", "10000"))
CHANGES = 200


def masked(message):
    """A text frame as a client sends it, with a mask of zeros."""
    text = json.dumps(message).encode()
    assert len(text) < 126
    return bytes([0x81, 0x80 | len(text), 0, 0, 0, 0]) + text


def listener(server, number, topic):
    """A connection that has subscribed; each thousand comes from an address of its own."""
    connection = socket.socket()
    connection.settimeout(TIMEOUT)
    if number % 10 == 0:  # one that will not read; what the kernel would take for it is kept small
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.bind((f"127.0.1.{1 + number // 1000}", 0))
    connection.connect(("127.0.0.1", server.port))
    connection.sendall(UPGRADE + masked({"t": "hello"}) + masked({"t": "sub", "topic": topic}))
    received = b""
    while b'"t":"state"' not in received or not received.endswith(b"}"):
        chunk = connection.recv(65536)
        assert chunk, received
        received += chunk
    return connection


@pytest.mark.long
def test_ten_thousand_listen_and_a_tenth_of_them_do_not_read(tmp_path):
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    server = gradecast.Server(tmp_path).start()
    registrar = server.signed_in("registrar")
    program = registrar.program("chalkboard")
    path, topic = f"/v1/programs/{program}", f"program/{program}"
    before = server.memory
    crowd, readers = [], selectors.DefaultSelector()
    for number in range(CROWD):
        crowd.append(connection := listener(server, number, topic))
        if number % 10:
            connection.setblocking(False)
            readers.register(connection, selectors.EVENT_READ, bytearray())
        if number % 100 == 0:
            drink(readers)
    print(f"\n{len(crowd)} listeners, {(server.memory - before) / len(crowd):.0f} bytes each")
    started = time.monotonic()
    for number in range(CHANGES):
        changed(registrar.patch(path, {"title": f"Title {number}"}))
        drink(readers)
    last = f'"title":"Title {CHANGES - 1}"'.encode()
    missing = len(readers.get_map())
    deadline = time.monotonic() + gradecast.PATIENCE
    while missing and time.monotonic() < deadline:
        drink(readers)
        missing = sum(last not in key.data for key in readers.get_map().values())
    print(f"{CHANGES} changes to {len(readers.get_map())} readers in {time.monotonic() - started:.1f} s")
    ends = [bytes(key.data[-60:]) for key in readers.get_map().values() if last not in key.data]
    assert missing == 0, f"{missing} readers do not have the newest state; they ended with {ends[:3]}"
    assert registrar.get("/readyz").status == 200
    for connection in crowd:
        connection.close()
    deadline = time.monotonic() + gradecast.PATIENCE
    while server.open_files > 60 and time.monotonic() < deadline:
        time.sleep(0.05)
    assert server.open_files <= 60
    assert server.memory < before + 256 * MEBIBYTE
    assert server.stop() == 0


def drink(readers):
    """Reads what is there and answers pings; of each reader the end is kept."""
    for key, _ in readers.select(0.01):
        chunk = key.fileobj.recv(65536)
        for number in re.findall(rb'"t":"ping","n":(\d+)', key.data[-30:] + chunk):
            key.fileobj.send(masked({"t": "pong", "n": int(number)}))
        key.data.extend(chunk)
        del key.data[:-32768]
