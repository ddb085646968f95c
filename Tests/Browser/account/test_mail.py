"""An email address, a forgotten password and an invitation, by the links that a mail server on loopback receives."""

import contextlib

import pytest
from accessibility import violations
from conftest import configured
from playwright.sync_api import expect
from postbox import Postbox, link

# People sign up anew in browsers that stay.
STAYING = {"browser"}

NEW = "another long passphrase"


@pytest.fixture(scope="module")
def postbox():
    with contextlib.closing(Postbox()) as box:
        yield box


@pytest.fixture(scope="module")
def campus(tmp_path_factory, postbox):
    mail = {"smtp": postbox.url, "from": "Gradecast <grades@example.org>"}
    with configured(tmp_path_factory.mktemp("mail"), {"mail": mail}) as server:
        yield server


@pytest.fixture(scope="module")
def url(campus):
    return campus.url


def give(person, address):
    """Enters an address on the security page."""
    page = person.open("/security")
    page.fill('.email [name="/email"]', address)
    page.get_by_role("button", name="Send the link").click()
    expect(page.locator(".email").get_by_text(f"{address} waits to be confirmed")).to_be_visible()
    return page


def confirm(person, postbox, address):
    """Enters an address and follows its link."""
    give(person, address)
    page = follow(person, postbox.mail(address))
    expect(page.get_by_role("heading", name="Confirm your e-mail address")).to_be_visible()
    assert "#" not in page.url
    page.get_by_role("button", name="Confirm").click()
    page.wait_for_url("**/security")
    expect(page.locator(".email").get_by_text(f"Mail is sent to {address}")).to_be_visible()
    return page


def follow(person, mail):
    where, token = link(mail)
    return person.open(f"{where}#{token}")


@pytest.mark.slow("waits for two mails, for which the courier looks once a second")
def test_an_address_is_confirmed_changed_and_removed(newcomer, postbox):
    person = newcomer().sign_up()
    first, second = f"{person.login}@example.net", f"{person.login}@example.com"
    page = confirm(person, postbox, first)
    assert violations(page) == []
    card = page.locator(".email")
    card.get_by_role("button", name="Change").click()
    page.fill('.email [name="/email"]', "nobody")
    card.get_by_role("button", name="Send the link").click()
    expect(page.locator('.email [name="/email"]')).to_have_attribute("aria-invalid", "true")
    page.fill('.email [name="/email"]', second)
    card.get_by_role("button", name="Send the link").click()
    expect(card.get_by_text(f"{second} waits to be confirmed")).to_be_visible()
    expect(card.get_by_text(f"Mail is sent to {first}")).to_be_visible()
    card.get_by_role("button", name="Remove the address").click()
    page.get_by_role("dialog").get_by_role("button", name="Remove the address").click()
    expect(page.locator('.email [name="/email"]')).to_be_visible()
    assert postbox.mail(first, 2)["Subject"] == "Your e-mail address was removed"


@pytest.mark.slow("waits for two mails, for which the courier looks once a second")
def test_a_forgotten_password_is_reset(newcomer, postbox):
    person = newcomer().sign_up()
    address = f"{person.login}@example.net"
    confirm(person, postbox, address)
    other = newcomer(viewport={"width": 390, "height": 844})
    page = other.open("/sign-in")
    page.get_by_role("link", name="Forgotten your password?").click()
    expect(page.get_by_role("heading", name="Forgotten your password?")).to_be_visible()
    assert violations(page) == []
    page.fill('[name="/login"]', person.login)
    page.get_by_role("button", name="Send a link").click()
    expect(page.get_by_role("status").filter(has_text="a link is on its way")).to_be_visible()
    page = follow(other, postbox.mail(address, 2))
    page.fill('[name="/password"]', NEW)
    page.get_by_role("button", name="Save").click()
    page.wait_for_url("**/sign-in")
    other.sign_in(person.login, NEW)


def test_a_link_that_was_used_says_so(newcomer, postbox):
    person = newcomer().sign_up()
    address = f"{person.login}@example.net"
    confirm(person, postbox, address)
    page = follow(person, postbox.mail(address))
    assert violations(page) == []
    page.get_by_role("button", name="Confirm").click()
    expect(page.get_by_role("alert")).to_contain_text("This link was used already or has expired")


def test_an_invitation_is_mailed(newcomer, campus, postbox):
    registrar = newcomer().sign_in(**campus.sign_ins()["registrar"])
    guest = newcomer()
    address = f"{guest.login}@example.net"
    institution = registrar.api("GET", "/v1/institutions/demo")["body"]["institution"]["id"]
    page = registrar.open(f"/institutions/{institution}/members")
    page.fill('[name="/email"]', address)
    page.get_by_role("button", name="Make a link").click()
    expect(page.get_by_text(f"The invitation is sent to {address}.")).to_be_visible()
    page = follow(guest, postbox.mail(address))
    expect(page.get_by_role("heading", name="Invitation")).to_be_visible()


def test_without_mail_nothing_of_it_is_offered(newcomer, server):
    person, guest = newcomer(), newcomer()
    person.url = guest.url = server.url
    page = person.sign_up().open("/security")
    expect(page.get_by_role("heading", name="Signed in on")).to_be_visible()
    expect(page.locator(".email")).to_have_count(0)
    page = guest.open("/sign-in")
    expect(page.get_by_role("button", name="Sign in", exact=True)).to_be_visible()
    expect(page.get_by_role("link", name="Forgotten your password?")).to_have_count(0)
