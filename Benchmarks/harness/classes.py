"""Classes: what a cell, a paste and a change of the structure cost, and how soon the other teacher sees a cell."""

import contextlib
import json
import time

from harness import build, crowd, heap, load, main_job
from harness.classroom import school, value, writer_seconds
from harness.table import figure, ratio

STUDENTS, ITEMS = 300, 40
CROWD = 100
GRADE, CELL = "a grade of a record", "a cell of a class"


class Reader(heap.Channel):
    """A WebSocket that follows one topic, once it holds all of it."""

    def __init__(self, server, token, topic, have=None):
        super().__init__(server, token)
        self.sizes, self.message = [], None
        self.send({"t": "sub", "topic": topic} | ({"have": have} if have else {}))
        while True:
            frame = self.frame()
            self.message = json.loads(frame)
            if self.message["t"] in ("rows", "state"):
                self.sizes.append(len(frame))
                if not self.message.get("more"):
                    return


@contextlib.contextmanager
def measured(server, result, contender, pieces=1):
    """Notes the processor time of the block, the server's and that of its writer, in µs a piece of work."""
    cpu, writer, began = crowd.cpu_seconds(server), writer_seconds(server), time.monotonic()
    yield
    result.note(contender, {
        "cpu_us": (crowd.cpu_seconds(server) - cpu) / pieces * 1e6,
        "writer_us": (writer_seconds(server) - writer) / pieces * 1e6,
        "clock_us": (time.monotonic() - began) / pieces * 1e6,
    })


def plans(server, school, room):
    """The plan of a grade and that of a cell, each of one writer."""
    token = school.registrar.token
    record, _, items = school.record(ITEMS)
    grade, cell = server.folder / "grade", server.folder / "cell"
    grade.write_text(f"{token} {record} {items[0]}\n")
    cell.write_text(f"{token} {room.id} {room.rows[0]} {room.lines[0]} {token}\n")
    return ["-f", grade, "-k", "score"], ["-f", cell, "-g"]


def single(server, school, room, rounds, seconds):
    """One cell against one grade: what the server computes for it, and when the frame is there."""
    result, program = load.Rounds(), main_job.client()
    for options, name in zip(plans(server, school, room), (GRADE, CELL)):
        load.run(program, server, *options, "-s", 1)
    grade, cell = plans(server, school, room)
    for _ in range(rounds):
        for options, name in ((grade, GRADE), (cell, CELL)):
            result.note(name, load.run(program, server, *options, "-n", "-s", seconds))
            result.note(name + ", 100/s", load.run(program, server, *options, "-r", 100, "-s", seconds))
    own, against = (result.least(name, "cpu_us") for name in (CELL, GRADE))
    frame, other = (result.least(name + ", 100/s", "frame_p50") for name in (CELL, GRADE))
    p99, other99 = (result.least(name + ", 100/s", "frame_p99") / 1e3 for name in (CELL, GRADE))
    return against, [
        ratio(f"one cell of a class of {STUDENTS} × {ITEMS}: server CPU, {own:.0f} µs",
              f"a grade of a record of {ITEMS} items, {against:.0f} µs", own / against, 1.4),
        ratio(f"cell sent → the other teacher's socket, 100 cells/s, p50, {frame / 1e3:.2f} ms",
              f"grade → frame, {other / 1e3:.2f} ms", frame / other, 1.3),
        figure("… p99", p99, "ms", 10, f"grade → frame, {other99:.3g} ms"),
    ]


