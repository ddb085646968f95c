"""Outcomes of entries, of groups and of the rows of classes: each tells its reasons and its article, which opens."""

import re

import accessibility
import board
import pytest
from classroom import Classroom
from playwright.sync_api import expect
from regulated import published, record_of_example

STAYING = {"student", "staff"}
COMPONENTS = [
    {"op": "add", "kind": "component", "in": "#0", "fields": {"title": "Essay", "weight": 40}},
    {"op": "add", "kind": "component", "in": "#0", "fields": {"title": "Examination", "weight": 60}},
]


@pytest.fixture
def registrar(staff):
    return staff("registrar")


def of(page, name):
    """The card of an entry."""
    return page.locator(".entry-card", has=page.get_by_role("heading", name=name, exact=True)).last


def test_an_outcome_of_an_entry_tells_its_reasons_and_its_article(student, registrar):
    page = student.open(record_of_example(student, registrar, "but-year", "matrice"))
    pill = of(page, "UE11").get_by_role("button", name="Unit: Acquired by compensation")
    pill.click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("heading", name="Why: Unit")).to_be_visible()
    expect(dialog.locator(".outcome")).to_have_attribute("data-state", "met")
    expect(dialog.locator(".outcome li")).to_have_text("UE11: By compensation within the group")
    assert accessibility.violations(page) == []
    dialog.get_by_role("button", name="Article 3 Acquisition d’une UE").click()
    expect(page.locator(".article-text")).to_contain_text("Une UE est acquise quand sa moyenne atteint 10")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog").locator(".outcome")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(pill).to_be_focused()


def test_an_outcome_of_a_group_opens_its_article(student, registrar):
    page = student.open(record_of_example(student, registrar, "but-year", "matrice"))
    card = page.locator("section.outcome", has_text="Units of the year before")
    card.get_by_role("button", name=re.compile("^Article ")).click()
    expect(page.locator(".article-text")).to_contain_text("outcome earlier_units of rcue")


def test_the_semesters_of_a_licence_tell_how_they_were_validated(student, registrar):
    page = student.open(record_of_example(student, registrar, "licence-lmd", "eliminatory"))
    of(page, "S1").get_by_role("button", name="Semester: not met").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.locator(".outcome li")).to_contain_text("A mark is eliminatory")
    dialog.get_by_role("button", name="Article 2 Validation d’un semestre").click()
    expect(page.locator(".article-text")).to_contain_text("Aucune note n’est éliminatoire")


def test_a_student_sees_in_the_class_what_it_decides(staff, registrar):
    program = published(registrar, "glasgow")
    fields = {"credits": 20}
    room = Classroom(registrar, "Logic", 9, COMPONENTS, program, "course", fields)
    row = room.rows[room.names.index("Demo student")]
    place = room.rows.index(row)
    page = staff("student").open(f"/records/{row['record']}/classes/{row['entry']}")
    pill = page.locator(".entry-pills .pill")
    expect(pill).to_have_text("Credit: open")
    room.enter(place, 1, "B1")
    room.enter(place, 2, "A5")
    expect(pill).to_have_text("Credit: met")
    expect(page.locator(".own-line", has_text="Essay")).to_contain_text("B1")
    pill.click()
    page.get_by_role("dialog").get_by_role("button", name="§3 Credit").click()
    article = page.locator(".article-text")
    expect(article).to_contain_text("Credit is given for a course")
    # Who cannot read the rules as they are written reads them in words, and only those of this article.
    article.get_by_text("The rules in words").click()
    rules = article.locator("li")
    expect(rules.last).to_contain_text("“Credit” of “Course”: open until this holds: “Grade points” is known")
    expect(rules.filter(has_text="Grade point average")).to_have_count(0)
    assert accessibility.violations(page) == []


LETTERS = """# Letters

```rules
regulation letters "Letters" language 1
rounding shown half up, 1 decimal, judged as shown
bands letters worth points
    A 20
    F 4
entry course "Course"
    title "Title" text
    grade "Grade" letter of letters
figure mark in points "Mark" shown by shown = mean of grade over course
```
"""


def test_an_explanation_says_what_an_entered_letter_counts_as(student, registrar):
    body = {"scheme": "regulations", "title": "Letters", "entry": "both", "configuration": {"document": LETTERS}}
    program = registrar.api("POST", "/v1/institutions/demo/programs", body)["body"]["program"]["id"]
    board.publish(registrar, f"/v1/programs/{program}")
    record = student.api("POST", "/v1/records", {"program": program})["body"]["record"]["id"]
    entry = {"kind": "course", "fields": {"title": "Logic", "grade": "F"}}
    assert student.api("POST", f"/v1/records/{record}/entries", entry)["status"] == 201
    page = student.open(f"/records/{record}")
    page.locator("main button.figure").first.click()
    expect(page.get_by_role("dialog").locator(".trace")).to_contain_text("F counts as 4")


def test_a_student_sees_the_own_values_of_a_line_without_results(staff, registrar):
    program = published(registrar, "dublin")
    fields = {"stage": "final", "credits": 5}
    lines = [{**step, "fields": dict(step["fields"])} for step in COMPONENTS]
    room = Classroom(registrar, "Ecology", 9, lines, program, "module", fields)
    row = room.rows[room.names.index("Demo student")]
    grid = registrar.open(room.page)
    head = grid.locator(".grid-th", has_text="Resit")
    expect(head).to_contain_text("Ecology")
    line = grid.locator(".grid-row:not([hidden])", has_text="Demo student")
    place = line.get_attribute("aria-rowindex")
    cell = grid.locator(f'[aria-rowindex="{place}"] [aria-colindex="2"][role=gridcell]:not([hidden])')
    cell.click()
    grid.keyboard.type("Yes")
    grid.keyboard.press("Enter")
    expect(cell).to_have_text("yes")
    page = staff("student").open(f"/records/{row['record']}/classes/{row['entry']}")
    expect(page.locator(".own-line", has_text="Ecology")).to_contain_text("Resit: yes")
    grid.get_by_role("button", name="History").click()
    history = grid.get_by_role("dialog").locator(".history > li").first
    expect(history).to_contain_text("Demo student")
    history.locator("summary, button").first.click()
    expect(history).to_contain_text("Resit")
