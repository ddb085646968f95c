"""Three nodes over one PostgreSQL behind HAProxy, all on loopback: to look at, or under faults.

    PYTHONPATH=Tests/Oracle:Tests/Acceptance/support python3 Tests/Acceptance/cluster.py show --port 8080
    PYTHONPATH=Tests/Oracle:Tests/Acceptance/support build/venv/bin/python Tests/Acceptance/cluster.py faults

`show` serves the demonstration until Ctrl-C, and starts a node again that was killed.

`faults` lets writers change their records through HAProxy as fast as they are answered while nodes and PostgreSQL are
killed, paused and cut off, one after the other. A writer repeats a change under its Idempotency-Key until it is
answered.
Readers follow each record through HAProxy and begin again where their connection ends. Then:
- every answer names the version after the last one, so no change was lost and none counted twice;
- each history has one item for every version, and the stored grades are those last acknowledged;
- every reader has the newest version; it prints how long after its acknowledgement a version was there, and how much of
  that is left without the time in which a node or PostgreSQL was paused.
"""

import argparse
import http.client
import pathlib
import random
import signal
import sys
import tempfile
import threading
import time
import uuid
from collections import Counter
from decimal import Decimal

from crowd import Broken, Crowd
from nodes import CONFIG, Balancer, Nodes

import gradecast
import postgres

NODES = 3
# What a client behind HAProxy meets when nothing answers.
AGAIN = (502, 503, 504)


# -- To look at


