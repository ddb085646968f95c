"""Signing up, in and out; the profile; leaving."""

import json
import re

import pytest
from accessibility import violations
from conftest import PASSWORD
from playwright.sync_api import expect

# People sign up anew in browsers that stay.
STAYING = {"browser"}


def test_a_page_that_still_loads_hears_that_another_tab_signs_out(newcomer):
    person = newcomer(service_workers="block").sign_up()
    other = person.open("/profile")
    page = person.window()
    held = []
    page.route("**/app/built/main-*.js", lambda route: held.append(route))
    with page.expect_response("**/v1/session"):
        page.goto(person.url + "/profile", wait_until="commit")
    other.get_by_role("button", name="Sign out", exact=True).click()
    expect(other.get_by_role("link", name="Sign in").first).to_be_visible()
    for route in held:
        route.continue_()
    expect(page.get_by_role("link", name="Sign in").first).to_be_visible()


def test_my_work_is_there_without_the_programs_and_begins_one_record(newcomer):
    person = newcomer(service_workers="block").sign_up()
    page = person.page
    page.route("**/v1/institutions/*/programs*", lambda route: route.fulfill(status=503, json={"code": "unavailable"}))
    person.open("/work")
    expect(page.get_by_text("Nothing here yet.")).to_be_visible()
    page.unroute("**/v1/institutions/*/programs*")
    page = person.load("/work")
    lost = []

    def lose(route):
        lost.append(route.fetch().status)
        route.abort()

    page.route("**/v1/records", lose)
    # The server would tell the page about the record that it made; here the page learns of it only by the second tap.
    page.route("**/v1/work*", lambda route: route.abort())
    button = page.locator('button:has(img[src$="scheme-chalkboard.svg"])').first
    button.click()
    expect(page.get_by_text("The server cannot be reached.").first).to_be_visible()
    assert lost == [201]
    page.unroute("**/v1/records")
    # The answer was lost: the next tap repeats the same request.
    button.click()
    page.wait_for_url("**/records/*")
    assert len(person.api("GET", "/v1/records")["body"]["items"]) == 1


def test_a_newcomer_has_a_grade_after_five_acts(newcomer):
    person = newcomer()
    page = person.open("/")
    page.get_by_role("link", name="Start").click()
    page.fill('[name="/displayName"]', "Nora Newcomer")
    page.fill('[name="/login"]', person.login)
    page.fill('[name="/password"]', PASSWORD)
    page.click("main button[type=submit]")
    page.get_by_role("heading", name="Start a record of your own").wait_for()
    page.locator('button:has(img[src$="scheme-chalkboard.svg"])').first.evaluate(
        "button => [1, 2].forEach(() => button.click())"
    )
    page.get_by_label("Title").first.fill("Algorithms")
    page.get_by_role("button", name="Add Course").click()
    expect(page.locator(".board-line")).to_have_text("1) Algorithms | 3")
    expect(page.locator(".board-gpa")).to_have_text("GPA: 3.00")
    # Two taps make one record.
    assert len(person.api("GET", "/v1/records")["body"]["items"]) == 1


