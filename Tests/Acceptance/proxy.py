"""A real nginx on loopback in front of a server, set up by deploy/nginx.conf."""

import pathlib
import re
import shutil
import socket
import subprocess
import time

import gradecast
from client import Api

SNIPPET = gradecast.ROOT / "deploy" / "nginx.conf"
NGINX = shutil.which("nginx") or "/usr/sbin/nginx"


class Proxy:
    """nginx before a server: the shipped snippet, with a free port in place of 443 and without TLS."""

    def __init__(self, directory, server):
        self.server, self.port, self.context = server, gradecast.free_port(), None
        snippet = SNIPPET.read_text()
        snippet = snippet[: snippet.index("server {\n    listen 80;")]
        snippet = re.sub(r"\s+ssl_\w+ .*;", "", snippet)
        snippet = snippet.replace("listen 443 ssl;", f"listen 127.0.0.1:{self.port};")
        snippet = snippet.replace("server 127.0.0.1:8080;", f"server 127.0.0.1:{server.port};")
        directory = pathlib.Path(directory)
        places = "".join(
            f"{kind}_temp_path {directory}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        self.path = directory / "nginx.conf"
        self.path.write_text(
            f"daemon off;\nmaster_process off;\npid {directory}/nginx.pid;\nerror_log {directory}/nginx.log;\n"
            f"events {{ worker_connections 512; }}\nhttp {{\naccess_log off;\n{places}{snippet}}}\n"
        )
        self.log = directory / "nginx.log"
        self.process = None

    def start(self):
        self.process = subprocess.Popen([NGINX, "-c", self.path], stdin=subprocess.DEVNULL)
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
