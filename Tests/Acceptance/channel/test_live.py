"""The push channel: convergence, resume, denial, revocation, close codes."""

import json
import uuid

import pytest

import gradecast
from live import Background, Events, Live, long_poll
from oracle.build import board_total


def give(record, course, credits):
    """One accepted change; returns its version."""
    answer = record.patch(course, {"credits": credits})
    assert answer.status == 200, answer
    return answer.json["version"]


def place(etag):
    """The `have` of an ETag."""
    epoch, _, version = etag.strip('"').rpartition(".")
    return {"e": epoch, "v": int(version)}


# -- convergence -----------------------------------------------------------------------------------------------


def test_every_kind_of_client_follows_a_record_to_its_newest_version(server, live, student, board):
    record, course = board
    standing, whole = f"standing/{record.id}", f"record/{record.id}"
    first, second = live(student.token), live(student.token)
    events = Events(server, student.token, standing)
    assert events.status == 200
    for socket in (first, second):
        assert socket.subscribe(standing)["t"] == "state"
        assert socket.subscribe(whole)["t"] == "state"
    start = record.version
    events.until(start)
    last = start + 40
    poll = Background(lambda: long_poll(record.seen_by(student.twin()), last))
    writer = record.seen_by(student.twin())
    for number in range(40):
        assert give(writer, course, number + 1) == start + number + 1
    ends = []
    for socket in (first, second):
        states = {}
        while any(states.get(topic, {}).get("v") != last for topic in (standing, whole)):
            message = socket.next("state")
            states[message["topic"]] = message
        ends.append(states)
    body, tree = record.standing(), record.get()
    for states in ends:
        assert body.body.decode() in states[standing]["raw"]
        assert tree.body.decode() in states[whole]["raw"]
    assert json.loads(events.until(last)["data"])["doc"] == json.loads(body.body)
    seen = poll.result()
    assert seen[-1] == (body.etag, body.body)
    versions = [place(etag)["v"] for etag, _ in seen]
    assert versions == sorted(set(versions))
    events.close()


def test_a_refused_change_publishes_nothing(live, student, board):
    record, course = board
    topic = f"standing/{record.id}"
    socket = live(student.token)
    start = socket.subscribe(topic)["v"]
    assert record.patch(course, {"credits": 0}).status == 422
    assert record.patch(course, {"credits": 9}, headers={"if_match": '"x.1"'}).status == 409
    assert record.api.post(record.path + "/what-if", {"changes": []}).status == 200
    assert give(record, course, 9) == start + 1
    assert socket.next("state", topic=topic)["v"] == start + 1


def test_one_record_hears_nothing_of_another(live, student, board):
    record, course = board
    other = student.new_record("chalkboard")
    socket = live(student.token)
    socket.subscribe(f"standing/{other.id}")
    give(record, course, 9)
    assert other.add(board_total("Two", 3, 80)).status == 201
    assert socket.next("state", topic=f"standing/{other.id}")["v"] == other.version


# -- resuming --------------------------------------------------------------------------------------------------


def test_a_client_that_is_current_gets_no_document(live, student, board):
    record, course = board
    topic, have = f"standing/{record.id}", place(record.standing().etag)
    answer = live(student.token).subscribe(topic, have)
    assert (answer["t"], answer["e"], answer["v"]) == ("state", have["e"], have["v"])
    assert "doc" not in answer
    give(record, course, 9)
    for old in (have, {"e": "other", "v": 10**9}):
        answer = live(student.token).subscribe(topic, old)
        assert answer["doc"] == json.loads(record.standing().body)


def test_a_client_from_the_future_starts_afresh(live, student, board):
    record, _ = board
    have = place(record.standing().etag)
    answer = live(student.token).subscribe(f"standing/{record.id}", have | {"v": have["v"] + 5})
    assert (answer["t"], answer["why"]) == ("end", "reset")


@pytest.mark.parametrize(
    "have", [1, "x", [], {"e": 1, "v": 1}, {"e": "k"}, {"v": 1}, {"e": "k", "v": -1}, {"e": "k", "v": 1.5}]
)
def test_a_malformed_have_is_a_bad_request(live, student, board, have):
    record, _ = board
    socket = live(student.token)
    answer = socket.subscribe(f"standing/{record.id}", have)
    assert (answer["t"], answer["code"]) == ("error", "bad_request")
    assert socket.subscribe(f"standing/{record.id}")["t"] == "state"


def test_subscribing_again_answers_afresh(live, student, board):
    record, _ = board
    socket = live(student.token)
    first = socket.subscribe(f"standing/{record.id}")
    again = socket.subscribe(f"standing/{record.id}")
    assert (again["v"], again["doc"]) == (first["v"], first["doc"])


def test_after_unsub_nothing_more_comes(live, student, board):
    record, course = board
    socket, topic = live(student.token), f"standing/{record.id}"
    socket.subscribe(topic)
    socket.subscribe(f"record/{record.id}")
    socket.send({"t": "unsub", "topic": topic})
    socket.next("end", topic=topic, why="unsub")
    give(record, course, 9)
    assert socket.receive()["topic"] == f"record/{record.id}"
    give(record, course, 8)
    assert socket.receive()["topic"] == f"record/{record.id}"


def test_events_resume_behind_the_last_one(server, student, board):
    record, course = board
    topic = f"standing/{record.id}"
    events = Events(server, student.token, topic)
    last = events.until(record.version)["id"]
    events.close()
    version = give(record, course, 9)
    resumed = Events(server, student.token, topic, last=last)
    assert resumed.until(version)["id"].endswith(f".{version}")
    resumed.close()