@pytest.mark.slow("goes by hand through all the forms that other tests leave to the API")
def test_by_hand_one_signs_up_starts_a_record_and_comes_back_to_it(newcomer):
    """What other tests do over the API, as a user does it: the forms for signing up, for a new record and for signing
    in."""
    person = newcomer()
    page = person.open("/")
    page.get_by_role("link", name="Start").first.click()
    page.fill('[name="/displayName"]', "Ada Student")
    page.fill('[name="/login"]', person.login)
    page.fill('[name="/password"]', PASSWORD)
    page.click("main button[type=submit]")
    expect(page.get_by_role("heading", name="My work")).to_be_visible()
    for scheme, has_sample in (("iut", True), ("iut", False), ("rose-hulman", None), ("chalkboard", None)):
        page.locator("nav").get_by_role("link", name="Records").first.click()
        page.get_by_role("button", name="New record").click()
        page.locator(f'.option:has(img[src$="scheme-{scheme}.svg"])').first.click()
        if has_sample is not None:
            page.locator('[name="/template"]').set_checked(has_sample)
        page.get_by_role("button", name="Start it").click()
        page.wait_for_url("**/records/*")
        expect(page.locator(".record")).to_be_visible()
        if has_sample is not None:
            expect(page.locator(".unit")).to_have_count(7 if has_sample else 0)
    expect(page.locator(".board")).to_be_visible()
    record = page.url
    page.locator(".me").click()
    page.get_by_role("button", name="Sign out", exact=True).click()
    page.locator("header").get_by_role("link", name="Sign in").click()
    page.fill('[name="/login"]', person.login)
    page.fill('[name="/password"]', PASSWORD)
    page.click("main button[type=submit]")
    expect(page.get_by_role("heading", name="My work")).to_be_visible()
    page.goto(record)
    expect(page.locator(".board")).to_be_visible()


@pytest.mark.parametrize(
    ("locale", "first", "last"),
    [
        ("en-US", "First name (optional)", "Last name (optional)"),
        ("fr-FR", "Prénom (facultatif)", "Nom de famille (facultatif)"),
        ("zh-CN", "名（可选）", "姓（可选）"),
    ],
)
def test_one_who_signs_up_may_say_a_first_and_a_last_name(newcomer, locale, first, last):
    person = newcomer(locale=locale)
    page = person.open("/sign-up")
    expect(page.get_by_label(first)).to_have_attribute("autocomplete", "given-name")
    expect(page.get_by_label(last)).to_have_attribute("autocomplete", "family-name")
    assert violations(page) == []
    page.fill('[name="/displayName"]', "Ada")
    page.get_by_label(first).fill("x" * 101)
    page.get_by_label(last).fill(" Lovelace ")
    page.fill('[name="/login"]', person.login)
    page.fill('[name="/password"]', PASSWORD)
    page.click("main button[type=submit]")
    # The fault stands at its field, and what was typed beside it stays.
    expect(page.get_by_label(first)).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_label(last)).to_have_value(" Lovelace ")
    page.get_by_label(first).fill(" ")
    page.click("main button[type=submit]")
    page.wait_for_url("**/work")
    account = person.api("GET", "/v1/accounts/me")["body"]
    assert (account["displayName"], account["givenName"], account["familyName"]) == ("Ada", None, "Lovelace")


def test_a_short_password_and_a_missing_name_are_told_in_place(newcomer):
    page = newcomer().open("/sign-up")
    page.fill('[name="/login"]', "")
    page.fill('[name="/password"]', "short")
    page.click("main button[type=submit]")
    expect(page.locator('[name="/password"]')).to_have_attribute("aria-invalid", "true")
    expect(page.locator('[name="/login"]')).to_have_attribute("aria-invalid", "true")


def test_a_taken_login_is_told_at_its_field(newcomer, student):
    page = newcomer().open("/sign-up")
    page.fill('[name="/displayName"]', "Somebody else")
    page.fill('[name="/login"]', student.login)
    page.fill('[name="/password"]', PASSWORD)
    page.click("main button[type=submit]")
    expect(page.locator('[name="/login"]')).to_have_attribute("aria-invalid", "true")


def test_the_eye_shows_the_password(newcomer):
    page = newcomer().open("/sign-in")
    page.fill('[name="/password"]', "secret words")
    page.get_by_role("button", name="Show password").click()
    expect(page.locator('[name="/password"]')).to_have_attribute("type", "text")


