"""Who may do what, tried as somebody would who wants more than that."""

import json
import uuid

import pytest
from programs import Program, enrolled, graded, until
from services import access, new_secret, new_service

import gradecast
from client import Record, changed, listed
from oracle.build import board_total, without_ids

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


# -- memberships that people give


def offered(registrar, api, role, programs=()):
    """An invitation made out to somebody."""
    body = {"role": role, "programs": list(programs)}
    answer = registrar.call("PUT", f"/v1/institutions/demo/members/{api.account['id']}", body)
    return changed(answer, 202).json["invitation"]


def place(api):
    """What somebody is in the demo; `None` for nothing."""
    memberships = changed(api.get("/v1/memberships")).json["items"]
    return memberships[0]["role"] if memberships else None


def test_nobody_is_signed_out_or_made_a_member_by_others(registrar, administrator, student, stranger):
    changed(student.get("/v1/accounts/me"))
    for giver, role in ((registrar, "teacher"), (administrator, "registrar"), (registrar, "student")):
        offered(giver, student, role)
        changed(student.get("/v1/accounts/me"))
        assert place(student) is None
    members = listed(registrar, "/v1/institutions/demo/members?limit=200")
    assert student.account["id"] not in [member["account"] for member in members]
    (mine,) = changed(student.get("/v1/invitations")).json["items"]
    assert (mine["role"], mine["title"]) == ("student", "Demo College")
    assert changed(stranger.get("/v1/invitations")).json["items"] == []
    assert stranger.post("/v1/invitations/accept", {"invitation": mine["id"]}).faults == [
        ("invitation_refused", "/invitation")
    ]


def test_nobody_accepts_an_invitation_of_their_own(registrar, administrator):
    for giver in (registrar, administrator):
        body = {"role": "registrar"}
        invitation = changed(giver.post("/v1/institutions/demo/invitations", body), 201).json["invitation"]
        answer = giver.post("/v1/invitations/accept", {"token": invitation["token"]})
        assert answer.faults == [("invitation_own", "/token")]


def school(server, administrator):
    """An institution with two registrars."""
    wish = {"slug": f"s-{uuid.uuid4().hex[:8]}", "title": "School"}
    made = changed(administrator.post("/v1/institutions", wish), 201).json["institution"]["id"]
    registrars = [server.api().sign_up(), server.api().sign_up()]
    for registrar in registrars:
        administrator.makes_member(registrar, made, "registrar")
    return f"/v1/institutions/{made}", *registrars


@pytest.mark.parametrize("how", ["removed", "demoted", "disabled", "erased"])
def test_no_one_comes_back_by_an_invitation_of_before(server, administrator, stranger, how):
    path, leaver, registrar = school(server, administrator)
    account = leaver.account["id"]
    tokens = {
        role: changed(leaver.post(path + "/invitations", {"role": role}), 201).json["invitation"]["token"]
        for role in ("registrar", "student")
    }
    if how == "removed":
        changed(registrar.delete(f"{path}/members/{account}"), 204)
    elif how == "demoted":
        changed(registrar.call("PUT", f"{path}/members/{account}", {"role": "teacher"}))
    elif how == "disabled":
        changed(administrator.patch(f"/v1/accounts/{account}", {"disabled": True}))
    else:
        changed(administrator.delete(f"/v1/accounts/{account}?reason=x"), 204)
    for token in tokens.values():
        answer = stranger.post("/v1/invitations/accept", {"token": token})
        assert (answer.status, answer.faults) == (422, [("invitation_refused", "/token")]), how
    if how in ("removed", "demoted"):
        assert changed(registrar.get(path + "/invitations")).json["items"] == []


