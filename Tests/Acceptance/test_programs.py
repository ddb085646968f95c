"""A registrar's afternoon: drafts, rehearsals, publishing, moves, cohorts, results by the hundred, release."""

import time

import pytest

from client import changed
from oracle.build import board_total, category, item, rose_course, unit
from programs import Program, enrolled


def graded(grade):
    """A course with one exam of that percentage."""
    return rose_course(category("exams", 100, [item("Final", score=grade, max=100)]), title="Algorithms")


# -- drafts


def test_all_that_is_wrong_with_a_configuration_is_said_at_once(registrar):
    program = Program(registrar, "iut", preset="but")
    answer = program.edit(configuration={"bar": 25, "groupLow": "none", "unknown": 1})
    assert answer.status == 422, answer
    assert {path for _, path in answer.faults} == {
        "/configuration/bar",
        "/configuration/groupLow",
        "/configuration/unknown",
    }
    assert registrar.get(program.path).json["program"]["draft"]["preset"] == "but"


def test_a_surprising_configuration_is_warned_of(registrar):
    program = Program(registrar, "rose-hulman")
    grade = {"rounding": "halfUp", "scale": 2, "compareOn": "exact"}
    answer = changed(program.edit(configuration={"grade": grade}))
    assert ("display_contradicts", "/configuration/bands/0/from") in [
        (warning["code"], warning["path"]) for warning in answer.json["warnings"]
    ]


# -- rehearsing and publishing


def test_a_program_begins_with_a_rehearsal_over_nobody(registrar):
    program = Program(registrar, "chalkboard")
    rehearsal = program.rehearse()
    assert (rehearsal["state"], rehearsal["done"], rehearsal["total"]) == ("done", 0, 0)
    answer = changed(program.publish(rehearsal["digest"]))
    assert answer.json["program"]["version"] == 1
    assert answer.json["program"]["draft"] is None
    assert answer.json["move"] is None and answer.json["since"] == {"records": 0, "items": []}


def test_publishing_needs_the_digest_of_this_very_draft(registrar):
    program = Program(registrar, "chalkboard")
    assert program.publish("0" * 64).json["code"] == "digest_mismatch"
    answer = registrar.post(program.path + "/publish", {})
    assert (answer.status, answer.faults) == (422, [("missing_field", "/digest")])
    digest = program.rehearse()["digest"]
    changed(program.edit(configuration={"courseLimit": 3}))
    answer = program.publish(digest)
    assert (answer.status, answer.json["code"]) == (409, "digest_mismatch")
    changed(program.publish())
    assert program.publish(digest).status == 422
    assert registrar.post(program.path + "/rehearsals").json["faults"][0]["code"] == "draft_missing"


def test_a_rehearsal_tells_every_figure_letter_and_outcome_that_changes(registrar):
    program = Program(registrar, "iut", preset="lp")
    changed(program.publish())
    grades = (8, 9.5, 10, 11, 12)
    records = [program.record([unit("One", 1, [("A", 1, grade)], professional=True)]).id for grade in grades]
    changed(program.edit(configuration={"bar": 11}))
    rehearsal = program.rehearse()
    rows = program.changes(rehearsal)
    outcomes = [row for row in rows if row["kind"] == "outcome"]
    assert [(row["record"], row["figure"], row["before"], row["after"]) for row in outcomes] == [
        (records[2], "diploma", "met", "unmet")
    ]
    assert {row["record"] for row in rows if row["kind"] == "bar"} == {records[2]}
    counts = rehearsal["counts"]
    assert (counts["outcomes"], counts["records"], counts["refused"]) == (1, 1, 0)
    assert {
        kind: sum(row["kind"] == kind[:-1] for row in rows) for kind in ("figures", "letters", "outcomes", "bars")
    } == {kind: counts[kind] for kind in ("figures", "letters", "outcomes", "bars")}
    assert outcomes[0]["account"] == registrar.account["id"]


