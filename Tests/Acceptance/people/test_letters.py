"""Letters as results of a class, and fields of each student in a line that takes no results."""

import csv
import io

import pytest
from programs import Program, enrolled, until

import gradecast
from client import changed
from live import Live

DOCUMENTS = gradecast.ROOT / "GradingKit" / "Sources" / "RegulationLibrary" / "Documents"
# Children are in the order of the request.
MODULE = [
    {"op": "add", "kind": "component", "in": "#0", "fields": {"title": "Essay", "weight": 40}},
    {"op": "add", "kind": "component", "in": "#0", "fields": {"title": "Examination", "weight": 60}},
]
WORDS = """# Words

## §1 Talk

```rules
regulation words "Words" language 1
rounding shown half up, 1 decimal, judged as shown
entry talk "Talk"
    title "Title" text
    prepared "Prepared" yes/no optional per student
figure worth of talk in points "Points" shown by shown without range = if prepared then 1 in points else 0 in points
```
"""
RESITS = """# Resits

## §1 Module

```rules
regulation resits "Resits" language 1
scale points "Points" worst 0 best 20 step 1
rounding whole half up, 0 decimals, judged as shown
bands letters in points judged by whole worth points
    A 16 20
    B 12 14
    C 10 11
    F 0 0
entry module "Module"
    title "Title" text
entry exam in module "Examination"
    title "Title" text
    mark "Mark" {type}
    resit "Resit" {type} per student
figure value of exam in points "Points" shown by whole = resit otherwise mark
figure result of module in points "Result" shown by whole = mean of value over exam otherwise ungraded
```
"""
EXAM = [{"op": "add", "kind": "exam", "in": "#0", "fields": {"title": "Essay"}}]


class Taught:
    """A class under a document, with one student in it."""

    def __init__(self, server, registrar, document, root, fields, steps):
        self.registrar = registrar
        self.program = Program(registrar, "regulations", configuration={"document": document}, entry="staff")
        changed(self.program.publish())
        self.answer = self.founded(root, fields, steps)
        made = changed(self.answer, 201).json["class"]
        self.path = f"/v1/classes/{made['id']}"
        self.columns = made["columns"]
        self.lines = [line["id"] for line in sorted(made["structure"]["lines"], key=lambda line: line["number"])]
        self.student = enrolled(server, registrar)
        answer = registrar.post(f"{self.path}/enrolments", {"student": self.student.account["id"]})
        enrolment = changed(answer, 201).json["enrolment"]
        self.row, self.record, self.entry = enrolment["id"], enrolment["record"], enrolment["entry"]

    def founded(self, root, fields, steps):
        body = {"title": "Class", "root": root, "fields": fields, "lines": steps}
        return self.registrar.post(f"{self.program.path}/classes", body)

    def enter(self, line, **cell):
        return self.registrar.patch(f"{self.path}/rows/{self.row}", {"cells": {self.lines[line]: cell}})

    def figures(self):
        standing = changed(self.student.get(f"/v1/records/{self.record}/standing")).json
        return {name: figure["exact"] for name, figure in standing["entries"][self.entry]["figures"].items()}

    def exported(self):
        """The only row of the class as a file, by the keys of the columns."""
        answer = changed(self.registrar.get(f"{self.path}/export?format=csv"))
        _, keys, row = csv.reader(io.StringIO(answer.body.decode("utf-8"), newline=""))
        return dict(zip(keys, row, strict=True))


@pytest.fixture
def exam(server, registrar):
    text = (DOCUMENTS / "italy-110.md").read_text()
    return Taught(server, registrar, text, "exam", {"title": "Analisi", "credits": 9}, [])


@pytest.fixture
def module(server, registrar):
    text = (DOCUMENTS / "dublin.md").read_text()
    return Taught(server, registrar, text, "module", {"title": "Ecology", "stage": "final", "credits": 5}, MODULE)


