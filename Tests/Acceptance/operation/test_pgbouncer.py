"""Reads through the real PgBouncer in transaction mode, configured as `deploy/pgbouncer.ini` says."""

import configparser
import json
import shutil
import subprocess
import time

import pytest

import gradecast
import postgres
from client import changed
from oracle.build import board_total


class Pooler:
    """A PgBouncer before one database of a cluster, in the cluster's folder."""

    def __init__(self, cluster, database):
        sample = configparser.ConfigParser()
        sample.read(gradecast.ROOT / "deploy" / "pgbouncer.ini")
        settings = sample["pgbouncer"]
        self.port = gradecast.free_port()
        self.folder = cluster.folder / f"pooler{self.port}"
        self.folder.mkdir()
        shutil.chown(self.folder, *cluster.owner)
        sample["databases"] = {"grades": f"host={cluster.folder} dbname={database}"}
        settings.update(
            {"listen_addr": "127.0.0.1", "listen_port": str(self.port), "unix_socket_dir": str(self.folder)}
        )
        settings.update({"auth_type": "trust", "auth_file": str(self.folder / "users"), "admin_users": postgres.USER})
        settings.update({"logfile": str(self.folder / "log"), "pidfile": str(self.folder / "pid")})
        (self.folder / "users").write_text(f'"{postgres.USER}" ""\n')
        with (self.folder / "pgbouncer.ini").open("w") as file:
            sample.write(file)
        self.cluster = cluster
        self.start()

    def start(self):
        command = [*self.cluster.under, "pgbouncer", "-q", self.folder / "pgbouncer.ini"]
        self.process = subprocess.Popen(command, cwd=self.folder, stdin=subprocess.DEVNULL)
        deadline = time.monotonic() + gradecast.PATIENCE
        while self.transactions() is None:
            assert self.process.poll() is None and time.monotonic() < deadline, (self.folder / "log").read_text()
            time.sleep(0.02)

    def transactions(self):
        """How many transactions it has carried; `None` while it does not answer."""
        command = [self.cluster.programs / "psql", "-qAtX", "-h", "127.0.0.1", "-p", str(self.port)]
        command += ["-U", postgres.USER, "-d", "pgbouncer", "-c", "SHOW STATS"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=gradecast.PATIENCE)
        rows = [line.split("|") for line in done.stdout.splitlines()]
        return None if done.returncode else sum(int(row[1]) for row in rows if row[0] == "grades")

    def stop(self):
        self.process.kill()
        self.process.wait()


def eventually(condition):
    deadline = time.monotonic() + gradecast.PATIENCE
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.fixture
def pooler():
    cluster = postgres.cluster()
    cluster.database("pooled")
    running = Pooler(cluster, "pooled")
    yield running
    running.stop()


@pytest.mark.slow("ends PgBouncer under a server, whose connections find out one by one")
def test_reads_go_through_the_pooler_and_writes_past_it(pooler, tmp_path):
    url = pooler.cluster.url("pooled")
    store = {
        "url": url,
        "connections": 6,
        "tls": "disable",
        "prepared": False,
        "pooler": f"postgresql://{postgres.USER}@127.0.0.1:{pooler.port}/grades",
    }
    (tmp_path / "config.json").write_text(json.dumps({"store": {"postgresql": store}}))
    running = gradecast.Server(tmp_path, {"store": {"postgresql": store}}, False, {"GRADECAST_STORE": url}).start()
    student = running.api().sign_up()
    record = student.new_record("chalkboard")
    course = changed(record.add(board_total("Algorithms", 3, 85)), 201).json["entry"]["id"]
    before = pooler.transactions()
    for number in range(20):
        changed(record.patch(course, {"credits": 1 + number % 2}))
        assert record.version == number + 3
    assert pooler.transactions() > before
    # A pooler that ends takes its connections with it; the server makes new ones when it is back.
    pooler.stop()
    assert running.api().get("/readyz").status == 503
    pooler.start()
    # Each connection finds out by itself that it has ended.
    eventually(lambda: running.api().get("/readyz").status == 200)
    eventually(lambda: record.patch(course, {"credits": 9}).status == 200)
    eventually(lambda: record.get().status == 200)
    assert pooler.transactions() > 0
    assert running.stop() == 0
