"""Imports of results that are long, malformed, repeated or cut off."""

import json
import threading
import uuid

import pytest
from programs import Program, enrolled, until

from client import changed
from oracle.build import unit

LINES = "application/jsonl"


def class_of(registrar, size):
    """A program with records of one empty unit each."""
    program = Program(registrar, "iut", entry="staff")
    changed(program.publish())
    return program, [program.record([unit("Maths", 2, [("Algebra", 1, 10)])]) for _ in range(size)]


def new_subject(record, number):
    """A row that adds a subject, so that a row entered twice shows."""
    row = {"record": record.id, "path": ["Maths"], "kind": "subject"}
    return json.dumps(row | {"fields": {"title": f"Subject {number}", "weight": 1, "grade": number % 21}})


def send(api, program, rows, **headers):
    return api.post(program.path + "/results", "\n".join(rows).encode(), content_type=LINES, **headers)


def test_an_import_has_a_most_of_rows_and_a_row_a_most_of_bytes(registrar):
    program, (record,) = class_of(registrar, 1)
    answer = send(registrar, program, ["x"] * 20_001)
    assert (answer.status, answer.faults) == (422, [("row_limit", "")])
    assert "20000" in answer.json["faults"][0]["message"]
    long = json.dumps({"record": record.id, "path": ["Maths"], "fields": {"title": "x" * 70_000}})
    done = changed(send(registrar, program, [long, new_subject(record, 1)])).json["import"]
    assert [row["state"] for row in done["rows"]] == ["refused", "accepted"]
    assert done["rows"][0]["faults"][0]["code"] == "row_too_long"


# The server reads fifty thousand unknown members.
@pytest.mark.slow("sends a hundred rows, each of which has five hundred members that are wrong")
def test_what_is_listed_of_bad_rows_is_bounded(registrar):
    program, _ = class_of(registrar, 1)
    row = json.dumps({f"member {n} {'x' * 100}": 1 for n in range(500)})
    answer = changed(send(registrar, program, [row] * 100)).json["import"]
    assert answer["refused"] == 100
    assert len(answer["rows"][0]["faults"]) == 20
    assert len(json.dumps(answer)) < 2 << 20


# The server splits 20 MiB into rows.
@pytest.mark.slow("sends twenty mebibytes of rows, which take long enough for others to ask meanwhile")
def test_others_are_answered_while_a_long_body_is_read(server, registrar):
    program, _ = class_of(registrar, 1)
    slow, quick = server.signed_in("registrar"), server.signed_in("registrar")
    answered = []

    def post():
        answered.append(slow.post(program.path + "/results", b"\n" * (20 << 20), content_type=LINES))

    sender = threading.Thread(target=post)
    sender.start()
    while sender.is_alive():
        assert quick.get("/v1/schemes/iut").status == 200
    sender.join()
    assert changed(answered[0]).json["import"]["total"] == 0
    slow.close()
    quick.close()


def test_the_same_import_under_its_key_is_entered_once(registrar):
    program, (record,) = class_of(registrar, 1)
    rows = [new_subject(record, n) for n in range(20)]
    key = uuid.uuid4().hex
    first, again = (send(registrar, program, rows, idempotency_key=key) for _ in range(2))
    assert changed(first).json == changed(again).json
    assert first.headers["Location"] == again.headers["Location"]
    assert len(record.entries[0]["children"]) == 21
    other = send(registrar, program, rows[1:], idempotency_key=key)
    assert (other.status, other.json["code"]) == (422, "idempotency_mismatch")


def test_rows_end_as_old_spreadsheets_end_them(registrar):
    program, (record,) = class_of(registrar, 1)
    table = f"record,path,grade\r{record.id},Maths/Algebra,12\r"
    done = changed(registrar.post(program.path + "/results", table.encode(), content_type="text/csv")).json["import"]
    assert (done["accepted"], done["total"]) == (1, 1)


