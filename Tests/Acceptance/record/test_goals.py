"""The inverse question, where the server answers it: what is needed for a goal?"""

import pytest

from oracle import examples


@pytest.fixture
def course(student):
    """The course of R18, whose exam is not graded yet: its record, its id, the exam's id."""
    if not any(path.endswith("/goals") for path in student.get("/openapi.json").json["paths"]):
        pytest.skip("this server answers no goals")
    record = student.new_record("rose-hulman")
    assert record.fill(examples.ALL["R18"][0]).status == 200
    course = record.entries[0]
    exams = next(one for one in course["children"] if one["fields"]["category"] == "exams")
    return record, course["id"], exams["children"][0]["id"]


def ask(record, course, **more):
    """The answer to a goal for the grade of a course."""
    answer = record.api.post(record.path + "/goals", {"entry": course, "figure": "grade", **more})
    assert answer.status == 200, answer
    return answer.json


@pytest.mark.parametrize("grid, needed", [({}, "123"), ({"grid": "0.01"}, "122.01"), ({"grid": 1}, "123")])
def test_r18_what_the_exam_must_bring_for_an_a(course, grid, needed):
    record, id, exam = course
    before = record.get().body
    for target in (90, "A"):
        answer = ask(record, id, target=target, **grid)
        assert answer["status"] == "reachable"
        assert [(one["entry"], one["field"], str(one["value"])) for one in answer["inputs"]] == [
            (exam, "score", needed)
        ]
        assert answer["ceiling"]["display"] == "95.78"
    assert record.get().body == before


def test_goals_that_are_secured_or_out_of_reach_say_so(course):
    record, id, _ = course
    assert ask(record, id, target=50)["status"] == "already_secured"
    assert ask(record, id, target=50)["inputs"] == []
    assert ask(record, id, target="95.79")["status"] == "out_of_reach"
    assert ask(record, id, target="95.78")["status"] == "reachable"
