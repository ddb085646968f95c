"""The curve of a column: previewed as a histogram before it is set, also on a phone, and in each language."""

import pytest
from accessibility import violations
from classroom import SMALL_PHONE, Classroom
from grid import MIDTERM, cell, head, keys, opened
from playwright.sync_api import expect
from texts import LANGUAGES, shown

STAYING = {"staff"}


@pytest.fixture
def room(staff):
    """Three students, two of whom have a midterm."""
    room = Classroom(staff("teacher"), title="Logic", students=3)
    for row, value in enumerate((80, 60)):
        room.enter(row, MIDTERM, value)
    return room


def change(room, curve):
    step = {"op": "patch", "line": room.lines[MIDTERM], "curve": curve}
    return room.call("POST", f"{room.path}/changes", {"changes": [step]})


def sheet_of(page):
    head(page, 0).click()
    page.get_by_role("dialog").get_by_role("button", name="Curve").click()
    return page.get_by_role("dialog", name="Curve: ")


def counts(table):
    """Rows with at least one student, before or after."""
    rows = table.locator("tbody tr")
    expect(rows.first).to_be_visible()
    names = rows.locator("th").all_inner_texts()
    now = rows.locator("td:nth-last-child(2)").all_inner_texts()
    then = rows.locator("td:last-child").all_inner_texts()
    return {name: (a, b) for name, a, b in zip(names, now, then, strict=True) if (a, b) != ("0", "0")}


def test_by_keyboard_a_curve_is_seen_before_it_is_set_and_undone(room):
    page = opened(room)
    keys(page, "ArrowUp", "Enter")
    page.get_by_role("dialog").get_by_role("button", name="Curve").focus()
    keys(page, "Enter")
    sheet = page.get_by_role("dialog", name="Curve: ")
    sheet.get_by_label("Results count").select_option("add")
    sheet.get_by_label("Points to add").fill("15")
    assert violations(page) == []
    sheet.get_by_label("Points to add").press("Enter")
    expect(sheet.locator(".banner")).to_have_text("This changes the figures of 2 students.")
    ranges = sheet.get_by_role("table", name="Students by range")
    assert sum(int(now) for now, _ in counts(ranges).values()) == 2
    assert sum(int(then) for _, then in counts(ranges).values()) == 2
    expect(sheet.get_by_role("table", name="Students by letter")).to_have_count(1)
    assert violations(page) == []
    expect(cell(page, 0, 0)).to_have_text("80")
    expect(cell(page, 0, 3)).not_to_have_text("")
    before = cell(page, 0, 3).inner_text()
    sheet.get_by_role("button", name="Save").focus()
    keys(page, "Enter")
    expect(sheet).to_have_count(0)
    expect(cell(page, 0, 3)).to_contain_text("95.00")
    expect(cell(page, 0, 0)).to_have_text("80")
    page.locator(".toast", has_text="Midterm").get_by_role("button", name="Undo").click()
    expect(cell(page, 0, 3)).to_have_text(before)


def test_points_are_lines_and_what_is_wrong_stands_at_them(room):
    page = opened(room)
    sheet = sheet_of(page)
    sheet.get_by_label("Results count").select_option("table")
    sheet.get_by_label("Points of the curve").fill("0 0")
    sheet.get_by_role("button", name="Show what changes").click()
    expect(sheet.get_by_label("Points of the curve")).to_have_attribute("aria-invalid", "true")
    sheet.get_by_label("Points of the curve").fill("0 50\n60 = 80\n100 100")
    sheet.get_by_role("button", name="Show what changes").click()
    sheet.get_by_role("button", name="Save").click()
    expect(cell(page, 1, 3)).to_contain_text("80.00")
    expect(cell(page, 0, 3)).to_contain_text("90.00")
    sheet = sheet_of(page)
    expect(sheet.get_by_label("Points of the curve")).to_have_value("0  50\n60  80\n100  100")


def test_the_menu_of_a_column_names_its_curve(room):
    change(room, {"op": "scale", "value": "1.1", "cap": True})
    page = opened(room)
    head(page, 0).click()
    expect(page.get_by_role("dialog")).to_contain_text("curve: times 1.1")


def test_a_row_says_what_a_result_counts_as(room):
    change(room, {"op": "add", "value": 5})
    page = room.teacher.open(f"/records/{room.rows[0]['record']}/classes/{room.rows[0]['entry']}")
    midterm = page.locator(".own-line", has_text="Midterm")
    expect(midterm).to_contain_text("80 of 100")
    expect(midterm).to_contain_text("curved")
    expect(midterm).to_contain_text("counts as 85")
    assert violations(page) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_in_each_language_on_a_phone_too_a_curve_has_its_words(room, newcomer, language):
    texts = LANGUAGES[language]
    english = {text for text in LANGUAGES["en"].values() if "{" not in text} - set(texts.values()) - {"Midterm"}
    person = room.teacher_elsewhere(newcomer, language, viewport=SMALL_PHONE)
    page = person.open(f"{room.page}?view=column&of={room.lines[MIDTERM]}")
    page.get_by_role("button", name=texts["curve.open"], exact=True).click()
    page.get_by_label(texts["curve.op"]).select_option("scale")
    page.get_by_label(texts["curve.value.scale"]).fill("1")
    page.get_by_role("button", name=texts["late.preview"]).click()
    expect(page.locator("dialog .banner")).to_be_visible()
    expect(page.locator("dialog .compared").first).to_be_visible()
    assert shown(page) & english == set()
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    assert violations(page) == []
