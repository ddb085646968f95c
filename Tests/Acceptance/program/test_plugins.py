"""A third party's scheme, run by the server in a process of its own."""

import os
import pathlib
import shutil
import signal
import subprocess

import pytest
from programs import Program, enrolled, until

import gradecast
from client import changed

GERMAN = gradecast.BINARY.parent / "German"
FIXTURE = gradecast.BINARY.parent / "SchemeFixture"
SCHEMES = gradecast.ROOT / "Tests" / "SchemeHostTests" / "Schemes"
KIT = gradecast.ROOT / "GradingKit"
# A slow machine's; the tests of schemes that hang wait until the deadline.
PATIENT = {"deadlineMilliseconds": 5_000, "startSeconds": 50}


@pytest.fixture
def serve(tmp_path):
    """Starts servers that run programs beside the built-in chalkboard."""
    servers = []

    def start(*programs):
        plugins = [{"builtin": "chalkboard"}, *({"run": str(program)} | PATIENT for program in programs)]
        servers.append(gradecast.Server(tmp_path, config={"plugins": plugins}).start())
        return servers[-1]

    yield start
    for server in servers:
        if server.process.poll() is None:
            server.kill()


@pytest.fixture
def german(serve):
    """A server that runs the German scheme beside a built-in one."""
    return serve(built(GERMAN))


@pytest.fixture
def tmp_path(public_path):
    """Where root tests, a scheme runs as a user of its own, who must be able to read it."""
    return public_path


def built(program):
    """A program of this package."""
    if not program.exists():
        pytest.skip(f"{program} is not built: swift build --product {program.name}")
    return program


def fixture(name, folder):
    """The scheme fixture under a name by which it knows what to be."""
    path = folder / name
    path.symlink_to(built(FIXTURE))
    return path


def children(process):
    """The processes that a process has started."""
    task = pathlib.Path(f"/proc/{process}/task")
    return {int(pid) for thread in task.iterdir() for pid in (thread / "children").read_text().split()}


def child(server):
    """The scheme's process, which its launcher has started."""
    process = server.process.pid
    for _ in range(2):
        # One that was killed is there a moment longer, and the one in its place a moment later.
        (process,) = until(lambda process=process: children(process), lambda found: len(found) == 1)
    return process


def module(title, grade=None, credits=5):
    return {"kind": "module", "fields": {"title": title, "credits": credits, "grade": grade}}


def overall(answer):
    return answer.json["standing"]["figures"]["overall"]["display"]


def test_a_record_is_kept_asked_and_explained(german):
    student = german.api().sign_up()
    assert [one["id"] for one in student.get("/v1/schemes").json["items"]] == ["chalkboard", "german"]
    record = student.new_record("german")
    assert record.standing().json["figures"]["overall"]["reason"] == "no_grades"
    assert overall(record.add(module("Analysis", "1,3"))) == "1.3"
    answer = record.add(module("Algebra", 2.7, credits=10))
    assert overall(answer) == "2.2"
    id = answer.json["entry"]["id"]
    refused = record.add(module("Logik", 5.1))
    assert refused.status == 422 and refused.json["faults"][0]["path"] == "/fields/grade"
    assert overall(record.patch(id, {"grade": 4.09})) == "3.1"
    assert record.get().json["standing"]["entries"][id]["letter"] == "ausreichend"

    thought = record.api.post(
        record.path + "/what-if", {"changes": [{"op": "patch", "entry": id, "fields": {"grade": 1}}]}
    )
    assert thought.json["figures"]["overall"]["display"] == "1.1"
    goal = {"figure": "overall", "target": "2.0", "unknowns": [id]}
    needed = record.api.post(record.path + "/goals", goal).json
    assert needed["status"] == "reachable" and str(needed["inputs"][0]["value"]) == "2.4"
    traces = record.api.get(record.path + "/standing?trace=overall").json["traces"]
    assert traces["nodes"][traces["figures"]["overall"]]["op"] == "figure"
    assert record.api.post(record.path + "/undo", {}).status == 200
    assert [item["op"] for item in record.history()] == ["undo", "patch", "add", "add", "create"]


def test_people_give_nothing_beside_what_a_process_computes(german):
    registrar = german.signed_in("registrar")
    program = Program(registrar, "german")
    changed(program.publish())
    record = program.record(api=enrolled(german, registrar))
    id = changed(record.add(module("Analysis", 1.7)), 201).json["entry"]["id"]
    given = {"given": {"figures": {"grade": "1.0"}}, "reason": "Jury"}
    refused = record.seen_by(registrar).patch(id, **given)
    assert (refused.status, refused.faults) == (422, [("not_supported", "/given")])
    refused = registrar.patch(record.path, {"given": {"figures": {"overall": "1.0"}}, "reason": "Jury"})
    assert (refused.status, refused.faults) == (422, [("not_supported", "/given")])