def test_the_root_of_a_class_takes_a_letter_and_nothing_else(exam):
    (column,) = exam.columns
    assert (column["line"], column["grade"]) == (exam.lines[0], "mark")
    assert [choice["value"] for choice in column["takes"]["choices"]][:2] == ["30 e lode", "30"]
    for wrong in ("31", "A", "17"):
        refused = exam.enter(0, value=wrong)
        (fault,) = refused.json["faults"]
        assert (refused.status, fault["code"]) == (422, "out_of_range"), refused
        assert (fault["path"], "30 e lode" in fault["message"]) == (f"/cells/{exam.lines[0]}/value", True)
    changed(exam.enter(0, value="30 E LODE"))
    (row,) = changed(exam.registrar.get(f"{exam.path}/rows")).json["rows"]
    assert row["cells"] == ["30 e lode"]
    assembled = changed(exam.student.get(f"/v1/records/{exam.record}/assembled")).json
    assert assembled["record"]["entries"][0]["fields"]["mark"] == "30 e lode"
    assert assembled["standing"]["figures"]["average"]["exact"] == "32"


def test_letters_are_exported_and_imported_as_their_labels(module):
    changed(module.enter(1, value="B+"))
    row = module.exported()
    assert (row[module.lines[1]], row[module.lines[2]]) == ("B+", "")
    cells = [{"row": row["row"], "line": module.lines[1], "value": "A-", "was": {"value": "B+"}}]
    cells += [{"row": row["row"], "line": module.lines[2], "value": "E1"}]
    answer = changed(module.registrar.post(f"{module.path}/cells?mode=each", {"cells": cells}))
    assert answer.json["accepted"] == 1
    (fault,) = answer.json["faults"]
    assert (fault["path"], fault["code"]) == ("/cells/1/value", "out_of_range")
    assert module.exported()[module.lines[1]] == "A-"


def test_a_goal_of_a_student_names_a_letter(module):
    changed(module.enter(1, value="B"))
    goal = {"entry": module.entry, "figure": "result", "target": 17.5}
    answer = changed(module.student.post(f"/v1/records/{module.record}/goals", goal)).json
    # 0.4 of 16.5 and 0.6 of 18.5 are 17.7; with a B+ they are 17.1.
    assert [(one["entry"], one["field"], one["letter"]) for one in answer["inputs"]] == [
        (module.lines[2], "grade", "A-")
    ]


def test_what_is_each_students_own_in_a_line_without_results_is_a_cell(module):
    column = module.columns[0]
    assert (column["line"], column["grade"], column["statuses"]) == (module.lines[0], None, [])
    assert [field["name"] for field in column["fields"]] == ["resit"]
    assert [other["line"] for other in module.columns[1:]] == module.lines[1:]
    for line in (1, 2):
        changed(module.enter(line, value="A"))
    assert module.figures()["point"] == "4"
    changed(module.enter(0, fields={"resit": True}, was={"value": None}))
    assert module.figures()["point"] == "2"
    (row,) = changed(module.registrar.get(f"{module.path}/rows")).json["rows"]
    assert row["cells"][0]["fields"] == {"resit": "true"}
    assert module.exported()[f"{module.lines[0]}/resit"] == "true"
    assert module.lines[0] not in module.exported()
    for cell, member in (({"value": "A"}, "value"), ({"status": "missing"}, "status"), ({"late": 60}, "late")):
        refused = module.enter(0, **cell)
        assert (refused.status, refused.json["faults"][0]["path"]) == (422, f"/cells/{module.lines[0]}/{member}")
    statistics = changed(module.registrar.get(f"{module.path}/statistics")).json
    assert [column["line"] for column in statistics["columns"]] == module.lines[1:]
    # The total keeps its own status beside the cell.
    given = {"rows": [{"row": module.row, "status": "pending"}], "reason": "Board"}
    changed(module.registrar.post(f"{module.path}/override", given))
    assert module.exported()["status"] == "pending"
    (row,) = changed(module.registrar.get(f"{module.path}/rows")).json["rows"]
    assert (row["status"], row["cells"][0]["fields"]) == ("pending", {"resit": "true"})


def test_what_is_each_students_own_is_not_set_for_the_class(module):
    refused = module.founded("module", {"title": "Ecology", "stage": "final", "credits": 5, "resit": True}, MODULE)
    (fault,) = refused.json["faults"]
    assert (refused.status, fault["code"]) == (422, "not_in_structure")
    assert fault["path"].endswith("/fields/resit")
    step = {"op": "patch", "line": module.lines[0], "fields": {"resit": True}}
    refused = module.registrar.post(f"{module.path}/changes", {"changes": [step]})
    assert (refused.status, refused.json["faults"][0]["code"]) == (422, "not_in_structure")


