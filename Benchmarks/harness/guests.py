"""Guests who ask for the costliest calculations, from many connections at once, while others work."""

import http.client
import json
import pathlib
import time

from harness import build, load, people, servers
from harness.main_job import WRITERS, client
from harness.table import figure

GUESTS, ITEMS = 100, 800


def attack():
    """A course of one category of many items, all to be explained; the body."""
    items = [{"kind": "item", "fields": {"score": number % 100, "max": 100}} for number in range(ITEMS)]
    category = {"kind": "category", "fields": {"category": "exams", "weight": 100}, "children": items}
    fields = {"title": "Attack", "number": "A1", "quarter": 1, "year": 2026, "credits": 4}
    course = {"kind": "course", "fields": fields, "children": [category]}
    return json.dumps({"scheme": "rose-hulman", "entries": [course]}).encode()


def guests(server, answers):
    """Guests from addresses of their own ask again as soon as they are answered, while the block runs."""
    body = attack()

    def ask(over, number):
        source = (f"127.0.1.{number % 250 + 1}", 0)
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60, source_address=source)
        while not over.is_set():
            connection.request("POST", "/v1/evaluate?trace=all", body, {"Content-Type": "application/json"})
            response = connection.getresponse()
            response.read()
            answers.append(response.status)
            # Told to come back later, they do not listen; but this machine's other core is the server's, too.
            time.sleep(0.05)

    return load.beside(ask, GUESTS)


def memory(server, name):
    """A figure of the server's memory, in MiB: `VmRSS` now, `VmHWM` at its highest."""
    status = pathlib.Path(f"/proc/{server.process.pid}/status").read_text()
    return int(status.split(name + ":")[1].split()[0]) / 1024


def guests_part(rounds, seconds):
    """What writers wait alone and beside a hundred such guests, and how much memory these take."""
    answers = []
    with servers.gradecast(build.swift("gradecast")) as server:
        options = ["-f", people.plan(server, WRITERS), "-s", seconds, "-r", 200]
        load.run(client(), server, *options)
        pathlib.Path(f"/proc/{server.process.pid}/clear_refs").write_text("5")  # the highest so far is forgotten
        before = memory(server, "VmRSS")
        result = load.alone_and_beside(client(), server, options, rounds, guests=lambda: guests(server, answers))
        grown = memory(server, "VmHWM") - before
    counts = {status: answers.count(status) for status in sorted(set(answers))}
    print(f"  answers {counts}  memory {before:.0f} MiB and {grown:.1f} more", flush=True)
    alone, beside = (result.median(name, "answer_p99") / 1e3 for name in ("writers alone", "writers beside guests"))
    return [
        figure(
            f"{GUESTS} guests ask for {ITEMS} items explained; 200 grades/s beside them, sent → answer, p99", beside,
            "ms", 20, f"without them, {alone:.3g} ms; medians"),
        figure("… memory at its highest, more than before", grown, "MiB", 32),
    ]
