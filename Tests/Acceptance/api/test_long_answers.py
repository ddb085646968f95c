"""What grows with use is answered in pieces or in pages of bounded length, however much there is."""

import pytest
from client import changed
from oracle.build import category, item, rose_course, without_ids
from test_hunger import MEBIBYTE
from test_unread import connected


def long_course(items):
    """A course of so many items."""
    return without_ids([rose_course(category("exams", 100, [item("x" * 60, score=7, max=10) for _ in range(items)]))])[0]


def pages(api, path):
    """Every page of a list."""
    while path:
        answer = changed(api.get(path))
        yield answer
        path = answer.headers.get("Link", "").partition("<")[2].partition(">")[0]


def test_a_page_of_long_changes_ends_early_and_none_is_left_out(student):
    record = student.new_record("rose-hulman")
    for _ in range(12):
        entry = changed(record.add(long_course(480)), 201).json["entry"]["id"]
        changed(record.remove(entry))
    answers = list(pages(student, record.path + "/history?limit=200"))
    assert len(answers) > 1
    # A page ends with the item that goes beyond 1 MiB, and an item is no longer than a record.
    assert all(len(answer.body) < 2 * MEBIBYTE for answer in answers)
    versions = [item["version"] for answer in answers for item in answer.json["items"]]
    assert versions == list(range(25, 0, -1))


def test_undo_finds_a_change_behind_long_ones(student):
    record = student.new_record("rose-hulman")
    kept = changed(record.add(long_course(1)), 201).json["entry"]["id"]
    for _ in range(8):
        entry = changed(record.add(long_course(480)), 201).json["entry"]["id"]
        changed(record.remove(entry))
    for _ in range(16):
        changed(student.post(record.path + "/undo", {}))
    assert [entry["id"] for entry in record.entries] == [kept]
    changed(student.post(record.path + "/undo", {}))
    assert record.entries == []


def test_a_list_of_records_is_read_a_few_at_a_time(student):
    made = {student.new_record("chalkboard").id for _ in range(19)}
    answers = list(pages(student, "/v1/records?limit=9"))
    assert [len(answer.json["items"]) for answer in answers] == [9, 9, 1]
    assert {item["id"] for answer in answers for item in answer.json["items"]} == made


# Makes 24 records of 900 items and exports them twice.
@pytest.mark.slow("writes 24 records of 900 results each, which make an export longer than 12 MiB")
def test_an_export_is_whole_and_waits_for_its_reader(own_server):
    api = own_server.api().sign_up()
    records = []
    for items in (1, *[900] * 24):
        record = api.new_record("rose-hulman")
        changed(record.add(long_course(items)), 201)
        records.append(record)
    for step in range(60):  # a history of more than one page
        changed(records[0].patch(records[0].entries[0]["id"], {"title": f"Title {step}"}))
    export = changed(api.get("/v1/accounts/me/export"))
    assert len(export.body) > 12 * MEBIBYTE
    assert [one["document"]["record"]["id"] for one in export.json["records"]] == sorted(r.id for r in records)
    first = next(one for one in export.json["records"] if one["document"]["record"]["id"] == records[0].id)
    assert [item["version"] for item in first["history"]] == list(range(62, 0, -1))
    before = own_server.memory
    head = f"GET /v1/accounts/me/export HTTP/1.1\r\nHost: 127.0.0.1:{own_server.port}\r\n"
    request = (head + f"Authorization: Bearer {api.token}\r\n\r\n").encode()
    stalled = [connected(own_server) for _ in range(16)]
    for client in stalled:
        client.sendall(request)
    for client in stalled:
        assert client.recv(64).startswith(b"HTTP/1.1 200")
    # The feed in it may have grown meanwhile.
    assert changed(api.get("/v1/accounts/me/export")).json["records"] == export.json["records"]
    # Each has a few pieces, of which the longest is a record.
    assert own_server.memory < before + 96 * MEBIBYTE
    for client in stalled:
        client.close()
