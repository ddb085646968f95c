"""The demonstration as it opens: a class with results in every scheme, and a student who has something to look at."""

import pytest

from client import changed

SCHEMES = ("chalkboard", "rose-hulman", "iut")


def taught(api):
    """The class's programs by scheme: the first into which staff enter."""
    items = api.get("/v1/institutions/demo/programs?limit=200").json["items"]
    return {item["scheme"]: item["id"] for item in reversed(items) if item["entry"] == "staff"}


def entries(tree):
    for entry in tree:
        yield entry
        yield from entries(entry["children"])


@pytest.fixture
def teacher(server):
    return server.signed_in("teacher")


@pytest.fixture
def classes(teacher):
    programs = taught(teacher)
    return {
        scheme: teacher.get(f"/v1/records?program={programs[scheme]}&limit=200").json["items"] for scheme in SCHEMES
    }


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_class_of_thirty_has_a_record_in_each_scheme(classes, scheme):
    assert len(classes[scheme]) == 30
    assert len({str(item["student"]) for item in classes[scheme]}) == 30


def test_some_pass_and_some_fail(classes):
    boards = [item["figures"]["gpa"]["band"] for item in classes["chalkboard"]]
    assert {"green", "orange", "red"} == set(boards)
    years = [float(item["figures"]["total"]["display"]) for item in classes["iut"]]
    assert min(years) < 10 < max(years)


def test_results_wait_to_be_released_and_a_course_is_withdrawn(teacher, classes):
    trees = [
        list(entries(teacher.get(f"/v1/records/{item['id']}").json["record"]["entries"]))
        for scheme in SCHEMES
        for item in classes[scheme]
    ]
    for scheme in range(len(SCHEMES)):
        assert sum(any(entry["hidden"] for entry in tree) for tree in trees[scheme * 30 : scheme * 30 + 30]) >= 29
    assert any(entry["status"] == "withdrawn" for tree in trees for entry in tree)


def test_the_student_has_own_records_and_those_of_the_class(server):
    student = server.signed_in("student")
    items = student.get("/v1/records").json["items"]
    # And the one of the class whose results stand in rows.
    assert sorted(item["scheme"] for item in items) == sorted((*SCHEMES * 2, "rose-hulman"))
    assert all(any(figure["exact"] for figure in item["figures"].values()) for item in items)


def test_the_teacher_teaches_a_class_with_results_in_all_items_but_the_final(teacher, server):
    (taught,) = teacher.get("/v1/classes").json["items"]
    items = [line for line in taught["structure"]["lines"] if line["kind"] == "item"]
    rows = teacher.get(f"/v1/classes/{taught['id']}/rows").json["rows"]
    assert len(rows) == 30
    (final,) = [item for item in items if item["fields"]["title"] == "Final"]
    columns = [column["line"] for column in changed(teacher.get(f"/v1/classes/{taught['id']}")).json["class"]["columns"]]
    empty = [columns[place] for row in rows for place, cell in enumerate(row["cells"]) if cell is None]
    assert (len(columns), empty) == (len(items), [final["id"]] * 30)
    records = teacher.get(f"/v1/records?program={taught['program']}&limit=200").json["items"]
    assert len(records) == 30
    assert all(item["figures"]["gpa"]["exact"] for item in records)
    cells = [{"row": row["id"], "line": final["id"], "value": 80} for row in rows]
    entered = changed(teacher.post(f"/v1/classes/{taught['id']}/cells", {"cells": cells})).json
    assert entered["accepted"] == 30
    changed(teacher.post(f"/v1/classes/{taught['id']}/undo", {"v": entered["v"]}))
    student = server.signed_in("student")
    (own,) = [row for row in rows if row["student"] == student.account["id"]]
    assert student.get(f"/v1/classes/{taught['id']}/rows/{own['id']}").status == 200


def test_a_second_start_finds_everything_where_it_was(own_server):
    before = own_server.signed_in("teacher")
    programs, sign_ins = taught(before), own_server.sign_ins()
    path = f"/v1/records?program={programs['iut']}&limit=200"
    records, classes = before.get(path).json["items"], before.get("/v1/classes").json
    assert own_server.stop() == 0
    after = own_server.start().signed_in("teacher")
    assert (taught(after), own_server.sign_ins()) == (programs, sign_ins)
    assert after.get(path).json["items"] == records
    assert after.get("/v1/classes").json == classes
