"""A role that needs a second factor: the page leads to setting one up, and then to the page that was requested."""

import json
import subprocess

import pytest
from accessibility import violations
from conftest import PASSWORD, Server, binary
from playwright.sync_api import expect
from test_passkeys import Phone
from test_second_factor import shown, sign_out

# People sign up anew in browsers that stay.
STAYING = {"browser"}


@pytest.fixture(scope="module")
def strict(tmp_path_factory):
    folder = tmp_path_factory.mktemp("strict")
    config = folder / "config.json"
    config.write_text(json.dumps({"signIn": {"secondFactor": {"administrators": True}}}))
    server = Server(folder / "data", "--config", str(config)).start()
    yield server
    server.stop()


@pytest.fixture
def url(strict):
    return strict.url


@pytest.fixture
def person(student, strict):
    student.data = strict.data
    return student


@pytest.fixture
def chief(person):
    """A new administrator, who was a student a moment ago."""
    promote(person)
    return person


def promote(person):
    command = [binary(), "account", "role", person.login, "administrator", "--data", person.data]
    assert subprocess.run(command, capture_output=True, timeout=60).returncode == 0


def expect_enrolment(page):
    expect(page.get_by_role("heading", name="Second factor", level=1)).to_be_visible()
    expect(page.get_by_text("Your role needs a second factor")).to_be_visible()


def test_an_app_is_set_up_on_the_way_to_the_page_that_was_wanted(chief):
    page = chief.open("/admin/accounts")
    expect_enrolment(page)
    assert page.url.endswith("/admin/accounts")
    assert violations(page) == []
    page.get_by_role("button", name="Set up an authenticator app").click()
    page.fill('.factor [name="/code"]', shown(page.locator(".secret").inner_text()))
    page.get_by_role("button", name="Confirm").click()
    expect(page.locator(".codes li")).to_have_count(10)
    page.get_by_role("button", name="I have kept them").click()
    expect(page.get_by_role("heading", name="Accounts")).to_be_visible()
    assert page.url.endswith("/admin/accounts")


def test_a_page_that_is_open_notices_when_the_role_needs_one(person):
    page = person.open("/records")
    promote(person)
    page.get_by_role("link", name="Explore").click()
    page.get_by_role("link", name="My work").click()
    expect_enrolment(page)


def test_a_page_whose_refusal_comes_after_the_news_shows_the_way_too(person):
    page = person.open("/explore")
    held = []
    page.route("**/v1/records", lambda route: held.append(route))
    with page.expect_request("**/v1/records"):
        page.get_by_role("link", name="Records").first.click()
    promote(person)
    # This is what another tab sends when it has signed in or out: the page then asks who uses it.
    other = person.open("/", person.window())
    with page.expect_response("**/v1/session"):
        other.evaluate("new BroadcastChannel('gradecast.session').postMessage('changed')")
    with page.expect_response("**/v1/records"):
        held[0].continue_()
    expect_enrolment(page)


def test_a_passkey_is_enough_and_is_asked_for_after_the_password(chief):
    phone = Phone(chief)
    page = chief.open("/admin")
    expect_enrolment(page)
    page.get_by_role("button", name="Add a passkey").click()
    expect(page.get_by_role("heading", name="Administration")).to_be_visible()
    assert len(phone.credentials()) == 1
    sign_out(chief)
    page = chief.open("/sign-in?next=/admin")
    page.fill('[name="/login"]', chief.login)
    page.fill('[name="/password"]', PASSWORD)
    page.click("main button[type=submit]")
    expect_enrolment(page)
    page.get_by_role("button", name="Show it").click()
    page.get_by_role("dialog", name="Is it you?").get_by_role("button", name="Use a passkey").click()
    expect(page.get_by_role("heading", name="Administration")).to_be_visible()


def test_it_is_said_in_every_language(chief):
    for language, words in (("fr", "Votre rôle exige un second facteur"), ("zh-Hans", "您的角色需要第二重验证")):
        page = chief.open("/")
        page.evaluate("language => localStorage.setItem('gradecast.language', language)", language)
        page = chief.load("/admin")
        expect(page.get_by_text(words)).to_be_visible()
    page.get_by_role("button", name="退出登录").click()
    expect(page.get_by_role("link", name="登录").first).to_be_visible()
