"""The nightly backup as it ships, and the page that leads an operator through a restore: its commands, in its order."""

import os
import re
import sqlite3
import subprocess
import time

import pytest

import gradecast
from client import changed
from oracle.build import board_total
from stored import of_a_file

LAST = "gradecast_last_backup_timestamp_seconds"
SCRIPT = gradecast.ROOT / "deploy" / "gradecast-backup"
PAGE = (gradecast.ROOT / "docs" / "restore.md").read_text(encoding="utf-8")


@pytest.fixture
def tools(tmp_path):
    """The environment of an operator: the program by its name, and a service manager that only notes what it is told."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "gradecast").symlink_to(gradecast.BINARY)
    (folder / "systemctl").write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/told\n')
    (folder / "systemctl").chmod(0o755)
    return os.environ | {"PATH": f"{folder}:{os.environ['PATH']}"}


def back_up(tools, folder, *options):
    return subprocess.run([SCRIPT, folder, *map(str, options)], capture_output=True, text=True, env=tools)


def copies(folder):
    return sorted(file.name for file in folder.iterdir())


@of_a_file("PostgreSQL has its own backups (test_postgresql.py)")
@pytest.mark.slow("takes four backups, each examined, a second apart since the second is their name")
def test_it_keeps_the_newest_copies_and_never_counts_a_faulty_one(own_server, tools, tmp_path):
    folder = tmp_path / "backups"
    taken = []
    assert own_server.metric(LAST) == 0
    begin = int(time.time())
    while len(taken) < 3:
        done = back_up(tools, folder, 2, "--data", own_server.data)
        # Two within the same second have the same name: the later one replaces the other.
        if done.stdout.splitlines()[-1] not in taken:
            taken.append(done.stdout.splitlines()[-1])
        assert done.returncode == 0 and "Sound." in done.stdout, done
    assert [str(folder / name) for name in copies(folder)] == taken[1:]
    assert own_server.metric(LAST) >= begin
    assert own_server.stop() == 0
    with sqlite3.connect(own_server.data / "gradecast.db") as store:
        store.execute("UPDATE audit SET action = 'x' WHERE seq = 1")
    done = back_up(tools, folder, 1, "--data", own_server.data)
    assert done.returncode == 1 and "No older copy was removed." in done.stderr, done
    assert [name for name in copies(folder) if not name.endswith(".faulty")] == [
        name.split("/")[-1] for name in taken[1:]
    ]
    assert len(copies(folder)) == 3


def test_without_a_database_it_leaves_nothing_and_says_why(tools, tmp_path):
    done = back_up(tools, tmp_path / "backups", "--data", tmp_path / "nothing")
    assert done.returncode != 0 and "nothing" in done.stderr, done
    assert copies(tmp_path / "backups") == []


@of_a_file("PostgreSQL has its own backups (test_postgresql.py)")
@pytest.mark.slow("backs up, loses and restores a database, and starts a server twice")
def test_the_page_leads_from_a_broken_database_to_the_grades_of_last_night(own_server, tools, tmp_path):
    student = own_server.api().sign_up()
    record = student.new_record("chalkboard")
    changed(record.add(board_total("Logic", 4, 95)), 201)
    before = record.standing().body
    backups = tmp_path / "backups"
    assert back_up(tools, backups, "--data", own_server.data).returncode == 0
    changed(record.add(board_total("Sets", 4, 70)), 201)
    assert own_server.stop() == 0
    (own_server.data / "gradecast.db").write_bytes(b"not a database")
    script = "\n".join(re.findall(r"^```sh\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))
    for there, here in (
        ("runuser -u gradecast -- ", ""),
        ("install -o gradecast ", "install "),
        (" --config /etc/gradecast/config.json", ""),
        ("/var/lib/gradecast/data", str(own_server.data)),
        ("/var/lib/gradecast", str(tmp_path)),
        ("/var/backups/gradecast", str(backups)),
    ):
        assert there in script
        script = script.replace(there, here)
    done = subprocess.run(["bash", "-euc", script], capture_output=True, text=True, env=tools)
    assert done.returncode == 0 and done.stdout.count("Sound.") == 2, done
    assert (tmp_path / "told").read_text().splitlines() == ["stop gradecast", "start gradecast", "status gradecast"]
    kept = own_server.data.with_name(own_server.data.name + ".before")
    assert (kept / "gradecast.db").read_bytes() == b"not a database"
    own_server.start()
    student.token = own_server.api().sign_in(student.login, student.password).token
    assert record.standing().body == before
