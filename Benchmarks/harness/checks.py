"""A guest at full charge, with documents of regulations to check, beside a teacher's acts and a small evaluation."""

import contextlib
import http.client
import json
import statistics
import time

from harness import build, load
from harness.classroom import school, value
from harness.table import figure

STUDENTS, ITEMS, CONNECTIONS = 30, 8, 2
SAMPLES = 25
ALONE, BESIDE = "alone", "beside the guest"

HEADING = """regulation test "Test" language 1
scale mark "/20" worst 0 best 20 step 0.01
rounding averages half up, 2 decimals, judged as shown
setting bar in mark = 10 from 0 to 20 "Bar"
entry unit
    title text
    weight number in weight from 0
"""


def document(lines):
    """A document of one block."""
    return "# Article\n\n```rules\n" + HEADING + "\n".join(lines) + "\n```\n"


def documents():
    """The two that took longest for what they were charged: outcomes of many conditions, and checks that refuse all."""
    needs = "    needs bar > 1 else no_reason"
    outcomes = [line for number in range(60) for line in [f"outcome o{number}", *[needs] * 50]]
    checks = [f"check unit weight > {number + 1_000_000} else w_{number}" for number in range(250)]
    return [json.dumps({"document": document(lines), "annotations": True}).encode() for lines in (outcomes, checks)]


def guest(server, answers):
    """A guest of one address asks on some connections, again as soon as it is answered, while the block runs."""
    bodies = documents()

    def ask(over, number):
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
        turn = number
        while not over.is_set():
            turn += 1
            headers = {"Content-Type": "application/json"}
            connection.request("POST", "/v1/regulations/check", bodies[turn % len(bodies)], headers)
            response = connection.getresponse()
            response.read()
            answers.append(response.status)
            if response.status != 200:
                # It need not wait as long as it is told; but this machine's other core is the server's, too.
                time.sleep(0.02)

    return load.beside(ask, CONNECTIONS)


def small():
    """A signed-in person's course of one category: more than what is done on the spot."""
    items = [{"kind": "item", "fields": {"score": number, "max": 100}} for number in range(60)]
    category = {"kind": "category", "fields": {"category": "exams", "weight": 100}, "children": items}
    fields = {"title": "Small", "number": "S1", "quarter": 1, "year": 2026, "credits": 4}
    return {"scheme": "rose-hulman", "entries": [{"kind": "course", "fields": fields, "children": [category]}]}


def acts(teacher, room, body):
    """The pieces of work that are measured: each a name and what does it."""
    turn = 0

    def post():
        nonlocal turn
        turn += 1
        body = {"lines": room.lines[:1], "hide": turn % 2 == 1}
        teacher.call("POST", f"{room.path}/post", body)

    def paste():
        nonlocal turn
        turn += 1
        cells = [
            {"row": row, "line": room.lines[1], "value": value(number + 31 * turn, 1)}
            for number, row in enumerate(room.rows)
        ]
        teacher.call("POST", f"{room.path}/cells", {"cells": cells})

    def evaluate():
        teacher.call("POST", "/v1/evaluate", body)

    return [("post", post), ("paste", paste), ("evaluate", evaluate)]


def measure(teacher, room, body):
    """The median of each piece of work, in ms."""
    times = {}
    for _ in range(SAMPLES):
        for name, work in acts(teacher, room, body):
            began = time.monotonic()
            work()
            times.setdefault(name, []).append((time.monotonic() - began) * 1e3)
            # As a person would, and below what an account may ask for.
            time.sleep(0.03)
    found = {}
    for name, samples in times.items():
        found[name] = statistics.median(samples)
        found[f"{name}_worst"] = max(samples)
    return found


def checks_part(rounds, _):
    """What a teacher waits for alone and beside such a guest."""
    answers, result = [], load.Rounds()
    server, made = school(build.swift("gradecast"), STUDENTS)
    with contextlib.ExitStack() as stack:
        stack.enter_context(server)
        taught = made()
        room = taught.classroom(STUDENTS, ITEMS)
        measure(taught.registrar, room, small())
        for _ in range(rounds):
            result.note(ALONE, measure(taught.registrar, room, small()))
            with guest(server, answers):
                # The guest has used up what it has at once.
                time.sleep(2)
                result.note(BESIDE, measure(taught.registrar, room, small()))
    counts = {status: answers.count(status) for status in sorted(set(answers))}
    print(f"  answers {counts}", flush=True)
    rows = []
    for name, words in (("post", "posting a column of 30"), ("paste", "pasting a column of 30")):
        alone, beside = (result.median(contender, name) for contender in (ALONE, BESIDE))
        rows.append(
            figure(
                f"a guest checks regulations on two connections; beside it {words}, more than alone", beside - alone,
                "ms", 50, f"alone, {alone:.3g} ms; medians"))
    alone, beside = (result.median(contender, "evaluate") for contender in (ALONE, BESIDE))
    worst = result.most(BESIDE, "evaluate_worst")
    rows.append(
        figure(
            "… a small evaluation of a person who has signed in", beside, "ms", 250,
            f"alone, {alone:.3g} ms; medians; at worst {worst:.3g} ms"))
    return rows
