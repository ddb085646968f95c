"""A scheme's executable is exchanged for another: what it has computed is stale, rehearsed and recomputed by order."""

import hashlib
import json
import re
import sqlite3
import uuid

import pytest
from programs import Program, until
from test_plugins import SCHEMES, built

import gradecast
from client import Record, changed

ORIGINAL = (SCHEMES / "pass-fail").read_text()
# Half of a task that is not done counts; the scheme says which build it is.
GENEROUS = ORIGINAL.replace('"id": "pass-fail",', '"id": "pass-fail", "version": "2.0.0-rc.1",').replace(
    "share = Fraction(100 * done, len(tasks))", "share = Fraction(50 * (done + len(tasks)), len(tasks))"
)
# However busy the machine is.
PATIENT = {"deadlineMilliseconds": 20_000, "startSeconds": 50}
TASK = {"kind": "task", "fields": {"title": "read", "done": False}}


def digest(program):
    return hashlib.sha256(program.read_bytes()).hexdigest()


class Upgrades:
    """A server whose scheme is exchanged while it is down."""

    def __init__(self, folder):
        self.scheme = folder / "pass-fail"
        self.build(ORIGINAL)
        self.config = {"plugins": [{"builtin": "chalkboard"}, {"run": str(self.scheme)} | PATIENT]}
        self.server = gradecast.Server(folder, config=self.config)

    def build(self, text):
        self.scheme.write_text(text)
        self.scheme.chmod(0o755)

    def start(self, text=None):
        """Starts the server, over another executable if one is given."""
        if self.server.process and self.server.process.poll() is None:
            assert self.server.stop() == 0, self.server.output()
        if text:
            self.build(text)
        self.server.start()
        self.registrar = self.server.signed_in("registrar")
        return self.server

    def program(self):
        program = Program(self.registrar, "pass-fail", entry="staff")
        changed(program.publish())
        return program

    def command(self, *words):
        return gradecast.run(*words, "--config", self.server.data.parent / "config.json", "--data", self.server.data)

    def doctor(self):
        return json.loads(self.command("doctor", "--json").stdout)["executables"]

    def stale(self):
        """The metric."""
        text = self.server.management().get("/metrics").body.decode()
        return int(re.search(r'^gradecast_stale_records\{scheme="pass-fail"\} (\d+)', text, re.MULTILINE)[1])


@pytest.fixture
def upgrades(public_path):
    upgrades = Upgrades(public_path)
    yield upgrades
    if upgrades.server.process and upgrades.server.process.poll() is None:
        upgrades.server.kill()


def of(upgrades, program):
    """The program as its registrar sees it now, after a restart."""
    program.api = upgrades.registrar
    return program


def rehearse(program):
    answer = changed(program.api.post(program.path + "/rehearsals", {"of": "executable"}), 202)
    return program.wait(f"{program.path}/rehearsals/{answer.json['rehearsal']['id']}", "rehearsal")


def recompute(program, digest):
    return program.api.post(program.path + "/recompute", {"digest": digest})


def recomputed(program):
    path = program.path + "/recomputations"
    return until(lambda: program.api.get(path).json["items"][0], lambda one: one["state"] != "running")


def seen(record, api):
    return Record(api, record.id).standing().json


