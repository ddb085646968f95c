"""What an idle subscriber costs over TLS. The load clients in C speak none, so these subscribers are Python's."""

import base64
import json
import os
import pathlib
import resource
import socket
import ssl
import struct
import time

from harness import build, people, servers
from harness.table import figure

ACCOUNTS = 64
FIRST, MORE = 2, 15
REST = 6


def server(binary):
    """A server with a certificate that it signed for itself."""

    def command(port, folder):
        certificate, key, config = folder / "certificate.pem", folder / "key.pem", folder / "config.json"
        build.run(
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
            "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate,
        )
        os.chmod(key, 0o600)
        config.write_text(json.dumps({"listen": {"tls": {"certificate": str(certificate), "key": str(key)}}}))
        return [binary, "serve", "--demo", "--config", config, "--data", folder / "data", "--port", port]

    made = servers.Server("gradecast over TLS", command)
    made.context = ssl.create_default_context(cafile=made.folder / "certificate.pem")
    return made


def masked(message):
    """A text frame as a client sends it; a mask of zeros leaves the payload as it is."""
    payload = json.dumps(message).encode()
    length = struct.pack(">B", 0x80 | len(payload)) if len(payload) < 126 else struct.pack(">BH", 0xFE, len(payload))
    return b"\x81" + length + bytes(4) + payload


def subscribe(server, token, record):
    """A subscriber that has its first state."""
    plain = socket.create_connection(("127.0.0.1", server.port), 60)
    connection = server.context.wrap_socket(plain, server_hostname="127.0.0.1")
    key = base64.b64encode(bytes(16)).decode()
    upgrade = (
        f"GET /v1/live HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: gradecast.live.v1\r\n\r\n"
    )
    hello = {"t": "hello", "token": token, "client": "load/1"}
    connection.sendall(upgrade.encode() + masked(hello) + masked({"t": "sub", "topic": f"standing/{record}"}))
    heard = b""
    while b'"t":"state"' not in heard:
        more = connection.recv(65536)
        if not more:
            raise RuntimeError(f"{server.name} closed a connection: {heard[-500:]}\n{server.log()}")
        heard += more
    return connection


def memory(pid):
    """Anonymous memory in bytes."""
    for line in pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss_Anon:"):
            return int(line.split()[1]) * 1024
    raise RuntimeError("the kernel does not say how much memory a process has")


def memory_part(_, __):
    """Like the memory of plain subscribers: the first of each account bring what all share."""
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
    with server(build.swift("gradecast")) as running:
        people_of_it = [line.split() for line in people.plan(running, ACCOUNTS).read_text().splitlines()]
        held = [subscribe(running, token, record) for token, record, _ in people_of_it * FIRST]
        time.sleep(REST)
        before = memory(running.process.pid)
        held += [subscribe(running, token, record) for token, record, _ in people_of_it * MORE]
        time.sleep(REST)
        size = (memory(running.process.pid) - before) / (ACCOUNTS * MORE) / 1024
        for connection in held:
            connection.close()
    print(f"  {running.name:24} bytes_per_subscriber {size * 1024:.0f}")
    return [figure(f"… over TLS, {ACCOUNTS * MORE} of them", size, "kB", 18)]
