"""Programs as their registrars meet them, for tests of their life."""

import time
import uuid

from client import Api, Record, changed, next_page
from gradecast import PATIENCE
from oracle.build import category, item, rose_course

PAUSE = 0.02  # seconds between two looks at something that goes on


class Program:
    """A program of the demo as its registrar sees it."""

    # Whose records its registrar makes; `None` for the registrar's own.
    student = None

    def __init__(self, api, scheme, **more):
        self.api = api
        body = {"scheme": scheme, "title": f"Program {uuid.uuid4().hex[:8]}", "entry": "both", **more}
        answer = changed(api.post("/v1/institutions/demo/programs", body), 201)
        self.id = answer.json["program"]["id"]
        self.path = f"/v1/programs/{self.id}"
        if body["entry"] == "staff":
            # There nobody enters results of their own.
            student = Api(api.host, api.port, context=api.context).sign_up(displayName="Student")
            api.makes_member(student, "demo", "student", [])
            self.student = student.account["id"]

    @classmethod
    def of(cls, api, id):
        """A program that is there already."""
        program = cls.__new__(cls)
        program.api, program.id, program.path = api, id, f"/v1/programs/{id}"
        return program

    def edit(self, **body):
        return self.api.patch(self.path, body)

    def rehearse(self):
        """A rehearsal, to its end."""
        answer = changed(self.api.post(self.path + "/rehearsals"), 202)
        path = f"{self.path}/rehearsals/{answer.json['rehearsal']['id']}"
        assert answer.headers["Location"] == path
        return self.wait(path, "rehearsal")

    def wait(self, path, name):
        """The thing under `path` once it is no longer under way."""
        return until(lambda: self.api.get(path).json[name], lambda thing: thing["state"] not in ("running", "waiting"))

    def publish(self, digest=None, **more):
        digest = digest or self.rehearse()["digest"]
        return self.api.post(self.path + "/publish", {"digest": digest, **more})

    def changes(self, rehearsal, limit=200):
        """Every row that a rehearsal found."""
        rows, path = [], f"{self.path}/rehearsals/{rehearsal['id']}/changes?limit={limit}"
        while path:
            answer = changed(self.api.get(path))
            rows += answer.json["items"]
            path = next_page(answer)
        return rows

    def moved(self):
        """The newest move, once it has ended."""
        moves = self.path + "/moves"
        return until(lambda: self.api.get(moves).json["items"][0], lambda move: move["state"] == "done")

    def released(self):
        """The newest release, once it has ended."""
        releases = self.path + "/releases"
        return until(lambda: self.api.get(releases).json["items"][0], lambda one: one["state"] == "done")

    def record(self, entries=(), student=None, api=None):
        """A new record with entries."""
        api, student = api or self.api, student or self.student
        body = {"program": self.id} | ({"student": student} if student else {})
        record = Record(api, changed(api.post("/v1/records", body), 201).json["record"]["id"])
        if entries:
            changed(record.change(*({"op": "add"} | one for one in entries)))
        return record

    def cohort(self):
        return changed(self.api.get(self.path + "/cohort"))


def until(look, holds):
    """What `look` sees once it is right."""
    deadline = time.monotonic() + PATIENCE
    while not holds(seen := look()):
        assert time.monotonic() < deadline, seen
        time.sleep(PAUSE)
    return seen


def enrolled(server, registrar, role="student", programs=()):
    """A new account that belongs to the demo."""
    api = server.api().sign_up()
    registrar.makes_member(api, "demo", role, programs)
    return api


def graded(grade):
    """A course with one exam of that percentage."""
    return rose_course(category("exams", 100, [item("Final", score=grade, max=100)]), title="Algorithms")
