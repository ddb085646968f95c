"""Stored records: entries, lists of changes, history, undo, what-if, pages."""

import threading
import uuid

import pytest

from client import changed, next_page
from oracle import explanation
from oracle.build import board_total, category, item, rose_course, unit, without_ids

# -- entries


def test_two_adds_at_once_never_pass_the_course_limit(student):
    record = student.new_record("chalkboard")
    start = threading.Barrier(12)
    statuses = []

    def send(index):
        mine = record.seen_by(student.twin())
        start.wait()
        statuses.append(mine.add(board_total(f"Course {index}", 3, 80)).status)

    threads = [threading.Thread(target=send, args=(index,)) for index in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(statuses) == [201] * 4 + [422] * 8
    assert [entry["position"] for entry in record.entries] == [1, 2, 3, 4]


def test_a_patch_merges_and_null_clears(student):
    record = student.new_record("iut")
    entry = changed(record.add(unit("Unité", 6, [("Matière", 2, 12)])), 201).json["entry"]
    subject = entry["children"][0]["id"]
    answer = changed(record.patch(subject, {"weight": 3}))
    assert (answer.json["entry"]["fields"]["grade"], answer.json["entry"]["fields"]["weight"]) == (12, 3)
    answer = changed(record.patch(subject, {"grade": None}))
    assert answer.json["entry"]["fields"].get("grade") is None
    answer = changed(record.patch(subject, {}, status="absent"))
    assert answer.json["standing"]["figures"]["total"]["display"] == "0.00"


@pytest.mark.parametrize("member", [{"kind": "course"}, {"parent": "x"}, {"children": []}, {"id": "x"}, {"colour": 1}])
def test_a_patch_moves_nothing(board, member):
    record, course = board
    before = record.get()
    answer = record.api.patch(f"{record.path}/entries/{course}", {"fields": {"credits": 9}} | member)
    assert answer.status == 422, answer
    assert answer.faults == [("unknown_field", "/" + next(iter(member)))]
    assert record.get().body == before.body


def test_an_own_id_is_not_taken(board):
    record, _ = board
    body = without_ids([board_total("Two", 3, 80)])[0] | {"id": "mine"}
    answer = record.api.post(record.path + "/entries", body)
    assert (answer.status, answer.faults) == (422, [("unknown_field", "/id")])


def test_children_are_added_below_their_parent_and_go_with_it(student):
    record = student.new_record("rose-hulman")
    course = changed(record.add(rose_course(category("exams", 100))), 201).json["entry"]
    exams = course["children"][0]["id"]
    answer = changed(record.add(item("Final", grade=90), parent=exams), 201)
    assert answer.json["standing"]["entries"][course["id"]]["letter"] == "A"
    final = answer.json["entry"]["id"]
    answer = changed(record.remove(course["id"]))
    assert answer.json["version"] == record.version
    assert record.entries == []
    assert record.patch(final, {"grade": 80}).status == 404
    assert record.add(item("Final", grade=90), parent=exams).status == 404


def test_all_faults_of_a_request_come_at_once(student):
    record = student.new_record("chalkboard")
    course = board_total("", 0, 101)
    course["fields"]["colour"] = "blue"
    answer = record.add(course)
    assert answer.status == 422
    assert answer.headers["Content-Type"] == "application/problem+json"
    problem = answer.json
    assert {"type", "title", "status", "code", "detail", "faults", "retryable"} <= set(problem)
    assert (problem["status"], problem["code"], problem["retryable"]) == (422, "invalid", False)
    assert answer.faults == [
        ("points_out_of_range", "/children/0/fields/points"),
        ("points_out_of_range", "/children/1/fields/points"),
        ("points_out_of_range", "/children/2/fields/points"),
        ("unknown_field", "/fields/colour"),
        ("credits_not_positive", "/fields/credits"),
        ("missing_field", "/fields/title"),
    ]


def test_what_is_not_there_is_not_found(board):
    record, _ = board
    nowhere = uuid.uuid4()
    for answer in (record.patch(nowhere, {"credits": 1}), record.remove(nowhere)):
        assert (answer.status, answer.json["code"]) == (404, "entry_not_found")
    for path in (f"/v1/records/{nowhere}", f"/v1/records/{nowhere}/standing", "/v1/records/x", "/v1/nothing"):
        answer = record.api.get(path)
        assert (answer.status, answer.json["code"]) == (404, "not_found")


# -- changes


def test_several_changes_are_one_version(board):
    record, course = board
    version = record.version
    answer = changed(
        record.change(
            {"op": "add", "ref": "second"} | without_ids([board_total("Two", 4, 95)])[0],
            {"op": "patch", "entry": course, "fields": {"credits": 2}},
            {"op": "add"} | without_ids([board_total("Three", 1, 60)])[0],
        )
    )
    assert answer.json["version"] == version + 1 == record.version
    assert set(answer.json["entries"]) == {"second"}
    assert record.entries[1]["id"] == answer.json["entries"]["second"]
    assert record.history()[0]["version"] == version + 1


def test_an_added_entry_may_be_a_parent_in_the_same_list(student):
    record = student.new_record("rose-hulman")
    answer = changed(
        record.change(
            {"op": "add", "ref": "c"} | rose_course(),
            {"op": "add", "ref": "k", "parent": "c"} | category("exams", 100),
            {"op": "add", "ref": "i", "parent": "k"} | item("Final", grade=82),
            {"op": "fields", "fields": {"priorGPA": 4, "priorCredits": 4}},
        )
    )
    ids = answer.json["entries"]
    assert set(ids) == {"c", "k", "i"}
    assert answer.json["standing"]["entries"][ids["c"]]["letter"] == "B"
    assert answer.json["standing"]["figures"]["gpa"]["display"] == "3.50"


def test_all_or_nothing(board):
    record, course = board
    before = record.get()
    answer = record.change(
        {"op": "patch", "entry": course, "fields": {"credits": 1}},
        {"op": "add"} | without_ids([board_total("Algorithms", 3, 80)])[0],
    )
    assert answer.status == 422, answer
    assert record.get().body == before.body


def test_the_tree_is_judged_only_after_the_last_change(board):
    record, course = board
    children = [child["id"] for child in record.entries[0]["children"]]
    answer = record.patch(children[0], {"weight": 20})
    assert (answer.status, [code for code, _ in answer.faults]) == (422, ["weights_sum"])
    changed(
        record.change(
            {"op": "patch", "entry": children[0], "fields": {"weight": 20}},
            {"op": "patch", "entry": children[1], "fields": {"weight": 40}},
        )
    )
    assert course == record.entries[0]["id"]


def test_record_fields_are_patched_like_any_other(student):
    record = student.new_record("rose-hulman")
    answer = changed(student.patch(record.path, {"fields": {"priorGPA": "3.89", "priorCredits": 100}}))
    assert record.standing().json["figures"]["gpa"]["display"] == "3.89"
    answer = student.patch(record.path, {"fields": {"priorGPA": None}})
    assert (answer.status, answer.faults) == (422, [("missing_field", "/fields/priorGPA")])
    answer = student.patch(record.path, {"fields": {"priorGPA": "4.01"}})
    assert (answer.status, answer.faults) == (422, [("out_of_range", "/fields/priorGPA")])


# -- history, undo, what-if


def test_history_has_one_item_a_version_newest_first(board):
    record, course = board
    for credits in range(1, 6):
        changed(record.patch(course, {"credits": credits}))
    record.patch(course, {"credits": 0})
    items = record.history()
    versions = [item["version"] for item in items]
    assert versions == list(range(record.version, versions[-1] - 1, -1))
    assert {item["by"]["id"] for item in items} == {record.api.account["id"]}
    assert items[0]["entry"] == course
    for member in ("version", "at", "by", "op", "entry", "before", "after", "reason"):
        assert member in items[0]


def test_undo_is_a_change_of_its_own(board):
    record, course = board
    before = record.get().json
    changed(record.patch(course, {"credits": 9}))
    answer = record.api.post(record.path + "/undo", {})
    assert answer.status == 200, answer
    after = record.get().json
    assert after["record"]["entries"] == before["record"]["entries"]
    assert after["version"] == before["version"] + 2


def test_undo_twice_goes_two_steps_back_and_an_undone_undo_counts_again(board):
    record, course = board

    def credits():
        return float(str(record.get().json["record"]["entries"][0]["fields"]["credits"]))

    first = credits()
    for value in (7, 8, 9):
        changed(record.patch(course, {"credits": value}))
    for expected in (8, 7):
        changed(record.api.post(record.path + "/undo", {}))
        assert credits() == expected
    undone = record.history()[0]["version"]
    changed(record.api.post(record.path + "/undo", {"version": undone}))
    assert credits() == 8
    for expected in (7, first):
        changed(record.api.post(record.path + "/undo", {}))
        assert credits() == expected


def test_what_if_stores_nothing(board):
    record, course = board
    before = record.get()
    answer = record.api.post(
        record.path + "/what-if",
        {
            "changes": [
                {"op": "add"} | without_ids([board_total("Two", 3, 95)])[0],
                {"op": "patch", "entry": course, "fields": {"credits": 3}},
            ]
        },
    )
    assert answer.status == 200, answer
    standing = answer.json.get("standing", answer.json)
    assert standing["figures"]["gpa"]["display"] == "3.50"
    after = record.get()
    assert (after.body, after.etag) == (before.body, before.etag)
    refused = record.api.post(record.path + "/what-if", {"changes": [{"op": "delete", "entry": "nothing"}]})
    assert refused.status == 404


def test_a_what_if_explains_itself(board):
    record, course = board
    path, body = record.path + "/what-if", {"changes": [{"op": "patch", "entry": course, "fields": {"credits": 4}}]}
    plain = changed(record.api.post(path, body)).json
    assert "traces" not in plain
    one = changed(record.api.post(path + "?trace=gpa", body)).json
    assert set(one["traces"]["figures"]) == {"gpa"} and one["traces"]["entries"] == {}
    explanation.check(one)
    assert {name: value for name, value in one.items() if name != "traces"} == plain
    whole = changed(record.api.post(path + "?trace=all", body)).json
    explanation.check(whole)
    changed(record.patch(course, {"credits": 4}))
    assert whole["traces"] == changed(record.api.get(record.path + "/standing?trace=all")).json["traces"]
    assert changed(record.api.post(path + "?trace=nothing", body)).json.get("traces", {}) == {}


def test_a_trace_ends_in_the_figure(board):
    record, _ = board
    answer = record.standing()
    traced = record.api.get(record.path + "/standing?trace=gpa")
    assert traced.status == 200, traced
    assert traced.json["figures"]["gpa"]["exact"] == answer.json["figures"]["gpa"]["exact"]
    assert b'"trace' in traced.body


# -- lists


def test_lists_are_paged_by_opaque_cursors(student):
    made = [student.new_record("chalkboard").id for _ in range(7)]

    def pages(limit):
        found, path = [], f"/v1/records?limit={limit}"
        while path:
            answer = changed(student.get(path))
            found.append([entry["id"] for entry in answer.json["items"]])
            path = next_page(answer)
        return found

    assert pages(3) == [made[:3], made[3:6], made[6:]]
    # A last page that is full leads to no other, also where records are read more than eight at a time.
    assert pages(7) == pages(8) == [made]
    made += [student.new_record("chalkboard").id for _ in range(9)]
    assert pages(8) == [made[:8], made[8:]]
    assert pages(16) == [made]
    for limit in ("0", "201", "x", "-1"):
        assert student.get(f"/v1/records?limit={limit}").status == 400, limit
    assert student.get("/v1/records?cursor=nonsense").status == 400


def test_a_deleted_record_is_gone(board):
    record, course = board
    assert record.delete().status == 204
    for answer in (record.get(), record.standing(), record.patch(course, {"credits": 1}), record.delete()):
        assert (answer.status, answer.json["code"]) == (404, "not_found")
    assert record.id not in [entry["id"] for entry in record.api.get("/v1/records").json["items"]]


def test_a_repeated_undo_gets_its_first_answer_when_nothing_is_left_to_undo(student):
    record = student.new_record("chalkboard")
    changed(record.add(board_total("Algorithms", 3, 80)), 201)
    first, again = (student.post(record.path + "/undo", {}, idempotency_key="once") for _ in range(2))
    assert changed(first).body == changed(again).body
    other = student.post(record.path + "/undo", {}, idempotency_key="twice")
    assert (other.status, other.json["code"]) == (409, "nothing_to_undo")
