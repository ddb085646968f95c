"""The command line beside a running server: its changes are stored, and heeded at once."""

import contextlib
import os
import shutil
import subprocess
import threading
import uuid

import pytest
from websockets.exceptions import ConnectionClosed

import gradecast
from client import changed
from oracle.build import board_total
from stored import of_a_file


@pytest.fixture
def command(server):
    def run(*arguments):
        return gradecast.run(*arguments, "--data", server.data)

    return run


def token_of(result):
    assert result.returncode == 0, result
    assert result.stderr == "", result
    return result.stdout.split()[-1]


def test_an_account_is_made_beside_a_running_server(server, command):
    login = f"made-{uuid.uuid4().hex}"
    token = token_of(command("account", "create", login, "--name", "Made Here"))
    again = {"token": token, "password": "another horse battery"}
    assert server.api().post("/v1/accounts/password", again).status == 204
    assert server.api().sign_in(login, "another horse battery").account["displayName"] == "Made Here"


def test_a_reset_beside_a_running_server_works(server, command, student):
    token = token_of(command("account", "reset", student.login))
    again = {"token": token, "password": "another horse battery"}
    assert server.api().post("/v1/accounts/password", again).status == 204
    assert student.get("/v1/accounts/me").status == 401
    server.api().sign_in(student.login, "another horse battery")


def test_the_server_has_ended_sessions_and_sockets_when_the_command_returns(server, command, student, live):
    assert student.get("/v1/accounts/me").status == 200
    record = student.new_record("chalkboard")
    socket = live(student.token)
    socket.subscribe(f"standing/{record.id}")
    assert command("account", "disable", student.login).returncode == 0
    assert student.get("/v1/accounts/me").status == 401
    with pytest.raises(ConnectionClosed):
        while True:
            socket.receive()
    refused = server.api().post("/v1/sessions", {"login": student.login, "password": student.password})
    assert refused.status == 401
    assert command("account", "enable", student.login).returncode == 0
    server.api().sign_in(student.login, student.password)


def test_a_role_given_beside_a_running_server_holds_at_once(server, command, student):
    assert command("account", "role", student.login, "administrator").returncode == 0
    raised = server.api().sign_in(student.login, student.password)
    assert raised.get("/v1/audit").status == 200
    assert command("account", "role", student.login, "none").returncode == 0
    assert raised.get("/v1/audit").status == 403
    assert raised.get("/v1/accounts/me").status == 200


def test_grades_are_entered_while_accounts_are_made(server, command, student):
    record = student.new_record("chalkboard")
    course = changed(record.add(board_total("Algorithms", 3, 1)), 201).json["entry"]["id"]
    before, done, refused = record.version, threading.Event(), []

    def write():
        written = 0
        while not done.is_set() or written < 50:
            answer = record.patch(course, {"credits": 1 + written % 5})
            written += 1
            if answer.status != 200:
                refused.append(answer)
        return written

    writer = threading.Thread(target=write)
    writer.start()
    results = [command("account", "create", f"made-{uuid.uuid4().hex}", "--name", "X") for _ in range(3)]
    done.set()
    writer.join()
    assert [result.returncode for result in results] == [0, 0, 0]
    assert refused == []
    assert record.version >= before + 49
    found = command("doctor")
    assert found.returncode == 0, found


@of_a_file("its owner; the server of a database owns its files")
@pytest.mark.slow("runs the program five times, by turns as root and as the server's user")
@pytest.mark.skipif(os.geteuid() != 0, reason="needs root")
def test_what_root_does_leaves_nothing_that_the_server_s_user_cannot_open(tmp_path):
    user = 65534
    program = tmp_path / "gradecast"
    shutil.copy(gradecast.BINARY, program)
    (tmp_path / "home").mkdir()
    for folder in (tmp_path, *tmp_path.parents):
        if folder.stat().st_uid == 0 and len(folder.parts) > 2:
            folder.chmod(folder.stat().st_mode | 0o011)
    os.chown(tmp_path / "home", user, user)
    options = ["--data", tmp_path / "home" / "data"]

    def as_user(*arguments):
        return subprocess.run(
            [program, *arguments, *options], user=user, group=user, extra_groups=[], capture_output=True, text=True
        )

    assert as_user("account", "create", "ada", "--name", "Ada").returncode == 0
    assert gradecast.run("account", "reset", "ada", *options).returncode == 0
    with gradecast_serving(program, options, user):
        assert gradecast.run("account", "disable", "ada", *options).returncode == 0
        assert as_user("account", "enable", "ada").returncode == 0
    owners = {path.name: path.stat().st_uid for path in (tmp_path / "home" / "data").iterdir()}
    assert set(owners.values()) == {user}, owners


@contextlib.contextmanager
def gradecast_serving(program, options, user):
    """The server as another user; it has begun when it listens."""
    process = subprocess.Popen(
        [program, "serve", *options, "--port", "0"],
        user=user,
        group=user,
        extra_groups=[],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        while "listening" not in process.stdout.readline():
            assert process.poll() is None
        yield
    finally:
        process.terminate()
        assert process.wait(gradecast.PATIENCE) == 0


@of_a_file("PostgreSQL has its own backups (test_postgresql.py)")
def test_a_backup_takes_no_file_s_place_unasked(server, command, tmp_path):
    copy = tmp_path / "copy.db"
    copy.write_text("something dear")
    result = command("backup", copy)
    assert result.returncode == 1 and "there already" in result.stderr
    assert copy.read_text() == "something dear"
    assert list(tmp_path.iterdir()) == [copy]
    assert command("backup", copy, "--replace").returncode == 0
    assert copy.read_bytes().startswith(b"SQLite format 3")


@of_a_file("an empty one; test_postgresql.py tries empty databases")
@pytest.mark.parametrize("verb", ["serve", "doctor", "backup", "account"])
def test_an_empty_database_is_refused_in_words(tmp_path, verb):
    (tmp_path / "data").mkdir()
    database = tmp_path / "data" / "gradecast.db"
    database.touch(0o600)
    more = {"serve": ["--port", 0], "backup": [tmp_path / "copy.db"], "account": ["reset", "ada"]}.get(verb, [])
    result = gradecast.run(verb, *more, "--data", tmp_path / "data")
    assert result.returncode == 1, result
    assert str(database) in result.stderr and ": the file is empty" in result.stderr
    assert database.stat().st_size == 0