def test_numbers_are_read_as_people_write_them_and_never_guessed(registrar):
    program, (record,) = class_of(registrar, 1)

    def entered(grade, decimal="comma"):
        table = f"record;path;grade\n{record.id};Maths/Algebra;{grade}\n"
        path = f"{program.path}/results?delimiter=semicolon&decimal={decimal}"
        (row,) = changed(registrar.post(path, table.encode(), content_type="text/csv")).json["import"]["rows"]
        if row["state"] == "refused":
            return row["faults"][0]["code"], row["faults"][0]["message"]
        return str(record.seen_by(registrar).entries[0]["children"][0]["fields"]["grade"])

    ambiguous = ("ambiguous_number", "This can mean 1 or 1000; write the one you mean")
    assert entered("1,000") == entered("1,000", "point") == ambiguous
    assert entered("1.000")[0] == "grade_out_of_range"  # a thousand
    assert entered("１２，５") == entered("12,5") == entered("12.5", "point") == "12.5"
    assert entered("0 012,5")[0] == "not_a_number"
    assert entered("\u22123")[0] == "grade_out_of_range"
    answer = record.patch(record.entries[0]["children"][0]["id"], {"grade": "1,000"})
    assert (answer.status, answer.faults) == (422, [("ambiguous_number", "/fields/grade")])


# Enters 800 rows, so that the crash falls among them.
def test_an_import_cut_off_by_a_crash_goes_on_to_its_end_and_enters_each_row_once(own_server):
    registrar = own_server.signed_in("registrar")
    program, records = class_of(registrar, 10)
    rows = [new_subject(records[n % 10], n) for n in range(800)] + ["x"]
    # The machine may look away until an import has ended; the next is seen under way.
    for times in range(1, 20):  # noqa: B007
        path = changed(send(registrar, program, rows), 202).headers["Location"]
        before = until(lambda: registrar.get(path).json["import"], lambda found: found["done"] >= 64)  # noqa: B023
        if before["state"] == "running":
            break
    assert before["state"] == "running"
    own_server.kill()
    own_server.start()
    program.api = own_server.signed_in("registrar")
    done = program.wait(path, "import")
    assert (done["state"], done["done"], done["accepted"], done["refused"]) == ("done", 801, 800, 1)
    assert [row["row"] for row in done["rows"]] == [801]
    for record in records:
        assert len(record.seen_by(program.api).entries[0]["children"]) == 1 + 80 * times


# Enters 600 rows into one record, which grows with each.
@pytest.mark.slow("imports six hundred rows, which take long enough to be cut off, and restarts its server")
def test_an_import_that_is_sent_again_while_it_goes_on_is_the_same(own_server):
    registrar = own_server.signed_in("registrar")
    program, (record,) = class_of(registrar, 1)
    rows = [new_subject(record, n) for n in range(600)]
    key = uuid.uuid4().hex
    path = changed(send(registrar, program, rows, idempotency_key=key), 202).headers["Location"]
    own_server.kill()
    own_server.start()
    program.api = own_server.signed_in("registrar")
    again = send(program.api, program, rows, idempotency_key=key)
    # 202 as long as it goes on.
    running = again.json["import"]["state"] == "running"
    assert (again.status, again.headers["Location"]) == (202 if running else 200, path)
    assert program.wait(path, "import")["accepted"] == 600
    ended = changed(send(program.api, program, rows, idempotency_key=key))
    assert (ended.json["import"]["state"], ended.headers["Location"]) == ("done", path)
    assert len(record.seen_by(program.api).entries[0]["children"]) == 601


def test_a_sender_who_loses_the_right_enters_no_further_row(server, registrar):
    program, records = class_of(registrar, 10)
    teacher = enrolled(server, registrar, "teacher", [program.id])
    rows = [new_subject(records[n % 10], n) for n in range(8_000)]
    path = changed(send(teacher, program, rows), 202).headers["Location"]
    until(lambda: registrar.get(path).json["import"], lambda found: found["done"] >= 64)
    changed(registrar.delete(f"/v1/institutions/demo/members/{teacher.account['id']}"), 204)
    ended = program.wait(path, "import")
    # Rows that were being entered at that moment may be refused; no other ones are.
    assert ended["state"] == "failed"
    assert ended["accepted"] + ended["refused"] == ended["done"]
    assert ended["refused"] <= len(records)
    assert 64 <= ended["done"] < 8_000
    entered = [len(record.entries[0]["children"]) - 1 for record in records]
    assert sum(entered) == ended["accepted"]


