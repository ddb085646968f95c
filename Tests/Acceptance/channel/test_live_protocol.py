"""The push channel's own rules: hello, tickets, origins, bad messages, limits and close codes."""

import json

import pytest
from test_crowd import masked
from websockets.exceptions import ConnectionClosed, InvalidStatus

import gradecast
from client import TIMEOUT, changed
from live import Live
from oracle.build import board_total


@pytest.fixture
def topic(student):
    """The standing of a chalkboard with one course."""
    record = student.new_record("chalkboard")
    assert record.add(board_total("Algorithms", 3, 85)).status == 201
    return f"standing/{record.id}"


# -- hello -----------------------------------------------------------------------------------------------------


def test_messages_sent_behind_hello_are_handled_in_order(live, student, topic):
    socket = live(hello=False)
    socket.send({"t": "hello", "token": student.token})
    socket.send({"t": "sub", "topic": topic})
    welcome = socket.next("welcome")
    assert welcome["limits"] == {"subs": 256, "bytes": 16384}
    assert welcome["exp"] > 0
    socket.next("state", topic=topic)


def test_a_token_may_come_with_the_upgrade(live, student, topic):
    socket = live(headers={"Authorization": f"Bearer {student.token}"})
    assert socket.subscribe(topic)["t"] == "state"


def test_a_bad_token_is_told_without_welcome(live):
    socket = live(hello=False)
    socket.send({"t": "hello", "token": "nonsense"})
    assert socket.closed() == 4501


@pytest.mark.parametrize("first", [{"t": "sub", "topic": "x"}, {"t": "pong", "n": 1}, {"t": "nothing"}])
def test_whoever_does_not_say_hello_first_is_shown_out(live, first):
    socket = live(hello=False)
    socket.send(first)
    assert socket.closed() == 4500


def test_a_second_hello_is_a_protocol_error(live, student):
    socket = live(student.token)
    socket.send({"t": "hello", "token": student.token})
    assert socket.closed() == 4500


# Waits the five seconds in which a client has to say hello.
@pytest.mark.slow("waits for the five seconds that a connection may stay without hello")
def test_silence_instead_of_hello_is_timed_out(live):
    assert live(hello=False).closed() == 4001


def test_a_ticket_opens_one_connection(live, student, topic):
    answer = student.post("/v1/live/tickets", {})
    assert answer.status == 201, answer
    assert answer.json["expiresIn"] == 30
    ticket = answer.json["ticket"]
    assert live(ticket).subscribe(topic)["t"] == "state"
    again = live(hello=False)
    again.send({"t": "hello", "token": ticket})
    assert again.closed() == 4501


def test_auth_presents_a_newer_session_of_the_same_account(live, student, stranger):
    socket = live(student.token)
    newer = student.twin().sign_in(student.login, student.password)
    socket.send({"t": "auth", "token": newer.token})
    assert socket.next("ok", of="auth")["exp"] > 0
    assert student.delete("/v1/sessions/current").status == 204
    assert socket.subscribe(f"records/{student.account['id']}")["t"] == "state"
    socket.send({"t": "auth", "token": stranger.token})
    try:
        assert socket.receive()["t"] == "error"
    except ConnectionClosed as end:
        assert 4500 <= end.rcvd.code < 5000


@pytest.mark.parametrize(
    "more, status",
    [
        ({"protocols": ["chat"]}, 400),
        ({"headers": {"Authorization": "Bearer nonsense"}}, 401),
        ({"origin": "http://elsewhere.example"}, 403),
        ({"origin": "null"}, 403),
        ({"headers": {"Origin": "http://localhost"}, "origin": "http://elsewhere.example"}, 403),
    ],
)
def test_an_upgrade_is_refused_in_http(live, more, status):
    with pytest.raises(InvalidStatus) as refused:
        live(hello=False, **more)
    assert refused.value.response.status_code == status


def test_the_servers_own_origin_is_welcome(server, live):
    for origin in (f"http://127.0.0.1:{server.port}", f"http://localhost:{server.port}"):
        assert live(origin=origin).welcome


