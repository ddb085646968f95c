"""The lines of requests in the log: who asked what, and how a grade is followed from one screen to others."""

import http.client
import json
import re
import socket

import pytest

import gradecast
from client import changed
from live import Events, Live
from oracle.build import board_total
from test_hunger import eventually

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
PARENT = "00f067aa0ba902b7"
COURSE = board_total("Quiet course", 3, 85)
TRACEPARENT = f"00-{TRACE}-{PARENT}-01"


def server_that_logs(directory, requests):
    config = {"plugins": gradecast.PLUGINS, "log": {"level": "error", "requests": requests}}
    return gradecast.Server(directory, config).start()


@pytest.fixture(scope="module")
def talkative(tmp_path_factory):
    """A server that logs all requests, and of all else errors alone."""
    running = server_that_logs(tmp_path_factory.mktemp("talkative"), "all")
    yield running
    assert running.stop() == 0


def lines(server, **wanted):
    """The lines of requests with these members, so far."""
    text = server.log.read_text()
    # The last line may not be whole yet.
    found = [json.loads(line) for line in text[: text.rfind("\n") + 1].splitlines() if line.startswith("{")]
    return [line for line in found if line["message"] == "request" and wanted.items() <= line.items()]


def line_of(server, **wanted):
    """The one line of a request with these members, once it is written."""
    eventually(lambda: lines(server, **wanted))
    found = lines(server, **wanted)
    assert len(found) == 1, found
    return found[0]


def request_of(answer):
    """What identifies an answer's request in the log."""
    return {"request": answer.headers["X-Request-Id"]}


def test_a_change_is_told_with_its_trace_its_author_and_the_version_that_it_made(talkative):
    student = talkative.api().sign_up()
    record = student.new_record("chalkboard")
    answer = record.add(COURSE, traceparent=TRACEPARENT)
    assert answer.status == 201
    line = line_of(talkative, **request_of(answer))
    assert re.fullmatch("[0-9a-f]{16}", line.pop("request"))
    assert line.pop("microseconds") > 0 and re.fullmatch(r"\d{4}-\d\d-\d\dT[\d:.]+Z", line.pop("time"))
    assert line == {
        "level": "info",
        "message": "request",
        "trace": TRACE,
        "parent": PARENT,
        "method": "POST",
        "route": "/v1/records/{record}/entries",
        "record": record.id,
        "account": student.account["id"],
        "status": 201,
        "bytes": len(answer.body),
        "version": answer.etag.strip('"'),
        "client": "127.0.0.1",
    }


@pytest.mark.parametrize("sent", [None, "", "00-xyz", TRACEPARENT.replace("00-", "ff-"), TRACEPARENT.upper()])
def test_a_request_without_a_trace_begins_one(talkative, sent):
    answer = talkative.api().get("/v1/schemes", traceparent=sent)
    line = line_of(talkative, **request_of(answer))
    assert re.fullmatch("[0-9a-f]{32}", line["trace"]) and line["trace"] != TRACE and "parent" not in line
    assert "account" not in line


def test_streams_and_sockets_are_told_as_they_open_and_pages_without_their_path(talkative):
    student = talkative.api().sign_up()
    record = student.new_record("chalkboard")
    stream = Events(talkative, student.token, f"standing/{record.id}")
    live = Live(talkative, student.token)
    try:
        told = line_of(talkative, route="/v1/live/events", account=student.account["id"])
        assert (told["status"], "bytes" in told) == (200, False)
        assert line_of(talkative, status=101)["route"] == "/v1/live"
    finally:
        stream.close()
        live.close()
    page = talkative.api().get("/no/page?secret=hush")
    assert "route" not in line_of(talkative, **request_of(page))


def test_what_is_refused_is_told_with_its_status(talkative):
    api = talkative.api()
    refused = api.get("/v1/accounts/me")
    assert line_of(talkative, **request_of(refused))["status"] == 401
    unknown = api.get("/v1/nothing/here")
    assert line_of(talkative, **request_of(unknown))["status"] == 404
    misdirected = api.get("/v1/schemes", host="elsewhere.example")
    assert line_of(talkative, **request_of(misdirected))["status"] == 421
    with socket.create_connection(("127.0.0.1", talkative.port)) as connection:
        connection.sendall(b"GET / HTTP/9.9\r\n\r\n")
        head = http.client.HTTPResponse(connection)
        head.begin()
    line = line_of(talkative, status=head.status)
    assert line.keys() == {"time", "level", "message", "request", "status"}
    assert line["request"] == head.headers["X-Request-Id"]
    large = api.post("/v1/records", {"program": "x" * (2 << 20)})
    assert (large.status, line_of(talkative, **request_of(large))["status"]) == (413, 413)


def test_no_secret_and_no_word_of_a_record_is_told(talkative):
    student = talkative.api().sign_up(displayName="Quiet One")
    answer = changed(student.new_record("chalkboard").add(COURSE), 201)
    student.get("/v1/invitations/an-invitation-code?hint=hush")
    student.get("/v1/records/" + "x" * 300)
    student.get(f"/v1/records/{student.token}")
    student.get("/v1/institutions/Hunter2%20hush")
    student.call("X" * 3_000, "/v1/schemes")
    last = student.get("/v1/accounts/me")
    line_of(talkative, **request_of(last))
    text = talkative.log.read_text()
    assert request_of(answer)["request"] in text
    words = [
        student.password,
        student.token,
        student.login,
        "Quiet",
        "an-invitation-code",
        "hush",
        "Hunter2",
        "xxxx",
        "X" * 17,
    ]
    assert [word for word in words if word in text] == []


def test_only_errors_are_told_where_only_they_are_asked_for(tmp_path):
    server = server_that_logs(tmp_path, "errors")
    try:
        fine = server.api().get("/v1/schemes")
        missing = server.api().get("/v1/nothing")
        assert line_of(server, **request_of(missing))["status"] == 404
        # Lines keep the order of the answers.
        assert lines(server, **request_of(fine)) == []
    finally:
        assert server.stop() == 0


def test_without_the_setting_no_request_is_told_or_named(own_server):
    answer = own_server.api().get("/v1/nothing", traceparent=TRACEPARENT)
    assert answer.status == 404 and "X-Request-Id" not in answer.headers
    assert own_server.stop() == 0
    assert lines(own_server) == []
