"""What feeds and mails tell a student of the results of a class: entered, shown later, corrected, hidden again."""

import pytest
from mailing import configuration
from postbox import text
from programs import Program, until
from test_notices import arrived, choose, reader

import gradecast
from classroom import CONFIG, Room
from client import changed


@pytest.fixture(scope="module")
def server(tmp_path_factory, postbox):
    config = configuration(postbox.url) | {"plugins": gradecast.PLUGINS} | CONFIG
    server = gradecast.Server(tmp_path_factory.mktemp("class-feed"), config=config).start()
    yield server
    assert server.stop() == 0, server.output()


@pytest.fixture
def room(server):
    return Room(server)


RESULTS = {"grade.entered", "result.released", "result.corrected"}


def told(room, by=None):
    """The lines of the student's feed that tell of results."""
    items = (by or room.student).get("/v1/feed").json["items"]
    return [line for line in items if RESULTS & set(line["types"]) and line["record"]["id"] == room.record]


def results(lines):
    """What lines tell of results, the latest line first: `(title, before, after, best)`."""

    def side(cell):
        return cell and (cell["value"]["en"] if cell["value"] else cell["status"])

    return [
        (result["label"]["en"], side(result["before"]), side(result["after"]), result["best"])
        for line in lines
        for result in line.get("results", [])
    ]


def post(room, *lines, hide=False):
    body = {"lines": [room.lines[line] for line in lines], "hide": hide}
    return changed(room.teacher.post(f"{room.path}/post", body))


def test_a_result_is_a_line_with_its_maximum_its_class_and_who_entered_it(room):
    changed(room.enter(4, value=7))
    [line] = until(lambda: told(room), len)
    assert results([line]) == [("Lab 1", None, "7", "10")]
    assert line["type"] == "grade.entered"
    assert line["result"] == {"class": "Algorithms", "entry": room.entry}
    assert line["by"]["id"] == room.teacher.account["id"]
    changed(room.enter(3, status="excused"))
    until(lambda: results(told(room)), lambda found: ("Final", None, "excused", "100") in found)
    assert told(room, room.teacher) == []


def test_a_letter_is_told_without_a_best_number(room):
    document = room.registrar.get("/v1/regulations/library/glasgow").json["document"]
    body = {"scheme": "regulations", "title": "Honours", "entry": "staff", "configuration": {"document": document}}
    made = changed(room.registrar.post(f"/v1/institutions/{room.college}/programs", body), 201)
    program = Program.of(room.registrar, made.json["program"]["id"])
    changed(program.publish())
    essay = {"op": "add", "kind": "component", "in": "#0", "fields": {"title": "Essay", "weight": 1}}
    course = {"title": "Logic", "credits": 20}
    body = {"title": "Logic", "root": "course", "fields": course, "lines": [essay]}
    taught = changed(room.registrar.post(f"{program.path}/classes", body), 201).json["class"]
    path = f"/v1/classes/{taught['id']}"
    enrolled = changed(room.registrar.post(f"{path}/enrolments", {"student": room.student.account["id"]}), 201)
    line = next(line["id"] for line in taught["structure"]["lines"] if line["number"] == 1)
    row = enrolled.json["enrolment"]["id"]
    changed(room.registrar.patch(f"{path}/rows/{row}", {"cells": {line: {"value": "B2"}}}))
    until(
        lambda: results(line for line in room.student.get("/v1/feed").json["items"] if "results" in line),
        lambda found: found == [("Essay", None, "B2", None)],
    )


def test_hidden_results_come_with_the_posting_and_go_with_the_hiding(room):
    changed(room.enter(5, value=4))
    changed(room.enter(5, value=6))
    changed(room.enter(4, value=7))
    until(lambda: results(told(room)), lambda found: found == [("Lab 1", None, "7", "10")])
    post(room, 5)
    released = until(lambda: [line for line in told(room) if "result.released" in line["types"]], len)
    assert ("Lab 2", None, "6", "10") in results(released)
    assert "4" not in str(results(told(room)))
    post(room, 5, hide=True)
    until(lambda: results(told(room)), lambda found: all(title != "Lab 2" for title, *_ in found))


