"""A program's sections, and what people of the demonstration see in them."""

import re

import pytest
from board import graded_program
from conftest import Server
from desk import sign_in
from gallery import taught_program
from playwright.sync_api import expect
from waiting import eventually

STAYING = {"staff"}

SECTIONS = ("", "/rules", "/versions", "/people", "/records", "/cohort", "/results")
# What no user should have to read: identifiers, raw keys, and the old words for a withheld count.
RAW = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-|…[0-9a-f]{6}|\b(term|credits):\d|\b[a-z]+\.(withdrawn|listed|published)\b|not told"
)


@pytest.fixture(scope="module")
def campus(tmp_path_factory):
    """A demonstration in which the registrar teaches nothing; on the shared one, other tests have the registrar make
    classes."""
    server = Server(tmp_path_factory.mktemp("campus")).start()
    yield server
    server.stop()


@pytest.mark.parametrize(
    ("role", "place"), [("teacher", "classes"), ("registrar", "work"), ("administrator", "admin"), ("student", "work")]
)
def test_each_lands_where_the_work_is(newcomer, campus, role, place):
    person = newcomer()
    person.url = campus.url
    page = person.open("/sign-in")
    sign_in(page, *campus.sign_ins()[role].values())
    expect(page).to_have_url(re.compile(f"/{place}$"))
    expect(page.locator("main h1")).to_be_visible()


@pytest.mark.parametrize("scheme", ["chalkboard", "rose-hulman", "iut"])
def test_a_teacher_reads_names_in_every_section(staff, scheme):
    teacher = staff("teacher")
    program = taught_program(teacher, scheme)
    for section in SECTIONS:
        page = teacher.open(f"/programs/{program}{section}")
        expect(page.locator(".sections a[aria-current]")).to_have_count(1)
        expect(page.locator("body")).not_to_contain_text(RAW)
    page = teacher.open(f"/programs/{program}/records")
    expect(page.get_by_role("link", name="Amara Okafor")).to_be_visible()
    page.get_by_role("link", name="Amara Okafor").click()
    expect(page.get_by_role("heading", name="Amara Okafor")).to_be_visible()
    page.get_by_role("link", name="Back").click()
    expect(page).to_have_url(re.compile(f"/programs/{program}/records$"))


def test_a_section_is_an_address_and_back_leads_back(staff):
    teacher = staff("teacher")
    program = taught_program(teacher, "iut")
    page = teacher.open(f"/programs/{program}")
    page.get_by_role("link", name="Cohort").click()
    expect(page).to_have_url(re.compile("/cohort$"))
    expect(page.locator(".bars").first).to_be_visible()
    page.reload()
    expect(page.locator(".bars").first).to_be_visible()
    page.go_back()
    expect(page.get_by_role("heading", name="At a glance")).to_be_visible()


@pytest.fixture
def imports(staff):
    """A teacher's page for results of the class."""
    teacher = staff("teacher")
    return teacher.open(f"/programs/{taught_program(teacher, 'rose-hulman')}/results")


def check(page, content: bytes):
    page.locator("input[type=file]").set_input_files({"name": "grades.csv", "mimeType": "text/csv", "buffer": content})
    page.get_by_role("button", name="Check the rows").click()


@pytest.mark.parametrize("content", [b"\x89PNG\r\n\x1a\n" + bytes(50), "étudiant;note\n".encode("latin-1")])
def test_a_wrong_file_is_refused_in_words_and_the_rows_before_it_go(imports, content):
    check(imports, b"student,path,score\ndemo-student,Operating Systems/Exams/Final,81\n")
    expect(imports.locator(".preview tbody tr")).to_have_count(1)
    check(imports, content)
    expect(imports.get_by_role("alert")).to_contain_text("CSV UTF-8")
    expect(imports.locator(".preview")).to_have_count(0)


def test_a_row_says_which_columns_its_file_lacks(imports):
    check(imports, b"name,grade\nAda,12\n")
    refusal = imports.locator(".preview .refusal")
    expect(refusal).to_contain_text("“student”")
    expect(refusal).to_contain_text("“path”")


def test_rows_are_entered_by_keyboard_alone(imports):
    imports.locator('[name="/text"]').focus()
    imports.keyboard.type("student,path,score\ndemo-student,Operating Systems/Exams/Final,81\n")
    button = imports.get_by_role("button", name="Check the rows")
    tab_until(imports, "Check the rows")
    imports.keyboard.press("Enter")
    expect(imports.locator(".preview tbody tr")).to_have_count(1)
    expect(button).to_be_focused()
    tab_until(imports, "Enter 1 row")
    imports.keyboard.press("Enter")
    expect(imports.locator(".import-result h2")).to_be_focused()


def tab_until(page, text: str):
    """Moves on by keyboard to the button with this text."""
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.innerText").strip() == text:
            return
    raise AssertionError(f"{text} is not reached by keyboard")


def test_those_at_risk_are_named(staff):
    teacher = staff("teacher")
    program = taught_program(teacher, "iut")
    items = teacher.api("GET", f"/v1/records?program={program}&limit=200")["body"]["items"]
    page = teacher.open(f"/programs/{program}/cohort")
    names = page.locator(".at-risk li a")
    known = {item["displayName"] for item in items}
    expect(names.first).to_be_visible()
    eventually(page, lambda: set(names.all_inner_texts()) <= known)


