"""What a draft may say, what is said about it, and versions that wait for their day."""

from decimal import Decimal

import pytest
from programs import Program, enrolled, until

from client import changed
from oracle.build import board_total, unit


def draft(answer):
    return changed(answer).json["program"]["draft"]


# -- configurations


def test_a_part_of_a_setting_leaves_the_rest_of_it_as_it_was(registrar):
    grade = {"rounding": "floor", "scale": 1, "compareOn": "exact"}
    program = Program(registrar, "rose-hulman", configuration={"grade": grade})
    edited = draft(program.edit(configuration={"grade": {"compareOn": "displayed"}}))
    assert edited["configuration"]["grade"] == grade | {"compareOn": "displayed", "stages": []}
    changed(program.edit(configuration={"statuses": {"excused": {"attempted": True}}}))
    statuses = draft(program.edit(configuration={"statuses": {"audit": {"gpa": True}}}))["configuration"]["statuses"]
    assert (statuses["excused"]["attempted"], statuses["audit"]["gpa"]) == (True, True)
    edited = draft(program.edit(configuration={"grade": {"step": "1/4"}}))["configuration"]["grade"]
    assert edited["step"] == 0.25 and "scale" not in edited
    edited = draft(program.edit(configuration={"grade": None}))["configuration"]["grade"]
    assert edited == {"rounding": "halfUp", "scale": 2, "compareOn": "displayed", "stages": []}


def test_the_preset_is_the_one_that_the_configuration_names(registrar):
    program = Program(registrar, "iut", preset="dut")
    edited = draft(program.edit(configuration={"preset": "but"}))
    assert (edited["preset"], edited["configuration"]["preset"]) == ("but", "but")
    edited = draft(program.edit(preset="lp"))
    assert (edited["preset"], edited["configuration"]["preset"]) == ("lp", "lp")


def test_settings_that_clash_are_told_at_the_one_that_was_sent(registrar):
    program = Program(registrar, "iut", preset="dut")
    assert program.edit(configuration={"bar": 5}).faults == [("out_of_range", "/configuration/bar")]
    assert program.edit(configuration={"unitBar": 12}).faults == [("out_of_range", "/configuration/unitBar")]
    assert program.edit(configuration={"bar": 5, "average": {"scale": 99}}).faults == [
        ("out_of_range", "/configuration/average/scale"),
        ("out_of_range", "/configuration/bar"),
    ]
    changed(Program(registrar, "iut", preset="lp").edit(configuration={"bar": 7}))


@pytest.mark.parametrize(
    ("language", "message"),
    [
        ("en", "89.995 is shown as 90.00 and counts as B+"),
        ("fr", "89.995 s’affiche 90.00 et compte comme B+"),
        ("zh-Hans", "89.995 显示为 90.00，却按 B+ 计"),
    ],
)
def test_a_contradiction_is_told_with_the_letter_that_it_gives(registrar, language, message):
    program = Program(registrar, "rose-hulman")
    answer = registrar.patch(
        program.path, {"configuration": {"grade": {"compareOn": "exact"}}}, accept_language=language
    )
    assert message in [warning["message"] for warning in changed(answer).json["warnings"]]


def test_a_value_that_was_rounded_before_contradicts_nothing(registrar):
    program = Program(registrar, "rose-hulman")
    stages = [{"rounding": "halfUp", "scale": 2}]
    answer = changed(program.edit(configuration={"grade": {"compareOn": "exact", "stages": stages}}))
    assert answer.json["warnings"] == []


def test_what_a_form_offers_must_be_what_it_takes(registrar):
    program = Program(registrar, "chalkboard")
    course = board_total("Algorithms", 3, 85)
    course["children"][0]["fields"]["points"] = 120
    assert program.edit(configuration={"formDefaults": course}).faults == [
        ("points_out_of_range", "/configuration/formDefaults/children/0/fields/points")
    ]


@pytest.mark.parametrize("scheme", ["chalkboard", "rose-hulman"])
def test_letter_tables_to_begin_with(registrar, scheme):
    program = Program(registrar, scheme, preset="plus-minus")
    bands = registrar.get(program.path).json["program"]["draft"]["configuration"]["bands"]
    assert [band["label"] for band in bands] == "A A- B+ B B- C+ C C- D+ D D- F".split()
    assert bands[1] == {"label": "A-", "from": 90, "points": Decimal("3.7")}


# -- versions that wait


