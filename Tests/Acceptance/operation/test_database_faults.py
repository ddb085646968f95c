"""What an operator meets when the database is full, killed, or lets nobody in: clear words, and recovery by itself."""

import contextlib
import json
import os
import shutil
import subprocess
import tempfile
import threading
import time

import pytest

import gradecast
import postgres
from client import changed
from oracle.build import board_total


def start(folder, url, **store):
    """A server over a database, which has to be ended."""
    config = {"store": {"postgresql": {"url": url, "connections": 4, **store}}}
    return gradecast.Server(folder, config, False, {"GRADECAST_STORE": url}).start()


def refused(folder, url, **store):
    """What the program says that does not begin."""
    path = folder / "config.json"
    path.write_text(json.dumps({"store": {"postgresql": {"url": url, **store}}}))
    result = gradecast.run("serve", "--config", path, "--port", 0, env={"HOME": str(folder)}, cwd=folder)
    assert result.returncode == 1, result
    return result.stderr


def eventually(condition):
    deadline = time.monotonic() + gradecast.PATIENCE
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def is_ready(server):
    return server.api().get("/readyz").status == 200


# -- a full disk


@pytest.fixture
def small_disk():
    """A folder with room for few changes, on a file system of its own."""
    if os.geteuid() != 0:
        pytest.skip("only root may mount a file system")
    folder = tempfile.mkdtemp(prefix="gc-disk.")
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=40m", "tmpfs", folder], check=True)
    yield folder
    subprocess.run(["umount", "--lazy", folder], check=True)
    os.rmdir(folder)


# Changes a record until each page of the database is full.
@pytest.mark.slow("fills a file system, and then page after page of the database until none has room")
def test_a_full_disk_of_the_database_refuses_changes_reads_on_and_recovers(tmp_path, small_disk):
    cluster = postgres.cluster()
    tables = cluster.template
    shutil.chown(small_disk, *cluster.owner)
    cluster.sql(f"CREATE TABLESPACE small LOCATION '{small_disk}'")
    cluster.sql(f"CREATE DATABASE small TEMPLATE {tables} TABLESPACE small")
    running = start(tmp_path, cluster.url("small"))
    record = running.api().sign_up().new_record("chalkboard")
    course = changed(record.add(board_total("Algorithms", 3, 85)), 201).json["entry"]["id"]
    ballast = os.path.join(small_disk, "ballast")
    with contextlib.suppress(OSError), open(ballast, "wb", buffering=0) as file:
        while file.write(bytes(1 << 16)):
            pass
    # Pages that have room take a few changes more.
    answer = None
    for number in range(2_000):
        answer = record.patch(course, {"credits": 1 + number % 9})
        if answer.status != 200:
            break
    assert (answer.status, answer.json["code"]) == (507, "storage_full"), answer
    before = record.get()
    assert before.status == 200
    assert record.patch(course, {"credits": 9}).status == 507
    assert record.get().body == before.body
    os.unlink(ballast)
    eventually(lambda: record.patch(course, {"credits": 9}).status == 200)
    assert record.entries[0]["fields"]["credits"] == 9
    assert is_ready(running)
    assert running.stop() == 0
    cluster.sql("DROP DATABASE small")
    cluster.sql("DROP TABLESPACE small")


# -- who may connect