def test_a_class_in_which_nothing_but_such_a_field_is_entered(server, registrar):
    taught = Taught(server, registrar, WORDS, "talk", {"title": "Introduction"}, [])
    (column,) = taught.columns
    assert (column["grade"], [field["name"] for field in column["fields"]]) == (None, ["prepared"])
    changed(taught.enter(0, fields={"prepared": True}))
    assert taught.figures()["worth"] == "1"


def told(student):
    """The results of which the student's feed tells, by what they are called."""
    items = changed(student.get("/v1/feed")).json["items"]
    results = [result for line in items for result in line.get("results", [])]
    return {result["label"]["en"]: result["after"]["value"]["en"] for result in results}


def test_a_second_grade_of_each_student_is_a_field_beside_the_result(server, registrar):
    taught = Taught(server, registrar, RESITS.format(type="letter of letters"), "module", {"title": "Logic"}, EXAM)
    (column,) = taught.columns
    assert (column["grade"], [field["name"] for field in column["fields"]]) == ("mark", ["resit"])
    assert [choice["value"] for choice in column["fields"][0]["choices"]] == ["A", "B", "C", "F"]
    refused = taught.enter(1, fields={"resit": "G"})
    assert refused.faults == [("out_of_range", f"/cells/{taught.lines[1]}/fields/resit")]
    changed(taught.enter(1, value="F"))
    changed(taught.enter(1, fields={"resit": "b"}))
    assert taught.figures()["result"] == "14"
    (row,) = changed(registrar.get(f"{taught.path}/rows")).json["rows"]
    assert (row["cells"][0]["value"], row["cells"][0]["fields"]) == ("F", {"resit": "B"})
    exported = taught.exported()
    assert (exported[taught.lines[1]], exported[f"{taught.lines[1]}/resit"]) == ("F", "B")
    until(lambda: told(taught.student), {"Essay": "F", "Essay: Resit": "B"}.__eq__)
    # Who sees no result sees none of its grades.
    changed(taught.enter(1, held=True))
    assembled = changed(taught.student.get(f"/v1/records/{taught.record}/assembled")).json
    fields = assembled["record"]["entries"][0]["children"][0]["fields"]
    assert fields == {"title": "Essay", "mark": None, "resit": None}
    statistics = changed(registrar.get(f"{taught.path}/statistics")).json
    assert [one["line"] for one in statistics["columns"]] == [taught.lines[1]]


def test_a_second_grade_out_of_range_is_told_at_its_place(server, registrar):
    taught = Taught(server, registrar, RESITS.format(type="grade in points"), "module", {"title": "Logic"}, EXAM)
    cell = f"/cells/{taught.lines[1]}"
    assert taught.enter(1, fields={"resit": 25}).faults == [("out_of_range", f"{cell}/fields/resit")]
    assert taught.enter(1, value=25).faults == [("out_of_range", cell)]
    both = taught.enter(1, value=25, fields={"resit": -1})
    assert sorted(both.faults) == [("out_of_range", cell), ("out_of_range", f"{cell}/fields/resit")]


def test_a_curve_and_a_deduction_leave_a_resit_as_it_is(server, registrar):
    taught = Taught(server, registrar, RESITS.format(type="grade in points"), "module", {"title": "Logic"}, EXAM)
    curve = {"op": "patch", "line": taught.lines[1], "curve": {"op": "add", "value": 5}}
    changed(registrar.post(f"{taught.path}/changes", {"changes": [curve]}))
    changed(taught.enter(1, value=6))
    assert taught.figures()["result"] == "11"
    changed(taught.enter(1, fields={"resit": 13}))
    assert taught.figures()["result"] == "13"