def test_a_restart_keeps_the_epoch_and_the_place(own_server):
    student = own_server.api().sign_up()
    record = student.new_record("chalkboard")
    course = record.add(board_total("Algorithms", 3, 85)).json["entry"]["id"]
    give(record, course, 5)
    etag, body = record.standing().etag, record.standing().body
    assert own_server.stop() == 0
    own_server.start()
    assert (record.standing().etag, record.standing().body) == (etag, body)
    socket = Live(own_server, student.token)
    assert "doc" not in socket.subscribe(f"standing/{record.id}", place(etag))
    socket.close()


# -- denial ----------------------------------------------------------------------------------------------------


def test_foreign_and_unknown_topics_are_refused_alike(server, live, student, stranger, board):
    record, _ = board
    nowhere = uuid.uuid4()
    socket = live(stranger.token)
    topics = [
        f"standing/{record.id}",
        f"record/{record.id}",
        f"standing/{record.id}/staff",
        f"standing/{nowhere}",
        f"record/{nowhere}",
        f"program/{nowhere}",
        f"cohort/{stranger.program('iut')}",
        f"cohort/{nowhere}",
        f"records/{student.account['id']}",
        f"records/{nowhere}",
        "accounts",
        "nothing/x",
        "standing/x",
    ]
    answers = set()
    for topic in topics:
        answer = socket.subscribe(topic)
        assert answer.pop("topic") == topic
        answer.pop("raw")
        answers.add(json.dumps(answer, sort_keys=True))
    assert len(answers) == 1, answers
    assert json.loads(answers.pop())["code"] == "forbidden"
    statuses = {Events(server, stranger.token, topic).status for topic in topics}
    assert len(statuses) == 1 and statuses <= {403, 404}


def test_a_students_own_staff_view_is_forbidden(live, student, board):
    record, _ = board
    answer = live(student.token).subscribe(f"standing/{record.id}/staff")
    assert (answer["t"], answer["code"]) == ("error", "forbidden")


def test_guests_see_open_programs_only(live, guest, student, board):
    record, _ = board
    socket = live()
    assert "exp" not in socket.welcome
    assert socket.subscribe(f"program/{guest.program('iut')}")["t"] == "state"
    for topic in (f"standing/{record.id}", f"records/{student.account['id']}"):
        assert socket.subscribe(topic)["code"] == "forbidden"


@pytest.mark.parametrize("topic", ["", "a b", "é", "x" * 129, 1, None, ["standing/x"], "standing/\u0000"])
def test_a_malformed_topic_is_a_bad_request(live, student, topic):
    socket = live(student.token)
    socket.send({"t": "sub", "topic": topic})
    assert socket.next("error")["code"] == "bad_request"


# -- the end of a subscription and of a connection -------------------------------------------------------------


def test_a_deleted_record_ends_its_subscriptions(server, live, student, board):
    record, _ = board
    topics = [f"standing/{record.id}", f"record/{record.id}"]
    socket, events = live(student.token), Events(server, student.token, topics[0])
    for topic in topics:
        socket.subscribe(topic)
    assert record.delete().status == 204
    assert {socket.next("end", why="gone")["topic"] for _ in topics} == set(topics)
    assert socket.subscribe(topics[0])["code"] == "forbidden"
    while events.receive() is not None:
        pass


def test_signing_out_closes_the_sessions_connections(live, student, board):
    record, course = board
    other = student.twin().sign_in(student.login, student.password)
    leaving, staying = live(student.token), live(other.token)
    leaving.subscribe(f"standing/{record.id}")
    staying.subscribe(f"standing/{record.id}")
    assert student.delete("/v1/sessions/current").status == 204
    version = give(record.seen_by(other), course, 9)
    assert leaving.closed() == 4503
    assert all(seen < version for places in leaving.places.values() for _, seen in places)
    staying.until(f"standing/{record.id}", version)


def test_a_disabled_account_is_silenced(administrator, live, student, board):
    record, _ = board
    socket = live(student.token)
    socket.subscribe(f"standing/{record.id}")
    path = f"/v1/accounts/{student.account['id']}"
    assert administrator.patch(path, {"disabled": True}).status == 200
    assert socket.closed() == 4503


def test_a_deleted_account_is_silenced(live, student, board):
    record, _ = board
    socket = live(student.token)
    socket.subscribe(f"standing/{record.id}")
    assert student.delete("/v1/accounts/me").status == 204
    assert socket.closed() == 4503


@pytest.mark.slow("waits for the two seconds in which readers may leave a server that stops")
def test_a_draining_server_says_so_and_restarts_its_clients(tmp_path):
    server = gradecast.Server(tmp_path, {"limits": {"drainSeconds": 2}}).start()
    student = server.api().sign_up()
    record = student.new_record("chalkboard")
    socket = Live(server, student.token)
    socket.subscribe(f"standing/{record.id}")
    server.process.terminate()
    assert "within" in socket.next("drain")
    assert socket.closed() == 1012
    assert server.process.wait(gradecast.PATIENCE) == 0
    assert "Live readers have 2 s to leave (1 now)." in server.output()


def test_lists_follow_what_is_made_and_deleted(live, student):
    socket, topic = live(student.token), f"records/{student.account['id']}"
    assert socket.subscribe(topic)["doc"]["items"] == []
    record = student.new_record("chalkboard")
    while [one["id"] for one in socket.next("state", topic=topic)["doc"]["items"]] != [record.id]:
        pass
    assert record.delete().status == 204
    while socket.next("state", topic=topic)["doc"]["items"]:
        pass
