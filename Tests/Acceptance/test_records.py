"""Stored records: entries, changes, versions, idempotency, history, what-if."""

import re
import threading
import uuid
from decimal import Decimal

import pytest

from client import next_page
from oracle.build import board_total, category, item, rose_course, unit, without_ids


def place(etag):
    """`(epoch, version)` of an ETag."""
    epoch, _, version = etag.strip('"').rpartition(".")
    return epoch, int(version)


def changed(answer, status=200):
    """The answer to a write that was accepted."""
    assert answer.status == status, answer
    return answer


@pytest.fixture
def board(student):
    """A chalkboard with one course; the record and the course's id."""
    record = student.new_record("chalkboard")
    answer = changed(record.add(board_total("Algorithms", 3, 85)), 201)
    return record, answer.json["entry"]["id"]


# -- documents and versions


def test_every_form_of_a_record_says_the_same(board):
    record, course = board
    whole, standing = record.get(), record.standing()
    assert whole.json["standing"] == standing.json
    assert whole.json["version"] == place(whole.etag)[1] == place(standing.etag)[1]
    assert whole.headers["Content-Type"].startswith("application/json")
    assert whole.headers["Cache-Control"] == "no-store"
    entry = whole.json["record"]["entries"][0]
    assert (entry["id"], entry["position"], entry["kind"]) == (course, 1, "course")
    assert [child["position"] for child in entry["children"]] == [1, 2, 3]


def test_numbers_leave_as_the_shortest_decimal(board):
    record, course = board
    for written, shown in (("2.50", b"2.5"), ("3.000", b"3"), (Decimal("0.5"), b"0.5"), (20, b"20")):
        changed(record.patch(course, {"credits": written}))
        assert re.search(rb'"credits": ?' + re.escape(shown) + rb"[,}]", record.get().body), written


def test_each_accepted_change_is_one_version(board):
    record, course = board
    version = record.version
    for credits in (1, 2, 3):
        answer = changed(record.patch(course, {"credits": credits}))
        version += 1
        assert answer.json["version"] == version == record.version
        assert answer.json["entry"]["fields"]["credits"] == credits
        assert answer.json["standing"] == record.standing().json


def test_what_one_has_is_not_sent_again(board):
    record, course = board
    for read in (record.get, record.standing):
        etag = read().etag
        again = read(if_none_match=etag)
        assert (again.status, again.body, again.etag) == (304, b"", etag)
    changed(record.patch(course, {"credits": 1}))
    assert record.get(if_none_match=etag).status == 200


def test_a_stale_write_is_refused_with_the_current_version(board):
    record, course = board
    stale = record.get().etag
    changed(record.patch(course, {"credits": 1}, headers={"if_match": stale}))
    before = record.get()
    epoch, version = place(before.etag)
    refused = [
        record.patch(course, {"credits": 2}, headers={"if_match": stale}),
        record.add(board_total("Two", 3, 80), if_match=stale),
        record.remove(course, if_match=stale),
        record.change({"op": "delete", "entry": course}, if_match=stale),
        record.api.patch(record.path, {"fields": {}}, if_match=stale),
    ]
    for answer in refused:
        assert (answer.status, answer.json["code"]) == (409, "version_conflict"), answer
        assert answer.json["current"] == {"e": epoch, "v": version}
    assert record.get().body == before.body
    changed(record.patch(course, {"credits": 2}, headers={"if_match": before.etag}))
    changed(record.patch(course, {"credits": 4}, headers={"if_match": "*"}))


@pytest.mark.parametrize("value", ["W/{0}", "{1}", '"', "", '{0}, {0}', "{0} {0}", '""x'])
def test_if_match_takes_one_strong_quoted_value(board, value):
    record, course = board
    before = record.get()
    header = value.format(before.etag, before.etag.strip('"'))
    assert record.patch(course, {"credits": 9}, headers={"if_match": header}).status == 400
    assert record.get().body == before.body


# -- idempotency


def test_the_same_key_gives_the_first_answer_again(board):
    record, _ = board
    key = uuid.uuid4().hex
    first = changed(record.add(board_total("Two", 3, 80), idempotency_key=key), 201)
    after = record.get()
    again = record.add(board_total("Two", 3, 80), idempotency_key=key)
    assert (again.status, again.body) == (201, first.body)
    assert record.get().body == after.body


def test_the_same_key_with_another_body_is_refused(board):
    record, course = board
    key = uuid.uuid4().hex
    changed(record.patch(course, {"credits": 1}, headers={"idempotency_key": key}))
    for answer in (record.patch(course, {"credits": 2}, headers={"idempotency_key": key}),
                   record.add(board_total("Two", 3, 80), idempotency_key=key)):
        assert (answer.status, answer.json["code"]) == (422, "idempotency_mismatch"), answer


def test_a_refused_change_does_not_use_up_its_key(board):
    record, course = board
    key = uuid.uuid4().hex
    assert record.patch(course, {"credits": 0}, headers={"idempotency_key": key}).status == 422
    changed(record.patch(course, {"credits": 2}, headers={"idempotency_key": key}))


def test_a_kept_answer_wins_over_a_stale_condition(board):
    record, course = board
    key, etag = uuid.uuid4().hex, record.get().etag
    first = changed(record.patch(course, {"credits": 1}, headers={"idempotency_key": key, "if_match": etag}))
    again = record.patch(course, {"credits": 1}, headers={"idempotency_key": key, "if_match": etag})
    assert (again.status, again.body) == (200, first.body)