def test_a_row_says_what_counts_beside_a_second_grade(server, registrar):
    document = RESITS.format(type="grade in points").replace('"Examination"', '"Examination" statuses excused, absent')
    taught = Taught(server, registrar, document, "module", {"title": "Logic"}, EXAM)
    assert taught.columns[0]["setsAside"] == ["excused", "absent"]
    curve = {"op": "patch", "line": taught.lines[1], "curve": {"op": "add", "value": 5}}
    changed(registrar.post(f"{taught.path}/changes", {"changes": [curve]}))

    def line():
        row = changed(registrar.get(f"{taught.path}/rows/{taught.row}")).json
        assert changed(taught.student.get(f"/v1/rows/{taught.row}")).json["lines"] == row["lines"]
        return row["lines"][taught.lines[1]]

    changed(taught.enter(1, value=6))
    assert line() == {"why": "curve", "counts": "11"}
    # The rules decide what counts of two grades.
    changed(taught.enter(1, fields={"resit": 13}))
    assert taught.lines[1] not in changed(taught.student.get(f"/v1/rows/{taught.row}")).json["lines"]
    changed(taught.enter(1, status="excused"))
    assert line() == {"setAside": True}


def test_a_row_names_the_grade_that_is_the_result_where_another_one_comes_first(server, registrar):
    mark, resit = '    mark "Mark" grade in points\n', '    resit "Resit" grade in points per student\n'
    document = RESITS.format(type="grade in points").replace(mark + resit, resit + mark)
    steps = [{**step, "grade": "mark"} for step in EXAM]
    taught = Taught(server, registrar, document, "module", {"title": "Logic"}, steps)
    lines = changed(taught.student.get(f"/v1/rows/{taught.row}")).json["lines"]
    assert lines == {taught.lines[1]: {"grade": "mark"}}


def test_a_resit_that_nobody_has_entered_widens_no_range(server, registrar):
    taught = Taught(server, registrar, RESITS.format(type="letter of letters"), "module", {"title": "Logic"}, EXAM)
    changed(taught.enter(1, value="C"))
    standing = changed(taught.student.get(f"/v1/records/{taught.record}/standing")).json
    result = standing["entries"][taught.entry]["figures"]["result"]
    assert (result["floor"], result["display"], result["ceiling"]) == ("11", "11", "11")
    goal = {"entry": taught.entry, "figure": "result", "target": 14}
    answer = changed(taught.student.post(f"/v1/records/{taught.record}/goals", goal)).json
    assert (answer["status"], answer["inputs"]) == ("out_of_reach", [])


def test_a_draft_that_has_no_place_for_a_resit_is_not_published_with_a_move(server, registrar):
    text = RESITS.format(type="grade in points")
    taught = Taught(server, registrar, text, "module", {"title": "Logic"}, EXAM)
    changed(taught.enter(1, value=6))
    changed(taught.enter(1, fields={"resit": 13}))
    dropped = text.replace('    resit "Resit" grade in points per student\n', "").replace(
        "resit otherwise mark", "mark"
    )
    program = taught.program
    changed(program.edit(configuration={"document": dropped}))
    rehearsal = program.rehearse()
    assert rehearsal["counts"]["lost"] == 1
    (lost,) = (change for change in program.changes(rehearsal) if change["kind"] == "lost")
    assert (lost["path"], lost["figure"], lost["before"]) == (["Logic", "Essay"], "resit", "13")
    refused = program.publish(rehearsal["digest"], records="move")
    assert refused.faults == [("would_lose", "/records")]


@pytest.fixture
def talk(server, registrar):
    return Taught(server, registrar, RESITS.format(type="grade in points"), "module", {"title": "Logic"}, EXAM)


def test_no_resit_is_overwritten_by_somebody_who_has_not_seen_it(talk):
    place = f"/cells/{talk.lines[1]}"
    changed(talk.enter(1, value=6, fields={"resit": 11}))
    changed(talk.enter(1, fields={"resit": 12}, was={"fields": {"resit": 11}}))
    refused = talk.enter(1, fields={"resit": 13}, was={"fields": {"resit": "11.0"}})
    (fault,) = refused.json["faults"]
    assert (refused.status, fault["code"], fault["path"]) == (409, "cell_conflict", place)
    assert fault["args"]["fields"] == {"resit": 12}
    # What is there already is no conflict, and the result is none with a condition on the resit alone.
    changed(talk.enter(1, fields={"resit": 12}, was={"fields": {"resit": 11}}))
    changed(talk.enter(1, fields={"resit": 14}, was={"fields": {"resit": 12}}))
    assert talk.figures()["result"] == "14"
    both = {"value": 7, "fields": {"resit": 15}, "was": {"value": 6, "fields": {"resit": None}}}
    assert talk.enter(1, **both).status == 409
    for wrong, path in (({"fields": 1}, "/fields"), ({"fields": {}, "late": "x"}, "/late")):
        assert talk.enter(1, value=7, was=wrong).faults == [("wrong_type", f"{place}/was{path}")]
    assert talk.enter(1, fields={"resit": 15}, was={"fields": {"mark": 6, "resit": "x"}}).status == 409
    assert talk.exported()[f"{talk.lines[1]}/resit"] == "14"


