"""What staff entered, as the student sees it, and records of people who were removed."""

import re

import board
import pytest
from playwright.sync_api import expect

STAYING = {"student"}


@pytest.fixture
def registrar(newcomer, server):
    return newcomer().sign_in(*server.sign_ins()["registrar"].values())


def record_in(person, program: str) -> str:
    return person.api("POST", "/v1/records", {"program": program})["body"]["record"]["id"]


def add(person, record: str, title: str, total: float) -> str:
    answer = person.api("POST", f"/v1/records/{record}/entries", board.course(title, total))
    assert answer["status"] == 201, answer
    return answer["body"]["entry"]["id"]


def test_a_student_sees_who_entered_a_course_and_cannot_try_to_change_it(student, registrar):
    record = record_in(student, board.graded_program(registrar, "Shared", []))
    add(registrar, record, "Algorithms", 80)
    add(student, record, "Logic", 90)
    page = student.open(f"/records/{record}")
    lines = page.locator(".board-lines li")
    expect(lines.nth(0).locator(".entered-by")).to_have_attribute(
        "title", re.compile(r"^Entered by Demo registrar\. Only staff can change it\.$", re.I)
    )
    expect(lines.nth(1).locator(".entered-by")).to_have_count(0)
    lines.nth(0).locator(".board-line").click()
    sheet = page.get_by_role("dialog")
    expect(sheet.locator('[name="/children/0/fields/points"]')).not_to_be_editable()
    expect(sheet.locator('[name="/fields/title"]')).not_to_be_editable()
    expect(sheet.locator(".hint").first).to_contain_text("Entered by")
    expect(sheet.get_by_role("button", name="Delete", exact=True)).to_have_count(0)
    # Sending an unchanged form changes nothing.
    sheet.get_by_role("button", name="Save").click()
    expect(sheet).to_have_count(0)
    lines.nth(1).locator(".board-line").click()
    expect(sheet.locator('[name="/fields/title"]')).to_be_editable()
    expect(sheet.get_by_role("button", name="Delete", exact=True)).to_be_visible()


def test_one_field_of_staff_leaves_the_others_to_the_student(student, registrar):
    record = record_in(student, board.graded_program(registrar, "Shared fields", []))
    entry = add(student, record, "Logic", 90)
    page = student.open(f"/records/{record}")
    answer = registrar.api("PATCH", f"/v1/records/{record}/entries/{entry}", {"fields": {"credits": 4}})
    assert answer["status"] == 200
    expect(page.locator(".board-lines .entered-by")).to_contain_text("registrar", ignore_case=True)
    page.locator(".board-line").click()
    sheet = page.get_by_role("dialog")
    expect(sheet.locator('[name="/fields/credits"]')).not_to_be_editable()
    sheet.locator('[name="/fields/title"]').fill("Logic II")
    sheet.get_by_role("button", name="Save").click()
    expect(page.locator(".board-line")).to_contain_text("Logic II | 4")
    staff = registrar.open(f"/records/{record}")
    staff.locator(".board-line").click()
    expect(staff.get_by_role("dialog").locator('[name="/fields/credits"]')).to_be_editable()


def test_what_if_leaves_everything_free(student, registrar):
    record = record_in(student, board.graded_program(registrar, "Shared, imagined", []))
    add(registrar, record, "Algorithms", 80)
    page = student.open(f"/records/{record}")
    expect(page.locator(".entered-by")).to_have_count(1)
    page.get_by_role("button", name="What if?").click()
    expect(page.locator(".entered-by")).to_have_count(0)
    page.locator(".board-line").click()
    expect(page.get_by_role("dialog").locator('[name="/fields/title"]')).to_be_editable()


@pytest.fixture
def college(newcomer, server):
    """A closed institution, with its registrar."""
    administrator = newcomer().sign_in(*server.sign_ins()["administrator"].values())
    founder = newcomer().sign_up()
    body = {"slug": founder.login, "title": "Closed college"}
    institution = administrator.api("POST", "/v1/institutions", body)["body"]["institution"]["id"]
    join(administrator, institution, founder, "registrar")
    return institution, founder


def join(by, institution: str, person, role: str):
    account = person.api("GET", "/v1/accounts/me")["body"]["id"]
    answer = by.api("PUT", f"/v1/institutions/{institution}/members/{account}", {"role": role})
    if answer["status"] == 202:
        accepted = person.api("POST", "/v1/invitations/accept", {"invitation": answer["body"]["invitation"]["id"]})
        assert accepted["status"] == 201, accepted
    person.open("/records")


def test_a_removed_member_opens_the_record_and_only_reads(newcomer, college):
    institution, founder = college
    student = newcomer().sign_up()
    join(founder, institution, student, "student")
    program = board.graded_program(founder, "Ours", [], institution)
    record = record_in(student, program)
    add(student, record, "Logic", 90)
    account = student.api("GET", "/v1/accounts/me")["body"]["id"]
    assert founder.api("DELETE", f"/v1/institutions/{institution}/members/{account}")["status"] == 204
    page = student.open(f"/records/{record}")
    expect(page.locator("main h1")).to_have_text("Ours")
    expect(page.get_by_text("You can read this record, but no longer change it.")).to_be_visible()
    expect(page.locator(".board-line")).to_contain_text("Logic")
    expect(page.get_by_role("button", name="Add Course")).to_have_count(0)
    page.locator(".board-gpa").click()
    expect(page.locator(".trace")).to_be_visible()


def test_a_registrar_says_whether_removed_members_go_on_reading(newcomer, college):
    institution, founder = college
    page = founder.open(f"/institutions/{institution}/members")
    setting = page.get_by_label("People who were removed may go on reading their own records")
    expect(setting).to_be_checked()
    setting.uncheck()
    expect(page.locator(".toast")).to_contain_text("Saved")
    assert founder.api("GET", f"/v1/institutions/{institution}")["body"]["institution"]["keepsReading"] is False
    page.reload()
    expect(page.get_by_label("People who were removed may go on reading their own records")).not_to_be_checked()


def test_a_role_that_was_offered_is_shown_as_not_yet_accepted(newcomer, college):
    institution, founder = college
    teacher = newcomer().sign_up()
    join(founder, institution, teacher, "student")
    page = founder.open(f"/institutions/{institution}/members")
    row = page.locator(".members li", has_text=teacher.login)
    role = row.get_by_role("combobox")
    role.select_option(label="offer: teacher")
    expect(row.locator(".pill")).to_have_text("offered: teacher, not yet accepted")
    expect(role).to_have_value("student")
    teacher.open("/records")
    teacher.page.get_by_role("button", name="Accept").click()
    expect(teacher.page.locator(".offers")).to_have_count(0)
    page.reload()
    expect(row.get_by_role("combobox")).to_have_value("teacher")
    expect(row.locator(".pill")).to_have_count(0)
