"""A class over HTTP, for tests."""

import copy
import time
import weakref

from client import changed

CONFIG = {
    "institutions": [
        {"slug": "demo", "title": "Demo", "open": True, "programs": [{"scheme": "iut", "title": "Year"}]},
        {
            "slug": "college",
            "title": "College",
            "open": False,
            "programs": [{"scheme": "rose-hulman", "title": "Computing", "entry": "both"}],
        },
    ]
}
LINES = [
    {"op": "add", "kind": "category", "in": "#0", "fields": {"category": "exams", "weight": 60}},
    {"op": "add", "kind": "category", "in": "#0", "fields": {"category": "labs", "weight": 40}},
    {"op": "add", "kind": "item", "in": "#1", "fields": {"title": "Final", "max": 100}},
    {"op": "add", "kind": "item", "in": "#2", "fields": {"title": "Lab 1", "max": 10}},
    {"op": "add", "kind": "item", "in": "#2", "fields": {"title": "Lab 2", "max": 10}, "posting": "manual"},
]
COURSE = {"title": "Algorithms", "quarter": 1, "year": 2027, "credits": 4}


ADMINISTRATORS = weakref.WeakKeyDictionary()
FRESH = 120  # seconds; what is done long after a sign-in asks for another proof


def administrator_of(server):
    """The server's administrator, whom rooms that are made soon after each other share."""
    api, since = ADMINISTRATORS.get(server, (None, 0))
    if time.monotonic() > since + FRESH:
        api = server.signed_in("administrator")
        ADMINISTRATORS[server] = api, time.monotonic()
    return api


class Room:
    """A class of a teacher with one student in it."""

    def __init__(self, server):
        self.server = server
        administrator = administrator_of(server)
        self.college = administrator.get("/v1/institutions/college").json["institution"]["id"]
        items = administrator.get(f"/v1/institutions/{self.college}/programs").json["items"]
        self.program = items[0]["id"]
        self.registrar, self.teacher, self.student = (server.api().sign_up() for _ in range(3))
        administrator.makes_member(self.registrar, self.college, "registrar", [])
        self.registrar.makes_member(self.teacher, self.college, "teacher", [self.program])
        self.registrar.makes_member(self.student, self.college, "student", [])
        self.teach("Algorithms")
        self.enrol()

    def teach(self, title, lines=LINES):
        """Founds the class."""
        body = {"title": title, "root": "course", "fields": COURSE | {"title": title}, "lines": lines}
        made = changed(self.teacher.post(f"/v1/programs/{self.program}/classes", body), 201).json["class"]
        self.path = f"/v1/classes/{made['id']}"
        self.structure = made["structure"]["s"]
        # In the order of the request.
        self.lines = [line["id"] for line in sorted(made["structure"]["lines"], key=lambda line: line["number"])]

    def enrol(self):
        """Takes the student into the class."""
        answer = self.teacher.post(f"{self.path}/enrolments", {"student": self.student.account["id"]})
        enrolment = changed(answer, 201).json["enrolment"]
        self.row, self.record, self.entry = enrolment["id"], enrolment["record"], enrolment["entry"]

    def another(self, title, lines=LINES):
        """Another class of the same teacher, without students."""
        room = copy.copy(self)
        room.teach(title, lines)
        return room

    def enter(self, line, by=None, **cell):
        return (by or self.teacher).patch(f"{self.path}/rows/{self.row}", {"cells": {self.lines[line]: cell}})

    def column(self, line):
        columns = self.teacher.get(self.path).json["class"]["columns"]
        return [column["line"] for column in columns].index(self.lines[line])

    def grade(self, by):
        standing = by.get(f"/v1/records/{self.record}/standing").json
        return standing["entries"][self.entry]["figures"]["grade"]["display"]
