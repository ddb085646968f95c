"""The page of a scheme that is not built in, run by the server in a process of its own."""

import json
import os
import pathlib

import pytest
from conftest import ROOT, Person, Server, binary
from playwright.sync_api import expect

GERMAN = pathlib.Path(binary()).parent / "German"
PATIENT = {"deadlineMilliseconds": 20_000, "startSeconds": 50}  # for slow machines


@pytest.fixture(scope="module")
def german(tmp_path_factory):
    """A server that runs the German scheme."""
    if os.environ.get("GRADECAST_URL") or not GERMAN.exists():
        pytest.skip(f"needs a server of its own and {GERMAN.relative_to(ROOT)}: swift build --product German")
    folder = tmp_path_factory.mktemp("german")
    config = folder / "config.json"
    config.write_text(json.dumps({"plugins": [{"run": str(GERMAN)} | PATIENT]}))
    server = Server(folder / "data", "--config", str(config)).start()
    yield server
    server.stop()


@pytest.fixture
def student(browser, german):
    """A newcomer on this server."""
    person = Person(browser, german.url)
    yield person.sign_up()
    person.context.close()
    assert person.problems == []


def add(page, title, grade, credits):
    page.get_by_role("button", name="Add module").click()
    sheet = page.get_by_role("dialog")
    for name, value in {"title": title, "grade": grade, "credits": credits}.items():
        sheet.locator(f'[name="/fields/{name}"]').fill(value)
    sheet.get_by_role("button", name="Add", exact=True).click()


def test_a_german_record_is_kept_and_explained(student):
    page = student.new_record("german")
    overall = page.locator(".headline-figure", has=page.get_by_role("heading", name="Overall grade"))
    add(page, "Analysis", "1,3", "5")
    expect(overall.locator(".figure")).to_have_text("1.3")
    add(page, "Algebra", "5.1", "10")
    expect(page.get_by_role("dialog").locator('[name="/fields/grade"]')).to_have_attribute("aria-invalid", "true")
    page.get_by_role("dialog").locator('[name="/fields/grade"]').fill("2.7")
    page.get_by_role("dialog").get_by_role("button", name="Add", exact=True).click()
    expect(overall.locator(".figure")).to_have_text("2.2")
    expect(page.locator(".entry-card", has_text="Algebra").locator(".letter")).to_have_text("befriedigend")
    add(page, "Logik", "", "5")
    # The line is drawn with the record, which arrives after the added entry.
    expect(overall.locator(".range-span")).not_to_have_js_property("offsetWidth", 0)
    ends = overall.locator(".range-span").evaluate("span => [span.offsetLeft, span.offsetWidth]")
    assert ends[0] >= 0 and ends[1] > 0, "the line runs from the worse end to the better one"
    overall.locator(".figure").click()
    expect(page.get_by_role("dialog")).to_contain_text("Algebra")


def test_what_is_deleted_comes_back(student):
    page = student.new_record("german")
    add(page, "Analysis", "1,3", "5")
    page.get_by_role("button", name="Edit Analysis").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete", exact=True).click()
    expect(page.locator(".entry-card")).to_have_count(0)
    page.locator(".toast").get_by_role("button", name="Undo").click()
    expect(page.locator(".entry-card")).to_contain_text("Analysis")


def test_a_long_label_of_a_scheme_takes_two_lines_until_it_is_looked_at(student):
    context = student.context.browser.new_context(
        storage_state=student.context.storage_state(), service_workers="block"
    )
    page = context.new_page()
    long = "Überaus lange Bezeichnung " * 100

    def lengthen(route):
        scheme = route.fetch().json()
        shape = scheme.get("scheme", scheme)
        for labelled in [*shape["figures"], *shape["shape"]["kinds"], *shape["shape"]["kinds"][0]["fields"]]:
            labelled["label"] = {"en": long}
        route.fulfill(json=scheme)

    record = student.new_record("german").url
    add(student.page, "Analysis", "1,3", "5")
    expect(student.page.locator(".entry-card")).to_be_visible()
    page.route("**/v1/schemes/*", lengthen)
    page.goto(record)
    heading = page.locator(".headline-figure h2 .clamped").first
    expect(heading).to_have_attribute("title", long)
    lines = "element => element.getBoundingClientRect().height / parseFloat(getComputedStyle(element).lineHeight)"
    assert heading.evaluate(lines) < 2.5
    heading.focus()
    assert heading.evaluate(lines) > 10
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    page.locator(".adders .button").last.click()
    label = page.get_by_role("dialog").locator("label .clamped").first
    assert label.evaluate(lines) < 2.5
    context.close()
