"""The reference and the schema of the configuration, against what the program accepts and what the documents show."""

import copy
import json
import re

import jsonschema
import pytest

import gradecast

REFERENCE = gradecast.ROOT / "docs" / "configuration.md"
DOCUMENTS = [*sorted((gradecast.ROOT / "docs").glob("*.md")), *sorted((gradecast.ROOT / "deploy").glob("*.md"))]
OVERRIDES = gradecast.ROOT / "Sources" / "Platform" / "Configuration" / "Overrides.swift"


@pytest.fixture(scope="module")
def schema():
    found = json.loads(gradecast.run("check", "--schema").stdout)
    jsonschema.Draft202012Validator.check_schema(found)
    return found


@pytest.fixture(scope="module")
def validator(schema):
    return jsonschema.Draft202012Validator(schema)


def shown(schema):
    """Every configuration that a document shows: JSON with a key of the configuration at its top. Messages of the live
    protocol, which have a type `t`, are none."""
    found = {"config.json": json.loads((gradecast.ROOT / "config.json").read_text())}
    for document in [*DOCUMENTS, gradecast.ROOT / "README.md"]:
        text = document.read_text()
        parts = re.findall(r"```json\n(.*?)```", text, re.DOTALL) + re.findall(r"`([^`\n]*\":[^`\n]*)`", text)
        for part in parts:
            for whole in (part, "{" + part + "}"):
                try:
                    value = json.loads(whole.replace("…", "x"))
                except ValueError:
                    continue
                if isinstance(value, dict) and "t" not in value and value.keys() & schema["properties"].keys():
                    found[f"{document.name}: {part[:60]}"] = value
    return found


def leaves(schema, place=()):
    """The places of all members of the schema, through the first element of arrays."""
    for name, member in schema.get("properties", {}).items():
        yield (*place, name)
        yield from leaves(member, (*place, name))
        yield from leaves(member.get("items", {}), (*place, name, 0))


def test_the_document_is_what_the_program_prints():
    assert REFERENCE.read_text() == gradecast.run("check", "--reference").stdout


def test_every_variable_of_the_environment_is_in_the_document():
    read = set(re.findall(r'case "(GRADECAST_\w+)"|, "(GRADECAST_\w+)":', OVERRIDES.read_text()))
    assert {name for pair in read for name in pair if name} == set(re.findall(r"GRADECAST_\w+", REFERENCE.read_text()))


def test_the_schema_takes_every_configuration_that_is_shown(schema, validator):
    configurations = shown(schema)
    assert len(configurations) > 10
    refused = {
        name: next(validator.iter_errors(value)).message
        for name, value in configurations.items()
        if not validator.is_valid(value)
    }
    assert refused == {}


def test_the_schema_refuses_every_misspelt_key_of_what_is_shown(schema, validator):
    for name, value in shown(schema).items():
        for spoilt in misspelt(value, schema):
            assert not validator.is_valid(spoilt), (name, spoilt)


def misspelt(value, schema):
    """The value with one key misspelt, each in turn; not within what a scheme reads for itself."""
    if isinstance(value, list):
        for index, element in enumerate(value):
            for spoilt in misspelt(element, schema.get("items", {})):
                yield [*value[:index], spoilt, *value[index + 1 :]]
    if isinstance(value, dict) and "properties" in schema:
        for key, inner in value.items():
            rest = {name: copy.deepcopy(other) for name, other in value.items() if name != key}
            yield rest | {key + "s": inner}
            for spoilt in misspelt(inner, schema["properties"].get(key, {})):
                yield rest | {key: spoilt}


def test_what_the_schema_bounds_the_program_bounds(tmp_path, schema):
    """A number just outside its range, and a word that is not on the list, at each key outside of arrays."""
    outside = {}
    for place in leaves(schema):
        if 0 in place:
            continue
        member = schema
        for step in place:
            member = member["properties"][step]
        wrong = member["maximum"] + 1 if "maximum" in member else "x" if "enum" in member else None
        if wrong is not None:
            at = outside
            for step in place[:-1]:
                at = at.setdefault(step, {})
            at[place[-1]] = wrong
    file = tmp_path / "config.json"
    file.write_text(json.dumps(outside))
    told = gradecast.run("check", "--config", file).stderr
    for place in leaves(schema):
        at = outside
        for step in place:
            at = at.get(step) if isinstance(at, dict) else None
        if at is not None and not isinstance(at, dict):
            assert f"/{'/'.join(place)}:" in told, (place, told)