def test_a_role_that_falls_takes_earlier_offers_with_it(server, administrator):
    path, first, second = school(server, administrator)
    teacher = server.api().sign_up()
    first.makes_member(teacher, path.split("/")[-1], "teacher")
    place = f"{path}/members/{teacher.account['id']}"
    offer = changed(first.call("PUT", place, {"role": "registrar"}), 202).json["invitation"]["id"]
    changed(second.call("PUT", place, {"role": "student"}))
    assert changed(teacher.get("/v1/invitations")).json["items"] == []
    assert teacher.post("/v1/invitations/accept", {"invitation": offer}).faults == [
        ("invitation_refused", "/invitation")
    ]
    # What is offered afterwards counts.
    offer = changed(second.call("PUT", place, {"role": "teacher"}), 202).json["invitation"]["id"]
    changed(teacher.post("/v1/invitations/accept", {"invitation": offer}), 201)


# -- short names


def test_a_short_name_is_the_administrators_and_never_another_institutions(server, administrator):
    path, registrar, _ = school(server, administrator)
    other, colleague, _ = school(server, administrator)
    before = changed(administrator.get(path)).json["institution"]["slug"]
    after = f"{before}-new"
    for giver in (registrar, colleague):
        assert giver.patch(path, {"slug": after}).status in (403, 404)
    assert registrar.patch(path, {"slug": after, "title": "Mine"}).status == 403
    assert changed(registrar.patch(path, {"slug": before, "title": "Mine"})).json["institution"]["title"] == "Mine"
    assert administrator.patch(path, {"slug": after, "title": "Theirs"}).status == 403
    assert changed(administrator.patch(path, {"slug": after})).json["institution"]["slug"] == after
    scope = path.rsplit("/", 1)[-1]
    (line,) = changed(administrator.get(f"/v1/audit?subject={scope}&limit=1")).json["items"]
    assert (line["action"], line["detail"]["after"]["slug"]) == ("institution.changed", after)
    taken = [("slug_taken", "/slug")]
    assert administrator.patch(other, {"slug": before}).faults == taken
    assert administrator.post("/v1/institutions", {"slug": before, "title": "School"}).faults == taken
    # It is still its own.
    changed(administrator.patch(path, {"slug": before}))


def test_a_short_name_of_the_configuration_stays(administrator):
    refused = administrator.patch("/v1/institutions/demo", {"slug": "college"})
    assert (refused.status, refused.faults) == (422, [("slug_configured", "/slug")])


def test_links_for_others_are_whole_where_the_public_address_is_known(server, tmp_path, student):
    def links(administrator, account):
        reset = changed(administrator.post(f"/v1/accounts/{account}/reset"), 201).json
        path = "/v1/institutions/demo/invitations"
        invitation = changed(administrator.post(path, {"role": "registrar"}), 201).json["invitation"]
        expected = [reset["path"], f"/invitation#{invitation['token']}"]
        return [reset.get("url"), invitation.get("url")], expected

    assert links(server.signed_in("administrator"), student.account["id"])[0] == [None, None]
    known = gradecast.Server(tmp_path, {"publicUrl": "http://localhost:8"}).start()
    found, paths = links(known.signed_in("administrator"), known.api().sign_up().account["id"])
    assert found == ["http://localhost:8" + path for path in paths]
    assert known.stop() == 0, known.output()


def test_an_invitation_is_accepted_once_or_declined(registrar, student):
    declined = offered(registrar, student, "teacher")
    changed(student.delete(f"/v1/invitations/{declined['id']}"), 204)
    assert student.post("/v1/invitations/accept", {"invitation": declined["id"]}).status == 422
    accepted = offered(registrar, student, "registrar")
    member = changed(student.post("/v1/invitations/accept", {"invitation": accepted["id"]}), 201).json["member"]
    assert member["role"] == place(student) == "registrar"
    assert student.post("/v1/invitations/accept", {"invitation": accepted["id"]}).status == 422


def test_a_role_that_falls_does_so_at_once_and_ends_no_session(registrar, student):
    registrar.makes_member(student, "demo", "registrar")
    path = f"/v1/institutions/demo/members/{student.account['id']}"
    changed(registrar.call("PUT", path, {"role": "teacher", "programs": []}))
    assert place(student) == "teacher"
    changed(registrar.delete(path), 204)
    assert place(student) is None