def test_a_wrong_password_is_refused_and_the_right_one_returns_to_the_page(newcomer, student):
    student.page.goto(student.url + "/profile")
    student.page.get_by_role("button", name="Sign out").click()
    expect(student.page.get_by_role("link", name="Sign in").first).to_be_visible()
    page = student.open("/records")
    page.locator("main").get_by_role("link", name="Sign in").click()
    page.fill('[name="/login"]', student.login)
    page.fill('[name="/password"]', "not the password")
    page.click("main button[type=submit]")
    expect(page.get_by_role("alert")).to_be_visible()
    page.fill('[name="/password"]', PASSWORD)
    page.click("main button[type=submit]")
    expect(page).to_have_url(re.compile("/records$"))
    expect(page.get_by_role("heading", name="My records")).to_be_visible()


def test_signing_out_in_one_tab_signs_out_the_other(student):
    other = student.open("/records", student.window())
    student.open("/profile")
    student.page.get_by_role("button", name="Sign out").click()
    expect(other.get_by_role("link", name="Sign in").first).to_be_visible()


def test_the_profile_is_kept(student):
    page = student.open("/profile")
    page.fill('[name="/displayName"]', "Ada Lovelace")
    page.fill('[name="/description"]', "First of her kind")
    page.select_option('[name="/gender"]', "female")
    page.locator('[name="/avatarHue"]').fill("123.4")
    expect(page.locator(".face .avatar")).to_have_css("filter", "hue-rotate(123.4deg)")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    page.reload()
    expect(page.locator('[name="/displayName"]')).to_have_value("Ada Lovelace")
    expect(page.locator('[name="/description"]')).to_have_value("First of her kind")
    expect(page.locator('[name="/gender"]')).to_have_value("female")
    expect(page.locator(".face .avatar")).to_have_css("filter", "hue-rotate(123.4deg)")


def test_language_and_theme_switch_at_once_and_stay(student):
    page = student.open("/profile")
    # The page changes before the account is updated.
    with page.expect_response(lambda answer: answer.request.method == "PATCH"):
        page.locator('[name="language"][value="fr"]').check(force=True)
    expect(page.get_by_role("heading", name="Profil", exact=True)).to_be_visible()
    with page.expect_response(lambda answer: answer.request.method == "PATCH"):
        page.locator('[name="language"][value="zh-Hans"]').check(force=True)
    expect(page.get_by_role("heading", name="个人资料")).to_be_visible()
    page.locator('[name="theme"][value="dark"]').check(force=True)
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.reload()
    expect(page.get_by_role("heading", name="个人资料")).to_be_visible()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == dark
    assert page.evaluate("document.documentElement.lang") == "zh-Hans"
    page.locator('[name="theme"][value="light"]').check(force=True)
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != dark


def test_a_deleted_account_is_gone(student, newcomer):
    page = student.open("/profile")
    page.get_by_role("button", name="Delete my account").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete my account").click()
    expect(page.get_by_role("link", name="Start")).to_be_visible()
    page = newcomer().open("/sign-in")
    page.fill('[name="/login"]', student.login)
    page.fill('[name="/password"]', PASSWORD)
    page.click("main button[type=submit]")
    expect(page.get_by_role("alert")).to_be_visible()


def test_a_password_is_changed_by_whoever_knows_the_old_one(student, newcomer):
    page = student.open("/security")
    page.fill('[name="/current"]', "not my passphrase")
    page.fill('[name="/new"]', "another long passphrase")
    page.get_by_role("button", name="Change the password").click()
    expect(page.locator('[name="/current"]')).to_have_attribute("aria-invalid", "true")
    page.fill('[name="/current"]', PASSWORD)
    page.get_by_role("button", name="Change the password").click()
    expect(page.get_by_text("The password is changed.")).to_be_visible()
    newcomer().sign_in(student.login, "another long passphrase")


def through_rosefire(page, button: str, name: str):
    """Presses the button and gives a name in the window of the stand-in."""
    with page.expect_popup() as popup:
        page.get_by_role("button", name=button).click()
    popup.value.get_by_role("button", name=name).click()


