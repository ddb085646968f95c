"""A draft that calls kinds and fields by other names: what would be lost, and what `was` keeps."""

import pytest
from programs import Program, enrolled

from client import changed

BEFORE = """# Course

```rules
regulation course "Course" language 1
rounding shown half up, 1 decimal, judged as shown
entry course
    title text
entry item in course
    title text
    score grade out of max
    max number above 0
    remark text optional
figure result of course in percent "Result" shown by shown = ratio of score to max over item as percent
figure total in percent "Total" shown by shown = mean of result over course
```
"""
RENAMED = (
    BEFORE.replace("entry item in course", "entry task in course")
    .replace("score grade out of max", "points grade out of maximum")
    .replace("max number above 0", "maximum number above 0")
    .replace("ratio of score to max over item", "ratio of points to maximum over task")
    .replace("    remark text optional\n", "")
)
TOLD = (
    RENAMED.replace("entry task in course", "entry task in course was item")
    .replace("out of maximum", "out of maximum was score")
    .replace("maximum number above 0", "maximum number above 0 was max")
)


def item(title, **fields):
    return {"kind": "item", "fields": {"title": title, **fields}}


@pytest.fixture
def program(registrar):
    program = Program(registrar, "regulations", configuration={"document": BEFORE})
    changed(program.publish())
    return program


@pytest.fixture
def record(program):
    course = {"kind": "course", "fields": {"title": "Algorithms"}}
    course["children"] = [item("First", score=8, max=10, remark="late"), item("Second", score=6, max=10)]
    return program.record([course])


def test_what_a_draft_has_no_place_for_is_counted_and_keeps_records_where_they_are(program, record):
    changed(program.edit(configuration={"document": RENAMED}))
    rehearsal = program.rehearse()
    # The record's two entries with all that stands in them; its total is not there any more either.
    assert (rehearsal["counts"]["lost"], rehearsal["counts"]["refused"]) == (2, 0)
    lost = [row for row in program.changes(rehearsal) if row["kind"] == "lost"]
    assert [(row["path"], row["figure"], row["before"], row["after"]) for row in lost] == [
        (["Algorithms", "First"], None, "item", None),
        (["Algorithms", "Second"], None, "item", None),
    ]
    refused = program.publish(rehearsal["digest"], records="move")
    assert refused.status == 422
    assert [(fault["code"], fault["path"]) for fault in refused.json["faults"]] == [("would_lose", "/records")]
    changed(program.publish(rehearsal["digest"], records="keep"))
    assert record.entries[0]["children"][0]["fields"]["score"] == 8


def test_a_renamed_kind_and_its_fields_keep_their_values_when_the_record_moves(program, record):
    changed(program.edit(configuration={"document": TOLD}))
    rehearsal = program.rehearse()
    rows = program.changes(rehearsal)
    assert [(row["kind"], row["figure"], row["before"]) for row in rows] == [("lost", "remark", "late")]
    changed(program.edit(configuration={"document": TOLD.replace("was max", "was max\n    remark text optional")}))
    rehearsal = program.rehearse()
    assert rehearsal["counts"]["records"] == 0
    changed(program.publish(rehearsal["digest"], records="move"))
    assert program.moved()["changed"] == 1
    first = record.entries[0]["children"][0]
    assert (first["kind"], first["fields"]["points"], first["fields"]["maximum"]) == ("task", 8, 10)
    assert changed(record.api.get(record.path + "/standing")).json["figures"]["total"]["display"] == "70.0"
    described = changed(record.api.get(program.path + "/description")).json["shape"]["kinds"]
    assert [kind.get("was") for kind in described] == [None, ["item"]]
    # What was done before the move can still be undone.
    changed(record.patch(first["id"], {"points": 9}))
    changed(record.api.post(record.path + "/undo"))
    assert record.entries[0]["children"][0]["fields"]["points"] == 8


def test_a_class_is_read_through_a_rename(server, registrar, program):
    student = enrolled(server, registrar)
    lines = [
        {"op": "add", "kind": "item", "in": "#0", "fields": {"title": "First", "max": 10}},
        {"op": "add", "kind": "item", "in": "#0", "fields": {"title": "Second", "max": 20}},
    ]
    body = {"title": "Algorithms", "root": "course", "fields": {"title": "Algorithms"}, "lines": lines}
    made = changed(registrar.post(f"{program.path}/classes", body), 201).json["class"]
    path, names = f"/v1/classes/{made['id']}", [line["id"] for line in made["structure"]["lines"]]
    answer = changed(registrar.post(f"{path}/enrolments", {"student": student.account["id"]}), 201)
    row, record = (answer.json["enrolment"][name] for name in ("id", "record"))

    def enter(line, value):
        return registrar.patch(f"{path}/rows/{row}", {"cells": {names[line]: {"value": value}}})

    def cells():
        return changed(registrar.get(f"{path}/rows")).json["rows"][0]["cells"]

    def result():
        standing = changed(registrar.get(f"/v1/records/{record}/standing")).json
        return standing["figures"]["total"]["display"]

    changed(enter(1, 8))
    assert (cells(), result()) == (["8", None], "80.0")
    changed(program.edit(configuration={"document": TOLD.replace("was max", "was max\n    remark text optional")}))
    changed(program.publish(records="keep"))
    columns = changed(registrar.get(path)).json["class"]["columns"]
    assert [column["grade"] for column in columns] == ["points", "points"]
    assert cells() == ["8", None]
    # The row follows the version that judges its record, whichever names that has.
    changed(enter(2, 10))
    assert (cells(), result()) == (["8", "10"], "60.0")
    steps = [
        {"op": "patch", "line": names[1], "fields": {"maximum": 16}},
        {"op": "add", "kind": "task", "in": names[0], "fields": {"title": "Third", "maximum": 4}},
    ]
    changed(registrar.post(f"{path}/changes", {"changes": steps}))
    assert result() == "50.0"
    lines = changed(registrar.get(path)).json["class"]["structure"]["lines"]
    assert [(line["kind"], line["fields"].get("maximum")) for line in lines[1:]] == [
        ("task", 16),
        ("task", 20),
        ("task", 4),
    ]


