"""Records and configurations that a new executable of their scheme refuses stop the start, in words."""

import pytest
from upgrades import GENEROUS, ORIGINAL, TASK, digest

import gradecast
from client import Record, changed
from stored import stored

NARROWER = GENEROUS.replace(
    '{"name": "title", "type": "text", "label": "Title"}',
    '{"name": "title", "type": "text", "label": "Title", "maxLength": 4}',
)
WITHOUT_FIELD = GENEROUS.replace('{"name": "done", "type": "boolean", "label": "Done", "required": False}', "").replace(
    '"label": "Title"},', '"label": "Title"}'
)
OTHER_KIND = GENEROUS.replace('"kind": "task", "label"', '"kind": "exercise", "label"')
STRICTER = GENEROUS.replace('"label": "Done", "required": False', '"label": "Done", "required": True')


# Starts a server three times and the program twice.
@pytest.mark.slow("starts the program five times over three executables of its scheme")
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


@pytest.mark.slow("starts the program three times over three executables of its scheme")
def test_what_records_had_against_their_shape_already_stops_no_start(upgrades):
    record = misfit(upgrades)
    upgrades.start(CONFIGURED + "\n")
    assert Record(upgrades.registrar, record.id).get().status == 200
    narrower = CONFIGURED.replace('get("most", 9)', 'get("most", 9) * 0')
    assert upgrades.server.stop() == 0
    upgrades.build(narrower)
    assert upgrades.command("check", "--port", gradecast.free_port()).returncode == 0


@pytest.mark.slow("starts the program four times over two executables of its scheme")
def test_a_store_that_knows_nothing_of_executables_yet_is_served(upgrades):
    record = misfit(upgrades)
    assert upgrades.server.stop() == 0
    # As the migration leaves a store that an older Gradecast wrote.
    with stored(upgrades.server) as store:
        store.execute("DELETE FROM shapes")
        store.execute("DELETE FROM computed")
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


@pytest.mark.slow("exchanges the executable, and waits until the server gives up the new one")
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


@pytest.mark.slow("starts with one build of a scheme, and checks with another one")
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
