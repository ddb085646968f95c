"""API tokens on the security page: created, shown once, listed, ended."""

import re

from accessibility import violations
from playwright.sync_api import expect


def test_a_token_is_made_told_once_and_ended(student):
    page = student.open("/security")
    page.get_by_role("button", name="Create a token").click()
    sheet = page.get_by_role("dialog", name="Create a token")
    expect(sheet).to_be_visible()
    assert violations(page) == []
    sheet.get_by_label("Name").fill("Nightly export")
    sheet.get_by_label("Read records and follow them live").check()
    sheet.get_by_label("Ends after").select_option("30")
    sheet.get_by_label("Addresses (optional)").fill("127.0.0.1, 10.20.0.0/16")
    sheet.get_by_role("button", name="Create a token").click()
    section = page.locator(".tokens")
    text = section.locator("code").inner_text()
    assert re.fullmatch("gct_[A-Za-z0-9_-]{43}", text)
    expect(section.get_by_text("Works from 127.0.0.1, 10.20.0.0/16")).to_be_visible()
    expect(section.get_by_text("never used")).to_be_visible()
    assert violations(page) == []
    section.get_by_role("button", name="I have kept it").click()
    expect(section.locator("code")).to_have_count(0)
    page.reload()
    expect(section.get_by_text("Nightly export")).to_be_visible()
    assert text not in page.content()
    section.get_by_role("button", name="End Nightly export").click()
    page.get_by_role("dialog", name="End “Nightly export”?").get_by_role("button", name="End").click()
    expect(section.get_by_text("Nightly export")).to_have_count(0)


def test_what_is_wrong_with_a_token_stands_in_its_form(student):
    page = student.open("/security")
    page.get_by_role("button", name="Create a token").click()
    sheet = page.get_by_role("dialog", name="Create a token")
    sheet.get_by_label("Addresses (optional)").fill("everywhere")
    sheet.get_by_role("button", name="Create a token").click()
    expect(sheet.get_by_text("Write an address or a network")).to_be_visible()
    expect(sheet.get_by_label("Name")).to_have_attribute("aria-invalid", "true")