def test_an_offer_does_not_bring_back_whoever_was_removed(registrar, student):
    registrar.makes_member(student, "demo", "student")
    offer = offered(registrar, student, "registrar")
    changed(registrar.delete(f"/v1/institutions/demo/members/{student.account['id']}"), 204)
    assert student.post("/v1/invitations/accept", {"invitation": offer["id"]}).status == 422
    assert place(student) is None


def test_a_session_goes_on_under_the_limits_of_staff(registrar, student):
    before = changed(student.get("/v1/sessions")).json["items"][0]
    registrar.makes_member(student, "demo", "teacher")
    (after,) = changed(student.get("/v1/sessions")).json["items"]
    assert after["id"] == before["id"]
    # A student's session lasts 30 days, one of staff a day and an hour without a request.
    assert after["expiresAt"] < before["expiresAt"]


def test_an_administrator_who_becomes_a_member_keeps_the_session(server, registrar, administrator):
    invited = changed(registrar.post("/v1/institutions/demo/invitations", {"role": "teacher"}), 201)
    changed(administrator.post("/v1/invitations/accept", {"token": invited.json["invitation"]["token"]}), 201)
    changed(administrator.get("/v1/accounts"))
    changed(registrar.delete(f"/v1/institutions/demo/members/{administrator.account['id']}"), 204)
    changed(administrator.get("/v1/accounts"))


def test_an_administrator_appoints_registrars_and_nobody_else(administrator, registrar, student):
    members, invitations = "/v1/institutions/demo/members", "/v1/institutions/demo/invitations"
    link = changed(administrator.post(invitations, {"role": "registrar"}), 201).json["invitation"]
    # Not by own hand: neither by the link nor by name.
    assert administrator.post("/v1/invitations/accept", {"token": link["token"]}).status == 422
    me = f"{members}/{administrator.account['id']}"
    assert administrator.call("PUT", me, {"role": "registrar"}).status == 403
    assert changed(administrator.get("/v1/memberships")).json["items"] == []
    for role in ("student", "teacher"):
        assert administrator.call("PUT", f"{members}/{student.account['id']}", {"role": role}).status == 403
        assert administrator.post(invitations, {"role": role}).status == 403
    administrator.makes_member(student, "demo", "registrar")
    (line,) = changed(administrator.get(f"/v1/audit?subject={student.account['id']}")).json["items"][:1]
    assert (line["action"], line["by"]) == ("member.added", student.account["id"])
    changed(administrator.delete(f"{members}/{student.account['id']}"), 204)
    registrar.makes_member(student, "demo", "teacher")
    assert administrator.delete(f"{members}/{student.account['id']}").status == 403
    program = Program(registrar, "chalkboard")
    assert administrator.patch(program.path, {"title": "Mine"}).status == 403
    assert administrator.post("/v1/institutions/demo/programs", {"scheme": "iut", "title": "Mine"}).status == 403
    assert administrator.patch("/v1/institutions/demo", {"title": "Mine"}).status == 403


def test_an_export_names_no_administrator(administrator, student):
    changed(administrator.patch(f"/v1/accounts/{student.account['id']}", {"displayName": "Renamed"}))
    export = changed(student.get("/v1/accounts/me/export"))
    assert administrator.account["id"].encode() not in export.body
    renamed = [line for line in export.json["audit"] if line["action"] == "account.changed"]
    assert [(line["by"], line["source"]) for line in renamed] == [(None, None)]
    own = [line for line in export.json["audit"] if line["action"] == "account.created"]
    assert own[0]["by"] == student.account["id"]


# -- people who were removed


LADDER = [{"label": "A", "from": 84, "points": 4}, {"label": "F", "from": 0, "points": 0}]
REMOVED_READ = ("", "/standing", "/history", "/people", "/program")