def test_rows_come_in_pages_and_as_a_table(registrar):
    program = Program(registrar, "rose-hulman")
    changed(program.publish())
    records = [program.record([graded(grade)]) for grade in (79.996, 84, 84.5, 89.5)]
    bands = [
        {"label": "=A", "from": 84, "points": 4},
        {"label": "B", "from": 80, "points": 3},
        {"label": "F", "from": 0, "points": 0},
    ]
    changed(program.edit(configuration={"bands": bands}))
    rehearsal = program.rehearse()
    rows = program.changes(rehearsal)
    assert rows == program.changes(rehearsal, limit=1) == program.changes(rehearsal, limit=3)
    letters = [(row["before"], row["after"]) for row in rows if row["kind"] == "letter"]
    assert letters == [("B", "=A"), ("B", "=A"), ("B+", "=A")]
    table = changed(registrar.get(f"{program.path}/rehearsals/{rehearsal['id']}/changes", accept="text/csv"))
    assert table.headers["Content-Type"].startswith("text/csv")
    lines = table.body.decode().split("\r\n")
    assert lines[0] == "record,account,displayName,entry,kind,figure,before,after,path" and len(lines) == len(rows) + 2
    assert sum(',B,"\'=A",' in line for line in lines) == 2
    titles = {entry["id"]: entry["fields"]["title"] for record in records for entry in record.entries}
    courses = [row for row in rows if row["entry"] in titles]
    assert len(courses) >= 3 and all(row["path"] == [titles[row["entry"]]] for row in courses)
    assert all(row["path"] == [] for row in rows if row["entry"] is None)


def test_a_cohort_is_rehearsed_published_and_moved(server, registrar):
    program = Program(registrar, "chalkboard")
    changed(program.publish())
    size = 200
    records = [program.record([board_total("Algorithms", 3, 60 + n % 40)]) for n in range(size)]
    student = enrolled(server, registrar)
    own = program.record([board_total("Algorithms", 3, 85)], student=student.account["id"])
    bands = [
        {"label": "A", "from": 84, "points": 4},
        {"label": "B", "from": 80, "points": 3},
        {"label": "F", "from": 0, "points": 0},
    ]
    changed(program.edit(configuration={"bands": bands}))
    rehearsal = program.rehearse()
    assert rehearsal["done"] == rehearsal["total"] == size + 1
    assert rehearsal["counts"]["letters"] == 1 + sum(
        60 + n % 40 in (*range(60, 80), *range(84, 90)) for n in range(size)
    )
    # What changes between the rehearsal and the publication is told, not refused.
    changed(records[0].patch(records[0].entries[0]["id"], {"credits": 2}))
    late = program.record([board_total("Algorithms", 3, 61)])
    answer = changed(program.publish(rehearsal["digest"], records="move"))
    assert answer.json["program"]["version"] == 2
    assert answer.json["since"]["records"] == 2
    assert {row["record"] for row in answer.json["since"]["items"]} == {records[0].id, late.id}
    move = program.moved()
    assert (move["version"], move["done"], move["changed"], move["refused"]) == (2, size + 2, size + 2, 0)
    seen = own.seen_by(student).standing().json
    assert seen["programVersion"] == 2
    assert next(iter(seen["entries"].values()))["letter"] == "A"
    newest = own.seen_by(student).history()[0]
    assert (newest["op"], newest["before"], newest["after"]) == ("move", {"programVersion": 1}, {"programVersion": 2})
    assert newest["by"]["id"] == registrar.account["id"]


def test_a_record_that_is_kept_explains_itself_by_its_old_version(registrar):
    program = Program(registrar, "chalkboard")
    changed(program.publish())
    old = program.record([board_total("Algorithms", 3, 85)])
    before = old.standing().body
    bands = [{"label": "A", "from": 80, "points": 4}, {"label": "F", "from": 0, "points": 0}]
    changed(program.edit(configuration={"bands": bands}))
    changed(program.publish(records="keep"))
    new = program.record([board_total("Algorithms", 3, 85)])
    assert old.standing().body == before
    traced = old.api.get(old.path + "/standing?trace=all").json
    assert traced["programVersion"] == 1 and traced["figures"]["gpa"]["exact"] == "3"
    assert traced["traces"]["nodes"][traced["traces"]["figures"]["gpa"]]["value"] == "3"
    assert new.standing().json["figures"]["gpa"]["exact"] == "4"
    versions = registrar.get(program.path + "/versions").json["items"]
    assert [(one["version"], one["records"]) for one in versions] == [(2, "keep"), (1, "keep")]
    assert all(one["rehearsal"] for one in versions)


