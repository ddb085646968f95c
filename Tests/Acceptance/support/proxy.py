"""A real nginx or Caddy on loopback in front of a server, set up by what `deploy` ships."""

import pathlib
import re
import shutil
import socket
import subprocess
import time

import gradecast
from client import Api, Record, changed
from live import Background, Events, Live, long_poll
from oracle.build import board_total

DEPLOY = gradecast.ROOT / "deploy"
NGINX = shutil.which("nginx") or "/usr/sbin/nginx"
CADDY = shutil.which("caddy") or "/usr/bin/caddy"


class Proxy:
    """A proxy before a server."""

    def __init__(self, directory, server):
        self.server, self.port, self.context = server, gradecast.free_port(), None
        self.data, self.environment = server.data, server.environment
        self.directory = pathlib.Path(directory)
        self.log = self.directory / "proxy.log"
        self.process = None
        self.configure()

    def start(self):
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=self.environment
            )
        deadline = time.monotonic() + gradecast.PATIENCE
        while True:
            assert self.process.poll() is None and time.monotonic() < deadline, self.log.read_text()
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return self
            except OSError:
                time.sleep(0.02)

    def stop(self):
        self.process.terminate()
        self.process.wait(gradecast.PATIENCE)

    def api(self, token=None, **more):
        """A client that comes through the proxy."""
        return Api("127.0.0.1", self.port, token, **more)

    def signed_in(self, role):
        return self.api().sign_in(**self.server.sign_ins()[role])


class Nginx(Proxy):
    """nginx: the shipped snippet, with a free port in place of 443 and without TLS."""

    def configure(self):
        snippet = (DEPLOY / "nginx.conf").read_text()
        snippet = snippet[: snippet.index("server {\n    listen 80;")]
        snippet = re.sub(r"\s+ssl_\w+ .*;", "", snippet)
        snippet = snippet.replace("listen 443 ssl;", f"listen 127.0.0.1:{self.port};")
        snippet = snippet.replace("server 127.0.0.1:8080;", f"server 127.0.0.1:{self.server.port};")
        directory = self.directory
        places = "".join(
            f"{kind}_temp_path {directory}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        path = directory / "nginx.conf"
        path.write_text(
            f"daemon off;\nmaster_process off;\npid {directory}/nginx.pid;\nerror_log {directory}/nginx.log;\n"
            f"events {{ worker_connections 512; }}\nhttp {{\naccess_log off;\n{places}{snippet}}}\n"
        )
        self.command = [NGINX, "-c", path]


class Caddy(Proxy):
    """Caddy: the shipped file, at a free port in place of its name, and without TLS."""

    def configure(self):
        text = (DEPLOY / "Caddyfile").read_text()
        text = text.replace("grades.example.org {", f"http://:{self.port} {{\n\tbind 127.0.0.1")
        text = text.replace("127.0.0.1:8080", f"127.0.0.1:{self.server.port}")
        path = self.directory / "Caddyfile"
        path.write_text(text.replace("{\n", "{\n\tadmin off\n", 1))
        # Nothing of the machine's own Caddy is read or written.
        homes = dict.fromkeys(("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"), str(self.directory))
        self.environment = self.environment | homes
        self.command = [CADDY, "run", "--config", path, "--adapter", "caddyfile"]


def follow(proxy):
    """A change of a record reaches a socket, an event stream and a long poll through a proxy, to the byte."""
    student = proxy.api().sign_up()
    program = student.get("/v1/institutions/demo/programs").json["items"][0]["id"]
    made = changed(student.post("/v1/records", {"program": program}), 201)
    record = Record(student, made.json["record"]["id"])
    socket, events = Live(proxy, student.token), Events(proxy, student.token, f"standing/{record.id}")
    assert socket.subscribe(f"standing/{record.id}")["t"] == "state" and events.status == 200
    version = record.version
    poll = Background(lambda: long_poll(Record(student.twin(), record.id), version + 1))
    added = changed(record.add(board_total("Algorithms", 3, 85)), 201)
    document = record.standing().body.decode()
    assert document in socket.until(f"standing/{record.id}", added.json["version"])["raw"]
    assert document in events.until(added.json["version"])["data"]
    assert poll.result()[-1][1].decode() == document
    socket.close()
    events.close()
