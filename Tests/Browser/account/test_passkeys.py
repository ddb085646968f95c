"""Passkeys with Chromium's own virtual authenticator: created, used to sign in and as a proof, renamed, removed."""

import contextlib
import re
import sqlite3

import pytest
from accessibility import serious
from playwright.sync_api import expect


class Phone:
    """A person's device with an authenticator that knows its owner."""

    def __init__(self, person):
        self.session = person.context.new_cdp_session(person.page)
        self.session.send("WebAuthn.enable")
        options = {
            "protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True,
            "isUserVerified": True, "automaticPresenceSimulation": True,
        }  # fmt: skip
        added = self.session.send("WebAuthn.addVirtualAuthenticator", {"options": options})
        self.id = added["authenticatorId"]

    def credentials(self):
        return self.session.send("WebAuthn.getCredentials", {"authenticatorId": self.id})["credentials"]

    def forget_owner(self):
        """From now on the authenticator does not recognise the person."""
        self.session.send("WebAuthn.setUserVerified", {"authenticatorId": self.id, "isUserVerified": False})


def add(person, name):
    page = person.open("/security")
    page.get_by_role("button", name="Add a passkey").click()
    sheet = page.get_by_role("dialog", name="Name of the passkey")
    sheet.get_by_label("Name").fill(name)
    sheet.get_by_role("button", name="Save").click()
    expect(page.locator(".passkeys").get_by_text(name)).to_be_visible()
    return page


def sign_out(person):
    person.open("/profile")
    person.page.get_by_role("button", name="Sign out").click()
    expect(person.page.get_by_role("link", name="Sign in").first).to_be_visible()


def test_a_passkey_signs_in_and_stands_first_from_then_on(student):
    phone = Phone(student)
    page = student.open("/sign-in")
    add(student, "My phone")
    assert [item["isResidentCredential"] for item in phone.credentials()] == [True]
    assert [item["rpId"] for item in phone.credentials()] == ["localhost"]
    sign_out(student)
    page = student.open("/sign-in?next=/explore")
    button = page.get_by_role("button", name="Sign in with a passkey")
    expect(button).to_be_visible()
    before = page.evaluate(
        "([a, b]) => a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING",
        [button.element_handle(), page.locator('[name="/login"]').element_handle()],
    )
    assert before
    expect(page.locator("main .button:not(.quiet)")).to_have_count(1)
    button.click()
    expect(page).to_have_url(re.compile(r"//[^/]+/explore$"))
    page = student.open("/security")
    expect(page.locator(".passkeys")).to_contain_text("last used on")


def test_an_authenticator_that_does_not_know_the_person_lets_nobody_in(student):
    phone = Phone(student)
    add(student, "My phone")
    sign_out(student)
    phone.forget_owner()
    page = student.open("/sign-in")
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_role("alert")).to_have_text("No passkey was used.")


def test_a_device_without_a_passkey_offers_it_last(newcomer):
    page = newcomer().open("/sign-in")
    button = page.get_by_role("button", name="Sign in with a passkey")
    expect(button).to_be_visible()
    after = page.evaluate(
        "([a, b]) => a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_PRECEDING",
        [button.element_handle(), page.locator('[name="/login"]').element_handle()],
    )
    assert after


def test_the_same_device_has_one_passkey_of_an_account_and_it_is_removed(student):
    Phone(student)
    page = add(student, "My phone")
    page.get_by_role("button", name="Add a passkey").click()
    expect(page.get_by_text("This device has a passkey of your account already.")).to_be_visible()
    page.get_by_role("button", name="Rename My phone").click()
    sheet = page.get_by_role("dialog", name="Name of the passkey")
    sheet.get_by_label("Name").fill("Old phone")
    sheet.get_by_role("button", name="Save").click()
    page.get_by_role("button", name="Remove Old phone").click()
    page.get_by_role("dialog").get_by_role("button", name="Remove", exact=True).click()
    expect(page.locator(".passkeys li")).to_have_count(0)


def test_a_passkey_proves_who_one_is(student, server):
    Phone(student)
    page = add(student, "My phone")
    with contextlib.closing(sqlite3.connect(server.data / "gradecast.db", timeout=60)) as store:
        store.execute("UPDATE sessions SET created_at = 0")
        store.execute("DELETE FROM session_proofs")
        store.commit()
    page.get_by_role("button", name="Set up an authenticator app").click()
    sheet = page.get_by_role("dialog", name="Is it you?")
    expect(sheet.get_by_role("button", name="Use the password instead")).to_be_visible()
    sheet.get_by_role("button", name="Use a passkey").click()
    expect(page.locator(".qr")).to_be_visible()


@pytest.mark.slow("makes a passkey in a browser of its own, and has axe read three views")
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_serious_where_passkeys_are(newcomer, theme):
    person = newcomer(color_scheme=theme, reduced_motion="reduce").sign_up()
    Phone(person)
    found = serious(add(person, "My phone"))
    person.page.get_by_role("button", name="Rename My phone").click()
    expect(person.page.get_by_role("dialog", name="Name of the passkey")).to_be_visible()
    found += serious(person.page)
    sign_out(person)
    assert found + serious(person.open("/sign-in")) == []
