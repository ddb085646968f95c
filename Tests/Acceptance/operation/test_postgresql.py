"""A server whose store is in a database of PostgreSQL."""

import json
import time

import pytest

import gradecast
import postgres
from client import changed
from oracle.build import board_total

OTHER = "another server uses the database"


@pytest.fixture(scope="module")
def cluster():
    return postgres.cluster()


@pytest.fixture
def url(cluster, request):
    """A database of the test's own, with tables."""
    return cluster.database(f"own{abs(hash(request.node.nodeid))}")


@pytest.fixture
def serve(tmp_path):
    """Starts a server over a database; it ends with the test."""
    started = []

    def start(url):
        config = {"store": {"postgresql": {"url": url, "connections": 4}}}
        started.append(gradecast.Server(tmp_path, config, False, {"GRADECAST_STORE": url}).start())
        return started[-1]

    yield start
    for running in started:
        if running.process.poll() is None:
            running.kill()


def refused(folder, url, command="serve"):
    """What the program says that does not begin."""
    path = folder / "config.json"
    path.write_text(json.dumps({"store": {"postgresql": {"url": url}}}))
    result = gradecast.run(command, "--config", path, "--port", 0, env={"HOME": str(folder)}, cwd=folder)
    assert result.returncode == 1, result
    return result.stderr


def test_what_is_acknowledged_is_there_after_a_kill(serve, tmp_path, url):
    running = serve(url)
    student = running.api().sign_up()
    record = student.new_record("chalkboard")
    changed(record.add(board_total("Algorithms", 3, 85)), 201)
    before = record.get().json
    running.kill()
    running.start()
    assert record.get().json == before
    assert running.stop() == 0
    assert gradecast.run("doctor", "--config", tmp_path / "config.json").returncode == 0


@pytest.mark.slow("waits for the five seconds for which a migration tries to get the database alone")
def test_migrating_needs_the_database_alone(serve, tmp_path, cluster, url):
    running = serve(url)
    name = url.rpartition("/")[2]
    # One step alone may be such that a server goes on beside it.
    cluster.sql("DELETE FROM migrations WHERE number > (SELECT max(number) - 2 FROM migrations)", name)
    assert OTHER in refused(tmp_path, url, "migrate")
    assert running.api().get("/readyz").status == 200
    assert running.stop() == 0


@pytest.mark.parametrize("command", ["serve", "check"])
def test_a_database_that_cannot_be_used_is_refused_in_words(tmp_path, cluster, command):
    absent = cluster.url("absent")
    assert "there is no database absent" in refused(tmp_path, absent, command)
    empty = f"empty_{command}"
    cluster.sql(f"CREATE DATABASE {empty} TEMPLATE template0")
    assert "gradecast migrate makes them" in refused(tmp_path, cluster.url(empty), command)
    behind = f"behind_{command}"
    url = cluster.database(behind)
    cluster.sql("DELETE FROM migrations WHERE number = (SELECT max(number) FROM migrations)", behind)
    assert "a step behind this program" in refused(tmp_path, url, command)
    nowhere = "postgresql://gradecast@%2Fnonexistent/grades"
    assert "the database cannot be reached" in refused(tmp_path, nowhere, command)


# May make a PostgreSQL server, and starts it again.
@pytest.mark.slow("may make another PostgreSQL, stops it under a server and starts it again")
def test_a_server_outlives_its_database(serve):
    own = postgres.mortal()
    running = serve(own.database("outliving"))
    student = running.api().sign_up()
    record = student.new_record("chalkboard")
    own.stop()
    assert running.api().get("/readyz").status == 503
    assert "The store does not take changes" in running.management().get("/readyz").json["obstacle"]
    assert record.add(board_total("Algorithms", 3, 85)).status == 503
    own.start()
    deadline = time.monotonic() + gradecast.PATIENCE
    while running.api().get("/readyz").status != 200:
        assert time.monotonic() < deadline, running.output()
        time.sleep(0.02)
    changed(record.add(board_total("Algorithms", 3, 85)), 201)
    assert "the database takes no changes" in running.output()
    assert "the database takes changes again" in running.output()
    assert running.stop() == 0


def test_an_account_is_changed_beside_the_server(serve, tmp_path, url):
    running = serve(url)
    student = running.api().sign_up()
    options = ("--config", tmp_path / "config.json", "--data", running.data)
    result = gradecast.run("account", "disable", student.login, *options, env={"GRADECAST_STORE": url})
    assert result.returncode == 0, result.stderr
    assert student.get("/v1/accounts/me").status == 401
    assert running.stop() == 0


def test_backups_and_restores_name_the_tools_of_postgresql(serve, tmp_path, url):
    running = serve(url)
    options = ("--config", tmp_path / "config.json", "--data", running.data)
    tools = "with its own tools: pg_dump and pg_restore, or pg_basebackup"
    for command in ("backup", "restore"):
        result = gradecast.run(command, tmp_path / "copy", *options, env={"GRADECAST_STORE": url})
        assert result.returncode == 1 and tools in result.stderr, result
    assert not (tmp_path / "copy").exists()
    # The page offers what the description has.
    assert "/v1/backup" not in running.api().get("/openapi.json").json["paths"]
    assert running.api().sign_up().get("/v1/backup").status == 404
    assert running.stop() == 0
