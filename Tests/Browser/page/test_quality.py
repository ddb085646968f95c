"""Weight, policies, texts, the keyboard."""

import re

import board
import pytest
import shell
from conftest import KEEPING
from playwright.sync_api import expect
from texts import LANGUAGES, PARTS, WEB


def test_every_text_exists_in_every_language():
    for english, french, chinese in zip(*PARTS.values(), strict=True):
        assert english.keys() == french.keys() == chinese.keys()
    for key in LANGUAGES["en"]:
        places = {name: sorted(re.findall(r"\{\w+\}", texts[key])) for name, texts in LANGUAGES.items()}
        assert places["en"] == places["fr"] == places["zh-Hans"], key


def test_no_line_of_french_begins_with_a_sign():
    ordinary = [text for text in LANGUAGES["fr"].values() if re.search(r" [:;?!»%…]|« ", text)]
    assert ordinary == []


def test_the_code_sets_no_colon_by_itself():
    # French has a space before a colon, and Chinese a wide colon.
    own = [file.name for file in WEB.glob("app/**/*.js") if re.search(r"\}: \$\{|[,(\[] ?': '", file.read_text())]
    assert own == []


def test_every_text_that_the_code_names_exists():
    named = set()
    for file in WEB.glob("app/**/*.js"):
        named |= set(re.findall(r"\bt\(\s*'([^']+)'", file.read_text()))
    known = LANGUAGES["en"].keys()
    assert [key for key in sorted(named) if key not in known and f"{key}.other" not in known] == []


def test_the_first_view_is_light(newcomer):
    person = newcomer()
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


SHIFTS = """
    window.shift = 0;
    new PerformanceObserver(list => list.getEntries().forEach(entry => window.shift += entry.value))
        .observe({type: 'layout-shift', buffered: true});
"""


@pytest.mark.slow("waits on each of six pages until the network has been still for half a second")
def test_no_layout_jumps_while_a_page_loads(student, newcomer):
    board.added(student.new_record("chalkboard"), "Algorithms", "90", "80", "85")
    record = student.page.url.removeprefix(student.url)
    for person, paths in ((student, ("/records", record, "/explore", "/profile")), (newcomer(), ("/", "/sign-in"))):
        person.page.add_init_script(SHIFTS)
        for path in paths:
            page = person.load(path)
            page.wait_for_load_state("networkidle")
            assert page.evaluate("window.shift") < 0.05, path


WIDTH = """async source => {
    const image = new Image();
    image.src = source;
    await image.decode();
    return image.naturalWidth;
}"""


def test_the_client_can_be_installed(newcomer):
    page = newcomer().open("/")
    manifest = page.evaluate("fetch(document.querySelector('link[rel=manifest]').href).then(answer => answer.json())")
    assert manifest["display"] == "standalone" and manifest["start_url"] == "/"
    for icon in manifest["icons"]:
        size = page.evaluate(WIDTH, icon["src"])
        assert icon["sizes"] in ("any", f"{size}x{size}"), icon
    assert {"192x192", "512x512"} <= {icon["sizes"] for icon in manifest["icons"]}
    assert any(icon.get("purpose") == "maskable" for icon in manifest["icons"])


def test_one_visit_is_enough_to_open_the_page_without_a_network(newcomer):
    person = newcomer(**KEEPING)
    page = person.open("/")
    shell.kept(page)
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    person.context.set_offline(True)
    page.reload()
    expect(page.locator(".brand")).to_be_visible()
    expect(page.get_by_role("button", name="Retry")).to_be_visible()
    person.context.set_offline(False)
    expect(page.get_by_role("heading", name="Every grade, exact and live.")).to_be_visible()


def test_the_keyboard_alone_reaches_and_closes_an_explanation(student):
    page = student.new_record("chalkboard")
    page.locator(".board-gpa").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator(".board-gpa")).to_be_focused()


def test_a_guest_drags_a_score_on_the_front_page_and_sees_the_working(newcomer):
    page = newcomer().open("/")
    card = page.locator(".try")
    expect(card.locator(".try-total")).to_have_text("89.2")
    card.get_by_label("Final").fill("93")
    expect(card.locator(".try-total")).to_have_text("90.0")
    expect(card.get_by_alt_text("A", exact=True)).to_be_visible()
    expect(card.locator(".try-formula")).to_contain_text("93 / 100 × 40")


def test_a_scheme_may_name_a_field_as_javascript_names_its_own(student):
    board.added(student.new_record("chalkboard"), "Algorithms", "90", "80", "85")

    def with_names(route):
        answer = route.fetch()
        document = answer.json()
        course = document["shape"]["kinds"][0]
        for name in ("constructor", "toString", "valueOf"):
            course["fields"].append({"name": name, "type": "text", "label": {"en": name}, "required": False})
        route.fulfill(response=answer, json=document)

    student.page.route("**/v1/schemes/chalkboard", with_names)
    student.page.reload()
    student.page.locator(".board-line").click()
    sheet = student.page.get_by_role("dialog")
    for name in ("constructor", "toString", "valueOf"):
        field = sheet.locator(f'[name="/fields/{name}"]')
        expect(field).to_have_value("")
        expect(field).to_be_editable()
