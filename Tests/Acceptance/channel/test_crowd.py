"""Ten thousand who listen and a tenth of them who do not read: nobody is held up, everybody converges, all is given back."""

import json
import multiprocessing
import os
import re
import resource
import selectors
import socket
import threading
import time

import pytest

import gradecast
from client import TIMEOUT, changed
from live import Live
from test_hunger import MEBIBYTE, UPGRADE

CROWD = int(os.environ.get("GRADECAST_CROWD", "10000"))
SECONDS = int(os.environ.get("GRADECAST_CROWD_SECONDS", "10"))
RATE = 100  # changes a second
WATCHED = 20  # records that are changed, each with one who watches it


def masked(message):
    """A text frame as a client sends it, with a mask of zeros."""
    text = json.dumps(message).encode()
    assert len(text) < 126
    return bytes([0x81, 0x80 | len(text), 0, 0, 0, 0]) + text


def listener(port, number, topic):
    """A connection that has subscribed; as many come from one address as may."""
    connection = socket.socket()
    connection.settimeout(TIMEOUT)
    if number % 10 == 0:  # one that will not read; what the kernel would take for it is kept small
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.bind((f"127.0.1.{1 + number // 250}", 0))
    connection.connect(("127.0.0.1", port))
    connection.sendall(UPGRADE + masked({"t": "hello"}) + masked({"t": "sub", "topic": topic}))
    received = b""
    while b'"t":"state"' not in received or not received.endswith(b"}"):
        chunk = connection.recv(65536)
        assert chunk, received
        received += chunk
    return connection


class Crowd:
    """Many listeners in a process of their own, so that they do not disturb what is measured here."""

    def __init__(self, port, topic, size):
        self.pipe, theirs = multiprocessing.Pipe()
        self.process = multiprocessing.Process(target=Crowd.live, args=(theirs, port, topic, size), daemon=True)
        self.process.start()
        assert self.hear() == "here"

    def hear(self):
        assert self.pipe.poll(10 * gradecast.PATIENCE), "the crowd is silent"
        return self.pipe.recv()

    def missing(self, text):
        """How many of those who read have not got this text in the end, and how the first of them ended."""
        self.pipe.send(text.encode())
        return self.hear()

    def leave(self):
        self.pipe.send(None)
        self.process.join(gradecast.PATIENCE)

    @staticmethod
    def live(pipe, port, topic, size):
        """What the process does: connects, reads and answers pings, and tells what it is asked for."""
        crowd, readers = [], selectors.DefaultSelector()
        for number in range(size):
            crowd.append(connection := listener(port, number, topic))
            if number % 10:
                connection.setblocking(False)
                readers.register(connection, selectors.EVENT_READ, bytearray())
            if number % 100 == 0:
                drink(readers)
        pipe.send("here")
        while True:
            drink(readers)
            if not pipe.poll():
                continue
            if (wanted := pipe.recv()) is None:
                return
            deadline = time.monotonic() + 2 * gradecast.PATIENCE
            while missing := [key.data for key in readers.get_map().values() if wanted not in key.data]:
                if time.monotonic() > deadline:
                    break
                drink(readers)
            pipe.send((len(missing), bytes(missing[0][-80:]) if missing else b""))


def drink(readers):
    """Reads what is there and answers pings; of each reader the end is kept."""
    for key, _ in readers.select(0.01):
        chunk = key.fileobj.recv(65536)
        if not chunk:
            key.data.extend(b" cut off")
            readers.unregister(key.fileobj)
            raise AssertionError(f"a reader was cut off after {bytes(key.data[-80:])}")
        for number in re.findall(rb'"t":"ping","n":(\d+)', key.data[-30:] + chunk):
            key.fileobj.send(masked({"t": "pong", "n": int(number)}))
        key.data.extend(chunk)
        del key.data[:-32768]


