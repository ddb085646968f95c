"""`/openapi.json` is a valid document, and the server reads and answers as it tells."""

import collections
import importlib
import json
import subprocess
import sys

import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator

import gradecast
from access import CONFIG, World, course
from description import Description
from access_table import ACCESS, ask, by_column

REFUSED = {"401", "403", "404"}


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    running = gradecast.Server(tmp_path_factory.mktemp("openapi"), config=CONFIG).start()
    yield World(running)
    assert running.stop() == 0, running.output()


@pytest.fixture(scope="module")
def description(world):
    return Description(world.server.api().get("/openapi.json").json)


# A validator in Python reads a document of a megabyte.
@pytest.mark.slow("has a validator in Python read every schema of the whole description")
def test_the_document_is_valid(description):
    faults = OpenAPIV31SpecValidator(description.document).iter_errors()
    assert [f"{'/'.join(map(str, fault.absolute_path))}: {fault.message}" for fault in faults] == []


def test_operations_have_names_of_their_own(description):
    names = collections.Counter(operation["operationId"] for operation in description.operations.values())
    assert [name for name, count in names.items() if count > 1] == []


def test_every_operation_tells_how_it_refuses(description):
    for (method, path), operation in description.operations.items():
        told = operation["responses"]
        assert {"400", "401", "403", "421", "429", "500", "503", "default"} <= set(told), (method, path)
        assert all("Retry-After" in told[status]["headers"] for status in ("429", "503")), (method, path)
        assert "404" in told or "{" not in path, (method, path)


def test_examples_of_bodies_fit_their_schemas(description):
    for (method, path), operation in description.operations.items():
        media = operation.get("requestBody", {}).get("content", {})
        if "application/json" in media:
            assert "example" in media["application/json"], (method, path)
        for kind in media.values():
            if "example" in kind:
                errors = description.validator(kind["schema"]).iter_errors(kind["example"])
                assert [error.message for error in errors] == [], (method, path)


# -- what is described is what is read


def caller(route):
    """Somebody whom the route serves; where that depends on more than who it is, the student."""
    return next((name for name, status in by_column(ACCESS[route]).items() if status not in REFUSED), "student")


def refusals(world, route, body):
    """The faults of a body, as `[(code, path)]`."""
    method, pattern = route.split()
    world.body = lambda *_: body
    try:
        answer = ask(world, route, caller(route), world.place(method, pattern))
    finally:
        del world.body
    assert (answer.status, answer.json["code"]) == (422, "invalid"), answer
    return answer.faults


@pytest.mark.slow("sends a misfit for each member of each body that the description has")
def test_bodies_are_read_as_they_are_described(world, description):
    for route, schema in description.json_bodies():
        if "properties" not in schema or route == "POST /v1/accounts/first":  # there the token decides first
            continue
        base = {"kind": "course"} if "kind" in schema["properties"] else {}  # what an entry has depends on its kind
        assert ("unknown_field", "/unheardOf") in refusals(world, route, base | {"unheardOf": 1}), route
        # Students do not have these members of entries and records.
        of_staff = {"hidden", "given", "reason"} if "fields" in schema["properties"] else set()
        for name, member in schema["properties"].items():
            misfit = description.misfit(member)
            if misfit is not None and name not in of_staff:
                faults = refusals(world, route, base | {name: misfit})
                assert any(path.startswith(f"/{name}") and code != "unknown_field" for code, path in faults), route
        for name in schema.get("required", []):
            assert any(path == f"/{name}" for _, path in refusals(world, route, {"unheardOf": 1})), (route, name)


@pytest.mark.slow("calls every route with each of its parameters amiss")
def test_parameters_are_read_as_they_are_described(world, description):
    for (method, pattern), operation in description.operations.items():
        route = f"{method} {pattern}"
        who, place = world.people[caller(route)], world.place(method, pattern)
        path = pattern.format(**place)
        assert who.call(method, path + "?unheardOf=1").status == 400, route
        for parameter in operation["parameters"]:
            schema = parameter["schema"]
            if parameter["in"] != "query" or not ({"enum", "minimum"} & set(schema) or schema["type"] == "boolean"):
                continue
            if parameter["name"] == "position":  # says where there is nothing, as any other entry that is not there
                continue
            assert who.call(method, f"{path}?{parameter['name']}=amiss").status == 400, (route, parameter)


def test_a_misspelt_parameter_is_told_what_it_may_have_been(student):
    answer = student.get("/v1/records?limt=5")
    assert (answer.status, answer.json["detail"]) == (400, "There is no parameter limt here; did you mean limit?")


# -- a client that a generator makes of the document


@pytest.fixture(scope="module")
def generated(description, tmp_path_factory):
    """The package of a client, made by openapi-python-client without any help."""
    folder = tmp_path_factory.mktemp("client")
    (folder / "openapi.json").write_text(json.dumps(description.document))
    (folder / "config.yml").write_text("post_hooks: []\npackage_name_override: gradecast_client\n")
    made = subprocess.run(
        [
            sys.executable, "-m", "openapi_python_client", "generate", "--meta", "none",
            "--path", folder / "openapi.json", "--config", folder / "config.yml",
            "--output-path", folder / "gradecast_client",
        ],
        capture_output=True,
        text=True,
        timeout=gradecast.PATIENCE * 4,
    )  # fmt: skip
    assert made.returncode == 0, made.stdout + made.stderr
    sys.path.insert(0, str(folder))
    yield importlib.import_module("gradecast_client")
    sys.path.remove(str(folder))


def operation(name):
    """The function of an operation, as `tag.operation`."""
    return importlib.import_module(f"gradecast_client.api.{name}").sync_detailed


def body(kind, /, **members):
    """A request's body."""
    return getattr(importlib.import_module("gradecast_client.models"), kind).from_dict(members)


def test_a_generated_client_does_the_main_job(world, generated):
    base = f"http://127.0.0.1:{world.server.port}"
    guest = generated.Client(base_url=base)
    made = operation("accounts.create_account")(
        client=guest, body=body("SignUp", login="generated", password="correct horse battery", displayName="Ada")
    )
    assert made.status_code == 201, made
    client = generated.AuthenticatedClient(base_url=base, token=made.parsed.session.token)
    program = operation("institutions.list_institution_programs")("demo", client=guest).parsed.items[0].id
    record = operation("records.create_record")(client=client, body=body("RecordInput", program=program))
    assert record.status_code == 201, record
    name = record.parsed.record.id

    added = operation("records.create_record_entry")(name, client=client, body=body("EntryInput", **course()))
    assert added.status_code == 201, added
    tag, entry = added.headers["ETag"], added.parsed.entry.children[2].id
    assert operation("records.get_record_standing")(name, client=client).parsed.figures["gpa"].display == "3.00"

    patch = {"client": client, "body": body("EntryPatch", fields={"points": 100})}
    what_if = operation("records.post_record_what_if")(
        name, client=client, body=body("Changes", changes=[{"op": "patch", "entry": entry, "fields": {"points": 100}}])
    )
    assert what_if.parsed.figures["gpa"].display == "4.00"
    changed_entry = operation("records.update_record_entry")(name, entry, **patch, if_match=tag)
    assert changed_entry.parsed.standing.figures["gpa"].display == "4.00"
    conflict = operation("records.update_record_entry")(name, entry, **patch, if_match=tag)
    assert (conflict.status_code, conflict.parsed.code) == (409, "version_conflict")
