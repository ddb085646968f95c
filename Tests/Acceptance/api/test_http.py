"""Malformed HTTP on a bare socket: one clear refusal, the connection closed, the server untouched."""

import re
import socket

import pytest

from client import TIMEOUT

HOST = b"Host: 127.0.0.1\r\n"
OK = b"GET /healthz HTTP/1.1\r\n" + HOST + b"\r\n"


def post(headers, body=b""):
    """A POST to an endpoint for guests, with raw headers."""
    return b"POST /v1/evaluate HTTP/1.1\r\n" + HOST + b"Content-Type: application/json\r\n" + headers + b"\r\n" + body


CHUNKED = b"Transfer-Encoding: chunked\r\n"
SMUGGLING = {
    "length and chunks": post(b"Content-Length: 4\r\n" + CHUNKED, b"0\r\n\r\n"),
    "chunks and length": post(CHUNKED + b"Content-Length: 4\r\n", b"0\r\n\r\n"),
    "two lengths": post(b"Content-Length: 2\r\nContent-Length: 3\r\n", b"{} "),
    "the same length twice": post(b"Content-Length: 2\r\nContent-Length: 2\r\n", b"{}"),
    "a list of lengths": post(b"Content-Length: 2, 2\r\n", b"{}"),
    "a signed length": post(b"Content-Length: +2\r\n", b"{}"),
    "a negative length": post(b"Content-Length: -1\r\n", b"{}"),
    "a hexadecimal length": post(b"Content-Length: 0x2\r\n", b"{}"),
    "an empty length": post(b"Content-Length:\r\n", b"{}"),
    "a length with a space in it": post(b"Content-Length: 2 0\r\n", b"{}"),
    "a length beyond 64 bits": post(b"Content-Length: 18446744073709551618\r\n", b"{}"),
    "a coding that is not chunked": post(b"Transfer-Encoding: gzip\r\n", b"0\r\n\r\n"),
    "chunked twice": post(b"Transfer-Encoding: chunked, chunked\r\n", b"0\r\n\r\n"),
    "two coding lines": post(CHUNKED + CHUNKED, b"0\r\n\r\n"),
    "chunked with a vertical tab": post(b"Transfer-Encoding: \x0bchunked\r\n", b"0\r\n\r\n"),
    "identity": post(b"Transfer-Encoding: identity\r\nContent-Length: 2\r\n", b"{}"),
    "chunks in HTTP/1.0": post(CHUNKED, b"0\r\n\r\n").replace(b"HTTP/1.1", b"HTTP/1.0"),
    "a chunk size with a space": post(CHUNKED, b"0 7\r\n\r\n"),
    "a chunk size with a sign": post(CHUNKED, b"+2\r\n{}\r\n0\r\n\r\n"),
    "a chunk size with 0x": post(CHUNKED, b"0x2\r\n{}\r\n0\r\n\r\n"),
    "an empty chunk size": post(CHUNKED, b"\r\n{}\r\n0\r\n\r\n"),
    "a chunk size beyond 64 bits": post(CHUNKED, b"10000000000000002\r\n{}\r\n0\r\n\r\n"),
    "a chunk that is longer than it says": post(CHUNKED, b"1\r\n{}\r\n0\r\n\r\n"),
    "a chunk that ends in a bare LF": post(CHUNKED, b"2\n{}\n0\n\n"),
    "bare LF line ends": OK.replace(b"\r\n", b"\n"),
    "one bare LF": OK.replace(b"Host: 127.0.0.1\r\n", b"Host: 127.0.0.1\nX: y\r\n"),
    "a bare CR": OK.replace(b"Host: 127.0.0.1\r\n", b"Host: 127.0.0.1\rX: y\r\n"),
    "a folded line": b"GET /healthz HTTP/1.1\r\n" + HOST + b"X: a\r\n b\r\n\r\n",
    "a folded first line": b"GET /healthz HTTP/1.1\r\n " + HOST + b"\r\n",
    "a space before the colon": b"GET /healthz HTTP/1.1\r\n" + HOST + b"Content-Length : 0\r\n\r\n",
    "a name with a space": b"GET /healthz HTTP/1.1\r\n" + HOST + b"Content Length: 0\r\n\r\n",
    "no name": b"GET /healthz HTTP/1.1\r\n" + HOST + b": x\r\n\r\n",
    "no colon": b"GET /healthz HTTP/1.1\r\n" + HOST + b"Nonsense\r\n\r\n",
    "a zero byte in a value": b"GET /healthz HTTP/1.1\r\n" + HOST + b"X: a\0b\r\n\r\n",
    "a zero byte in a name": b"GET /healthz HTTP/1.1\r\n" + HOST + b"X\0: a\r\n\r\n",
    "a zero byte in the target": b"GET /health\0z HTTP/1.1\r\n" + HOST + b"\r\n",
    "no host": b"GET /healthz HTTP/1.1\r\n\r\n",
    "two hosts": b"GET /healthz HTTP/1.1\r\n" + HOST + HOST + b"\r\n",
    "a bad method": b"G(T /healthz HTTP/1.1\r\n" + HOST + b"\r\n",
    "no target": b"GET HTTP/1.1\r\n" + HOST + b"\r\n",
    "two spaces": b"GET  /healthz HTTP/1.1\r\n" + HOST + b"\r\n",
    "a tab": b"GET\t/healthz\tHTTP/1.1\r\n" + HOST + b"\r\n",
    "a word too many": b"GET /healthz x HTTP/1.1\r\n" + HOST + b"\r\n",
    "HTTP/0.9": b"GET /healthz\r\n\r\n",
    "HTTP/1.10": b"GET /healthz HTTP/1.10\r\n" + HOST + b"\r\n",
    "lower-case http": b"GET /healthz http/1.1\r\n" + HOST + b"\r\n",
    "HTTP/2 preface": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "TLS": bytes.fromhex("1603010200010001fc0303") + b"\0" * 64,
    "binary": bytes(range(256)),
}
LONG_POLL = b"GET /v1/records/x/standing HTTP/1.1\r\nHost: 127.0.0.1\r\nPrefer: wait=60\r\n"

