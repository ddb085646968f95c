"""The HTTP parser against an independent one: what it takes for a request, h11 must take for the same request.

Both see the same mutated bytes. The server may refuse more than h11, never less: a request that one reads and the
other reads differently is how requests are smuggled past a proxy.
"""

import json
import os
import random
import re

import h11
import pytest

import echo

HOST = b"Host: localhost\r\n"
SEEDS = [
    b"GET /a/b?c=d HTTP/1.1\r\n" + HOST + b"Accept: */*\r\n\r\n",
    b"POST /x HTTP/1.1\r\n" + HOST + b"Content-Length: 5\r\n\r\nhelloGET /next HTTP/1.1\r\n" + HOST + b"\r\n",
    b"POST /x HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n",
    b"PUT /x HTTP/1.1\r\n"
    + HOST
    + b"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nTrailer: z\r\n\r\nGET / HTTP/1.1\r\n"
    + HOST
    + b"\r\n",
    b"DELETE /%C3%A9 HTTP/1.0\r\n" + HOST + b"Connection: keep-alive\r\nContent-Length: 0\r\n\r\n",
    b"GET / HTTP/1.1\r\n" + HOST + b"Connection: close\r\nX-Long: " + b"y" * 200 + b"\r\n\r\n",
]
PIECES = [
    b"\r\n", b"\n", b"\r", b" ", b"\t", b"\0", b":", b";", b",", b"\x0b", b"\x80", b"0", b"1", b"-1", b"+5", b"0x5",
    b"Content-Length: 5\r\n", b"Content-Length: 05\r\n", b"Content-Length: 5, 5\r\n", b"content-length:5\r\n",
    b"Transfer-Encoding: chunked\r\n", b"Transfer-Encoding: gzip, chunked\r\n", b"Transfer-Encoding : chunked\r\n",
    b"Transfer-Encoding:\tchunked\r\n", b" folded\r\n", b"Host: other\r\n", b"HTTP/1.0", b"HTTP/1.1", b"0\r\n\r\n",
    b"5\r\nhello\r\n", b"ffffffffffffffff\r\n", b"GET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n",
]  # fmt: skip
# Trailers are checked and dropped here, whatever they say; h11 refuses a length or a coding among them.
FRAMING_TRAILER = re.compile(rb"\r\n0+[^\r\n]*\r\n(?:[^\r\n]+\r\n)*(?:transfer-encoding|content-length):", re.I)
# The statuses with which the parser refuses a request.
REFUSALS = {400, 413, 414, 417, 431, 505}
COUNT = int(os.environ.get("GRADECAST_MUTATIONS", "1500"))


def mutated(chance):
    """A few seeds in a row with a few small changes."""
    text = bytearray(b"".join(chance.choices(SEEDS, k=chance.randint(1, 2))))
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(text) + 1)
        kind = chance.randrange(4)
        if kind == 0:
            text[at:at] = chance.choice(PIECES)
        elif kind == 1:
            del text[at : at + chance.randint(1, 8)]
        elif kind == 2:
            text[at : at + 1] = bytes([chance.randrange(256)])
        else:
            line = text.find(b"\r\n", at) + 2
            text[line:line] = chance.choice(PIECES)
    return bytes(text)


def answers(stream):
    """What the server understood, in order, and the statuses of its refusals."""
    understood, refused = [], []
    while stream:
        head, _, rest = stream.partition(b"\r\n\r\n")
        status = int(re.match(rb"HTTP/1\.1 (\d{3}) ", head)[1])
        if status == 100:
            stream = rest
            continue
        length = re.search(rb"\r\nContent-Length: (\d+)", head, re.I)
        size = int(length[1]) if length else 0
        if status == 200 and rest[:size]:
            understood.append(json.loads(rest[:size]))
        elif status != 200:
            refused.append(status)
        stream = rest[size:]
    return understood, refused


def read_by_h11(sent):
    """The requests as h11 reads them, up to the first it refuses or that ends the connection."""
    requests, rest = [], sent
    while rest:
        request, rest = read_one(
            rest.removeprefix(b"\r\n")
        )  # an empty line before a request is forgiven (RFC 9112, 2.2)
        requests += [request] if request else []
    return requests


def read_one(sent):
    """The first request, and what is left for the next if the connection goes on."""
    connection = h11.Connection(h11.SERVER, max_incomplete_event_size=1 << 20)
    connection.receive_data(sent)
    connection.receive_data(b"")
    body = b""
    try:
        while True:
            event = connection.next_event()
            if isinstance(event, h11.Request):
                pairs = [[part.decode("utf-8", "replace") for part in field] for field in event.headers.raw_items()]
                request = {"method": event.method.decode(), "target": event.target.decode(), "headers": pairs}
                tokens, is_old = connection_tokens(pairs), event.http_version == b"1.0"
            elif isinstance(event, h11.Data):
                body += event.data
            elif isinstance(event, h11.EndOfMessage):
                stays = "close" not in tokens and (not is_old or "keep-alive" in tokens)
                return request | {"body": body.hex()}, connection.trailing_data[0] if stays else b""
            else:
                return None, b""
    except h11.RemoteProtocolError:
        return None, b""


def connection_tokens(headers):
    """What the Connection fields say."""
    values = [value for name, value in headers if name.lower() == "connection"]
    return {token.strip().lower() for value in values for token in value.split(",")}


@pytest.fixture(scope="module")
def parser():
    if not echo.ECHO.exists():
        pytest.skip(f"{echo.ECHO} is not built")
    running = echo.EchoServer()
    yield running
    assert running.process.poll() is None, "the echo server ended"
    running.stop()


def plain(request):
    """A request without what is no matter of framing: the authority of its target, and how h11 spells a coding."""
    headers = [
        [name, value.lower() if name.lower() == "transfer-encoding" else value] for name, value in request["headers"]
    ]
    return request | {"target": re.sub(r"(?i)^https?://[^/?]*", "", request["target"]) or "/", "headers": headers}


def test_what_is_taken_for_a_request_is_the_same_for_another_parser(parser):
    seed = os.environ.get("GRADECAST_SEED", "1")
    chance = random.Random(seed)
    taken = refusals = 0
    for number in range(COUNT):
        sent = mutated(chance)
        if FRAMING_TRAILER.search(sent):
            continue
        understood, refused = answers(parser.exchange(sent))
        context = f"mutation {number} of seed {seed}: {sent!r}"
        assert set(refused) <= REFUSALS and len(refused) <= 1, (refused, context)
        understood, expected = [[plain(one) for one in some] for some in (understood, read_by_h11(sent))]
        assert understood == expected[: len(understood)], context
        assert refused or len(understood) == len(expected), context
        taken, refusals = taken + len(understood), refusals + len(refused)
    assert taken > COUNT / 5 and refusals > COUNT / 5, (taken, refusals)