# -- bad messages ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "message",
    [
        "",
        "{",
        "[]",
        "1",
        "null",
        '"x"',
        '{"t":1}',
        "{}",
        '{"t":"nothing"}',
        '{"t":"sub"}',
        '{"t":"sub","t":"sub"}',
        '{"t":"pong"}',
        '{"t":"pong","n":"x"}',
        '{"t":"unsub"}',
        '{"t":"auth"}',
        '{"a":' * 20 + "1" + "}" * 20,
    ],
)
def test_a_bad_message_is_told_so_and_the_connection_stays(live, student, topic, message):
    socket = live(student.token)
    socket.send(message)
    assert socket.next("error")["code"] == "bad_request"
    assert socket.subscribe(topic)["t"] == "state"


def test_binary_messages_end_the_connection(live, student):
    socket = live(student.token)
    socket.socket.send(b"{}")
    assert socket.closed() == 1003


def test_bad_utf8_ends_the_connection(live, student):
    socket = live(student.token)
    socket.socket.send(b'{"t":"\xff"}', text=True)
    assert socket.closed() == 1007


def test_a_message_beyond_16_kib_ends_the_connection(live, student):
    socket = live(student.token)
    socket.send({"t": "sub", "topic": "x" * 17000})
    assert socket.closed() == 1009


def test_a_first_message_beyond_4_kib_ends_the_connection(live):
    socket = live(hello=False)
    socket.send({"t": "hello", "client": "x" * 5000})
    assert socket.closed() == 1009


def test_more_than_32_fragments_end_the_connection(live, student):
    socket = live(student.token)
    try:
        socket.socket.send(["{"] + [" "] * 40 + ["}"])
    except Exception:  # the server may close before the last fragment is sent
        pass
    assert socket.closed() == 1009


def test_a_flood_is_told_to_slow_down(live, student):
    socket = live(student.token)
    # At once, so that a slow machine does not take as long over sending them as the server allows.
    socket.socket.socket.sendall(masked({"t": "unsub", "topic": "standing/x"}) * 400)
    while True:
        message = socket.receive()
        if message["t"] == "error" and message["code"] == "rate_limited":
            assert message["after"] >= 0
            return


def test_a_user_has_20_connections(live, student):
    for _ in range(20):
        live(student.token)
    socket = live(hello=False)
    socket.send({"t": "hello", "token": student.token})
    assert socket.closed() == 4504


@pytest.mark.long
def test_a_connection_that_does_not_answer_pings_is_closed(live, student):
    quiet = live(student.token)
    ping = json.loads(quiet.socket.recv(timeout=TIMEOUT))
    assert ping["t"] == "ping" and ping["asOf"].endswith("Z")
    with pytest.raises(ConnectionClosed) as end:
        while True:
            quiet.socket.recv(timeout=TIMEOUT)
    assert end.value.rcvd.code == 4004


# -- compression


def test_compression_is_off_unless_it_is_asked_for_in_the_configuration(live, student):
    assert live(student.token, compression="deflate").socket.protocol.extensions == []


def test_with_compression_the_documents_are_the_same(tmp_path):
    server = gradecast.Server(tmp_path, {"live": {"compression": True}}).start()
    try:
        api = server.api().sign_up()
        record = api.new_record("iut", template="sample")
        plain, compressed = Live(server, api.token), Live(server, api.token, compression="deflate")
        assert [type(extension).__name__ for extension in compressed.socket.protocol.extensions] == [
            "PerMessageDeflate"
        ]
        topic = f"record/{record.id}"
        assert plain.subscribe(topic)["raw"] == compressed.subscribe(topic)["raw"]
        subject = record.entries[-1]["children"][0]["id"]
        changed(record.patch(subject, {"grade": "8"}))
        assert plain.next("state")["raw"] == compressed.next("state")["raw"]
        compressed.send(json.dumps({"t": "unsub", "topic": topic, "more": "x" * 2000}))
        assert compressed.next("end", topic=topic, why="unsub")
        with pytest.raises(ConnectionClosed) as closed:  # 20 bytes a thousand, and too much when restored
            compressed.send(json.dumps({"t": "unsub", "topic": topic, "more": "x" * 2**20}))
            compressed.receive()
        assert closed.value.rcvd.code == 1009
        for connection in (plain, compressed):
            connection.close()
        assert server.stop() == 0
    finally:
        if server.process.poll() is None:
            server.kill()
