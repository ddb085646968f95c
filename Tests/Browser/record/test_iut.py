"""Units, the lock, the edit session and the two blocks."""

import pytest
from playwright.sync_api import expect

STAYING = {"student"}


@pytest.fixture
def page(student):
    return student.new_record("iut", sample=True)


def grade(page, title, value):
    page.get_by_role("button", name=f"Unlock the grade: {title}", exact=True).click()
    page.get_by_label(f"Grade out of 20: {title}", exact=True).fill(value)
    page.get_by_role("button", name=f"Save the grade: {title}", exact=True).click()


def block(page, name):
    return page.locator(".block", has_text=name)


def test_the_sample_year_is_there_with_its_averages(page):
    expect(page.locator(".unit")).to_have_count(7)
    expect(block(page, "Overall average").locator(".figure")).to_have_text("13.00")
    expect(page.locator(".unit").first.locator(".unit-head .figure")).to_have_text("14.43")
    expect(page.locator(".outcome")).to_have_attribute("data-state", "pending")


def test_a_grade_is_locked_until_unlocked_and_the_check_mark_saves(page):
    expect(page.get_by_label("Grade out of 20: Stage", exact=True)).to_have_count(0)
    grade(page, "Stage", "8")
    expect(block(page, "Professional average").locator(".figure")).to_have_text("10.12")
    expect(page.locator(".outcome").first).to_have_attribute("data-state", "met")
    grade(page, "Stage", "7.5")
    expect(block(page, "Professional average").locator(".figure")).to_have_text("9.81")
    expect(block(page, "Professional average")).to_have_attribute("data-band", "red")
    expect(page.locator(".outcome").first).to_have_attribute("data-state", "unmet")


def test_a_grade_above_twenty_is_refused_in_place(page):
    grade(page, "Stage", "20.01")
    expect(page.locator(".grade-edit .fault")).to_be_visible()
    page.get_by_role("button", name="Lock without saving: Stage").click()
    expect(page.locator(".grade-edit")).to_have_count(0)
    expect(block(page, "Professional average").locator(".figure")).to_have_text("13.66")


def test_a_cancelled_session_keeps_what_was_deleted_and_forgets_what_was_typed(page):
    page.get_by_role("button", name="Edit", exact=True).click()
    page.get_by_role("button", name="Delete Anglais", exact=True).click()
    expect(page.get_by_role("button", name="Delete Anglais", exact=True)).to_have_count(0)
    page.get_by_label("Name", exact=True).first.fill("Renamed")
    page.get_by_role("button", name="Cancel", exact=True).click()
    expect(page.get_by_text("Renamed")).to_have_count(0)
    expect(page.locator(".unit", has_text="Anglais")).to_have_count(0)
    page.reload()
    expect(page.locator(".unit").first).to_contain_text("Génie logiciel")
    expect(page.locator(".unit", has_text="Anglais")).to_have_count(0)


def test_a_heavier_weight_pulls_the_average(page):
    unit = page.locator(".unit", has_text="Insertion professionnelle")
    expect(unit.locator(".unit-head .figure")).to_have_text("14.27")
    page.get_by_role("button", name="Edit", exact=True).click()
    page.get_by_label("Coefficient Économie", exact=True).fill("1")
    page.get_by_role("button", name="OK", exact=True).click()
    expect(unit.locator(".unit-head .figure")).to_have_text("15.37")


def test_a_weight_that_is_dragged_pulls_the_average_before_it_is_saved(student, page):
    page.get_by_role("button", name="Edit", exact=True).click()
    slider = page.get_by_label("Slider for the coefficient: Projet", exact=True)
    slider.fill("1")
    expect(block(page, "Overall average").locator(".figure")).to_have_text("12.86")
    expect(page.locator(".draft-figures")).to_contain_text("13.00 12.86")
    expect(page.get_by_label("Coefficient Projet", exact=True).first).to_have_value("1")
    for _ in range(3):
        slider.press("ArrowRight")
    expect(page.locator(".draft-figures")).to_contain_text("13.00 12.89")
    page.get_by_role("button", name="Cancel", exact=True).click()
    expect(block(page, "Overall average").locator(".figure")).to_have_text("13.00")
    assert page.reload().ok
    expect(block(page, "Overall average").locator(".figure")).to_have_text("13.00")


def test_an_empty_name_and_a_weight_of_zero_keep_the_session_open(page):
    page.get_by_role("button", name="Edit", exact=True).click()
    page.get_by_label("Coefficient Économie", exact=True).fill("0")
    page.get_by_role("button", name="OK", exact=True).click()
    expect(page.get_by_label("Coefficient Économie", exact=True)).to_have_attribute("aria-invalid", "true")
    page.get_by_role("button", name="Cancel", exact=True).click()
    expect(page.locator(".edit-bar").get_by_role("button", name="Edit")).to_be_visible()


def test_adding_is_only_offered_in_the_session(page):
    expect(page.get_by_role("button", name="Add a subject")).to_have_count(0)
    page.get_by_role("button", name="Edit", exact=True).click()
    expect(page.get_by_role("button", name="Add a subject")).to_have_count(7)
    page.get_by_role("button", name="Add a subject").first.click()
    sheet = page.get_by_role("dialog")
    sheet.locator('[name="/fields/title"]').fill("Recherche")
    sheet.locator('[name="/fields/grade"]').fill("15.5")
    sheet.get_by_role("button", name="Add", exact=True).click()
    expect(sheet).to_have_count(0)
    page.get_by_role("button", name="Cancel", exact=True).click()
    expect(page.get_by_text("Recherche")).to_be_visible()


def test_a_decimal_comma_is_read_where_the_language_writes_one(newcomer):
    person = newcomer(locale="fr-FR")
    page = person.open("/explore/iut")
    page.get_by_role("button", name="Modifier", exact=True).click()
    page.get_by_role("button", name="Ajouter une UE").click()
    sheet = page.get_by_role("dialog")
    sheet.locator('[name="/fields/title"]').fill("Projet")
    sheet.get_by_role("button", name="Ajouter", exact=True).click()
    page.get_by_role("button", name="Ajouter une matière").click()
    sheet.locator('[name="/fields/title"]').fill("Projet")
    sheet.locator('[name="/fields/grade"]').fill("12,5")
    sheet.get_by_role("button", name="Ajouter", exact=True).click()
    expect(page.locator(".unit-head .figure")).to_have_text("12,50")


def test_a_goal_says_what_is_needed(student, page):
    if "/v1/records/{record}/goals" not in student.api("GET", "/openapi.json")["body"]["paths"]:
        pytest.skip("this server has no goals")
    page.get_by_role("button", name="Goal").click()
    sheet = page.get_by_role("dialog")
    sheet.locator('[name="/what"]').select_option(label="Professional average")
    sheet.locator('[name="/target"]').fill("10")
    sheet.get_by_role("button", name="Tell me").click()
    expect(sheet.locator(".goal-answer")).to_contain_text("Stage")
    expect(sheet.locator(".goal-answer")).to_contain_text("7.8")


def test_the_history_tells_before_and_after(page):
    grade(page, "Stage", "8")
    expect(page.locator(".grade-edit")).to_have_count(0)
    page.get_by_role("button", name="History").click()
    first = page.locator(".history > li").first
    expect(first).to_contain_text("Stage")
    expect(first).to_contain_text("8")
    expect(first).to_contain_text("Ada Student")
