"""Clients of the push channel: WebSocket, server-sent events and the long poll."""

import contextlib
import http.client
import json
import threading

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from client import TIMEOUT

PROTOCOL = "gradecast.live.v1"


class Live:
    """One connection that speaks `gradecast.live.v1`. It answers pings by itself and remembers every state's place."""

    def __init__(
        self, server, token=None, hello=True, headers=None, protocols=(PROTOCOL,), origin=None, compression=None
    ):
        connection = connect(
            f"{'wss' if server.context else 'ws'}://127.0.0.1:{server.port}/v1/live",
            ssl=server.context,
            subprotocols=list(protocols),
            additional_headers=headers,
            origin=origin,
            open_timeout=TIMEOUT,
            max_size=2**24,
            compression=compression,
            ping_interval=None,
        )
        # As a `with` statement would; the connection outlives the call.
        self.socket = contextlib.ExitStack().enter_context(connection)
        self.places = {}
        self.welcome = None
        if hello:
            self.send({"t": "hello", "client": "test/1"} | ({"token": token} if token else {}))
            self.welcome = self.next("welcome")

    def send(self, message):
        """Sends a message: an object, or text as it is."""
        self.socket.send(message if isinstance(message, str) else json.dumps(message))

    def receive(self):
        """The next message that is no ping, with its text in `raw`."""
        while True:
            text = self.socket.recv(timeout=TIMEOUT)
            message = json.loads(text)
            if message["t"] == "ping":
                self.send({"t": "pong", "n": message["n"]})
                continue
            if message["t"] == "state":
                self.remember(message)
            return message | {"raw": text}

    def remember(self, state):
        """Notes a state's place in time; within an epoch versions must rise, unless it only says `current`."""
        places = self.places.setdefault(state["topic"], [])
        if "doc" in state or "href" in state:
            here = (state["e"], state["v"])
            assert not places or places[-1][0] != here[0] or places[-1][1] < here[1], (places, here)
            places.append(here)

    def next(self, kind, **members):
        """The next message, which must be of that type with those members."""
        message = self.receive()
        assert message["t"] == kind, message
        assert {name: message.get(name) for name in members} == members, message
        return message

    def subscribe(self, topic, have=None):
        """Subscribes and returns the answer."""
        self.places.pop(topic, None)
        self.send({"t": "sub", "topic": topic} | ({"have": have} if have is not None else {}))
        return self.receive()

    def until(self, topic, version):
        """Reads on to a state of the topic that is at least that version."""
        while True:
            message = self.receive()
            if message["t"] == "state" and message["topic"] == topic and message["v"] >= version:
                return message

    def closed(self):
        """Reads on to the end of the connection and returns the close code."""
        try:
            while True:
                self.receive()
        except ConnectionClosed as end:
            return end.rcvd.code if end.rcvd else 1006

    def close(self):
        self.socket.close()


class Events:
    """A stream of server-sent events on one topic."""

    def __init__(self, server, token, topic, last=None, headers=None):
        self.connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=TIMEOUT)
        headers = {"Accept": "text/event-stream"} | (headers or {})
        if token:
            headers["Authorization"] = f"Bearer {token}"
        if last:
            headers["Last-Event-ID"] = last
        self.connection.request("GET", f"/v1/live/events?topic={topic}", headers=headers)
        self.response = self.connection.getresponse()
        self.status = self.response.status
        self.places = []

    def receive(self):
        """The next event: `{"id", "event", "data"}`; `None` at the end of the stream."""
        event, data = {}, []
        while True:
            line = self.response.readline()
            if not line:
                return None
            line = line.decode("utf-8").rstrip("\r\n")
            if not line and (event or data):
                if data:
                    return event | {"data": "\n".join(data)}
                event = {}
            name, _, value = line.partition(":")
            value = value[1:] if value.startswith(" ") else value
            if name == "data":
                data.append(value)
            elif name in ("id", "event"):
                event[name] = value

    def until(self, version):
        """Reads on to an event whose id names at least that version; the versions must rise."""
        while True:
            event = self.receive()
            assert event is not None, "the stream ended"
            if "id" not in event:
                continue
            epoch, _, here = event["id"].rpartition(".")
            assert not self.places or self.places[-1][0] != epoch or self.places[-1][1] < int(here)
            self.places.append((epoch, int(here)))
            if int(here) >= version:
                return event

    def close(self):
        self.connection.close()


def long_poll(record, version):
    """Follows a standing by long polls to at least that version; returns `[(etag, body)]` as seen."""
    seen, etag = [], None
    while not seen or int(seen[-1][0].strip('"').rpartition(".")[2]) < version:
        answer = record.standing(if_none_match=etag, prefer="wait=25" if etag else None)
        assert answer.status == (304 if answer.etag == etag else 200), answer
        if answer.etag != etag:
            etag = answer.etag
            seen.append((etag, answer.body))
    return seen


class Background(threading.Thread):
    """Runs a function beside the test and hands back its result or its failure."""

    def __init__(self, work):
        super().__init__(daemon=True)
        self.work, self.failure, self.value = work, None, None
        self.start()

    def run(self):
        try:
            self.value = self.work()
        except BaseException as failure:  # noqa: B902 - handed to the test's own thread
            self.failure = failure

    def result(self):
        self.join(TIMEOUT)
        assert not self.is_alive(), "still waiting"
        if self.failure:
            raise self.failure
        return self.value
