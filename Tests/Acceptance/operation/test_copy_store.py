"""A store that is copied from a file into a database of PostgreSQL, and back."""

import json
import os
import shutil
import sqlite3
import time

import classroom
import pytest

import gradecast
import postgres
from client import changed
from disk import Disk
from oracle.build import board_total

OPEN = {"slug": "demo", "title": "Demo", "open": True, "programs": [{"scheme": "chalkboard", "title": "Boards"}]}
CONFIG = {"plugins": gradecast.PLUGINS, "institutions": [OPEN, classroom.CONFIG["institutions"][1]]}

pytestmark = pytest.mark.skipif(gradecast.STORE != "sqlite", reason="makes both kinds of store by itself")


@pytest.fixture(scope="module")
def cluster():
    return postgres.cluster()


@pytest.fixture
def url(cluster, request):
    """An empty database with tables."""
    return cluster.database(f"copy{abs(hash(request.node.nodeid))}")


@pytest.fixture
def serve(tmp_path):
    """Starts a server over the file of a folder, or over a database; it ends with the test."""
    started = []

    def start(name, url=None, keys=None, file=None, demo=True):
        folder = tmp_path / name
        folder.mkdir()
        if file:
            (folder / "data").mkdir()
            file.rename(folder / "data" / "gradecast.db")
        if keys:
            shutil.copytree(f"{keys.data}-keys", folder / "data-keys")
        environment = {"GRADECAST_STORE": url} if url else None
        started.append(gradecast.Server(folder, CONFIG, demo, environment).start())
        return started[-1]

    yield start
    for running in started:
        if running.process.poll() is None:
            running.kill()


def program(command, *arguments, url=None, more=None):
    environment = os.environ | (more or {}) | ({"GRADECAST_STORE": url} if url else {})
    return gradecast.run(command, *arguments, env=environment)


def copied(*arguments, url):
    result = program("copy-store", *arguments, url=url)
    assert result.returncode == 0, result.stderr
    assert "Versions start a new epoch" in result.stdout


def refused(*arguments, url):
    result = program("copy-store", *arguments, url=url)
    assert result.returncode == 1, result
    assert result.stderr.startswith("Nothing was copied: ") or "PostgreSQL" in result.stderr, result.stderr
    return result.stderr


def filled(server):
    """Fills a store with accounts, a record, a class and a feed; returns who may read what of it."""
    room = classroom.Room(server)
    changed(room.enter(3, value=87.5), 200)
    student = server.api().sign_up()
    record = student.new_record("chalkboard")
    changed(record.add(board_total("Algorithms", 3, 85)), 201)
    deadline = time.monotonic() + gradecast.PATIENCE
    while not room.student.get("/v1/feed").json["items"]:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    institution = f"/v1/institutions/{room.college}"
    return {
        (student.token, record.path),
        (student.token, f"{record.path}/standing"),
        (student.token, "/v1/accounts/me"),
        (room.student.token, f"/v1/records/{room.record}/standing"),
        (room.teacher.token, room.path),
        (room.teacher.token, f"{room.path}/rows"),
        (room.registrar.token, f"{institution}/members"),
        (room.registrar.token, f"{institution}/programs"),
    }


def read(server, places):
    """What the places say, without the epochs of their versions."""
    answers = {}
    for token, path in places:
        answer = server.api(token).get(path)
        assert answer.status == 200, (path, answer.body)
        answers[token, path] = answer.json
    return answers


def without_epochs(value):
    if isinstance(value, dict):
        return {name: without_epochs(item) for name, item in value.items() if name not in ("e", "asOf", "epoch")}
    return [without_epochs(item) for item in value] if isinstance(value, list) else value


