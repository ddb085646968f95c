"""Writes the seeds of the fuzz targets: one sound input of each kind, from which mutation starts.

PYTHONPATH=Tests/Oracle:Tests/Acceptance/support python3 Tests/Fuzz/seeds.py build/fuzz/seeds
"""

import hashlib
import json
import pathlib
import struct
import sys
import zlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
HOST = b"Host: localhost\r\n"
HTTP = [
    b"GET /v1/records?limit=2&cursor=Yw HTTP/1.1\r\n" + HOST + b"Accept: application/json\r\n\r\n",
    b"POST /v1/evaluate HTTP/1.1\r\n" + HOST + b"Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}",
    b"POST / HTTP/1.1\r\n"
    + HOST
    + b"Transfer-Encoding: chunked\r\n\r\n2;a=b\r\n{}\r\n0\r\nX: y\r\n\r\nGET / HTTP/1.0\r\n\r\n",
    b"PUT /%C3%A9/a%20b HTTP/1.1\r\n" + HOST + b"Expect: 100-continue\r\nContent-Length: 1\r\n\r\nx",
    b"OPTIONS * HTTP/1.1\r\n" + HOST + b"Connection: close, upgrade\r\n\r\n",
    b"GET http://localhost/a HTTP/1.1\r\n" + HOST + b"Cookie: a=b; c=d\r\n\r\n",
]


def frame(first, payload, mask=b"\1\2\3\4"):
    """A frame as a client sends it, or without a mask as a server does."""
    size, bit = len(payload), 0x80 if mask else 0
    length = bytes([bit | size]) if size < 126 else bytes([bit | 126]) + struct.pack(">H", size)
    hidden = bytes(byte ^ mask[index % 4] for index, byte in enumerate(payload)) if mask else payload
    return bytes([first]) + length + mask + hidden


WEBSOCKET = [
    frame(0x81, '{"t":"hello"}é'.encode()) + frame(0x89, b"ping") + frame(0x88, b"\x03\xe8bye"),
    frame(0x01, b"\xe2\x82") + frame(0x8A, b"") + frame(0x80, b"\xac"),
    frame(0x82, bytes(300)),
    frame(0x81, b"text", b"") + frame(0x88, b"", b""),
    frame(0xC1, b"\xf2H\xcd\xc9\xc9\7\0") + frame(0x42, b"\xf2H") + frame(0x80, b"\xcd\xc9\xc9\7\0"),
]
MESSAGES = [
    {"t": "hello", "token": "x" * 43, "client": "web/1.0"},
    {"t": "sub", "topic": "standing/R/staff", "have": {"e": "k3", "v": 41}},
    {"t": "sub", "topic": "accounts"},
    {"t": "unsub", "topic": "record/R"},
    {"t": "auth", "token": "x"},
    {"t": "pong", "n": 17},
]
NUMBERS = [
    "13.10 -0.5 1e3",
    "577/40 1/3 -2/7",
    "0.1 0.2 0.3",
    "99999999999999999999999 1/99999999999999999999 7",
    "1,5 2",
]
HASH = "$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0c2FsdA$aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNoaGFzaGhhc2g"
WORDS = ["2001:db8::1", "127.0.0.1", "2026-11-21", "k3.44", "/a%20b/c?x=%C3%A9&y", "person-1", "YWJj", HASH]
TOKENS = [
    "eyJhbGciOiJIUzI1NiJ9.eyJpYXQiOjE4MDAwMDAwMDAsImQiOnsidWlkIjoiYWRhIn19.YQ",
    {"alg": "HS256", "typ": "JWT", "crit": ["exp"]},
    {"v": 0, "iat": 1800000000, "exp": 1800000060, "nbf": 1, "d": {"uid": "ada", "name": "Ada", "group": "STUDENT"}},
]
DEFLATED = ["f248cdc9c90700", "000500faff48656c6c6f00", "f348cdc9c9070000", "f24805000000ffffcac9c90700"]
LONG = [bytes(1024), bytes(1025), bytes(100_000), b"aab" * 400]
OFFERS = [
    b"permessage-deflate; client_max_window_bits",
    b'x-webkit-deflate-frame, permessage-deflate; server_max_window_bits="10"; client_no_context_takeover',
]
CSV = [b'login;grade\r\nada;"1 3"\r\n', b'\xef\xbb\xbfa,"b ""c""",=1+1\n,,\n', "é,@x\r\n-1,\n".encode()]
IMPORTS = [
    b"Student;path;grade;hidden\nanna;Maths/Algebra;12,5;true\nbert;Maths;;\n;;;\n",
    b'record,entry,status,kind,"a title"\r\nr1,e2,passed,course,"x, ""y"""\r\n',
    b'{"record":"r1","entry":"e2","fields":{"grade":"1.3"},"hidden":false}\n\n{"student":"ada","path":["a","b"]}\n',
]
FORWARDED = [
    b"\0for=192.0.2.1;proto=https;host=localhost",
    b'\1for="[2001:db8::7]:4711", for=_hidden;by=x\nX-Forwarded-For: 192.0.2.1, 10.0.0.1\nX-Forwarded-Proto: https',
    b'\2For="192.0.2.1\\"";x=y\nfor=127.0.0.1:80\nX-Forwarded-For: ::ffff:192.0.2.1',
]
VALUES = [None, True, -1.5e-7, 'é\u0000\\"\ud83d\ude00', [1, [2, [3]]], {"a": {"b": 1}, "ä": []}]


