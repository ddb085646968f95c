"""The servers that are measured: each in a process of its own, on a free port, over a temporary folder."""

import json
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import time

from harness import build

PATIENCE = 60
SCHEMES = ("chalkboard", "rose-hulman", "iut")


def free_port():
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """One process; ends with the `with` block."""

    def __init__(self, name, command, load=()):
        """`command(port, folder)` is the command line; `load` is what its load clients have to be told."""
        self.name, self.port, self.load = name, free_port(), load
        self.context = None  # of TLS, where it is spoken
        self.environment = {}  # what it is started with besides our own
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="gradecast-bench-"))
        self.command = [str(part) for part in command(self.port, self.folder)]
        self.process = None

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def start(self):
        """Starts it; returns the seconds until it took connections."""
        began = time.monotonic()
        with open(self.folder / "log", "ab") as log:
            self.process = subprocess.Popen(
                self.command, stdout=log, stderr=log, stdin=subprocess.DEVNULL, cwd=self.folder,
                env=os.environ | self.environment,
            )
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return time.monotonic() - began
            except OSError:
                if self.process.poll() is not None or time.monotonic() > began + PATIENCE:
                    self.stop()
                    raise build.Missing(f"{self.name} does not start:\n{self.log()}") from None
                time.sleep(0.005)

    def stop(self):
        """Ends it."""
        self.process.terminate()
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def log(self):
        """The end of what it printed."""
        return (self.folder / "log").read_text(errors="replace")[-4000:]

    @property
    def pids(self):
        """Its process and those that it has started."""
        children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return ",".join([str(self.process.pid), *children])


def gradecast_on(binary, url, config=None):
    """Our server over a database of PostgreSQL that has its tables."""
    server = gradecast(binary, config)
    server.environment = {"GRADECAST_STORE": url}
    return server


def gradecast(binary, config=None):
    """Our server; `config` is its configuration, where it has one."""

    def command(port, folder):
        (folder / "config.json").write_text(json.dumps(config or {}))
        options = ["--config", folder / "config.json"] if config else []
        return [binary, "serve", "--demo", "--data", folder / "data", "--port", port, *options]

    return Server("gradecast", command)


def without_feeds(binary):
    """Our server where the operator has turned off what people see of each other, and with it the feeds' projector."""
    return gradecast(binary, {"people": {"enabled": False}, "plugins": [{"builtin": name} for name in SCHEMES]})


def go(binary):
    return Server("Go", lambda port, folder: [binary, "-port", port, "-data", folder / "grades.db"])


def go_on(binary, words):
    """The Go peer over a database, named in libpq's words: pgx reads no URL with a folder in it."""
    return Server("Go", lambda port, folder: [binary, "-port", port, "-data", f"{words} pool_max_conns=16"])


def python_on(interpreter, url):
    server = python(interpreter)
    server.environment = {"GRADES_URL": url}
    return server


def python(interpreter):
    application = build.HERE / "peers" / "python"
    return Server(
        "Python",
        lambda port, folder: [
            interpreter, "-m", "uvicorn", "app:app", "--app-dir", application, "--port", port,
            "--log-level", "warning", "--no-access-log", "--ws", "websockets",
        ],
    )
