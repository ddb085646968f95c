"""The page of the API: the server's own description, and a way to try each operation."""

import json
import re

import pytest
from accessibility import violations
from conftest import PASSWORD, ROOT
from playwright.sync_api import expect

# People sign up anew in browsers that stay.
STAYING = {"browser"}

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
    for nothing in ("", " ", ".", ".."):
        assert call("requestOf", OPERATION, {"path record": "r", "path entry": nothing})["lacks"] == "entry"


def test_a_command_says_the_same_to_a_shell(call):
    request = call("requestOf", OPERATION, {"path record": "r", "path entry": "e", "body": '{"title": "Ada\'s"}'})
    assert call("curlOf", request, "https://grades.example", False) == (
        "curl \\\n  -X PATCH \\\n  -H \"Authorization: Bearer $TOKEN\" \\\n  -H 'Content-Type: application/json' \\\n"
        "  --data-raw '{\"title\": \"Ada'\\''s\"}' \\\n  'https://grades.example/v1/records/r/entries/e'"
    )


def opened(page, text: str, name: str):
    """The one operation that a search finds, opened."""
    page.get_by_label("Find an operation").fill(text)
    operation = page.locator(".docs-operation")
    expect(operation).to_have_count(1)
    operation.locator("summary").first.click()
    expect(operation.get_by_role("heading", name="Answers")).to_be_visible()
    expect(operation).to_have_attribute("id", name)
    return operation


def test_a_guest_finds_an_operation_and_tries_it_with_its_example(newcomer):
    page = newcomer().open("/docs")
    operation = opened(page, "post evaluate", "postEvaluate")
    operation.locator(".inner summary", has_text="entries").first.click()
    expect(operation.locator(".inner .docs-members code", has_text=re.compile("^kind$")).first).to_be_visible()
    operation.get_by_role("button", name="Send POST").click()
    expect(operation.get_by_role("status")).to_have_text(re.compile(r"^200 \d+ ms$"))
    expect(operation.locator(".docs-answer pre")).to_contain_text('"figures"')
    operation.get_by_label("Body").fill('{"scheme": "none"}')
    operation.get_by_role("button", name="Send POST").click()
    expect(operation.get_by_role("status")).to_have_text(re.compile("^4"))
    expect(operation.locator(".docs-answer pre")).to_contain_text("urn:gradecast:problem:")
    assert violations(page) == []


def test_a_person_acts_under_the_own_session(student):
    page = student.open("/docs")
    operation = opened(page, "get /v1/accounts/me profile my", "getAccountMe")
    expect(operation).to_contain_text(f"request as {student.api('GET', '/v1/accounts/me')['body']['displayName']}")
    operation.get_by_role("button", name="Send GET").click()
    expect(operation.locator(".docs-answer pre")).to_contain_text(json.dumps(student.login))
    operation.locator("summary", has_text="Headers").click()
    operation.get_by_label("Gradecast-Account").fill(student.api("GET", "/v1/accounts/me")["body"]["id"])
    operation.get_by_role("button", name="Send GET").click()
    expect(operation.get_by_role("status")).to_have_text(re.compile("^200"))
    # An address with the name of an operation leads to it.
    assert page.url.endswith("#getAccountMe")
    page = student.load("/docs#getAccountMe")
    expect(page.locator("#getAccountMe")).to_have_attribute("open", "")
    expect(page.locator("#getAccountMe").get_by_role("heading", name="Answers")).to_be_in_viewport()