def test_a_rehearsal_can_be_stopped_and_is_forgotten(registrar):
    program = Program(registrar, "chalkboard")
    changed(program.publish())
    for _ in range(40):
        program.record([board_total("Algorithms", 3, 85)])
    changed(program.edit(configuration={"courseLimit": 3}))
    begun = changed(registrar.post(program.path + "/rehearsals"), 202).json["rehearsal"]
    path = f"{program.path}/rehearsals/{begun['id']}"
    assert changed(registrar.delete(path)).json["rehearsal"]["state"] in ("cancelled", "done")
    # A later one takes its place; it is not held up.
    assert program.rehearse()["state"] == "done"
    listed = registrar.get(program.path + "/rehearsals").json["items"]
    assert listed[0]["state"] == "done" and len(listed) <= 5


def test_rehearsals_are_ordered_by_registrars_and_read_by_teachers(server, registrar, student):
    program = Program(registrar, "chalkboard")
    changed(program.publish())
    changed(program.edit(configuration={"courseLimit": 3}))
    teacher = enrolled(server, registrar, "teacher", [program.id])
    rehearsal = program.rehearse()
    for api in (teacher, student):
        assert api.post(program.path + "/rehearsals").status == 403
        assert api.post(program.path + "/publish", {"digest": rehearsal["digest"]}).status == 403
    assert student.get(f"{program.path}/rehearsals/{rehearsal['id']}/changes").status == 403
    changed(teacher.get(f"{program.path}/rehearsals/{rehearsal['id']}/changes"))
    assert student.get(program.path + "/cohort").status == 403
    changed(teacher.get(program.path + "/cohort"))
    other = Program(registrar, "chalkboard")
    assert registrar.get(f"{other.path}/rehearsals/{rehearsal['id']}").status == 404


def test_a_move_goes_on_after_a_crash(own_server):
    registrar = own_server.signed_in("registrar")
    program = Program(registrar, "chalkboard")
    changed(program.publish())
    records = [program.record([board_total("Algorithms", 3, 85)]) for _ in range(60)]
    bands = [{"label": "A", "from": 80, "points": 4}, {"label": "F", "from": 0, "points": 0}]
    changed(program.edit(configuration={"bands": bands}))
    changed(program.publish(records="move"))
    own_server.kill()
    own_server.start()
    assert program.moved()["state"] == "done"
    assert {record.standing().json["programVersion"] for record in records} == {2}
    assert {len([one for one in record.history() if one["op"] == "move"]) for record in records} == {1}


def test_a_move_makes_no_record_the_institutions_when_its_student_leaves(server, registrar, administrator):
    program = Program(registrar, "chalkboard")
    changed(program.publish())
    leaving, staying = (enrolled(server, registrar) for _ in range(2))
    own = program.record([board_total("Of my own", 3, 85)], api=leaving)
    graded = program.record([board_total("By staff", 3, 85)], leaving.account["id"])
    others = program.record([board_total("Of another", 3, 85)], api=staying)
    changed(program.edit(configuration={"courseLimit": 3}))
    changed(program.publish(records="move"))
    assert program.moved()["changed"] == 3
    changed(leaving.delete("/v1/accounts/me"), 204)
    # What only the student entered goes with the account; the rest stays, and names no student.
    for api in (registrar, administrator):
        assert api.get(own.path).status == 404
        assert api.get(f"{own.path}/history").status == 404
    listed = {item["id"]: item for item in registrar.get(f"/v1/records?program={program.id}").json["items"]}
    assert set(listed) == {graded.id, others.id}
    assert {(item["student"], item["displayName"]) for item in listed.values()} == {
        (None, None), (staying.account["id"], "Person")
    }  # fmt: skip
    assert listed[graded.id]["student"] is None
    assert "By staff" in registrar.get(graded.path).body.decode()
    assert "Of my own" not in registrar.get(f"{graded.path}/history").body.decode()
    assert "Of another" in staying.get(others.path).body.decode()


def test_a_version_of_a_later_day_moves_nobody_yet(registrar):
    program = Program(registrar, "chalkboard")
    changed(program.publish())
    record = program.record([board_total("Algorithms", 3, 85)])
    changed(program.edit(configuration={"courseLimit": 3}))
    answer = changed(program.publish(records="move", effectiveFrom="2999-01-01"))
    assert answer.json["move"]["state"] == "waiting"
    assert record.standing().json["programVersion"] == 1
    assert program.record().standing().json["programVersion"] == 1


