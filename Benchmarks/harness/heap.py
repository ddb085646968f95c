"""What pieces of work ask of the heap: calls and bytes, counted by `heap/count.c` in the server's process.

Counts do not depend on the machine: they repeat to a fraction of a per cent, however busy it is. The acceptance tests
count the same with the debug build, and hold it against bounds.
"""

import base64
import collections
import contextlib
import dataclasses
import json
import mmap
import pathlib
import re
import socket
import struct
import time

from harness import build, load, main_job, people, servers
from harness.table import figure

LIBRARY = "libheapcount.so"
WARM_UP, REPEATS, ROUNDS = 100, 100, 5
FEW, MANY = 8, 18
FORGOTTEN = 150
PATIENCE, QUIET = 60, 2_000


def library(folder=build.BUILD):
    """The library to preload."""
    source, target = build.HERE / "heap" / "count.c", pathlib.Path(folder) / LIBRARY
    target.parent.mkdir(parents=True, exist_ok=True)
    if not build.is_newer(target, source):
        build.run("cc", *build.CFLAGS, "-shared", "-fPIC", "-o", target, source)
    return target


def environment(library, counts):
    """What a server is started with to be counted; `counts` is the beginning of its file's name."""
    return {"LD_PRELOAD": str(library), "HEAP_COUNTS": str(counts)}


@dataclasses.dataclass(frozen=True)
class Use:
    """What was asked of the heap."""

    calls: float
    size: float

    def __sub__(self, other):
        return Use(self.calls - other.calls, self.size - other.size)

    def __truediv__(self, number):
        return Use(self.calls / number, self.size / number)