class Traffic:
    """Records that are changed at a rate, and those who watch them."""

    def __init__(self, server):
        self.server = server
        self.records = [server.api().sign_up().new_record("iut", template="sample") for _ in range(WATCHED)]

    def watch(self, record):
        """Somebody who watches the record."""
        watcher = Live(self.server, record.api.token)
        watcher.subscribe(f"standing/{record.id}")
        return watcher

    def delays(self, seconds):
        """Changes for so long; how long after each was sent its state was with the watcher, in milliseconds."""
        # Connections of their own: the server closes those that rest for long.
        records = [record.seen_by(record.api.twin()) for record in self.records]
        found, threads, watchers = [], [], [self.watch(record) for record in records]
        began = time.monotonic() + 0.1
        for place, watched in enumerate(zip(records, watchers, strict=True)):
            moments = [began + number / RATE for number in range(place, seconds * RATE, WATCHED)]
            threads.append(threading.Thread(target=self.change, args=(*watched, moments, found)))
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for record, watcher in zip(records, watchers, strict=True):
            watcher.close()
            record.api.close()
        assert len(found) == seconds * RATE
        return sorted(found)

    @staticmethod
    def change(record, watcher, moments, found):
        subject = record.entries[-1]["children"][0]["id"]
        for number, moment in enumerate(moments):
            time.sleep(max(0, moment - time.monotonic()))
            sent = time.monotonic()
            answer = record.patch(subject, {"grade": str(number % 20)})
            while answer.status == 503:  # rights moved under it, time after time: the program is changed as often
                answer = record.patch(subject, {"grade": str(number % 20)})
            version = changed(answer).json["version"]
            while watcher.next("state")["v"] < version:
                pass
            found.append(1000 * (time.monotonic() - sent))


def report(what, delays):
    p50, p99 = delays[len(delays) // 2], delays[len(delays) * 99 // 100]
    print(f"{what}: {len(delays)} changes, p50 {p50:.1f} ms, p99 {p99:.1f} ms, worst {delays[-1]:.1f} ms")


def settled(server, files):
    """Waits until so many descriptors are left; then the memory."""
    deadline = time.monotonic() + gradecast.PATIENCE
    while server.open_files > files and time.monotonic() < deadline:
        time.sleep(0.05)
    assert server.open_files <= files
    return server.memory


@pytest.mark.long
def test_ten_thousand_listen_and_a_tenth_of_them_do_not_read(tmp_path):
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    server = gradecast.Server(tmp_path).start()
    registrar = server.signed_in("registrar")
    program = registrar.program("chalkboard")
    path, topic = f"/v1/programs/{program}", f"program/{program}"
    traffic = Traffic(server)
    print()
    report("alone", traffic.delays(SECONDS))
    files, before = server.open_files, server.memory
    crowd = Crowd(server.port, topic, CROWD)
    print(f"{CROWD} listeners, {(server.memory - before) / CROWD:.0f} bytes each")
    report("beside the idle crowd", traffic.delays(SECONDS))

    # Everybody is concerned, a hundred times a second.
    registrar, delays = registrar.twin(), []
    beside = threading.Thread(target=lambda: delays.extend(traffic.delays(SECONDS)))
    beside.start()
    began = time.monotonic()
    for number in range(RATE * SECONDS // 5):
        time.sleep(max(0, began + number / RATE - time.monotonic()))
        changed(registrar.patch(path, {"title": f"Title {number}"}))
    missing, end = crowd.missing(f'"title":"Title {number}"')
    print(f"{number + 1} changes had reached every reader after {time.monotonic() - began:.1f} s")
    assert missing == 0, f"{missing} readers do not have the newest state; one ended with {end}"
    beside.join()
    report("beside the busy crowd", delays)

    # Everybody's right goes at once.
    began = time.monotonic()
    changed(server.signed_in("registrar").patch("/v1/institutions/demo", {"open": False}))
    missing, end = crowd.missing('"why":"revoked"')
    print(f"every reader knew of the institution's closing after {time.monotonic() - began:.1f} s")
    assert missing == 0, f"{missing} readers were not told; one ended with {end}"
    changed(server.signed_in("registrar").patch("/v1/institutions/demo", {"open": True}))

    crowd.leave()
    first = settled(server, files + 5)
    Crowd(server.port, topic, CROWD).leave()
    assert settled(server, files + 5) < first + 16 * MEBIBYTE
    report("when they have gone", traffic.delays(SECONDS))
    assert server.stop() == 0
