"""A scheme's executable is exchanged for another: what it has computed is stale, rehearsed and recomputed by order."""

import json
import uuid

import pytest
from programs import Program, until
from test_plugins import built
from upgrades import GENEROUS, ORIGINAL, TASK, digest, of, recompute, recomputed, rehearse, seen

import gradecast
from client import Record, changed


@pytest.mark.slow("starts a server with a scheme in Python, and the program once more to list it")
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


# Starts a server twice and the doctor three times.
@pytest.mark.slow("waits for the count of stale records, which the server takes every ten seconds")
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
    until(upgrades.server.output, lambda output: "records were computed by another executable" in output)
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


# Starts a server four times.
@pytest.mark.slow("exchanges the executable three times, each time by a stop and a start of the server")
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


@pytest.mark.slow("exchanges the executable twice, each time by a stop and a start of the server")
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


@pytest.mark.slow("exchanges the executable, which takes a stop and a start of the server")
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


@pytest.mark.slow("exchanges the executable, which takes a stop and a start of the server")
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
    until(upgrades.server.output, lambda output: "another program by now" in output)


@pytest.mark.slow("exchanges the executable, which takes a stop and a start of the server")
def test_an_import_waits_for_a_scheme_that_computes_nothing(upgrades):
    import os
    import signal

    from test_plugins import child

    upgrades.start()
    program = upgrades.program()
    record = program.record([TASK])
    # The scheme has ended, and what stands in its place is not started.
    process = child(upgrades.server)
    replacement = upgrades.scheme.with_name("next")
    replacement.write_text(GENEROUS)
    replacement.chmod(0o755)
    replacement.rename(upgrades.scheme)
    os.kill(process, signal.SIGKILL)
    row = {"record": record.id, "path": ["read"], "fields": {"done": True}}
    answer = changed(
        program.api.post(program.path + "/results", json.dumps(row).encode(), content_type="application/jsonl"), 202
    )
    waiting = answer.json["import"]
    assert (waiting["state"], waiting["done"], waiting["refused"]) == ("running", 0, 0)
    upgrades.start(ORIGINAL)
    done = of(upgrades, program).wait(answer.headers["Location"], "import")
    assert (done["state"], done["accepted"], done["refused"]) == ("done", 1, 0)
    assert Record(program.api, record.id).entries[0]["fields"]["done"] is True


def test_a_version_is_short_and_plain(tmp_path):
    for version, is_good in [("1.0.0+build-7_x", True), ("1 0", False), ("", False), ("9" * 65, False)]:
        program = tmp_path / f"v{uuid.uuid4().hex}"
        program.write_text(GENEROUS.replace("2.0.0-rc.1", version))
        program.chmod(0o755)
        result = gradecast.run("scheme", "lint", program, "--sandbox", "none", "--count", "2")
        assert (result.returncode == 0) == is_good, result
        assert is_good or "scheme.version is not a version" in result.stderr


@pytest.mark.slow("starts a server of its own, whose only scheme is a program made with the kit")
def test_the_kit_tells_a_version_too(public_path):
    program = built(gradecast.BINARY.parent / "German")
    server = gradecast.Server(public_path, config={"plugins": [{"run": str(program)}]}).start()
    try:
        (item,) = server.api().get("/v1/schemes").json["items"]
        assert (item["version"], item["digest"]) == ("1.0.0", digest(program))
    finally:
        server.kill()