def test_a_killed_process_is_replaced_unnoticed(german):
    record = german.api().sign_up().new_record("german")
    first = child(german)
    os.kill(first, signal.SIGKILL)
    assert overall(record.add(module("Analysis", 1.7))) == "1.7"
    assert child(german) != first


@pytest.mark.slow("waits for the five seconds that this scheme may take to answer")
def test_a_process_that_hangs_is_given_up_and_disturbs_nobody(german):
    student = german.api().sign_up()
    record, board = student.new_record("german"), student.new_record("chalkboard")
    before = record.get().json
    os.kill(child(german), signal.SIGSTOP)
    answer = record.add(module("Analysis", 1.7))
    assert (answer.status, answer.json["code"], answer.json["retryable"]) == (503, "not_computable", True)
    assert board.get().status == 200
    assert record.get().json == before
    assert overall(record.add(module("Analysis", 1.7))) == "1.7"


@pytest.mark.slow("waits, where the scheme hangs, for the five seconds that it may take to answer")
@pytest.mark.parametrize("mood", ["die", "hang", "devour"])
def test_a_record_that_its_scheme_cannot_bear_harms_no_other(serve, tmp_path, mood):
    server = serve(fixture("moody", tmp_path), SCHEMES / "pass-fail")
    student = server.api().sign_up()
    record, other, tasks = (student.new_record(scheme) for scheme in ("moody", "moody", "pass-fail"))

    def mark(title):
        return {"kind": "mark", "fields": {"title": title, "grade": 12}}

    before = record.get().json
    answer = record.add(mark(mood))
    assert (answer.status, answer.json["code"], answer.json["retryable"]) == (503, "not_computable", True)
    assert record.get().json == before
    task = {"kind": "task", "fields": {"title": "read", "done": True}}
    assert tasks.add(task).json["standing"]["figures"]["share"]["text"] == "1 of 1"
    assert other.add(mark("calm")).json["standing"]["figures"]["mean"]["display"] == "12.00"
    assert record.add(mark("calm")).status == 201
    assert "moody" in server.output()


def test_a_repeated_request_gets_its_first_answer(german):
    record = german.api().sign_up().new_record("german")
    id = record.add(module("Analysis", 1.7)).json["entry"]["id"]
    first = record.remove(id, idempotency_key="once")
    again = record.remove(id, idempotency_key="once")
    assert first.status == 200 and (again.status, again.body) == (200, first.body)
    assert record.add(module("Algebra"), if_match='"x.1"').status == 409


def test_a_program_that_is_no_scheme_stops_the_start(tmp_path):
    path = tmp_path / "config.json"
    path.write_text('{"plugins":[{"run":"/bin/cat"}]}')
    result = gradecast.run("serve", "--config", path, "--data", tmp_path / "data", "--port", gradecast.free_port())
    assert result.returncode == 1
    assert "/bin/cat cannot be used as a scheme" in result.stderr
    checked = gradecast.run("check", "--config", path)
    assert (checked.returncode, checked.stderr) == (1, result.stderr.splitlines(keepends=True)[-1])
    made = ("account", "create", "root", "--role", "administrator", "--config", path, "--data", tmp_path / "data")
    assert gradecast.run(*made).returncode == 0


def test_a_scheme_of_another_version_is_refused_with_both_numbers_named(tmp_path):
    newer = tmp_path / "newer"
    newer.write_text(
        (SCHEMES / "pass-fail").read_text().replace('"wire": 1, "kit": "python"', '"wire": 3, "kit": "9.9"')
    )
    newer.chmod(0o755)
    (tmp_path / "config.json").write_text(f'{{"plugins":[{{"run":"{newer}"}}]}}')
    result = gradecast.run("check", "--config", tmp_path / "config.json")
    assert result.returncode == 1
    assert "it speaks version 3 of the wire (kit 9.9), this server versions 1 to 2 (kit " in result.stderr


# Tries the laws on random records in another process.
def test_the_laws_are_run_over_a_built_scheme():
    result = gradecast.run("scheme", "lint", built(GERMAN))
    assert result.returncode == 0, result
    assert "kept    floor ≤ ceiling" in result.stdout


# Tries the laws on random records in another process.
def test_a_broken_law_is_explained(tmp_path):
    result = gradecast.run("scheme", "lint", fixture("sloppy", tmp_path))
    assert result.returncode == 1, result
    assert "2 of the laws of grading are broken." in result.stderr
    assert "broken  an empty record is undefined" in result.stdout
    assert "must stay undefined, not become 0" in result.stdout
    assert "too_low has no wording" in result.stdout


