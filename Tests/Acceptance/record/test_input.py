"""Bad input of every kind: a clear answer, and nothing changed."""

import json

import pytest

from oracle.build import board_total, request, without_ids

COURSE = json.dumps(without_ids([board_total("Two", 3, 80)])[0])

MALFORMED = {
    "nothing": b"",
    "white space": b" \n",
    "half": COURSE.encode()[:-1],
    "two values": b"{} {}",
    "a comma": b'{"a":1,}',
    "a comment": b"{/* */}",
    "single quotes": b"{'kind':'course'}",
    "no quotes": b"{kind:1}",
    "NaN": b'{"fields":NaN}',
    "Infinity": b'{"fields":-Infinity}',
    "a plus": b'{"fields":+1}',
    "a leading zero": b'{"fields":01}',
    "a bare point": b'{"fields":.5}',
    "a trailing point": b'{"fields":1.}',
    "hexadecimal": b'{"fields":0x10}',
    "a control character": b'{"kind":"a\nb"}',
    "a bad escape": b'{"kind":"\\x"}',
    "a lone surrogate": b'{"kind":"\\ud800"}',
    "bad UTF-8": b'{"kind":"\xff\xfe"}',
    "overlong UTF-8": b'{"kind":"\xc0\xaf"}',
    "UTF-8 cut short": b'{"kind":"\xe2\x82"}',
    "an encoded surrogate": b'{"kind":"\xed\xa0\x80"}',
    "UTF-16": '{"kind":"course"}'.encode("utf-16"),
    "a byte order mark": b"\xef\xbb\xbf{}",
    "a duplicate key": b'{"kind":"course","kind":"course"}',
    "a duplicate key by escape": b'{"kind":1,"k\\u0069nd":1}',
    "a zero byte": b'{"kind":"course"}\x00',
    "deep arrays": b"[" * 65 + b"]" * 65,
    "deep objects": b'{"a":' * 65 + b"1" + b"}" * 65,
    "very deep": b"[" * 200_000,
    "only closers": b"]" * 1000,
}


@pytest.fixture
def board(student):
    """A chalkboard with one course, and a check that it stays as it is."""
    record = student.new_record("chalkboard")
    assert record.add(board_total("Algorithms", 3, 85)).status == 201
    before = record.get()
    yield record
    after = record.get()
    assert (after.body, after.etag) == (before.body, before.etag)


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed_json_is_told_so(board, name):
    for path in (board.path + "/entries", "/v1/evaluate"):
        answer = board.api.post(path, MALFORMED[name])
        assert (answer.status, answer.json["code"]) == (400, "malformed"), answer
        assert answer.headers["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize(
    "value",
    [
        "1e999",
        "-1e999",
        "1E400",
        '"NaN"',
        '"Infinity"',
        '"1e5"',
        '"+1"',
        '"1,5"',
        '"1 000"',
        '"١٢"',
        '""',
        '"0x1"',
        '"--1"',
        '"1.2.3"',
    ],
)
def test_what_is_no_plain_number_is_told_so(board, value):
    course = COURSE.replace('"credits": 3', f'"credits": {value}')
    assert course != COURSE
    answer = board.api.post(board.path + "/entries", course.encode())
    assert answer.status == 422, answer
    assert answer.faults == [("not_a_number", "/fields/credits")]


@pytest.mark.parametrize("value", ['"' + "9" * 10_000 + '"', "1.00001", "1234567891"])
def test_a_number_with_too_many_digits_is_told_so(board, value):
    answer = board.api.post(board.path + "/entries", COURSE.replace('"credits": 3', f'"credits": {value}').encode())
    assert (answer.status, answer.faults) == (422, [("too_precise", "/fields/credits")]), answer


@pytest.mark.parametrize("value", ["9" * 300, "0." + "1" * 300, "1" * 10_000])
def test_a_number_longer_than_any_field_takes_is_not_read(board, value):
    answer = board.api.post(board.path + "/entries", COURSE.replace('"credits": 3', f'"credits": {value}').encode())
    assert (answer.status, answer.json["code"]) == (400, "malformed"), answer