def test_a_resit_that_is_set_twice_in_one_act_needs_a_condition_on_it(talk):
    first = {"row": talk.row, "line": talk.lines[1], "fields": {"resit": 11}}
    second = first | {"fields": {"resit": 12}}
    for was, status in (({"value": None}, 422), ({"fields": {"resit": 11}}, 200)):
        answer = talk.registrar.post(f"{talk.path}/cells", {"cells": [first, second | {"was": was}]})
        assert answer.status == status, answer
    assert talk.exported()[f"{talk.lines[1]}/resit"] == "12"


def test_a_correction_of_a_resit_is_refused_once_another_one_has_changed_it(server, registrar, talk):
    changed(talk.enter(1, value=6, fields={"resit": 11}))
    changed(registrar.patch(talk.path, {"state": "closed"}))
    asked = []
    for resit in (18, 12):
        cell = {"row": talk.row, "line": talk.lines[1], "fields": {"resit": resit}}
        answer = registrar.post(f"{talk.path}/corrections", {"cells": [cell], "reason": "Page 4"})
        asked.append(changed(answer, 201).json["correction"]["id"])
    other = server.api().sign_up()
    institution = registrar.get(talk.path).json["class"]["institution"]
    registrar.makes_member(other, institution, "registrar", [])
    changed(other.post(f"{talk.path}/corrections/{asked[1]}/approve"))
    refused = other.post(f"{talk.path}/corrections/{asked[0]}/approve")
    assert (refused.status, refused.json["faults"][0]["code"]) == (409, "cell_conflict")
    assert talk.exported()[f"{talk.lines[1]}/resit"] == "12"


def test_a_resit_counts_no_sooner_than_the_result_of_two_markers(talk):
    marking = {"op": "patch", "line": talk.lines[1], "marking": {"mode": "double", "tolerance": "1", "rule": "mean"}}
    changed(talk.registrar.post(f"{talk.path}/changes", {"changes": [marking]}))
    changed(talk.enter(1, mark=5))
    refused = talk.enter(1, fields={"resit": 18})
    assert refused.faults == [("needs_two_marks", f"/cells/{talk.lines[1]}/fields/resit")]
    changed(talk.enter(1, fields={"resit": None}))


def test_a_grader_of_one_line_enters_its_resit_and_no_other_and_hears_of_both(server, registrar):
    steps = EXAM + [{"op": "add", "kind": "exam", "in": "#0", "fields": {"title": "Oral"}}]
    taught = Taught(server, registrar, RESITS.format(type="grade in points"), "module", {"title": "Logic"}, steps)
    grader = enrolled(server, registrar, "teacher", [taught.program.id])
    member = {"account": grader.account["id"], "role": "grader", "lines": [taught.lines[1]]}
    changed(registrar.post(f"{taught.path}/staff", member))

    def entered(line, by=grader, **cell):
        return by.patch(f"{taught.path}/rows/{taught.row}", {"cells": {taught.lines[line]: cell}})

    live = Live(server, grader.token)
    live.send({"t": "sub", "topic": f"grid/{taught.path.rsplit('/', 1)[-1]}"})
    live.next("rows")
    changed(entered(1, fields={"resit": 11}))
    assert [row["cells"][0]["fields"] for row in live.next("rows")["rows"]] == [{"resit": "11"}]
    assert entered(2, fields={"resit": 11}).faults == [("line_not_assigned", f"/cells/{taught.lines[2]}/line")]
    assert entered(1, by=taught.student, fields={"resit": 20}).status == 404
    changed(entered(2, by=registrar, fields={"resit": 12}))
    assert [row["cells"][1]["fields"] for row in live.next("rows")["rows"]] == [{"resit": "12"}]
    live.close()
    assert taught.exported()[f"{taught.lines[2]}/resit"] == "12"