def test_an_open_feed_is_pushed_results_and_their_hiding(live, room):
    topic = f"feed/{room.student.account['id']}"
    client = live(room.student.token)
    state = client.subscribe(topic)

    def titles():
        return [result["label"]["en"] for line in state["doc"]["items"] for result in line.get("results", [])]

    changed(room.enter(4, value=7))
    while titles() != ["Lab 1"]:
        state = client.until(topic, state["v"] + 1)
    post(room, 4, hide=True)
    while titles():
        state = client.until(topic, state["v"] + 1)


def test_a_correction_is_told_as_one(room):
    for line, value in [(3, 90), (4, 7), (5, 8)]:
        changed(room.enter(line, value=value))
    changed(room.teacher.patch(room.path, {"state": "closed"}))
    change = {"row": room.row, "line": room.lines[3], "value": 95}
    body = {"cells": [change], "reason": "Page 4 was not marked"}
    asked = changed(room.teacher.post(f"{room.path}/corrections", body), 201).json["correction"]
    changed(room.registrar.post(f"{room.path}/corrections/{asked['id']}/approve", {}))
    until(lambda: told(room), lambda lines: any("result.corrected" in line["types"] for line in lines))
    assert "Page 4" not in str(told(room))


def corrections(by):
    """The lines of a feed about corrections."""
    return [line for line in by.get("/v1/feed").json["items"] if line["type"].startswith("correction.")]


def test_registrars_find_what_waits_and_who_asked_is_told_of_the_decision(room):
    changed(room.enter(4, value=7))
    changed(room.teacher.patch(room.path, {"state": "closed"}))
    change = {"row": room.row, "line": room.lines[4], "value": 9}
    asked = {"cells": [change], "reason": "Counted wrongly"}
    correction = changed(room.teacher.post(f"{room.path}/corrections", asked), 201).json["correction"]["id"]
    [waiting] = [item for item in room.registrar.get("/v1/corrections").json["items"] if item["id"] == correction]
    assert (waiting["class"]["title"], waiting["account"]) == ("Algorithms", room.teacher.account["id"])
    assert waiting["reason"] == "Counted wrongly" and "cells" not in waiting
    assert room.teacher.get("/v1/corrections").json["items"] == []
    lines = until(lambda: [line for line in corrections(room.registrar) if line["correction"]["id"] == correction], len)
    assert [(line["type"], line["correction"]["state"]) for line in lines] == [("correction.requested", "waiting")]
    changed(room.registrar.delete(f"{room.path}/corrections/{correction}"))
    [line] = until(lambda: corrections(room.teacher), len)
    assert line["correction"] == {"id": correction, "state": "refused", "reason": "Counted wrongly"}
    assert line["by"]["id"] == room.registrar.account["id"]
    assert correction not in [item["id"] for item in room.registrar.get("/v1/corrections").json["items"]]
    assert corrections(room.student) == []


@pytest.mark.slow("waits for three mails; news and courier each look once a second")
def test_a_mail_names_the_class_and_shows_results_only_where_that_was_asked_for(server, postbox, room):
    to = reader(room.student, postbox)
    choose(room.student, {"grade.entered": "now", "result.released": "now"})
    changed(room.enter(4, value=7))
    changed(room.enter(5, value=3))
    mail = arrived(server, postbox, to, 2)
    assert "Grades were entered: Algorithms (Lab 1)" in text(mail) and "7" not in mail["Subject"]
    choose(room.student, {"result.released": "now"}, figures=True)
    post(room, 5)
    mail = arrived(server, postbox, to, 3)
    assert "Results were released: Algorithms (" in text(mail) and "Lab 2: 3 / 10" in text(mail)


def test_a_line_tells_twenty_results_and_how_many_more_there_are(room):
    items = [
        {"op": "add", "kind": "item", "in": room.lines[2], "fields": {"title": f"Quiz {n}", "max": 5}}
        for n in range(25)
    ]
    changed(room.teacher.post(f"{room.path}/changes", {"changes": items}))
    lines = changed(room.teacher.get(room.path)).json["class"]["columns"]
    quizzes = [column["line"] for column in lines if column["label"]["en"].startswith("Quiz")]
    cells = {line: {"value": 5} for line in quizzes}
    changed(room.teacher.patch(f"{room.path}/rows/{room.row}", {"cells": cells}))
    [line] = until(lambda: told(room), len)
    assert (len(line["results"]), line["moreResults"]) == (20, 5)
