"""Results by the hundred: imported in any form, kept hidden, released."""

from fractions import Fraction

from programs import Program, enrolled, graded

from client import changed
from oracle.build import unit


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
    parts = [(f"Part {number}", 1) for number in range(60)]
    records = [program.record([unit("Maths", 2, parts)]) for _ in range(10)]
    rows = [
        f'{{"record":"{records[n % 10].id}","path":["Maths","Part {n // 10}"],"fields":{{"grade":{n % 21}}}}}'
        for n in range(600)
    ]
    sent = registrar.post(program.path + "/results", "\n".join(rows).encode(), content_type="application/jsonl")
    assert changed(sent, 202).json["import"]["total"] == 600
    done = program.wait(sent.headers["Location"], "import")
    assert (done["state"], done["accepted"], done["refused"], done["rows"]) == ("done", 600, 0, [])
    for n, record in enumerate(records):
        mean = Fraction(sum(grade % 21 for grade in range(n, 600, 10)), 60)
        assert record.standing().json["figures"]["total"]["exact"] == str(mean)


def test_of_rows_that_contradict_each_other_none_is_entered(registrar):
    program = Program(registrar, "iut", entry="staff")
    changed(program.publish())
    record = program.record([unit("Maths", 2, [("Algebra", 1), ("Logic", 1)])])
    grades = [("Algebra", 12), ("Logic", 14), ("Algebra", 13), ("Logic", "14.0")]
    rows = ["record,path,grade", *(f"{record.id},Maths/{title},{grade}" for title, grade in grades)]
    for end in ("/results/preview", "/results"):
        answer = registrar.post(program.path + end, "\n".join(rows).encode(), content_type="text/csv")
        [found] = answer.json.values()
        assert (found["accepted"], found["refused"]) == (2, 2), answer
        faults = [row["faults"][0]["code"] for row in found["rows"] if row.get("faults")]
        assert faults == ["row_twice", "row_twice"]


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