def test_version_and_digest_stand_wherever_a_scheme_computes(upgrades):
    upgrades.start(GENEROUS)
    build = {"version": "2.0.0-rc.1", "digest": digest(upgrades.scheme)}
    items = {item["id"]: item for item in upgrades.registrar.get("/v1/schemes").json["items"]}
    assert {"version": items["pass-fail"]["version"], "digest": items["pass-fail"]["digest"]} == build
    assert "digest" not in items["chalkboard"] and "version" not in items["chalkboard"]
    described = upgrades.registrar.get("/v1/schemes/pass-fail").json
    assert described["id"] == "pass-fail" and described | build == described
    assert upgrades.registrar.get("/v1/schemes/chalkboard").json.keys().isdisjoint(build)

    record = upgrades.program().record([TASK])
    assert record.standing().json["executable"] == build
    assert [item["executable"] for item in record.history()] == [build, build]
    board = upgrades.server.api().sign_up().new_record("chalkboard")
    assert "executable" not in board.standing().json and "executable" not in board.history()[0]
    calculated = upgrades.registrar.post("/v1/evaluate", {"scheme": "pass-fail", "entries": [TASK]}).json
    assert calculated["executable"] == build
    listed = upgrades.command("scheme", "list", "--json")
    assert json.loads(listed.stdout)[1] | build == json.loads(listed.stdout)[1]


def test_an_old_wire_names_no_version_and_a_digest_all_the_same(upgrades):
    upgrades.start()
    record = upgrades.program().record([TASK])
    assert record.standing().json["executable"] == {"version": None, "digest": digest(upgrades.scheme)}


def test_records_of_another_executable_are_recomputed_by_order_alone(upgrades):
    upgrades.start()
    old = {"version": None, "digest": digest(upgrades.scheme)}
    program = upgrades.program()
    records = [program.record([TASK, TASK | {"fields": {"title": "write", "done": True}}]) for _ in range(3)]
    assert program.api.get(program.path).json["program"]["stale"] == 0
    assert upgrades.stale() == 0

    upgrades.start(GENEROUS)
    new = {"version": "2.0.0-rc.1", "digest": digest(upgrades.scheme)}
    program = of(upgrades, program)
    # Nothing has changed by itself, and everybody who should know is told.
    assert seen(records[0], program.api)["figures"]["share"]["display"] == "50.0"
    assert seen(records[0], program.api)["executable"] == old
    assert program.api.get(program.path).json["program"]["stale"] == 3
    assert until(upgrades.stale, lambda count: count == 3)
    assert "records were computed by another executable" in upgrades.server.output()
    assert [{**old, "scheme": "pass-fail", "records": 3, "stale": True}] == upgrades.doctor()
    assert "3 records of pass-fail are stale" in upgrades.command("doctor").stdout

    # An ordinary change computes by the executable that runs.
    touched = Record(program.api, records[2].id)
    answer = changed(touched.patch(touched.entries[0]["id"], {"title": "read on"}))
    assert answer.json["standing"]["executable"] == new
    assert answer.json["standing"]["figures"]["share"]["display"] == "75.0"
    assert touched.history()[0]["executable"] == new and touched.history()[1]["executable"] == old
    assert program.api.get(program.path).json["program"]["stale"] == 2

    rehearsal = rehearse(program)
    assert (rehearsal["of"], rehearsal["executable"]) == ("executable", new)
    assert rehearsal["total"] == 2 and rehearsal["counts"]["figures"] == 2 and rehearsal["counts"]["outcomes"] == 0
    rows = [row for row in program.changes(rehearsal) if row["kind"] == "figure"]
    assert {(row["figure"], row["before"], row["after"]) for row in rows} == {("share", "50.0", "75.0")}
    # The digest of such a rehearsal publishes nothing, and that of another one recomputes nothing.
    program.edit(title="Renamed")
    assert program.publish(rehearsal["digest"]).status == 422
    assert recompute(program, "0" * 64).json["code"] == "digest_mismatch"

    order = changed(recompute(program, rehearsal["digest"]), 202).json["recomputation"]
    assert order["executable"] == new and order["total"] == 2
    done = recomputed(program)
    assert (done["state"], done["changed"], done["refused"]) == ("done", 2, 0)
    for record in records:
        standing = seen(record, program.api)
        assert standing["executable"] == new and standing["figures"]["share"]["display"] == "75.0"
    latest = Record(program.api, records[0].id).history()[0]
    assert (latest["op"], latest["executable"], latest["figures"]) == ("recompute", new, {"share": "75.0"})
    assert (latest["before"], latest["after"]) == ({"executable": old}, {"executable": new})
    assert program.api.get(program.path).json["program"]["stale"] == 0
    assert until(upgrades.stale, lambda count: count == 0) == 0
    trail = upgrades.server.signed_in("administrator").get("/v1/audit").json["items"]
    ordered = [item for item in trail if item["action"] == "records.recomputed"]
    assert [item["detail"]["executable"] for item in ordered] == [new]
    # It entered nothing, so there is nothing of it to take back.
    undone = Record(program.api, records[0].id).api.post(f"/v1/records/{records[0].id}/undo", {})
    assert undone.json["record"]["entries"] == []
    assert upgrades.server.stop() == 0
    assert upgrades.command("doctor").returncode == 0


