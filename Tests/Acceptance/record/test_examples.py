"""Every worked example through the API: evaluated for a guest, and as a stored record."""

from decimal import Decimal as D

import pytest

from oracle import differences, examples, fault_differences
from oracle.build import board_total

STORED = [name for name, (request, _) in examples.ALL.items() if not {"configuration", "preset"} & set(request)]


@pytest.mark.parametrize("name", examples.ALL)
def test_a_guest_evaluates_the_worked_example(guest, name):
    request, expected = examples.ALL[name]
    answer = guest.evaluate(request)
    if "faults" in expected:
        assert answer.status == 422, answer
        assert answer.json["code"] == "invalid"
        assert fault_differences(expected["faults"], answer.json["faults"]) == []
    else:
        assert answer.status == 200, answer
        assert differences(expected, answer.json) == []


def renamed(expected, asked, stored):
    """The expectation with the ids of the stored entries in place of the request's."""
    names = {}

    def walk(asked, stored):
        for mine, theirs in zip(asked, sorted(stored, key=lambda entry: entry["position"]), strict=True):
            names[mine["id"]] = theirs["id"]
            walk(mine.get("children", []), theirs.get("children", []))

    walk(asked, stored)
    result = expected | {"entries": {names[id]: claims for id, claims in expected["entries"].items()}}
    if "warnings" in expected:
        result["warnings"] = [warning | {"entry": names[warning["entry"]]} for warning in expected["warnings"]]
    return result


@pytest.mark.parametrize("name", STORED)
def test_a_stored_record_gives_the_worked_example(student, name):
    request, expected = examples.ALL[name]
    record = student.new_record(request["scheme"])
    before = record.get()
    answer = record.fill(request)
    if "faults" in expected:
        assert answer.status == 422, answer
        assert sorted(code for code, _ in answer.faults) == sorted(fault["code"] for fault in expected["faults"])
        after = record.get()
        assert (after.body, after.etag) == (before.body, before.etag)
        return
    if not request["entries"] and not request.get("fields"):
        answer = before
    assert answer.status == 200, answer
    stored = record.get()
    claims = renamed(expected, request["entries"], stored.json["record"]["entries"])
    assert differences(claims, answer.json["standing"]) == []
    assert differences(claims, stored.json["standing"]) == []
    assert differences(claims, record.standing().json) == []


# -- the rows that are a sequence ------------------------------------------------------------------------------


def titles(record):
    """`(position, title)` of the courses."""
    return [(entry["position"], entry["fields"]["title"]) for entry in record.entries]


def fill_board(record, *names):
    """Adds courses of 85 % and three credits, one by one."""
    for name in names:
        answer = record.add(board_total(name, 3, 85))
        assert answer.status == 201, answer
    return [entry["id"] for entry in record.entries]


def gpa(record):
    """The GPA as shown, with its colour."""
    figure = record.standing().json["figures"]["gpa"]
    return figure["display"], figure["band"]


def test_c8_to_c12_refused_courses_leave_the_board_alone(student):
    record = student.new_record("chalkboard")
    fill_board(record, "Algorithms", "Two", "Three", "Four")
    before = record.get()
    refused = [
        (board_total("Five", 3, 85), ["course_limit"]),
        (board_total("  algorithms ", 3, 85), ["course_limit", "duplicate_title"]),
        (board_total("Five", 0, 101), ["course_limit", "credits_not_positive"] + ["points_out_of_range"] * 3),
    ]
    for course, codes in refused:
        answer = record.add(course)
        assert answer.status == 422, answer
        assert sorted(code for code, _ in answer.faults) == codes
        after = record.get()
        assert (after.body, after.etag) == (before.body, before.etag)


def test_c11_a_course_never_duplicates_itself(student):
    record = student.new_record("chalkboard")
    first, second = fill_board(record, "Algorithms", "Two")
    assert record.patch(first, {"title": "ALGORITHMS"}).status == 200
    answer = record.patch(second, {"title": " Algorithms"})
    assert answer.status == 422, answer
    assert answer.faults == [("duplicate_title", "/fields/title")]


def test_c12_the_text_of_the_course_limit(student):
    record = student.new_record("chalkboard")
    fill_board(record, "One", "Two", "Three", "Four")
    texts = set()
    for language in ("en", "fr", "zh-Hans"):
        answer = record.seen_by(student.twin(language=language)).add(board_total("Five", 3, 85))
        fault = next(fault for fault in answer.json["faults"] if fault["code"] == "course_limit")
        texts.add(fault["message"])
        if language == "en":
            assert fault["message"] == "Max course allowed is 4"
    assert len(texts) == 3