def test_nothing_is_sent_under_the_session_of_another_person(student, newcomer):
    other = (guest := newcomer()).login
    account = {"displayName": "Bo Other", "login": other, "password": PASSWORD}
    assert guest.api("POST", "/v1/accounts", account)["status"] == 201
    page = student.open("/docs")
    operation = opened(page, "get /v1/accounts/me profile my", "getAccountMe")
    credentials = {"login": other, "password": PASSWORD, "cookie": True}
    assert student.api("POST", "/v1/sessions", credentials)["status"] == 201
    operation.get_by_role("button", name="Send GET").click()
    # The page sees who uses the browser now, and sends as this person from then on.
    operation = page.locator("#getAccountMe")
    expect(operation.get_by_text("request as Bo Other")).to_be_visible()
    operation.get_by_role("button", name="Send GET").click()
    expect(operation.locator(".docs-answer pre")).to_contain_text(json.dumps(other))


def test_a_deletion_is_asked_about_and_the_end_of_the_session_is_noticed(student):
    page = student.open("/docs")
    operation = opened(page, "delete /v1/sessions/{session}", "deleteSession")
    operation.get_by_label("session", exact=True).fill("current")
    send = operation.get_by_role("button", name="Send DELETE")
    send.click()
    expect(operation.get_by_role("alert")).to_contain_text("This deletes something.")
    assert student.api("GET", "/v1/accounts/me")["status"] == 200
    send.click()
    expect(page.get_by_role("banner").get_by_role("link", name="Sign in")).to_be_visible()


def test_members_stay_as_many_however_often_they_are_drawn(newcomer):
    page = newcomer().open("/docs")
    operation = opened(page, "post /v1/records/{record}/changes", "postRecordChanges")
    changes = operation.locator(".inner").first
    changes.locator("summary").first.click()
    members = changes.locator("li")
    expect(members.first).to_be_visible()
    count = members.count()
    for text in ("records changes", "post /v1/records/{record}/changes"):
        page.get_by_label("Find an operation").fill(text)
    expect(members.first).to_be_visible()
    expect(members).to_have_count(count)


def test_what_a_header_cannot_have_is_said(newcomer):
    operation = opened(newcomer().open("/docs"), "post evaluate", "postEvaluate")
    operation.locator("summary", has_text="Headers").click()
    operation.get_by_label("Accept-Language").fill("✓")
    operation.get_by_role("button", name="Send POST").click()
    expect(operation.get_by_role("status")).to_have_text("A header can only have characters of Latin-1.")


def test_a_page_whose_texts_do_not_come_keeps_no_other_from_opening(newcomer):
    visitor = newcomer()
    page = visitor.open("/explore")
    visitor.context.set_offline(True)
    page.get_by_role("link", name="Write a program").click()
    expect(page.get_by_text("The server cannot be reached.")).to_be_visible()
    page.get_by_role("link", name="Explore").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Grading schemes")


def test_the_styles_of_the_page_reach_no_other():
    text = re.sub(r"/\*.*?\*/", "", (ROOT / "Web" / "app" / "css" / "docs.css").read_text(), flags=re.DOTALL)
    selectors = [part.strip() for rule in re.findall(r"([^{}]+)\{", text) for part in rule.split(",")]
    assert [selector for selector in selectors if not selector.startswith(".docs")] == []


def test_what_the_path_lacks_is_asked_for_before_it_is_sent(student):
    page = student.open("/docs")
    operation = opened(page, "get /v1/accounts/{account}/avatar", "getAccountAvatar")
    expect(operation.get_by_role("button", name="Send GET")).to_have_attribute("aria-disabled", "true")
    expect(operation.get_by_text("“account” is missing.")).to_be_visible()
    account = student.api("GET", "/v1/accounts/me")["body"]["id"]
    operation.get_by_label("account", exact=True).fill(account)
    operation.get_by_role("button", name="Send GET").click()
    expect(operation.get_by_role("status")).to_have_text(re.compile("^404"))


def test_what_never_ends_is_described_and_not_tried(newcomer):
    operation = opened(newcomer().open("/docs"), "live/events", "getLiveEvents")
    expect(operation.get_by_text("This answer never ends")).to_be_visible()
    expect(operation.get_by_role("button", name=re.compile("^Send"))).to_have_count(0)
