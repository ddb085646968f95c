"""A hostile scheme of a third party: what it tries is refused, and neither the server nor other schemes notice."""

import concurrent.futures
import contextlib
import json
import os
import pathlib
import platform
import select
import shutil
import subprocess
import sys
import tempfile
import threading
import time

import pytest
from programs import until

import gradecast
import postgres

SCHEMES = gradecast.ROOT / "Tests" / "SchemeHostTests" / "Schemes"
UNIT = gradecast.ROOT / "deploy" / "gradecast.service"
RESTRICT = [sys.executable, pathlib.Path(__file__).parents[1] / "support" / "restrict.py"]
USER = 54321
AS_USER = ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups", "--bounding-set=-all", "--no-new-privs"]
WAYS = {
    "as it is started": [],
    "as a user": AS_USER,
    "under the unit": [*AS_USER, *RESTRICT, UNIT],
    "in a container": [*AS_USER, *RESTRICT, "container"],
}

EPERM, EACCES = "Operation not permitted", "Permission denied"
REFUSED = {
    "database": EACCES,
    "pepper": EACCES,
    "passwords": EACCES,
    "server's memory": EACCES,
    "server's environment": EACCES,
    "launcher's memory": EACCES,
    "process_vm_readv": EPERM,
    "ptrace": EPERM,
    "connect": EPERM,
    "unix socket": EPERM,
    "socket pair": EPERM,
    "listen": EPERM,
    "fork": EPERM,
    "vfork": EPERM,
    "clone": EPERM,
    "clone with namespaces": EPERM,
    "subprocess": EPERM,
    "exec": EPERM,
    "execveat": EPERM,
    "signal": EPERM,
    "signal to all": EPERM,
    "signal by number": EPERM,
    "signal by input": EPERM,
    "unshare": EPERM,
    "outlive": EPERM,
    "session": EPERM,
    "write": EPERM,
    "write elsewhere": EPERM,
    "remove": EPERM,
    "mode": EPERM,
    "memory file": EPERM,
    "io_uring": EPERM,
    "bpf": EPERM,
    "keys": EPERM,
    "more memory": "ValueError: not allowed to raise maximum limit",
    "threads": "got 8 threads",
    "descriptors": "got 0,1,2,3",
    "environment": "got LANG,PATH,SWIFT_BACKTRACE",
    "own folder": "got read",
    "devour": "MemoryError: ",
}

pytestmark = pytest.mark.skipif(platform.machine() != "x86_64", reason="the attacks name system calls by number")


class Host:
    """A server with a hostile scheme beside a good one, and somebody with a record in each."""

    def __init__(self, folder, under, **options):
        self.folder = folder / "schemes" / "hostile"
        self.folder.mkdir(parents=True)
        program = pathlib.Path(shutil.copy(SCHEMES / "hostile", self.folder))
        good = pathlib.Path(shutil.copy(SCHEMES / "pass-fail", folder / "schemes"))
        for path in [program, good, self.folder, self.folder.parent]:
            path.chmod(0o755)
        limits = {"memoryMiB": 256, "deadlineMilliseconds": 20_000, "startSeconds": 50}
        plugins = [{"builtin": "chalkboard"}, {"run": str(program)} | limits | options, {"run": str(good)} | limits]
        if under and "setpriv" in str(under[0]):
            os.chown(folder, USER, USER)
        self.server = gradecast.Server(folder, config={"plugins": plugins}, under=under)
        self.server.start()
        self.aim()
        student = self.server.api().sign_up()
        self.board = self.server.api().sign_up().new_record("chalkboard")
        self.hostile = student.new_record("hostile")
        self.good = student.new_record("pass-fail")

    def aim(self):
        """Tells the scheme what to attack."""
        of_postgresql = gradecast.STORE != "sqlite" and postgres.cluster().data / "PG_VERSION"
        (self.folder / "target.json").write_text(
            json.dumps(
                {
                    "pid": self.server.process.pid,
                    "launcher": min(self.launchers),
                    "port": self.server.port,
                    "database": str(of_postgresql or self.server.data / "gradecast.db"),
                    "pepper": str(self.server.data) + "-keys/pepper",
                }
            )
        )

    @property
    def launchers(self):
        return children(self.server.process.pid)

    @property
    def schemes(self):
        return {scheme for launcher in self.launchers for scheme in children(launcher)}

    def attack(self, name):
        """How an attack went, in the scheme's words; the status where there are none."""
        answer = self.hostile.add({"kind": "task", "fields": {"title": name}})
        if answer.status != 201:
            return answer.status
        return answer.json["standing"]["figures"]["share"]["text"]


