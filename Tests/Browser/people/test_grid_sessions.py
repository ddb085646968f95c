"""Results and the people who type them: sessions that end, another person at the browser, signing out."""

import pytest
from classroom import Classroom
from desk import lose_until_pressed
from grid import MIDTERM, cell, kept, opened, type_in
from playwright.sync_api import expect
from waiting import eventually


@pytest.fixture
def small(staff):
    return Classroom(staff("teacher"), students=4)


def signed_in(page, entry):
    """Signs in on the page that asks for it."""
    page.fill('[name="/login"]', entry["login"])
    page.fill('[name="/password"]', entry["password"])
    page.click("main button[type=submit]")


def test_what_is_typed_when_the_session_ends_waits_for_its_author(small, server):
    page = opened(small)
    page.keyboard.type("64")
    expect(page.locator(".grid-editor")).to_have_value("64")
    small.teacher.context.clear_cookies()
    page.evaluate("new BroadcastChannel('gradecast.session').postMessage('changed')")
    other = small.teacher.window()
    other.goto(small.teacher.url + "/explore")
    other.evaluate("new BroadcastChannel('gradecast.session').postMessage('changed')")
    expect(page.locator(".grid")).to_have_count(0)
    expect(page.locator("header a", has_text="Sign in")).to_be_visible()
    eventually(page, lambda: kept(page) > 0)
    page.goto(small.teacher.url + "/sign-in")
    signed_in(page, server.sign_ins()["teacher"])
    eventually(page, lambda: kept(page) == 0)
    assert small.values(MIDTERM)[0] == "64"


def test_what_one_typed_is_not_entered_as_the_one_who_signed_in_meanwhile(small, staff, server):
    page = opened(small)
    page.keyboard.type("66")
    other = small.teacher.window()
    other.goto(small.teacher.url + "/records")
    other.evaluate(
        """async entry => {
             const body = JSON.stringify({...entry, cookie: true});
             const answer = await fetch('/v1/sessions', {method: 'POST', headers: {'content-type': 'application/json'}, body});
             if (!answer.ok) throw new Error(await answer.text());
             new BroadcastChannel('gradecast.session').postMessage('changed');
           }""",
        server.sign_ins()["registrar"],
    )
    expect(page.locator(".grid-editor")).to_have_count(0)
    eventually(page, lambda: kept(page) > 0)
    lines = staff("registrar").api("GET", f"{small.path}/ledger?limit=20")["body"]["items"]
    assert [line for line in lines if line["operation"] == "cells"] == []
    other.goto(small.teacher.url + "/profile")
    other.get_by_role("button", name="Sign out", exact=True).click()
    expect(other.locator(".banner")).to_contain_text("1 change on this device")
    other.goto(small.teacher.url + "/sign-in")
    signed_in(other, server.sign_ins()["teacher"])
    eventually(other, lambda: kept(other) == 0)
    assert small.values(MIDTERM)[0] == "66"


def test_signing_out_asks_about_results_that_wait(small):
    page = opened(small)
    lose_until_pressed(page, "/v1/classes/", "Send and sign out")
    type_in(page, "71")
    expect(cell(page, 0, 0)).to_have_attribute("data-state", "waiting")
    expect(page.locator(".connection")).to_contain_text("1 change waiting")
    page.locator(".me").click()
    page.get_by_role("button", name="Sign out", exact=True).click()
    sheet = page.get_by_role("dialog")
    expect(sheet).to_contain_text("1 change has not been sent")
    sheet.get_by_role("button", name="Send and sign out").click()
    expect(page.get_by_role("link", name="Sign in").first).to_be_visible()
    assert kept(page) == 0


def test_results_that_do_not_open_any_more_are_told_and_given_up(small):
    page = small.teacher.open("/classes")
    body = small.teacher.api("GET", "/v1/accounts/me")["body"]
    page.evaluate("id => localStorage.setItem(`gradecast.cell.${id}.x`, 'of.anotherKey')", body.get("account", body)["id"])
    page.reload()
    banner = page.locator(".banner", has_text="1 unsent change on this device cannot be opened any more")
    banner.get_by_role("button", name="Discard").click()
    expect(banner).to_have_count(0)
    assert kept(page) == 0
