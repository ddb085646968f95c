"""A receiver of webhooks on loopback, which verifies each message as `docs/webhooks.md` says."""

import http.server
import json
import pathlib
import re
import threading

import gradecast

DOCUMENT = pathlib.Path(__file__).resolve().parents[3] / "docs" / "webhooks.md"


def documented():
    """The function `verify` of the document."""
    found = {}
    exec(re.search(r"```python\n(.*?)```", DOCUMENT.read_text(), re.DOTALL)[1], found)  # noqa: S102
    return found["verify"]


class Receiver:
    """Accepts messages that are signed with one of `secrets`; keeps each in the order of its first acceptance.

    `answer(message)` may return another status than 204, or a status, header fields and if
    wanted a body. While it is down, nothing
    listens at its address.
    """

    def __init__(self, answer=None):
        self.port = gradecast.free_port()
        self.url = f"http://127.0.0.1:{self.port}/grades"
        self.secrets = []
        self.answer = answer or (lambda message: 204)
        self.accepted = {}
        self.attempts = []
        self.lock = threading.Lock()
        self.server = None

    def up(self):
        outer, verify = self, documented()

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):  # noqa: N802
                body = self.rfile.read(int(self.headers["Content-Length"]))
                names = ("webhook-id", "webhook-timestamp", "webhook-signature")
                message = {"id": self.headers["webhook-id"], "signature": self.headers["webhook-signature"]}
                message |= json.loads(body)
                signed = all(verify(secret, *(self.headers[name] for name in names), body) for secret in outer.secrets)
                answer = outer.answer(message) if signed and outer.secrets else 401
                status, headers, content = (*answer, b"ok")[:3] if isinstance(answer, tuple) else (answer, {}, b"ok")
                with outer.lock:
                    outer.attempts.append(message)
                    if 200 <= status < 300:
                        outer.accepted.setdefault(message["id"], message)
                self.send_response(status)
                for name, value in ({"Content-Length": str(len(content))} | headers).items():
                    self.send_header(name, value)
                self.end_headers()
                try:
                    self.wfile.write(content)
                except OSError:
                    pass  # the server has heard enough

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", self.port), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def down(self):
        if self.server:
            self.server.shutdown()
            self.server.server_close()
        self.server = None

    @property
    def messages(self):
        """The accepted messages, each once."""
        with self.lock:
            return list(self.accepted.values())

    def of(self, kind, key=None, value=None):
        """The data of the accepted messages of a type, and if wanted about one thing."""
        found = [message["data"] for message in self.messages if message["type"] == kind]
        return [data for data in found if key is None or data[key] == value]
