"""Registrars and administrators at work."""

import re

import pytest
from accessibility import violations
from conftest import PASSWORD
from playwright.sync_api import expect

# Staff stay, and others sign up anew in browsers that do.
STAYING = {"staff", "browser"}


def new_program(person, title, scheme="chalkboard"):
    page = person.open("/programs")
    page.get_by_role("button", name="New program").first.click()
    sheet = page.get_by_role("dialog")
    sheet.locator('[name="/title"]').fill(title)
    sheet.locator('[name="/scheme"]').select_option(scheme)
    sheet.get_by_role("button", name="Create draft").click()
    expect(page.get_by_role("heading", name=title)).to_be_visible()
    return page


def test_a_registrar_makes_a_draft_and_all_faults_of_its_rules_stand_in_place(staff):
    page = new_program(staff("registrar"), "Autumn rules")
    page.get_by_text("More settings").click()
    page.locator('[name="/configuration/courseLimit"]').fill("0")
    page.locator('[name="/configuration/bands/1/from"]').fill("95")
    page.locator('[name="/configuration/gpa/scale"]').fill("77")
    page.get_by_role("button", name="Save draft").click()
    for place in ("courseLimit", "bands/1/from", "gpa/scale"):
        expect(page.locator(f'[name="/configuration/{place}"]')).to_have_attribute("aria-invalid", "true")
    page.locator('[name="/configuration/courseLimit"]').fill("6")
    page.locator('[name="/configuration/bands/1/from"]').fill("82.5")
    page.locator('[name="/configuration/gpa/scale"]').fill("1")
    page.get_by_role("button", name="Save draft").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    page.reload()
    page.get_by_text("More settings").click()
    expect(page.locator('[name="/configuration/courseLimit"]')).to_have_value("6")
    expect(page.locator('[name="/configuration/bands/1/from"]')).to_have_value("82.5")


def test_a_doubtful_rule_is_saved_with_a_warning(staff):
    page = new_program(staff("registrar"), "Doubtful rules")
    page.locator('[name="/configuration/gpa/compareOn"]').select_option("exact")
    page.get_by_role("button", name="Save draft").click()
    expect(page.locator(".warnings li").first).to_be_visible()


def test_rows_are_added_and_removed(staff):
    page = new_program(staff("registrar"), "More letters")
    rows = page.locator('fieldset:has(> legend:text-is("Letters")) .settings-row')
    expect(rows).to_have_count(5)
    page.get_by_role("button", name="Remove row 1 of Letters").click()
    expect(rows).to_have_count(4)
    expect(page.locator('[name="/configuration/bands/0/label"]')).to_have_value("B")
    page.get_by_role("button", name="Save draft").click()
    expect(page.get_by_text("Saved.")).to_be_visible()


def test_somebody_invited_joins_as_a_teacher(staff, newcomer, url):
    page = staff("registrar").open("/programs")
    page.get_by_role("link", name="Members").first.click()
    page.locator('main form [name="/role"]').select_option("teacher")
    page.get_by_role("button", name="Make a link").click()
    link = page.locator(".link-once code").inner_text()
    invited = newcomer()
    invited.page.goto(link)
    invited.page.locator("main").get_by_role("link", name="Sign up").click()
    invited.page.fill('[name="/displayName"]', "Grace Teacher")
    invited.page.fill('[name="/login"]', invited.login)
    invited.page.fill('[name="/password"]', PASSWORD)
    invited.page.click("main button[type=submit]")
    invited.page.get_by_role("button", name="Join").click()
    expect(invited.page.get_by_text("You have joined.")).to_be_visible()
    assert "#" not in invited.page.url
    page.reload()
    expect(page.locator(".members > li", has_text=invited.login)).to_contain_text("Grace Teacher")


