"""Groups of students: made and filled, one result for all members, and the grid of a grader who is limited to some
groups."""

import pytest
from accessibility import violations
from classroom import Classroom
from grid import LAB, cell, head, keys, names, opened
from playwright.sync_api import expect
from texts import LANGUAGES, shown
from waiting import eventually

STAYING = {"student", "staff"}


@pytest.fixture
def room(staff):
    return Classroom(staff("teacher"), title="Teams", students=4)


def new_group(room, title, rows):
    group = room.call("POST", f"{room.path}/groups", {"set": "Labs", "title": title})["group"]["id"]
    room.call("POST", f"{room.path}/groups/{group}/members", {"join": [room.rows[row]["id"] for row in rows]})
    return group


@pytest.mark.slow("makes a group by its sheets, three of which axe reads, and undoes its result")
def test_a_teacher_makes_a_group_and_gives_its_members_one_result(room):
    page = opened(room)
    page.get_by_role("button", name="Students").click()
    page.get_by_role("button", name="Groups").click()
    page.get_by_role("button", name="New group").click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_label("Set").fill("Labs")
    sheet.get_by_label("Name of the group").fill("Monday")
    for name in room.names[:3]:
        sheet.get_by_label(name).check()
    assert violations(page) == []
    sheet.get_by_role("button", name="Save").click()
    expect(page.get_by_role("dialog").get_by_text("3 students")).to_be_visible()
    assert violations(page) == []
    keys(page, "Escape")
    page.get_by_label("Group", exact=True).select_option(label="Monday")
    expect(names(page)).to_have_count(3)
    head(page, 1).click()
    page.get_by_role("button", name="Result for a group").click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_label("Result", exact=True).fill("8")
    sheet.get_by_label(room.names[1]).uncheck()
    assert violations(page) == []
    sheet.get_by_role("button", name="Enter for all of them").click()
    eventually(page, lambda: room.values(LAB) == ["8", None, "8", None])
    # One act, which is undone as one.
    cell(page, 0, 1).click()
    keys(page, "Control+z")
    eventually(page, lambda: room.values(LAB) == [None] * 4)
    page.get_by_role("button", name="History").click()
    expect(page.get_by_role("dialog").get_by_text("You made group Monday").first).to_be_visible()


def grader_of(room, staff, person, groups):
    """Makes a person a grader who is limited to some groups."""
    account = person.api("GET", "/v1/accounts/me")["body"]["id"]
    path = f"/v1/institutions/{room.call('GET', room.path)['class']['institution']}/members/{account}"
    answer = staff("registrar").api("PUT", path, {"role": "teacher", "programs": [room.program]})
    assert answer["status"] == 202, answer
    accepted = person.api("POST", "/v1/invitations/accept", {"invitation": answer["body"]["invitation"]["id"]})
    assert accepted["status"] == 201, accepted
    room.call("POST", f"{room.path}/staff", {"account": account, "role": "grader", "groups": groups})


def test_a_grader_of_groups_sees_one_of_them_at_a_time(room, staff, student):
    groups = [new_group(room, "Monday", [0, 1]), new_group(room, "Tuesday", [2]), new_group(room, "Friday", [3])]
    grader_of(room, staff, student, groups[:2])
    page = student.open(room.page)
    expect(names(page)).to_have_count(2)
    assert room.names[2] not in shown(page)
    expect(page.get_by_role("button", name="History")).to_have_count(0)
    page.get_by_label("Group", exact=True).select_option(label="Tuesday")
    expect(names(page)).to_have_text([room.names[2]])
    room.enter(2, LAB, 9)
    expect(cell(page, 0, 1)).to_have_text("9")
    assert violations(page) == []


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_groups_speak_no_english_to_others(room, newcomer, language):
    new_group(room, "一", [0, 1])
    texts = LANGUAGES[language]
    english = {text for text in LANGUAGES["en"].values() if "{" not in text} - set(texts.values()) - {"Midterm", "Labs"}
    page, found = opened(room, room.teacher_elsewhere(newcomer, language)), set()
    head(page, 1).click()
    page.get_by_role("button", name=texts["group.mark"]).click()
    found |= shown(page) & english
    keys(page, "Escape")
    page.get_by_role("button", name=texts["roster.open"], exact=True).click()
    page.get_by_role("button", name=texts["group.many"], exact=True).click()
    found |= shown(page) & english
    page.get_by_role("button", name=texts["group.new"], exact=True).click()
    found |= shown(page) & english
    assert found == set()