LARGE = {
    "a long target": (b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\n" + HOST + b"\r\n", 414),
    "a long method": (b"A" * 20000 + b" / HTTP/1.1\r\n" + HOST + b"\r\n", 414),
    "many headers": (b"GET /healthz HTTP/1.1\r\n" + HOST + b"X: y\r\n" * 101 + b"\r\n", 431),
    "long headers": (b"GET /healthz HTTP/1.1\r\n" + HOST + b"X: " + b"y" * 40000 + b"\r\n\r\n", 431),
    "a large body": (post(b"Content-Length: 1048577\r\n"), 413),
    "a huge body": (post(b"Content-Length: 9223372036854775807\r\n"), 413),
    "a body that is not read": (LONG_POLL + b"Content-Length: 4097\r\n\r\n", 413),
    "a huge chunk": (post(CHUNKED, b"7fffffffffffffff\r\n{"), 413),
    "long chunk extensions": (post(CHUNKED, b"2;" + b"x" * 100_000 + b"\r\n{}\r\n0\r\n\r\n"), 400),
    "long trailers": (post(CHUNKED, b"2\r\n{}\r\n0\r\nX: " + b"y" * 100_000 + b"\r\n\r\n"), 431),
}


def exchange(server, *parts, half_close=False):
    """Sends bytes and reads to the end of the connection: everything that was answered."""
    with socket.create_connection(("127.0.0.1", server.port), TIMEOUT) as connection:
        try:
            for part in parts:
                connection.sendall(part)
            if half_close:
                connection.shutdown(socket.SHUT_WR)
        except (BrokenPipeError, ConnectionResetError):
            pass  # refused before all of it was sent
        answer = b""
        try:
            while chunk := connection.recv(65536):
                answer += chunk
        except ConnectionResetError:
            pass
        return answer


def statuses(answer):
    """The status codes in a stream of responses."""
    return [int(code) for code in re.findall(rb"HTTP/1\.1 (\d{3}) ", answer)]


@pytest.mark.parametrize("name", SMUGGLING)
def test_a_framing_error_is_refused_and_closes(server, guest, name):
    answer = exchange(server, SMUGGLING[name] + OK)
    assert statuses(answer) == [{"HTTP/2 preface": 505, "a length beyond 64 bits": 413}.get(name, 400)], answer
    assert guest.get("/healthz").status == 200


@pytest.mark.parametrize("name", LARGE)
def test_what_is_too_large_is_refused_and_closes(server, guest, name):
    sent, status = LARGE[name]
    # The server resets a connection that goes on sending, and the reset may overtake the answer.
    assert statuses(exchange(server, sent + OK)) in ([status], [])
    assert guest.get("/healthz").status == 200


def test_pipelined_requests_are_answered_in_order(server):
    body = b'{"scheme":"chalkboard","entries":[]}'
    evaluate = post(b"Content-Length: %d\r\n" % len(body), body)
    nothing = OK.replace(b"/healthz", b"/nothing")
    last = OK.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")
    assert statuses(exchange(server, OK + evaluate + nothing + evaluate + last)) == [200, 200, 404, 200, 200]


def test_nothing_behind_an_error_in_the_middle_is_answered(server):
    answer = exchange(server, OK + OK + SMUGGLING["length and chunks"] + OK + OK)
    assert statuses(answer) == [200, 200, 400]
    assert b"connection: close" in answer.lower()


def test_a_request_may_come_byte_by_byte(server):
    body = b'{"scheme":"chalkboard","entries":[]}'
    whole = post(CHUNKED + b"Connection: close\r\n", b"".join(b"1\r\n%c\r\n" % byte for byte in body) + b"0\r\n\r\n")
    parts = [whole[index : index + 1] for index in range(len(whole))]
    assert statuses(exchange(server, *parts)) == [200]


def test_an_absolute_target_is_the_same_place(server):
    place = b"127.0.0.1:%d" % server.port
    head = b"GET http://" + place + b"/healthz HTTP/1.1\r\nHost: " + place + b"\r\n"
    answer = exchange(server, head + b"Connection: close\r\n\r\n")
    assert statuses(answer) == [200]


def test_an_authority_or_an_asterisk_is_no_place_here(server):
    for line, status in ((b"CONNECT 127.0.0.1:80", 400), (b"OPTIONS *", 204), (b"GET *", 400)):
        answer = exchange(server, line + b" HTTP/1.1\r\n" + HOST + b"Connection: close\r\n\r\n")
        assert statuses(answer) == [status], line


def test_a_head_request_has_no_body(server):
    answer = exchange(server, b"HEAD /healthz HTTP/1.1\r\n" + HOST + b"Connection: close\r\n\r\n")
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.split(b"\r\n")[0].split()[1] in (b"200", b"405")
    assert body == b""


def test_an_expectation_is_answered_before_the_body(server):
    body = b'{"scheme":"chalkboard","entries":[]}'
    with socket.create_connection(("127.0.0.1", server.port), TIMEOUT) as connection:
        connection.sendall(post(b"Expect: 100-continue\r\nConnection: close\r\nContent-Length: %d\r\n" % len(body)))
        first = connection.recv(65536)
        assert statuses(first) == [100], first
        connection.sendall(body)
        answer = b""
        while chunk := connection.recv(65536):
            answer += chunk
        assert statuses(answer) == [200]


def test_http_1_0_closes_after_its_answer(server):
    answer = exchange(server, b"GET /healthz HTTP/1.0\r\n" + HOST + b"\r\n")
    assert statuses(answer) == [200]


def test_a_half_request_followed_by_silence_closes_without_harm(server, guest):
    for part in (b"GET /healthz HT", post(b"Content-Length: 10\r\n", b"{}"), post(CHUNKED, b"5\r\n{"), b""):
        assert statuses(exchange(server, part, half_close=True)) in ([], [400], [408])
    assert guest.get("/healthz").status == 200


@pytest.mark.parametrize(
    ("target", "status"),
    [
        ("/../etc/passwd", 404),
        ("/%2e%2e/%2e%2e/etc/passwd", 404),
        ("/v1/%00", 400),
        ("/%", 400),
        ("/%zz", 400),
        ("//healthz/..", 404),
        ("/v1/records/..%2f..%2fetc", 401),
        ("/\\..\\..", 404),
        ("/v1/schemes/%ff", 400),
    ],
)
def test_no_target_leads_out_of_the_house(server, target, status):
    request = b"GET " + target.encode() + b" HTTP/1.1\r\n" + HOST + b"Connection: close\r\n\r\n"
    answer = exchange(server, request)
    assert statuses(answer) == [status], answer
    assert b"root:" not in answer