@pytest.mark.slow("opens the sheet of a number four times over the list of all members")
def test_a_registrar_numbers_members_and_no_two_alike(staff):
    page = staff("registrar").open("/institutions/demo/members")

    def number(member, text):
        page.get_by_role("button", name=f"Student number of {member}").click()
        page.locator('[name="/studentNumber"]').fill(text)
        page.get_by_role("dialog").get_by_role("button", name="Save").click()

    page.get_by_role("button", name="Student number of Demo student").first.click()
    expect(page.locator('[name="/studentNumber"]')).to_be_focused()
    assert violations(page) == []
    page.keyboard.press("Escape")
    row = page.locator(".members > li")
    number("Demo student", "20-417")
    expect(row.filter(has_text="No. 20-417")).to_contain_text("Demo student")
    number("Demo teacher", "20-417")
    field = page.locator('[name="/studentNumber"]')
    expect(field).to_have_attribute("aria-invalid", "true")
    page.keyboard.press("Escape")
    number("Demo student", "")
    expect(row.filter(has_text="No. 20-417")).to_have_count(0)


def test_a_registrar_chooses_the_time_zone_of_the_institution(staff):
    page = staff("registrar").open("/institutions/demo/members")
    zone = page.get_by_label("Time zone")
    expect(zone).to_have_value("UTC")
    expect(zone).to_have_accessible_description(
        "Daily mails with news are sent at 7 in the morning there, and due days end at its midnight."
    )
    zone.select_option("Europe/Paris")
    expect(page.get_by_text("Saved.", exact=True)).to_be_visible()
    page.reload()
    expect(zone).to_have_value("Europe/Paris")
    assert violations(page) == []
    with page.expect_response(lambda answer: answer.request.method == "PATCH" and answer.ok):
        zone.select_option("UTC")


def test_an_own_invitation_is_refused_in_the_right_words(staff):
    administrator = staff("administrator")
    page = administrator.open("/institutions/demo/members")
    page.get_by_role("button", name="Make a link").click()
    page.goto(page.locator(".link-once code").inner_text())
    page.get_by_role("button", name="Join").click()
    expect(page.get_by_role("alert")).to_have_text("You made this invitation yourself; someone else must invite you")


def test_a_student_sees_no_staff_pages(student):
    expect(student.page.get_by_role("link", name="Programs")).to_have_count(0)
    expect(student.page.get_by_role("link", name="Administration")).to_have_count(0)
    page = student.open("/admin/accounts")
    expect(page.get_by_role("heading", name="Nothing here")).to_be_visible()


def test_an_administrator_disables_and_helps_with_a_password(staff, student, newcomer):
    page = staff("administrator").open("/admin/accounts")
    page.get_by_label("Search by name or login").fill(student.login)
    expect(page.locator("main .record-link")).to_have_count(1)
    page.get_by_role("button", name="Disable").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Ada Student is signed out everywhere at once")
    dialog.get_by_role("button", name="Disable").click()
    expect(page.locator("main .record-link")).to_contain_text("disabled")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("main .record-link")).not_to_contain_text("disabled")
    page.get_by_role("button", name="Reset link").click()
    link = page.locator(".link-once code").inner_text()
    person = newcomer()
    person.page.goto(link)
    person.page.fill('[name="/password"]', "another long passphrase")
    person.page.get_by_role("button", name="Save").click()
    expect(person.page).to_have_url(re.compile("/sign-in$"))
    person.sign_in(student.login, "another long passphrase")


def test_an_administrator_signs_somebody_out(staff, student):
    theirs = student.new_record("chalkboard")
    expect(theirs.locator(".connection")).to_contain_text("Live")
    page = staff("administrator").open("/admin/accounts")
    page.get_by_label("Search by name or login").fill(student.login)
    expect(page.locator("main .record-link")).to_have_count(1)
    page.get_by_role("button", name="Sessions").click()
    sessions = page.locator("main .record-link .rows li")
    expect(sessions).to_have_count(1)
    sessions.get_by_role("button", name="Sign out there").click()
    expect(sessions).to_have_count(0)
    expect(theirs.get_by_role("heading", name="Every grade, exact and live.")).to_be_visible()


