"""A class of many students over the API, for the parts that measure classes."""

import pathlib
import sqlite3

from harness import crowd, people, servers

STUDENT = "01a1fe60-0000-7000-8000-{:012x}"
CATEGORIES = ("exams", "labs", "assignments")
# What one account may do at once is no question here.
LIMITS = {
    "writesPerSecond": 100_000, "writeBurst": 1_000_000, "connectionsPerAccount": 5_000, "guestsPerAddress": 5_000,
}


def structure(items):
    """The steps that make three categories with `items` items in all."""
    steps = [
        {"op": "add", "kind": "category", "in": "#0", "fields": {"category": name, "weight": 20}} for name in CATEGORIES
    ]
    steps += [
        {"op": "add", "kind": "item", "in": f"#{number % len(CATEGORIES) + 1}", "fields": {"title": f"Item {number + 1}", "max": 100}}
        for number in range(items)
    ]
    return steps


def value(row, column):
    """A result from 0 to 100 with two decimals, another one in each cell."""
    return f"{(row * 7919 + column * 104_729) % 10_001 / 100:.2f}"


class Classroom:
    """A registrar's class of `students` students and `items` items, all of them graded."""

    def __init__(self, registrar, program, students, items, name="Benchmark"):
        self.registrar, self.program, self.columns = registrar, program, items
        fields = {"title": name, "quarter": 1, "year": 2027, "credits": 4}
        body = {"title": name, "root": "course", "fields": fields, "lines": structure(items)}
        made = registrar.call("POST", f"/v1/programs/{program}/classes", body)["class"]
        self.id, self.path = made["id"], f"/v1/classes/{made['id']}"
        lines = sorted(made["structure"]["lines"], key=lambda line: line["number"])
        self.categories = [line["id"] for line in lines if line["kind"] == "category"]
        self.lines = [line["id"] for line in lines if line["kind"] == "item"]
        self.rows = [
            registrar.call("POST", f"{self.path}/enrolments", {"student": student})["enrolment"]["id"]
            for student in students
        ]
        self.turn = 0

    def paste(self):
        """Enters another result into every cell, 12,000 in one act; how many."""
        self.turn += 1
        changes = [
            {"row": row, "line": line, "value": value(number + 31 * self.turn, column)}
            for number, row in enumerate(self.rows) for column, line in enumerate(self.lines)
        ]
        for start in range(0, len(changes), 12_000):
            answer = self.registrar.call("POST", f"{self.path}/cells", {"cells": changes[start:start + 12_000]})
            if answer["faults"]:
                raise RuntimeError(f"a paste was refused: {answer['faults'][:3]}")
        return len(changes)

    def weights(self):
        """Steps that give two categories other weights."""
        self.turn += 1
        shift = self.turn % 9 + 1
        return [
            {"op": "patch", "line": line, "fields": {"weight": weight}}
            for line, weight in zip(self.categories, (20 + shift, 20 - shift))
        ]


class School:
    """The demonstration with many students, and a program whose records classes and students keep."""

    def __init__(self, server, students):
        self.server = server
        crowd.wait_until_ready(server)
        institution = people.Api(server).call("GET", "/v1/institutions/demo")["institution"]["id"]
        server.stop()
        self.students = enrol(server, institution, students)
        server.start()
        self.registrar = crowd.Registrar(server)
        body = {"scheme": "rose-hulman", "title": "Taught", "entry": "both"}
        self.program = self.registrar.call("POST", "/v1/institutions/demo/programs", body)["program"]["id"]
        path = f"/v1/programs/{self.program}"
        digest = self.registrar.call("POST", f"{path}/rehearsals")["rehearsal"]
        while digest["state"] == "running":
            digest = self.registrar.call("GET", f"{path}/rehearsals/{digest['id']}")["rehearsal"]
        self.registrar.call("POST", f"{path}/publish", {"digest": digest["digest"]})

    def classroom(self, students, items, name="Benchmark"):
        made = Classroom(self.registrar, self.program, self.students[:students], items, name)
        made.paste()
        return made

    def record(self, items):
        """A record with one course of as many graded items as a class: its identifier, that of the course, and those of
        its items."""
        registrar = self.registrar
        record = registrar.call("POST", "/v1/records", {"program": self.program})["record"]["id"]
        categories = [
            {
                "kind": "category", "fields": {"category": name, "weight": 20},
                "children": [
                    {"kind": "item", "fields": {"title": f"Item {n + 1}", "max": 100, "score": value(1, n)}}
                    for n in range(place, items, len(CATEGORIES))
                ],
            }
            for place, name in enumerate(CATEGORIES)
            if place < items
        ]
        course = {"kind": "course", "fields": {"title": "Own", "quarter": 1, "year": 2027, "credits": 4}}
        registrar.call("POST", f"/v1/records/{record}/entries", course | {"children": categories})
        made = registrar.call("GET", f"/v1/records/{record}")["record"]["entries"][0]
        return record, made["id"], [item["id"] for category in made["children"] for item in category["children"]]


def enrol(server, institution, count):
    """Puts students of the institution into the file of a server that has stopped; their identifiers."""
    database = sqlite3.connect(server.folder / "data" / "gradecast.db", isolation_level=None)
    made = [STUDENT.format(number) for number in range(count)]
    columns = "login, display_name, description, gender, hue, locale, disabled, search, discoverable"
    database.execute("BEGIN")
    database.executemany(
        f"INSERT INTO accounts (id, created_at, {columns}) VALUES (?, 1, ?, ?, '', 'unspecified', 0, '', 0, '', 0)",
        ((one, f"student-{number}", f"Student {number:04}") for number, one in enumerate(made)),
    )
    database.executemany(
        "INSERT INTO memberships (institution, account, role, programs, since) VALUES (?, ?, 'student', '', 1)",
        ((institution, one) for one in made),
    )
    database.execute("COMMIT")
    database.close()
    return made


def school(binary, students):
    """A server to be entered with `with`, and what makes a school of it."""
    server = servers.gradecast(binary, {"limits": LIMITS})
    return server, lambda: School(server, students)


def writer_seconds(server):
    """What the thread that writes to the store has computed so far."""
    for task in pathlib.Path(f"/proc/{server.process.pid}/task").iterdir():
        if (task / "comm").read_text().strip() == "writer":
            return int((task / "schedstat").read_text().split()[0]) / 1e9
    raise RuntimeError("no thread writes")
