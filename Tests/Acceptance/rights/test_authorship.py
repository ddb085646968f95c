"""What staff entered in a record is theirs: a student changes, deletes and guesses none of it."""

import pytest
from programs import Program, enrolled

from client import changed
from oracle.build import board_total, without_ids
from oracle.wire import loads


class Shared:
    """A record that a student and a teacher both write in, in a program where both may enter."""

    def __init__(self, server, registrar, scheme="chalkboard"):
        self.program = Program(registrar, scheme)
        changed(self.program.publish())
        self.student = enrolled(server, registrar)
        self.teacher = enrolled(server, registrar, "teacher", [self.program.id])
        self.own = self.program.record(api=self.student)
        self.staff = self.own.seen_by(self.teacher)

    def course(self, by, title="Algorithms", total=80):
        """A course entered by somebody; its id."""
        return changed(by.add(board_total(title, 3, total)), 201).json["entry"]["id"]


def outermost(record, entry):
    """An entry as its caller sees it."""
    return next(one for one in record.entries if one["id"] == entry)


def test_a_student_changes_nothing_that_staff_entered(server, registrar):
    shared = Shared(server, registrar)
    entry = shared.course(shared.staff, total=20)
    item = outermost(shared.own, entry)["children"][0]
    score = item["fields"]["points"]
    by = shared.teacher.account["id"]
    assert item["enteredBy"]["fields"]["points"] == by
    refused = [
        shared.own.patch(item["id"], {"points": 100, "max": 100}),
        shared.own.patch(entry, {"credits": 9}),
        shared.own.change({"op": "patch", "entry": item["id"], "fields": {"points": 100}}),
        shared.own.patch(item["id"], {"points": None}),
        shared.own.remove(entry),
        shared.student.delete(shared.own.path + "/entries?position=1"),
        shared.own.change({"op": "delete", "entry": entry}),
        shared.own.change({"op": "delete", "entry": entry}, {"op": "add"} | without_ids([board_total("New", 3, 99)])[0]),
    ]
    for answer in refused:
        assert answer.status == 422, answer
        assert "entered_by_staff" in [code for code, _ in answer.faults]
    assert refused[0].faults[0][1].startswith("/fields/")
    assert "Staff entered this" in refused[0].json["faults"][0]["message"]
    assert outermost(shared.own, entry)["children"][0]["fields"]["points"] == score
    # Sending what stands there changes nothing, and trying is free.
    changed(shared.own.patch(item["id"], {"points": score}))
    ops = [{"op": "patch", "entry": entry, "fields": {"credits": 4}}]
    changed(shared.student.post(shared.own.path + "/what-if", {"changes": ops}))
    names = changed(shared.student.get(shared.own.path + "/people")).json
    assert names["staff"] == [{"id": by, "displayName": "Person"}]
    changed(shared.staff.patch(entry, {"credits": 4}))
    changed(shared.staff.remove(entry))


def test_a_record_that_staff_had_a_part_in_is_not_the_students_to_delete(server, registrar):
    shared = Shared(server, registrar)
    shared.course(shared.staff)
    hidden = Shared(server, registrar)
    entry = hidden.course(hidden.own)
    changed(hidden.staff.patch(entry, {"credits": 4}, hidden=True))
    own = Shared(server, registrar)
    own.course(own.own)
    for one in (shared, hidden, own):
        changed(registrar.patch(one.program.path, {"entry": "self"}))
    for one in (shared, hidden):
        answer = one.student.delete(one.own.path)
        assert (answer.status, answer.faults) == (422, [("entered_by_staff", "")]), answer
        assert "only staff can change it" in answer.json["faults"][0]["message"]
        changed(one.own.get())
    assert own.student.delete(own.own.path).status == 204


def test_what_staff_entered_is_known_field_by_field(server, registrar):
    shared = Shared(server, registrar)
    entry = shared.course(shared.own)
    assert "enteredBy" not in outermost(shared.own, entry)
    changed(shared.staff.patch(entry, {"credits": 4}))
    assert list(outermost(shared.own, entry)["enteredBy"]["fields"]) == ["credits"]
    changed(shared.own.patch(entry, {"title": "Logic"}))
    assert shared.own.patch(entry, {"credits": 3}).faults == [("entered_by_staff", "/fields/credits")]
    assert shared.own.remove(entry).faults == [("entered_by_staff", "")]
    # The author of a value goes with it: undone, it is the student's again.
    entry = shared.course(shared.own, title="Sets")
    changed(shared.staff.patch(entry, {"credits": 4}))
    changed(shared.teacher.post(shared.staff.path + "/undo", {}))
    assert "enteredBy" not in outermost(shared.own, entry)
    changed(shared.own.remove(entry))


