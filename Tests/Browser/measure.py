"""Measures how fast the page shows a record of 1,000 entries, and a change that somebody else makes in it: `measure.py
[SCHEME…]`. It prints medians and the slowest; the figures apply only to this machine at this moment."""

import os
import pathlib
import statistics
import sys
import tempfile

import board
from conftest import Person, Server
from playwright.sync_api import expect, sync_playwright

VIEWS, CHANGES = 5, 20
# When a message arrived, and when the page was laid out with it.
WATCH = """
    window.came = 0;
    window.drawn = 0;
    const Native = WebSocket;
    window.WebSocket = class extends Native {
        constructor(...args) {
            super(...args);
            this.addEventListener('message', event => {
                if (event.data.includes('"t":"state"')) window.came = performance.now();
            });
        }
    };
    new MutationObserver(() => {
        document.body.getBoundingClientRect();
        if (window.came > 0 && window.drawn === 0) window.drawn = performance.now();
        if (!window.first && document.querySelector(window.readyWhen)) window.first = performance.now();
    }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
"""
LATENCY = "() => window.drawn > 0 ? window.drawn - window.came : null"


def courses_on_a_board() -> list[dict]:
    names = ("Assignments", "Midterm", "Final")

    def course(number):
        children = [
            {"kind": "assessment", "fields": {"name": name, "points": 80 + number % 20, "max": 100, "weight": weight}}
            for name, weight in zip(names, (30, 30, 40), strict=True)
        ]
        return {"kind": "course", "fields": {"title": f"Course {number}", "credits": 3}, "children": children}

    return [course(number) for number in range(100)]


def items(count) -> list[dict]:
    return [{"kind": "item", "fields": {"title": f"Item {n}", "score": 70 + n % 30, "max": 100}} for n in range(count)]


def courses() -> list[dict]:
    """One course with entries of nearly every kind, open, and some others."""
    long = {"kind": "category", "fields": {"category": "assignments", "weight": 50}, "children": items(950)}
    fields = {"title": "Long", "quarter": 1, "year": 2027, "credits": 4}
    others = [
        {"kind": "course", "fields": fields | {"title": f"Course {n}", "quarter": 1 + n % 4, "year": 2020 + n // 8}}
        for n in range(47)
    ]
    return [{"kind": "course", "fields": fields, "children": [long]}, *others]


def units() -> list[dict]:
    def unit(number):
        subjects = [
            {"kind": "subject", "fields": {"title": f"Subject {number}.{n}", "weight": 1 + n % 3, "grade": n % 20}}
            for n in range(24)
        ]
        fields = {"title": f"Unit {number}", "code": number, "weight": 10, "professional": number % 4 == 0}
        return {"kind": "unit", "fields": fields, "children": subjects}

    return [unit(number) for number in range(1, 41)]


SHAPES = {
    "chalkboard": (courses_on_a_board, "assessment", "points", ".board-line"),
    "rose-hulman": (courses, "item", "score", ".course"),
    "iut": (units, "subject", "grade", ".subject"),
}


def walk(entries):
    for entry in entries:
        yield entry
        yield from walk(entry["children"])


def program_of_many(registrar) -> str:
    """A chalkboard with as many courses as the scheme allows."""
    body = {"scheme": "chalkboard", "title": "Long boards", "entry": "both"}
    program = registrar.api("POST", "/v1/institutions/demo/programs", body)["body"]["program"]
    path = f"/v1/programs/{program['id']}"
    registrar.api("PATCH", path, {"configuration": program["draft"]["configuration"] | {"courseLimit": 100}})
    board.publish(registrar, path)
    return program["id"]


def fill(person, registrar, scheme: str) -> str:
    if scheme == "chalkboard":
        program = program_of_many(registrar)
    else:
        programs = person.api("GET", "/v1/institutions/demo/programs?limit=200")["body"]["items"]
        program = next(one["id"] for one in programs if one["scheme"] == scheme and one["entry"] != "staff")
    record = person.api("POST", "/v1/records", {"program": program})["body"]["record"]["id"]
    make = SHAPES[scheme][0]
    path = f"/v1/records/{record}"
    for entry in make():
        answer = person.api("POST", path + "/entries", entry)
        assert answer["status"] == 201, answer
    return record


class Clock:
    """The processor time of the page's scripts, in milliseconds: time spent waiting for the machine does not count."""

    def __init__(self, page):
        self.session = page.context.new_cdp_session(page)
        self.session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def read(self) -> float:
        metrics = self.session.send("Performance.getMetrics")["metrics"]
        return 1000 * next(item["value"] for item in metrics if item["name"] == "ScriptDuration")


def measure(browser, url: str, registrar, scheme: str):
    person = Person(browser, url).sign_up()
    record = fill(person, registrar, scheme)
    _, kind, field, ready = SHAPES[scheme]
    state = person.context.storage_state()
    reader = Person(browser, url, storage_state=state)
    reader.page.add_init_script(WATCH + f"window.readyWhen = '{ready}';")
    clock = Clock(reader.page)
    views, work = [], []
    for _ in range(VIEWS):
        reader.page.goto(f"{url}/records/{record}")
        expect(reader.page.locator(ready).first).to_be_visible()
        views.append(reader.page.evaluate("window.first"))
        work.append(clock.read())
    if scheme == "rose-hulman":
        reader.page.locator(".course-open", has_text="Long").click()
        expect(reader.page.locator(".item-line").nth(900)).to_be_attached()
    expect(reader.page.locator('.connection[data-kind="live"]')).to_be_visible()
    entries = [e for e in walk(person.api("GET", f"/v1/records/{record}")["body"]["record"]["entries"]) if e["kind"] == kind]
    changes, costs = [], []
    for number in range(CHANGES):
        reader.page.evaluate("window.came = window.drawn = 0")
        began = clock.read()
        entry = entries[number * 37 % len(entries)]
        path = f"/v1/records/{record}/entries/{entry['id']}"
        answer = person.api("PATCH", path, {"fields": {field: 10 + number % 7}})
        assert answer["status"] == 200, answer
        reader.page.wait_for_function(LATENCY)
        changes.append(reader.page.evaluate(LATENCY))
        costs.append(clock.read() - began)
    nodes = reader.page.evaluate("document.querySelectorAll('*').length")
    size = reader.page.evaluate(
        "async path => (await (await fetch(path)).arrayBuffer()).byteLength", f"/v1/records/{record}"
    )
    for one in (person, reader):
        one.context.close()
    print(
        f"{scheme:12} {len(entries)} of kind {kind}, {size / 1000:.0f} kB, {nodes} elements"
        f" · first view {statistics.median(views):.0f} ms (at most {max(views):.0f}), {statistics.median(work):.0f} ms of script"
        f" · a change {statistics.median(changes):.1f} ms (at most {max(changes):.1f}), {statistics.median(costs):.1f} ms of script",
        flush=True,
    )


def main(wanted: list[str]):
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        server = Server(pathlib.Path(data)).start()
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium-headless-shell"), args=["--no-sandbox"]
        )
        try:
            registrar = Person(browser, server.url).sign_in(*server.sign_ins()["registrar"].values())
            for scheme in wanted or SHAPES:
                measure(browser, server.url, registrar, scheme)
        finally:
            browser.close()
            server.stop()


if __name__ == "__main__":
    main(sys.argv[1:])