def large(server, school, room, rounds, grade):
    """Acts of many rows: a paste, a change of the structure, a rehearsal; each against single grades."""
    result = load.Rounds()
    cells = STUDENTS * ITEMS
    with grades(school) as change:
        for _ in range(2):
            room.paste()
        for _ in range(rounds):
            with measured(server, result, "a paste", cells):
                room.paste()
            with measured(server, result, "300 grades"):
                for number in range(300):
                    change(number)
            with measured(server, result, "a structure"):
                room.registrar.call("POST", f"{room.path}/changes", {"changes": room.weights()})
            with measured(server, result, "a rehearsal"):
                room.registrar.call("POST", f"{room.path}/rehearsals", {"changes": room.weights()})
    least = result.least
    held, single = (least(name, "writer_us") / 1e3 for name in ("a structure", "300 grades"))
    paste = least("a paste", "cpu_us")
    return [
        ratio(f"{cells:,} cells pasted in one act: server CPU a cell, {paste:.1f} µs",
              f"a grade of a record, {grade:.0f} µs", paste / grade, 0.15),
        figure(f"change of two weights, {STUDENTS} × {ITEMS}: the writer computes", held, "ms", 50),
        ratio("…", f"for 300 single grades, {single:.0f} ms", held / single, 0.6),
        figure("… from the request to its answer", least("a structure", "clock_us") / 1e3, "ms"),
        figure(f"rehearsal of two weights, {STUDENTS} × {ITEMS}: server CPU", least("a rehearsal", "cpu_us") / 1e3, "ms", 15),
    ]


@contextlib.contextmanager
def grades(school):
    """Changes a grade of a record to another one, over one connection."""
    record, _, items = school.record(ITEMS)
    path = f"/v1/records/{record}/entries/{items[0]}"
    yield lambda number: school.registrar.call("PATCH", path, {"fields": {"score": value(number, 3)}})


def first_load(server, room, rounds):
    """Opening a grid: with figures that are known, after a change of the structure, and holding all of it already."""
    result, topic, token = load.Rounds(), f"grid/{room.id}", room.registrar.token
    held = None
    for _ in range(rounds):
        room.registrar.call("POST", f"{room.path}/changes", {"changes": room.weights()})
        for name in ("figures computed", "figures known"):
            with measured(server, result, name):
                reader = Reader(server, token, topic)
            held = {"e": reader.message["e"], "v": reader.message["v"]}
            reader.close()
        with measured(server, result, "resumed"):
            reader = Reader(server, token, topic, held)
        # Without the topic's name and the epoch, which differ in length.
        size = reader.sizes[-1] - len(topic) - len(held["e"])
        reader.close()
    return [
        figure(f"first load of a grid of {STUDENTS} × {ITEMS}: server CPU, connecting included",
               result.least("figures known", "cpu_us") / 1e3, "ms", 10),
        figure("… where every row is judged first", result.least("figures computed", "cpu_us") / 1e3, "ms"),
        figure("… by who holds all of it: the message without topic and epoch", size, "bytes", 64,
               f"server CPU, connecting included, {result.least('resumed', 'cpu_us'):.0f} µs"),
    ]


def delivery(server, school, room, rounds):
    """What each further reader of a row costs, against one of a standing of about the same size."""
    token, result = school.registrar.token, load.Rounds()
    cell = f"{room.path}/rows/{room.rows[9]}"
    grid = f"grid/{room.id}"
    call = school.registrar.call

    def enter(number):
        call("PATCH", cell, {"cells": {room.lines[number % ITEMS]: {"value": value(number, 5)}}})

    with contextlib.closing(Reader(server, token, grid)) as reader:
        enter(0)
        size = len(reader.frame())
    record, course = similar(school, server, token, size)

    def grade(number):
        call("PATCH", f"/v1/records/{record}/entries/{course}", {"fields": {"credits": number % 4 + 1}})

    for _ in range(rounds):
        for name, topic, change in (("rows", grid, enter), ("state", f"standing/{record}", grade)):
            for readers in (1, CROWD + 1):
                with listening(server, token, topic, readers) as heard:
                    before = crowd.cpu_seconds(server)
                    for number in range(100):
                        change(number + 1)
                        heard(number + 1)
                    spent = (crowd.cpu_seconds(server) - before) / 100 * 1e6
                result.note(f"{name}, {readers} readers", {"cpu_us": spent})
    rows, states = (
        (result.least(f"{name}, {CROWD + 1} readers", "cpu_us") - result.least(f"{name}, 1 readers", "cpu_us")) / CROWD
        for name in ("rows", "state")
    )
    return [ratio(f"a row delivered to one more reader, {size} bytes: server CPU, {rows:.1f} µs",
                  f"a state of about as many, {states:.1f} µs", rows / states, 1.1)]