def test_what_was_not_rehearsed_as_it_stands_is_not_recomputed(upgrades):
    upgrades.start()
    program = upgrades.program()
    record = program.record([TASK])
    upgrades.start(GENEROUS)
    rehearsal = rehearse(of(upgrades, program))
    # Back to the executable before, under which the record changes, and forth again.
    upgrades.start(ORIGINAL)
    changed(Record(upgrades.registrar, record.id).add(TASK), 201)
    upgrades.start(GENEROUS)
    assert recompute(of(upgrades, program), rehearsal["digest"]).json["code"] == "digest_mismatch"
    assert recompute(program, rehearse(program)["digest"]).status == 202
    assert recomputed(program)["changed"] == 1


def test_a_rehearsal_by_one_executable_orders_nothing_of_another(upgrades):
    upgrades.start()
    program = upgrades.program()
    program.record([TASK])
    upgrades.start(GENEROUS)
    digest = rehearse(of(upgrades, program))["digest"]
    changed(program.edit(configuration={}))
    draft = program.rehearse()
    assert draft["of"] == "draft" and draft["counts"]["figures"] == 1
    upgrades.start(GENEROUS + "\n")
    assert recompute(of(upgrades, program), digest).json["code"] == "digest_mismatch"
    assert program.publish(draft["digest"]).json["code"] == "digest_mismatch"


def test_recomputing_is_for_registrars_and_schemes_with_an_executable(upgrades):
    upgrades.start()
    program = upgrades.program()
    record = program.record([TASK])
    upgrades.start(GENEROUS)
    rehearsal = rehearse(of(upgrades, program))
    for role in ("teacher", "student"):
        api = upgrades.server.signed_in(role)
        answer = api.post(program.path + "/recompute", {"digest": rehearsal["digest"]})
        assert answer.status == 403, answer
        assert "stale" not in changed(api.get(program.path)).json["program"], role
    assert seen(record, program.api)["executable"]["version"] is None
    board = Program(upgrades.registrar, "chalkboard")
    changed(board.publish())
    answer = upgrades.registrar.post(board.path + "/rehearsals", {"of": "executable"})
    assert (answer.status, answer.json["faults"][0]["code"]) == (422, "not_executable")
    assert "stale" not in upgrades.registrar.get(board.path).json["program"]


def test_a_record_that_the_new_executable_refuses_stays_as_it_is(upgrades):
    upgrades.start()
    program = upgrades.program()
    refused, plain = program.record([TASK | {"fields": {"title": "odd", "done": True}}]), program.record([TASK])
    before = refused.standing().json
    upgrades.start(
        GENEROUS.replace(
            "def standing(tasks):",
            "def standing(tasks):\n    if any(task['fields']['title'] == 'odd' for task in tasks):\n"
            "        return {'faults': [{'code': 'too_odd', 'path': ''}]}",
        )
    )
    rehearsal = rehearse(of(upgrades, program))
    assert rehearsal["counts"]["refused"] == 1
    assert recompute(program, rehearsal["digest"]).status == 202
    done = recomputed(program)
    assert (done["changed"], done["refused"]) == (1, 1)
    assert seen(refused, program.api) == before
    assert seen(plain, program.api)["executable"]["version"] == "2.0.0-rc.1"
    assert program.api.get(program.path).json["program"]["stale"] == 1


