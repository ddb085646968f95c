"""Students at risk: the rules of a class, how many students they affect, and the grid that shows them."""

import pytest
from accessibility import violations
from classroom import SMALL_PHONE, Classroom
from grid import MIDTERM, names, opened
from playwright.sync_api import expect
from texts import LANGUAGES, shown

STAYING = {"staff"}


@pytest.fixture
def room(staff):
    """Three students, the first of whom is below 60 in what is graded so far."""
    room = Classroom(staff("teacher"), title="Statics", students=3)
    for row, value in enumerate((40, 80, 90)):
        room.enter(row, MIDTERM, value)
    return room


def sheet(page, texts=LANGUAGES["en"]):
    page.get_by_role("button", name=texts["structure.open"], exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name=texts["risk.title"], exact=True).click()
    found = page.get_by_role("dialog", name=texts["risk.title"])
    expect(found).to_be_visible()
    return found


@pytest.mark.slow("tries, saves and removes rules, and follows two results that come in between")
def test_rules_are_tried_saved_and_followed_as_results_come(room):
    page = opened(room)
    rules = sheet(page)
    assert violations(page) == []
    rules.get_by_label("Total", exact=True).select_option(label="Grade")
    bar = rules.get_by_label("The total should reach")
    bar.fill("much")
    bar.press("Enter")
    expect(bar).to_have_attribute("aria-invalid", "true")
    bar.fill("60")
    bar.press("Enter")
    expect(rules.get_by_role("status")).to_have_text("1 student is at risk by these rules.")
    # Another rule has to be tried again before it is saved.
    rules.get_by_label("Mark students with this much missing work").fill("2")
    expect(rules.get_by_role("status")).to_have_count(0)
    rules.get_by_role("button", name="Show what changes").click()
    expect(rules.get_by_role("status")).to_be_visible()
    assert violations(page) == []
    rules.get_by_role("button", name="Save").click()
    expect(rules).to_have_count(0)
    risk = room.call("GET", room.path)["class"]["structure"]["policy"]["risk"]
    assert (risk["figure"], risk["bar"], risk["missing"]) == ("grade", "60", 2)
    marked = page.locator(".grid-row:not([hidden])[data-mark=risk] .grid-name")
    expect(marked).to_have_text([room.names[0]])
    page.get_by_role("button", name="View", exact=True).click()
    page.get_by_label("at risk (1)").check()
    page.get_by_role("button", name="Done").click()
    expect(names(page)).to_have_text([room.names[0]])
    assert page.url.endswith("?only=risk")
    # The filter is live: students who fall below appear, and those who rise stay while the page is open.
    room.enter(1, MIDTERM, 30)
    expect(names(page)).to_have_text(sorted(room.names[:2]))
    room.enter(0, MIDTERM, 70)
    expect(marked).to_have_text([room.names[1]])
    expect(names(page)).to_have_count(2)
    page.reload()
    expect(names(page)).to_have_text([room.names[1]])
    # The sheet shows the saved rules, and choosing no rule removes one.
    rules = sheet(page)
    expect(rules.get_by_label("The total should reach")).to_have_value("60")
    rules.get_by_label("Total", exact=True).select_option(label="No rule for the total")
    rules.get_by_label("Mark students with this much missing work").fill("")
    for name in ("Show what changes", "Save"):
        rules.get_by_role("button", name=name).click()
    expect(rules).to_have_count(0)
    expect(marked).to_have_count(0)
    assert "policy" not in room.call("GET", room.path)["class"]["structure"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_in_each_language_and_on_a_phone_it_has_its_words_and_its_room(room, newcomer, language):
    texts = LANGUAGES[language]
    english = {text for text in LANGUAGES["en"].values() if "{" not in text} - set(texts.values()) - {"Midterm"}
    page = room.teacher_elsewhere(newcomer, language, viewport=SMALL_PHONE).open(room.page)
    rules = sheet(page, texts)
    rules.get_by_label(texts["risk.figure"], exact=True).select_option(index=1)
    rules.get_by_label(texts["risk.bar"]).fill("60")
    rules.get_by_role("button", name=texts["late.preview"]).click()
    expect(rules.get_by_role("status")).to_have_text(texts["risk.effect.one"].replace("{count}", "1"))
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert shown(page) & english == set()
    assert violations(page) == []