def test_a_removed_member_reads_and_writes_nothing(server, administrator, registrar):
    founder = server.api().sign_up()
    college = changed(administrator.post("/v1/institutions", {"slug": "closed", "title": "Closed"}), 201)
    college = college.json["institution"]["id"]
    administrator.makes_member(founder, college, "registrar")
    body = {"scheme": "chalkboard", "title": "Ours", "entry": "both"}
    program = changed(founder.post(f"/v1/institutions/{college}/programs", body), 201).json["program"]["id"]
    path = f"/v1/programs/{program}"
    rehearsal = changed(founder.post(path + "/rehearsals"), 202).json["rehearsal"]["id"]
    done = until(
        lambda: founder.get(f"{path}/rehearsals/{rehearsal}").json["rehearsal"], lambda one: one["state"] != "running"
    )
    changed(founder.post(path + "/publish", {"digest": done["digest"]}))
    student = server.api().sign_up()
    founder.makes_member(student, college, "student")
    record = f"/v1/records/{changed(student.post('/v1/records', {'program': program}), 201).json['record']['id']}"
    course = without_ids([board_total("Logic", 3, 80)])[0]
    entry = changed(student.post(record + "/entries", course), 201).json["entry"]["id"]
    changed(founder.delete(f"/v1/institutions/{college}/members/{student.account['id']}"), 204)

    def writes():
        """What each way to change the record is answered."""
        added = {"op": "add"} | without_ids([board_total("Sets", 3, 80)])[0]
        return [
            answer.status
            for answer in (
                student.patch(record, {"fields": {}}),
                student.post(record + "/entries", course),
                student.patch(f"{record}/entries/{entry}", {"fields": {"credits": 4}}),
                student.delete(f"{record}/entries/{entry}"),
                student.delete(f"{record}/entries?position=1"),
                student.post(record + "/changes", {"changes": [added]}),
                student.post(record + "/undo", {}),
                student.delete(record),
            )
        ]

    assert writes() == [403] * 8
    assert student.post("/v1/records", {"program": program}).status == 422
    assert [student.get(record + one).status for one in REMOVED_READ] == [200] * 5
    # The institution's programs are closed to the student, all but what judges the record.
    assert student.get(path).status == 404
    judging = changed(student.get(record + "/program")).json
    assert (judging["program"]["id"], judging["program"]["title"], judging["program"]["version"]) == (
        program,
        "Ours",
        1,
    )
    assert judging["program"]["configuration"]["bands"] and (judging["view"], judging["may"]) == ("released", ["share"])
    assert [item["id"] for item in changed(student.get("/v1/records")).json["items"]] == [record.split("/")[-1]]
    changed(founder.patch(f"/v1/institutions/{college}", {"keepsReading": False}))
    assert [student.get(record + one).status for one in REMOVED_READ] == [404] * 5
    assert writes() == [404] * 8
    assert changed(student.get("/v1/records")).json["items"] == []


def test_a_record_tells_what_its_reader_may_do_and_by_which_version_it_is_judged(server, administrator, registrar):
    program = Program(registrar, "chalkboard")
    changed(program.publish())
    student, teacher = enrolled(server, registrar), enrolled(server, registrar, "teacher", [program.id])
    record = program.record(api=student)
    changed(program.edit(configuration={"bands": LADDER}))
    changed(program.publish())

    def told(api):
        answer = changed(api.get(record.path + "/program")).json
        return answer["view"], answer["may"], answer["program"]["version"]

    assert told(student) == ("released", ["write", "share"], 1)
    assert told(teacher) == ("full", ["write"], 1)
    assert told(registrar) == ("full", ["write", "delete", "give"], 1)
    assert told(administrator) == ("full", [], 1)
    bands = changed(student.get(record.path + "/program")).json["program"]["configuration"]["bands"]
    assert bands != changed(student.get(program.path)).json["program"]["configuration"]["bands"]


# -- records of one's own