NARROWER = GENEROUS.replace(
    '{"name": "title", "type": "text", "label": "Title"}',
    '{"name": "title", "type": "text", "label": "Title", "maxLength": 4}',
)
WITHOUT_FIELD = GENEROUS.replace('{"name": "done", "type": "boolean", "label": "Done", "required": False}', "").replace(
    '"label": "Title"},', '"label": "Title"}'
)
OTHER_KIND = GENEROUS.replace('"kind": "task", "label"', '"kind": "exercise", "label"')
STRICTER = GENEROUS.replace('"label": "Done", "required": False', '"label": "Done", "required": True')


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (NARROWER, "kind task, field title: Not an allowed value; at most 4 characters (2 records, such as {0})"),
        (WITHOUT_FIELD, "kind task, field done: This field is not known here (one record, such as {0})"),
        (OTHER_KIND, "kind task: An entry of this kind does not belong here (2 records, such as {0})"),
        (STRICTER, "kind task, field done: This field is required (one record, such as {1})"),
    ],
    ids=["narrower", "field", "kind", "required"],
)
def test_a_shape_that_stored_records_do_not_satisfy_is_refused_in_words(upgrades, text, words):
    assert text != GENEROUS
    upgrades.start()
    program = upgrades.program()
    title = {"title": "a long title"}
    ids = [program.record([{"kind": "task", "fields": title | {"done": done}}]).id for done in (True, None)]
    program.record()
    assert upgrades.server.stop() == 0
    upgrades.build(text)
    result = upgrades.command("serve", "--port", gradecast.free_port())
    assert result.returncode == 1, result
    heading = f"({program.id}), version 1, do not fit the scheme pass-fail (2.0.0-rc.1, {digest(upgrades.scheme)[:12]})"
    assert heading in result.stderr
    assert words.format(*ids) in result.stderr
    assert "docs/schemes.md" in result.stderr
    check = upgrades.command("check", "--port", gradecast.free_port())
    assert check.returncode == 1 and words.format(*ids) in check.stderr
    # The executable before still serves, and one whose shape is wide enough.
    upgrades.start(ORIGINAL)
    upgrades.start(GENEROUS)
    assert Record(upgrades.registrar, ids[0]).get().status == 200


# How many tasks a record may hold is configured.
CONFIGURED = (
    ORIGINAL.replace(
        'return {"configuration": {}, "warnings": [], "shape": SHAPE,',
        "shape = json.loads(json.dumps(SHAPE))\n"
        '    shape["kinds"][0]["max"] = request["configuration"].get("most", 9)\n'
        '    return {"configuration": request["configuration"], "warnings": [], "shape": shape,',
    )
    .replace("    if unknown:\n", "    if unknown and unknown[0]['path'] != '/configuration/most':\n")
    .replace('request["configuration"] or {}', '(request.get("configuration") or {})')
    .replace("    unknown = [", '    request["configuration"] = request.get("configuration") or {}\n    unknown = [')
)


def misfit(upgrades):
    """A record that a stricter configuration has been published over."""
    upgrades.start(CONFIGURED)
    program = upgrades.program()
    record = program.record([TASK, TASK])
    changed(program.edit(configuration={"most": 1}))
    changed(program.publish(records="move"))
    assert program.moved()["changed"] == 1
    return record


def test_what_records_had_against_their_shape_already_stops_no_start(upgrades):
    record = misfit(upgrades)
    upgrades.start(CONFIGURED + "\n")
    assert Record(upgrades.registrar, record.id).get().status == 200
    narrower = CONFIGURED.replace('get("most", 9)', 'get("most", 9) * 0')
    assert upgrades.server.stop() == 0
    upgrades.build(narrower)
    assert upgrades.command("check", "--port", gradecast.free_port()).returncode == 0