def rows(path):
    """Every row of a file but for the epoch."""
    with sqlite3.connect(path) as file:
        names = [name for (name,) in file.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")]
        found = {name: sorted(map(repr, file.execute(f"SELECT * FROM {name}"))) for name in names}
        epoch = file.execute("SELECT epoch FROM store").fetchone()[0]
    found["store"] = [row.replace(epoch, "") for row in found["store"]]
    return found, epoch


# Copies a store three times and starts a server over each copy.
@pytest.mark.slow("serves the store and its two copies, and waits five seconds for one that is in use")
def test_a_store_goes_into_a_database_and_back(serve, tmp_path, url):
    running = serve("first")
    places = filled(running)
    before = without_epochs(read(running, places))
    assert running.stop() == 0
    first, second = running.data / "gradecast.db", tmp_path / "back.db"
    copied("--from", first, url=url)
    copied("--to", second, url=url)
    (mine, epoch), (its, other) = rows(first), rows(second)
    assert mine == its
    assert epoch != other
    assert "it has rows in" in refused("--from", first, url=url)
    assert "the file is there already" in refused("--to", second, url=url)

    served = serve("second", url, keys=running)
    assert without_epochs(read(served, places)) == before
    student = served.api().sign_up()
    record = student.new_record("chalkboard")
    changed(record.add(board_total("Algorithms", 3, 85)), 201)
    assert "another server uses the database" in refused("--to", tmp_path / "third.db", url=url)
    assert served.stop() == 0
    assert program("doctor", "--data", served.data, url=url).returncode == 0

    copied("--to", tmp_path / "moved.db", url=url)
    back = serve("third", keys=running, file=tmp_path / "moved.db")
    assert without_epochs(read(back, places)) == before
    assert back.api(student.token).get(record.path).status == 200
    assert back.stop() == 0
    assert program("doctor", "--data", back.data).returncode == 0


@pytest.mark.slow("runs the program seven times, as each refusal has a cause of its own")
def test_a_store_in_use_or_of_another_version_is_refused(serve, tmp_path, cluster, url):
    running = serve("first")
    running.api().sign_up()
    file = running.data / "gradecast.db"
    assert "another program is using" in refused("--from", file, url=url)
    assert running.stop() == 0
    assert "there is no file" in refused("--from", tmp_path / "absent.db", url=url)
    cluster.sql("CREATE DATABASE bare TEMPLATE template0")
    assert "gradecast migrate makes them" in refused("--from", file, url=cluster.url("bare"))
    behind = cluster.database("copy_behind")
    cluster.sql("DELETE FROM migrations WHERE number = (SELECT max(number) FROM migrations)", "copy_behind")
    assert "the store to fill: the database's schema is a step behind" in refused("--from", file, url=behind)
    assert "no server has used it" in refused("--to", tmp_path / "new.db", url=url)
    assert not (tmp_path / "new.db").exists()
    config = tmp_path / "config.json"
    config.write_text(json.dumps({}))
    assert "names no database of PostgreSQL" in refused("--from", file, "--config", config, url=None)
    with sqlite3.connect(file) as store:
        store.execute("UPDATE audit SET detail = '{}', action = 'x' WHERE seq = 1")
    assert "gradecast doctor finds faults: audit/" in refused("--from", file, url=url)
    # Nothing of the refused copies is left.
    assert cluster.sql("SELECT count(*) FROM audit", url.rpartition("/")[2]) == "0"
    assert cluster.sql("SELECT count(*) FROM accounts", url.rpartition("/")[2]) == "0"


# Starts a server over PostgreSQL and copies its store twice.
@pytest.mark.slow("starts a server over PostgreSQL, builds the disk that fails, and copies twice")
def test_a_full_disk_leaves_no_copy(serve, tmp_path, url):
    running = serve("first", url, demo=False)
    running.api().sign_up()
    assert running.stop() == 0
    (tmp_path / "data").mkdir()
    disk = Disk(tmp_path)
    disk.fill()
    copy = tmp_path / "data" / "copy.db"
    result = program("copy-store", "--to", copy, url=url, more=disk.environment)
    assert result.returncode == 1, result
    assert result.stderr.startswith("Nothing was copied: "), result.stderr
    assert [file.name for file in copy.parent.iterdir() if not file.name.endswith(".lock")] == []
    disk.heal()
    copied("--to", copy, url=url)