def test_of_the_same_key_at_once_only_one_changes_anything(board):
    record, _ = board
    version, key, answers = record.version, uuid.uuid4().hex, []
    start = threading.Barrier(8)

    def send():
        mine = record.seen_by(record.api.twin())
        start.wait()
        answers.append(mine.add(board_total("Two", 3, 80), idempotency_key=key))

    threads = [threading.Thread(target=send) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {(answer.status, answer.body) for answer in answers} == {(201, answers[0].body)}
    assert record.version == version + 1
    assert len(record.entries) == 2


@pytest.mark.parametrize("key", ["", "a b", "x" * 129, "schl\u00fcssel"])
def test_a_key_is_1_to_128_visible_ascii_characters(board, key):
    record, course = board
    answer = record.patch(course, {"credits": 9}, headers={"idempotency_key": key})
    assert answer.status == 400, answer


def test_keys_of_two_accounts_have_nothing_to_do_with_each_other(student, stranger):
    key = uuid.uuid4().hex
    bodies = set()
    for api in (student, stranger):
        record = api.new_record("chalkboard")
        bodies.add(changed(record.add(board_total("One", 3, 80), idempotency_key=key), 201).body)
    assert len(bodies) == 2


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
    assert record.add(item("Final", grade=90), parent=exams).status in (404, 422)


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
        ("points_out_of_range", "/children/0/fields/points"), ("points_out_of_range", "/children/1/fields/points"),
        ("points_out_of_range", "/children/2/fields/points"), ("unknown_field", "/fields/colour"),
        ("credits_not_positive", "/fields/credits"), ("missing_field", "/fields/title")]


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
    answer = changed(record.change(
        {"op": "add", "ref": "second"} | without_ids([board_total("Two", 4, 95)])[0],
        {"op": "patch", "entry": course, "fields": {"credits": 2}},
        {"op": "add"} | without_ids([board_total("Three", 1, 60)])[0]))
    assert answer.json["version"] == version + 1 == record.version
    assert set(answer.json["entries"]) == {"second"}
    assert record.entries[1]["id"] == answer.json["entries"]["second"]
    assert record.history()[0]["version"] == version + 1


def test_an_added_entry_may_be_a_parent_in_the_same_list(student):
    record = student.new_record("rose-hulman")
    answer = changed(record.change(
        {"op": "add", "ref": "c"} | rose_course(),
        {"op": "add", "ref": "k", "parent": "c"} | category("exams", 100),
        {"op": "add", "ref": "i", "parent": "k"} | item("Final", grade=82),
        {"op": "fields", "fields": {"priorGPA": 4, "priorCredits": 4}}))
    ids = answer.json["entries"]
    assert set(ids) == {"c", "k", "i"}
    assert answer.json["standing"]["entries"][ids["c"]]["letter"] == "B"
    assert answer.json["standing"]["figures"]["gpa"]["display"] == "3.50"


def test_all_or_nothing(board):
    record, course = board
    before = record.get()
    answer = record.change(
        {"op": "patch", "entry": course, "fields": {"credits": 1}},
        {"op": "add"} | without_ids([board_total("Algorithms", 3, 80)])[0])
    assert answer.status == 422, answer
    assert record.get().body == before.body


def test_the_tree_is_judged_only_after_the_last_change(board):
    record, course = board
    children = [child["id"] for child in record.entries[0]["children"]]
    answer = record.patch(children[0], {"weight": 20})
    assert (answer.status, [code for code, _ in answer.faults]) == (422, ["weights_sum"])
    changed(record.change(
        {"op": "patch", "entry": children[0], "fields": {"weight": 20}},
        {"op": "patch", "entry": children[1], "fields": {"weight": 40}}))
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


def test_what_if_stores_nothing(board):
    record, course = board
    before = record.get()
    answer = record.api.post(record.path + "/what-if", {"changes": [
        {"op": "add"} | without_ids([board_total("Two", 3, 95)])[0],
        {"op": "patch", "entry": course, "fields": {"credits": 3}}]})
    assert answer.status == 200, answer
    standing = answer.json.get("standing", answer.json)
    assert standing["figures"]["gpa"]["display"] == "3.50"
    after = record.get()
    assert (after.body, after.etag) == (before.body, before.etag)
    refused = record.api.post(record.path + "/what-if", {"changes": [{"op": "delete", "entry": "nothing"}]})
    assert refused.status in (404, 422)


def test_a_trace_ends_in_the_figure(board):
    record, _ = board
    answer = record.standing()
    traced = record.api.get(record.path + "/standing?trace=gpa")
    assert traced.status == 200, traced
    assert traced.json["figures"]["gpa"]["exact"] == answer.json["figures"]["gpa"]["exact"]
    assert b'"trace' in traced.body


# -- lists


def test_lists_are_paged_by_opaque_cursors(student):
    made = {student.new_record("chalkboard").id for _ in range(7)}
    seen, path, pages = [], "/v1/records?limit=3", 0
    while path:
        answer = student.get(path)
        assert answer.status == 200, answer
        seen += [entry["id"] for entry in answer.json["items"]]
        path, pages = next_page(answer), pages + 1
    assert (sorted(seen), pages) == (sorted(made), 3)
    for limit in ("0", "201", "x", "-1"):
        assert student.get(f"/v1/records?limit={limit}").status in (400, 422), limit
    assert student.get("/v1/records?cursor=nonsense").status in (400, 422)


def test_a_deleted_record_is_gone(board):
    record, course = board
    assert record.delete().status == 204
    for answer in (record.get(), record.standing(), record.patch(course, {"credits": 1}), record.delete()):
        assert (answer.status, answer.json["code"]) == (404, "not_found")
    assert record.id not in [entry["id"] for entry in record.api.get("/v1/records").json["items"]]