def test_students_are_offered_only_what_they_may_see(staff, student):
    program = taught_program(student, "rose-hulman")
    page = student.open(f"/programs/{program}")
    expect(page.locator(".sections a")).to_have_text(["Overview", "Rules", "Versions"])
    for section in ("people", "records", "cohort", "results"):
        student.open(f"/programs/{program}/{section}", page)
        expect(page.get_by_role("heading", name="Nothing here")).to_be_visible()


def test_statuses_are_told_in_one_table(student):
    page = student.open(f"/programs/{taught_program(student, 'rose-hulman')}/rules")
    row = page.locator(".status-table tbody tr", has=page.get_by_role("rowheader", name="withdrawn"))
    expect(row.locator("td")).to_have_text(["no", "yes", "no", "no"])


def test_an_example_follows_the_rules_that_are_typed(staff):
    registrar = staff("registrar")
    program = graded_program(registrar, "Example rules", [85])
    page = registrar.open(f"/programs/{program}/rules")
    course = page.locator(".example tbody tr", has_text="Algorithms")
    expect(course.locator("td").last).to_have_text("85.0 B")
    page.locator('[name="/configuration/bands/0/from"]').fill("84")
    expect(course.locator("td").last).to_have_text("85.0 A")
    expect(course.locator("td").first).to_have_text("85.0 B")
    page.get_by_role("button", name="Cancel").click()
    expect(course.locator("td").last).to_have_text("85.0 B")


def test_a_refused_setting_among_the_others_is_shown(staff):
    registrar = staff("registrar")
    page = registrar.open(f"/programs/{graded_program(registrar, 'Refused rules', [])}/rules")
    page.get_by_text("More settings").click()
    page.locator('[name="/configuration/courseLimit"]').fill("0")
    page.get_by_text("More settings").click()
    page.get_by_role("button", name="Save draft").click()
    expect(page.locator('[name="/configuration/courseLimit"]')).to_be_visible()
    expect(page.locator('[name="/configuration/courseLimit"]')).to_have_attribute("aria-invalid", "true")


def test_a_course_says_that_its_weights_do_not_add_up_yet(staff):
    registrar = staff("registrar")
    body = {"scheme": "rose-hulman", "title": "Strict weights", "entry": "both", "preset": "strict"}
    program = registrar.api("POST", "/v1/institutions/demo/programs", body)["body"]["program"]["id"]
    registrar.api("POST", f"/v1/programs/{program}/rehearsals")
    page = registrar.open(f"/programs/{program}/versions")
    page.get_by_role("button", name="Publish version 1").click()
    page.get_by_role("dialog").get_by_role("button", name="Publish version 1").click()
    expect(page.locator(".page-head").first).to_contain_text("Version 1")
    record = registrar.api("POST", "/v1/records", {"program": program})["body"]["record"]["id"]
    item = {"kind": "item", "fields": {"title": "Midterm", "score": 40, "max": 50}}
    exams = {"kind": "category", "fields": {"category": "exams", "weight": 60}, "children": [item]}
    fields = {"title": "Logic", "number": "CS1", "quarter": 1, "year": 2027, "credits": 4}
    course = {"kind": "course", "fields": fields, "children": [exams]}
    assert registrar.api("POST", f"/v1/records/{record}/entries", course)["status"] == 201
    page = registrar.open(f"/records/{record}")
    expect(page.locator(".course-reason")).to_have_text("The weights do not add up to 100 yet")


def test_an_offered_role_is_accepted_on_any_page(staff, student):
    registrar = staff("registrar")
    account = student.api("GET", "/v1/accounts/me")["body"]["id"]
    answer = registrar.api("PUT", f"/v1/institutions/demo/members/{account}", {"role": "teacher", "programs": []})
    assert answer["status"] == 202
    page = student.open("/records")
    expect(page.locator(".offers")).to_contain_text("Demo College would like you to be a teacher.")
    page.get_by_role("button", name="Accept").click()
    expect(page.locator(".offers")).to_have_count(0)
    expect(page.get_by_role("link", name="Programs")).to_be_visible()


def test_sessions_go_by_the_names_of_devices(student):
    page = student.open("/security")
    expect(page.get_by_text("This device · Chrome on Linux")).to_be_visible()


@pytest.mark.slow("prints each record of a student to PDF, which differ by scheme")
def test_a_record_on_paper_is_the_record_alone(staff):
    person = staff("student", color_scheme="dark")
    items = person.api("GET", "/v1/records")["body"]["items"]
    page = person.page
    for item in items:
        person.open(f"/records/{item['id']}")
        expect(page.locator(".on-paper")).to_be_hidden()
        page.emulate_media(media="print")
        expect(page.locator(".on-paper")).to_contain_text("Demo student")
        expect(page.locator("main h1")).to_be_visible()
        expect(page.locator(".bar")).to_be_hidden()
        expect(page.locator(".tools")).to_be_hidden()
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        assert page.pdf().startswith(b"%PDF")
        page.emulate_media(media="screen")