def test_somebody_signs_in_by_way_of_rosefire(newcomer):
    person = newcomer()
    page = person.open("/sign-in")
    through_rosefire(page, "Continue with Rosefire", "Ada Lovelace")
    expect(page.get_by_role("heading", name="My work")).to_be_visible()
    page = person.open("/profile")
    expect(page.locator(".face-name")).to_have_text("Ada Lovelace")
    page.get_by_role("link", name="Sign-in and security").click()
    expect(page.locator(".activity li").first).to_contain_text("Signed in · Rosefire")
    page.get_by_role("button", name="Remove Rosefire").click()
    # Rosefire cannot prove a person's identity again, and these people have no other way yet.
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Add a passkey on the page about security first.")
    dialog.get_by_role("button", name="Close").click()
    expect(page.get_by_role("button", name="Remove Rosefire")).to_be_visible()


def test_a_closed_window_of_rosefire_changes_nothing(newcomer):
    page = newcomer().open("/sign-in")
    with page.expect_popup() as popup:
        page.get_by_role("button", name="Continue with Rosefire").click()
    expect(popup.value.get_by_role("button", name="Ada Lovelace")).to_be_visible()
    popup.value.close()
    expect(page.get_by_role("button", name="Continue with Rosefire")).to_be_enabled()
    expect(page.get_by_role("alert")).to_have_count(0)


def test_rosefire_is_linked_used_and_removed(student, newcomer):
    page = student.open("/security")
    through_rosefire(page, "Link Rosefire", "Grace Hopper")
    expect(page.get_by_text("Rosefire is linked.")).to_be_visible()
    other = newcomer().open("/sign-in")
    through_rosefire(other, "Continue with Rosefire", "Grace Hopper")
    expect(other.get_by_role("heading", name="My work")).to_be_visible()
    other.goto(student.url + "/profile")
    expect(other.locator(".face-name")).to_have_text("Ada Student")
    page.get_by_role("button", name="Remove Rosefire").click()
    expect(page.get_by_role("button", name="Link Rosefire")).to_be_visible()


def test_an_administrator_exports_and_erases_somebodys_data_for_a_reason(newcomer, server, student):
    administrator = newcomer().sign_in(*server.sign_ins()["administrator"].values())
    page = administrator.open("/admin/accounts")
    page.get_by_label("Search by name or login").fill(student.login)
    row = page.locator(".record-link", has_text=student.login)
    row.get_by_role("button", name="Export", exact=True).click()
    sheet = page.get_by_role("dialog")
    expect(sheet.locator(".consequences li")).to_have_count(2)
    sheet.get_by_role("button", name="Export", exact=True).click()
    expect(sheet.locator(".fault")).to_have_text("Please give a reason.")
    sheet.get_by_label("Reason").fill("asked for by letter")
    with page.expect_download() as download:
        sheet.get_by_role("button", name="Export", exact=True).click()
    data = json.loads(open(download.value.path()).read())
    assert data["account"]["login"] == student.login
    expect(sheet).to_have_count(0)
    assert told(administrator, data) == ["account.exported"]

    row.get_by_role("button", name="Erase", exact=True).click()
    expect(sheet.locator(".consequences")).to_contain_text("This cannot be undone.")
    sheet.get_by_label("Reason").fill("asked for by letter")
    sheet.get_by_label(f"Type the login {student.login} to confirm").fill("somebody else")
    sheet.get_by_role("button", name="Erase", exact=True).click()
    expect(sheet.locator(".fault")).to_have_text("This is not the login of the account.")
    sheet.get_by_label(f"Type the login {student.login} to confirm").fill(student.login)
    sheet.get_by_role("button", name="Erase", exact=True).click()
    expect(row).to_have_count(0)
    assert student.api("GET", "/v1/accounts/me")["status"] == 401
    assert told(administrator, data)[0] == "account.deleted"


def told(administrator, data) -> list[str]:
    """What the trail says was done to somebody for the given reason, newest first."""
    lines = administrator.api("GET", f"/v1/audit?subject={data['account']['id']}")["body"]["items"]
    return [line["action"] for line in lines if line["detail"] and "by letter" in json.dumps(line["detail"])]
