"""Who is where in a grid: over WebSocket alone, told to those who work there, gone with the right and the connection."""

import json

import pytest
from classroom import CONFIG, Room

import gradecast
from client import changed
from live import Events, Live


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    server = gradecast.Server(tmp_path_factory.mktemp("presence"), config=CONFIG).start()
    yield server
    assert server.stop() == 0, server.output()


@pytest.fixture
def room(server):
    return Room(server)


def colleague(room, role):
    """Another teacher of the program, with a role in the class."""
    person = room.server.api().sign_up()
    room.registrar.makes_member(person, room.college, "teacher", [room.program])
    changed(room.teacher.post(f"{room.path}/staff", {"account": person.account["id"], "role": role}))
    return person


def entered(room, person):
    """A person's socket, subscribed to the grid, and the grid's topic."""
    topic = "grid/" + room.path.rpartition("/")[2]
    socket = Live(room.server, person.token)
    assert socket.subscribe(topic)["t"] == "rows"
    return socket, topic


def seen(socket, wanted):
    """Reads on until the picture shows these people, as `{account: row or None}`."""
    while True:
        message = socket.receive()
        if message["t"] == "presence":
            people = {person["account"]: person.get("at", [None])[0] for person in message["who"]}
            if people == wanted:
                return message


def test_staff_see_each_other_and_observers_see_nobody(room):
    grader, observer = colleague(room, "grader"), colleague(room, "observer")
    me, other, third = (person.account["id"] for person in (room.teacher, grader, observer))
    (mine, topic), (theirs, _), (watching, _) = (entered(room, person) for person in (room.teacher, grader, observer))
    mine.send({"t": "here", "topic": topic, "at": [room.row, room.lines[3]], "editing": True})
    theirs.send({"t": "here", "topic": topic})
    watching.send({"t": "here", "topic": topic, "at": [room.row, room.lines[4]]})
    message = seen(theirs, {me: room.row, other: None, third: None})
    shown, same = (
        {person["account"]: person for person in picture["who"]}
        for picture in (message, seen(mine, {me: room.row, other: None, third: None}))
    )
    # Each loop gives numbers in the order in which it hears of people.
    assert [shown[one] | {"n": 0} for one in (me, other, third)] == [same[one] | {"n": 0} for one in (me, other, third)]
    assert shown[me]["at"] == [room.row, room.lines[3]] and shown[me]["editing"] is True
    assert shown[third].keys() == {"n", "account", "name"}
    assert sorted(person["n"] for person in message["who"]) == [1, 2, 3] and message["more"] == 0
    # The grader loses the role: told by the end of the topic alone, and gone for the others.
    assert room.teacher.delete(f"{room.path}/staff/{other}").status in (200, 204)
    while (message := theirs.receive())["t"] != "end":
        assert message["t"] == "presence" and other in {person["account"] for person in message["who"]}
    assert message["why"] == "revoked"
    theirs.send({"t": "here", "topic": topic})
    seen(mine, {me: room.row, third: None})
    # A connection that ends takes its person along.
    watching.send({"t": "unsub", "topic": topic})
    # An observer was told nothing all the while.
    kinds = []
    while (message := watching.receive())["t"] != "end":
        kinds.append(message["t"])
    assert message["why"] == "unsub" and "presence" not in kinds
    seen(mine, {me: room.row})
    for socket in (mine, theirs, watching):
        socket.close()


def test_students_and_event_streams_neither_see_nor_are_seen(room):
    socket, topic = entered(room, room.teacher)
    student = Live(room.server, room.student.token)
    assert student.subscribe(topic)["code"] == "forbidden"
    student.send({"t": "here", "topic": topic})
    stream = Events(room.server, room.teacher.token, topic)
    assert stream.status == 200
    socket.send({"t": "here", "topic": topic})
    seen(socket, {room.teacher.account["id"]: None})
    changed(room.enter(3, value=81), 200)
    kinds = [json.loads(stream.receive()["data"])["t"] for _ in range(2)]
    assert kinds == ["rows", "rows"]
    # Neither was the student answered.
    student.send({"t": "sub", "topic": "nothing"})
    assert student.receive()["topic"] == "nothing"
    for connection in (socket, student):
        connection.close()
