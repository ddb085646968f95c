"""The search box as a palette and as a page, and the page of what the user works on, each with its states."""

import re

import board
import pytest
from accessibility import violations
from conftest import PASSWORD
from playwright.sync_api import expect

STAYING = {"student"}


def named(person, name):
    assert person.api("PATCH", "/v1/accounts/me", {"displayName": name, "discoverable": True})["status"] == 200


def palette(page):
    return page.get_by_role("dialog", name="Search")


@pytest.fixture
def record(student):
    return recorded(student)


def recorded(person):
    page = person.new_record("chalkboard")
    board.added(page, "Génie logiciel", "90", "80", "85")
    return page


def test_the_palette_finds_by_the_keyboard_alone(student, record, newcomer):
    other = newcomer().sign_up()
    named(other, "Zoé Palette")
    page = student.open("/explore")
    page.keyboard.press("/")
    box = palette(page).get_by_role("combobox")
    expect(box).to_be_focused()
    assert violations(page) == []
    box.fill("genie")
    option = palette(page).get_by_role("option", name=re.compile("Génie logiciel"))
    expect(option).to_have_attribute("aria-selected", "true")
    assert violations(page) == []
    page.keyboard.press("Enter")
    expect(page).to_have_url(record.url)
    page.keyboard.press("Control+k")
    box.fill("palette zo")
    expect(palette(page).get_by_role("option", name="Zoé Palette")).to_be_visible()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Zoé Palette")).to_be_visible()


def test_the_palette_leads_to_pages_and_closes(student):
    page = student.open("/explore")
    page.keyboard.press("Control+k")
    palette(page).get_by_role("combobox").fill("securi")
    page.get_by_role("option", name="Sign-in and security").click()
    expect(page).to_have_url(re.compile("/security$"))
    expect(palette(page)).to_have_count(0)
    page.keyboard.press("Control+k")
    expect(palette(page)).to_be_visible()
    page.keyboard.press("Escape")
    expect(palette(page)).to_have_count(0)


def test_a_slash_in_a_field_is_a_slash(student):
    page = student.open("/profile")
    field = page.locator('[name="/displayName"]')
    field.focus()
    field.press("End")
    field.press("/")
    expect(field).to_have_value("Ada Student/")
    expect(palette(page)).to_have_count(0)


@pytest.mark.slow("signs ten people up, more than a group of the search shows at first")
def test_the_page_shows_groups_and_more_of_them(student, newcomer):
    for number in range(10):
        named(newcomer().sign_up(), f"Quorum {number}")
    page = student.open("/explore")
    page.get_by_role("link", name="Search").click()
    expect(page).to_have_url(re.compile("/search$"))
    expect(page.get_by_text("Find your records and their entries")).to_be_visible()
    box = page.get_by_role("searchbox")
    box.fill("quorum")
    expect(page.locator(".record-link")).to_have_count(8)
    expect(page.get_by_role("heading", name="People")).to_be_visible()
    assert violations(page) == []
    page.get_by_role("button", name="More").click()
    expect(page.locator(".record-link")).to_have_count(10)
    expect(page.get_by_role("button", name="More")).to_have_count(0)
    page.reload()
    expect(box).to_have_value("quorum")
    expect(page.locator(".record-link")).to_have_count(8)
    box.fill("nothing has this name")
    expect(page.get_by_text("Nothing was found.")).to_be_visible()


def test_a_guest_finds_what_is_public(newcomer):
    page = newcomer(viewport={"width": 360, "height": 640}).open("/search")
    expect(page.get_by_text("Signed in, you also find your own records")).to_be_visible()
    page.get_by_role("searchbox").fill("chalk")
    expect(page.get_by_role("heading", name="Schemes")).to_be_visible()
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("link", name="halkboard").first.click()
    expect(page.locator(".board")).to_be_visible()


def test_a_search_that_fails_says_so_and_is_tried_again(student):
    page = student.open("/search")
    page.route("**/v1/search?*", lambda route: route.fulfill(status=500, json={"code": "internal"}))
    page.get_by_role("searchbox").fill("chalk")
    retry = page.get_by_role("main").get_by_role("button", name="Retry")
    expect(retry).to_be_visible()
    assert violations(page) == []
    page.unroute("**/v1/search?*")
    retry.click()
    expect(page.get_by_role("heading", name="Schemes")).to_be_visible()
    student.context.set_offline(True)
    page.get_by_role("searchbox").fill("rose")
    expect(page.get_by_text("The server cannot be reached.")).to_be_visible()
    student.context.set_offline(False)
    retry.click()
    expect(page.get_by_role("heading", name="Schemes")).to_be_visible()


@pytest.mark.slow("has axe read the page, and follows a record in a second window")
def test_my_work_is_where_one_lands_and_follows_ones_records(newcomer):
    student = newcomer().sign_up()
    record = recorded(student)
    page = student.open("/", student.window())
    expect(page).to_have_url(re.compile("/work$"))
    expect(page.get_by_role("heading", name="My work")).to_be_visible()
    expect(page.locator(".record-link .figure")).to_have_text("3.00")
    assert violations(page) == []
    board.added(record, "Analysis", "95", "95", "95")
    expect(page.locator(".record-link .figure")).to_have_text("3.50")
    page.get_by_role("link", name="My records").click()
    expect(page.get_by_role("heading", name="My records")).to_be_visible()
    page.get_by_role("link", name="My work").click()
    page.locator(".record-link").click()
    expect(page).to_have_url(record.url)


def test_my_work_without_any_for_guests_and_without_a_network(newcomer):
    person = newcomer()
    page = person.open("/work")
    expect(page.get_by_role("heading", name="Every grade, exact and live.")).to_be_visible()
    page = person.sign_up().open("/work")
    expect(page.get_by_text("Nothing here yet.")).to_be_visible()
    expect(page.get_by_role("heading", name="Start a record of your own")).to_be_visible()
    assert violations(page) == []
    page.get_by_role("link", name="Explore").click()
    expect(page.get_by_role("heading", name="Grading schemes")).to_be_visible()
    person.context.set_offline(True)
    page.get_by_role("link", name="My work").click()
    expect(page.get_by_text("The server cannot be reached.")).to_be_visible()
    expect(page.get_by_role("main").get_by_role("button", name="Retry")).to_be_visible()
    person.context.set_offline(False)
    # The page asks again by itself once there is a network.
    expect(page.get_by_text("Nothing here yet.")).to_be_visible()


@pytest.mark.parametrize(
    ("language", "title", "nothing"),
    [("fr", "Mon travail", "Aucun résultat."), ("zh-CN", "我的工作", "没有找到结果。")],
)
def test_both_pages_speak_the_persons_language(newcomer, language, title, nothing):
    person = newcomer(locale=language)
    page = person.open("/sign-up")
    page.fill('[name="/displayName"]', "Ada")
    page.fill('[name="/login"]', person.login)
    page.fill('[name="/password"]', PASSWORD)
    page.click("main button[type=submit]")
    expect(page.get_by_role("heading", name=title)).to_be_visible()
    page.goto(person.url + "/search?q=zzzzzz")
    expect(page.get_by_text(nothing)).to_be_visible()