@pytest.mark.long
def test_ten_thousand_records_of_forty_courses(own_server):
    registrar = own_server.signed_in("registrar")
    program = Program(registrar, "chalkboard", configuration={"courseLimit": 40})
    changed(program.publish())
    courses = [{"op": "add"} | board_total(f"Course {n}", 3, 55 + n) for n in range(40)]
    for _ in range(10_000):
        record = program.record()
        changed(record.change(*courses))
    bands = [
        {"label": "A", "from": 84, "points": 4},
        {"label": "B", "from": 80, "points": 3},
        {"label": "F", "from": 0, "points": 0},
    ]
    changed(program.edit(configuration={"bands": bands}))
    begin = time.monotonic()
    rehearsal = program.rehearse()
    print("rehearsed in", time.monotonic() - begin)
    assert rehearsal["done"] == 10_000
    begin = time.monotonic()
    changed(program.publish(rehearsal["digest"], records="move"))
    assert program.moved()["changed"] == 10_000
    print("moved in", time.monotonic() - begin)


# -- cohorts


def test_a_small_cohort_says_nothing_but_its_size(registrar):
    program = Program(registrar, "iut")
    changed(program.publish())
    for _ in range(4):
        program.record([unit("One", 1, [("A", 1, 9)], professional=True)])
    cohort = program.cohort().json
    assert (cohort["records"], cohort["suppressed"]) == (4, True)
    assert cohort["figures"] == cohort["outcomes"] == cohort["letters"] == cohort["atRisk"] == {}


def test_a_cohort_follows_its_records(registrar):
    program = Program(registrar, "iut")
    changed(program.publish())
    records = [program.record([unit("One", 1, [("A", 1, 9)], professional=True)]) for _ in range(6)]
    first = program.cohort()
    assert first.json["outcomes"]["diploma"] == {"met": 0, "unmet": 6, "pending": 0}
    assert first.json["figures"]["total"]["mean"] == "9.00"
    assert first.json["atRisk"] == {"count": 0, "items": []}, "what can no longer be met is lost, not at risk"
    assert registrar.get(program.path + "/cohort", if_none_match=first.etag).status == 304
    leaf = records[0].entries[0]["children"][0]["id"]
    changed(records[0].patch(leaf, {"grade": 15}))
    second = program.cohort()
    assert second.json["outcomes"]["diploma"] == {"met": None, "unmet": None, "pending": None}
    assert second.json["figures"]["total"]["mean"] == "10.00"
    assert int(second.etag.strip('"').split(".")[1]) == int(first.etag.strip('"').split(".")[1]) + 1
    assert records[0].delete().status == 204
    assert program.cohort().json["records"] == 5


# -- results


def test_rows_are_accepted_or_refused_each_by_itself(server, registrar):
    program = Program(registrar, "rose-hulman", entry="staff")
    changed(program.publish())
    teacher = enrolled(server, registrar, "teacher", [program.id])
    students = [enrolled(server, registrar) for _ in range(3)]
    records = [program.record([graded(50)], student=student.account["id"]) for student in students]
    lines = "\n".join(
        [
            f'{{"student":"{students[0].login}","path":["Algorithms","exams","final"],"fields":{{"score":92.5}}}}',
            f'{{"record":"{records[1].id}","path":"Algorithms/exams/Final","fields":{{"score":-1}}}}',
            f'{{"record":"{records[2].id}","path":["Algorithms","labs"],"fields":{{"score":1}}}}',
            '{"student":"nobody-at-all","path":["Algorithms"],"fields":{"credits":3}}',
            "this is no JSON",
            f'{{"record":"{records[2].id}","path":["Algorithms","exams"],"kind":"item","fields":{{"title":"Quiz","grade":70}}}}',
        ]
    )
    answer = changed(teacher.post(program.path + "/results", lines.encode(), content_type="application/x-ndjson"))
    done = answer.json["import"]
    assert (done["state"], done["accepted"], done["refused"], done["total"]) == ("done", 2, 4, 6)
    faults = {
        row["row"]: [(fault["code"], fault["path"]) for fault in row["faults"]]
        for row in done["rows"]
        if row["state"] == "refused"
    }
    assert faults[2] == [("grade_out_of_range", "/fields/score")]
    assert faults[3] == [("entry_unknown", "/path")]
    assert faults[4] == [("record_unknown", "/student")]
    assert faults[5] == [("malformed", "")]
    assert (
        students[0].get(records[0].path).json["record"]["entries"][0]["children"][0]["children"][0]["fields"]["score"]
        == 92.5
    )
    assert len(records[1].history()) == 2, "a refused row leaves no trace"
    assert len(records[2].entries[0]["children"][0]["children"]) == 2
    path = answer.headers["Location"]
    assert changed(teacher.get(path)).json["import"] == done
    assert students[0].post(program.path + "/results", b"{}", content_type="application/jsonl").status == 403


