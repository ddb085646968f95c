"""A deleted entry can be restored from the message that reports it."""

import board
import pytest
from conftest import lasting
from playwright.sync_api import expect

# People sign up anew in browsers that stay.
STAYING = {"browser"}

ROSE = {
    "kind": "course",
    "fields": {"title": "Operating Systems", "quarter": 1, "year": 2027, "credits": 4},
    "children": [
        {
            "kind": "category",
            "fields": {"category": "exams", "weight": 60},
            "children": [
                {"kind": "item", "fields": {"title": "Midterm", "score": 40, "max": 50}},
                {"kind": "item", "fields": {"title": "Final", "score": 45, "max": 50}},
            ],
        },
        {
            "kind": "category",
            "fields": {"category": "labs", "weight": 40},
            "children": [{"kind": "item", "fields": {"title": "Lab", "score": 10, "max": 10}}],
        },
    ],
}


@pytest.fixture
def courses(student):
    lasting(student.page)
    page = student.new_record("rose-hulman")
    assert student.api("POST", f"/v1/records/{page.url.split('/')[-1]}/entries", ROSE)["status"] == 201
    page.locator(".course-open").click()
    expect(page.locator(".item-title")).to_have_text(["Midterm", "Final", "Lab"])
    return page


def confirm(page):
    page.get_by_role("dialog").get_by_role("button", name="Delete", exact=True).click()


def undo(page, title):
    toast = page.locator(".toast", has_text=f"“{title}” is deleted.")
    toast.get_by_role("button", name="Undo").click()
    expect(toast).to_have_count(0)


def delete_item(page, title):
    page.locator(".item-line", has_text=title).click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    confirm(page)


def test_an_item_comes_back_to_its_place(courses):
    delete_item(courses, "Midterm")
    expect(courses.locator(".item-title")).to_have_text(["Final", "Lab"])
    undo(courses, "Midterm")
    expect(courses.locator(".item-title")).to_have_text(["Midterm", "Final", "Lab"])
    expect(courses.locator(".course-row .figure")).to_have_text("91.00")
    courses.reload()
    courses.locator(".course-open").click()
    expect(courses.locator(".item-title")).to_have_text(["Midterm", "Final", "Lab"])


def test_a_category_comes_back_with_its_items(courses):
    courses.get_by_role("button", name="Edit Exams").click()
    courses.get_by_role("dialog").get_by_role("button", name="Delete").click()
    confirm(courses)
    expect(courses.locator(".item-title")).to_have_text(["Lab"])
    undo(courses, "Exams")
    expect(courses.locator(".item-title")).to_have_text(["Midterm", "Final", "Lab"])


def test_a_course_comes_back_with_all_that_stood_in_it(courses):
    courses.get_by_role("button", name="Delete course").click()
    confirm(courses)
    expect(courses.locator(".course")).to_have_count(0)
    undo(courses, "Operating Systems")
    expect(courses.locator(".course-row .figure")).to_have_text("91.00")


def test_what_was_changed_after_the_deletion_stays(courses):
    delete_item(courses, "Midterm")
    expect(courses.locator(".item-title")).to_have_text(["Final", "Lab"])
    delete_item(courses, "Lab")
    expect(courses.locator(".item-title")).to_have_text(["Final"])
    undo(courses, "Midterm")
    expect(courses.locator(".item-title")).to_have_text(["Midterm", "Final"])


def test_what_if_takes_back_too(courses):
    courses.get_by_role("button", name="What if?").click()
    delete_item(courses, "Midterm")
    delete_item(courses, "Lab")
    expect(courses.locator(".sandbox-banner")).to_contain_text("2 imagined changes")
    undo(courses, "Midterm")
    expect(courses.locator(".item-title")).to_have_text(["Midterm", "Final"])
    expect(courses.locator(".sandbox-banner")).to_contain_text("1 imagined change")


def test_a_line_of_the_chalkboard_comes_back(student):
    page = student.new_record("chalkboard")
    for title in ("One", "Two"):
        board.added(page, title, "90", "80", "85")
    board.delete(page, "1")
    expect(page.locator(".board-line")).to_have_text(["1) Two | 3"])
    undo(page, "One")
    expect(page.locator(".board-line")).to_have_text(["1) One | 3", "2) Two | 3"])


def test_a_guest_takes_back_what_was_rubbed_out(newcomer):
    page = newcomer().open("/explore/chalkboard")
    for title in ("One", "Two"):
        board.added(page, title, "90", "80", "85")
    board.delete(page, "1")
    expect(page.locator(".board-line")).to_have_text(["1) Two | 3"])
    undo(page, "One")
    expect(page.locator(".board-line")).to_have_text(["1) One | 3", "2) Two | 3"])


def test_a_subject_of_a_year_comes_back(student):
    page = student.new_record("iut", sample=True)
    page.get_by_role("button", name="Edit", exact=True).click()
    button = page.get_by_role("button", name="Delete Anglais", exact=True)
    button.click()
    expect(button).to_have_count(0)
    undo(page, "Anglais")
    expect(button).to_be_visible()


def test_what_still_waits_to_be_sent_offers_nothing_to_take_back(courses, student):
    student.context.set_offline(True)
    delete_item(courses, "Midterm")
    expect(courses.locator(".banner.waiting")).to_be_visible()
    expect(courses.locator(".toast")).to_have_count(0)
    student.context.set_offline(False)
    expect(courses.locator(".banner.waiting")).to_have_count(0)
    expect(courses.locator(".item-title")).to_have_text(["Final", "Lab"])