def test_a_disabled_account_is_shown_out_at_once(staff, student):
    page = student.new_record("chalkboard")
    expect(page.locator(".connection")).to_contain_text("Live")
    account = student.api("GET", "/v1/accounts/me")["body"]["id"]
    assert staff("administrator").api("PATCH", f"/v1/accounts/{account}", {"disabled": True})["status"] == 200
    expect(page.get_by_role("heading", name="Every grade, exact and live.")).to_be_visible()


def test_an_administrator_sees_how_the_server_is(staff):
    page = staff("administrator").open("/admin")
    expect(page.locator(".pill", has_text="Ready")).to_be_visible()
    with page.expect_response("**/readyz"):
        page.get_by_role("button", name="Refresh").click()
    expect(page.locator(".pill", has_text="Ready")).to_be_visible()


def test_an_administrator_takes_a_backup_away(staff):
    page = staff("administrator").open("/admin")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download a backup").click()
    assert download.value.path().read_bytes().startswith(b"SQLite format 3\0")


def test_an_administrator_founds_an_institution(staff):
    page = staff("administrator").open("/admin")
    page.locator('[name="/title"]').fill("Second College")
    page.locator('[name="/slug"]').fill("Second College")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.locator('[name="/slug"]')).to_have_attribute("aria-invalid", "true")
    page.locator('[name="/slug"]').fill("second")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.locator(".rows")).to_contain_text("Second College")


def test_an_administrator_reads_the_trail_of_one_person_and_of_one_thing(staff, student):
    page = staff("administrator").open("/admin")
    page.get_by_role("link", name="Audit trail").click()
    lines = page.locator(".audit > li")
    expect(lines.first).to_contain_text("Signed in")
    page.get_by_label("Search by name or login").fill(student.login)
    page.get_by_role("button", name="Show", exact=True).click()
    expect(page.locator(".chips")).to_contain_text("Done by Ada Student")
    expect(lines).to_have_count(2)
    expect(lines.last).to_contain_text("Account created")
    expect(lines.last.get_by_role("button", name="Ada Student")).to_be_visible()
    lines.last.get_by_text("Particulars").click()
    expect(lines.last.locator(".particulars")).to_contain_text("Ada Student")
    page.get_by_role("button", name="Remove the filter: Ada Student").click()
    expect(page.locator(".chips")).to_have_count(0)
    page.get_by_label("Search by name or login").fill("nobody of this name")
    page.get_by_role("button", name="Show", exact=True).click()
    expect(page.get_by_text("No one found.")).to_be_visible()


def test_a_tolerance_is_a_rule_of_its_own(staff):
    page = new_program(staff("registrar"), "Tolerant rules")
    page.locator('[name="/configuration/gpa/compareOn"]').select_option("tolerance")
    page.get_by_label("Tolerance").fill("0.05")
    page.get_by_role("button", name="Save draft").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    page.reload()
    expect(page.get_by_label("Tolerance")).to_have_value("0.05")


def test_what_the_form_offers_is_a_form_itself(staff):
    page = new_program(staff("registrar"), "Other numbers")
    page.get_by_text("More settings").click()
    example = "/configuration/formDefaults"
    page.locator(f'[name="{example}/fields/title"]').fill("Compilers")
    page.locator(f'[name="{example}/children/1/fields/points"]').fill("77.5")
    page.get_by_role("button", name="Save draft").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    page.reload()
    page.get_by_text("More settings").click()
    expect(page.locator(f'[name="{example}/fields/title"]')).to_have_value("Compilers")
    expect(page.locator(f'[name="{example}/children/1/fields/points"]')).to_have_value("77.5")


def test_a_link_for_a_new_password_comes_into_view_however_long_the_list_is(staff):
    page = staff("administrator", viewport={"width": 390, "height": 844}).open("/admin/accounts")
    page.get_by_role("button", name="Reset link").last.click()
    expect(page.locator(".link-once")).to_be_in_viewport()
