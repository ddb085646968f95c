"""Earlier records: a frozen copy of what the same student had a year before, or of a year from elsewhere."""

import pytest
from programs import Program, enrolled

from client import Record, changed

YEAR = """# Year

```rules
regulation year "Year" language 1
scale mark "/20" worst 0 best 20 step 0.01
rounding shown half up, 2 decimals, judged as shown
entry ue "Unit"
    code text
    mark grade in mark
{earlier}figure total in mark "Total" shown by shown = mean of mark over ue
outcome acquired of ue "Acquired"
    needs mark >= 10 else too_low
outcome diploma "Diploma"
    needs total reaches 10 else too_low
{outcome}```
"""
EARLIER = """earlier year1 "First year" fr "Première année"
    figure total in mark "Total" shown by shown
    outcome diploma "Diploma"
    outcome rank met first met second unmet none_yet
    entry ue code text, figure mark in mark, outcome acquired
"""
OUTCOME = """figure before in mark "Before" shown by shown = year1.total
outcome both "Both years"
    needs every ue of year1 : acquired is met else first_year_open
"""
FIRST = YEAR.format(earlier="", outcome="")
SECOND = YEAR.format(earlier=EARLIER, outcome=OUTCOME)


def of(registrar, document):
    program = Program(registrar, "regulations", configuration={"document": document})
    changed(program.publish())
    return program


def ue(code, mark):
    return {"kind": "ue", "fields": {"code": code, "mark": mark}}


@pytest.fixture(scope="module")
def years(server):
    registrar = server.api().sign_up()
    server.signed_in("administrator").makes_member(registrar, "demo", "registrar", [])
    return of(registrar, FIRST), of(registrar, SECOND)


@pytest.fixture
def records(server, years):
    """A student's records of two years, as the registrar sees them."""
    student = enrolled(server, years[0].api)
    first = years[0].record([ue("UE11", 12), ue("UE12", 9.5)], student=student.account["id"])
    second = years[1].record([ue("UE21", 11)], student=student.account["id"])
    return first, second, student


def standing(record, api=None):
    return changed((api or record.api).get(record.path + "/standing")).json


def outcome(record, name="both"):
    return standing(record)["outcomes"][name]["state"]


def test_a_copy_is_taken_frozen_and_taken_again(records):
    first, second, student = records
    path = second.path + "/earlier/year1"
    assert outcome(second) == "pending"
    taken = changed(second.api.put(path, {"record": first.id, "reason": "Commission"})).json
    assert taken["standing"]["figures"]["before"]["exact"] == "43/4"
    copy = taken["record"]["entries"][0]
    assert (copy["kind"], [entry["fields"]["code"] for entry in copy["children"]]) == ("year1", ["UE11", "UE12"])
    assert outcome(second) == "unmet"
    # It never follows by itself.
    changed(first.patch(first.entries[1]["id"], {"mark": 10}))
    assert standing(second)["figures"]["before"]["display"] == "10.75"
    changed(second.api.put(path, {"record": first.id}))
    assert standing(second)["figures"]["before"]["display"] == "11.00" and outcome(second) == "met"
    # The student sees it, without the reason.
    seen = changed(student.get(second.path)).json["record"]["entries"][0]["given"]
    assert seen["figures"]["total"]["value"] == "11" and "reason" not in seen["figures"]["total"]
    history = changed(second.api.get(second.path + "/history")).json["items"]
    assert [item["op"] for item in history[:2]] == ["earlier", "earlier"]
    changed(second.api.post(second.path + "/undo"))
    assert standing(second)["figures"]["before"]["display"] == "10.75"
    changed(second.api.delete(path))
    assert outcome(second) == "pending" and [entry["kind"] for entry in second.entries] == ["ue"]


def test_a_year_from_elsewhere_is_entered(records):
    _, second, _ = records
    path = second.path + "/earlier/year1"
    body = {
        "figures": {"total": "61/5"},
        "outcomes": {"diploma": "met", "rank": "second"},
        "entries": [{"kind": "ue", "fields": {"code": "L1"}, "outcomes": {"acquired": "met"}}],
        "reason": "Transcript of another university",
    }
    copy = changed(second.api.put(path, body)).json["record"]["entries"][0]
    assert standing(second)["figures"]["before"]["display"] == "12.20" and outcome(second) == "met"
    rank = standing(second)["entries"][copy["id"]]["outcomes"]["rank"]
    assert (rank["state"], rank["value"], rank["text"]) == ("met", "second", "second")
    for wrong, code, place in (
        ({"figures": {"total": "x"}}, "not_a_number", "/given/figures/total"),
        ({"outcomes": {"diploma": "pending"}}, "out_of_range", "/given/outcomes/diploma"),
        ({"outcomes": {"rank": "third"}}, "out_of_range", "/given/outcomes/rank"),
        ({"entries": [{"kind": "ux"}]}, "wrong_kind", "/children/0/kind"),
        ({"entries": [{"fields": {}}]}, "missing_field", "/entries/0/kind"),
        ({"record": second.id, "figures": {}}, "unknown_field", "/figures"),
        ({"record": second.id}, "record_unknown", "/record"),
    ):
        answer = second.api.put(path, wrong)
        assert answer.status == 422, answer
        assert [(fault["code"], fault["path"]) for fault in answer.json["faults"]] == [(code, place)]
    assert second.api.put(second.path + "/earlier/none", {"figures": {}}).status == 422
    assert standing(second)["figures"]["before"]["display"] == "12.20"


def test_only_those_who_may_give_take_one_and_only_of_the_same_student(server, years, records):
    first, second, student = records
    path = second.path + "/earlier/year1"
    assert student.put(path, {"record": first.id}).status == 403
    assert student.delete(path).status == 403
    other = years[0].record([ue("UE11", 20)], student=enrolled(server, years[0].api).account["id"])
    answer = second.api.put(path, {"record": other.id})
    assert answer.status == 422 and answer.json["faults"][0]["code"] == "record_unknown"
    teacher = enrolled(server, years[0].api, "teacher", [years[1].id])
    assert teacher.put(path, {"record": first.id}).status == 403
    # What was copied is no entry to change.
    changed(second.api.put(path, {"record": first.id}))
    copy = second.entries[0]
    for api in (student, second.api):
        mine = Record(api, second.id)
        assert mine.patch(copy["children"][0]["id"], {"code": "X"}).json["faults"][0]["code"] == "earlier_entry"
    assert Record(student, second.id).remove(copy["id"]).json["faults"][0]["code"] == "earlier_entry"
    added = second.change({"op": "add", "kind": "year1"})
    assert added.json["faults"][0]["code"] == "earlier_entry"