def test_csv_in_another_dialect(server, registrar):
    program = Program(registrar, "iut", entry="staff")
    changed(program.publish())
    student = enrolled(server, registrar)
    record = program.record(
        [unit("Maths", 2, [("Algèbre; linéaire", 1), ("Analyse", 1)])], student=student.account["id"]
    )
    table = (
        "\ufeffStudent;path;grade\r\n"
        f'{student.login};"Maths/Algèbre; linéaire";12,5\r\n'
        f"{student.login};Maths/Analyse;vingt\r\n"
    )
    path = program.path + "/results?delimiter=semicolon&decimal=comma"
    done = changed(registrar.post(path, table.encode(), content_type="text/csv; charset=utf-8")).json["import"]
    assert (done["accepted"], done["refused"]) == (1, 1)
    assert [row["faults"][0]["code"] for row in done["rows"] if row["state"] == "refused"] == ["not_a_number"]
    assert record.standing().json["figures"]["total"]["exact"] == "25/2"
    assert registrar.post(program.path + "/results", b"a,a\n1,2\n", content_type="text/csv").status == 422
    assert registrar.post(program.path + "/results", b'"a\n', content_type="text/csv").status == 400
    assert registrar.post(program.path + "/results", b"x", content_type="text/plain").status == 415


def test_a_long_import_tells_how_far_it_is(registrar):
    program = Program(registrar, "iut", entry="staff")
    changed(program.publish())
    records = [program.record([unit("Maths", 2, [("Algebra", 1)])]) for _ in range(10)]
    rows = [
        f'{{"record":"{records[n % 10].id}","path":["Maths","Algebra"],"fields":{{"grade":{n % 21}}}}}'
        for n in range(600)
    ]
    sent = registrar.post(program.path + "/results", "\n".join(rows).encode(), content_type="application/jsonl")
    assert changed(sent, 202).json["import"]["total"] == 600
    done = program.wait(sent.headers["Location"], "import")
    assert (done["state"], done["accepted"], done["refused"], done["rows"]) == ("done", 600, 0, [])
    # Rows of one record are entered in their order: the last one stands.
    for n, record in enumerate(records):
        assert record.standing().json["figures"]["total"]["exact"] == str((590 + n) % 21)


def test_where_students_enter_their_own_staff_import_nothing(registrar):
    program = Program(registrar, "iut", entry="self")
    changed(program.publish())
    assert registrar.post(program.path + "/results", b"{}", content_type="application/jsonl").status == 403
    record = program.record()
    # Staff who keep a record of their own may enter there, as students do.
    changed(record.add(unit("Maths", 2, [("Algebra", 1, 10)])), 201)


# -- hidden until released


def test_a_hidden_grade_changes_nothing_a_student_can_see_until_it_is_released(server, registrar, live):
    program = Program(registrar, "rose-hulman", entry="staff")
    changed(program.publish())
    teacher = enrolled(server, registrar, "teacher", [program.id])
    students = [enrolled(server, registrar) for _ in range(2)]
    records = [program.record([graded(80)], student=student.account["id"]) for student in students]
    seen = [record.seen_by(student).get() for record, student in zip(records, students, strict=True)]
    topic = f"standing/{records[0].id}"
    connection = live(students[0].token)
    connection.send({"t": "sub", "topic": topic})
    version = connection.next("state", topic=topic)["v"]
    rows = "\n".join(
        f'{{"student":"{student.login}","path":["Algorithms","exams"],"kind":"item",'
        f'"fields":{{"title":"Exam","score":60,"max":100}}}}'
        for student in students
    )
    path = program.path + "/results?hidden=true"
    assert changed(teacher.post(path, rows.encode(), content_type="application/jsonl")).json["import"]["accepted"] == 2
    for record, student, before in zip(records, students, seen, strict=True):
        now = record.seen_by(student).get()
        assert (now.body, now.etag) == (before.body, before.etag)
        assert len(record.seen_by(student).history()) == 2
        assert record.seen_by(teacher).standing().json["figures"]["gpa"]["exact"] == "2"
    assert students[0].post(program.path + "/release").status == 403
    answer = changed(teacher.post(program.path + "/release", {"path": ["Algorithms", "exams", "Exam"]}), 202)
    assert answer.json["release"]["total"] == 2
    assert program.released()["changed"] == 2
    pushed = connection.next("state", topic=topic)
    assert pushed["v"] == version + 1, "the hidden grade itself was no version"
    for record, student in zip(records, students, strict=True):
        mine = record.seen_by(student)
        assert mine.standing().json["figures"]["gpa"]["exact"] == "2"
        assert mine.history()[0]["op"] == "release"
        assert not any(one["hidden"] for one in mine.entries[0]["children"][0]["children"])
    # There is nothing left to release.
    changed(teacher.post(program.path + "/release"), 202)
    assert program.released()["changed"] == 0


