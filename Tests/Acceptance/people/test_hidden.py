"""What a class keeps from its students shows nowhere: not in the record, nor in what is made of it."""

import copy
import uuid

import pytest
from mailing import configuration, hurried
from postbox import html, text
from programs import Program
from test_class_feed import RESULTS
from test_notices import choose, reader

import gradecast
from classroom import CONFIG, LINES, Room
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
    titles = [title() for _ in range(4)]
    items = [line | {"fields": line["fields"] | {"title": name}} for line, name in zip(LINES[2:], titles, strict=False)]
    draft = room.another(titles[3], LINES[:2] + items)
    # Nothing of it is shown as long as its root is a draft.
    step = {"op": "patch", "line": draft.lines[0], "state": "draft"}
    changed(draft.teacher.post(f"{draft.path}/changes", {"changes": [step]}))
    draft.enrol()
    changed(draft.enter(4, value=VALUE))
    vars(room).update(vars(draft))
    return [*titles, *RESULT]


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
    other = room.another("Databases")
    other.enrol()
    changed(other.enter(3, value=50))


# What a student reads of a record, and of a row of a class.
VIEWS = {
    "record": ["", "/people", "/program"],
    "standing": ["/standing", "/standing?trace=all"],
    "assembled": ["/assembled"],
    "history": ["/history?limit=100"],
}


@pytest.mark.slow("waits for two mails; news and courier each look once a second")
@pytest.mark.parametrize("hide", [draft_class, draft_line, held_cell, who_left, incomplete_row, closed_class])
def test_what_is_hidden_shows_in_no_view(server, postbox, room, hide):
    to = reader(room.student, postbox)
    choose(room.student, dict.fromkeys(sorted(RESULTS), "now"), figures=True)
    student, record = room.student, f"/v1/records/{room.record}"
    standing = student.get(f"{record}/standing").body
    secrets = hide(room)
    assert student.get(f"{record}/standing").body == standing
    ledger = str(room.teacher.get(f"{room.path}/ledger").json) + str(room.teacher.get(room.path).json)
    assert secrets[0] in ledger
    # News are told in their order: those of the other class come last.
    tell(room)
    hurried(server, lambda: any("Databases" in text(mail) for mail in postbox.to(to)))
    words = [secret.split()[-1] for secret in secrets]
    views = {name: [record + path for path in paths] for name, paths in VIEWS.items()} | {
        "feed": ["/v1/feed"],
        "search": [f"/v1/search?q={word}" for word in words],
        "export": ["/v1/accounts/me/export"],
        "lists": ["/v1/work", "/v1/records", "/v1/classes"],
    }
    told = {name: "".join(changed(student.get(path)).body.decode() for path in paths) for name, paths in views.items()}
    told["what-if"] = changed(student.post(f"{record}/what-if", {"changes": []})).body.decode()
    # Who left reads the own row still, in which the line is shown.
    if hide is not who_left:
        own = [f"/v1/rows/{room.row}", f"{room.path}/rows/{room.row}", f"{room.path}/rows/{room.row}/history"]
        told["row"] = "".join(student.get(path).body.decode() for path in own)
    told["mail"] = "".join(mail["Subject"] + text(mail) + html(mail) for mail in postbox.to(to))
    assert "Databases" in told["feed"]
    assert {(name, secret) for name, body in told.items() for secret in secrets if secret in body} == set()
    statistics = [room.path, *(f"{room.path}/{part}" for part in ("rows", "statistics", "export", "ledger"))]
    assert {student.get(path).status for path in statistics} == {404}
    assert student.get(f"/v1/programs/{room.program}/cohort").status == 403


def corrected(room):
    """A hidden result that changes, gets a comment and goes."""
    for value in ("7.3125", "8"):
        changed(room.enter(LAB, value=value))
    comment = {"line": room.lines[LAB], "text": "Page 3", "for": "student"}
    changed(room.teacher.post(f"{room.path}/rows/{room.row}/comments", comment), 201)
    changed(room.enter(LAB, value=None))


@pytest.mark.parametrize("hide", [draft_class, draft_line, held_cell, incomplete_row, corrected])
def test_what_is_hidden_wakes_no_subscription(live, server, room, hide):
    student, record, account = room.student, f"/v1/records/{room.record}", room.student.account["id"]
    shown = copy.copy(room)
    socket = live(student.token, server)
    topics = [f"{kind}/{room.record}" for kind in ("record", "standing")]
    topics += [f"row/{room.row}", f"records/{account}", f"feed/{account}"]
    firsts = {topic: socket.subscribe(topic)["v"] for topic in topics}
    held = student.get(record)
    hide(room)
    assert student.get(record, if_none_match=held.etag).status == 304
    changed(shown.enter(3, value=80))
    # Only what is shown comes, and with the version after the one that was held.
    came = {}
    while came.keys() < firsts.keys():
        state = socket.next("state")
        assert state["topic"] not in came, came
        came[state["topic"]] = state["v"]
    assert came == {topic: version + 1 for topic, version in firsts.items()}


@pytest.mark.slow("signs up the five students below whom a cohort tells nothing, and publishes a document")
def test_a_cohort_counts_hidden_letters_and_each_class_once(room):
    document = room.registrar.get("/v1/regulations/library/glasgow").json["document"]
    # Components have letters, too.
    own = 'figure value of component in points "Grade points" fr "Points" zh "等级分" shown by average'
    assert own in document
    document = document.replace(own, own.replace("by average", "by whole lettered by schedule"))
    body = {"scheme": "regulations", "title": "Honours", "entry": "staff", "configuration": {"document": document}}
    made = changed(room.registrar.post(f"/v1/institutions/{room.college}/programs", body), 201)
    program = Program.of(room.registrar, made.json["program"]["id"])
    changed(program.publish())
    essay = {
        "op": "add",
        "kind": "component",
        "in": "#0",
        "fields": {"title": "Essay", "weight": 1},
        "posting": "manual",
    }
    body = {"title": "Logic", "root": "course", "fields": {"title": "Logic", "credits": 20}, "lines": [essay]}
    logic = changed(room.registrar.post(f"{program.path}/classes", body), 201).json["class"]
    line = next(line["id"] for line in logic["structure"]["lines"] if line["number"] == 1)
    students = [room.student, *(room.server.api().sign_up() for _ in range(4))]
    for student in students:
        room.registrar.makes_member(student, room.college, "student", [])
        path = f"/v1/classes/{logic['id']}"
        answer = room.registrar.post(f"{path}/enrolments", {"student": student.account["id"]})
        row = changed(answer, 201).json["enrolment"]
        changed(room.registrar.patch(f"{path}/rows/{row['id']}", {"cells": {line: {"value": "B2"}}}))
        whole = room.registrar.get(f"/v1/records/{row['record']}/assembled").json["standing"]["entries"]
        assert [entry["letter"] for entry in whole.values()] == ["B2", "B2"]
        seen = changed(student.get(f"/v1/records/{row['record']}/standing")).json["entries"][row["entry"]]
        assert seen.get("letter") is None, seen
    assert program.cohort().json["letters"] == {"B2": 5}
