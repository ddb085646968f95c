"""Statistics of a column in the browser: from its menu, on a phone, following what others enter, in each language."""

import pytest
from accessibility import violations
from classroom import SMALL_PHONE, Classroom
from grid import LAB, MIDTERM, head, keys, opened
from playwright.sync_api import expect
from texts import LANGUAGES, shown

STAYING = {"staff"}


@pytest.fixture
def room(staff):
    """Four students: three with a midterm, one of whom has a lab, and one with nothing."""
    room = Classroom(staff("teacher"), students=4)
    for row, value in enumerate((61, 74, 90)):
        room.enter(row, MIDTERM, value)
    room.enter(0, LAB, 7)
    return room


def numbers(sheet):
    """Each number by its name."""
    expect(sheet.locator(".statistics dd").first).to_be_visible()
    return dict(
        zip(
            sheet.locator(".statistics dt").all_inner_texts(),
            sheet.locator(".statistics dd").all_inner_texts(),
            strict=True,
        )
    )


def counts(table):
    """Rows of a histogram with at least one student."""
    rows = table.locator("tbody tr")
    expect(rows.first).to_be_visible()
    pairs = zip(rows.locator("th").all_inner_texts(), rows.locator("td:last-child").all_inner_texts(), strict=True)
    return {name: count for name, count in pairs if count != "0"}


def opened_by_keyboard(page):
    """Opens the statistics of the column whose head has the focus."""
    keys(page, "Enter")
    button = page.get_by_role("dialog").get_by_role("button", name="Statistics")
    button.focus()
    keys(page, "Enter")
    sheet = page.get_by_role("dialog", name="Statistics")
    expect(sheet.locator(".statistics")).to_be_visible()
    return sheet


def test_a_column_and_a_figure_say_what_they_come_to_by_keyboard(room):
    page = opened(room)
    keys(page, "ArrowUp")
    expect(head(page, 0)).to_be_focused()
    sheet = opened_by_keyboard(page)
    expect(sheet).to_contain_text("3 results · 1 student without a result")
    assert numbers(sheet) == {
        "Mean": "75.00",
        "Median": "74.00",
        "Lower quartile": "67.50",
        "Upper quartile": "82.00",
        "Lowest": "61",
        "Highest": "90",
    }
    table = sheet.get_by_role("table", name="Students by range")
    expect(table.get_by_role("row")).to_have_count(11)
    assert counts(table) == {"60 to below 70": "1", "70 to below 80": "1", "90 to 100": "1"}
    assert violations(page) == []
    keys(page, "Escape")
    expect(head(page, 0)).to_be_focused()
    keys(page, "End")
    expect(head(page, 3)).to_be_focused()
    sheet = opened_by_keyboard(page)
    assert numbers(sheet)["Lowest"] == "64.60"
    letters = sheet.get_by_role("table", name="Students by letter")
    assert sum(int(count) for count in counts(letters).values()) == 3
    assert violations(page) == []


def test_they_follow_what_others_enter(room):
    page = opened(room)
    keys(page, "ArrowUp")
    sheet = opened_by_keyboard(page)
    room.enter(3, MIDTERM, 15)
    expect(sheet).to_contain_text("4 results")
    expect(sheet.locator(".statistics")).to_contain_text("60.00")
    expect(sheet.get_by_role("row", name="10 to below 20")).to_contain_text("1")


def test_a_phone_has_them_in_the_view_of_a_column(room, newcomer):
    person = room.teacher_elsewhere(newcomer, viewport=SMALL_PHONE)
    page = person.open(room.page)
    page.get_by_role("button", name="Statistics").click()
    sheet = page.get_by_role("dialog")
    expect(sheet.locator(".statistics")).to_be_visible()
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    assert sheet.evaluate("sheet => sheet.scrollWidth <= sheet.clientWidth")


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_they_speak_no_english_to_others(room, newcomer, language):
    texts = LANGUAGES[language]
    english = {text for text in LANGUAGES["en"].values() if "{" not in text} - set(texts.values()) - {"Midterm"}
    person = room.teacher_elsewhere(newcomer, language)
    page = opened(room, person)
    head(page, 0).click()
    page.get_by_role("dialog").get_by_role("button", name=texts["statistics.open"]).click()
    expect(page.get_by_role("table", name=texts["statistics.histogram"])).to_be_visible()
    assert shown(page) & english == set()
