"""The lines of a class in the student's record: what-if, explanations, goals."""

import re

import pytest
from classroom import LINES, Classroom
from playwright.sync_api import expect

# Staff stay, and others sign up anew in browsers that do.
STAYING = {"staff", "browser"}


EXAM = {"op": "add", "kind": "item", "in": "#1", "fields": {"title": "Midterm", "max": 30}}


@pytest.fixture
def course(staff):
    return opened(staff, "Distributed Systems")


def opened(staff, title, exam="Midterm"):
    """The record of the demo student, open on a page, with a class in it: 20 of 30 and 9 of 10."""
    own = EXAM | {"fields": EXAM["fields"] | {"title": exam}}
    lines = [own if line["fields"].get("title") == "Midterm" else line for line in LINES]
    room = Classroom(staff("teacher"), title=title, lines=lines)
    row = room.names.index("Demo student")
    room.enter(row, 3, 20)
    room.enter(row, 4, 9)
    page = staff("student").load(f"/records/{room.rows[row]['record']}")
    return page, page.locator(".course", has_text=title).last


def test_a_search_leads_from_a_line_to_the_page_of_its_class(staff):
    # In no other class of the student, of which there may be more than a page of results holds.
    page, _ = opened(staff, "Searched systems", "Viva voce")
    page.goto(page.url.partition("/records/")[0] + "/search?q=viva")
    page.locator(".record-link", has_text="Viva voce").filter(has_text="Searched systems · ").click()
    expect(page).to_have_url(re.compile("/records/[^/]+/classes/[^/]+$"))
    expect(page.get_by_role("heading", name="Searched systems")).to_be_visible()
    expect(page.get_by_text("20 of 30")).to_be_visible()


def test_lines_of_a_class_are_tried_explained_and_asked_for(course):
    page, own = course
    figure = own.locator(".course-row .figure")
    expect(figure).to_have_text("76.00")
    before = page.locator(".headline .figure").inner_text()

    page.get_by_role("button", name="What if?").click()
    own.locator(".course-open").click()
    own.get_by_role("button", name="Midterm").click()
    sheet = page.get_by_role("dialog")
    sheet.locator('[name="/fields/score"]').fill("30")
    sheet.get_by_role("button", name="Save").click()
    expect(sheet).to_have_count(0)
    expect(figure).to_have_text("96.00")
    figure.click()
    expect(sheet.locator(".why-formula code")).to_have_text("(60 × 100 + 40 × 90) / (60 + 40) = 96")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Back to the real record").click()
    expect(figure).to_have_text("76.00")
    expect(page.locator(".headline .figure")).to_have_text(before)

    figure.click()
    expect(sheet.locator(".why-formula code")).to_have_text("(60 × ≈66.67 + 40 × 90) / (60 + 40) = 76")
    expect(sheet.locator(".trace-label", has_text="Exams").first).to_be_visible()
    page.keyboard.press("Escape")

    page.get_by_role("button", name="Goal", exact=True).click()
    expect(sheet.locator("option", has_text="Distributed Systems – Grade")).to_have_count(1)
    expect(sheet.locator("option", has_text="Distributed Systems › Labs – Percent")).to_have_count(1)
    sheet.get_by_label("For").select_option(label="Distributed Systems – Grade")
    # Another target has a field of its own.
    expect(sheet).to_contain_text("A number, or a letter: A")
    sheet.locator('[name="/target"]').fill("77")
    sheet.get_by_role("button", name="Tell me").click()
    expect(sheet.locator(".goal-answer li").first).to_contain_text("Distributed Systems › Labs › Lab 2")
    expect(sheet.locator(".goal-answer")).to_contain_text("What has a grade stays as it is.")


def test_the_page_of_a_class_explains_its_figures_and_leads_to_what_might_be(staff):
    page, _ = opened(staff, "Operating Systems")
    page.locator(".class-links a", has_text="Operating Systems").last.click()
    sheet = page.get_by_role("dialog")
    page.locator(".total-figure").first.get_by_role("button").click()
    expect(sheet.locator(".why-formula code")).to_have_text("(60 × ≈66.67 + 40 × 90) / (60 + 40) = 76")
    page.keyboard.press("Escape")
    page.locator(".own-group", has_text="Labs").get_by_role("button").first.click()
    expect(sheet.locator(".trace-label", has_text="Lab 1").first).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Goal", exact=True).click()
    expect(sheet.locator("option", has_text="Operating Systems › Labs – Percent")).to_have_count(1)
    page.keyboard.press("Escape")
    page.get_by_role("link", name="What if?").click()
    expect(page.get_by_role("button", name="Back to the real record")).to_be_visible()


@pytest.mark.slow("takes a class from a student's page and gives it back, in two browsers")
def test_a_class_is_prepared_unseen_and_shown_when_it_is_ready(staff):
    room = Classroom(staff("teacher"), title="Compilers in preparation")
    row = room.rows[room.names.index("Demo student")]
    room.enter(room.names.index("Demo student"), 3, 24)
    student = staff("student").load(f"/records/{row['record']}")
    own = student.locator(".course", has_text="Compilers in preparation")
    expect(own).to_be_visible()
    page = room.teacher.open(room.page)
    for sees, banner, count in (("nothing of it yet", 1, 0), ("the class", 0, 1)):
        page.get_by_role("button", name="Settings").click()
        sheet = page.get_by_role("dialog", name="Settings of the class")
        sheet.get_by_label("Students see").select_option(label=sees)
        sheet.get_by_role("button", name="Save").click()
        expect(sheet).to_have_count(0)
        expect(page.get_by_text("Students do not see this class yet.")).to_have_count(banner)
        expect(own).to_have_count(count)
    # What it says of the class is what it is: the figure is back, too.
    expect(own.locator(".course-row .figure")).to_have_text("24.00")
    page.get_by_role("button", name="History").click()
    page.get_by_role("dialog").locator("summary", has_text="You changed the columns").first.click()
    expect(page.get_by_role("dialog").locator("details[open]")).to_contain_text("nothing of it yet")
