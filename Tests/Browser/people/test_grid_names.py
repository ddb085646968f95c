"""First and last names of students: the profile takes them, and staff sort, find and import by them."""

import pytest
from accessibility import violations
from classroom import SMALL_PHONE, Classroom
from grid import MIDTERM, cell, names, opened, settled
from playwright.sync_api import expect
from waiting import eventually

STAYING = {"staff"}

BY_SHOWN = ["Amara Okafor", "Anneliese Vogt", "Demo student"]
BY_LAST = ["Okafor, Amara", "Demo student", "Vogt, Anneliese"]


def chosen(page, by):
    page.get_by_role("button", name="View", exact=True).click()
    page.get_by_role("dialog").get_by_label("Sort students by").select_option(by)
    page.get_by_role("button", name="Done").click()


@pytest.fixture
def room(staff):
    """Students of the demonstration, one of whom has said neither a first nor a last name, and one more."""
    room = Classroom(staff("teacher"), students=0)
    known = {}
    for item in room.call("GET", "/v1/institutions/demo/members?role=student&limit=200")["items"]:
        known[item["displayName"]] = item["account"]
    for name in ("Amara Okafor", "Anneliese Vogt", "Demo student"):
        enrol(room, known[name])
    return room


def enrol(room, account):
    made = room.call("POST", f"{room.path}/enrolments", {"student": account})
    room.rows.append(made["enrolment"])


@pytest.mark.slow("a student signs up and says who he is on a phone; the teacher sorts, finds and imports")
def test_a_teacher_sorts_by_last_names_and_enters_a_file_of_them(room, staff, newcomer):
    student = newcomer(viewport=SMALL_PHONE).sign_up()
    page = student.open("/profile")
    page.fill('[name="/displayName"]', "Kit")
    page.fill('[name="/givenName"]', "Christopher")
    page.fill('[name="/familyName"]', "Abbott Smith")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    assert violations(page) == []
    page.reload()
    expect(page.get_by_label("First name")).to_have_value("Christopher")
    expect(page.get_by_label("Last name")).to_have_value("Abbott Smith")
    account = student.api("GET", "/v1/accounts/me")["body"]["id"]
    answer = staff("registrar").api("PUT", f"/v1/institutions/demo/members/{account}", {"role": "student"})
    assert answer["status"] == 202, answer
    offer = {"invitation": answer["body"]["invitation"]["id"]}
    assert student.api("POST", "/v1/invitations/accept", offer)["status"] == 201
    enrol(room, account)

    page = opened(room)
    expect(names(page)).to_have_text(["Amara Okafor", "Anneliese Vogt", "Demo student", "Kit"])
    chosen(page, "last name")
    expect(names(page)).to_have_text(["Abbott Smith, Christopher", *BY_LAST])
    assert "names=last" in page.url
    assert violations(page) == []
    # The other lists of the class are sorted alike.
    page.get_by_role("button", name="Students", exact=True).click()
    sheet = page.get_by_role("dialog")
    expect(sheet.locator(".rows a")).to_have_text(["Abbott Smith, Christopher", *BY_LAST])
    page.keyboard.press("Escape")
    # The first and the last name find the student, whatever is displayed.
    cell(page, 0, 0).click()
    page.keyboard.press("/")
    page.keyboard.type("christopher abb")
    expect(names(page)).to_have_text(["Abbott Smith, Christopher"])
    page.locator(".grid-find").fill("")
    expect(names(page)).to_have_count(4)
    # A file with the names as other systems write them.
    body = 'Student,Midterm\n"Abbott Smith, Christopher",70\n"Vogt, Anneliese",80\nDemo student,90\n'
    page.get_by_role("button", name="Import", exact=True).click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_label("File").set_input_files({"name": "a.csv", "mimeType": "text/csv", "buffer": body.encode()})
    expect(page.locator(".grid-plan")).to_contain_text("3 new")
    page.get_by_role("button", name="Enter these results").click()
    settled(page)
    eventually(page, lambda: room.values(MIDTERM) == [None, "80", "90", "70"])
    # The view is a link, and by first names the displayed ones are shown.
    page = room.teacher.load(page.url.removeprefix(room.teacher.url))
    expect(names(page)).to_have_text(["Abbott Smith, Christopher", *BY_LAST])
    chosen(page, "first name")
    expect(names(page)).to_have_text(["Amara Okafor", "Anneliese Vogt", "Kit", "Demo student"])
    assert "names=first" in page.url


def listed(page):
    """Those of the room's students, in the order of a program's list of all students of the institution."""
    shown = page.locator(".rows li:has(.button) strong, .rows li:has(.muted) strong").all_inner_texts()
    return [name for name in shown if name in {*BY_LAST, *BY_SHOWN}]


@pytest.mark.parametrize(
    ("language", "label", "last"),
    [
        ("en", "Sort students by", "last name"),
        ("fr", "Trier les étudiants par", "nom de famille"),
        ("zh-Hans", "学生排序依据", "姓"),
    ],
)
def test_the_people_of_a_program_are_sorted_by_the_same_choice(room, newcomer, language, label, last):
    person = room.teacher_elsewhere(newcomer, language=language)
    path = f"/programs/{room.program}/people"
    page = person.open(path)
    eventually(page, lambda: listed(page) == BY_SHOWN)
    page.get_by_label(label).select_option(last)
    eventually(page, lambda: listed(page) == BY_LAST)
    assert page.url.endswith("?names=last")
    assert violations(page) == []
    # The view is a link.
    page = person.load(f"{path}?names=last")
    eventually(page, lambda: listed(page) == BY_LAST)
    expect(page.get_by_label(label)).to_have_value("last")
    page.get_by_label(label).select_option("")
    eventually(page, lambda: listed(page) == BY_SHOWN)
    assert page.url.endswith(path)
    # Unknown names are no choice.
    page = person.load(f"{path}?names=middle")
    eventually(page, lambda: listed(page) == BY_SHOWN)