def test_a_broken_law_can_be_looked_at_again(tmp_path):
    sloppy = fixture("sloppy", tmp_path)
    runs = [gradecast.run("scheme", "lint", sloppy, "--seed", "7", "--count", "40") for _ in range(2)]
    assert "--seed 7 --count 40 repeats this." in runs[0].stderr
    assert runs[0].stdout == runs[1].stdout
    assert gradecast.run("scheme", "lint", sloppy, "--count", "0").returncode == 64


def test_an_answer_that_cannot_be_used_is_shown_with_its_question(tmp_path):
    wrong = tmp_path / "wrong"
    wrong.write_text((SCHEMES / "pass-fail").read_text().replace("str(share)", "'half'"))
    wrong.chmod(0o755)
    result = gradecast.run("scheme", "lint", wrong)
    assert result.returncode == 1, result
    assert "results[0].figures.share.exact is not an exact number" in result.stderr
    assert 'asked about: {"fields"' in result.stderr
    gone = gradecast.run("scheme", "lint", tmp_path / "gone")
    assert gone.returncode == 1 and "it cannot be started: No such file" in gone.stderr


def test_a_scheme_in_another_language_keeps_the_laws():
    assert len((SCHEMES / "pass-fail").read_text().splitlines()) <= 60
    result = gradecast.run("scheme", "lint", SCHEMES / "pass-fail")
    assert result.returncode == 0, result


def test_a_new_scheme_finds_the_kit_from_where_it_lies(tmp_path):
    kit = tmp_path / "kits" / "GradingKit"
    kit.mkdir(parents=True)
    refused = gradecast.run("scheme", "new", "Honours", "--kit", kit, cwd=tmp_path)
    assert refused.returncode == 1 and "no Package.swift" in refused.stderr
    (kit / "Package.swift").touch()
    assert gradecast.run("scheme", "new", "Honours", "--kit", "kits/GradingKit", cwd=tmp_path).returncode == 0
    assert '.package(path: "../kits/GradingKit")' in (tmp_path / "Honours" / "Package.swift").read_text()
    assert gradecast.run("scheme", "new", "Honours", "--kit", kit, cwd=tmp_path).returncode == 1
    assert gradecast.run("scheme", "new", "honours", "--kit", kit, cwd=tmp_path).returncode == 64


@pytest.mark.long
@pytest.mark.parametrize("name", ["Honours", "German"])
def test_a_scheme_builds_with_nothing_but_the_kit_and_keeps_the_laws(tmp_path, name):
    kit = tmp_path / "GradingKit"
    shutil.copytree(KIT, kit, ignore=shutil.ignore_patterns(".build"))
    package = kit / "Examples" / "German"
    if name == "Honours":
        begun = gradecast.run("scheme", "new", name, cwd=tmp_path)
        assert begun.returncode == 0, begun
        package = tmp_path / name
    subprocess.run(["swift", "build", "--package-path", package], check=True, timeout=900)
    result = gradecast.run("scheme", "lint", package / ".build" / "debug" / name)
    assert result.returncode == 0, result


def test_a_scheme_without_presets_is_checked_under_its_defaults(tmp_path):
    bare = tmp_path / "bare"
    bare.write_text((SCHEMES / "pass-fail").read_text().replace('"presets": {"default": {}}', '"presets": {}'))
    bare.chmod(0o755)
    result = gradecast.run("scheme", "lint", bare, "--count", "5")
    assert result.stdout.splitlines()[1] == "defaults", result
    assert "kept    floor ≤ ceiling" in result.stdout


def test_a_template_is_told_by_the_name_that_begins_a_record(serve):
    api = serve(SCHEMES / "pass-fail").api().sign_up()
    (template,) = changed(api.get("/v1/schemes/pass-fail")).json["templates"]
    program = api.program("pass-fail")
    made = changed(api.post("/v1/records", {"program": program, "template": template["id"]}), 201)
    assert [entry["fields"]["title"] for entry in made.json["record"]["entries"]] == ["Read"]


def test_a_template_without_an_identifier_is_refused_in_words(tmp_path):
    old = tmp_path / "old"
    old.write_text((SCHEMES / "pass-fail").read_text().replace('"id": "begun"', '"name": "begun"'))
    old.chmod(0o755)
    (tmp_path / "config.json").write_text(f'{{"plugins":[{{"run":"{old}"}}]}}')
    result = gradecast.run("check", "--config", tmp_path / "config.json")
    assert result.returncode == 1
    assert "templates[0].id is not a string" in result.stderr, result