def test_a_version_of_a_later_day_waits_and_is_told_to_wait(registrar, live):
    program = Program(registrar, "chalkboard")
    changed(program.publish())
    changed(program.edit(configuration={"courseLimit": 6}))
    changed(program.publish(effectiveFrom="2999-01-01", records="move"))
    seen = registrar.get(program.path).json["program"]
    assert (seen["version"], seen["configuration"]["courseLimit"]) == (1, 4)
    (waiting,) = seen["waiting"]
    assert (waiting["version"], waiting["effectiveFrom"]) == (2, "2999-01-01")
    assert (waiting["records"], waiting["configuration"]["courseLimit"]) == ("move", 6)
    connection = live(registrar.token)
    topic = f"program/{program.id}"
    connection.send({"t": "sub", "topic": topic})
    shown = connection.next("state", topic=topic)["doc"]["program"]
    assert (shown["version"], [one["version"] for one in shown["waiting"]]) == (1, [2])
    assert registrar.get(program.path + "/moves").json["items"][0]["state"] == "waiting"

    withdrawn = changed(registrar.delete(program.path + "/versions/2")).json["program"]
    assert (withdrawn["waiting"], withdrawn["draft"]["configuration"]["courseLimit"]) == ([], 6)
    assert connection.next("state", topic=topic)["doc"]["program"]["waiting"] == []
    assert registrar.get(program.path + "/moves").json["items"] == []
    assert [one["version"] for one in registrar.get(program.path + "/versions").json["items"]] == [1]
    # The same draft on the right day, under a number of its own.
    published = changed(program.publish()).json["program"]
    assert (published["version"], published["configuration"]["courseLimit"]) == (3, 6)


def test_what_holds_is_not_withdrawn(server, registrar):
    program = Program(registrar, "chalkboard")
    changed(program.publish())
    path = program.path + "/versions/"
    answer = registrar.delete(path + "1")
    assert (answer.status, answer.faults) == (422, [("version_in_force", "")])
    assert registrar.delete(path + "2").status == registrar.delete(path + "x").status == 404
    teacher = enrolled(server, registrar, "teacher", [program.id])
    assert teacher.delete(path + "1").status == 403
    stale = registrar.get(program.path).etag
    changed(program.edit(title="Another"))
    assert registrar.delete(path + "1", if_match=stale).status == 409


def test_a_first_version_by_which_a_record_is_judged_stays(registrar):
    program = Program(registrar, "chalkboard")
    changed(program.publish(effectiveFrom="2999-01-01"))
    program.record()
    assert registrar.delete(program.path + "/versions/1").faults == [("version_in_force", "")]


# -- the rest


def test_staff_are_told_that_a_program_is_not_published(registrar):
    program = Program(registrar, "chalkboard")
    answer = registrar.post("/v1/records", {"program": program.id})
    assert (answer.status, answer.faults) == (422, [("program_unpublished", "/program")])


def test_a_rehearsal_lists_who_crosses_a_lower_bar(registrar):
    program = Program(registrar, "iut", preset="dut")
    changed(program.publish())
    record = program.record([unit("One", 1, [("A", 1, 8.5)]), unit("Two", 1, [("B", 1, 9.5)])])
    changed(program.edit(configuration={"unitBar": 9}))
    rehearsal = program.rehearse()
    assert (rehearsal["counts"]["bars"], rehearsal["counts"]["outcomes"]) == (1, 0)
    (row,) = program.changes(rehearsal)
    assert (row["record"], row["kind"], row["figure"], row["before"]) == (record.id, "bar", "diploma", None)


# Rehearses enough records for a crash to fall among them.
@pytest.mark.slow("writes 320 records, which take long enough to rehearse to be cut off midway")
def test_a_rehearsal_cut_off_by_a_crash_goes_on_to_the_digest_of_one_that_was_not(own_server):
    program = Program(own_server.signed_in("registrar"), "iut", preset="dut")
    changed(program.publish())
    for _ in range(320):
        program.record([unit("One", 1, [(f"S{number}", 1, 8.5) for number in range(20)])])
    changed(program.edit(configuration={"unitBar": 9}))
    # The machine may look away until a rehearsal has ended; the next is seen under way.
    for _ in range(20):
        path = changed(program.api.post(program.path + "/rehearsals"), 202).headers["Location"]
        before = until(lambda: program.api.get(path).json["rehearsal"], lambda found: found["done"] > 0)  # noqa: B023
        if before["state"] == "running":
            break
    assert (before["state"], before["done"] < 320) == ("running", True)
    own_server.kill()
    own_server.start()
    program.api = own_server.signed_in("registrar")
    found = program.wait(path, "rehearsal")
    assert (found["state"], found["done"], found["total"]) == ("done", 320, 320)
    whole = program.rehearse()
    assert (found["digest"], found["counts"]) == (whole["digest"], whole["counts"])
    assert len(program.changes(found)) == len(program.changes(whole)) > 0


def test_a_membership_of_too_many_programs_is_refused(registrar):
    answer = registrar.post("/v1/institutions/demo/invitations", {"role": "teacher", "programs": ["x"] * 1_001})
    assert answer.faults == [("entry_limit", "/programs")]


def test_who_is_at_risk_can_still_make_it(registrar):
    program = Program(registrar, "iut")
    changed(program.publish())
    lost = [unit("One", 1, [("A", 1, 9)], professional=True)]
    behind = [unit("One", 1, [("A", 1, 9), ("B", 1)], professional=True)]
    for _ in range(4):
        program.record(lost)
    at_risk = program.record(behind)
    seen = until(lambda: program.cohort().json["atRisk"], lambda risk: risk["count"] > 0)
    assert seen == {"count": 1, "items": [{"record": at_risk.id, "outcome": "diploma"}]}
