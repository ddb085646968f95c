"""The nightly backup as it ships, and the page that leads an operator through a restore: its commands, in its order."""

import json
import os
import pathlib
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


def back_up(tools, folder, data, keep=14):
    """Adds a copy to a folder, as the nightly unit does."""
    config = data.parent / "backup.json"
    config.write_text(json.dumps({"backup": {"folder": str(folder), "keep": keep}}))
    words = ["gradecast", "backup", "--config", config, "--data", data]
    return subprocess.run(words, capture_output=True, text=True, env=tools)


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
        done = back_up(tools, folder, own_server.data, 2)
        # Two within the same second have the same name: the later one replaces the other.
        assert done.returncode == 0 and done.stdout.endswith(" records. Sound.\n"), done
        copy = done.stdout.splitlines()[-1].partition(": ")[0]
        if copy not in taken:
            taken.append(copy)
    assert [str(folder / name) for name in copies(folder)] == taken[1:]
    assert own_server.metric(LAST) >= begin
    assert own_server.stop() == 0
    with sqlite3.connect(own_server.data / "gradecast.db") as store:
        store.execute("UPDATE audit SET action = 'x' WHERE seq = 1")
    done = back_up(tools, folder, own_server.data, 1)
    assert done.returncode == 1 and "No older copy was deleted." in done.stderr, done
    assert [name for name in copies(folder) if not name.endswith(".faulty")] == [
        name.split("/")[-1] for name in taken[1:]
    ]
    assert len(copies(folder)) == 3


def test_without_a_database_it_leaves_nothing_and_says_why(tools, tmp_path):
    done = back_up(tools, tmp_path / "backups", tmp_path / "nothing")
    assert done.returncode != 0 and "nothing" in done.stderr, done
    assert copies(tmp_path / "backups") == []


@of_a_file("PostgreSQL has its own backups (test_postgresql.py)")
def test_copies_are_for_their_owner_alone_and_those_that_were_cut_off_go(own_server, tools, tmp_path):
    # A name that would match others as a pattern.
    folder = tmp_path / "of [a-z]*"
    folder.mkdir()
    (tmp_path / "of a").mkdir()
    cut_off = "gradecast-2026-01-02T030405Z.db.new"
    for place in (folder, tmp_path / "of a"):
        for name in (cut_off, "gradecast-2026-01-02T030405Z.db", "other.db"):
            (place / name).write_bytes(b"old")
    done = back_up(tools, folder, own_server.data, 1)
    copy = pathlib.Path(done.stdout.splitlines()[-1].partition(": ")[0])
    assert copies(folder) == [copy.name, "other.db"]
    assert copy.stat().st_mode & 0o777 == 0o600
    assert len(copies(tmp_path / "of a")) == 3


def test_where_no_folder_is_named_a_backup_needs_a_file(tools, tmp_path):
    done = subprocess.run(["gradecast", "backup", "--data", tmp_path], capture_output=True, text=True, env=tools)
    assert done.returncode == 64 and "backup.folder" in done.stderr, done


@of_a_file("PostgreSQL has its own backups (test_postgresql.py)")
@pytest.mark.slow("backs up, loses and restores a database, and starts a server twice")
def test_the_page_leads_from_a_broken_database_to_the_grades_of_last_night(own_server, tools, tmp_path):
    student = own_server.api().sign_up()
    record = student.new_record("chalkboard")
    changed(record.add(board_total("Logic", 4, 95)), 201)
    before = record.standing().body
    backups = tmp_path / "backups"
    assert back_up(tools, backups, own_server.data).returncode == 0
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
