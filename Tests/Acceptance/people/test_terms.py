"""Years, terms and periods over HTTP, and the classes that belong to them."""

import pytest

import gradecast
from classroom import CONFIG, Room
from client import changed
from live import Live

FINAL, FIRST = 3, 4


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    server = gradecast.Server(tmp_path_factory.mktemp("terms"), config=CONFIG).start()
    yield server
    assert server.stop() == 0, server.output()


@pytest.mark.slow("makes a class and the terms of a year around it, and takes them away again")
def test_a_locked_period_keeps_the_results_of_its_days(server):
    room = Room(server)
    path = f"/v1/institutions/{room.college}/terms"

    def make(kind, title, first, last, parent=None):
        body = {"kind": kind, "title": title, "from": first, "until": last} | ({"parent": parent} if parent else {})
        return changed(room.registrar.post(path, body), 201).json["term"]

    year = make("year", "2026/27", "2026-08-01", "2027-07-31")
    autumn = make("term", "Autumn", "2026-09-01", "2026-12-31", year["id"])
    first = make("period", "First", "2026-09-01", "2026-10-31", autumn["id"])
    second = make("period", "Second", "2026-11-01", "2026-12-31", autumn["id"])
    listed = room.student.get(path).json["items"]
    assert [item["title"] for item in listed] == ["2026/27", "Autumn", "First", "Second"]
    overlap = room.registrar.post(
        path, {"kind": "period", "title": "X", "from": "2026-10-31", "until": "2026-11-01", "parent": autumn["id"]}
    )
    assert overlap.status == 422
    assert {fault["code"] for fault in overlap.json["faults"]} == {"periods_overlap"}
    # A period is no term of a class, and neither is a stranger's.
    for term in (first["id"], "nonsense"):
        assert room.teacher.patch(room.path, {"term": term}).json["faults"][0]["code"] == "term_unknown"
    taught = changed(room.teacher.patch(room.path, {"term": autumn["id"]})).json["class"]
    assert [period["title"] for period in taught["term"]["periods"]] == ["First", "Second"]
    dues = [
        {"op": "patch", "line": room.lines[line], "due": due}
        for line, due in ((FINAL, "2026-12-11"), (FIRST, "2026-10-02"))
    ]
    changed(room.teacher.post(f"{room.path}/changes", {"changes": dues}))
    changed(room.enter(FIRST, value=7))
    live, topic = Live(server, room.teacher.token), f"class/{taught['id']}"
    live.subscribe(topic)
    changed(room.registrar.patch(f"{path}/{first['id']}", {"locked": True}))
    # Whoever has the class open hears of it.
    heard = live.next("state", topic=topic)["doc"]["class"]["term"]["periods"]
    assert [period["locked"] for period in heard] == [True, False]
    live.socket.close()
    refused = room.enter(FIRST, value=8)
    assert refused.status == 422
    assert [fault["code"] for fault in refused.json["faults"]] == ["line_locked"]
    changed(room.enter(FINAL, value=80))
    # The period goes with its class: nobody takes the class out of it.
    assert room.teacher.patch(room.path, {"term": None}).json["faults"][0]["code"] == "line_locked"
    assert room.registrar.delete(f"{path}/{autumn['id']}").json["faults"][0]["code"] == "term_in_use"
    changed(room.registrar.patch(f"{path}/{first['id']}", {"locked": False}))
    changed(room.enter(FIRST, value=8))
    assert changed(room.teacher.patch(room.path, {"term": None})).json["class"]["term"] is None
    for term in (first, second, autumn, year):
        changed(room.registrar.delete(f"{path}/{term['id']}"), 204)
    assert room.registrar.get(path).json["items"] == []
