"""Webhooks on the institution's page: made with their secret, tried, changed, turned off, ended; on a phone, too."""

import contextlib
import re
import sqlite3

import pytest
from accessibility import violations
from playwright.sync_api import expect
from waiting import eventually

STAYING = {"staff"}


def webhooks(staff, **context):
    """The page of a registrar, opened through the members."""
    person = staff("registrar", **context)
    page = person.open("/programs")
    page.locator("a[href$='/members']").first.click()
    page.locator("a[href$='/webhooks']").click()
    expect(page.locator("h1")).to_contain_text("Webhook")
    return page


def make(page, title, url="https://receiver.invalid/grades"):
    """Creates a webhook; returns its card and its secret."""
    page.get_by_role("button", name="Create a webhook").click()
    sheet = page.get_by_role("dialog", name="Create a webhook")
    expect(sheet).to_be_visible()
    assert violations(page) == []
    sheet.get_by_role("textbox", name="Title").fill(title)
    sheet.get_by_role("textbox", name="Address").fill(url)
    sheet.get_by_label("Record changed").uncheck()
    sheet.get_by_role("button", name="Create a webhook").click()
    told = page.get_by_role("group", name=f"Secret of “{title}”")
    expect(told.locator("code")).to_have_text(re.compile(r"^whsec_[A-Za-z0-9+/]{43}=$"))
    secret = told.locator("code").inner_text()
    assert violations(page) == []
    told.get_by_role("button", name="I have kept it").click()
    expect(told).to_have_count(0)
    return page.locator(".service").filter(has=page.get_by_role("heading", name=title, exact=True)), secret


def end(page, card, title):
    card.get_by_role("button", name=f"End {title}").click()
    page.get_by_role("dialog", name=f"End “{title}”?").get_by_role("button", name="End").click()
    expect(card).to_have_count(0)


@pytest.mark.slow("makes, tries, changes, turns off and ends a webhook by its sheets")
def test_a_webhook_is_made_tried_changed_and_ended(staff):
    page = webhooks(staff)
    card, secret = make(page, "Registry")
    expect(card).to_contain_text("Record created")
    expect(card).not_to_contain_text("Record changed")
    card.get_by_role("button", name="Test Registry").click()
    expect(card.get_by_role("status")).to_contain_text("The message was not accepted: the host is unknown.")
    card.get_by_role("button", name="Turn off Registry").click()
    expect(card).to_contain_text("Turned off")
    card.get_by_role("button", name="New secret for Registry").click()
    told = page.get_by_role("group", name="Secret of “Registry”")
    expect(told.locator("code")).not_to_have_text(secret)
    card.get_by_role("button", name="Edit Registry").click()
    sheet = page.get_by_role("dialog", name="Edit Registry")
    expect(sheet.get_by_role("textbox", name="Address")).to_have_value("https://receiver.invalid/grades")
    sheet.get_by_label("Messages contain").select_option("document")
    sheet.get_by_role("button", name="Save").click()
    expect(card).to_contain_text("The whole record")
    page.reload()
    expect(card).to_contain_text("Turned off")
    assert secret not in page.content()
    end(page, card, "Registry")


@pytest.mark.slow("waits for two attempts of the server to deliver a message")
def test_what_was_given_up_is_seen_and_sent_again(staff, newcomer, server):
    page = webhooks(staff)
    card, _ = make(page, "Out of reach")
    list_of = page.url.replace("/institutions", "/v1/institutions")
    newcomer().sign_up().new_record("chalkboard")

    def state():
        return next(
            item for item in page.request.get(list_of).json()["items"] if item["title"] == "Out of reach"
        )  # fmt: skip

    eventually(page, lambda: state()["refusal"] is not None)
    with contextlib.closing(sqlite3.connect(server.data / "gradecast.db", timeout=60)) as store, store:
        store.execute("UPDATE webhook_deliveries SET queued_at = queued_at - 259200000000, due_at = 0, attempts = 9")
    eventually(page, lambda: state()["failed"] == 1)
    page.reload()
    expect(card).to_contain_text("1 message was given up")
    card.get_by_role("button", name="Undelivered messages of Out of reach").click()
    expect(card.get_by_role("listitem").filter(has_text="Record created")).to_contain_text("the host is unknown")
    assert violations(page) == []
    card.get_by_role("button", name="Send again: Record created").click()
    expect(card).to_contain_text("1 message waits")
    expect(card).not_to_contain_text("was given up")
    end(page, card, "Out of reach")


def test_an_address_that_is_not_allowed_is_named_at_its_field(staff):
    page = webhooks(staff)
    page.get_by_role("button", name="Create a webhook").click()
    sheet = page.get_by_role("dialog", name="Create a webhook")
    sheet.get_by_role("textbox", name="Title").fill("Inside")
    sheet.get_by_role("textbox", name="Address").fill("https://10.0.0.1/")
    sheet.get_by_role("button", name="Create a webhook").click()
    expect(sheet.get_by_role("textbox", name="Address")).to_have_attribute("aria-invalid", "true")
    assert violations(page) == []


@pytest.mark.slow("makes a webhook by its sheet in one browser, and ends it in another")
def test_an_administrator_sees_and_ends_a_webhook_alone(staff):
    card, _ = make(webhooks(staff), "Left behind")
    page = staff("administrator").open(card.page.url.split("://", 1)[1].partition("/")[2].join(("/", "")))
    card = page.locator(".service").filter(has=page.get_by_role("heading", name="Left behind", exact=True))
    expect(card).to_be_visible()
    expect(card.get_by_role("button")).to_have_count(1)
    expect(page.get_by_role("button", name="Create a webhook")).to_have_count(0)
    assert violations(page) == []
    end(page, card, "Left behind")


@pytest.mark.slow("signs in at two browsers of other languages and at a phone, and has axe read the page in each")
def test_the_page_is_whole_in_other_languages_and_on_a_phone(staff):
    for context in ({"locale": "fr-FR"}, {"locale": "zh-CN"}, {"viewport": {"width": 360, "height": 740}}):
        page = webhooks(staff, **context)
        assert violations(page) == []
        expect(page.locator("main")).not_to_contain_text(re.compile(r"webhooks\.\w"))
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
