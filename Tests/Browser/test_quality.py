"""Weight, policies, small screens, languages, and what axe finds."""

import json
import re

import board
import pytest
from axe_playwright_python.sync_playwright import Axe
from conftest import ROOT
from playwright.sync_api import expect

WEB = ROOT / "Sources" / "Server" / "Web"
LANGUAGES = {name: json.loads((WEB / "app" / "i18n" / f"{name}.json").read_text()) for name in ("en", "fr", "zh-Hans")}


def test_every_text_exists_in_every_language():
    assert LANGUAGES["en"].keys() == LANGUAGES["fr"].keys() == LANGUAGES["zh-Hans"].keys()
    for key in LANGUAGES["en"]:
        places = {name: sorted(re.findall(r"\{\w+\}", texts[key])) for name, texts in LANGUAGES.items()}
        assert places["en"] == places["fr"] == places["zh-Hans"], key


def test_every_text_that_the_code_names_exists():
    named = set()
    for file in WEB.glob("app/**/*.js"):
        named |= set(re.findall(r"\bt\(\s*'([^']+)'", file.read_text()))
    known = LANGUAGES["en"].keys()
    assert [key for key in sorted(named) if key not in known and f"{key}.other" not in known] == []


def test_the_first_view_is_light(newcomer):
    person = newcomer(service_workers="block")
    sizes = {}
    person.page.on("response", lambda answer: sizes.__setitem__(answer.url, len(answer.body()) if answer.ok else 0))
    person.open("/")
    person.page.wait_for_load_state("networkidle")
    assert sum(sizes.values()) < 100_000, sizes


def test_nothing_comes_from_elsewhere_and_the_policy_is_strict(newcomer, url):
    person = newcomer()
    hosts = set()
    person.page.on("request", lambda request: hosts.add(request.url.split("/")[2]))
    answer = person.page.goto(url + "/")
    person.page.wait_for_load_state("networkidle")
    assert hosts == {url.split("/")[2]}
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy


def test_no_layout_jumps_while_the_first_view_loads(newcomer):
    person = newcomer()
    person.page.add_init_script(
        "window.shift = 0; new PerformanceObserver(list => list.getEntries().forEach(entry => window.shift += entry.value))"
        ".observe({type: 'layout-shift', buffered: true});")
    person.open("/")
    person.page.wait_for_load_state("networkidle")
    assert person.page.evaluate("window.shift") < 0.1


def pages_of(student):
    """Every page of a student, with something on it."""
    page = student.new_record("chalkboard")
    board.added(page, "Algorithms", "90", "80", "85")
    yield "chalkboard", page
    yield "rose-hulman", student.new_record("rose-hulman")
    page = student.new_record("iut", sample=True)
    yield "iut", page
    page.get_by_role("button", name="Edit", exact=True).click()
    yield "iut session", page
    page.get_by_role("button", name="Goal").click()
    yield "goal", page
    for path in ("/records", "/profile", "/explore", "/explore/chalkboard", "/explore/rose-hulman", "/explore/iut"):
        yield path, student.open(path)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_serious(newcomer, theme):
    student = newcomer(color_scheme=theme, reduced_motion="reduce").sign_up()
    found = []
    for name, page in pages_of(student):
        expect(page.locator("main")).to_be_visible()
        results = Axe().run(page)
        for violation in results.response["violations"]:
            if violation["impact"] in ("serious", "critical"):
                found.append((name, violation["id"], violation["nodes"][0]["target"], violation["nodes"][0].get("failureSummary")))
    for path in ("/", "/sign-in", "/sign-up"):
        page = newcomer(color_scheme=theme).open(path)
        for violation in Axe().run(page).response["violations"]:
            if violation["impact"] in ("serious", "critical"):
                found.append((path, violation["id"], violation["nodes"][0]["target"]))
    assert found == []


def test_a_narrow_phone_never_scrolls_sideways(newcomer):
    student = newcomer(viewport={"width": 320, "height": 568}).sign_up()
    wide = []
    for name, page in pages_of(student):
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            wide.append(name)
    assert wide == []


def test_the_keyboard_alone_reaches_and_closes_an_explanation(student):
    page = student.new_record("chalkboard")
    page.locator(".board-gpa").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
