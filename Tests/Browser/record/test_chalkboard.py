"""The chalkboard, as the homework demands."""

import board
import pytest
from playwright.sync_api import expect

STAYING = {"student"}

FULL = ("100", "100", "100")


@pytest.fixture
def page(student):
    return student.new_record("chalkboard")


def test_it_starts_empty_with_a_white_gpa_and_nothing_to_delete(page):
    expect(page.locator(".board-gpa")).to_have_text("GPA: ")
    expect(page.locator(".board-gpa")).to_have_attribute("data-band", "white")
    expect(page.get_by_role("button", name="Delete Course")).to_be_disabled()


def test_the_form_starts_with_meaningful_numbers(page):
    fields = page.locator('.course-form input:not([type="hidden"])')
    expect(fields).to_have_count(11)
    values = [field.input_value() for field in fields.all()]
    assert values == ["Mobile programming", "3", "90", "100", "30", "80", "100", "30", "85", "100", "40"]


def test_a_course_becomes_a_line_with_its_letter_and_a_coloured_gpa(page):
    board.added(page, "Algorithms", "90", "80", "85")
    expect(page.locator(".board-line")).to_have_text("1) Algorithms | 3")
    expect(page.get_by_alt_text("B", exact=True)).to_be_visible()
    expect(page.locator(".board-gpa")).to_have_text("GPA: 3.00")
    expect(page.locator(".board-gpa")).to_have_attribute("data-band", "green")
    board.added(page, "Fail", "0", "0", "0", credits="1")
    expect(page.locator(".board-gpa")).to_have_text("GPA: 2.25")
    expect(page.locator(".board-gpa")).to_have_attribute("data-band", "orange")
    board.added(page, "Fail again", "0", "0", "0", credits="4")
    expect(page.locator(".board-gpa")).to_have_attribute("data-band", "red")


def test_weights_must_add_up(page):
    board.add(page, "Algorithms", *FULL, weights=("30", "30", "39"))
    expect(page.locator(".card").first).to_contain_text("Total weight should be 100")
    expect(page.locator(".board-line")).to_have_count(0)


def test_points_out_of_range_and_a_maximum_of_zero_are_told_together_in_place(page):
    page.fill('.course-form [name="/children/2/fields/max"]', "0")
    board.add(page, "Algorithms", "101", "-1", "5")
    for index in (0, 1):
        expect(page.locator(f'.course-form [name="/children/{index}/fields/points"]')).to_have_attribute(
            "aria-invalid", "true"
        )
    expect(page.locator('.course-form [name="/children/2/fields/max"]')).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_text("Points must be between 0 and Maximum").first).to_be_visible()
    expect(page.locator(".board-line")).to_have_count(0)


def test_a_title_is_taken_only_once(page):
    board.added(page, "Algorithms", *FULL)
    board.add(page, "  algorithms ", *FULL)
    expect(page.locator(".course-form .field", has_text="Title")).to_contain_text("already entered before")
    expect(page.locator(".board-line")).to_have_count(1)


def test_a_fifth_course_is_refused(page):
    for title in ("One", "Two", "Three", "Four"):
        board.added(page, title, *FULL)
    board.add(page, "Five", *FULL)
    expect(page.get_by_text("Max course allowed is 4").first).to_be_visible()
    expect(page.locator(".board-line")).to_have_count(4)


def test_an_id_that_is_not_there_cannot_be_deleted(page):
    board.added(page, "Algorithms", *FULL)
    for wrong in ("2", "0", "x"):
        board.delete(page, wrong)
        expect(page.get_by_text("That course does not exist")).to_be_visible()
        expect(page.locator(".board-line")).to_have_count(1)


def test_deleting_by_id_renumbers_the_lines(page):
    for title in ("One", "Two", "Three"):
        board.added(page, title, *FULL)
    board.delete(page, "2")
    expect(page.locator(".board-line")).to_have_text(["1) One | 3", "2) Three | 3"])


def test_a_line_opens_its_course_for_editing(page):
    board.added(page, "Algorithms", *FULL)
    page.locator(".board-line").click()
    sheet = page.get_by_role("dialog")
    sheet.locator('[name="/fields/title"]').fill("Data Structures")
    sheet.locator('[name="/children/1/fields/points"]').fill("101")
    sheet.get_by_role("button", name="Save").click()
    expect(sheet.locator('[name="/children/1/fields/points"]')).to_have_attribute("aria-invalid", "true")
    sheet.locator('[name="/children/1/fields/points"]').fill("50")
    sheet.get_by_role("button", name="Save").click()
    expect(sheet).to_have_count(0)
    expect(page.locator(".board-line")).to_have_text("1) Data Structures | 3")
    expect(page.get_by_alt_text("B", exact=True)).to_be_visible()


def test_the_gpa_explains_itself(page):
    board.added(page, "Algorithms", "90", "80", "85")
    page.locator(".board-gpa").click()
    sheet = page.get_by_role("dialog")
    expect(sheet.locator(".why-formula")).to_contain_text("shown 3.00, rounded half up, 2 decimals")
    expect(sheet.locator(".trace")).to_contain_text("Algorithms")


def test_it_is_a_portrait_column_on_every_screen(page):
    for width, height in [(320, 568), (375, 667), (414, 736), (667, 375)]:
        page.set_viewport_size({"width": width, "height": height})
        box = page.locator(".board").bounding_box()
        assert box["width"] <= 420 and box["x"] >= 0 and box["x"] + box["width"] <= width, (width, height)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (width, height)
