"""The page of the API: the server's own description, and a way to try each operation."""

import json
import re

import pytest
from accessibility import violations
from playwright.sync_api import expect

CALL = """async ([name, ...given]) => {
    const module = await import('/app/pages/docs/description.js');
    return module[name](...given);
}"""


@pytest.fixture
def call(anywhere):
    return lambda name, *given: anywhere.evaluate(CALL, [name, *given])


def test_every_operation_is_shown_once_and_each_schema_unfolds(anywhere):
    shown, described, members = anywhere.evaluate(
        """async () => {
            const { groupsOf, membersOf } = await import('/app/pages/docs/description.js');
            const description = await (await fetch('/openapi.json')).json();
            const names = Object.entries(description.paths).flatMap(([path, methods]) =>
                Object.keys(methods).map(method => `${method.toUpperCase()} ${path}`));
            const schemas = Object.keys(description.components.schemas).map(name => ({ $ref: `#/components/schemas/${name}` }));
            return [
                groupsOf(description).flatMap(({ operations }) => operations.map(({ method, path }) => `${method} ${path}`)),
                names, schemas.map(schema => membersOf(schema, description).length),
            ];
        }"""
    )
    assert sorted(shown) == sorted(described)
    assert max(members) > 5


def test_a_schema_of_lists_of_itself_has_an_end(call):
    itself = {"$ref": "#/components/schemas/Lists"}
    described = {"components": {"schemas": {"Lists": {"oneOf": [{"type": "array", "items": itself}, itself]}}}}
    assert call("membersOf", itself, described) == []


WORDS = {"any": "any", "array": "list of", "string": "text", "integer": "whole", "object": "object", "null": "null"}


@pytest.mark.parametrize(
    ("schema", "text"),
    [
        ({}, "any"),
        ({"$ref": "#/components/schemas/Entry"}, "Entry"),
        ({"type": ["string", "null"], "minLength": 1, "maxLength": 16}, "text 1…16 | null"),
        ({"type": "string", "format": "uuid"}, "text (uuid)"),
        ({"type": "integer", "minimum": 1}, "whole 1…"),
        ({"type": "array", "items": {"$ref": "#/components/schemas/Entry"}}, "list of Entry"),
        ({"type": "string", "enum": ["a", "b"]}, '"a" | "b"'),
        ({"oneOf": [{"type": "object"}, {"type": "null"}]}, "object | null"),
    ],
)
def test_a_type_is_named_in_words(call, schema, text):
    assert call("typeText", schema, WORDS) == text


OPERATION = {
    "method": "PATCH",
    "path": "/v1/records/{record}/entries/{entry}",
    "parameters": [
        {"in": "path", "name": "record"},
        {"in": "path", "name": "entry"},
        {"in": "query", "name": "trace"},
        {"in": "header", "name": "If-Match"},
    ],
    "body": {"type": "application/json"},
}


def test_a_request_has_what_was_entered_and_nothing_else(call):
    values = {
        "path record": "a/b",
        "path entry": " ü ",
        "query trace": "all&x=1",
        "header If-Match": "",
        "body": " {} ",
    }
    assert call("requestOf", OPERATION, values) == {
        "method": "PATCH",
        "url": "/v1/records/a%2Fb/entries/%C3%BC?trace=all%26x%3D1",
        "headers": {"Content-Type": "application/json"},
        "body": "{}",
        "lacks": None,
    }
    assert call("requestOf", OPERATION, {"path record": "r", "path entry": " "})["lacks"] == "entry"


def test_a_command_says_the_same_to_a_shell(call):
    request = call("requestOf", OPERATION, {"path record": "r", "path entry": "e", "body": '{"title": "Ada\'s"}'})
    assert call("curlOf", request, "https://grades.example", False) == (
        "curl \\\n  -X PATCH \\\n  -H \"Authorization: Bearer $TOKEN\" \\\n  -H 'Content-Type: application/json' \\\n"
        "  -d '{\"title\": \"Ada'\\''s\"}' \\\n  'https://grades.example/v1/records/r/entries/e'"
    )


def opened(page, text: str, name: str):
    """The one operation that a search finds, opened."""
    page.get_by_label("Find an operation").fill(text)
    operation = page.locator(".operation")
    expect(operation).to_have_count(1)
    operation.locator("summary").first.click()
    expect(operation.get_by_role("heading", name="Answers")).to_be_visible()
    expect(operation).to_have_attribute("id", name)
    return operation


def test_a_guest_finds_an_operation_and_tries_it_with_its_example(newcomer):
    page = newcomer().open("/docs")
    operation = opened(page, "post evaluate", "postEvaluate")
    operation.locator(".inner summary", has_text="entries").first.click()
    expect(operation.locator(".inner .members code", has_text=re.compile("^kind$")).first).to_be_visible()
    operation.get_by_role("button", name="Send POST").click()
    expect(operation.get_by_role("status")).to_have_text(re.compile(r"^200 \d+ ms$"))
    expect(operation.locator(".answer pre")).to_contain_text('"figures"')
    operation.get_by_label("Body").fill('{"scheme": "none"}')
    operation.get_by_role("button", name="Send POST").click()
    expect(operation.get_by_role("status")).to_have_text(re.compile("^4"))
    expect(operation.locator(".answer pre")).to_contain_text("urn:gradecast:problem:")
    assert violations(page) == []


def test_a_person_acts_under_the_own_session(student):
    page = student.open("/docs")
    operation = opened(page, "get /v1/accounts/me profile my", "getAccountMe")
    expect(operation).to_contain_text(f"acts as {student.api('GET', '/v1/accounts/me')['body']['displayName']}")
    operation.get_by_role("button", name="Send GET").click()
    expect(operation.locator(".answer pre")).to_contain_text(json.dumps(student.login))
    # An address with the name of an operation leads to it.
    assert page.url.endswith("#getAccountMe")
    page = student.load("/docs#getAccountMe")
    expect(page.locator("#getAccountMe")).to_have_attribute("open", "")


def test_what_the_path_lacks_is_asked_for_before_it_is_sent(student):
    page = student.open("/docs")
    operation = opened(page, "get /v1/accounts/{account}/avatar", "getAccountAvatar")
    expect(operation.get_by_role("button", name="Send GET")).to_be_disabled()
    expect(operation.get_by_text("“account” is missing.")).to_be_visible()
    account = student.api("GET", "/v1/accounts/me")["body"]["id"]
    operation.get_by_label("account", exact=True).fill(account)
    operation.get_by_role("button", name="Send GET").click()
    expect(operation.get_by_role("status")).to_have_text(re.compile("^404"))


def test_what_never_ends_is_described_and_not_tried(newcomer):
    operation = opened(newcomer().open("/docs"), "live/events", "getLiveEvents")
    expect(operation.get_by_text("This answer never ends")).to_be_visible()
    expect(operation.get_by_role("button", name=re.compile("^Send"))).to_have_count(0)
