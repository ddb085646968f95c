"""A running server: the real program, in a temporary data directory, on a free port."""

import contextlib
import functools
import json
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import socket
import subprocess
import tempfile
import time

from client import Api, callers

ROOT = pathlib.Path(__file__).resolve().parents[3]
BINARY = pathlib.Path(os.environ.get("GRADECAST_BINARY", ROOT / ".build" / "debug" / "gradecast"))
PATIENCE = 180  # seconds after which a test that waits for something gives up; never a promise about speed


def free_port():
    """A port that nothing uses, below those that the kernel gives to connections, so that it stays free."""
    while True:
        port = random.SystemRandom().randrange(10_000, 32_768)
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


# All that ship.
PLUGINS = [{"builtin": name} for name in ("chalkboard", "rose-hulman", "iut", "regulations")]


# Where the servers under test keep their data, unless a test says otherwise: `sqlite` or `postgresql`.
# The programs under test read the variable otherwise, so workers are told by one of their own.
STORE = os.environ.pop("GRADECAST_STORE", None) or os.environ.get("STORE_UNDER_TEST", "sqlite")
os.environ["STORE_UNDER_TEST"] = STORE


def store_environment(data):
    """What a program needs in its environment to use the store that stands for a data folder."""
    if STORE == "sqlite":
        return {}
    import postgres  # which imports this module

    return {"GRADECAST_STORE": postgres.cluster().database_of(data)}


def run(*arguments, env=None, **more):
    """Runs the program to its end."""
    words = list(map(str, arguments))
    environment = os.environ if env is None else env
    if "--data" in words:
        environment = store_environment(words[words.index("--data") + 1]) | environment
    command = [BINARY, *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, env=environment, **more)


@functools.cache
def first_start(parts):
    """The folder of a demonstration with that configuration, which has started once and ended in order.

    Making the people and the class of a demonstration costs five times as much as a start that finds them.
    """
    folder = tempfile.TemporaryDirectory(prefix="gradecast-")
    server = Server(folder.name, json.loads(parts), virgin=True).start()
    assert server.stop() == 0, server.output()
    return folder


def parts_of_first_start(config):
    """The parts of a configuration that say what a first start stores; nothing if that is another matter.

    Programs of schemes in processes of their own are added by the start that finds them missing.
    """
    plugins = config.get("plugins", PLUGINS)
    parts = {"plugins": [plugin for plugin in plugins if "builtin" in plugin]}
    if "institutions" in config:
        parts["institutions"] = config["institutions"]
        if parts["plugins"] != plugins:
            return None  # an institution may name a scheme that is left out here
    if config.keys() & {"store", "keys"} or not parts["plugins"]:
        return None
    return json.dumps(parts, sort_keys=True)


def copy_first_start(parts, data):
    """Puts what a first start has made where a server keeps its data, for the owner of the folder around."""
    made, owner = pathlib.Path(first_start(parts).name), data.parent.stat()
    for name in (data.name, data.name + "-keys"):
        shutil.copytree(made / name, data.parent / name)
        for path in (data.parent / name, *(data.parent / name).iterdir()):
            os.chown(path, owner.st_uid, owner.st_gid)
    if STORE != "sqlite":
        import postgres  # which imports this module

        postgres.cluster().copy(made / data.name, data)


