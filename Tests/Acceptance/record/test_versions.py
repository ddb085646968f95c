"""Versions and conditions of stored records, and requests that are sent twice."""

import concurrent.futures
import re
import threading
import uuid
from decimal import Decimal

import pytest
from programs import Program, enrolled, until

from client import changed, listed
from oracle.build import board_total


def place(etag):
    """`(epoch, version)` of an ETag."""
    epoch, _, version = etag.strip('"').rpartition(".")
    return epoch, int(version)


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


@pytest.mark.parametrize("value", ["W/{0}", "{1}", '"', "", "{0}, {0}", "{0} {0}", '""x'])
def test_if_match_takes_one_strong_quoted_value(board, value):
    record, course = board
    before = record.get()
    header = value.format(before.etag, before.etag.strip('"'))
    assert record.patch(course, {"credits": 9}, headers={"if_match": header}).status == 400
    assert record.get().body == before.body


# -- idempotency


def making(number):
    """Who makes something which is no record, where, from what, and under which name it is answered."""
    fresh = uuid.uuid4().hex[:12]
    return [
        ("administrator", "/v1/institutions", {"slug": f"new-{fresh}", "title": "New"}, "institution"),
        ("registrar", "/v1/institutions/demo/programs", {"scheme": "iut", "title": f"New {fresh}"}, "program"),
    ][number]


@pytest.mark.parametrize("number", [0, 1])
def test_what_is_made_under_a_key_is_made_once(server, number):
    role, path, body, name = making(number)
    maker, key = server.signed_in(role), uuid.uuid4().hex
    first = changed(maker.post(path, body, idempotency_key=key), 201)
    again = changed(maker.post(path, body, idempotency_key=key), 201)
    assert again.body == first.body and again.etag == first.etag
    other = maker.post(path, body | {"title": "Another"}, idempotency_key=key)
    assert (other.status, other.json["code"]) == (422, "idempotency_mismatch")
    made = [item["id"] for item in listed(maker, f"{path}?limit=200")]
    assert made.count(first.json[name]["id"]) == 1
    for wrong in ("", "a b", "é", "x" * 129):
        assert maker.post(path, body, idempotency_key=wrong.encode("latin-1")).status == 400, wrong


@pytest.mark.parametrize("number", [0, 1])
def test_of_the_same_request_at_once_one_makes_it(server, number):
    role, path, body, _ = making(number)
    maker, key = server.signed_in(role), uuid.uuid4().hex
    callers = [maker.twin() for _ in range(8)]
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda api: api.post(path, body, idempotency_key=key), callers))
    assert {(answer.status, answer.body) for answer in answers} == {(201, answers[0].body)}


def test_a_refused_making_is_not_kept(administrator):
    _, path, body, _ = making(0)
    key = uuid.uuid4().hex
    assert administrator.post(path, body | {"slug": "Not A Slug"}, idempotency_key=key).status == 422
    changed(administrator.post(path, body, idempotency_key=key), 201)


def test_a_key_is_its_owners_alone(server, registrar):
    _, path, body, _ = making(1)
    key = uuid.uuid4().hex
    first = changed(registrar.post(path, body, idempotency_key=key), 201)
    colleague = enrolled(server, registrar, "registrar")
    other = changed(colleague.post(path, body, idempotency_key=key), 201)
    assert other.json["program"]["id"] != first.json["program"]["id"]
    assert server.signed_in("student").post(path, body, idempotency_key=key).status == 403


# What is done when the answer comes answers 200; what has only begun, 202.
ORDERS = {"edit": 200, "rehearse": 202, "publish": 200, "withdraw": 200, "release": 202}


def ordering(registrar, kind):
    """An order that a registrar is about to give: method, path, body, and what counts how often it was carried out."""
    program = Program(registrar, "chalkboard")
    changed(program.publish())
    program.record([board_total("Logic", 3, 80)])
    changed(program.edit(configuration={"courseLimit": 4}))

    def version():
        return place(registrar.get(program.path).etag)[1]

    def length(path):
        return lambda: len(registrar.get(program.path + path).json["items"])

    if kind == "edit":
        return "PATCH", program.path, {"configuration": {"courseLimit": 3}}, version
    if kind == "rehearse":
        return "POST", program.path + "/rehearsals", {}, length("/rehearsals")
    if kind == "publish":
        publication = {"digest": program.rehearse()["digest"], "records": "move"}
        return "POST", program.path + "/publish", publication, length("/versions")
    if kind == "withdraw":
        changed(program.publish(effectiveFrom="2999-01-01"))
        return "DELETE", program.path + "/versions/2", None, version
    return "POST", program.path + "/release", {"path": []}, length("/releases")


@pytest.mark.parametrize("kind", ORDERS)
def test_what_is_ordered_under_a_key_is_done_once(server, kind):
    registrar = server.signed_in("registrar")
    method, path, body, times = ordering(registrar, kind)
    key, before, refused = uuid.uuid4().hex, times(), {"no such": "member"}
    if body is not None:
        # What is refused does not use up the key.
        assert registrar.call(method, path, refused, idempotency_key=key).status == 422
    first = registrar.call(method, path, body, idempotency_key=key)
    assert first.status == ORDERS[kind], first
    assert times() == before + 1
    callers = [registrar.twin() for _ in range(4)]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for again in pool.map(lambda api: api.call(method, path, body, idempotency_key=key), callers):
            assert (again.status, again.body, again.etag) == (first.status, first.body, first.etag)
            assert again.headers["Location"] == first.headers["Location"]
    assert times() == before + 1
    other = registrar.call(method, path, refused, idempotency_key=key)
    assert (other.status, other.json["code"]) == (422, "idempotency_mismatch")
    for wrong in ("", "a b", "x" * 129):
        assert registrar.call(method, path, body, idempotency_key=wrong).status == 400, wrong


