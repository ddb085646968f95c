"""What regulations name themselves, on the pages of records: statuses, and values of outcomes that a jury gives."""

import accessibility
import board
import pytest
from playwright.sync_api import expect

HOMEWORK = {
    "kind": "category",
    "fields": {"title": "Homework", "weight": 100},
    "children": [
        {"kind": "assignment", "fields": {"title": "First", "score": 8, "max": 10}},
        {"kind": "assignment", "fields": {"title": "Second", "max": 10}, "status": "missing"},
    ],
}
JURY = """# Units

```rules
regulation units "Units" language 1
scale mark "/20" worst 0 best 20 step 0.01
rounding averages half up, 2 decimals, judged as shown
entry unit "Unit"
    title "Title" text
    mark "Mark" grade in mark
figure average of unit in mark "Average" shown by averages = mark
outcome result of unit "Result"
    met ADM "Acquired" fr "Acquise" zh "通过" when average reaches 10
    met ADJ "By the jury" fr "Par le jury" zh "由评审团认定" by hand
    else AJ "Not acquired" fr "Non acquise" zh "未通过" too_low
```
"""


@pytest.fixture
def registrar(staff):
    return staff("registrar")


def record_of(student, registrar, document, entry):
    """A student's record of one entry under published regulations: its address and the entry's."""
    body = {"scheme": "regulations", "title": "Own words", "entry": "both", "configuration": {"document": document}}
    program = registrar.api("POST", "/v1/institutions/demo/programs", body)["body"]["program"]["id"]
    board.publish(registrar, f"/v1/programs/{program}")
    record = student.api("POST", "/v1/records", {"program": program})["body"]["record"]["id"]
    answer = student.api("POST", f"/v1/records/{record}/entries", entry)
    assert answer["status"] == 201, answer
    return f"/records/{record}"


def test_a_status_of_the_regulations_is_shown_and_chosen_by_its_label(student, registrar):
    document = registrar.api("GET", "/v1/regulations/library/weighted-groups")["body"]["document"]
    path = record_of(student, registrar, document, HOMEWORK)
    page = student.open(path)
    second = page.locator(".entry-card", has=page.get_by_role("heading", name="Second", exact=True)).last
    expect(second.locator(".pill")).to_have_text("Missing")
    expect(page.get_by_text("60.00").first).to_be_visible()
    second.get_by_role("button", name="Edit").click()
    dialog = page.get_by_role("dialog")
    choice = dialog.locator('[name="/status"]')
    expect(choice.locator("option:checked")).to_have_text("Missing")
    expect(choice).to_contain_text("excused")
    assert accessibility.violations(page) == []
    choice.select_option("")
    dialog.get_by_role("button", name="Save").click()
    expect(second.locator(".pill")).to_have_count(0)
    expect(page.get_by_text("80.00").first).to_be_visible()
    student.api("PATCH", f"/v1{path}/entries/{entry_id(student, path)}", {"status": "missing"})
    page.evaluate("localStorage.setItem('gradecast.language', 'fr')")
    page = student.open(path)
    expect(page.locator(".pill", has_text="Non rendu")).to_be_visible()


def entry_id(student, path):
    """The identifier of the second piece of work."""
    tree = student.api("GET", f"/v1{path}")["body"]["record"]
    return tree["entries"][0]["children"][1]["id"]


def test_a_jury_chooses_among_the_values_of_an_outcome(student, registrar):
    unit = {"kind": "unit", "fields": {"title": "Algebra", "mark": 8}}
    path = record_of(student, registrar, JURY, unit)
    own = student.open(path)
    expect(own.locator(".pill")).to_have_text("Result: Not acquired")
    page = registrar.open(path)
    page.locator(".entry-card .figure").first.click()
    decision = page.get_by_role("dialog").locator(".decision", has_text="Result: Not acquired")
    decision.get_by_role("button", name="Decide…").click()
    sheet = page.get_by_role("dialog")
    assert sheet.locator("select option").all_text_contents() == ["Acquired", "By the jury", "Not acquired"]
    sheet.get_by_label("Value").select_option(label="By the jury")
    sheet.get_by_label("Reason").fill("Jury of 3 July")
    assert accessibility.violations(page) == []
    sheet.get_by_role("button", name="Give", exact=True).click()
    # The student's window moves.
    expect(own.locator(".pill")).to_have_text("Result: By the jury")
    own.evaluate("localStorage.setItem('gradecast.language', 'zh-Hans')")
    expect(student.open(path).locator(".pill")).to_contain_text("由评审团认定")
