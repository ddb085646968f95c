"""Very many readers over PostgreSQL: what their sweep costs, and how soon they read again when their node has died."""

import contextlib
import pathlib
import subprocess
import tempfile
import time

from harness import build, load, people, servers
from harness.crowd import cpu_seconds
from harness.database_job import migrated
from harness.nodes import node
from harness.postgres import Cluster
from harness.table import figure

ACCOUNTS = 500
# An account's connections stay within the default; what a single address may open does not.
CONFIG = {
    "limits": {"connectionsPerAddress": 30_000},
    "plugins": [{"builtin": name} for name in servers.SCHEMES],
}
REST = 6  # seconds: longer than what starts and first states leave behind


def plan(server, topics):
    """`topics` records of all accounts together; a line for each."""
    api, lines = people.Api(server), []
    program = api.program("iut")
    for number in range(ACCOUNTS):
        token = api.sign_up(number)
        for _ in range(topics // ACCOUNTS):
            lines.append(f"{token} {api.record(program, token)['record']['id']}\n")
    path = server.folder / "plan"
    path.write_text("".join(lines))
    return path


class Readers:
    """Readers of all topics of a plan at one node; ends with the `with` block."""

    def __init__(self, server, other, plan, topics_each):
        program = build.c("load-readers", "load/common.c", "load/readers.c")
        command = [program, "-p", server.port, "-q", other.port, "-i", other.pids, "-f", plan, "-n", topics_each]
        self.process = subprocess.Popen(
            [str(part) for part in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def __enter__(self):
        self.line()  # all have their first states
        return self

    def __exit__(self, *_):
        self.process.communicate()

    def line(self):
        """What they say next."""
        if line := self.process.stdout.readline():
            return load.figures(line)
        raise RuntimeError(self.process.stderr.read())


@contextlib.contextmanager
def two_nodes(binary, name):
    """A database and two nodes over it."""
    with Cluster() as cluster, tempfile.TemporaryDirectory(prefix="gradecast-bench-") as folder:
        url, key = migrated(cluster, binary, name), pathlib.Path(folder) / "pepper"
        with node(binary, url, key, CONFIG) as one, node(binary, url, key, CONFIG) as other:
            yield cluster, one, other


def sweep_part(rounds, seconds, topics=50_000):
    """What it costs a second to compare what so many readers have with what is stored, while nothing happens."""
    result, binary = load.Rounds(), build.swift("gradecast")
    with two_nodes(binary, "sweep") as (cluster, one, other):
        names = plan(one, topics)
        for _ in range(rounds):
            result.note("without readers", idle(cluster, one, seconds))
            with Readers(one, other, names, topics // ACCOUNTS):
                result.note(f"{topics} topics", idle(cluster, one, seconds))
    against = "what both do without readers is taken off"
    rows = []
    for what, name in ((f"sweep of {topics:,} topics every 2 s: CPU of the database a second", "database_ms"),
                       ("… server CPU a second, pings included", "server_ms")):
        cost = result.least(f"{topics} topics", name) - result.least("without readers", name)
        rows.append(figure(what, cost, "ms", 100 if name == "database_ms" else None, against=against))
    return rows


def idle(cluster, server, seconds):
    """Processor time that database and server take a second."""
    time.sleep(REST)
    begun, database, own = time.monotonic(), cluster.cpu(), cpu_seconds(server)
    time.sleep(2 * seconds)
    passed = time.monotonic() - begun
    return {
        "database_ms": (cluster.cpu() - database) * 1e3 / passed, "server_ms": (cpu_seconds(server) - own) * 1e3 / passed,
    }


def reconnect_part(rounds, _, readers=10_000):
    """A node with so many readers, each of a record of its own, is killed; all go to the other at once."""
    result, binary = load.Rounds(), build.swift("gradecast")
    with two_nodes(binary, "reconnect") as (_, one, other):
        names = plan(one, readers)
        for _ in range(rounds):
            with Readers(one, other, names, 1) as crowd:
                one.process.kill()
                result.note("again", crowd.line())
            one.process.wait()
            one, other = other, one
            other.start()
    return [
        figure(f"a node with {readers:,} readers is killed; all are current at another, all at once, p50",
               result.least("again", "again_p50") / 1e6, "s"),
        figure("… the last", result.least("again", "again_last") / 1e6, "s", 5),
        figure("… server CPU a reader", result.least("again", "cpu_us"), "µs"),
    ]
