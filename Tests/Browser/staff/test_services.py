"""Service accounts on the institution's page: created, given a secret that is rotated, changed, ended."""

import re
import urllib.parse

import pytest
from accessibility import violations
from playwright.sync_api import expect

STAYING = {"staff"}


def services(staff, **context):
    """The page of a registrar, opened through the members."""
    person = staff("registrar", **context)
    page = person.open("/programs")
    page.locator("a[href$='/members']").first.click()
    page.locator("a[href$='/services']").click()
    expect(page.locator("h1")).to_contain_text(re.compile("Service accounts|Comptes de service|服务账号"))
    return page


def make(page, name):
    """Creates a registrar's service account; returns its card, expanded."""
    page.get_by_role("button", name="Create a service account").click()
    sheet = page.get_by_role("dialog", name="Create a service account")
    expect(sheet).to_be_visible()
    assert violations(page) == []
    sheet.get_by_role("textbox", name="Name").fill(name)
    sheet.get_by_label("Acts as").select_option("registrar")
    sheet.get_by_label("Read members and invitations").check()
    sheet.get_by_role("button", name="Create a service account").click()
    return page.locator(".service").filter(has=page.get_by_role("heading", name=name, exact=True))


def make_secret(page, card, name):
    """Creates a secret; returns its text."""
    card.get_by_role("button", name="Create a secret").click()
    sheet = page.get_by_role("dialog", name="Create a secret")
    expect(sheet.get_by_role("checkbox")).to_have_count(0)
    sheet.get_by_label("Name").fill(name)
    sheet.get_by_role("button", name="Create a secret").click()
    text = card.get_by_role("group", name=f"Secret “{name}”").locator("code").inner_text()
    assert re.fullmatch("gcs_[A-Za-z0-9_-]{43}", text)
    card.get_by_role("button", name="I have kept it").click()
    return text


@pytest.mark.slow("makes an account and two secrets by their sheets, and loads the page after their use")
def test_a_service_account_is_made_and_its_secret_rolled(staff, server):
    page = services(staff)
    card = make(page, "Timetables")
    first = make_secret(page, card, "Rack 1")
    assert violations(page) == []
    second = make_secret(page, card, "Rack 2")
    form = {"grant_type": "client_credentials", "client_id": card.locator("code").first.inner_text()}
    token = f"{page.url.split('/institutions')[0]}/v1/oauth/token"
    assert page.request.post(token, form={**form, "client_secret": first}).ok
    card.get_by_role("button", name="End Rack 1").click()
    page.get_by_role("dialog", name="End “Rack 1”?").get_by_role("button", name="End").click()
    expect(card.get_by_text("Rack 1")).to_have_count(0)
    assert page.request.post(token, form={**form, "client_secret": first}).json() == {"error": "invalid_client"}
    assert page.request.post(token, form={**form, "client_secret": second}).ok
    page.reload()
    card.get_by_role("button", name="Secrets and tokens of Timetables").click()
    expect(card.get_by_text("last used on")).to_have_count(1)
    assert first not in page.content() and second not in page.content()


@pytest.mark.slow("makes an account by its sheet in one browser, and ends it in another")
def test_an_administrator_sees_and_ends_a_service_account_alone(staff):
    card = make(services(staff), "Left behind")
    expect(card).to_be_visible()
    page = staff("administrator").open(urllib.parse.urlsplit(card.page.url).path)
    card = page.locator(".service").filter(has=page.get_by_role("heading", name="Left behind", exact=True))
    expect(card).to_be_visible()
    expect(page.get_by_role("button", name="Create a service account")).to_have_count(0)
    expect(card.get_by_role("button")).to_have_count(1)
    assert violations(page) == []
    card.get_by_role("button", name="End Left behind").click()
    page.get_by_role("dialog").get_by_role("button", name="End").click()
    expect(card).to_have_count(0)


@pytest.mark.slow("makes, changes and ends an account by one sheet after the other")
def test_a_service_account_is_given_a_token_changed_and_ended(staff):
    page = services(staff)
    card = make(page, "Exports")
    card.get_by_role("button", name="Create a token").click()
    sheet = page.get_by_role("dialog", name="Create a token")
    # A token can get the scopes of the service account, and no more.
    expect(sheet.get_by_role("checkbox")).to_have_count(1)
    sheet.get_by_label("Name").fill("Nightly")
    sheet.get_by_role("checkbox").check()
    sheet.get_by_role("button", name="Create a token").click()
    token = card.get_by_role("group", name="Token “Nightly”").locator("code")
    expect(token).to_have_text(re.compile("^gct_[A-Za-z0-9_-]{43}$"))
    page.get_by_role("button", name="Edit Exports").click()
    sheet = page.get_by_role("dialog", name="Edit Exports")
    expect(sheet.get_by_label("Name")).to_have_value("Exports")
    expect(sheet.get_by_label("Read members and invitations")).to_be_checked()
    sheet.get_by_label("Acts as").select_option("teacher")
    program = sheet.get_by_role("group", name="Programs").get_by_role("checkbox").first
    program.check()
    assert violations(page) == []
    sheet.get_by_role("button", name="Save").click()
    expect(card.locator(".pill")).to_have_text("teacher")
    page.get_by_role("button", name="End Exports").click()
    page.get_by_role("dialog", name="End “Exports”?").get_by_role("button", name="End").click()
    expect(card).to_have_count(0)


@pytest.mark.slow("signs in at two browsers of other languages, and has axe read the page in each")
def test_the_page_is_whole_in_french_and_chinese(staff):
    for locale in ("fr-FR", "zh-CN"):
        page = services(staff, locale=locale)
        assert violations(page) == []
        expect(page.locator("main")).not_to_contain_text(re.compile(r"services\.\w|secret\.\w"))
