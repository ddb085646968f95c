"""Quarters, categories, items and the overall GPA."""

import pytest
from playwright.sync_api import expect
from waiting import eventually

STAYING = {"student"}


@pytest.fixture
def page(student):
    return student.new_record("rose-hulman")


def add_course(page, title="Operating Systems", quarter="Fall", year="2022", credits="4", **weights):
    page.get_by_role("button", name="Add course").click()
    sheet = page.get_by_role("dialog")
    sheet.locator('[name="/fields/title"]').fill(title)
    sheet.locator('[name="/fields/number"]').fill("CSSE332")
    sheet.locator('[name="/fields/section"]').fill("1")
    sheet.locator('[name="/fields/quarter"]').select_option(label=quarter)
    sheet.locator('[name="/fields/year"]').fill(year)
    sheet.locator('[name="/fields/credits"]').fill(credits)
    for category, weight in weights.items():
        sheet.locator(f'[name="/weights/{category}/fields/weight"]').fill(weight)
    sheet.get_by_role("button", name="Add", exact=True).click()
    expect(sheet).to_have_count(0)
    expect(page.locator(".course-title", has_text=title)).to_be_visible()


def add_item(page, category, title, score, maximum):
    page.get_by_role("button", name=f"Add to {category}").click()
    sheet = page.get_by_role("dialog")
    sheet.locator('[name="/fields/title"]').fill(title)
    sheet.locator('[name="/fields/score"]').fill(score)
    sheet.locator('[name="/fields/max"]').fill(maximum)
    sheet.get_by_role("button", name="Add", exact=True).click()
    expect(sheet).to_have_count(0)


def test_courses_stand_by_quarter_newest_first_with_their_credits(page):
    add_course(page, "Older", "Fall", "2022")
    add_course(page, "Newer", "Winter", "2022", credits="3")
    expect(page.locator(".term h2")).to_have_text(["Winter 2021-2022", "Fall 2021-2022"])
    expect(page.locator(".term").first).to_contain_text("Total Credits: 3")
    expect(page.locator(".course-number").first).to_contain_text("CSSE332-01")


def test_items_make_the_grade_and_show_their_effective_weight(page):
    add_course(page, exams="60", labs="40")
    page.locator(".course-open").click()
    add_item(page, "Exams", "Midterm", "45", "50")
    expect(page.locator(".course .letter")).to_have_text("A")
    add_item(page, "Labs", "Lab 1", "5", "10")
    expect(page.locator(".course-row .figure")).to_have_text("74.00")
    expect(page.locator(".item-line", has_text="Midterm").locator(".effective")).to_have_text("60.0%")
    expect(page.locator(".headline .figure")).to_have_text("2.00")


def test_the_history_names_what_was_chosen(page):
    add_course(page, quarter="Winter")
    page.get_by_role("button", name="History").click()
    first = page.locator(".history > li").first
    expect(first).to_contain_text("Quarter: Winter")
    expect(first).not_to_contain_text("Quarter: 2")


def test_what_waits_names_what_was_chosen(student, page):
    student.context.set_offline(True)
    add_course(page, quarter="Winter")
    expect(page.locator(".banner.waiting")).to_contain_text("Operating Systems, CSSE332, 1, Winter, 2022, 4")
    student.context.set_offline(False)
    expect(page.locator(".banner.waiting")).to_have_count(0)


def test_a_phone_shows_one_primary_action_also_in_what_if(page):
    page.set_viewport_size({"width": 390, "height": 844})
    primary = page.locator("main .button:not(.quiet)")
    expect(primary).to_have_count(1)
    page.get_by_role("button", name="What if?").click()
    expect(page.locator(".sandbox-banner")).to_be_visible()
    expect(primary).to_have_text("Add course")


def test_a_letter_below_two_points_is_red(page):
    add_course(page, exams="100")
    page.locator(".course-open").click()
    add_item(page, "Exams", "Midterm", "10", "50")
    expect(page.locator(".course .letter")).to_have_attribute("data-band", "red")


def test_a_negative_score_is_refused_at_its_field(page):
    add_course(page, exams="100")
    page.locator(".course-open").click()
    page.get_by_role("button", name="Add to Exams").click()
    sheet = page.get_by_role("dialog")
    sheet.locator('[name="/fields/title"]').fill("Midterm")
    sheet.locator('[name="/fields/score"]').fill("-1")
    sheet.locator('[name="/fields/max"]').fill("10")
    sheet.get_by_role("button", name="Add", exact=True).click()
    expect(sheet.locator('[name="/fields/score"]')).to_have_attribute("aria-invalid", "true")