class Others(threading.Thread):
    """Somebody who has nothing to do with the scheme, and how long each of the requests takes."""

    def __init__(self, host):
        super().__init__()
        self.record, self.waits, self.is_over = host.board, [], threading.Event()

    def run(self):
        while not self.is_over.is_set():
            begin = time.perf_counter()
            assert self.record.get().status == 200
            self.waits.append(time.perf_counter() - begin)
            time.sleep(0.002)

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *failure):
        self.is_over.set()
        self.join()

    def told(self):
        waits = sorted(self.waits)
        at = [waits[len(waits) * share // 1000] * 1000 for share in (500, 990)]
        return f"median {at[0]:.1f} ms, p99 {at[1]:.1f} ms, longest {waits[-1] * 1000:.1f} ms of {len(waits)}"


def children(process):
    """The processes that a process has started."""
    task = pathlib.Path(f"/proc/{process}/task")
    return {int(pid) for thread in task.iterdir() for pid in (thread / "children").read_text().split()}


@pytest.fixture
def tmp_path(public_path):
    """Where root tests, a scheme runs as a user of its own, who must be able to read it."""
    return public_path


@contextlib.contextmanager
def hosted(way, **options):
    """The server with its hostile scheme, started in one of the ways."""
    under = WAYS[way]
    if under and os.getuid() != 0:
        pytest.skip("only root becomes another user")
    if under and gradecast.STORE != "sqlite":
        postgres.cluster().admit_everyone()
    with tempfile.TemporaryDirectory(prefix="gradecast-") as folder:
        path = pathlib.Path(folder)
        path.chmod(0o755)
        host = Host(path, under, **options)
        try:
            yield host
        finally:
            if host.server.process.poll() is None:
                host.server.kill()


NAMES = [way.replace(" ", "-") for way in WAYS]


@pytest.fixture(params=WAYS, ids=NAMES, scope="module")
def host(request):
    """A host for all tests below, the last of which ends it."""
    with hosted(request.param) as host:
        yield host


def started(host):
    """The log's line about the start of the hostile scheme."""

    def told():
        lines = [json.loads(line) for line in host.server.log.read_text().splitlines(True) if line.endswith("}\n")]
        return [line for line in lines if "confined" in line["message"] and line["program"].endswith("/hostile")]

    (line,) = until(told, len)  # written a moment later
    return line


def test_the_start_tells_what_could_not_be_had(host, request):
    missing = set(started(host).get("missing", "").split(", ")) - {""}
    way = request.node.callspec.params["host"]
    cgroups = {"cgroup of threads", "cgroup of memory", "cgroup of CPU time"}
    namespaces = {"own network", "own processes", "own IPC", "own host name"}
    if way == "as it is started" and os.getuid() == 0:
        assert missing <= cgroups
    elif way == "in a container":
        assert missing == cgroups | namespaces | {"own limit of threads"}
    else:
        assert missing == cgroups


def test_complaints_are_marked_escaped_and_one_line_each(host):
    assert host.attack("forge") == "got said"
    deadline = time.monotonic() + gradecast.PATIENCE
    while "forged=yes" not in host.server.output() and time.monotonic() < deadline:
        select.select([], [], [], 0.01)
    (line,) = [line for line in host.server.output().splitlines() if "forged=yes" in line]
    said = json.loads(line)
    assert said["message"] == "scheme says" and said["program"].endswith("hostile")
    assert said["line"] == r"true\u{d}2026-01-01T00:00:00Z ERROR forged=yes\u{1b}[2J\u{202e}evil"


def test_everything_that_a_hostile_scheme_tries_is_refused(host):
    found = {name: host.attack(name) for name in REFUSED}
    assert found == REFUSED
    assert host.server.process.poll() is None
    assert host.good.add({"kind": "task", "fields": {"title": "a", "done": True}}).status == 201


def check_death(host, whom):
    """What a killed server or launcher leaves of its schemes: nothing."""
    assert host.attack("hold on").startswith("got ")
    ends = {scheme: os.pidfd_open(scheme) for scheme in host.schemes}
    assert len(ends) == 2
    if whom == "server":
        host.server.kill()
    else:
        for launcher in host.launchers:
            os.kill(launcher, 9)
    for end in ends.values():
        assert select.select([end], [], [], gradecast.PATIENCE)[0], "it lives on"
        os.close(end)


def test_a_scheme_dies_with_the_server(host):
    check_death(host, "server")


@pytest.mark.slow("starts a server with two confined schemes of its own, since it kills their launchers")
@pytest.mark.parametrize("way", WAYS, ids=NAMES)
def test_a_scheme_dies_with_its_launcher(way):
    with hosted(way) as host:
        check_death(host, "launchers")


class Burnt:
    """What a hostile scheme burned, and how it went for others meanwhile."""

    def __init__(self, way):
        self.told, self.calm, self.good, self.log = {}, set(), None, None
        with hosted(way, deadlineMilliseconds=4_000) as host:  # it burns until then
            with Others(host) as calm:
                self.calm = {host.attack("calm") for _ in range(100)}
            for attack in ("burn", "flood", "devour", "threads without end"):
                with Others(host) as others:
                    host.attack(attack)
                self.told[attack] = f"others wait {others.told()}; before {calm.told()}"
            self.good = host.good.add({"kind": "task", "fields": {"title": "a", "done": True}}).status
            self.log = host.server.log.stat().st_size


@pytest.fixture(scope="module")
def burnt():
    """What burns until its time is over burns at the same time in all ways."""
    if os.getuid() != 0:
        return {way: Burnt(way) for way in WAYS if not WAYS[way]}
    with concurrent.futures.ThreadPoolExecutor(len(WAYS)) as pool:
        return dict(zip(WAYS, pool.map(Burnt, WAYS), strict=True))


@pytest.mark.parametrize("way", WAYS, ids=NAMES)
def test_what_a_hostile_scheme_burns_is_not_taken_from_others(burnt, way, capsys):
    if way not in burnt:
        pytest.skip("only root becomes another user")
    with capsys.disabled():
        for attack, told in burnt[way].told.items():
            print(f"\n{attack}: {told}")
    assert burnt[way].calm == {"calm"}
    assert burnt[way].good == 201
    # 300 MB were written; a few lines a second are kept.
    assert burnt[way].log < 256 << 10


@pytest.mark.slow("starts a server with two schemes, each confined as a user of its own")
@pytest.mark.skipif(os.getuid() != 0, reason="a server of root alone starts schemes as other users")
def test_a_server_of_root_runs_each_scheme_as_a_user_of_its_own(tmp_path):
    host = Host(tmp_path, [])
    users = {pathlib.Path(f"/proc/{scheme}").stat().st_uid for scheme in host.schemes}
    user, process, name = host.attack("who").removeprefix("got ").split()
    host.server.kill()
    assert len(users) == 2 and 0 not in users and int(user) in users
    assert process == "1"


def test_without_filters_a_scheme_runs_only_unconfined():
    refused = subprocess.run(
        [*RESTRICT, "no-filters", gradecast.BINARY, "scheme", "lint", SCHEMES / "pass-fail"],
        capture_output=True,
        text=True,
        timeout=gradecast.PATIENCE,
    )
    assert refused.returncode == 1
    assert "it cannot be confined" in refused.stderr and '"sandbox": "none"' in refused.stderr
    taken = subprocess.run(
        [*RESTRICT, "no-filters", gradecast.BINARY, "scheme", "lint", SCHEMES / "pass-fail", "--sandbox", "none"],
        capture_output=True,
        text=True,
        timeout=gradecast.PATIENCE,
    )
    assert taken.returncode == 0, taken


def test_an_unconfined_scheme_still_ends_with_the_server_and_is_named_at_the_start(tmp_path):
    host = Host(tmp_path, [], sandbox="none")
    assert 'everything: "sandbox" is "none"' in started(host)["missing"]
    assert host.attack("own folder") == "got read" and host.attack("passwords").startswith("got ")
    ends = [os.pidfd_open(scheme) for scheme in host.schemes]
    host.server.kill()
    for end in ends:
        assert select.select([end], [], [], gradecast.PATIENCE)[0], "it lives on"
        os.close(end)


def test_the_unit_is_well_formed(tmp_path):
    program = tmp_path / "gradecast.service"
    program.write_text(UNIT.read_text().replace("/usr/bin/gradecast", str(gradecast.BINARY)))
    checked = subprocess.run(
        ["systemd-analyze", "verify", program], capture_output=True, text=True, timeout=gradecast.PATIENCE
    )
    assert checked.returncode == 0, checked.stderr