def preview(api, program, rows, query=""):
    body = "\n".join(json.dumps(row) for row in rows).encode()
    return api.post(f"{program.path}/results/preview{query}", body, content_type=LINES)


def test_a_preview_says_what_would_be_entered_and_stores_nothing(registrar):
    program, (record,) = class_of(registrar, 1)
    before = registrar.get(f"/v1/records/{record.id}").json
    rows = [
        {"record": record.id, "path": "Maths/Algebra", "fields": {"grade": 15}},
        {"record": record.id, "path": "Maths", "fields": {"coefficient": 1_000_000}},
        {"record": "nobody", "path": "Maths/Algebra", "fields": {"grade": 12}},
        {"record": record.id, "path": "Maths", "kind": "subject", "fields": {"title": "Geometry", "weight": 2}},
        {"record": record.id, "path": "Maths/Geometry", "fields": {"grade": 9}},
    ]
    answer = changed(preview(registrar, program, rows)).json["preview"]
    assert (answer["total"], answer["accepted"], answer["refused"]) == (5, 3, 2)
    assert [row["content"] for row in answer["rows"]] == rows
    first, second, third, _, last = answer["rows"]
    assert first["names"] == ["Maths", "Algebra"]
    assert (first["before"]["fields"]["grade"], first["after"]["fields"]["grade"]) == (10, 15)
    assert first["student"]["displayName"] == "Student"
    assert [fault["code"] for fault in second["faults"] + third["faults"]] == ["unknown_field", "record_unknown"]
    assert (last["state"], last["names"]) == ("accepted", ["Maths", "Geometry"])
    assert registrar.get(f"/v1/records/{record.id}").json == before


def test_a_preview_judges_as_the_import_does(registrar):
    program, (record,) = class_of(registrar, 1)
    rows = [{"record": record.id, "path": "Maths/Algebra", "fields": {"grade": grade}} for grade in (5, "x", 30, 20)]
    tried = changed(preview(registrar, program, rows)).json["preview"]
    done = changed(send(registrar, program, [json.dumps(row) for row in rows])).json["import"]
    assert [row["state"] for row in tried["rows"]] == [row["state"] for row in done["rows"]]
    assert [row.get("faults") for row in tried["rows"]] == [row.get("faults") for row in done["rows"]]


def test_a_preview_has_fewer_rows_than_an_import(registrar):
    program, (record,) = class_of(registrar, 1)
    answer = preview(registrar, program, [{"record": record.id}] * 2_001)
    assert (answer.status, answer.faults) == (422, [("row_limit", "")])


def test_refused_rows_come_back_with_what_stood_in_them(registrar):
    program, _ = class_of(registrar, 1)
    row = {"student": "nobody-here", "path": "Maths/Algebra", "fields": {"grade": 12}}
    done = changed(send(registrar, program, [json.dumps(row)])).json["import"]
    assert done["rows"][0]["content"] == row
    assert registrar.get(f"{program.path}/results/{done['id']}").json["import"]["rows"][0]["content"] == row


def test_what_is_hidden_is_told_by_the_names_of_entries_and_students(registrar):
    program, records = class_of(registrar, 7)
    rows = [json.dumps({"record": r.id, "path": "Maths/Algebra", "fields": {"grade": 12}}) for r in records[:6]]
    path = program.path + "/results?hidden=true"
    changed(registrar.post(path, "\n".join(rows).encode(), content_type=LINES))
    hidden = registrar.get(program.path + "/hidden").json["hidden"]
    assert (hidden["records"], hidden["complete"], len(hidden["items"])) == (6, True, 1)
    assert (hidden["items"][0]["path"], hidden["items"][0]["count"]) == (["Maths", "Algebra"], 6)
    assert [student["displayName"] for student in hidden["items"][0]["students"]] == ["Student"] * 5