class Server:
    """One server process over one data directory; it can be stopped, killed and started again.

    A demonstration finds what an earlier first start has made, unless the server is to be `virgin`.
    """

    def __init__(
        self, directory, config=None, demo=True, environment=None, descriptors=None, context=None, under=(),
        errors=None, virgin=False
    ):  # fmt: skip
        self.data = pathlib.Path(directory) / "data"
        self.log = pathlib.Path(directory) / "server.log"
        self.port = free_port()
        self.arguments = ["serve", "--data", self.data, "--port", self.port] + (["--demo"] if demo else [])
        path = pathlib.Path(directory) / "config.json"
        config = {"plugins": PLUGINS} if config is None else config
        path.write_text(json.dumps(config))
        self.arguments += ["--config", path]
        # Another environment is also that of the first start.
        made_before = demo and not (virgin or environment)
        self.first = parts_of_first_start(config) if made_before else None
        self.environment = os.environ | store_environment(self.data) | (environment or {})
        self.descriptors = descriptors
        self.context = context  # what to speak TLS with
        self.under = [str(word) for word in under]  # what starts the program in its own place
        self.errors = errors  # where standard error goes, if not with the output
        self.process = None

    def start(self, readiness=200):
        """Starts the process and returns when it is ready to serve, or answers another `readiness`."""
        if self.first and not self.data.exists() and not pathlib.Path(f"{self.data}-keys").exists():
            copy_first_start(self.first, self.data)
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [*self.under, BINARY, *map(str, self.arguments)],
                stdout=log,
                stderr=log if self.errors is None else self.errors,
                stdin=subprocess.DEVNULL,
                env=self.environment,
                preexec_fn=self.restrict if self.descriptors else None,
            )
        deadline = time.monotonic() + PATIENCE
        while not self.is_ready(readiness):
            if time.monotonic() > deadline:
                self.kill()
                raise AssertionError("the server did not become ready\n" + self.output())
            try:
                status = self.process.wait(0.02)
            except subprocess.TimeoutExpired:
                continue
            raise AssertionError(f"the server ended with {status}\n" + self.output())
        return self

    def restrict(self):
        """Leaves the process so many descriptors."""
        resource.setrlimit(resource.RLIMIT_NOFILE, (self.descriptors, self.descriptors))

    def is_ready(self, status=200):
        """Whether `/readyz` says so, or answers another status."""
        try:
            return self.api().get("/readyz").status == status
        except OSError:
            return False

    def stop(self):
        """Asks the process to end and waits for it; returns its exit status."""
        self.process.send_signal(signal.SIGTERM)
        # The server waits two seconds for the clients of connections that it ends, and these clients would not notice.
        for caller in [caller for caller in callers if caller.port == self.port]:
            caller.close()
        try:
            return self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.kill()
            raise AssertionError("the server did not end on SIGTERM\n" + self.output()) from None

    def kill(self):
        """Ends the process as a power cut would."""
        self.process.kill()
        self.process.wait()

    def output(self, size=8000):
        """The end of what the process has printed."""
        return self.log.read_text(errors="replace")[-size:] if self.log.exists() else ""

    @property
    def memory(self):
        """Bytes of memory that the process holds."""
        return self.status("VmRSS")

    @property
    def peak_memory(self):
        """The most bytes of memory that the process has held so far."""
        return self.status("VmHWM")

    def status(self, name):
        """A number of bytes in the kernel's account of the process."""
        text = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return 1024 * int(text.split(name + ":")[1].split()[0])

    @property
    def open_files(self):
        """How many descriptors the process holds."""
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    @property
    def thread_states(self):
        """The states of the process's threads: `S` sleeps, `R` runs or waits for a processor."""
        threads = pathlib.Path(f"/proc/{self.process.pid}/task").glob("*/stat")
        return {thread.read_text().rpartition(")")[2].split()[0] for thread in threads}

    def api(self, token=None, **more):
        """A client of this server."""
        return Api("127.0.0.1", self.port, token, **({"context": self.context} | more))

    def management(self):
        """A client of the server's management address."""
        deadline = time.monotonic() + PATIENCE
        said = re.compile(r"^Metrics and readiness on http://([0-9.]+):(\d+)$", re.MULTILINE)
        # The server may be ready a moment before it says where.
        while not (found := said.findall(self.output(2**20))):
            assert time.monotonic() < deadline, self.output()
            time.sleep(0.02)
        return Api(found[-1][0], int(found[-1][1]))

    def metric(self, name):
        """A figure without labels that the server shows of itself, without what is behind its point."""
        lines = self.management().get("/metrics").body.decode().splitlines()
        return int(float(next(line for line in lines if line.startswith(name + " ")).split()[1]))

    def sign_ins(self):
        """The demo sign-ins by role."""
        return json.loads((self.data / "demo-sign-ins.json").read_text())

    def signed_in(self, role):
        """A client signed in as one of the demo's people."""
        return self.api().sign_in(**self.sign_ins()[role])
