"""A class with students in it, made over the API for tests of its pages."""

from gallery import taught_program

LINES = [
    {"op": "add", "kind": "category", "in": "#0", "fields": {"category": "exams", "weight": 60}},
    {"op": "add", "kind": "category", "in": "#0", "fields": {"category": "labs", "weight": 40}},
    {"op": "add", "kind": "item", "in": "#1", "fields": {"title": "Midterm", "max": 100}},
    {"op": "add", "kind": "item", "in": "#2", "fields": {"title": "Lab 1", "max": 10}},
    {"op": "add", "kind": "item", "in": "#2", "fields": {"title": "Lab 2", "max": 10}, "posting": "manual"},
]

SMALL_PHONE = {"width": 320, "height": 568}


# By institution. Those who sign up in tests are left out, so it is asked once.
KNOWN: dict[str, list[dict]] = {}


def known_students(teacher, institution: str) -> list[dict]:
    """The students of a demonstration, in the order of their names."""
    if institution not in KNOWN:
        answer = teacher.api("GET", f"/v1/institutions/{institution}/members?role=student&limit=200")
        assert answer["status"] == 200, answer
        members = (item for item in answer["body"]["items"] if "person-" not in item["login"])
        KNOWN[institution] = sorted(members, key=lambda item: item["displayName"])
    return KNOWN[institution]


class Classroom:
    """A class of a teacher of the demonstration, with only as many of its students as needed, because each is a
    request."""

    def __init__(
        self, teacher, title: str = "Compilers", students: int = 4, lines=None, program=None, root="course", fields=None
    ):
        self.teacher, self.title = teacher, title
        self.program = program or taught_program(teacher, "rose-hulman")
        fields = {"title": title, **(fields or {"quarter": 1, "year": 2027, "credits": 4})}
        body = {"title": title, "root": root, "fields": fields, "lines": LINES if lines is None else lines}
        made = self.call("POST", f"/v1/programs/{self.program}/classes", body)["class"]
        self.path = f"/v1/classes/{made['id']}"
        self.page = f"/classes/{made['id']}"
        # In the order of the request, the root first.
        self.lines = [line["id"] for line in sorted(made["structure"]["lines"], key=lambda line: line["number"])]
        known = known_students(teacher, made["institution"])
        self.names = [item["displayName"] for item in known[:students]]
        self.rows = [
            self.call("POST", f"{self.path}/enrolments", {"student": item["account"]})["enrolment"]
            for item in known[:students]
        ]

    def call(self, method: str, path: str, body=None):
        answer = self.teacher.api(method, path, body)
        assert answer["status"] in (200, 201), answer
        return answer["body"]

    def teacher_elsewhere(self, newcomer, language=None, **context):
        """The teacher on another device, which may use another language."""
        state = self.teacher.context.storage_state()
        person = newcomer(storage_state=state, reduced_motion="reduce", **context)
        if language:
            person.context.add_init_script(f"localStorage.setItem('gradecast.language', '{language}')")
        return person

    def enter(self, row: int, line: int, value, by=None):
        """Enters a result from elsewhere."""
        path = f"{self.path}/rows/{self.rows[row]['id']}"
        answer = (by or self.teacher).api("PATCH", path, {"cells": {self.lines[line]: {"value": value}}})
        assert answer["status"] == 200, answer

    def values(self, line: int) -> list:
        """The texts on the server in a line, in the order of the students."""
        cells = [self.cell(row, line) for row in range(len(self.rows))]
        return [cell["value"] if isinstance(cell, dict) else cell for cell in cells]

    def cell(self, row: int, line: int):
        """One cell as the grid receives it."""
        columns = [column["line"] for column in self.call("GET", self.path)["class"]["columns"]]
        rows = {item["id"]: item for item in self.call("GET", f"{self.path}/rows")["rows"]}
        return rows[self.rows[row]["id"]]["cells"][columns.index(self.lines[line])]
