"""The history of a class, and of one cell: values before and after, filters, and undo."""

import pytest
from accessibility import violations
from classroom import SMALL_PHONE, Classroom
from grid import LAB, MIDTERM, cell, keys, opened, ordered, paste, settled, type_in
from playwright.sync_api import expect
from texts import LANGUAGES, shown
from waiting import eventually

STAYING = {"staff"}


@pytest.fixture
def small(staff):
    return Classroom(staff("teacher"), students=4)


def account(person):
    return person.api("GET", "/v1/accounts/me")["body"]["id"]


def joined(small, staff):
    """The registrar as another teacher of the class."""
    registrar = staff("registrar")
    small.call("POST", f"{small.path}/staff", {"account": account(registrar), "role": "teacher"})
    return registrar


def history(page):
    page.get_by_role("button", name="History", exact=True).click()
    sheet = page.get_by_role("dialog", name="History of the class")
    expect(sheet.locator(".history > li").first).to_be_visible()
    return sheet


def acts(sheet):
    return sheet.locator(".history > li")


def rows(act):
    """The cells of an act as the page shows them: student, column, before, after."""
    return act.locator("tbody tr")


def in_row(*texts):
    return "".join(texts)


def test_an_act_opens_to_its_cells_with_what_stood_there_before(small):
    small.enter(0, MIDTERM, 40)
    page = opened(small)
    order = ordered(page, small)
    before = {name: "40" if name == small.names[0] else "–" for name in order}
    paste(page, "70\t7\n71\t8\n72\t9")
    expect(page.locator(".grid-plan")).to_be_visible()
    keys(page, "Enter")
    settled(page)
    act = acts(history(page)).first
    expect(act.locator("summary")).to_have_text("You: 6 cells")
    expect(rows(act)).to_have_count(0)
    act.locator("summary").click()
    expect(act.locator("thead")).to_have_text("StudentColumnBeforeAfter")
    expect(rows(act)).to_have_count(6)
    for place, name in enumerate(order[:3]):
        own = rows(act).filter(has_text=name)
        expect(own.filter(has_text="Midterm")).to_have_text(in_row(name, "Midterm", before[name], str(70 + place)))
        expect(own.filter(has_text="Lab 1")).to_have_text(in_row(name, "Lab 1", "–", str(7 + place)))
    assert violations(page) == []


def test_the_history_is_filtered_by_student_column_and_person(small, staff):
    registrar = joined(small, staff)
    cells = [(0, MIDTERM, 50), (1, MIDTERM, 60), (0, LAB, 5)]
    wish = [{"row": small.rows[row]["id"], "line": small.lines[line], "value": value} for row, line, value in cells]
    small.call("POST", f"{small.path}/cells", {"cells": wish})
    small.enter(1, LAB, 6, by=registrar)
    page = opened(small)
    sheet = history(page)
    everything = acts(sheet).count()
    sheet.get_by_label("Student", exact=True).select_option(label=small.names[0])
    act = acts(sheet).first
    expect(rows(act)).to_have_count(2)
    expect(rows(act).filter(has_text=small.names[1])).to_have_count(0)
    # The whole act is undone.
    expect(act.get_by_role("button", name="Undo all of it (3 cells)")).to_be_visible()
    sheet.get_by_label("Column").select_option(label="Lab 1")
    expect(acts(sheet)).to_have_count(1)
    expect(act.locator("summary")).to_have_text("You: 1 cell")
    sheet.get_by_label("Student", exact=True).select_option(label="All students")
    # The third act is the one that made the column.
    expect(acts(sheet)).to_have_count(3)
    sheet.get_by_label("Changed by").select_option(label="You")
    expect(acts(sheet)).to_have_count(2)
    expect(act.locator("summary")).to_have_text("You: 1 cell")
    for name in ("Column", "Changed by"):
        sheet.get_by_label(name).select_option(index=0)
    expect(acts(sheet)).to_have_count(everything)


def test_a_change_of_the_columns_says_what_it_changed(small):
    [_, exams, labs, midterm, lab, _] = small.lines
    small.call("POST", f"{small.path}/changes", {"changes": [
        {"op": "patch", "line": exams, "fields": {"weight": "55.5"}},
        {"op": "patch", "line": midterm, "fields": {"title": "Midterm exam", "max": 120}, "due": "2027-03-01"},
        {"op": "add", "kind": "item", "in": labs, "fields": {"title": "Lab 3", "max": 10}},
        {"op": "delete", "line": lab},
    ]})  # fmt: skip
    small.call("POST", f"{small.path}/post", {"lines": [small.lines[5]]})
    page = opened(small)
    sheet = history(page)
    expect(rows(acts(sheet).first)).to_have_count(0)
    acts(sheet).first.locator("summary").click()
    expect(rows(acts(sheet).first)).to_have_text(["Lab 2Students seeresults laterresults at once"])
    act = acts(sheet).nth(1)
    expect(act.locator("summary")).to_have_text("You changed the columns: 6 changes")
    act.locator("summary").click()
    for row in (
        ("Exams", "Weight", "60", "55.5"),
        ("Midterm exam", "Title", "Midterm", "Midterm exam"),
        ("Midterm exam", "Maximum", "100", "120"),
        ("Midterm exam", "Due on", "–", "Mar 1, 2027"),
    ):
        expect(rows(act).filter(has_text=row[1]).filter(has_text=row[3])).to_have_text(in_row(*row))
    expect(rows(act).filter(has_text="Lab 3")).to_contain_text("added")
    expect(rows(act).filter(has_text="Lab 1")).to_contain_text("deleted")
    assert violations(page) == []