def test_staff_release_no_hidden_results_of_their_own_and_do_not_read_them(server, registrar):
    for entry in ("staff", "both"):
        program = Program(registrar, "rose-hulman", entry=entry)
        changed(program.publish())
        keeper = enrolled(server, registrar, "registrar")
        own = Record(keeper, changed(keeper.post("/v1/records", {"program": program.id}), 201).json["record"]["id"])
        other = program.record([graded(50)])
        colleague = enrolled(server, registrar, "registrar")
        for record in (own.id, other.id):
            changed(Record(colleague, record).add(graded(91) | {"hidden": True}), 201)
        scopes = ["records:read", "records:write", "programs:read", "results:write"]
        made = new_service(keeper, "demo", scopes=scopes)
        service = access(server, made, new_secret(keeper, made)["secret"])
        for reader in (keeper, service):
            assert "hidden" not in reader.get(own.path).body.decode()
            listed = changed(keeper.get(program.path + "/hidden")).json["hidden"]
            assert own.id not in json.dumps(listed) and [item["count"] for item in listed["items"]] == [1]
        assert "hidden" in colleague.get(own.path).body.decode()
        for author in (keeper, service):
            changed(author.post(program.path + "/release", {"path": []}), 202)
            assert [reason["code"] for reason in program.released()["refusals"]] == ["about_oneself"]
            assert own.entries == []
        changed(colleague.post(program.path + "/release", {"path": []}), 202)
        assert program.released()["refusals"] == [] and len(own.entries) == 1


def test_staff_write_nothing_in_a_record_of_their_own_where_staff_alone_enter(server, registrar):
    program = Program(registrar, "rose-hulman", entry="staff")
    changed(program.publish())
    scopes = ["records:read", "records:write", "programs:read", "given:write"]
    for role in ("registrar", "teacher"):
        keeper = enrolled(server, registrar, role, [program.id] if role == "teacher" else ())
        body = {"program": program.id}
        record = Record(keeper, changed(keeper.post("/v1/records", body), 201).json["record"]["id"])
        assert record.add(graded(100)).faults == [("about_oneself", "")]
        changed(Record(registrar, record.id).add(graded(50)), 201)
        (course,) = record.entries
        refused = {
            "patch": record.patch(course["id"], {"credits": 9}),
            "give": record.patch(course["id"], given={"figures": {"grade": "95"}}, reason="Jury"),
            "remove": record.remove(course["id"]),
            "undo": keeper.post(record.path + "/undo"),
            "delete": record.delete(),
        }
        for name, answer in refused.items():
            assert (answer.status, answer.faults) == (422, [("about_oneself", "")]), name
        row = json.dumps({"record": record.id, "path": ["Algorithms"], "fields": {"credits": 9}}).encode()
        imported = changed(keeper.post(program.path + "/results", row, content_type="application/jsonl")).json["import"]
        assert [fault["code"] for fault in imported["rows"][0]["faults"]] == ["about_oneself"]
        may = changed(keeper.get(record.path + "/program")).json["may"]
        assert not {"write", "delete", "give"} & set(may)
        assert record.entries == [course]
        # Others write in it, and the keeper in those of others.
        changed(Record(registrar, record.id).patch(course["id"], {"credits": 4}))
        changed(Record(keeper, program.record([graded(50)]).id).add(graded(60)), 201)
        if role == "registrar":
            own = new_service(keeper, "demo", scopes=scopes)
            foreign = new_service(registrar, "demo", scopes=scopes)
            service = access(server, own, new_secret(keeper, own)["secret"])
            assert Record(service, record.id).add(graded(100)).faults == [("about_oneself", "")]
            changed(Record(service, program.record([graded(50)]).id).add(graded(60)), 201)
            service = access(server, foreign, new_secret(registrar, foreign)["secret"])
            changed(Record(service, record.id).add(graded(70)), 201)


def test_staff_keep_a_record_of_their_own_where_students_enter(server, registrar):
    for entry in ("both", "self"):
        program = Program(registrar, "rose-hulman", entry=entry)
        changed(program.publish())
        keeper = enrolled(server, registrar, "teacher", [program.id])
        record = Record(keeper, changed(keeper.post("/v1/records", {"program": program.id}), 201).json["record"]["id"])
        changed(record.add(graded(90)), 201)
