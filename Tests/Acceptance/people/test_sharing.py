"""What students share of their records: by consent alone, live, and withdrawn at once."""

import uuid

import pytest
from programs import Program, enrolled, until

import gradecast
from client import changed
from live import Live
from oracle.build import board_total


def share(record, *audiences, what="headline"):
    """The owner's choice."""
    return changed(record.api.call("PUT", record.path + "/sharing", {"what": what, "with": list(audiences)})).json


def shared(api, record):
    return api.get(record.path + "/shared")


@pytest.fixture
def course():
    return board_total("Algorithms", 3, 85)


def test_nothing_is_shared_until_its_student_says_so(server, registrar, board, student, stranger):
    record, _ = board
    member = enrolled(server, registrar)
    everybody = {"owner": student, "member": member, "stranger": stranger, "registrar": registrar}

    def readers():
        return {name for name, api in everybody.items() if shared(api, record).status == 200}

    assert changed(student.get(record.path + "/sharing")).json["sharing"]["with"] == []
    assert readers() == set()
    share(record, "members")
    assert readers() == {"owner", "member", "registrar"}
    share(record, "everyone")
    assert readers() == set(everybody)
    assert shared(server.api(), record).status == 401
    share(record)
    assert readers() == set()


def test_what_others_see_is_the_headline_as_it_is_displayed(board, student, stranger):
    record, _ = board
    chosen = share(record, "everyone")["sharing"]
    assert (chosen["what"], chosen["with"], chosen["allowed"]) == ("headline", ["everyone"], True)
    seen = changed(shared(stranger, record)).json
    (figure,) = seen["figures"].values()
    assert figure == {"display": "3.00", "band": "green", "text": "GPA: 3.00"}
    assert seen["figures"] == chosen["views"]["headline"]["figures"]
    assert "Algorithms" not in str(seen) and student.account["id"] not in str(seen)


def test_what_is_shared_is_followed_live_and_ends_before_the_answer(live, board, student, stranger, course):
    record, entry = board
    topic = f"shared/{record.id}"
    reader = live(stranger.token)
    assert reader.subscribe(topic)["t"] == "error"
    share(record, "everyone")
    state = reader.subscribe(topic)
    assert (state["t"], state["doc"]) == ("state", shared(stranger, record).json)
    assert shared(stranger, record).etag == f'"{state["e"]}.{state["v"]}"'
    changed(record.add(board_total("Analysis", 3, 95)), 201)
    after = reader.until(topic, state["v"] + 1)
    assert (after["v"], after["doc"]["figures"]["gpa"]["display"]) == (state["v"] + 1, "3.50")
    share(record)
    changed(record.add(board_total("Geometry", 3, 95)), 201)
    # The revocation came before the answer to the withdrawal, and nothing came behind it.
    assert reader.next("end", topic=topic)["why"] == "revoked"
    assert reader.subscribe(topic)["t"] == "error"


def test_a_change_of_the_extent_reaches_those_who_follow(server, live, student, stranger):
    record = student.new_record("rose-hulman")
    share(record, "everyone")
    topic = f"shared/{record.id}"
    reader = live(stranger.token)
    state = reader.subscribe(topic)
    assert (state["doc"]["what"], len(state["doc"]["figures"])) == ("headline", 1)
    share(record, "everyone", what="standing")
    after = reader.until(topic, state["v"] + 1)
    assert after["doc"]["what"] == "standing" and len(after["doc"]["figures"]) > 1


def test_a_change_that_others_do_not_see_is_no_new_version(server, registrar, stranger, course):
    student = enrolled(server, registrar)
    program = Program(registrar, "chalkboard")
    changed(program.publish())
    record = program.record([course], student=student.account["id"]).seen_by(student)
    share(record, "everyone")
    before = shared(stranger, record)
    changed(record.seen_by(registrar).add(board_total("Secret", 3, 20) | {"hidden": True}), 201)
    changed(record.add(board_total("Same", 3, 85)), 201)
    after = shared(stranger, record)
    assert (after.etag, after.body) == (before.etag, before.body)
    assert stranger.get(record.path + "/shared", if_none_match=before.etag).status == 304
    changed(program.api.post(program.path + "/release", {}), 202)
    assert until(lambda: shared(stranger, record).etag, lambda tag: tag != before.etag)