def requests():
    """Evaluations of the worked examples."""
    from oracle import examples
    from oracle.wire import dumps

    return [dumps(request) for request, _ in examples.ALL.values()]


def documents():
    """The documents of the library, and one of what they leave out."""
    library = ROOT / "GradingKit/Sources/RegulationLibrary/Documents"
    paths = [*sorted(library.glob("*.md")), ROOT / "Tests/Oracle/documents/constructs.md"]
    return [path.read_bytes() for path in paths]


def choices():
    """Bytes that choose what a document is made of."""
    return [hashlib.shake_256(str(number).encode()).digest(200 + 40 * number) for number in range(24)]


def deflated(payload):
    """A payload as it is sent, without the empty block at its end."""
    stream = zlib.compressobj(wbits=-15)
    return (stream.compress(payload) + stream.flush(zlib.Z_SYNC_FLUSH))[:-4]


def conversations():
    """What schemes in processes of their own answer: one in Python, and one of everything that the wire knows."""
    from wire import everything, spoken

    return [spoken(ROOT / "Tests/SchemeHostTests/Schemes/pass-fail"), everything(), everything(version=2)]


def pictures():
    """The smallest pictures."""
    from access import picture

    webp = b"VP8L" + struct.pack("<I", 6) + b"\x2f\0\0\0\0\0"
    jpeg = b"\xff\xd8\xff\xe0\0\4\0\0\xff\xc0\0\x0b\x08\0\1\0\1\1\1\x11\0\xff\xda\0\x08\1\1\0\0\x3f\0\x37\xff\xd9"
    return [picture(), jpeg, b"RIFF" + struct.pack("<I", len(webp) + 4) + b"WEBP" + webp]


def passkeys():
    """An attestation object for `localhost` with a key on Ed25519, its parts, and what the browser says."""
    from authenticator import CREDENTIAL, PRESENT, VERIFIED, cbor

    key = cbor({1: 1, 3: -8, -1: 6, -2: bytes(range(32))})
    party = hashlib.sha256(b"localhost").digest()
    data = party + bytes([PRESENT | VERIFIED | CREDENTIAL]) + bytes(4) + bytes(16) + b"\0\2id" + key
    words = {"type": "webauthn.get", "challenge": "A" * 43, "origin": "http://localhost", "crossOrigin": False}
    return [cbor({"fmt": "none", "attStmt": {}, "authData": data}), data, key, json.dumps(words)]


def main(folder):
    seeds = {
        "http": [bytes([cut]) + text for text in HTTP for cut in (0x47, 0x50)] + HTTP,
        "websocket": WEBSOCKET,
        "json": VALUES,
        "numbers": NUMBERS,
        "live": MESSAGES,
        "words": WORDS,
        "schemes": requests(),
        "wire": conversations(),
        "pictures": pictures(),
        "tokens": TOKENS,
        "deflate": [bytes.fromhex(text) for text in DEFLATED] + [deflated(text) for text in LONG] + OFFERS,
        "csv": CSV,
        "imports": CSV + IMPORTS,
        "forwarding": FORWARDED,
        "passkeys": passkeys(),
        "regulations": documents(),
        "documents": choices(),
    }
    for target, inputs in seeds.items():
        place = pathlib.Path(folder) / target
        place.mkdir(parents=True, exist_ok=True)
        for number, content in enumerate(inputs):
            if not isinstance(content, bytes):
                text = content if isinstance(content, str) and target != "json" else json.dumps(content)
                content = text.encode()
            (place / f"{number:03}").write_bytes(content)


if __name__ == "__main__":
    main(sys.argv[1])
