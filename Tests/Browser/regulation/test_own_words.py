"""What regulations name themselves, on the pages of records: statuses, and values of outcomes that a jury gives."""

import re

import accessibility
import board
import pytest
from playwright.sync_api import expect
from waiting import eventually

STAYING = {"student", "staff"}

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
    """A student's record of one entry under published regulations: the address of the record and that of the entry."""
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


def test_a_letter_is_called_by_its_name_in_the_language_of_the_page(student, registrar):
    document = registrar.api("GET", "/v1/regulations/library/uk-honours")["body"]["document"]
    fields = {"title": "Project", "number": 1, "level": 6, "credits": 20, "mark": 65}
    path = record_of(student, registrar, document, {"kind": "module", "fields": fields})
    page = student.open(path)
    expect(page.locator(".letter").first).to_have_text("upper second class")
    page.evaluate("localStorage.setItem('gradecast.language', 'zh-Hans')")
    page = student.load(path)
    expect(page.locator(".letter").first).to_have_text("二等一级")
    page.evaluate("localStorage.removeItem('gradecast.language')")
    student.load(path)


MEANT = """async texts => {
    const { letterMeant, letterText } = await import('/app/parts/record/letters.js');
    const text = (en, fr) => ({ en, fr, 'zh-Hans': en });
    const bands = [{ label: 'first class', text: text('first class', 'première classe') }, { label: 'A', text: text('Excellent', 'Excellent') }, { label: 'F' }];
    const scheme = { figures: [{ name: 'plain' }, { name: 'award', letters: { bands } }] };
    return texts.map(typed => [letterMeant(scheme, typed), letterText(scheme, typed)]);
}"""


def test_a_letter_is_meant_by_what_it_is_called_or_by_itself(anywhere):
    asked = ["A", "excellent", "First  Class", "F", "85", "constructor"]
    meant = [
        ("A", "Excellent"),
        ("A", "excellent"),
        ("first class", "First  Class"),
        ("F", "F"),
        ("85", "85"),
        ("constructor",) * 2,
    ]
    assert anywhere.evaluate(MEANT, asked) == [list(each) for each in meant]


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
    expect(sheet.locator("select option")).to_have_text(["Acquired", "By the jury", "Not acquired"])
    sheet.get_by_label("Value").select_option(label="By the jury")
    sheet.get_by_label("Reason").fill("Jury of 3 July")
    assert accessibility.violations(page) == []
    sheet.get_by_role("button", name="Give", exact=True).click()
    # The student's window changes.
    expect(own.locator(".pill")).to_have_text("Result: By the jury")
    own.evaluate("localStorage.setItem('gradecast.language', 'zh-Hans')")
    expect(student.open(path).locator(".pill")).to_contain_text("由评审团认定")


LETTERS = """# Letters of the essay

```rules
regulation letters "Letters of the essay" language 1
rounding averages half up, 2 decimals, judged as shown
bands letters worth gp
    A 4
    B+ 3.3
    "C/D" 2
    F 0
entry record
    essay "Essay" letter of letters
entry course "Course"
    title "Title" text
    grade "Grade" fr "Note" letter of letters
figure gpa in gp "GPA" shown by averages = mean of grade over course
figure both in gp "With the essay" shown by averages = (gpa + essay) / 2
```
"""


def test_letters_are_entered_as_grades_and_goals_answer_with_one(student, registrar):
    path = record_of(student, registrar, LETTERS, {"kind": "course", "fields": {"title": "Algebra"}})
    page = student.open(path)
    course = page.locator(".entry-card", has=page.get_by_role("heading", name="Algebra", exact=True))
    course.get_by_role("button", name="Edit").click()
    dialog = page.get_by_role("dialog")
    grade = dialog.get_by_label("Grade", exact=True)
    expect(grade.locator("option")).to_have_text(["–", "A", "B+", "C/D", "F"])
    grade.select_option(label="B+")
    assert accessibility.violations(page) == []
    dialog.get_by_role("button", name="Save").click()
    expect(course.locator(".facts")).to_contain_text("B+")
    expect(page.get_by_text("3.30").first).to_be_visible()
    # The essay is not graded yet; a goal says which letter it needs.
    page.get_by_role("button", name="Goal").click()
    sheet = page.get_by_role("dialog")
    sheet.locator('[name="/what"]').select_option(label="With the essay")
    sheet.locator('[name="/target"]').fill("2,6")
    sheet.get_by_role("button", name="Tell me").click()
    expect(sheet.locator(".goal-answer li")).to_have_text("EssayC/D")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Starting values").click()
    dialog.get_by_label("Essay", exact=True).select_option(label="A")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_have_count(0)
    # The best possible value of the figure was the same number before.
    eventually(page, lambda: student.api("GET", f"/v1{path}")["body"]["record"]["fields"] == {"essay": "A"})
    both = page.locator(".headline-figure", has=page.get_by_role("heading", name="With the essay"))
    expect(both.locator(".figure")).to_have_text("3.65")


YEARS = JURY.replace(
    "figure average of unit",
    """earlier year1 "First year"
    figure total in mark "Total" shown by averages
    outcome diploma "Diploma"
    outcome rank "Rank" met first "First class" met second "Second class" unmet none_yet "None"
figure before in mark "Before" shown by averages = year1.total
figure average of unit""",
)


def test_staff_take_an_earlier_record_and_the_student_sees_it(student, registrar):
    entry = {"kind": "unit", "fields": {"title": "Algebra", "mark": 12}}
    path = record_of(student, registrar, YEARS, entry)
    page = registrar.open(path)
    card = page.locator(".earlier")
    expect(card).to_contain_text("Not taken yet")
    card.get_by_role("button", name="Take", exact=True).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Taken from").select_option("")
    dialog.get_by_label("Total", exact=True).fill("12,25")
    dialog.get_by_label("Diploma", exact=True).select_option("met")
    expect(dialog.get_by_label("Rank", exact=True).locator("option")).to_have_text(
        ["–", "First class", "Second class", "None"]
    )
    dialog.get_by_label("Rank", exact=True).select_option(label="Second class")
    dialog.get_by_role("button", name="Take", exact=True).click()
    expect(dialog).to_have_count(0)
    expect(card).to_contain_text("Taken")
    expect(page.get_by_text("12.25").first).to_be_visible()
    assert accessibility.violations(page) == []
    # Nobody can add or edit what was copied.
    own = page.locator(".entry-card", has=page.get_by_role("heading", name="First year", exact=True))
    expect(own.get_by_role("button", name="Edit")).to_have_count(0)
    expect(page.get_by_role("button", name=re.compile("Add.*First year"))).to_have_count(0)
    mine = student.open(path)
    expect(mine.get_by_text("12.25").first).to_be_visible()
    expect(mine.locator(".pill", has_text="Rank: Second class")).to_be_visible()
    expect(mine.locator(".earlier")).to_have_count(0)
    card.get_by_role("button", name="Remove").click()
    expect(card).to_contain_text("Not taken yet")
