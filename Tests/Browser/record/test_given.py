"""What staff give beside computed figures and outcomes, for staff and for the student."""

import re

import board
import pytest
from accessibility import serious
from playwright.sync_api import expect

STAYING = {"student"}

UNIT = {
    "kind": "unit",
    "fields": {"title": "Réseaux", "weight": 1, "professional": True},
    "children": [{"kind": "subject", "fields": {"title": "Routage", "weight": 1, "grade": 9}}],
}


@pytest.fixture
def registrar(newcomer, server):
    return newcomer().sign_in(*server.sign_ins()["registrar"].values())


@pytest.fixture
def record(student, registrar):
    """The student's record of one unit with the average 9."""
    body = {"scheme": "iut", "title": "Juried", "entry": "both"}
    program = registrar.api("POST", "/v1/institutions/demo/programs", body)["body"]["program"]["id"]
    board.publish(registrar, f"/v1/programs/{program}")
    record = student.api("POST", "/v1/records", {"program": program})["body"]["record"]["id"]
    assert student.api("POST", f"/v1/records/{record}/entries", UNIT)["status"] == 201
    return record


def average(page):
    return page.locator(".unit-head .figure")


def decide(page, place, value, reason, **more):
    """Gives a value from an open page: a figure from its explanation, an outcome from its card."""
    place.get_by_role("button", name="Decide…").first.click()
    sheet = page.get_by_role("dialog")
    field = sheet.get_by_label("Value")
    field.select_option(value) if more.get("outcome") else field.fill(value)
    sheet.get_by_label("Reason").fill(reason)
    return sheet


@pytest.mark.slow("gives an average and takes it back in one browser, and waits for each in another")
def test_a_registrar_gives_an_average_and_takes_it_back_and_the_student_sees_it(student, registrar, record):
    page, own = registrar.open(f"/records/{record}"), student.open(f"/records/{record}")
    expect(average(page)).to_have_text("9.00")
    average(page).click()
    sheet = decide(page, page.get_by_role("dialog"), "12,5", "Jury of 3 July")
    assert serious(page) == []
    sheet.get_by_role("button", name="Give", exact=True).click()
    expect(sheet).to_have_count(0)
    expect(average(page)).to_have_text("12.50")
    expect(page.locator(".block", has_text="Overall average").locator(".figure")).to_have_text("12.50")
    # The student's window changes, and says who gave the value; the reason is for staff.
    expect(average(own)).to_have_text("12.50")
    expect(average(own)).to_have_attribute("title", re.compile("Given by Demo registrar", re.I))
    average(own).click()
    seen = own.get_by_role("dialog")
    expect(seen.locator(".given-note")).to_contain_text("Computed: 9.00")
    expect(seen.locator(".why-formula")).to_contain_text("12.5")
    expect(seen).not_to_contain_text("Jury")
    expect(seen.get_by_role("button", name="Decide…")).to_have_count(0)
    # Staff see the reason, and the computed value in the explanation.
    average(page).click()
    expect(page.get_by_role("dialog").locator(".given-note")).to_contain_text("Jury of 3 July")
    assert serious(page) == []
    page.get_by_role("dialog").get_by_role("button", name="Decide…").first.click()
    sheet = page.get_by_role("dialog")
    expect(sheet.get_by_label("Value")).to_have_value("12.5")
    sheet.get_by_label("Reason").fill("Mistake")
    sheet.get_by_role("button", name="Take back").click()
    expect(average(page)).to_have_text("9.00")
    expect(own.locator(".unit-head .figure")).to_have_text("9.00")
    page.get_by_role("button", name="History").click()
    history = page.get_by_role("dialog").locator(".history li")
    expect(history.first).to_contain_text("Mistake")
    expect(history.first.locator("del")).to_have_text("12.5")


def test_an_outcome_is_given_on_its_card_and_a_wrong_value_is_refused_in_place(registrar, record):
    page = registrar.open(f"/records/{record}")
    card = page.locator(".outcome")
    expect(card).to_have_attribute("data-state", "unmet")
    decide(page, card, "met", "Jury", outcome=True).get_by_role("button", name="Give", exact=True).click()
    expect(card).to_have_attribute("data-state", "met")
    expect(card.locator(".given-note")).to_contain_text("Jury")
    average(page).click()
    sheet = decide(page, page.get_by_role("dialog"), "twelve", "Jury")
    sheet.get_by_role("button", name="Give", exact=True).click()
    expect(sheet.locator(".fault")).to_be_visible()
    expect(average(page)).to_have_text("9.00")