@pytest.mark.parametrize(
    "member, value, fault",
    [
        ("kind", '"lesson"', ("wrong_kind", "/kind")),
        ("kind", "1", ("wrong_type", "/kind")),
        ("kind", "null", ("wrong_type", "/kind")),
        ("fields", "[]", ("wrong_type", "/fields")),
        ("fields", '"x"', ("wrong_type", "/fields")),
        ("children", "{}", ("wrong_type", "/children")),
        ("children", '["x"]', ("wrong_type", "/children/0")),
        ("children", "[[]]", ("wrong_type", "/children/0")),
        ("colour", "1", ("unknown_field", "/colour")),
        ("id", '"x"', ("unknown_field", "/id")),
        ("position", "1", ("unknown_field", "/position")),
        ("parent", "{}", ("wrong_type", "/parent")),
    ],
)
def test_wrong_members_of_an_entry_are_named(board, member, value, fault):
    course = json.loads(COURSE) | {member: json.loads(value)}
    answer = board.api.post(board.path + "/entries", json.dumps(course).encode())
    assert answer.status == 422 and fault in answer.faults, answer


def test_a_parent_that_is_not_there_is_named(board):
    answer = board.api.post(board.path + "/entries", json.dumps(json.loads(COURSE) | {"parent": "nothing"}).encode())
    assert (answer.status, answer.faults) == (404, [("entry_not_found", "")]), answer


@pytest.mark.parametrize("body", [b"[]", b"1", b'"x"', b"null", b"true", b"{}"])
def test_a_body_that_is_no_request_is_told_so(board, body):
    for path in (
        "/v1/evaluate",
        board.path + "/entries",
        board.path + "/changes",
        "/v1/accounts",
        "/v1/sessions",
        "/v1/records",
    ):
        answer = board.api.post(path, body)
        assert answer.status == 422, (path, answer)
        assert answer.headers["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize(
    "change",
    [
        {"scheme": "nothing"},
        {"scheme": 1},
        {"scheme": None},
        {"entries": {}},
        {"entries": "x"},
        {"entries": None},
        {"colour": 1},
        {"preset": "nothing"},
        {"preset": 1},
        {"configuration": []},
        {"configuration": {"colour": 1}},
        {"configuration": {"courseLimit": -1}},
        {"configuration": {"bands": []}},
        {"fields": []},
        {"fields": {"x": 1}},
    ],
)
def test_a_wrong_evaluation_is_told_so(guest, change):
    answer = guest.evaluate(request("chalkboard", [board_total("One", 3, 80)]) | change)
    assert answer.status == 422, answer
    if "configuration" in change and change["configuration"]:
        assert all(path.startswith("/configuration/") for _, path in answer.faults), answer


def test_all_faults_of_a_configuration_come_at_once(guest):
    wrong = {
        "courseLimit": 0,
        "total": {"rounding": "upwards", "scale": 99},
        "gpa": {"compareOn": "sometimes"},
        "bands": [{"label": "A", "from": 60, "points": 4}, {"label": "B", "from": 90, "points": 3}],
        "colour": 1,
    }
    answer = guest.evaluate(request("chalkboard", [], configuration=wrong))
    assert answer.status == 422, answer
    keys = {path.split("/")[2] for _, path in answer.faults}
    assert keys == set(wrong), answer


@pytest.mark.parametrize("kind", [None, "text/plain", "application/xml", "application/x-www-form-urlencoded", "json"])
def test_a_body_must_say_that_it_is_json(board, kind):
    answer = board.api.post(board.path + "/entries", COURSE.encode(), content_type=kind)
    assert (answer.status, answer.json["code"]) == (415, "unsupported_media_type"), answer


def test_json_may_name_its_character_set(guest):
    body = json.dumps(request("chalkboard", [])).encode()
    assert guest.post("/v1/evaluate", body, content_type="application/json; charset=utf-8").status == 200


def test_a_body_of_two_mebibytes_is_too_large(board):
    for body in (b" " * (2 << 20), b'{"kind":"' + b"x" * (2 << 20) + b'"}', b"[" * (2 << 20)):
        try:
            answer = board.api.post(board.path + "/entries", body)
            assert (answer.status, answer.json["code"]) == (413, "too_large"), answer
        except (BrokenPipeError, ConnectionResetError):
            pass  # the server answered and closed before it was told everything


