"""Thousands of readers in one thread, over bare sockets: each follows a standing, whatever happens to connections."""

import base64
import json
import os
import random
import selectors
import socket
import struct
import threading
import time

# The server pings at least every 30 s; a client that waits longer believes the connection dead.
SILENCE = 40


class Broken(AssertionError):
    """A promise did not hold."""


class Reader:
    """One of them. `at` says when each version was there first."""

    def __init__(self, writer):
        self.writer, self.topic = writer, f"standing/{writer.record.id}"
        self.have, self.at, self.connections = None, {}, 0
        self.socket, self.received, self.text, self.is_open, self.heard = None, b"", b"", False, 0.0

    def take(self, message):
        """Takes a message of the server; returns what to answer, if anything, or raises what ends the connection."""
        match message["t"]:
            case "ping":
                return {"t": "pong", "n": message["n"]}
            case "error":
                raise OSError(message["code"])
            case "state":
                version, epoch = message["v"], message["e"]
                if self.have and self.have["e"] == epoch and version < self.have["v"]:
                    raise Broken(f"version {version} was sent after {self.have['v']}")
                self.have = {"e": epoch, "v": version}
                self.at.setdefault(version, time.monotonic())
        return None

    def delays(self, paused=()):
        """How long after its acknowledgement each version was there, itself or a later one. The time in which something
        was paused does not count."""
        seen = sorted(self.at.items())
        # The earliest moment at which a version or a later one was there.
        earliest, first = {}, float("inf")
        for version, at in reversed(seen):
            first = min(first, at)
            earliest[version] = first
        found, place = [], 0
        for version, acknowledged in sorted(self.writer.at.items()):
            while place < len(seen) and seen[place][0] < version:
                place += 1
            if place < len(seen):
                there = earliest[seen[place][0]]
                idle = sum(max(0.0, min(end, there) - max(begin, acknowledged)) for begin, end in paused)
                found.append(max(0.0, there - acknowledged - idle))
        return found


class Crowd(threading.Thread):
    """The readers, by turns those of each writer's record."""

    def __init__(self, front, writers, count, stop):
        super().__init__(daemon=True)
        self.front, self.stop, self.failure = front, stop, None
        self.readers = [Reader(writers[number % len(writers)]) for number in range(count)]
        self.selector, self.random = selectors.DefaultSelector(), random.Random(count)
        # Who begins again, and when.
        self.absent = [(0.0, reader) for reader in self.readers]

    def run(self):
        try:
            while not self.stop.is_set():
                self.begin()
                for key, _ in self.selector.select(0.05):
                    self.serve(key.data)
                self.end_silent()
        except BaseException as failure:  # noqa: B902 - reported by the main thread
            self.failure = failure
        for reader in self.readers:
            if reader.socket:
                reader.socket.close()

    def begin(self):
        """Connects some of those whose time has come."""
        now, waiting, begun = time.monotonic(), [], 0
        for at, reader in self.absent:
            if at > now or begun == 50:
                waiting.append((at, reader))
                continue
            begun += 1
            try:
                self.connect(reader)
            except OSError:
                waiting.append((now + self.random.uniform(0.1, 0.5), reader))
        self.absent = waiting

    def connect(self, reader):
        # HAProxy is on loopback and always accepts.
        connection = socket.create_connection(("127.0.0.1", self.front.port), timeout=5)
        key = base64.b64encode(os.urandom(16)).decode()
        connection.sendall(
            f"GET /v1/live HTTP/1.1\r\nHost: 127.0.0.1:{self.front.port}\r\n"
            "Connection: Upgrade\r\nUpgrade: websocket\r\n"
            f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n"
            "Sec-WebSocket-Protocol: gradecast.live.v1\r\n\r\n".encode()
        )
        connection.setblocking(False)
        reader.socket, reader.received, reader.text, reader.is_open = connection, b"", b"", False
        reader.heard = time.monotonic()
        self.selector.register(connection, selectors.EVENT_READ, reader)

    def leave(self, reader):
        self.selector.unregister(reader.socket)
        reader.socket.close()
        reader.socket = None
        self.absent.append((time.monotonic() + self.random.uniform(0.1, 0.5), reader))

    def end_silent(self):
        now = time.monotonic()
        for reader in self.readers:
            if reader.socket and now - reader.heard > SILENCE:
                self.leave(reader)

    def serve(self, reader):
        try:
            data = reader.socket.recv(65_536)
            if not data:
                raise OSError("the connection has ended")
            reader.heard = time.monotonic()
            reader.received += data
            if not reader.is_open and not self.opened(reader):
                return
            for text in self.texts(reader):
                if answer := reader.take(json.loads(text)):
                    self.send(reader, answer)
        except BlockingIOError:
            return
        except OSError:
            self.leave(reader)

    def opened(self, reader):
        head, end, rest = reader.received.partition(b"\r\n\r\n")
        if not end:
            return False
        if b" 101 " not in head.split(b"\r\n")[0]:
            raise OSError(head.decode("latin-1"))
        reader.received, reader.is_open = rest, True
        reader.connections += 1
        self.send(reader, {"t": "hello", "token": reader.writer.api.token})
        place = {"have": reader.have} if reader.have else {}
        self.send(reader, {"t": "sub", "topic": reader.topic} | place)
        return True

    @staticmethod
    def send(reader, message):
        """Sends a text in one frame; its mask of zeros leaves it as it is."""
        text = json.dumps(message).encode()
        length = bytes([0x80 | len(text)]) if len(text) < 126 else bytes([0xFE]) + struct.pack(">H", len(text))
        reader.socket.sendall(b"\x81" + length + bytes(4) + text)

    @staticmethod
    def texts(reader):
        """The whole texts among the frames that were received."""
        while len(reader.received) >= 2:
            first, second = reader.received[:2]
            size, start = second & 0x7F, 2
            if size >= 126:
                start = 4 if size == 126 else 10
                if len(reader.received) < start:
                    return
                size = int.from_bytes(reader.received[2:start], "big")
            if len(reader.received) < start + size:
                return
            content, reader.received = reader.received[start : start + size], reader.received[start + size :]
            if first & 0x0F == 8:
                raise OSError("the server closes the connection")
            if first & 0x0F > 8:
                continue
            reader.text += content
            if first & 0x80:
                text, reader.text = reader.text, b""
                yield text
