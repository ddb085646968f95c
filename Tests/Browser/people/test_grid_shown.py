"""What a teacher does with the students that a filter shows."""

import re

import pytest
from accessibility import violations
from classroom import Classroom
from grid import LAB, MIDTERM, QUIET, cell, names, settled, type_in
from playwright.sync_api import expect


@pytest.fixture
def room(staff):
    """Three students, the first of whom has all results."""
    room = Classroom(staff("teacher"), students=3)
    for line in (MIDTERM, LAB, QUIET):
        room.enter(0, line, 7)
    return room


def joined(room, person, staff) -> str:
    """Enrols somebody new; returns the login."""
    account = person.sign_up().api("GET", "/v1/accounts/me")["body"]["id"]
    offer = staff("registrar").api("PUT", f"/v1/institutions/demo/members/{account}", {"role": "student"})["body"]
    person.api("POST", "/v1/invitations/accept", {"invitation": offer["invitation"]["id"]})
    room.call("POST", f"{room.path}/enrolments", {"student": account})
    return person.login


def test_those_whom_a_filter_shows_are_written_to(room, staff, newcomer):
    ada = newcomer()
    ada.login += "@example.org"
    address = joined(room, ada, staff)
    room.teacher.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = room.teacher.load(room.page)
    expect(names(page)).to_have_count(4)
    expect(page.get_by_role("button", name="Write to them")).to_have_count(0)
    page = room.teacher.load(f"{room.page}?only=toCome")
    expect(names(page)).to_have_count(3)
    page.get_by_role("button", name="Write to them").click()
    sheet = page.get_by_role("dialog", name="Write to 3 students")
    expect(sheet.get_by_text("The logins of 1 of 3 students are addresses.")).to_be_visible()
    expect(sheet.get_by_role("link", name="Write a mail")).to_have_attribute("href", f"mailto:?bcc={address}")
    sheet.get_by_role("button", name="Copy the addresses").click()
    expect(sheet.get_by_text("1 address copied.")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == address
    sheet.get_by_role("button", name="Copy names, logins and student numbers").click()
    expect(sheet.get_by_text("3 students copied.")).to_be_visible()
    lines = page.evaluate("navigator.clipboard.readText()").split("\r\n")
    expect(names(page)).to_have_text([line.split("\t")[0] for line in lines if line])
    assert f"Ada Student\t{address}\t" in lines
    assert violations(page) == []


def test_without_the_clipboard_the_text_is_shown(room):
    page = room.teacher.load(f"{room.page}?only=toCome")
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error()); }")
    page.get_by_role("button", name="Write to them").click()
    sheet = page.get_by_role("dialog", name="Write to 2 students")
    # Nobody's login is an address.
    expect(sheet.get_by_role("link", name="Write a mail")).to_have_count(0)
    sheet.get_by_role("button", name="Copy names, logins and student numbers").click()
    shown = sheet.get_by_label("Copy this text yourself")
    for name in room.names[1:3]:
        expect(shown).to_have_value(re.compile(re.escape(name)))


def test_a_link_to_a_mail_is_no_longer_than_mail_programs_take(anywhere):
    link = "async addresses => (await import('/app/pages/grid/sheets/message.js')).mailTo(addresses)"
    assert anywhere.evaluate(link, []) is None
    assert anywhere.evaluate(link, ["a+b@x.org", "é@x.org"]) == "mailto:?bcc=a%2Bb@x.org,%C3%A9@x.org"
    assert anywhere.evaluate(link, [f"student-{number}@example.org" for number in range(200)]) is None


def test_students_whose_results_others_change_meanwhile_are_shown(room):
    page = room.teacher.load(room.page)
    expect(names(page)).to_have_count(3)
    page.get_by_role("button", name="View", exact=True).click()
    sheet = page.get_by_role("dialog")
    expect(sheet.get_by_label("whose results others have changed since this page opened (0)")).to_be_visible()
    room.enter(1, MIDTERM, 55)
    sheet.get_by_label("whose results others have changed since this page opened (1)").check()
    sheet.get_by_role("button", name="Done").click()
    expect(names(page)).to_have_text([room.names[1]])
    expect(cell(page, 0, 0)).to_have_attribute("data-state", "fresh")
    # The next one joins; what the user enters does not count.
    room.enter(2, LAB, 5)
    expect(names(page)).to_have_text(room.names[1:])
    cell(page, 0, 2).click()
    type_in(page, "6")
    settled(page)
    expect(cell(page, 0, 2)).not_to_have_attribute("data-state", "fresh")
    # Opened again, the page knows of no changes: the address does not keep the filter.
    assert "only" not in page.url
    expect(names(room.teacher.load(page.url.removeprefix(room.teacher.url)))).to_have_count(3)


def test_what_others_changed_is_known_as_long_as_the_page_is_open(anywhere):
    known = anywhere.evaluate(
        """async () => {
            const { FreshMarks } = await import('/app/pages/grid/fresh.js');
            const marks = new FreshMarks(() => {}, () => {});
            marks.add('row', 'column', 3);
            marks.add('row', 'column', 5);
            const known = [marks.ever('row', 'column'), marks.ever('row', 'other'), marks.hasRow('row'), marks.hasRow('another')];
            marks.close();
            return known;
        }"""
    )
    assert known == [5, None, True, False]
