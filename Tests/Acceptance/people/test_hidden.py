"""What a class keeps from its students shows nowhere: not in the record, nor in what is made of it."""

import contextlib
import sqlite3
import uuid

import pytest
from mailing import configuration, hurried
from postbox import html, text
from test_class_feed import RESULTS
from test_notices import choose, reader

import gradecast
from classroom import CONFIG, COURSE, LINES, Room
from client import changed

LAB = 5  # its results are shown by hand
# A result of 10, the average that it makes alone, and what is shown of that.
VALUE = "7.3125"
RESULT = (VALUE, "73.125", "73.13")


@pytest.fixture(scope="module")
def server(tmp_path_factory, postbox):
    config = configuration(postbox.url) | {"plugins": gradecast.PLUGINS} | CONFIG
    server = gradecast.Server(tmp_path_factory.mktemp("hidden"), config=config).start()
    yield server
    assert server.stop() == 0, server.output()


@pytest.fixture
def room(server):
    return Room(server)


def add(room, title, **more):
    """Adds a line of that title to the labs; its identifier."""
    step = {"op": "add", "kind": "item", "in": room.lines[2], "fields": {"title": title, "max": 10}} | more
    changed(room.teacher.post(f"{room.path}/changes", {"changes": [step]}))
    structure = room.teacher.get(room.path).json["class"]["structure"]
    room.lines.append(max(structure["lines"], key=lambda line: line["number"])["id"])
    return len(room.lines) - 1


def title():
    return f"Quiz {uuid.uuid4().hex[:12]}"


def draft_class(room):
    # Nobody makes a class a draft again, but it may have been one.
    with contextlib.closing(sqlite3.connect(room.server.data / "gradecast.db", timeout=60)) as store, store:
        store.execute("UPDATE classes SET state = 'draft' WHERE id = ?", (room.path.rpartition("/")[2],))
    name = title()
    changed(room.enter(add(room, name), value=9))
    return [name]


def draft_line(room):
    name = title()
    changed(room.enter(add(room, name, state="draft"), value=VALUE))
    return [name, *RESULT]


def held_cell(room):
    changed(room.enter(4, value=VALUE, held=True))
    return RESULT


def who_left(room):
    name = title()
    line = add(room, name, state="draft")
    changed(room.enter(line, value=VALUE))
    changed(room.teacher.delete(f"{room.path}/enrolments/{room.row}?keep=true"))
    step = {"op": "patch", "line": room.lines[line], "state": "posted"}
    changed(room.teacher.post(f"{room.path}/changes", {"changes": [step]}))
    return [name, *RESULT]


def incomplete_row(room):
    changed(room.enter(LAB, value=VALUE))
    return RESULT


def closed_class(room):
    changed(room.enter(LAB, value=VALUE))
    changed(room.teacher.patch(room.path, {"state": "closed"}))
    return RESULT


def tell(room):
    """Another class in which the student gets a result that is shown."""
    body = {"title": "Databases", "root": "course", "fields": COURSE | {"title": "Databases"}, "lines": LINES}
    made = changed(room.teacher.post(f"/v1/programs/{room.program}/classes", body), 201).json["class"]
    path = f"/v1/classes/{made['id']}"
    line = next(line["id"] for line in made["structure"]["lines"] if line["fields"].get("title") == "Final")
    answer = room.teacher.post(f"{path}/enrolments", {"student": room.student.account["id"]})
    row = changed(answer, 201).json["enrolment"]["id"]
    changed(room.teacher.patch(f"{path}/rows/{row}", {"cells": {line: {"value": 50}}}))


@pytest.mark.slow("waits for two mails; news and courier each look once a second")
@pytest.mark.parametrize("hide", [draft_class, draft_line, held_cell, who_left, incomplete_row, closed_class])
def test_what_is_hidden_shows_in_no_view(server, postbox, room, hide):
    if hide is draft_class and gradecast.STORE != "sqlite":
        pytest.skip("makes the draft in the store's file")
    to = reader(room.student, postbox)
    choose(room.student, dict.fromkeys(sorted(RESULTS), "now"), figures=True)
    secrets = hide(room)
    ledger = str(room.teacher.get(f"{room.path}/ledger").json) + str(room.teacher.get(room.path).json)
    assert secrets[0] in ledger
    # News are told in their order: those of the other class come last.
    tell(room)
    hurried(server, lambda: any("Databases" in text(mail) for mail in postbox.to(to)))
    student = room.student
    record = f"/v1/records/{room.record}"
    words = [secret.split()[-1] for secret in secrets]
    views = {
        "record": [record, f"{record}/standing"],
        "assembled": [f"{record}/assembled"],
        "history": [f"{record}/history?limit=100"],
        "feed": ["/v1/feed"],
        "search": [f"/v1/search?q={word}" for word in words],
        "export": ["/v1/accounts/me/export"],
    }
    told = {name: "".join(changed(student.get(path)).body.decode() for path in paths) for name, paths in views.items()}
    told["mail"] = "".join(mail["Subject"] + text(mail) + html(mail) for mail in postbox.to(to))
    assert "Databases" in told["feed"]
    assert {(name, secret) for name, body in told.items() for secret in secrets if secret in body} == set()