def test_a_record_holds_a_thousand_entries_at_most(guest, student):
    courses = [board_total(f"Course {index}", 3, 80) for index in range(251)]
    answer = guest.evaluate(request("chalkboard", courses))
    assert answer.status == 422
    assert "entry_limit" in [code for code, _ in answer.faults]
    empty = [{"kind": "unit", "fields": {"title": f"Unit {index}", "weight": 1}} for index in range(1001)]
    answer = guest.evaluate(request("iut", empty))
    assert (answer.status, [code for code, _ in answer.faults]) == (422, ["entry_limit"])
    assert guest.evaluate(request("iut", empty[:1000])).status == 200
    record = student.new_record("iut")
    assert record.change(*({"op": "add"} | one for one in empty)).status == 422
    assert record.entries == []


@pytest.mark.parametrize(
    "title",
    [
        "a\u202eb",
        "<script>alert(1)</script>",
        "'; DROP TABLE records;--",
        "=cmd()",
        "🏳️‍🌈" * 10,
        "e\u0301",
    ],
)
def test_hostile_text_is_kept_as_it_is(student, title):
    record = student.new_record("chalkboard")
    assert record.add(board_total(title, 3, 80)).status == 201
    assert record.entries[0]["fields"]["title"] == title


@pytest.mark.parametrize(("title", "code"), [("\u0000", "text_invalid"), ("x" * 100_000, "out_of_range")])
def test_text_with_control_characters_or_without_end_is_refused(student, title, code):
    record = student.new_record("chalkboard")
    answer = record.add(board_total(title, 3, 80))
    assert (answer.status, answer.faults) == (422, [(code, "/fields/title")]), answer
    assert record.entries == []


def test_other_methods_are_named_as_not_allowed(guest, board):
    for method, path in (("PUT", "/v1/evaluate"), ("DELETE", "/v1/schemes"), ("PATCH", board.path + "/standing")):
        answer = guest.call(method, path)
        assert (answer.status, answer.json["code"]) == (405, "method_not_allowed"), answer
        assert answer.headers["Allow"]


def test_faults_say_what_would_be_right(guest):
    unit = {"id": "u", "kind": "unit", "fields": {"title": "UE", "weight": 1}}
    twice = guest.evaluate({"scheme": "iut", "entries": [unit, unit | {"fields": {"title": "UE 2", "weight": 1}}]})
    assert [(fault["code"], fault["path"], fault["args"]) for fault in twice.json["faults"]] == [
        ("duplicate_id", "/entries/1/id", {"id": "u"})
    ]
    wrong = {"average": {"rounding": "up", "scal": 2}, "bar": 21, "unitBr": 8}
    answer = guest.evaluate({"scheme": "iut", "preset": "dtu", "configuration": wrong, "entries": []})
    said = {fault["path"]: fault["message"] for fault in answer.json["faults"]}
    assert said == {
        "/configuration/average/rounding": "Not an allowed value; allowed: halfUp, halfEven, halfDown, ceiling, floor, "
        "truncate",
        "/configuration/average/scal": "This field is not known here; did you mean scale?",
        "/configuration/bar": "Not an allowed value; allowed: 0 to 20",
        "/configuration/unitBr": "This field is not known here; did you mean unitBar?",
        "/preset": "Not an allowed value; allowed: default, lp, dut, but",
    }
    french = guest.twin(language="fr").evaluate({"scheme": "iut", "configuration": {"unitBr": 8}, "entries": []})
    assert french.json["faults"][0]["message"] == "Champ inconnu ici ; vouliez-vous dire unitBar ?"


def test_a_calculation_tells_what_its_settings_mean(guest):
    bands = [{"label": "A", "from": "90–100", "points": 4}, {"label": "F", "from": 0, "points": 5}]
    answer = guest.evaluate({"scheme": "rose-hulman", "configuration": {"bands": bands}, "entries": []})
    told = {warning["code"]: warning["path"] for warning in answer.json["configurationWarnings"]}
    assert told["range_read"] == "/configuration/bands/0/from"
    assert told["points_rise"] == "/configuration/bands/1/points"
    assert guest.evaluate({"scheme": "iut", "entries": []}).json["configurationWarnings"] == []