@pytest.mark.slow("has the program refused once, and ends a server's connections until it reads another password")
def test_a_wrong_password_is_said_and_a_new_one_is_read_without_a_restart(tmp_path):
    cluster = postgres.cluster()
    user, url = "guarded", cluster.database("guarded").replace(f"//{postgres.USER}@", "//guarded@")
    cluster.sql(f"CREATE ROLE {user} LOGIN PASSWORD 'first'")
    tables = (
        f"GRANT ALL ON ALL TABLES IN SCHEMA public TO {user}; GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO {user}"
    )
    cluster.sql(tables, user)
    access = cluster.data / "pg_hba.conf"
    access.write_text(f"local all {user} scram-sha-256\n{access.read_text()}")
    cluster.sql("SELECT pg_reload_conf()")
    password = tmp_path / "password"
    password.write_text("wrong\n")
    password.chmod(0o600)
    message = refused(tmp_path, url, passwordFile=str(password))
    assert f"the server does not let the user {user} in" in message and "passwordFile" in message
    assert "wrong" not in message
    password.write_text("first\n")
    running = start(tmp_path, url, passwordFile=str(password))
    record = running.api().sign_up().new_record("chalkboard")
    # The operator changes it in the database first.
    cluster.sql(f"ALTER ROLE {user} PASSWORD 'second'")
    cluster.sql(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '{user}'")
    assert record.add(board_total("Algorithms", 3, 85)).status == 503
    assert "does not let the user" in running.management().get("/readyz").json["obstacle"]
    password.write_text("second\n")
    eventually(lambda: is_ready(running))
    changed(record.add(board_total("Algorithms", 3, 85)), 201)
    assert running.stop() == 0


def certificate(folder, days):
    """A key and a certificate for `localhost` that is valid for so many days, which may be over."""
    key, request, made = folder / "key.pem", folder / "request.pem", folder / "certificate.pem"
    name = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    subprocess.run(
        ["openssl", "req", "-new", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", request, *name],
        check=True,
        capture_output=True,
    )
    command = ["openssl", "x509", "-req", "-in", request, "-signkey", key, "-out", made, "-days", str(days)]
    subprocess.run([*command, "-copy_extensions", "copy"], check=True, capture_output=True)
    return key, made


# Makes and starts a PostgreSQL server of its own.
@pytest.mark.slow("makes a PostgreSQL of its own that speaks TLS, and four certificates for it")
def test_an_expired_certificate_is_refused_in_words_and_a_renewed_one_is_taken(tmp_path):
    port = gradecast.free_port()
    cluster = postgres.Cluster(
        {"listen_addresses": "localhost", "port": str(port)},
        access="local all all trust\nhostssl all all 127.0.0.1/32 trust\nhostssl all all ::1/128 trust\n",
    )
    cluster.database("grades")
    url = f"postgresql://{postgres.USER}@localhost:{port}/grades"

    def install(days):
        key, made = certificate(tmp_path, days)
        for source, name in ((key, "server.key"), (made, "server.crt")):
            target = cluster.data / name
            shutil.copy(source, target)
            shutil.chown(target, *cluster.owner)
            target.chmod(0o600)
        for setting in ("ssl = on", "ssl_cert_file = 'server.crt'", "ssl_key_file = 'server.key'"):
            cluster.sql(f"ALTER SYSTEM SET {setting}")
        cluster.sql("SELECT pg_reload_conf()")
        return made

    authority = install(-1)
    message = refused(tmp_path, url, tls="verify-full", authorities=str(authority))
    assert "the server's certificate is not accepted" in message and "expired" in message
    install(30)
    running = start(tmp_path, url, tls="verify-full", authorities=str(authority))
    record = running.api().sign_up().new_record("chalkboard")
    changed(record.add(board_total("Algorithms", 3, 85)), 201)
    encrypted = "SELECT bool_and(ssl) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE client_addr IS NOT NULL"
    assert cluster.sql(encrypted) == "t"
    # One that expires under a running server keeps out whoever connects anew.
    install(-1)
    cluster.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE client_addr IS NOT NULL")
    assert record.add(board_total("Analysis", 3, 85)).status == 503
    assert "certificate is not accepted" in running.management().get("/readyz").json["obstacle"]
    install(30)
    eventually(lambda: is_ready(running))
    changed(record.add(board_total("Analysis", 3, 85)), 201)
    assert running.stop() == 0
    cluster.close()


# -- SIGKILL


def read(record):
    """The record, once the connections that the kill has ended are replaced: each finds out by its next read."""
    deadline = time.monotonic() + gradecast.PATIENCE
    while (answer := record.get()).status != 200:
        assert answer.status == 503 and time.monotonic() < deadline, answer
        time.sleep(0.02)
    return answer.json


class Writer(threading.Thread):
    """Changes a course of its own record, each time under a key that it repeats until it is answered."""

    def __init__(self, server, number):
        super().__init__()
        self.record = server.api().sign_up().new_record("chalkboard")
        self.course = changed(self.record.add(board_total("Algorithms", 3, 85)), 201).json["entry"]["id"]
        self.version = self.record.version
        self.number, self.over, self.count, self.doubts, self.fault = number, threading.Event(), 0, 0, None

    @property
    def credits(self):
        return 1 + self.count % 2

    def run(self):
        while not self.over.is_set() and not self.fault:
            self.count += 1
            self.change()

    def change(self):
        while True:
            headers = {"idempotency_key": f"{self.number}-{self.count}"}
            answer = self.record.patch(self.course, {"credits": self.credits}, headers=headers)
            if answer.status == 200:
                return
            if answer.status != 503:
                self.fault = answer
                return
            self.doubts += 1
            time.sleep(0.05)

    def wait_for_more(self):
        """Waits until a few more changes are acknowledged."""
        seen = self.count
        eventually(lambda: self.count > seen + 3 or self.fault)


# May make a PostgreSQL server, and starts it four times.
@pytest.mark.slow("kills another PostgreSQL four times in the middle of what six writers do")
def test_a_database_killed_in_the_middle_of_groups_loses_nothing_and_doubles_nothing(tmp_path):
    cluster = postgres.mortal()
    url = cluster.database("killed")
    running = start(tmp_path, url)
    writers = [Writer(running, number) for number in range(6)]
    for writer in writers:
        writer.start()
    for _ in range(4):
        for writer in writers:
            writer.wait_for_more()
        cluster.kill()
        cluster.start()
    for writer in writers:
        writer.over.set()
    for writer in writers:
        writer.join()
        assert not writer.fault, writer.fault
        stored = read(writer.record)
        assert stored["version"] == writer.version + writer.count
        assert stored["record"]["entries"][0]["fields"]["credits"] == writer.credits
    assert sum(writer.doubts for writer in writers) > 0
    assert running.stop() == 0
    environment = {"GRADECAST_STORE": url, "HOME": str(tmp_path)}
    examined = gradecast.run("doctor", "--config", tmp_path / "config.json", env=environment)
    assert examined.returncode == 0, examined