def test_prior_credits_count(page):
    page.get_by_role("button", name="Prior GPA and credits").click()
    sheet = page.get_by_role("dialog")
    sheet.locator('[name="/fields/priorGPA"]').fill("3.00")
    sheet.locator('[name="/fields/priorCredits"]').fill("40")
    sheet.get_by_role("button", name="Save").click()
    expect(page.locator(".headline .figure")).to_have_text("3.00")
    add_course(page, exams="100")
    page.locator(".course-open").click()
    add_item(page, "Exams", "Final", "0", "10")
    expect(page.locator(".headline .figure")).to_have_text("2.73")


def test_swiping_a_course_asks_and_deletes(page):
    add_course(page, exams="100")
    box = page.locator(".course-row").bounding_box()
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 300, middle)
    page.mouse.down()
    page.mouse.move(box["x"] + 200, middle, steps=5)
    page.mouse.move(box["x"] + 100, middle, steps=5)
    page.mouse.up()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page.locator(".course")).to_have_count(0)


def test_nothing_is_changed_while_a_what_if_opens(page):
    held = []
    page.route("**/assembled", lambda route: held.append(route))
    page.get_by_role("button", name="What if?").click()
    expect(page.locator(".record")).to_have_attribute("inert", "")
    eventually(page, lambda: len(held) == 1)
    held[0].continue_()
    expect(page.locator(".record.sandbox")).not_to_have_attribute("inert", "")


def test_what_if_changes_nothing(page):
    add_course(page, exams="100")
    page.locator(".course-open").click()
    add_item(page, "Exams", "Midterm", "8", "10")
    expect(page.locator(".course-row .figure")).to_have_text("80.00")
    page.get_by_role("button", name="What if?").click()
    add_item(page, "Exams", "Final", "10", "10")
    expect(page.locator(".course-row .figure")).to_have_text("90.00")
    expect(page.locator(".sandbox-banner")).to_contain_text("1 imagined change")
    page.locator(".item-line", has_text="Final").click()
    sheet = page.get_by_role("dialog")
    sheet.locator('[name="/fields/score"]').fill("-3")
    sheet.get_by_role("button", name="Save").click()
    expect(sheet.locator('[name="/fields/score"]')).to_have_attribute("aria-invalid", "true")
    sheet.locator('[name="/fields/score"]').fill("6")
    sheet.get_by_role("button", name="Save").click()
    expect(page.locator(".course-row .figure")).to_have_text("70.00")
    page.get_by_role("button", name="Back to the real record").click()
    expect(page.locator(".course-row .figure")).to_have_text("80.00")
    page.reload()
    expect(page.locator(".course-row .figure")).to_have_text("80.00")


def test_a_goal_is_set_for_what_grades_can_move_and_letters_where_there_are_some(student):
    page = student.new_record("rose-hulman")
    record = page.url.split("/")[-1]
    fields = {"title": "Algorithms", "quarter": 1, "year": 2027, "credits": 4}
    items = [{"kind": "item", "fields": {"title": "Homework", "score": None, "max": 100}}]
    category = {"kind": "category", "fields": {"category": "assignments", "weight": 50}, "children": items}
    body = {"kind": "course", "fields": fields, "children": [category]}
    assert student.api("POST", f"/v1/records/{record}/entries", body)["status"] == 201
    # The sheet offers the goals of the record that the page has when it opens.
    expect(page.locator(".course-title", has_text="Algorithms")).to_be_visible()
    page.get_by_role("button", name="Goal").click()
    sheet = page.get_by_role("dialog")
    expect(sheet.locator('[name="/what"]')).to_be_visible()
    offered = sheet.locator('[name="/what"] option').all_text_contents()
    assert "Algorithms – Grade" in offered and not any("redits" in text or "ffective" in text for text in offered), (
        offered
    )
    sheet.locator('[name="/what"]').select_option(label="Algorithms – Grade")
    expect(sheet.locator(".hint")).to_contain_text("B+")
    sheet.locator('[name="/target"]').fill("B+")
    sheet.get_by_role("button", name="Tell me").click()
    expect(sheet.locator(".goal-answer")).to_contain_text("Homework")
    sheet.locator('[name="/what"]').select_option(index=0)
    expect(sheet.locator(".hint")).to_have_count(0)
    sheet.locator('[name="/target"]').fill("B+")
    sheet.get_by_role("button", name="Tell me").click()
    expect(sheet.locator(".fault")).to_be_visible()
