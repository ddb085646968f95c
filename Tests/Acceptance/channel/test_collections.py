"""The rows of a class as a collection: WebSocket, event stream and long poll; resume, revocation, silence."""

import json

import pytest
from classroom import CONFIG, Room
from test_trail import lines

import gradecast
from client import changed
from live import Background, Events, Live


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    server = gradecast.Server(tmp_path_factory.mktemp("collections"), config=CONFIG).start()
    yield server
    assert server.stop() == 0, server.output()


@pytest.fixture
def room(server):
    return Room(server)


@pytest.fixture
def live(server):
    sockets = []

    def open_(api):
        sockets.append(Live(server, api.token))
        return sockets[-1]

    yield open_
    for socket in sockets:
        socket.close()


def grid(room):
    return "grid/" + room.path.rpartition("/")[2]


def place(message):
    return {"e": message["e"], "v": message["v"]}


def enrolled(room):
    """One more student in the class."""
    student = room.server.api().sign_up()
    room.registrar.makes_member(student, room.college, "student", [])
    answer = room.teacher.post(f"{room.path}/enrolments", {"student": student.account["id"]})
    return changed(answer, 201).json["enrolment"]


def until(socket, version):
    """The rows messages on to that version, each from where the last one ended."""
    messages = [socket.next("rows")]
    while messages[-1]["v"] < version:
        messages.append(socket.next("rows", **{"from": messages[-1]["v"]}))
    return messages


# -- following -------------------------------------------------------------------------------------------------


def test_a_cell_comes_to_every_open_grid_as_a_whole_row(room, live):
    enrolled(room)
    sockets = [live(room.teacher), live(room.registrar)]
    firsts = [socket.subscribe(grid(room)) for socket in sockets]
    for first in firsts:
        assert (first["t"], first["from"], len(first["rows"])) == ("rows", 0, 2)
        assert "more" not in first
    version = changed(room.enter(3, value=90)).json["v"]
    for socket, first in zip(sockets, firsts, strict=True):
        (message,) = until(socket, version)
        assert (message["from"], message["v"], message["e"]) == (first["v"], version, first["e"])
        (row,) = message["rows"]
        assert (row["id"], row["v"], row["cells"][room.column(3)]) == (room.row, version, "90")
        assert message["rows"] == room.teacher.get(f"{room.path}/rows?since={first['v']}").json["rows"]


def test_every_row_comes_again_with_another_structure(room, live):
    other = enrolled(room)["id"]
    socket = live(room.teacher)
    first = socket.subscribe(grid(room))
    step = {"op": "patch", "line": room.lines[1], "fields": {"weight": 50}}
    version = changed(room.teacher.post(f"{room.path}/changes", {"changes": [step]})).json["v"]
    (message,) = until(socket, version)
    assert {(row["id"], row["s"]) for row in message["rows"]} == {(room.row, first["s"] + 1), (other, first["s"] + 1)}


def test_a_resume_brings_what_changed_and_little_where_nothing_did(room, live):
    socket = live(room.teacher)
    first = socket.subscribe(grid(room))
    current = socket.subscribe(grid(room), have=place(first))
    assert "rows" not in current and place(current) == place(first)
    # A few words beside the names of the class and the epoch.
    assert len(current["raw"]) - len(room.path.rpartition("/")[2]) - len(first["e"]) <= 64
    version = changed(room.enter(4, value=5)).json["v"]
    until(socket, version)
    behind = socket.subscribe(grid(room), have=place(first))
    assert (behind["from"], behind["v"], len(behind["rows"])) == (first["v"], version, 1)
    elsewhere = socket.subscribe(grid(room), have={"e": "elsewhere", "v": version})
    assert (elsewhere["from"], len(elsewhere["rows"])) == (0, 1)
    socket.send({"t": "sub", "topic": grid(room), "have": {"e": first["e"], "v": version + 9}})
    socket.next("end", why="reset")


# Signs up a hundred students and enrols them.
@pytest.mark.slow("enrols a hundred students, more than one message with rows holds")
def test_a_large_grid_comes_in_parts_that_end_together(room, live):
    for _ in range(100):
        enrolled(room)
    socket = live(room.teacher)
    parts = [socket.subscribe(grid(room))]
    while "more" in parts[-1]:
        parts.append(socket.next("rows"))
    assert len(parts) == 2
    assert {(part["from"], part["v"]) for part in parts} == {(0, parts[0]["v"])}
    rows = [row["id"] for part in parts for row in part["rows"]]
    assert rows == [row["id"] for row in room.teacher.get(f"{room.path}/rows").json["rows"]] and len(rows) == 101


