"""A class that visitors grade without an account: as in a sheet, and nothing of it is stored."""

import contextlib
import re

import pytest
from playwright.sync_api import expect

# People sign up anew in browsers that stay.
STAYING = {"browser"}


@pytest.fixture
def visitor(newcomer):
    """A visitor with the page open, and all that it sends to the server."""
    person = newcomer()
    person.sent = []
    page = person.open("/explore")
    page.on("request", lambda request: person.sent.append((request.method, request.url.removeprefix(person.url))))
    page.get_by_role("link", name="A class to try").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("A class to try")
    return person


def row(page, name: str):
    return page.get_by_role("row", name=name)


def test_a_visitor_grades_as_in_a_sheet_and_nothing_is_stored(visitor):
    page = visitor.page
    page.get_by_label("Bruno, Exams, out of 100").click()
    page.keyboard.press("Control+a")
    page.keyboard.type("95")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Chen, Exams, out of 100")).to_be_focused()
    # 30 × 17/20 + 30 × 39/50 + 40 × 95/100
    expect(row(page, "Bruno").locator(".figure")).to_have_text("86.90")
    expect(row(page, "Bruno").locator(".letter")).to_have_text("B+")
    row(page, "Bruno").locator(".figure").click()
    expect(page.get_by_role("dialog")).to_contain_text("86.90")
    page.keyboard.press("Escape")
    assert {(method, path.partition("?")[0]) for method, path in visitor.sent if path.startswith("/v1/")} <= {
        ("GET", "/v1/schemes/rose-hulman"),
        ("POST", "/v1/evaluate"),
    }
    # The tab keeps it until it is taken back.
    page = visitor.load("/explore/class")
    expect(page.get_by_label("Bruno, Exams, out of 100")).to_have_value("95")
    page.get_by_role("button", name="Start over").click()
    expect(page.get_by_label("Bruno, Exams, out of 100")).to_have_value("71")
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_label("Bruno, Exams, out of 100")).to_have_value("95")


def test_what_is_typed_fast_is_entered_in_order(visitor):
    page = visitor.page
    page.get_by_label("Amina, Quizzes, out of 50").click()
    for score in ("50", "40", "30", "20", "10", "0"):
        page.keyboard.press("Control+a")
        page.keyboard.type(score)
        page.keyboard.press("Enter")
    for name, total in (
        ("Amina", "93.70"),
        ("Bruno", "77.90"),
        ("Chen", "86.40"),
        ("Dana", "61.20"),
        ("Elif", "63.60"),
    ):
        expect(row(page, name).locator(".figure")).to_have_text(total)
    # The exam that is not graded yet has no weight.
    expect(row(page, "Farid").locator(".figure")).to_have_text("35.00")


@contextlib.contextmanager
def held(page):
    """Calculations that are answered only in the end."""
    waiting = []
    page.route("**/v1/evaluate", lambda route: waiting.append(route))
    yield
    page.route("**/v1/evaluate", lambda route: route.continue_())
    for route in waiting:
        route.continue_()


def test_what_is_typed_again_before_the_answer_stays(visitor):
    page = visitor.page
    cell = page.get_by_label("Amina, Quizzes, out of 50")
    with held(page):
        cell.fill("50")
        page.keyboard.press("Enter")
        page.keyboard.press("ArrowUp")
        page.keyboard.type("4")
    expect(row(page, "Amina").locator(".figure")).to_have_text("93.70")
    page.keyboard.type("5")
    page.keyboard.press("Enter")
    expect(cell).to_have_value("45")
    expect(row(page, "Amina").locator(".figure")).to_have_text("90.70")


def test_a_correction_back_to_the_value_before_is_entered(visitor):
    page = visitor.page
    cell = page.get_by_label("Amina, Quizzes, out of 50")
    with held(page):
        cell.fill("5")
        page.keyboard.press("Enter")
        page.keyboard.press("ArrowUp")
        page.keyboard.type("46")
        page.keyboard.press("Enter")
    page.get_by_label("Bruno, Exams, out of 100").fill("95")
    page.keyboard.press("Enter")
    expect(row(page, "Bruno").locator(".figure")).to_have_text("86.90")
    expect(cell).to_have_value("46")
    expect(row(page, "Amina").locator(".figure")).to_have_text("91.30")


def test_a_number_with_two_readings_is_not_guessed(newcomer):
    page = newcomer(locale="fr-FR").open("/explore/class")
    cell = page.get_by_label(re.compile("^Bruno, Exam.* sur 100$"))
    cell.fill("1.000")
    page.keyboard.press("Enter")
    expect(cell).to_have_attribute("aria-invalid", "true")
    expect(cell).to_have_accessible_description(re.compile("Bruno, .*1.000"))
    cell.fill("71,5")
    page.keyboard.press("Enter")
    expect(row(page, "Bruno").locator(".figure")).to_have_text("77,50")