def test_a_store_that_knows_nothing_of_executables_yet_is_served(upgrades):
    record = misfit(upgrades)
    assert upgrades.server.stop() == 0
    # As the migration leaves a store that an older Gradecast wrote.
    with sqlite3.connect(next(upgrades.server.data.glob("*.db"))) as store:
        store.execute("DELETE FROM shapes")
        store.execute("DELETE FROM computed")
    store.close()
    check = upgrades.command("check", "--port", gradecast.free_port())
    assert check.returncode == 0, check
    upgrades.start()
    assert Record(upgrades.registrar, record.id).get().status == 200
    # Once it has been judged again, another executable is held against it.
    assert upgrades.server.stop() == 0
    upgrades.build(CONFIGURED.replace('"kind": "task", "label"', '"kind": "exercise", "label"'))
    check = upgrades.command("check", "--port", gradecast.free_port())
    assert check.returncode == 1
    assert "kind task: An entry of this kind does not belong here" in check.stderr


def test_a_scheme_that_does_not_answer_is_not_said_to_refuse(upgrades):
    upgrades.start()
    program = upgrades.program()
    program.record([TASK])
    assert upgrades.server.stop() == 0
    upgrades.build(GENEROUS.replace("    if unknown:", "    raise SystemExit\n    if unknown:"))
    check = upgrades.command("check", "--port", gradecast.free_port())
    assert check.returncode == 1
    assert "did not answer when it was asked twice about the configuration of the program" in check.stderr
    assert f"({program.id}), version 1: it has ended" in check.stderr
    assert "refuses" not in check.stderr and "change those records" not in check.stderr


def test_a_configuration_that_the_new_executable_refuses_stops_the_start(upgrades):
    upgrades.start()
    upgrades.program().record([TASK])
    assert upgrades.server.stop() == 0
    upgrades.build(
        GENEROUS.replace(
            "    if unknown:",
            "    if True:\n        unknown = [{'code': 'wrong_type', "
            "'path': '/configuration', 'args': {'expected': 'something else'}}]",
        )
    )
    check = upgrades.command("check", "--port", gradecast.free_port())
    assert check.returncode == 1
    assert "refuses the configuration of the program" in check.stderr
    assert "/configuration: Expected something else" in check.stderr


def test_an_executable_exchanged_under_a_running_server_is_not_started(upgrades):
    import os
    import signal

    from test_plugins import child

    upgrades.start()
    record = upgrades.program().record([TASK])
    process = child(upgrades.server)
    replacement = upgrades.scheme.with_name("next")
    replacement.write_text(GENEROUS.replace("2.0.0-rc.1", "2.1"))
    replacement.chmod(0o755)
    replacement.rename(upgrades.scheme)
    os.kill(process, signal.SIGKILL)
    answer = record.add(TASK)
    assert (answer.status, answer.json["code"]) == (503, "not_computable")
    assert "another program by now" in upgrades.server.output()


def test_a_version_is_short_and_plain(tmp_path):
    for version, is_good in [("1.0.0+build-7_x", True), ("1 0", False), ("", False), ("9" * 65, False)]:
        program = tmp_path / f"v{uuid.uuid4().hex}"
        program.write_text(GENEROUS.replace("2.0.0-rc.1", version))
        program.chmod(0o755)
        result = gradecast.run("scheme", "lint", program, "--sandbox", "none", "--count", "2")
        assert (result.returncode == 0) == is_good, result
        assert is_good or "scheme.version is not a version" in result.stderr


def test_the_kit_tells_a_version_too(public_path):
    program = built(gradecast.BINARY.parent / "German")
    server = gradecast.Server(public_path, config={"plugins": [{"run": str(program)}]}).start()
    try:
        (item,) = server.api().get("/v1/schemes").json["items"]
        assert (item["version"], item["digest"]) == ("1.0.0", digest(program))
    finally:
        server.kill()
