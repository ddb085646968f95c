"""An authenticator app: set up, asked for at sign-in, replaced by a recovery code, removed."""

import contextlib
import re
import sqlite3
import subprocess
import time

import pytest
from accessibility import serious
from conftest import PASSWORD
from playwright.sync_api import expect

# People sign up anew in browsers that stay.
STAYING = {"browser"}


def shown(secret: str, later: int = 0) -> str:
    """The code that an authenticator app shows, now or `later` seconds from now."""
    command = ["oathtool", "--totp", "--base32", "--now", f"@{int(time.time()) + later}", secret.replace(" ", "")]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout.strip()


def set_up(person) -> tuple[str, list[str]]:
    """Sets up an authenticator app; returns its secret and the recovery codes."""
    page = person.open("/security")
    page.get_by_role("button", name="Set up an authenticator app").click()
    expect(page.get_by_role("img", name="QR code for your authenticator app")).to_be_visible()
    secret = page.locator(".secret").inner_text()
    page.fill('.factor [name="/code"]', shown(secret))
    page.get_by_role("button", name="Confirm").click()
    expect(page.locator(".codes li")).to_have_count(10)
    return secret, page.locator(".codes li").all_inner_texts()


def sign_out(person):
    person.open("/profile")
    person.page.get_by_role("button", name="Sign out").click()
    expect(person.page.get_by_role("link", name="Sign in").first).to_be_visible()


def give_password(person, next_page="/records"):
    page = person.open(f"/sign-in?next={next_page}")
    page.fill('[name="/login"]', person.login)
    page.fill('[name="/password"]', PASSWORD)
    page.click("main button[type=submit]")
    expect(page.get_by_role("heading", name="Second factor")).to_be_visible()
    return page


def test_an_app_is_set_up_and_asked_for(student):
    secret, _ = set_up(student)
    student.page.get_by_role("button", name="I have kept them").click()
    expect(student.page.locator(".codes")).to_have_count(0)
    expect(student.page.get_by_text("10 recovery codes left")).to_be_visible()
    sign_out(student)
    page = give_password(student, "/explore")
    expect(page.locator('[name="/code"]')).to_be_focused()
    page.fill('[name="/code"]', "000000")
    page.click("main button[type=submit]")
    expect(page.locator('[name="/code"]')).to_have_attribute("aria-invalid", "true")
    page.fill('[name="/code"]', shown(secret, later=30))
    page.click("main button[type=submit]")
    expect(page).to_have_url(re.compile(r"//[^/]+/explore$"))


def test_a_lost_phone_is_made_good_by_a_recovery_code(student):
    _, codes = set_up(student)
    sign_out(student)
    page = give_password(student)
    page.fill('[name="/code"]', codes[0].lower())
    page.click("main button[type=submit]")
    expect(page.get_by_role("heading", name="My records")).to_be_visible()
    page = student.open("/security")
    expect(page.get_by_text("9 recovery codes left")).to_be_visible()
    page.get_by_role("button", name="Remove the second factor").click()
    page.get_by_role("dialog").get_by_role("button", name="Remove the second factor").click()
    expect(page.get_by_role("button", name="Set up an authenticator app")).to_be_visible()


def test_new_recovery_codes_are_told_once_and_can_be_saved(student):
    _, codes = set_up(student)
    page = student.open("/security")
    expect(page.locator(".codes")).to_have_count(0)
    page.get_by_role("button", name="New recovery codes").click()
    page.get_by_role("dialog").get_by_role("button", name="New recovery codes").click()
    expect(page.locator(".codes li")).to_have_count(10)
    fresh = page.locator(".codes li").all_inner_texts()
    assert not set(fresh) & set(codes)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as a file").click()
    assert open(download.value.path()).read().split() == fresh


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_serious_where_codes_are_shown_and_asked_for(newcomer, theme):
    person = newcomer(color_scheme=theme, reduced_motion="reduce").sign_up()
    set_up(person)
    found = serious(person.page)
    sign_out(person)
    assert found + serious(give_password(person)) == []


def grow_old(server):
    """Makes the last proof of every session old."""
    with contextlib.closing(sqlite3.connect(server.data / "gradecast.db", timeout=60)) as store:
        store.execute("UPDATE sessions SET created_at = 0")
        store.execute("DELETE FROM session_proofs")
        store.commit()


def test_the_page_asks_in_place_who_one_is_and_goes_on(student, server):
    page = student.open("/security")
    grow_old(server)
    page.get_by_role("button", name="Set up an authenticator app").click()
    sheet = page.get_by_role("dialog", name="Is it you?")
    expect(sheet.locator('[name="/password"]')).to_be_focused()
    assert serious(page) == []
    sheet.get_by_role("button", name="Cancel").click()
    expect(sheet).to_have_count(0)
    expect(page.locator(".qr")).to_have_count(0)
    page.get_by_role("button", name="Set up an authenticator app").click()
    sheet.locator('[name="/password"]').fill("not the password")
    sheet.get_by_role("button", name="Continue").click()
    expect(sheet.locator('[name="/password"]')).to_have_attribute("aria-invalid", "true")
    sheet.locator('[name="/password"]').fill(PASSWORD)
    sheet.get_by_role("button", name="Continue").click()
    expect(page.locator(".qr")).to_be_visible()


def test_a_backup_is_downloaded_after_the_page_has_asked(newcomer, server):
    administrator = newcomer().sign_in(*server.sign_ins()["administrator"].values())
    page = administrator.open("/admin")
    grow_old(server)
    page.get_by_role("link", name="Download").click()
    sheet = page.get_by_role("dialog", name="Is it you?")
    sheet.locator('[name="/password"]').fill(server.sign_ins()["administrator"]["password"])
    with page.expect_download() as download:
        sheet.get_by_role("button", name="Continue").click()
    assert download.value.suggested_filename.endswith(".db")