# -- without a WebSocket ---------------------------------------------------------------------------------------


def test_a_stream_of_events_carries_rows_and_goes_on_where_it_ended(room):
    events = Events(room.server, room.teacher.token, grid(room))
    first = events.receive()
    message = json.loads(first["data"])
    assert (message["t"], first["id"]) == ("rows", f"{message['e']}.{message['v']}")
    version = changed(room.enter(3, value=60)).json["v"]
    assert json.loads(events.until(version)["data"])["rows"][0]["cells"][room.column(3)] == "60"
    events.close()
    again = Events(room.server, room.teacher.token, grid(room), last=first["id"])
    message = json.loads(again.receive()["data"])
    assert (message["from"], message["v"], len(message["rows"])) == (json.loads(first["data"])["v"], version, 1)
    again.close()
    assert Events(room.server, room.student.token, grid(room)).status == 404


def test_a_long_poll_waits_for_rows_that_change(room):
    held = room.teacher.get(f"{room.path}/rows")
    twin = room.teacher.twin()
    waiting = Background(lambda: twin.get(f"{room.path}/rows", if_none_match=held.etag, prefer="wait=60"))
    version = changed(room.enter(3, value=70)).json["v"]
    answer = waiting.result()
    # It may have asked after the change.
    assert answer.json["v"] == version and answer.json["rows"][-1]["cells"][room.column(3)] == "70"
    same = room.teacher.get(f"{room.path}/rows", if_none_match=answer.etag, prefer="wait=1")
    assert same.status == 304


# -- rights ----------------------------------------------------------------------------------------------------


def test_who_is_dismissed_hears_nothing_after_the_answer(room, live):
    socket = live(room.teacher)
    first = socket.subscribe(grid(room))
    dismissal = f"/v1/institutions/{room.college}/members/{room.teacher.account['id']}"
    changed(room.registrar.delete(dismissal), 204)
    changed(room.enter(3, by=room.registrar, value=10))
    message = socket.receive()
    assert (message["t"], message["why"]) == ("end", "revoked"), (message, first)
    assert socket.subscribe(grid(room))["code"] == "forbidden"


def test_following_stands_in_the_trail(room, live):
    live(room.registrar).subscribe(grid(room))
    administrator = room.server.signed_in("administrator")
    subject = room.path.rpartition("/")[2]
    assert [line["by"] for line in lines(administrator, subject, "class.read")] == [room.registrar.account["id"]]


# -- the documents beside the grid -----------------------------------------------------------------------------


def test_the_class_itself_comes_again_only_when_it_says_something_else(room, live):
    socket = live(room.teacher)
    topic = "class/" + room.path.rpartition("/")[2]
    first = socket.subscribe(topic)
    assert first["doc"]["class"]["students"] == 1
    assert first["doc"] == room.teacher.get(room.path).json
    changed(room.enter(3, value=10))
    enrolled(room)
    second = socket.next("state")
    assert second["doc"]["class"]["students"] == 2
    held = room.teacher.get(room.path)
    assert room.teacher.get(room.path, if_none_match=held.etag).status == 304
    assert held.etag == f'"{second["e"]}.{second["v"]}"'


def test_a_student_follows_the_own_row_and_hidden_results_stir_nothing(room, live):
    socket = live(room.student)
    topic = f"row/{room.row}"
    first = socket.subscribe(topic)
    assert first["doc"] == room.student.get(f"/v1/rows/{room.row}").json
    changed(room.enter(5, value=1))
    changed(room.enter(3, value=80))
    second = socket.next("state")
    assert second["v"] == first["v"] + 1, "the hidden result had a version of its own"
    entries = second["doc"]["standing"]["entries"]
    assert entries[room.entry]["figures"]["grade"]["display"] == "80.00"
    changed(room.teacher.post(f"{room.path}/post", {"lines": [room.lines[5]]}))
    assert socket.next("state")["v"] > second["v"]
    for stranger in (room.teacher, room.registrar):
        assert live(stranger).subscribe(topic)["code"] == "forbidden"
        assert stranger.get(f"/v1/rows/{room.row}").status == 404
