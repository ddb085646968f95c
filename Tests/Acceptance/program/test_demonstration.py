"""The demonstration as it opens: a class with results in every scheme, and a student who has something to look at."""

import pytest

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
    assert sorted(item["scheme"] for item in items) == sorted(SCHEMES * 2)
    assert all(any(figure["exact"] for figure in item["figures"].values()) for item in items)


def test_a_second_start_finds_everything_where_it_was(own_server):
    before = own_server.signed_in("teacher")
    programs, sign_ins = taught(before), own_server.sign_ins()
    path = f"/v1/records?program={programs['iut']}&limit=200"
    records = before.get(path).json["items"]
    assert own_server.stop() == 0
    after = own_server.start().signed_in("teacher")
    assert (taught(after), own_server.sign_ins()) == (programs, sign_ins)
    assert after.get(path).json["items"] == records
