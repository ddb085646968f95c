"""What staff give beside the computed figures and outcomes, with a reason."""

import pytest
from programs import Program, enrolled
from tokens import bearer

from client import changed
from oracle.build import subject, unit, without_ids

JURY = "Jury of 3 July"
UNITS = [unit("UE11", 1, [("R101", 1, 8), ("R102", 1, 10)]), unit("Stage", 1, [("S1", 1, 13)], professional=True)]


class Juried:
    """A record of two units, averages 9 and 13, with its student, a teacher and a registrar."""

    def __init__(self, server, registrar, **more):
        self.server, self.registrar = server, registrar
        self.program = Program(registrar, "iut", **more)
        changed(self.program.publish())
        self.student = enrolled(server, registrar)
        self.teacher = enrolled(server, registrar, "teacher", [self.program.id])
        entries = without_ids(UNITS)
        self.staff = self.program.record(entries, student=self.student.account["id"])
        self.own, self.kept = self.staff.seen_by(self.student), self.staff.seen_by(self.teacher)
        self.unit, self.stage = (entry["id"] for entry in self.staff.entries)

    def figure(self, record, entry=None, name="average"):
        standing = changed(record.standing()).json
        return (standing["entries"][entry] if entry else standing)["figures"][name]

    def jury(self):
        return self.registrar.account["id"]


@pytest.fixture(scope="module")
def juried(server, registrar):
    return Juried(server, registrar)


@pytest.fixture
def fresh(server, registrar):
    return Juried(server, registrar)


def average(value, **more):
    return {"given": {"figures": {"average": value}}, "reason": JURY, **more}


def test_a_given_figure_counts_beside_the_computed_one_and_is_taken_back(fresh):
    before = changed(fresh.staff.get()).json
    answer = changed(fresh.staff.patch(fresh.unit, **average("12")))
    given = answer.json["entry"]["given"]["figures"]["average"]
    assert (given["value"], given["by"], given["reason"], given["computed"]) == ("12", fresh.jury(), JURY, "9")
    figure = fresh.figure(fresh.staff, fresh.unit)
    assert (figure["display"], figure["floor"], figure["ceiling"]) == ("12.00", "12.00", "12.00")
    assert figure["computed"]["display"] == "9.00"
    assert figure["given"] == {"by": fresh.jury(), "at": given["at"], "reason": JURY}
    assert fresh.figure(fresh.staff, name="total")["display"] == "12.50"
    # The student sees the value, who gave it and when, and no reason: not in the record, its standing, or its history.
    seen = fresh.figure(fresh.own, fresh.unit)
    assert (seen["display"], seen["computed"]["display"]) == ("12.00", "9.00")
    assert seen["given"] == {"by": fresh.jury(), "at": given["at"]}
    for path in ("", "/standing?trace=all", "/history", "/people"):
        assert b"Jury" not in changed(fresh.student.get(fresh.own.path + path)).body
    people = changed(fresh.student.get(fresh.own.path + "/people")).json
    assert fresh.jury() in [one["id"] for one in people["staff"]]
    # Staff see it in the history and in the explanation.
    item = fresh.staff.history()[0]
    assert (item["op"], item["reason"], item["entry"]) == ("give", JURY, fresh.unit)
    trace = changed(fresh.registrar.get(fresh.staff.path + "/standing?trace=average")).json["traces"]
    node = next(node for node in trace["nodes"] if node["op"] == "given")
    assert (node["entry"], node["by"], node["reason"], node["value"]) == (fresh.unit, fresh.jury(), JURY, "12")
    back = changed(fresh.staff.patch(fresh.unit, **average(None))).json
    assert back["standing"] == before["standing"]
    assert changed(fresh.staff.get()).json["record"] == before["record"]
    assert changed(fresh.own.get()).json["record"] == before["record"]