def test_c19_positions_close_up_after_a_delete(student):
    record = student.new_record("chalkboard")
    fill_board(record, "One", "Two", "Three", "Four")
    assert student.delete(record.path + "/entries?position=2").status == 200
    assert titles(record) == [(1, "One"), (2, "Three"), (3, "Four")]
    before = record.get()
    for position in ("4", "0", "x", "-1", "", "99999999999999999999", "1.5"):
        answer = student.delete(f"{record.path}/entries?position={position}")
        assert (answer.status, answer.json["code"]) == (404, "entry_not_found"), (position, answer)
    assert record.get().body == before.body


def test_c20_the_assignments_own_run(student):
    record = student.new_record("chalkboard")
    assert record.entries == []
    assert record.standing().json["figures"]["gpa"]["text"] == "GPA: "
    assert gpa(record) == ("", "white")
    assert record.add(board_total("Mobile programming", 3, 95)).status == 201
    assert gpa(record) == ("4.00", "green")
    assert record.add(board_total("Algorithms", 4, 85)).status == 201
    assert gpa(record) == ("3.43", "green")
    assert record.add(board_total("Data Structures", 3, 75)).status == 201
    assert record.add(board_total("Databases", 2, 30)).status == 201
    assert gpa(record) == ("2.50", "orange")
    assert record.add(board_total("Networks", 3, 85)).status == 422
    by_title = {entry["fields"]["title"]: entry["id"] for entry in record.entries}
    assert record.remove(by_title["Data Structures"]).status == 200
    assert titles(record) == [(1, "Mobile programming"), (2, "Algorithms"), (3, "Databases")]
    assert gpa(record) == ("2.67", "orange")
    assert record.remove(by_title["Algorithms"]).status == 200
    assert titles(record) == [(1, "Mobile programming"), (2, "Databases")]
    assert gpa(record) == ("2.40", "orange")
    assert record.remove(by_title["Algorithms"]).status == 404


def test_the_sample_year_is_a_template(student):
    record = student.new_record("iut", template="sample")
    _, expected = examples.IUT["I4"]
    assert differences(expected, record.standing().json) == []
    assert [entry["fields"]["title"] for entry in record.entries] == [
        unit["fields"]["title"] for unit in examples.sample_year()
    ]


@pytest.mark.parametrize(
    "stage, state, final", [(8, "met", False), (D("7.5"), "unmet", True), (D("7.804"), "met", None)]
)
def test_a_grade_for_the_stage_decides_the_diploma(student, stage, state, final):
    record = student.new_record("iut", template="sample")
    subject = record.entries[6]["children"][0]
    answer = record.patch(subject["id"], {"grade": stage})
    assert answer.status == 200, answer
    outcome = answer.json["standing"]["outcomes"]["diploma"]
    assert outcome["state"] == state
    assert final is None or outcome["final"] == final
    cleared = record.patch(subject["id"], {"grade": None})
    assert cleared.json["standing"]["outcomes"]["diploma"]["state"] == "pending"


def test_i10_says_that_no_grade_is_recorded(server):
    request, _ = examples.IUT["I10"]
    total = server.api(language="fr").evaluate(request).json["figures"]["total"]
    assert total["text"] == "Aucune note enregistrée"


def test_the_texts_worth_keeping(guest):
    wanted = {
        "C8a": ("weights_sum", "Total weight should be 100"),
        "C9": ("points_out_of_range", "Points must be between 0 and Maximum"),
        "C11": ("duplicate_title", "This course title is already entered before"),
    }
    for name, (code, text) in wanted.items():
        faults = guest.evaluate(examples.ALL[name][0]).json["faults"]
        assert text in [fault["message"] for fault in faults if fault["code"] == code]


def test_every_fault_speaks_three_languages(server):
    for name, (request, expected) in examples.ALL.items():
        if "faults" not in expected:
            continue
        spoken = {}
        for language in ("en", "fr", "zh-Hans"):
            for fault in server.api(language=language).evaluate(request).json["faults"]:
                assert fault["message"] and fault["message"] != fault["code"], (name, fault)
                spoken.setdefault((fault["path"], fault["code"]), set()).add(fault["message"])
        assert all(len(texts) == 3 for texts in spoken.values()), spoken
