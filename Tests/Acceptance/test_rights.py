"""Who may do what, tried as somebody would who wants more than that."""

from client import changed
from oracle.build import board_total
from programs import Program, enrolled


# -- what staff read: names, and everything of their programs


def test_a_teacher_opens_a_program(server, registrar):
    program = Program(registrar, "chalkboard")
    changed(program.publish())
    changed(program.edit(configuration={"courseLimit": 3}))
    rehearsal = program.rehearse()
    teacher = enrolled(server, registrar, "teacher", [program.id])
    paths = ("", "/versions", "/moves", "/cohort", "/releases", "/rehearsals", f"/rehearsals/{rehearsal['id']}")
    for path in paths + (f"/rehearsals/{rehearsal['id']}/changes",):
        changed(teacher.get(program.path + path))
    assert teacher.post(program.path + "/rehearsals").status == 403
    assert teacher.delete(f"{program.path}/rehearsals/{rehearsal['id']}").status == 403
    assert teacher.patch(program.path, {"title": "Mine"}).status == 403


def test_staff_read_names_beside_accounts(server, registrar):
    program = Program(registrar, "chalkboard")
    changed(program.publish())
    student = enrolled(server, registrar)
    changed(student.patch("/v1/accounts/me", {"displayName": "Ada =Lovelace"}))
    record = program.record([board_total("Algorithms", 3, 85)], student=student.account["id"])
    named = {"student": student.account["id"], "displayName": "Ada =Lovelace"}
    teacher = enrolled(server, registrar, "teacher", [program.id])
    (item,) = changed(teacher.get(f"/v1/records?program={program.id}")).json["items"]
    assert item["displayName"] == named["displayName"]
    head = {"id": student.account["id"], "displayName": named["displayName"]}
    assert changed(teacher.get(record.path + "/people")).json["student"] == head
    students = changed(teacher.get(f"{program.path}/students?records={record.id},none")).json["items"]
    assert students == [{"record": record.id} | named]
    row = f'{{"record":"{record.id}","path":["Algorithms"],"fields":{{"credits":4}}}}'
    done = changed(teacher.post(program.path + "/results", row.encode(), content_type="application/jsonl"))
    (row,) = done.json["import"]["rows"]
    assert {name: row[name] for name in named} == named
    changed(program.edit(configuration={"bands": [{"label": "A", "from": 0, "points": 4}]}))
    rehearsal = program.rehearse()
    rows = program.changes(rehearsal)
    assert rows and {row["displayName"] for row in rows} == {named["displayName"]}
    path = f"{program.path}/rehearsals/{rehearsal['id']}/changes"
    table = changed(registrar.get(path, accept="text/csv")).body.decode().split("\r\n")
    assert table[1].startswith(f"{record.id},{student.account['id']},Ada =Lovelace,")


def test_a_list_of_ones_own_names_nobody(student):
    student.new_record("chalkboard")
    (item,) = changed(student.get("/v1/records")).json["items"]
    assert "displayName" not in item