class Counter:
    """The counts of one process, read without asking it anything."""

    HEAD, SLOT = 4, 64

    def __init__(self, counts, pid):
        with open(f"{counts}.{pid}", "r+b") as file:
            self.memory = mmap.mmap(file.fileno(), 0)

    def word(self, place):
        return struct.unpack_from("=Q", self.memory, 8 * place)[0]

    @property
    def use(self):
        return Use(self.word(0), self.word(1))

    @contextlib.contextmanager
    def keeping_stacks(self):
        """Has the stack of every call kept."""
        struct.pack_into("=Q", self.memory, 8 * 2, 1)
        yield
        struct.pack_into("=Q", self.memory, 8 * 2, 0)

    def stacks(self):
        """The stacks that were kept, each with the bytes asked for and its addresses from the innermost."""
        for number in range(min(self.word(3), (len(self.memory) // 8 - self.HEAD) // self.SLOT)):
            place = 8 * (self.HEAD + number * self.SLOT)
            size, depth = struct.unpack_from("=2Q", self.memory, place)
            yield size, struct.unpack_from(f"={depth}Q", self.memory, place + 16)


class Connection:
    """A keep-alive connection that sends bytes made beforehand."""

    def __init__(self, server):
        self.socket = socket.create_connection(("127.0.0.1", server.port), 60)

    def ask(self, request):
        """Sends a request; the whole answer."""
        self.socket.sendall(request)
        heard = b""
        while b"\r\n\r\n" not in heard:
            heard += self.more()
        head, _, body = heard.partition(b"\r\n\r\n")
        length = 0
        for line in head.split(b"\r\n"):
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        while len(body) < length:
            body += self.more()
        return head, body

    def more(self):
        more = self.socket.recv(65536)
        if not more:
            raise RuntimeError("the server closed a connection")
        return more

    def close(self):
        self.socket.close()


def request(method, path, token=None, body=None, **fields):
    """The bytes of a request."""
    lines = [f"{method} {path} HTTP/1.1", "Host: localhost"]
    if token:
        lines.append(f"Authorization: Bearer {token}")
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in fields.items()]
    payload = b"" if body is None else json.dumps(body).encode()
    if body is not None:
        lines += ["Content-Type: application/json", f"Content-Length: {len(payload)}"]
    return "\r\n".join([*lines, "", ""]).encode() + payload


class Channel:
    """A WebSocket of the live channel."""

    def __init__(self, server, token):
        self.connection = Connection(server)
        key = base64.b64encode(bytes(16)).decode()
        self.connection.ask(request(
            "GET", "/v1/live", Upgrade="websocket", Connection="Upgrade", Sec_WebSocket_Key=key,
            Sec_WebSocket_Version=13, Sec_WebSocket_Protocol="gradecast.live.v1"))
        self.heard = b""
        self.send({"t": "hello", "token": token, "client": "load/1"})

    def send(self, message):
        """A text frame; a mask of zeros leaves the payload as it is."""
        payload = json.dumps(message).encode()
        length = struct.pack(">B", 0x80 | len(payload)) if len(payload) < 126 else struct.pack(">BH", 0xFE, len(payload))
        self.connection.socket.sendall(b"\x81" + length + bytes(4) + payload)

    def frame(self):
        length, start = self.need(2)[1], 2
        if length == 126:
            length, start = struct.unpack_from(">H", self.need(4), 2)[0], 4
        elif length == 127:
            length, start = struct.unpack_from(">Q", self.need(10), 2)[0], 10
        payload = self.need(start + length)[start:start + length]
        self.heard = self.heard[start + length:]
        return payload

    def need(self, count):
        while len(self.heard) < count:
            self.heard += self.connection.more()
        return self.heard

    def close(self):
        self.connection.close()


class Subscriber(Channel):
    """A WebSocket that reads one record's standing."""

    def __init__(self, server, token, record):
        super().__init__(server, token)
        self.send({"t": "sub", "topic": f"standing/{record}"})
        self.wait()

    def wait(self):
        """Reads on to the end of the next state."""
        while True:
            message = json.loads(self.frame())
            if message["t"] == "state":
                return
            if message["t"] == "ping":
                self.send({"t": "pong", "n": message["n"]})


class Work:
    """A record, its owner, and the pieces of work that are counted."""

    def __init__(self, server, counts):
        self.server, self.counts, self.counter = server, counts, Counter(counts, server.process.pid)
        api = people.Api(server)
        self.token = api.sign_up(2_000_000)
        made = api.record(api.program("iut"), self.token)
        self.record, self.entry = made["record"]["id"], people.leaves(made)[0]
        self.connection, self.number, self.readers, self.tag = Connection(server), 0, [], None

    def close(self):
        for open_one in [self.connection, *self.readers]:
            open_one.close()

    def send(self, bytes_of_request, status=b"200"):
        head, body = self.connection.ask(bytes_of_request)
        if head.split(b" ")[1] != status:
            raise RuntimeError(f"{bytes_of_request!r}: {head!r} {body[:500]!r}")
        return head

    def grade(self):
        """Changes a grade to another; returns when all readers have heard of it."""
        self.number += 1
        path = f"/v1/records/{self.record}/entries/{self.entry}"
        self.send(request("PATCH", path, self.token, {"fields": {"grade": 10 + self.number % 2}}))
        for reader in self.readers:
            reader.wait()

    def standing(self):
        self.send(request("GET", f"/v1/records/{self.record}/standing", self.token))

    def known_standing(self):
        """Asks for a standing that is known: answered 304."""
        self.tag = self.tag or self.tag_of(self.record)
        self.know(self.record, self.tag)

    def tag_of(self, record):
        """The version of a record's standing."""
        head = self.send(request("GET", f"/v1/records/{record}/standing", self.token)).decode()
        return next(line[5:].strip() for line in head.split("\r\n") if line.lower().startswith("etag:"))

    def know(self, record, tag):
        """Asks for a standing whose version is the newest."""
        self.send(request("GET", f"/v1/records/{record}/standing", self.token, If_None_Match=tag), b"304")

    def forgotten(self):
        """What a 304 asks for where the record is not in memory: of records that the server has not read since it
        started again."""
        api = people.Api(self.server)
        program = api.program("iut")
        records = [api.record(program, self.token)["record"]["id"] for _ in range(FORGOTTEN)]
        tags = [self.tag_of(record) for record in records]
        self.close()
        self.server.stop()
        self.server.start()
        self.counter = Counter(self.counts, self.server.process.pid)
        self.connection, self.readers = Connection(self.server), []
        # The first of them bring the session, the program and the statements into memory.
        for record, tag in zip(records[:WARM_UP], tags):
            self.know(record, tag)
        before = self.counter.use
        for record, tag in zip(records[WARM_UP:], tags[WARM_UP:]):
            self.know(record, tag)
        return (self.counter.use - before) / (FORGOTTEN - WARM_UP)

    def health(self):
        self.send(request("GET", "/healthz"))

    def each(self, action):
        """What one action asks of the heap: the least of some rounds, since the server also has clocks of its own. They
        may add a large piece to the round with the fewest."""
        for _ in range(WARM_UP):
            action(self)
        uses = []
        for _ in range(ROUNDS):
            before = self.counter.use
            for _ in range(REPEATS):
                action(self)
            uses.append((self.counter.use - before) / REPEATS)
        return Use(min(use.calls for use in uses), min(use.size for use in uses))

    def listen(self, count):
        """So many readers of the record's standing from now on."""
        while len(self.readers) < count:
            self.readers.append(Subscriber(self.server, self.token, self.record))


ACTIONS = {
    "grade": Work.grade,
    "standing": Work.standing,
    "known": Work.known_standing,
    "health": Work.health,
}


def counted(server, counts):
    """Each piece of work by its short name, with what it asks of the heap."""
    with contextlib.closing(Work(server, counts)) as work:
        uses = {name: work.each(action) for name, action in ACTIONS.items()}
        work.listen(1)
        uses["read"] = work.each(Work.grade)
        # Each loop writes a frame for its first reader. Among so many, both loops have theirs.
        work.listen(FEW)
        few = work.each(Work.grade)
        work.listen(MANY)
        frame = (work.each(Work.grade) - few) / (MANY - FEW)
        # The difference of two counts: less than half a call, or less than none, comes from the server's own clocks.
        uses["frame"] = Use(max(0, round(frame.calls)), max(0, frame.size))
        uses["forgotten"] = work.forgotten()
        return uses


def main_job_use(server, counts, seconds):
    """What a grade of the main job asks for, where many share a commit and each has one reader. What follows a grade
    later, such as its event in feeds, is awaited and counted."""
    counter, program = Counter(counts, server.process.pid), main_job.client()
    plan = people.plan(server, main_job.WRITERS)
    load.run(program, server, "-f", plan, "-s", seconds)
    rest(counter)
    before, grades = counter.use, versions(server, plan)
    load.run(program, server, "-f", plan, "-s", seconds)
    rest(counter)
    return (counter.use - before) / (versions(server, plan) - grades)


def rest(counter):
    """Waits until the server asks for little more than its clocks do."""
    for _ in range(PATIENCE):
        before = counter.use
        time.sleep(1)
        if (counter.use - before).calls < QUIET:
            return


def versions(server, plan):
    """How many versions all records of a plan have together."""
    api, total = people.Api(server), 0
    for line in plan.read_text().splitlines():
        token, record, _ = line.split()
        total += api.call("GET", f"/v1/records/{record}", token=token)["version"]
    return total


@contextlib.contextmanager
def counted_server(of=servers.without_feeds):
    """The release server with its counter; yields it and the beginning of the counts' file name.

    Without feeds, unless another one is named: what their projector does at its own times would be counted with pieces
    of work that it has nothing to do with."""
    with contextlib.ExitStack() as stack:
        server = of(build.swift("gradecast"))
        counts = server.folder / "heap"
        server.environment = environment(library(), counts)
        yield stack.enter_context(server), counts


def heap_part(_, seconds):
    """Allocations and bytes of each piece of work."""
    with counted_server() as (server, counts):
        uses = counted(server, counts)
    with counted_server() as (server, counts):
        uses["job"] = main_job_use(server, counts, seconds)
    with counted_server(servers.gradecast) as (server, counts):
        uses["default"] = main_job_use(server, counts, seconds)
    for name, use in uses.items():
        print(f"  {name:24} allocations {use.calls:.2f}  bytes {use.size:.0f}", flush=True)

    def row(what, name, calls=None, kilobytes=None):
        size = uses[name].size / 1024
        made = figure(what, uses[name].calls, "allocations", calls)
        made.against = "" if kilobytes is None else f"and ≤ {kilobytes} kB"
        made.measured += f", {size:.3g} kB"
        if made.reached is not None and kilobytes is not None:
            made.reached = made.reached and size <= kilobytes
        return made

    return [
        row("asked of the heap: a grade of the main job, without feeds", "job", 80, 48),
        row("… in the default configuration, with all that it sets off", "default", 90, 56),
        row("… PATCH of a grade by one client, without readers", "grade", 60, 40),
        row("… the same with one subscriber", "read"),
        row("… GET of a standing", "standing", 16),
        row("… its 304", "known", 12),
        row("… the same of a record that is not in memory", "forgotten"),
        row("… GET /healthz", "health", 8),
        row("… a delivered frame beyond the first of a loop", "frame", 0),
    ]


def histogram(server, counts, name, repeats=50, frames=5):
    """Where a piece of work asks: a line for each stack, the commonest first, with calls and bytes a piece of work."""
    with contextlib.closing(Work(server, counts)) as work:
        action = ACTIONS[name]
        for _ in range(WARM_UP):
            action(work)
        with work.counter.keeping_stacks():
            for _ in range(repeats):
                action(work)
        kept = list(work.counter.stacks())
        names = Symbols(server.process.pid, {address for _, stack in kept for address in stack})
    calls, sizes = collections.Counter(), collections.Counter()
    for size, stack in kept:
        site = " < ".join(names.readable(stack)[:frames])
        calls[site] += 1
        sizes[site] += size
    lines = [f"{len(kept) / repeats:.1f} calls, {sum(sizes.values()) / repeats:.0f} bytes"]
    lines += [
        f"{number / repeats:6.2f} {sizes[site] / repeats:8.0f}  {site}"
        for site, number in calls.most_common() if number * 4 >= repeats
    ]
    return "\n".join(lines) + "\n"


class Symbols:
    """The names of functions in a running process."""

    def __init__(self, pid, addresses):
        places = []
        for line in pathlib.Path(f"/proc/{pid}/maps").read_text().splitlines():
            span, mode, offset, _, _, *path = line.split(maxsplit=5)
            if path and path[0].startswith("/") and "x" in mode:
                start, end = (int(text, 16) for text in span.split("-"))
                places.append((start, end, int(offset, 16), path[0]))
        files = collections.defaultdict(list)
        for address in addresses:
            for start, end, offset, path in places:
                if start <= address < end:
                    files[path].append((address, address - start + offset))
        self.names = {}
        for path, found in files.items():
            self.resolve(path, found)

    def resolve(self, path, found):
        """Names the innermost to outermost inlined functions at each place of a file."""
        shift = self.shift(path)
        asked = "\n".join(f"0x{offset + shift - 1:x}" for _, offset in found) + "\n"
        text = build.run("llvm-symbolizer", f"--obj={path}", "--inlines", "--no-demangle", input=asked)
        blocks = text.strip("\n").split("\n\n")
        plain = build.run("swift-demangle", "--simplified", "--compact", input="\n".join(
            "\t".join(block.splitlines()) for block in blocks) + "\n").splitlines()
        for (address, _), line in zip(found, plain):
            parts = line.split("\t")
            self.names[address] = [
                f"{name} {pathlib.Path(place).name.rpartition(':')[0]}" for name, place in zip(parts[::2], parts[1::2])]

    @staticmethod
    def shift(path):
        """What stands between a file's offsets and its addresses, in its executable part."""
        for line in build.run("readelf", "-lW", path).splitlines():
            match = re.match(r" *LOAD +0x(\w+) 0x(\w+) 0x\w+ 0x\w+ 0x\w+ R E", line)
            if match:
                return int(match[2], 16) - int(match[1], 16)
        return 0

    def readable(self, stack):
        """The functions of a stack that have a line in a source file; all of them where none has."""
        frames = [name for address in stack for name in self.names.get(address, [f"{address:x}"])]
        return [name for name in frames if re.search(r"\.swift:[1-9]", name)] or frames