def test_a_refused_result_says_whose_it_is_and_harms_no_other(visitor):
    page = visitor.page
    cell = page.get_by_label("Dana, Exams, out of 100")
    cell.fill("many")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert").filter(has_text="Dana, Exams: This is not a number")).to_be_visible()
    expect(cell).to_have_value("many")
    page.get_by_label("Elif, Exams, out of 100").fill("100")
    page.keyboard.press("Enter")
    expect(row(page, "Elif").locator(".figure")).to_have_text("82.60")
    cell.fill("90")
    page.keyboard.press("Enter")
    expect(row(page, "Dana").locator(".figure")).to_have_text("78.60")
    expect(page.get_by_text("This is not a number")).to_have_count(0)


def test_weights_are_tried_applied_and_taken_back(visitor):
    page = visitor.page
    weight = page.get_by_role("slider", name="Weight of Exams")
    weight.fill("80")
    expect(page.locator(".moves li")).to_have_text(["Dana: C → C+"])
    # (30 × 12/20 + 30 × 41/50 + 80 × 78/100) of 140
    expect(row(page, "Dana").locator(".figure")).to_have_text("75.00")
    page.get_by_role("button", name="Discard").click()
    expect(row(page, "Dana").locator(".figure")).to_have_text("73.80")
    expect(weight).to_have_value("40")
    weight.fill("80")
    expect(page.locator(".moves li")).to_have_count(1)
    page.get_by_role("button", name="Apply").click()
    expect(page.locator(".moves")).to_have_count(0)
    expect(row(page, "Dana").locator(".letter")).to_have_text("C+")
    page.get_by_role("button", name="Undo").click()
    expect(row(page, "Dana").locator(".letter")).to_have_text("C")
    expect(weight).to_have_value("40")


def test_moves_are_those_of_the_weights_that_are_shown(visitor):
    page = visitor.page
    weight = page.get_by_role("slider", name="Weight of Exams")
    with held(page):
        weight.fill("80")
        expect(page.locator(".moves")).to_contain_text("Being calculated")
        expect(page.locator(".moves li")).to_have_count(0)
    expect(page.locator(".moves li")).to_have_text(["Dana: C → C+"])
    visitor.context.set_offline(True)
    weight.fill("0")
    expect(page.locator(".moves")).to_contain_text("The server cannot be reached.")
    expect(page.locator(".moves li")).to_have_count(0)
    expect(row(page, "Dana").locator(".figure")).to_have_text("73.80")
    visitor.context.set_offline(False)
    page.locator(".moves").get_by_role("button", name="Retry").click()
    # (30 × 12/20 + 30 × 41/50) of 60
    expect(row(page, "Dana").locator(".figure")).to_have_text("71.00")
    # What stands where it stood before is no trial.
    weight.fill("40")
    expect(page.locator(".moves")).to_have_count(0)


def test_an_undo_takes_back_its_own_weights_alone(visitor):
    page = visitor.page
    weight = page.get_by_role("slider", name="Weight of Exams")
    apply = page.get_by_role("button", name="Apply")
    weight.fill("80")
    expect(page.locator(".moves li")).to_have_count(1)
    with held(page):
        apply.click()
        weight.fill("20")
        apply.click()
    expect(page.get_by_text("The weights are applied.")).to_have_count(2)
    expect(page.locator(".moves")).to_have_count(0)
    expect(weight).to_be_focused()
    page.get_by_role("button", name="Undo").last.click()
    expect(weight).to_have_value("80")
    expect(row(page, "Dana").locator(".figure")).to_have_text("75.00")


def test_the_class_is_whole_where_it_cannot_be_started_over(visitor):
    page = visitor.page
    visitor.context.set_offline(True)
    page.get_by_role("button", name="Start over").click()
    expect(page.get_by_text("The server cannot be reached.")).to_be_visible()
    expect(page.get_by_label("Farid, Quizzes, out of 50")).to_have_value("28")
    visitor.context.set_offline(False)
    with held(page):
        page.get_by_role("button", name="Start over").click()
        page.get_by_role("slider", name="Weight of Exams").fill("80")
    expect(page.get_by_text("The class is as it was at first.")).to_be_visible()
    expect(page.get_by_label("Farid, Quizzes, out of 50")).to_have_value("28")


def test_without_a_network_what_was_typed_waits_in_its_cell(visitor):
    page = visitor.page
    visitor.context.set_offline(True)
    cell = page.get_by_label("Amina, Exams, out of 100")
    cell.fill("98")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert").filter(has_text="Amina, Exams")).to_be_visible()
    expect(cell).to_have_value("98")
    visitor.context.set_offline(False)
    page.get_by_role("alert").get_by_role("button", name="Retry").click()
    expect(row(page, "Amina").locator(".figure")).to_have_text("95.30")