def test_an_outcome_of_the_record_is_given_in_a_list_of_changes_and_undone(fresh):
    before = changed(fresh.staff.get()).json
    assert before["standing"]["outcomes"]["diploma"]["state"] == "met"
    answer = changed(
        fresh.staff.change(
            {"op": "fields", "given": {"outcomes": {"diploma": "unmet"}}, "reason": "Fraud"},
            {"op": "patch", "entry": fresh.unit} | average("7.5"),
        )
    ).json
    diploma = answer["standing"]["outcomes"]["diploma"]
    assert (diploma["state"], diploma["final"], diploma["given"]["reason"]) == ("unmet", True, "Fraud")
    assert diploma["computed"]["state"] == "met"
    assert changed(fresh.own.get()).json["standing"]["outcomes"]["diploma"]["state"] == "unmet"
    item = fresh.staff.history()[0]
    assert [step["op"] for step in item["after"]] == ["give", "give"]
    undone = changed(fresh.registrar.post(fresh.staff.path + "/undo")).json
    assert (undone["record"], undone["standing"]) == (before["record"], before["standing"])
    alone = {"given": {"outcomes": {"diploma": "unmet"}}, "reason": "Fraud"}
    changed(fresh.registrar.patch(fresh.staff.path, alone))
    changed(fresh.registrar.patch(fresh.staff.path, alone | {"given": {"outcomes": {"diploma": None}}}))
    assert changed(fresh.staff.get()).json["record"] == before["record"]


def test_staff_are_told_when_what_is_computed_changes_later(fresh):
    changed(fresh.staff.patch(fresh.unit, **average("12")))
    grade = fresh.staff.entries[0]["children"][0]["id"]
    changed(fresh.kept.patch(grade, {"grade": 18}))
    assert fresh.figure(fresh.staff, fresh.unit)["display"] == "12.00"
    (warning,) = [one for one in fresh.staff.standing().json["warnings"] if one["code"] == "given_outdated"]
    assert (warning["entry"], warning["args"]) == (fresh.unit, {"figure": "average", "before": "9", "after": "14"})
    assert "given_outdated" not in [one["code"] for one in fresh.own.standing().json["warnings"]]
    changed(fresh.staff.patch(fresh.unit, **average("12")))
    assert "given_outdated" not in [one["code"] for one in fresh.staff.standing().json["warnings"]]


def test_what_is_given_hidden_is_kept_from_the_student_until_it_is_released(fresh):
    before = changed(fresh.own.get()).json
    changed(fresh.staff.patch(fresh.unit, **average("12", hidden=True)))
    assert fresh.figure(fresh.staff, fresh.unit)["display"] == "12.00"
    assert changed(fresh.own.get()).json == before
    changed(fresh.staff.patch(fresh.unit, hidden=False))
    assert fresh.figure(fresh.own, fresh.unit)["display"] == "12.00"


def test_a_student_works_on_beside_what_was_given_and_undoes_it(server, registrar):
    shared = Juried(server, registrar)
    entry = changed(shared.own.add(subject("Extra", 1, 10), parent=shared.unit), 201).json["entry"]["id"]
    changed(shared.staff.patch(shared.unit, **average("12")))
    refused = shared.own.remove(shared.unit)
    assert (refused.status, refused.faults) == (422, [("entered_by_staff", "")])
    own = changed(shared.own.add(unit("Mine", 1, [("A", 1, 10)])), 201).json["entry"]["id"]
    changed(shared.staff.patch(own, **average("11")))
    changed(shared.own.patch(own, {"title": "Ours"}))
    changed(shared.student.post(shared.own.path + "/undo"))
    assert [one["fields"]["title"] for one in shared.own.entries][-1] == "Mine"
    assert shared.figure(shared.staff, own)["display"] == "11.00"
    assert shared.figure(shared.staff, own)["given"]["reason"] == JURY
    changed(shared.own.remove(entry))