def show(port):
    """Serves the demonstration until it is interrupted or told to end."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    with tempfile.TemporaryDirectory(prefix="gradecast-cluster-") as folder:
        own = postgres.Cluster()
        nodes = Nodes(folder, own, "grades", NODES)
        balancer = Balancer(folder, nodes, port)
        try:
            print(f"\nThree nodes over one PostgreSQL, behind HAProxy on http://127.0.0.1:{balancer.port}\n")
            for number, server in enumerate(nodes, 1):
                print(f"  node {number}: http://127.0.0.1:{server.port}, to kill it: kill -9 {server.process.pid}")
            for role, words in nodes.servers[0].sign_ins().items():
                print(f"  {role:14} {words['login']:20} {words['password']}")
            print(
                "\nWhoever reads from a node that is killed goes on with another. Ctrl-C ends everything.\n", flush=True
            )
            while True:
                time.sleep(0.5)
                for number, server in enumerate(nodes, 1):
                    if server.process.poll() is not None:
                        print(f"  node {number} has ended; it is started again in five seconds", flush=True)
                        time.sleep(5)
                        server.start()
                        print(f"  node {number} is back, to kill it: kill -9 {server.process.pid}", flush=True)
        except KeyboardInterrupt:
            print("\nending")
        finally:
            balancer.close()
            nodes.close()
            own.close()


# -- Under faults


class Writer(threading.Thread):
    """One person who keeps changing one record, with a pause of some seconds after each change."""

    def __init__(self, front, seed, stop, pause=0.0):
        super().__init__(daemon=True)
        self.front, self.random, self.stop, self.pause = front, random.Random(seed), stop, pause
        self.api = front.api().sign_up()
        self.record = self.api.new_record("iut", template="sample")
        children = [child for entry in self.record.entries for child in entry["children"]]
        self.grades = {child["id"]: child["fields"].get("grade") for child in children}
        self.version = self.record.version
        self.at = {}  # when each version was acknowledged
        self.repeats, self.longest, self.failure = 0, 0.0, None

    def run(self):
        try:
            while not self.stop.wait(self.pause):
                self.change()
        except BaseException as failure:  # noqa: B902 - reported by the main thread
            self.failure = failure

    def change(self):
        """One change, repeated until it is answered."""
        subject = self.random.choice(sorted(self.grades))
        grade = Decimal(self.random.randint(0, 2000)) / 100
        if self.grades[subject] is not None and Decimal(str(self.grades[subject])) == grade:
            return
        key, begun = uuid.uuid4().hex, time.monotonic()
        while True:
            try:
                self.api.connection.timeout = 8
                answer = self.record.patch(subject, {"grade": grade}, headers={"idempotency_key": key})
            except (OSError, http.client.HTTPException):
                answer = None
            if answer is not None and answer.status == 200:
                break
            if answer is not None and answer.status not in AGAIN:
                raise Broken(f"an ordinary change was refused: {answer!r}")
            self.repeats += 1
            self.api.close()
            time.sleep(0.05)
        now = time.monotonic()
        if answer.json["version"] != self.version + 1:
            raise Broken(f"version {answer.json['version']} was answered after {self.version}")
        self.version, self.grades[subject] = answer.json["version"], grade
        self.at[self.version] = now
        self.longest = max(self.longest, now - begun)

    def check(self):
        """What is stored is what was acknowledged, once each."""
        body = self.record.get().json
        if body["version"] != self.version:
            raise Broken(f"version {body['version']} is stored, {self.version} was acknowledged")
        for child in (child for entry in body["record"]["entries"] for child in entry["children"]):
            stored, given = child["fields"].get("grade"), self.grades[child["id"]]
            if (stored is None) != (given is None) or (stored is not None and Decimal(stored) != Decimal(str(given))):
                raise Broken(f"{child['id']} has {stored}, acknowledged was {given}")
        versions = [item["version"] for item in self.record.history()]
        if versions != list(range(self.version, 0, -1)):
            raise Broken(f"the history has gaps or doubles: {versions[:20]} …")


class Faults:
    """What happens to the cluster, one after the other."""

    def __init__(self, own, nodes, seed):
        self.own, self.nodes, self.random, self.counts = own, nodes, random.Random(seed), Counter()
        # From when to when a node or PostgreSQL was paused.
        self.paused = []

    def node(self):
        return self.random.choice(self.nodes.servers)

    def kill_node(self):
        node = self.node()
        node.kill()
        time.sleep(1)
        node.start()

    def pause_node(self):
        node = self.node()
        begin = time.monotonic()
        node.process.send_signal(signal.SIGSTOP)
        time.sleep(self.random.uniform(1, 8))
        node.process.send_signal(signal.SIGCONT)
        self.paused.append((begin, time.monotonic()))

    def kill_database(self):
        self.own.kill()
        time.sleep(0.5)
        self.own.start()

    def pause_database(self):
        begin = time.monotonic()
        main = self.own.process.pid
        children = pathlib.Path(f"/proc/{main}/task/{main}/children").read_text().split()
        processes = [main, *map(int, children)]
        for number, wait in ((signal.SIGSTOP, self.random.uniform(1, 4)), (signal.SIGCONT, 0)):
            for process in processes:
                try:
                    gradecast.os.kill(process, number)
                except ProcessLookupError:
                    continue
            time.sleep(wait)
        self.paused.append((begin, time.monotonic()))

    def end(self, condition):
        self.own.sql(
            f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{self.nodes.name}' AND ({condition})"
        )

    def deafen(self):
        self.end("query LIKE 'LISTEN%' OR query LIKE '%node_log%' OR query LIKE '%INTO nodes%'")

    def cut_commits(self):
        self.end("query = 'COMMIT' OR state LIKE 'idle in transaction%'")

    def cut_all(self):
        self.end("true")

    def one(self):
        fault = self.random.choice(
            [self.kill_node, self.pause_node, self.kill_database, self.pause_database, self.deafen, self.cut_commits]
            + [self.cut_all]
        )
        self.counts[fault.__name__] += 1
        fault()


def faults(minutes, writers, readers, pause, seed):
    with tempfile.TemporaryDirectory(prefix="gradecast-faults-") as folder:
        own = postgres.Cluster()
        nodes = Nodes(folder, own, "grades", NODES, config=CONFIG | {"limits": {"connectionsPerAccount": 10_000}})
        balancer = Balancer(folder, nodes)
        try:
            failures = run(own, nodes, balancer, minutes, writers, readers, pause, seed)
        finally:
            balancer.close()
            nodes.close()
        environment = {"GRADECAST_STORE": nodes.url}
        place = nodes.servers[0].arguments
        doctor = gradecast.run(
            "doctor", *place[place.index("--config") :], "--data", nodes.servers[0].data, env=environment
        )
        print(f"doctor: {'sound' if doctor.returncode == 0 else doctor.stdout + doctor.stderr}")
        own.close()
    return 1 if failures or doctor.returncode else 0


def run(own, nodes, balancer, minutes, writers, readers, pause, seed):
    writing_ends, reading_ends = threading.Event(), threading.Event()
    people = [Writer(balancer, seed + number, writing_ends, pause) for number in range(writers)]
    crowd = Crowd(balancer, people, readers, reading_ends)
    watching, threads = crowd.readers, [*people, crowd]
    crowd.start()
    while not crowd.failure and not all(reader.have for reader in watching):
        time.sleep(0.1)
    for writer in people:
        writer.start()
    happening = Faults(own, nodes, seed)
    end = time.monotonic() + 60 * minutes
    while time.monotonic() < end and not any(thread.failure for thread in threads):
        time.sleep(happening.random.uniform(1, 3))
        happening.one()
    writing_ends.set()
    for writer in people:
        writer.join(120)
    calm = time.monotonic()
    while time.monotonic() < calm + 60 and not all(
        reader.have and reader.have["v"] == reader.writer.version for reader in watching
    ):
        time.sleep(0.01)
    settled = time.monotonic() - calm
    reading_ends.set()
    failures = [thread.failure for thread in threads if thread.failure]
    failures += [
        Broken(f"a reader stays at {reader.have}")
        for reader in watching
        if not reader.have or reader.have["v"] != reader.writer.version
    ]
    failures += [Broken("a writer hangs") for writer in people if writer.is_alive()]
    for writer in people:
        try:
            writer.check()
        except Broken as failure:
            failures.append(failure)
    report(people, watching, happening, settled)
    for failure in failures:
        print(f"BROKEN: {failure!r}")
    return failures


def report(people, watching, happening, settled):
    delays = sorted(delay for reader in watching for delay in reader.delays())
    awake = max(max(reader.delays(happening.paused), default=0) for reader in watching)
    at = lambda part: delays[min(len(delays) - 1, int(len(delays) * part))] if delays else 0  # noqa: E731
    print("faults: " + ", ".join(f"{name} {count}" for name, count in sorted(happening.counts.items())))
    print(
        f"acknowledged {sum(len(writer.at) for writer in people)} changes of {len(people)} writers, repeated "
        f"{sum(writer.repeats for writer in people)} times, the longest {max(w.longest for w in people):.1f} s"
    )
    print(
        f"{len(watching)} readers, {sum(reader.connections for reader in watching)} connections: a version was there "
        f"p50 {1000 * at(0.5):.0f} ms, p99 {at(0.99):.2f} s, at most {at(1):.2f} s after its acknowledgement, and "
        f"{awake:.2f} s without the time in which a node or PostgreSQL was paused; all had the "
        f"newest {settled:.2f} s after the last"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["show", "faults"])
    parser.add_argument("--port", type=int, default=8080)
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--writers", type=int, default=6)
    parser.add_argument("--readers", type=int, default=24)
    parser.add_argument("--pause", type=float, default=0, help="seconds between two changes of a writer")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    options = parser.parse_args()
    if options.what == "show":
        return show(options.port)
    print(f"seed {options.seed}")
    return faults(options.minutes, options.writers, options.readers, options.pause, options.seed)


if __name__ == "__main__":
    sys.exit(main())