def test_an_import_a_template_and_record_fields_are_of_staff_too(server, registrar):
    shared = Shared(server, registrar)
    entry = shared.course(shared.own)
    row = f'{{"record":"{shared.own.id}","entry":"{entry}","fields":{{"credits":5}}}}'
    path = shared.program.path + "/results"
    changed(shared.teacher.post(path, row.encode(), content_type="application/jsonl"))
    assert shared.own.patch(entry, {"credits": 3}).faults == [("entered_by_staff", "/fields/credits")]

    rose = Shared(server, registrar, "rose-hulman")
    changed(rose.teacher.patch(rose.staff.path, {"fields": {"priorGPA": 2, "priorCredits": 10}}))
    answer = rose.student.patch(rose.own.path, {"fields": {"priorGPA": 4}})
    assert answer.faults == [("entered_by_staff", "/fields/priorGPA")]
    record = changed(rose.own.get()).json["record"]
    assert record["enteredBy"]["fields"]["priorGPA"] == rose.teacher.account["id"]

    iut = Program(registrar, "iut")
    changed(iut.publish())
    student = enrolled(server, registrar)
    body = {"program": iut.id, "student": student.account["id"], "template": "sample"}
    made = changed(registrar.post("/v1/records", body), 201).json["record"]
    unit = made["entries"][0]
    refused = student.patch(f"/v1/records/{made['id']}/entries/{unit['id']}", {"fields": {"weight": 9}})
    assert refused.faults == [("entered_by_staff", "/fields/weight")]


def twins(server, registrar):
    """Two students with a course of their own; in the first something is hidden."""
    hidden, plain = Shared(server, registrar), Shared(server, registrar)
    found = [(shared, shared.course(shared.own)) for shared in (hidden, plain)]
    item = outermost(hidden.own, found[0][1])["children"][0]["id"]
    changed(hidden.staff.patch(item, {"points": 1}, hidden=True))
    return found


def likeness(answer, shared):
    """What an answer tells, without what must differ between two records."""
    text = answer.body.decode()
    for name in (shared.own.id, shared.program.id, shared.student.account["id"]):
        text = text.replace(name, "…")
    return answer.status, {name: value for name, value in loads(text).items() if name != "standing"}


@pytest.mark.slow("makes two records with all their people anew for each of three ways to delete")
def test_a_hidden_score_is_not_deleted_and_tells_nothing(server, registrar):
    for way in ("DELETE", "position", "changes"):
        seen = []
        pair = twins(server, registrar)
        for shared, entry in pair:
            before = changed(shared.own.standing()).json["figures"]
            if way == "DELETE":
                answer = shared.own.remove(entry)
            elif way == "position":
                answer = shared.student.delete(shared.own.path + "/entries?position=1")
            else:
                answer = shared.own.change({"op": "delete", "entry": entry})
            gone = [
                shared.own.entries,
                shared.own.patch(entry, {"credits": 1}).status,
                shared.own.remove(entry).status,
                shared.own.change({"op": "add", "parent": entry} | without_ids([board_total("A", 3, 9)])[0]).status,
                [item["op"] for item in shared.own.history()],
            ]
            undone = shared.student.post(shared.own.path + "/undo", {}).status
            again = [one["fields"] for one in shared.own.entries]
            after = changed(shared.own.standing()).json["figures"]
            assert before == after
            seen.append((likeness(answer, shared), gone, undone, again))
        assert seen[0] == seen[1], way
        # Staff still have the score, whatever the student did.
        shared, entry = pair[0]
        assert outermost(shared.staff, entry)["children"][0]["fields"]["points"] == 1


def test_nothing_is_deleted_and_added_under_in_one_list(server, registrar):
    for shared, entry in twins(server, registrar):
        item = without_ids([board_total("A", 3, 9)])[0]["children"][0]
        answer = shared.own.change({"op": "delete", "entry": entry}, {"op": "add", "parent": entry} | item)
        assert (answer.status, answer.json["code"]) == (404, "entry_not_found")