def test_a_deleted_column_keeps_its_name_and_the_focus_stays_with_what_is_undone(small):
    small.enter(0, LAB, 5)
    small.call("POST", f"{small.path}/changes", {"changes": [{"op": "delete", "line": small.lines[LAB]}]})
    page = opened(small)
    sheet = history(page)
    expect(acts(sheet).nth(1)).to_contain_text("Lab 1")
    acts(sheet).first.get_by_role("button", name="Undo").click()
    expect(sheet.locator("[data-undone]")).to_be_focused()


def test_what_others_changed_since_is_left_by_an_undo_and_named(small, staff):
    registrar = joined(small, staff)
    page = opened(small)
    order = ordered(page, small)
    paste(page, "70\n71\n72")
    expect(page.locator(".grid-plan")).to_be_visible()
    keys(page, "Enter")
    settled(page)
    small.enter(small.names.index(order[1]), MIDTERM, 99, by=registrar)
    sheet = history(page)
    act = acts(sheet).filter(has_text="3 cells")
    act.get_by_role("button", name="Undo").click()
    expect(act.get_by_role("status")).to_have_text(
        f"1 cell stays as it is, because others have changed it since: Midterm, {order[1]}"
    )
    expect(act).to_contain_text("taken back")
    expect(act.get_by_role("button", name="Undo")).to_have_count(0)
    expect(acts(sheet).first).to_contain_text("Undone")
    keys(page, "Escape")
    for place, text in enumerate(("", "99", "")):
        expect(cell(page, place, 0)).to_have_text(text)
    # It is the user's own last act.
    cell(page, 0, 0).click()
    keys(page, "Control+z")
    expect(cell(page, 2, 0)).to_have_text("72")


def test_a_grader_reads_the_history_and_takes_nothing_back(small, newcomer, server, staff):
    registrar = joined(small, staff)
    small.enter(0, MIDTERM, 50)
    small.call("POST", f"{small.path}/staff", {"account": account(small.teacher), "role": "grader"})
    page = opened(small)
    sheet = history(page)
    expect(sheet.get_by_role("button", name="Undo")).to_have_count(0)
    page = registrar.open(small.page)
    expect(history(page).get_by_role("button", name="Undo").first).to_be_visible()


def test_a_cell_tells_who_changed_it_when_and_from_what_to_what(small, staff):
    registrar = joined(small, staff)
    page = opened(small)
    first = small.names.index(ordered(page, small)[0])
    type_in(page, "61")
    settled(page)
    small.enter(first, MIDTERM, 65, by=registrar)
    expect(cell(page, 0, 0)).to_have_text("65")
    cell(page, 0, 0).click()
    keys(page, "Alt+x")
    settled(page)
    keys(page, "h")
    sheet = page.get_by_role("dialog", name=f"History: Midterm, {small.names[first]}")
    expect(acts(sheet).locator(".ledger-step")).to_have_text(["65 → 65, excused", "61 → 65", "nothing → 61"])
    expect(acts(sheet).locator("strong")).to_have_text(
        ["You", registrar.api("GET", "/v1/accounts/me")["body"]["displayName"], "You"]
    )
    expect(acts(sheet).locator("time")).to_have_count(3)
    assert violations(page) == []
    keys(page, "Escape")
    expect(cell(page, 0, 0)).to_be_focused()
    keys(page, "ArrowRight", "Alt+h")
    expect(page.get_by_role("dialog")).to_contain_text("Nothing was entered here yet.")


def test_a_class_of_many_acts_shows_more_of_them(small):
    for value in range(25):
        small.enter(0, MIDTERM, value)
    page = opened(small)
    sheet = history(page)
    expect(acts(sheet)).to_have_count(20)
    sheet.get_by_role("button", name="More").click()
    eventually(page, lambda: acts(sheet).count() > 25)
    expect(sheet.get_by_role("button", name="More")).to_have_count(0)


@pytest.mark.parametrize("language", LANGUAGES)
def test_in_each_language_and_on_a_phone_the_history_has_its_words(small, newcomer, language):
    texts = LANGUAGES[language]
    english = {text for text in LANGUAGES["en"].values() if "{" not in text} - set(texts.values()) - {"Midterm"}
    small.enter(0, MIDTERM, 50)
    small.call(
        "POST", f"{small.path}/changes", {"changes": [{"op": "patch", "line": small.lines[3], "due": "2027-03-01"}]}
    )
    person = small.teacher_elsewhere(newcomer, language, viewport=SMALL_PHONE)
    page = person.open(small.page)
    page.get_by_role("button", name=texts["ledger.open"], exact=True).click()
    sheet = page.get_by_role("dialog")
    # The result, and once the lines as they were have been read, those that came with the class, and the due date.
    expect(sheet.locator("summary")).to_have_count(3)
    for summary in sheet.locator("summary").all():
        summary.click()
    expect(sheet.locator("tbody tr")).not_to_have_count(0)
    assert shown(page) & english == set()
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    assert violations(page) == []