def test_a_hidden_score_for_a_subject_that_is_there_changes_nothing_a_student_can_see(server, registrar, live):
    program = Program(registrar, "iut", entry="staff")
    changed(program.publish())
    teacher, student = enrolled(server, registrar, "teacher", [program.id]), enrolled(server, registrar)
    pro = unit("Pro", 1, [("Projet", 1, 12), ("Stage", 2, None)])
    pro["fields"]["professional"] = True
    record = program.record([pro], student=student.account["id"])
    mine = record.seen_by(student)
    goal = {"figure": "total", "target": 10}

    def seen():
        answers = [mine.get(), mine.standing(), student.post(mine.path + "/goals", goal)]
        return [(answer.body, answer.etag) for answer in answers] + [mine.history()]

    before = seen()
    connection = live(student.token)
    connection.send({"t": "sub", "topic": f"standing/{record.id}"})
    version = connection.next("state", topic=f"standing/{record.id}")["v"]
    for name, grade in [("Stage", 2), ("Projet", 18)]:
        row = f'{{"student":"{student.login}","path":["Pro","{name}"],"fields":{{"grade":{grade}}}}}'
        answer = teacher.post(program.path + "/results?hidden=true", row.encode(), content_type="application/jsonl")
        assert changed(answer).json["import"]["accepted"] == 1
        assert seen() == before
    outcomes = record.seen_by(teacher).standing().json["outcomes"]
    assert (outcomes["diploma"]["state"], outcomes["diploma"]["final"]) == ("unmet", True)
    stage = record.seen_by(teacher).entries[0]["children"][1]
    assert (stage["hidden"], stage["fields"]["grade"], stage["shown"]["fields"]["grade"]) == (True, 2, None)
    changed(teacher.post(program.path + "/release"), 202)
    assert program.released()["changed"] == 1
    assert connection.next("state", topic=f"standing/{record.id}")["v"] == version + 1
    assert [one["fields"]["grade"] for one in mine.entries[0]["children"]] == [18, 2]


def test_students_begin_no_records_where_only_staff_enter(server, registrar):
    program = Program(registrar, "iut", entry="staff")
    changed(program.publish())
    student = enrolled(server, registrar)
    assert student.post("/v1/records", {"program": program.id}).status == 403


# -- live


def test_subscribers_see_the_new_version_and_their_new_standing(server, registrar, live):
    program = Program(registrar, "chalkboard")
    changed(program.publish())
    student = enrolled(server, registrar)
    record = program.record([board_total("Algorithms", 3, 85)], student=student.account["id"])
    connection = live(student.token)
    topics = (f"program/{program.id}", f"standing/{record.id}")
    for topic in topics:
        connection.send({"t": "sub", "topic": topic})
        connection.next("state", topic=topic)
    bands = [{"label": "A", "from": 80, "points": 4}, {"label": "F", "from": 0, "points": 0}]
    changed(program.edit(configuration={"bands": bands}))
    changed(program.publish(records="move"))
    newest = {}
    while (newest.get(topics[0], {}).get("version"), newest.get(topics[1], {}).get("programVersion")) != (2, 2):
        message = connection.receive()
        assert message["t"] == "state", message
        newest[message["topic"]] = message["doc"]["program"] if message["topic"] == topics[0] else message["doc"]
    assert newest[topics[1]]["figures"]["gpa"]["exact"] == "4"


def test_staff_follow_a_cohort(server, registrar, live):
    program = Program(registrar, "iut")
    changed(program.publish())
    records = [program.record([unit("One", 1, [("A", 1, 9)], professional=True)]) for _ in range(6)]
    connection = live(registrar.token)
    topic = f"cohort/{program.id}"
    connection.send({"t": "sub", "topic": topic})
    assert connection.next("state", topic=topic)["doc"]["records"] == 6
    changed(records[0].patch(records[0].entries[0]["children"][0]["id"], {"grade": 15}))
    assert connection.next("state", topic=topic)["doc"]["figures"]["total"]["mean"] == "10.00"
