"""Sign-in with a provider to which the browser goes and from which it comes back."""

import json
import re

import pytest
from conftest import Person, Server
from issuer import CLIENT, SECRET, Issuer
from playwright.sync_api import expect


@pytest.fixture(scope="module")
def issuer():
    running = Issuer()
    yield running
    running.stop()


@pytest.fixture(scope="module")
def campus(tmp_path_factory, issuer):
    """A server with the issuer, under the address that the issuer sends browsers back to."""
    folder = tmp_path_factory.mktemp("providers")
    secret, path = folder / "secret", folder / "config.json"
    secret.write_text(SECRET)
    secret.chmod(0o600)
    server = Server(folder / "data", "--config", str(path))
    entry = {"id": "university", "title": "University", "issuer": issuer.url, "clientId": CLIENT}
    config = {
        "publicUrl": server.url,
        "signIn": {"oidc": [entry | {"clientSecretFile": str(secret)}]},
        "outbound": {"networks": ["127.0.0.0/8"]},
    }
    path.write_text(json.dumps(config))
    server.start()
    yield server
    server.stop()


@pytest.fixture
def visitor(browser, campus):
    """Makes people with a browser of their own at that server; none of their pages may break."""
    people = []

    def make():
        people.append(Person(browser, campus.url))
        return people[-1]

    yield make
    problems = [problem for person in people for problem in person.problems]
    for person in people:
        person.context.close()
    assert problems == []


def test_somebody_signs_in_and_is_led_to_the_page_asked_for(visitor, issuer):
    issuer.visitor = {"subject": "ada", "name": "Ada Lovelace"}
    page = visitor().open("/sign-in?next=%2Fsecurity")
    page.get_by_role("button", name="Continue with University").click()
    page.wait_for_url("**/security")
    expect(page.get_by_role("button", name="Remove University")).to_be_visible()


def test_what_came_back_stands_neither_in_the_address_nor_in_the_history(visitor, issuer):
    issuer.visitor = None
    page = visitor().open("/sign-in")
    page.get_by_role("button", name="Continue with University").click()
    expect(page.get_by_role("alert")).to_have_text("The provider did not sign you in.")
    assert re.fullmatch(r"http://localhost:\d+/sign-in/university", page.url)
    page.get_by_role("link", name="Back to sign-in").click()
    expect(page.get_by_role("button", name="Continue with University")).to_be_enabled()


def test_a_stolen_answer_signs_nobody_in(visitor, issuer):
    """Login CSRF: the address of an attacker's own way back, opened in the victim's browser."""
    issuer.visitor = {"subject": "mallory"}
    attacker, victim = visitor(), visitor()
    attacker.open("/sign-in")
    attempt = attacker.api("POST", "/v1/sign-in/university", {})["body"]
    page = victim.page
    page.goto(attempt["location"])
    expect(page.get_by_role("alert")).to_contain_text("begin again")
    assert victim.api("GET", "/v1/accounts/me")["status"] == 401
    assert "code=" not in page.url


def test_an_account_is_linked_and_then_signed_in_to(visitor, issuer):
    issuer.visitor = {"subject": "grace", "name": "Grace Hopper"}
    person = visitor().sign_up()
    page = person.open("/security")
    page.get_by_role("button", name="Link University").click()
    expect(page.get_by_role("button", name="Remove University")).to_be_visible()
    other = visitor()
    page = other.open("/sign-in")
    page.get_by_role("button", name="Continue with University").click()
    expect(page.get_by_role("heading", name="My records")).to_be_visible()
    assert other.api("GET", "/v1/accounts/me")["body"]["displayName"] == "Ada Student"