def test_a_consent_ends_with_all_that_it_rests_on(server, live, administrator, registrar, course):
    slug = uuid.uuid4().hex
    made = administrator.post("/v1/institutions", {"slug": slug, "title": "School", "open": False})
    institution = changed(made, 201).json["institution"]["id"]
    keeper = server.api().sign_up()
    administrator.makes_member(keeper, institution, "registrar")
    answer = keeper.post(
        f"/v1/institutions/{institution}/programs", {"scheme": "chalkboard", "title": "P", "entry": "both"}
    )
    program = Program.__new__(Program)
    program.api, program.id = keeper, changed(answer, 201).json["program"]["id"]
    program.path = f"/v1/programs/{program.id}"
    changed(program.publish())
    owner, member = server.api().sign_up(), server.api().sign_up()
    for api in (owner, member):
        keeper.makes_member(api, institution, "student")
    record = program.record([course], api=owner)
    topic = f"shared/{record.id}"

    def followed():
        share(record, "members")
        reader = live(member.token)
        assert reader.subscribe(topic)["t"] == "state"
        return reader

    def ends(reader):
        assert reader.next("end", topic=topic)["why"] == "revoked"
        assert shared(member, record).status == 404

    # The reader leaves the institution.
    reader = followed()
    path = f"/v1/institutions/{institution}/members"
    changed(keeper.delete(f"{path}/{member.account['id']}"), 204)
    ends(reader)
    keeper.makes_member(member, institution, "student")
    # The institution forbids it, which brings nothing back when it allows it once more.
    reader = followed()
    changed(keeper.patch(f"/v1/institutions/{institution}", {"sharing": "none"}))
    ends(reader)
    refused = owner.call("PUT", record.path + "/sharing", {"what": "headline", "with": ["members"]})
    assert refused.faults == [("sharing_forbidden", "/with")]
    changed(keeper.patch(f"/v1/institutions/{institution}", {"sharing": "allowed"}))
    assert shared(member, record).status == 404
    # The owner's account is disabled.
    reader = followed()
    disabled = f"/v1/accounts/{owner.account['id']}"
    changed(administrator.patch(disabled, {"disabled": True}))
    ends(reader)
    changed(administrator.patch(disabled, {"disabled": False}))
    owner = server.api().sign_in(owner.login, owner.password)
    record = record.seen_by(owner)
    # The owner no longer reads the record.
    reader = followed()
    changed(keeper.patch(f"/v1/institutions/{institution}", {"keepsReading": False}))
    changed(keeper.delete(f"{path}/{owner.account['id']}"), 204)
    ends(reader)
    keeper.makes_member(owner, institution, "student")
    # The owner's account is gone; the record, which staff had a part in, stays with the institution.
    changed(record.seen_by(keeper).add(board_total("By staff", 3, 85)), 201)
    reader = followed()
    changed(owner.delete("/v1/accounts/me"), 204)
    ends(reader)
    assert changed(keeper.get(record.path)).json["version"] > 1


def test_a_record_that_is_gone_ends_what_was_shared_of_it(live, board, stranger):
    record, _ = board
    share(record, "everyone")
    reader = live(stranger.token)
    reader.subscribe(f"shared/{record.id}")
    changed(record.delete(), 204)
    assert reader.next("end", topic=f"shared/{record.id}")["why"] == "gone"
    assert shared(stranger, record).status == 404


def test_the_export_holds_what_is_shared_and_the_trail_who_changed_it(board, student):
    record, _ = board
    share(record, "members", what="standing")
    exported = changed(student.get("/v1/accounts/me/export")).json
    (one,) = exported["sharing"]
    assert {name: one[name] for name in ("record", "what", "with")} == {
        "record": record.id,
        "what": "standing",
        "with": ["members"],
    }
    (line,) = [line for line in exported["audit"] if line["action"] == "sharing.changed"]
    assert line["detail"]["after"] == {"what": "standing", "with": ["members"]}


def test_the_profile_has_no_setting_that_could_be_taken_for_a_consent(student):
    assert "sharing" not in changed(student.get("/v1/accounts/me")).json
    assert student.patch("/v1/accounts/me", {"sharing": "everyone"}).faults == [("unknown_field", "/sharing")]


def test_where_the_operator_has_turned_it_off_there_is_nothing(tmp_path):
    running = gradecast.Server(tmp_path, config={"people": {"enabled": False}}).start()
    student = running.api().sign_up()
    record = student.new_record("chalkboard")
    assert "share" not in changed(student.get(record.path + "/program")).json["may"]
    for answer in (
        student.get(record.path + "/sharing"),
        student.call("PUT", record.path + "/sharing", {"what": "headline", "with": ["everyone"]}),
        shared(student, record),
    ):
        assert (answer.status, answer.json["code"]) == (404, "not_found")
    connection = Live(running, student.token)
    assert connection.subscribe(f"shared/{record.id}")["t"] == "error"
    connection.close()
    assert running.stop() == 0