def test_what_a_jury_gave_follows_a_renamed_figure_and_outcome(server, registrar, program):
    course = {"kind": "course", "fields": {"title": "Algorithms"}, "children": [item("First", score=7, max=10)]}
    record = program.record([course], api=enrolled(server, registrar))
    decided = """outcome passed "Passed"
    needs total reaches 80 else too_low
texts
    too_low "Too low"
```
"""
    document = BEFORE.removesuffix("```\n") + decided
    changed(program.edit(configuration={"document": document}))
    changed(program.publish(records="move"))
    program.moved()
    given = {"given": {"figures": {"total": "81"}, "outcomes": {"passed": "met"}}, "reason": "Jury"}
    changed(registrar.patch(record.path, given))
    renamed = document.replace("figure total in", "figure overall in").replace("needs total", "needs overall")
    renamed = renamed.replace("outcome passed", "outcome achieved")
    changed(program.edit(configuration={"document": renamed}))
    rehearsal = program.rehearse()
    assert rehearsal["counts"]["lost"] == 2
    told = renamed.replace('"Total" shown', '"Overall" was total shown').replace('"Passed"', '"Achieved" was passed')
    changed(program.edit(configuration={"document": told}))
    rehearsal = program.rehearse()
    assert (rehearsal["counts"]["lost"], rehearsal["counts"]["records"]) == (0, 0)
    changed(program.publish(rehearsal["digest"], records="move"))
    assert program.moved()["changed"] == 1
    standing = changed(registrar.get(record.path + "/standing")).json
    assert (standing["figures"]["overall"]["display"], standing["outcomes"]["achieved"]["state"]) == ("81.0", "met")
    assert standing["figures"]["overall"]["given"]["reason"] == "Jury"
    described = changed(record.api.get(program.path + "/description")).json
    assert [item.get("was") for item in described["figures"]] == [["total"], None]
    assert [item["was"] for item in described["outcomes"]] == [["passed"]]


def test_a_total_that_somebody_gave_is_shown_and_changed_under_its_new_name(server, registrar, program):
    student = enrolled(server, registrar)
    line = {"op": "add", "kind": "item", "in": "#0", "fields": {"title": "First", "max": 10}}
    body = {"title": "Algorithms", "root": "course", "fields": {"title": "Algorithms"}, "lines": [line]}
    made = changed(registrar.post(f"{program.path}/classes", body), 201).json["class"]
    path = f"/v1/classes/{made['id']}"
    answer = changed(registrar.post(f"{path}/enrolments", {"student": student.account["id"]}), 201)
    row = answer.json["enrolment"]["id"]

    def give(figure, value, seen):
        body = {"rows": [{"row": row, "figures": {figure: value}, "was": {figure: seen}}], "reason": "Oral"}
        return registrar.post(f"{path}/override", body)

    def total():
        told = changed(registrar.get(f"{path}/rows")).json["rows"][0]
        return told["figures"], {name: value["value"] for name, value in told.get("given", {}).items()}

    changed(give("result", "70", None))
    assert total() == ({"result": ["70.0"]}, {"result": "70"})
    document = BEFORE.replace("figure result of course in percent", "figure grade of course in percent")
    document = document.replace('"Result" shown', '"Grade" was result shown').replace("mean of result", "mean of grade")
    changed(program.edit(configuration={"document": document}))
    rehearsal = program.rehearse()
    assert (rehearsal["counts"]["lost"], rehearsal["counts"]["records"]) == (0, 0)
    # The record stays behind, and the grid has one name for all rows.
    changed(program.publish(rehearsal["digest"], records="keep"))
    described = changed(registrar.get(path)).json["class"]["figures"]
    assert [(figure["name"], figure["was"]) for figure in described] == [("grade", ["result"])]
    assert total() == ({"grade": ["70.0"]}, {"grade": "70"})
    changed(give("grade", "75", "70"))
    assert total() == ({"grade": ["75.0"]}, {"grade": "75"})
