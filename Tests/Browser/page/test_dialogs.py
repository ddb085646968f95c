"""Where the focus is when a dialog opens."""

import board
import pytest
from playwright.sync_api import expect

STAYING = {"student"}

SIZES = [{"width": 1100, "height": 800}, {"width": 390, "height": 844}]


@pytest.fixture(params=SIZES, ids=["desktop", "phone"])
def page(request, newcomer):
    person = newcomer(viewport=request.param).sign_up()
    page = person.new_record("rose-hulman")
    record = page.url.split("/")[-1]
    children = [{"kind": "category", "fields": {"category": "exams", "weight": 100}}]
    fields = {"title": "Operating Systems", "quarter": 1, "year": 2027, "credits": 4}
    course = {"kind": "course", "fields": fields, "children": children}
    assert person.api("POST", f"/v1/records/{record}/entries", course)["status"] == 201
    page.locator(".course-open").click()
    return page


def begins(page, path):
    expect(page.get_by_role("dialog").locator(f'[name="{path}"]')).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_a_dialog_with_a_form_begins_in_its_first_field(page):
    page.get_by_role("button", name="Add course").click()
    begins(page, "/fields/title")
    page.get_by_role("button", name="Add to Exams").click()
    begins(page, "/fields/title")
    page.get_by_role("button", name="Edit course").click()
    begins(page, "/fields/title")
    page.get_by_role("button", name="Prior GPA and credits").click()
    begins(page, "/fields/priorGPA")
    page.get_by_role("button", name="Goal").click()
    begins(page, "/what")


def test_a_form_that_comes_later_begins_in_its_first_field_too(student):
    page = student.open("/records")
    page.get_by_role("button", name="New record").click()
    expect(page.get_by_role("dialog").locator('[name="/program"]').first).to_be_focused()


def test_a_confirmation_begins_on_cancel(page):
    page.get_by_role("button", name="Delete course").click()
    expect(page.get_by_role("dialog").get_by_role("button", name="Cancel")).to_be_focused()


def test_a_dialog_without_a_form_begins_on_its_close_button(student):
    page = student.new_record("chalkboard")
    page.locator(".board-gpa").click()
    expect(page.get_by_role("dialog").get_by_role("button", name="Close")).to_be_focused()


def test_a_course_of_the_chalkboard_is_edited_at_once(student):
    page = student.new_record("chalkboard")
    board.added(page, "Algorithms", "90", "80", "85")
    page.locator(".board-line").click()
    begins(page, "/fields/title")
