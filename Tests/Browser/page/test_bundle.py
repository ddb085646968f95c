"""The client as it ships: few files, and what happens when a server of another build takes over."""

import shutil

import pytest
from conftest import ROOT, Person, Server, bundled
from playwright.sync_api import expect


PHONE = {"viewport": {"width": 390, "height": 844}}


def requests(person, path: str) -> list[str]:
    """All that a page asks of the server with an empty cache, its socket included, until nothing more comes."""
    asked = []
    page = person.page
    page.on("request", lambda request: asked.append(request.url.removeprefix(person.url)))
    page.on("websocket", lambda socket: asked.append(socket.url.partition("://")[2].partition("/")[2]))
    person.load(path).wait_for_load_state("networkidle")
    return asked


def test_a_class_opens_with_few_requests(resident):
    teacher = resident("teacher", **PHONE)
    room = teacher.api("GET", "/v1/classes")["body"]["items"][0]["id"]
    asked = requests(teacher, f"/classes/{room}")
    # The sheets of the page come once the rows are shown.
    before = [path for path in asked if not path.startswith("/app/built/all-")]
    assert len(before) <= 15, asked
    assert len(asked) <= 16, asked
    # Two requests in sequence, and the socket beside the second: each is a round trip on a phone.
    assert sorted(path for path in asked if path.startswith("/v1/")) == [
        f"/v1/classes/{room}",
        f"/v1/classes/{room}/program",
        "/v1/live/tickets",
        "/v1/session",
    ]


def test_a_record_opens_with_few_requests(newcomer):
    student = newcomer(**PHONE).sign_up()
    program = next(
        item["id"]
        for item in student.api("GET", "/v1/institutions/demo/programs")["body"]["items"]
        if item["scheme"] == "rose-hulman" and item["version"]
    )
    record = student.api("POST", "/v1/records", {"program": program})["body"]["record"]["id"]
    asked = requests(student, f"/records/{record}")
    assert len(asked) <= 18, asked


def test_the_front_page_opens_with_few_requests(newcomer):
    asked = requests(newcomer(**PHONE), "/")
    assert len(asked) <= 9, asked


def test_the_page_to_sign_in_asks_once_for_the_ways_to(newcomer):
    asked = requests(newcomer(**PHONE), "/sign-in")
    assert [path for path in asked if path.startswith("/v1/")] == ["/v1/session", "/v1/sign-in"]


def test_texts_and_sheets_of_a_page_come_from_files_of_their_own_after_another_page(resident):
    teacher = resident("teacher")
    teacher.load("/programs")
    page = teacher.open("/classes")
    expect(page.get_by_role("heading", level=1)).to_have_text("Classes")
    page = teacher.open("/profile")
    expect(page.get_by_role("heading", level=1)).to_have_text("Profile")
    # In another language as well.
    page.evaluate("localStorage.setItem('gradecast.language', 'fr')")
    page = teacher.load("/classes")
    expect(page.get_by_role("heading", level=1)).to_have_text("Cours")
    page.evaluate("localStorage.removeItem('gradecast.language')")


def test_a_sheet_whose_file_does_not_come_is_asked_for_again(resident):
    teacher = resident("teacher")
    room = teacher.api("GET", "/v1/classes")["body"]["items"][0]["id"]
    page = teacher.page
    page.route("**/app/built/all-*.js", lambda route: route.abort())
    teacher.load(f"/classes/{room}")
    page.get_by_role("button", name="Students", exact=True).click()
    expect(page.get_by_text("The server cannot be reached.")).to_be_visible()
    page.unroute_all()
    page.get_by_role("button", name="Students", exact=True).click()
    expect(page.get_by_role("dialog", name="Students of the class")).to_be_visible()


@pytest.fixture
def renewed(tmp_path):
    """A server of its own, which can be started with another client."""
    server = Server(tmp_path / "data").start()
    yield server
    server.stop()


@pytest.mark.slow("bundles another client, and stops and starts its server with it")
def test_a_page_of_an_older_build_loads_the_new_one(browser, renewed, tmp_path):
    person = Person(browser, renewed.url, service_workers="block")
    person.open("/")
    renewed.stop()
    web = tmp_path / "Web"
    shutil.copytree(ROOT / "Web", web)
    texts = web / "app" / "i18n" / "en.json"
    texts.write_text(texts.read_text().replace("Grading schemes", "Every scheme"))
    renewed.web = bundled(web, tmp_path / "built")
    renewed.start()
    person.page.locator('a[href="/explore"]').first.click()
    expect(person.page.get_by_role("heading", level=1)).to_have_text("Every scheme")
    person.context.close()