@pytest.mark.parametrize("kind", ORDERS)
def test_of_the_same_order_at_once_one_is_carried_out(server, kind):
    registrar = server.signed_in("registrar")
    method, path, body, times = ordering(registrar, kind)
    key, before, callers = uuid.uuid4().hex, times(), [registrar.twin() for _ in range(8)]
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda api: api.call(method, path, body, idempotency_key=key), callers))
    assert len({(answer.status, answer.body) for answer in answers}) == 1, answers
    assert answers[0].status == ORDERS[kind], answers[0]
    assert times() == before + 1
    if kind == "rehearse":
        location = answers[0].headers["Location"]
        rehearsal = until(lambda: registrar.get(location).json["rehearsal"], lambda one: one["state"] != "running")
        assert rehearsal["state"] == "done"


def test_signing_up_again_under_the_same_key_comes_back_to_the_account(guest):
    body = {"login": f"new-{uuid.uuid4().hex}", "password": "correct horse battery", "displayName": "New"}
    key = uuid.uuid4().hex
    first = changed(guest.post("/v1/accounts", body, idempotency_key=key), 201).json
    again = changed(guest.post("/v1/accounts", body, idempotency_key=key), 201).json
    assert again["account"] == first["account"]
    assert again["session"]["token"] != first["session"]["token"]
    for session in (first, again):
        own = guest.get("/v1/accounts/me", authorization=f"Bearer {session['session']['token']}")
        assert own.json["id"] == first["account"]["id"]
    wrong = guest.post("/v1/accounts", body | {"password": "another horse battery"}, idempotency_key=key)
    assert wrong.faults == [("login_taken", "/login")]
    assert guest.post("/v1/accounts", body, idempotency_key=uuid.uuid4().hex).faults == [("login_taken", "/login")]
    other = guest.post("/v1/accounts", body | {"displayName": "Other"}, idempotency_key=key)
    assert (other.status, other.json["code"]) == (422, "idempotency_mismatch")


def test_the_same_key_gives_the_first_answer_again(board):
    record, _ = board
    key = uuid.uuid4().hex
    first = changed(record.add(board_total("Two", 3, 80), idempotency_key=key), 201)
    after = record.get()
    again = record.add(board_total("Two", 3, 80), idempotency_key=key)
    assert (again.status, again.body) == (201, first.body)
    assert record.get().body == after.body


def test_a_repeated_answer_shows_the_record_as_it_stands(board):
    record, course = board
    keys = [uuid.uuid4().hex for _ in range(4)]

    def send():
        unit = board_total("Two", 3, 80)
        steps = [{"op": "add", "ref": "three", **board_total("Three", 2, 70)}]
        return [
            record.add(unit, idempotency_key=keys[0]),
            record.patch(course, {"credits": 1}, headers={"idempotency_key": keys[1]}),
            record.api.post(f"{record.path}/changes", {"changes": steps}, idempotency_key=keys[2]),
            record.api.post(f"{record.path}/undo", {}, idempotency_key=keys[3]),
        ]

    first = send()
    assert [answer.status for answer in first] == [201, 200, 200, 200]
    changed(record.patch(course, {"credits": 2}))
    changed(record.remove(first[0].json["entry"]["id"]))
    now, again = record.get(), send()
    assert record.get().body == now.body
    assert [answer.status for answer in again] == [201, 200, 200, 200]
    for before, after in zip(first[:3], again[:3], strict=True):
        assert after.etag == before.etag and after.json["version"] == before.json["version"]
        assert after.json["current"] == now.json["version"]
        assert after.json["standing"] == now.json["standing"]
    made = first[0].json["entry"]
    assert again[0].json["entry"] is None
    assert again[0].json["added"] == [made["id"], *(child["id"] for child in made["children"])]
    assert again[1].json["entry"]["fields"]["credits"] == 2
    assert again[2].json["entries"] == first[2].json["entries"]
    assert (again[3].etag, again[3].json) == (now.etag, now.json)


def test_a_repeated_start_of_a_record_shows_it_as_it_stands(student):
    program = student.new_record("chalkboard").get().json["record"]["program"]
    key, body = uuid.uuid4().hex, {"program": program}
    first = changed(student.post("/v1/records", body, idempotency_key=key), 201)
    assert student.post("/v1/records", body, idempotency_key=key).body == first.body
    path = f"/v1/records/{first.json['record']['id']}"
    changed(student.post(f"{path}/entries", board_total("One", 3, 80)), 201)
    again = changed(student.post("/v1/records", body, idempotency_key=key), 201)
    assert again.json == student.get(path).json
    changed(student.delete(path), 204)
    assert student.post("/v1/records", body, idempotency_key=key).status == 404


def test_the_same_key_with_another_body_is_refused(board):
    record, course = board
    key = uuid.uuid4().hex
    changed(record.patch(course, {"credits": 1}, headers={"idempotency_key": key}))
    for answer in (
        record.patch(course, {"credits": 2}, headers={"idempotency_key": key}),
        record.add(board_total("Two", 3, 80), idempotency_key=key),
    ):
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
