"""Records of a class's students as samples on which rules are tried: with the lines of the class and their names."""

import re

import accessibility
import board
import pytest
from classroom import LINES, Classroom
from playwright.sync_api import expect

STAYING = {"staff"}


@pytest.mark.slow("fills a class, and judges a record of it by two rules")
def test_the_example_of_a_form_has_the_lines_of_a_class(staff):
    lines = [line | {"posting": "automatic"} if line["kind"] == "item" else line for line in LINES]
    room = Classroom(staff("teacher"), title="Sampled compilers", students=1, lines=lines)
    room.enter(0, 3, 80)
    room.enter(0, 4, 9)
    page = staff("registrar").open(f"/programs/{room.program}/rules")
    example = page.get_by_role("complementary", name="What these rules make of a record")
    example.get_by_role("combobox", name="Whose record").select_option(room.rows[0]["record"])
    expect(example.locator("summary")).to_have_text(re.compile("more figures inside, unchanged"))
    expect(example.get_by_role("row", name="Midterm")).to_have_count(0)
    example.locator("summary").click()
    for name, value in (
        ("Sampled compilers", "84.00 B"),
        ("Sampled compilers › Exams.? – Percent", "80.00"),
        ("Sampled compilers › Exams › Midterm.? – Effective weight", "60.0"),
        ("Sampled compilers › Labs.? – Percent", "90.00"),
    ):
        shown = example.locator("tr", has=page.locator("th", has_text=re.compile(f"^.?{name}$")))
        expect(shown.locator("td")).to_have_text([value, value])
    # What the edited rules change inside a course stands among the rest.
    example.locator("summary").click()
    page.get_by_label("Decimals").first.fill("1")
    exams = example.get_by_role("row", name=re.compile("Sampled compilers › Exams.? – Percent"))
    expect(exams.locator("td")).to_have_text(["80.00", "80.0"])
    assert accessibility.violations(page) == []


def test_the_example_is_of_the_student_who_was_chosen_last(staff):
    lines = [line | {"posting": "automatic"} if line["kind"] == "item" else line for line in LINES]
    room = Classroom(staff("teacher"), title="Chosen last", students=2, lines=lines)
    room.enter(1, 3, 80)
    registrar = staff("registrar")
    page = registrar.open(f"/programs/{room.program}/rules")
    example = page.get_by_role("complementary", name="What these rules make of a record")
    whose = example.get_by_role("combobox", name="Whose record")
    whose.select_option(room.rows[1]["record"])
    shown = example.locator("tr", has=page.locator("th", has_text=re.compile("^.?Chosen last$")))
    expect(shown).to_have_count(1)
    value = shown.locator("td").first.text_content()
    # What is asked about the first of two comes last.
    held = []
    page.route(f"**/v1/records/{room.rows[0]['record']}/assembled", lambda route: held.append(route))
    with page.expect_request("**/assembled"):
        whose.select_option(room.rows[0]["record"])
    with page.expect_response("**/v1/evaluate"):
        whose.select_option(room.rows[1]["record"])
    with page.expect_response("**/assembled"):
        held[0].continue_()
    page.get_by_label("Decimals").first.fill("1")
    expect(shown.locator("ins")).to_have_count(1)
    expect(shown.locator("td").first).to_have_text(value)


def test_the_sample_of_a_document_has_the_lines_of_a_class(staff):
    registrar = staff("registrar")
    document = registrar.api("GET", "/v1/regulations/library/glasgow")["body"]["document"]
    body = {"scheme": "regulations", "title": "Sampled", "entry": "staff", "configuration": {"document": document}}
    program = registrar.api("POST", "/v1/institutions/demo/programs", body)["body"]["program"]["id"]
    board.publish(registrar, f"/v1/programs/{program}")
    lines = [
        {"op": "add", "kind": "component", "in": "#0", "fields": {"title": title, "weight": weight}}
        for title, weight in (("Essay", 1), ("Exam", 3))
    ]
    room = Classroom(registrar, "Logic", 1, lines, program, "course", {"credits": 20})
    room.enter(0, 1, "B2")
    room.enter(0, 2, "A4")
    page = registrar.open(f"/programs/{program}/regulation")
    page.get_by_role("combobox", name="Sample").select_option(f"record:{room.rows[0]['record']}")
    for name, value in (("Logic · Grade points", "18"), ("Essay · Grade points", "16"), ("Exam · Grade points", "19")):
        shown = page.locator(".results tr", has=page.get_by_role("button", name=name, exact=True))
        expect(shown.locator("td").last).to_contain_text(value)