def test_registrars_give_and_teachers_where_the_program_says_so(fresh):
    may = lambda api: changed(api.get(fresh.staff.path + "/program")).json["may"]  # noqa: E731
    assert changed(fresh.registrar.get(fresh.program.path)).json["program"]["given"] == "registrar"
    assert "give" in may(fresh.registrar)
    assert "give" not in may(fresh.teacher) and "give" not in may(fresh.student)
    for record in (fresh.kept, fresh.own):
        assert record.patch(fresh.unit, **average("12")).json["code"] == "forbidden"
        step = {"op": "patch", "entry": fresh.unit} | average("12")
        assert record.change(step).json["code"] == "forbidden"
        assert record.api.patch(record.path, {"given": {"figures": {"total": "12"}}, "reason": "x"}).status == 403
    changed(fresh.program.edit(given="teacher"))
    assert "give" in may(fresh.teacher) and "give" not in may(fresh.student)
    changed(fresh.kept.patch(fresh.unit, **average("12")))
    assert fresh.own.patch(fresh.unit, **average("12")).status == 403
    changed(fresh.program.edit(given="registrar"))
    assert fresh.kept.patch(fresh.unit, **average("13")).status == 403
    undone = fresh.teacher.post(fresh.staff.path + "/undo")
    assert (undone.status, undone.faults) == (422, [("giving_not_allowed", "")])
    changed(fresh.registrar.patch(fresh.program.path, {"entry": "self"}))
    assert fresh.staff.patch(fresh.unit, **average("13")).status == 403
    assert changed(fresh.own.get()).json["record"]["entries"][0]["given"]["figures"]["average"]["value"] == "12"


def test_staff_give_nothing_in_a_record_of_their_own(server, registrar):
    program = Program(registrar, "iut")
    changed(program.publish())
    record = program.record(without_ids(UNITS))
    entry = record.entries[0]["id"]
    assert record.patch(entry, **average("12")).json["code"] == "forbidden"
    assert "give" not in changed(registrar.get(record.path + "/program")).json["may"]


def test_a_token_needs_the_scope(server, fresh):
    writer = fresh.staff.seen_by(bearer(server, fresh.registrar, "records:read", "records:write"))
    refused = writer.patch(fresh.unit, **average("12"))
    assert (refused.status, refused.json["code"], refused.json["scope"]) == (403, "insufficient_scope", "given:write")
    giver = bearer(server, fresh.registrar, "records:read", "records:write", "given:write")
    changed(fresh.staff.seen_by(giver).patch(fresh.unit, **average("12")))
    assert "give" in changed(giver.get(fresh.staff.path + "/program")).json["may"]
    undone = writer.api.post(fresh.staff.path + "/undo")
    assert (undone.status, undone.faults) == (422, [("giving_not_allowed", "")])
    changed(giver.post(fresh.staff.path + "/undo"))


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ({"given": {"figures": {"average": "12"}}}, ("missing_field", "/reason")),
        (average("12") | {"reason": "é" * 501}, ("out_of_range", "/reason")),
        (average("12") | {"reason": "a\u0007"}, ("text_invalid", "/reason")),
        ({"reason": JURY}, ("unknown_field", "/reason")),
        (average("twelve"), ("not_a_number", "/given/figures/average")),
        (average("1.23456"), ("too_precise", "/given/figures/average")),
        ({"given": {"figures": {"total": "12"}}, "reason": "x"}, ("unknown_field", "/given/figures/total")),
        ({"given": {"outcomes": {"diploma": "met"}}, "reason": "x"}, ("unknown_field", "/given/outcomes/diploma")),
        ({"given": [], "reason": "x"}, ("wrong_type", "/given")),
    ],
)
def test_what_cannot_be_given_is_refused(juried, body, fault):
    answer = juried.staff.patch(juried.unit, **body)
    assert (answer.status, answer.faults) == (422, [fault])


def test_a_what_if_takes_what_was_given_and_gives_nothing(fresh):
    changed(fresh.staff.patch(fresh.unit, **average("12")))
    grade = fresh.staff.entries[0]["children"][0]["id"]
    path = fresh.staff.path + "/what-if"
    tried = {"changes": [{"op": "patch", "entry": grade, "fields": {"grade": 20}}]}
    for api in (fresh.registrar, fresh.student):
        standing = changed(api.post(path, tried)).json
        assert standing["entries"][fresh.unit]["figures"]["average"]["display"] == "12.00"
    step = {"op": "patch", "entry": fresh.unit} | average("13")
    assert ("unknown_field", "/changes/0/given") in fresh.registrar.post(path, {"changes": [step]}).faults
