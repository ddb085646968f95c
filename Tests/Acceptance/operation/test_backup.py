"""Backups that administrators take away: whole, consistent, told in the trail, and nothing left behind."""

import http.client
import os
import re
import struct
import threading
import time
import zlib

import pytest
from programs import until

import gradecast
from client import changed
from oracle.build import board_total
from stored import of_a_file


def large_picture(size):
    """A sound PNG that does not get smaller."""

    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    return b"".join(
        [
            b"\x89PNG\r\n\x1a\n",
            chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)),
            chunk(b"IDAT", os.urandom(size)),
            chunk(b"IEND", b""),
        ]
    )


def fill(server, mebibytes):
    """Makes the store larger than what the connection's buffers hold."""
    for _ in range(mebibytes):
        api = server.api().sign_up()
        path = f"/v1/accounts/{api.account['id']}/avatar"
        changed(api.call("PUT", path, large_picture(1_000_000), content_type="image/png"), 204)


def leftovers(server):
    return [file.name for file in server.data.iterdir() if "copy" in file.name or "partial" in file.name]


def unread(server, administrator):
    """A backup whose answer has begun and is not read."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=gradecast.PATIENCE)
    connection.request("GET", "/v1/backup", headers={"Authorization": f"Bearer {administrator.token}"})
    response = connection.getresponse()
    assert response.status == 200
    return connection, response


@of_a_file("PostgreSQL has its own backups (test_postgresql.py)")
def test_a_backup_is_whole_and_restores(own_server, tmp_path):
    student = own_server.api().sign_up()
    record = student.new_record("chalkboard")
    course = record.add(board_total("Algorithms", 3, 85)).json["entry"]["id"]
    saved = record.standing()
    fill(own_server, 3)
    administrator = own_server.signed_in("administrator")
    answer = changed(administrator.get("/v1/backup"))
    assert answer.headers["Content-Type"] == "application/vnd.sqlite3"
    assert answer.headers["Cache-Control"] == "no-store"
    assert re.fullmatch(
        r'attachment; filename="gradecast-[0-9-]+T[0-9]{6}Z\.db"', answer.headers["Content-Disposition"]
    )
    assert leftovers(own_server) == []
    record.patch(course, {"credits": 9})
    assert own_server.stop() == 0

    examined = tmp_path / "examined"
    examined.mkdir()
    (examined / "gradecast.db").write_bytes(answer.body)
    result = gradecast.run("doctor", "--data", examined)
    assert result.returncode == 0 and "Sound." in result.stdout, result

    (tmp_path / "taken.db").write_bytes(answer.body)
    result = gradecast.run("restore", tmp_path / "taken.db", "--data", own_server.data)
    assert result.returncode == 0, result
    own_server.start()
    student.token = own_server.api().sign_in(student.login, student.password).token
    assert record.standing().body == saved.body
    trail = own_server.signed_in("administrator").get("/v1/audit?subject=store").json["items"]
    assert [item["action"] for item in trail] == ["backup.taken"]
    assert trail[0]["by"] == administrator.account["id"]


@of_a_file("PostgreSQL has its own backups (test_postgresql.py)")
@pytest.mark.slow("takes three backups beside a writer, and has the doctor examine each")
def test_a_backup_is_of_one_moment_while_people_write(own_server, tmp_path):
    fill(own_server, 4)
    student, stop = own_server.api().sign_up(), threading.Event()
    record = student.new_record("chalkboard")
    course = record.add(board_total("Algorithms", 3, 85)).json["entry"]["id"]
    refused = []

    def write():
        credits = 1
        while not stop.is_set():
            credits = credits % 9 + 1
            answer = record.patch(course, {"credits": credits})
            if answer.status != 200:
                refused.append(answer)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for number in range(3):
            folder = tmp_path / str(number)
            folder.mkdir()
            answer = changed(own_server.signed_in("administrator").get("/v1/backup"))
            (folder / "gradecast.db").write_bytes(answer.body)
    finally:
        stop.set()
        writer.join()
    assert not refused
    for number in range(3):
        result = gradecast.run("doctor", "--data", tmp_path / str(number))
        assert result.returncode == 0, result


@of_a_file("PostgreSQL has its own backups (test_postgresql.py)")
def test_only_administrators_take_backups(own_server):
    assert own_server.api().get("/v1/backup").status == 401
    for role in ("student", "teacher", "registrar"):
        assert own_server.signed_in(role).get("/v1/backup").status == 403
    assert own_server.api().get("/v1/backup", cookie="gradecast-local=" + "A" * 43).status == 401
    administrator = own_server.signed_in("administrator")
    head = administrator.call("HEAD", "/v1/backup")
    assert (head.status, head.headers["Content-Length"]) == (200, None)
    assert administrator.post("/v1/backup", {}).status == 405
    assert administrator.get("/v1/audit?subject=store").json["items"] == []


@of_a_file("PostgreSQL has its own backups (test_postgresql.py)")
@pytest.mark.slow("fills the store with sixteen mebibytes, more than a connection's buffers hold")
def test_one_backup_is_taken_at_a_time_and_an_abandoned_one_leaves_nothing(own_server):
    fill(own_server, 16)
    administrator = own_server.signed_in("administrator")
    files = own_server.open_files
    connection, _ = unread(own_server, administrator)
    refused = administrator.get("/v1/backup")
    assert (refused.status, refused.json["retryable"]) == (503, True)
    assert refused.headers["Retry-After"]
    assert leftovers(own_server) == []
    connection.close()
    deadline = time.monotonic() + gradecast.PATIENCE
    while (answer := administrator.get("/v1/backup")).status == 503:
        assert time.monotonic() < deadline
    assert len(changed(answer).body) > 16_000_000
    assert leftovers(own_server) == []
    until(lambda: own_server.open_files, lambda count: count <= files + 1)


@of_a_file("PostgreSQL has its own backups (test_postgresql.py)")
@pytest.mark.slow("fills the store with sixteen mebibytes, more than a connection's buffers hold")
def test_a_backup_cut_short_by_a_stop_is_no_backup(tmp_path):
    server = gradecast.Server(tmp_path, config={"limits": {"drainSeconds": 0}}).start()
    fill(server, 16)
    connection, response = unread(server, server.signed_in("administrator"))
    server.process.terminate()
    assert server.process.wait(gradecast.PATIENCE) == 0
    with pytest.raises((http.client.IncompleteRead, ConnectionError)):
        response.read()
    connection.close()
    assert leftovers(server) == []


@of_a_file("PostgreSQL has its own backups (test_postgresql.py)")
def test_what_a_killed_server_left_is_removed(own_server):
    assert own_server.stop() == 0
    for name in ("gradecast.db.copy", "gradecast.db.copy.partial"):
        (own_server.data / name).write_bytes(b"half")
    own_server.start()
    assert leftovers(own_server) == []
