"""The client as it ships: few files, and what happens when a server of another build takes over."""

import shutil

import pytest
from conftest import ROOT, Person, Server, bundled
from playwright.sync_api import expect


def test_a_class_opens_with_few_files(resident):
    teacher = resident("teacher")
    room = teacher.api("GET", "/v1/classes")["body"]["items"][0]["id"]
    asked = []
    teacher.page.on("request", lambda request: asked.append(request.url.removeprefix(teacher.url)))
    teacher.load(f"/classes/{room}").wait_for_load_state("networkidle")
    assert len([path for path in asked if path.startswith("/app/")]) <= 20, asked
    # Two requests in sequence, and the socket beside the second: each is a round trip on a phone.
    assert sorted(path for path in asked if path.startswith("/v1/")) == [
        f"/v1/classes/{room}",
        f"/v1/classes/{room}/program",
        "/v1/live/tickets",
        "/v1/session",
    ]


@pytest.fixture
def renewed(tmp_path):
    """A server of its own, which can be started with another client."""
    server = Server(tmp_path / "data").start()
    yield server
    server.stop()


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