def similar(school, server, token, size):
    """A record whose standing is about as long as a message of a row, and its course."""
    for items in range(16):
        record, course, _ = school.record(items)
        reader = Reader(server, token, f"standing/{record}")
        length = reader.sizes[-1]
        reader.close()
        if length >= 0.9 * size:
            break
    print(f"  a row's message has {size} bytes, a standing's {length}", flush=True)
    return record, course


@contextlib.contextmanager
def listening(server, token, topic, count):
    """So many readers; the function waits until each has heard so many messages."""
    readers = [Reader(server, token, topic) for _ in range(count)]
    heard = [0] * count

    def wait(number):
        for place, reader in enumerate(readers):
            while heard[place] < number:
                message = reader.frame()
                heard[place] += message.startswith((b'{"t":"rows"', b'{"t":"state"'))

    yield wait
    for reader in readers:
        reader.close()


def idle(binary):
    """What an open grid takes that rests, against a subscriber of a standing, each at a server of its own: what one has
    given back the other would use."""
    program, sizes = main_job.client(), {}
    for place, name in enumerate(("standing", "grid")):
        server, opened = school(binary, 5)
        with server:
            made = opened()
            options = plans(server, made, made.classroom(5, 5))[place]
            sizes[name] = load.run(program, server, *options, "-c", 1_000)["bytes_per_subscriber"] / 1024
    print(f"  {sizes}", flush=True)
    return [figure("memory of an idle open grid, 1,000 of them, more than that of a standing",
                   sizes["grid"] - sizes["standing"], "kB", 0.2)]


def classes_part(rounds, seconds):
    """A class of 300 students and 40 items on one server."""
    binary = build.swift("gradecast")
    server, opened = school(binary, STUDENTS)
    with server:
        made = opened()
        room = made.classroom(STUDENTS, ITEMS)
        grade, rows = single(server, made, room, rounds, seconds)
        rows += large(server, made, room, rounds, grade)
        rows += first_load(server, room, rounds)
        rows += delivery(server, made, room, rounds)
    return rows + idle(binary)


def grid_part(rounds, seconds):
    """The page of a class of 500 students and 60 items in Chromium, and that of one of 30 and 20 on a phone."""
    interpreter, scripts = build.ROOT / "build" / "venv" / "bin" / "python", build.HERE / "harness"
    if not interpreter.exists():
        raise build.Missing("the page needs Playwright: make .test-dependencies")
    server, opened = school(build.swift("gradecast"), 500)
    server.environment = {"GRADECAST_WEB": str(build.web())}
    with server:
        made = opened()
        (room, small), place = (made.classroom(500, 60), made.classroom(30, 20)), server.folder / "data"
        result, address = load.Rounds(), f"http://localhost:{server.port}"
        for _ in range(rounds):
            result.note("the page", load.figures(build.run(
                interpreter, scripts / "grid_page.py", address, place, room.id, seconds)))
            result.note("a phone", load.figures(build.run(
                interpreter, scripts / "phone_page.py", address, place, small.id)))
    least = result.least
    return [
        figure("the grid of 500 × 60 in Chromium: address → first rows", least("the page", "first_ms") / 1e3, "s", 1),
        figure("… key → painted, p95", least("the page", "key_p95_ms"), "ms", 16),
        figure("… the longest frame while it is scrolled", least("the page", "frame_ms"), "ms", 33,
               f"median {least('the page', 'frame_p50_ms'):.3g} ms"),
        figure("a class on a phone, 150 ms and 1.6 Mbit/s, first visit: address → first rows",
               least("a phone", "cold_ms") / 1e3, "s", 2.5, f"{least('a phone', 'requests'):.0f} requests"),
        figure("… with the service worker", least("a phone", "warm_ms") / 1e3, "s", 1.2),
        figure("… a guest's first visit of the front page", least("a phone", "front_ms") / 1e3, "s", 1.2),
    ]
