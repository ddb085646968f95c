"""Sections of a class, students who join late, copies and transfers, in the browser."""

import csv
import io
import itertools

import pytest
from accessibility import violations
from classroom import Classroom
from grid import MIDTERM, names, opened, settled
from playwright.sync_api import expect
from waiting import eventually

STAYING = {"staff"}

# Tests choose a class by its title.
titles = (f"Cross-listed {number}" for number in itertools.count(1))


@pytest.fixture
def room(staff):
    room = Classroom(staff("teacher"), next(titles), students=2)
    room.enter(0, MIDTERM, 70)
    return room


def sheet(page, button, title):
    page.get_by_role("button", name=button, exact=True).click()
    found = page.get_by_role("dialog", name=title)
    expect(found).to_be_visible()
    return found


@pytest.mark.slow("makes and fills a section by its sheets, and looks at the grid after each change")
def test_sections_are_made_filled_and_shown_alone(room):
    page = opened(room)
    sheet(page, "Columns", "Columns").get_by_role("button", name="Sections").click()
    page.get_by_role("dialog", name="Sections").get_by_role("button", name="New section").click()
    form = page.get_by_role("dialog", name="New section")
    form.locator('[name="/title"]').fill("02")
    form.locator('[name="/fields/credits"]').fill("2")
    form.get_by_role("button", name="Save").click()
    expect(page.get_by_role("dialog", name="Sections").get_by_text("02", exact=True)).to_be_visible()
    assert violations(page) == []
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert room.call("GET", room.path)["class"]["structure"]["sections"][0]["fields"] == {"credits": 2}
    roster = sheet(page, "Students", "Students")
    roster.get_by_label(f"Section of {room.names[0]}").select_option(label="02")
    expect(roster.get_by_label(f"Section of {room.names[0]}")).to_have_value(
        room.call("GET", room.path)["class"]["structure"]["sections"][0]["id"]
    )
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_label("Section", exact=True).select_option(label="02")
    expect(names(page)).to_have_text([room.names[0]])
    # The link contains the section, and opening it shows the section.
    page.reload()
    expect(names(page)).to_have_text([room.names[0]])
    second = room.call("GET", room.path)["class"]["structure"]["sections"][0]["id"]
    room.call("PATCH", f"{room.path}/enrolments/{room.rows[1]['id']}", {"section": second})
    expect(names(page)).to_have_count(2)
    room.call("PATCH", f"{room.path}/enrolments/{room.rows[1]['id']}", {"section": None})
    expect(names(page)).to_have_text([room.names[0]])
    page.get_by_role("button", name="View", exact=True).click()
    page.get_by_role("dialog").get_by_label("Section", exact=True).select_option(label="All sections")
    page.get_by_role("button", name="Done").click()
    expect(names(page)).to_have_count(2)
    assert "?" not in page.url


@pytest.mark.slow("reads two files, and puts students into sections by each")
def test_a_file_puts_students_into_sections_after_it_was_seen(room):
    titles = ("02", "Evening")
    steps = [{"op": "addSection", "title": title} for title in titles]
    room.call("POST", f"{room.path}/changes", {"changes": steps})
    second, evening = [item["id"] for item in room.call("GET", room.path)["class"]["structure"]["sections"]]
    page = opened(room)

    def choose(text):
        chosen = sheet(page, "Import", "Import results from a file")
        body = {"name": "sections.csv", "mimeType": "text/csv", "buffer": text.encode()}
        chosen.get_by_label("File").set_input_files(body)
        return chosen

    def held():
        rows = {row["id"]: row.get("section") for row in room.call("GET", f"{room.path}/rows")["rows"]}
        return [rows[row["id"]] for row in room.rows]

    # A spreadsheet has turned 02 into 2.
    chosen = choose(f"Name,Section\n{room.names[0]},2\n{room.names[1]},Morning\n")
    expect(chosen.locator(".changes li")).to_have_text(
        [
            f"{room.names[0]}: section 2",
            f"{room.names[1]}: The class has no section “Morning”, or several of that name.",
        ]
    )
    assert violations(page) == []
    assert held() == [None, None]
    chosen.get_by_role("button", name="Put the students into these sections").click()
    expect(page.get_by_text("1 student is in another section now.")).to_be_visible()
    assert held() == [second, None]
    # A file that was exported here names the same sections, beside results.
    script = "path => fetch(path).then(answer => answer.text())"
    text = room.teacher.page.evaluate(script, f"{room.path}/export?format=csv")
    titles, columns, *rows = csv.reader(io.StringIO(text))
    (row,) = (row for row in rows if row[columns.index("name")] == room.names[1])
    row[columns.index("section")], row[columns.index(room.lines[MIDTERM])] = "Evening", "44"
    file = io.StringIO()
    csv.writer(file).writerows([titles, columns, *rows])
    chosen = choose(file.getvalue())
    expect(chosen.locator(".changes li")).to_have_text([f"{room.names[1]}: section Evening"])
    chosen.get_by_role("button", name="Show in the grid").click()
    expect(page.locator(".grid-plan")).to_contain_text("1 student to another section")
    page.get_by_role("button", name="Enter these results").click()
    expect(page.get_by_text("1 student is in another section now.").last).to_be_visible()
    settled(page)
    assert held() == [second, evening]
    assert room.values(MIDTERM) == ["70", "44"]
    page.get_by_role("button", name="Undo").last.click()
    eventually(page, lambda: held() == [second, None])


def test_a_class_takes_the_place_of_what_a_student_keeps(room):
    institution = room.call("GET", room.path)["class"]["institution"]
    members = room.call("GET", f"/v1/institutions/{institution}/members?role=student&limit=200")["items"]
    inside = {row["student"] for row in room.rows}
    kept = {
        item["student"]: item["id"]
        for item in room.call("GET", f"/v1/records?program={room.program}&limit=200")["items"]
    }
    member = next(item for item in members if item["account"] in kept and item["account"] not in inside)
    record = f"/v1/records/{kept[member['account']]}"
    fields = {"title": room.title, "quarter": 1, "year": 2027, "credits": 4}
    own = room.call("POST", f"{record}/entries", {"kind": "course", "fields": fields})

    def courses():
        entries = room.call("GET", record)["record"]["entries"]
        return [entry.get("class") for entry in entries if entry["fields"]["title"] == room.title]

    assert own and courses() == [None]
    page = opened(room)
    roster = sheet(page, "Students", "Students")
    roster.get_by_role("searchbox").fill(member["displayName"])
    roster.get_by_role("button", name="Put into the class").first.click()
    expect(roster.locator(".banner")).to_contain_text(f"The record of {member['displayName']} has this already.")
    assert violations(page) == []
    roster.get_by_role("button", name=f"Replace {room.title}").click()
    expect(roster.locator(".banner")).to_have_count(0)
    expect(names(page)).to_have_count(3)
    assert courses() == [room.path.rsplit("/", 1)[1]]


def test_a_class_is_copied_and_a_student_goes_there_with_the_results(room):
    page = room.teacher.open(f"/programs/{room.program}/classes")
    page.get_by_role("button", name="New class").click()
    form = page.get_by_role("dialog", name="New class")
    form.locator('[name="/copyOf"]').select_option(label=room.title)
    form.locator('[name="/title"]').fill("Evening")
    form.get_by_role("button", name="Create the class").click()
    page.wait_for_url("**/classes/*")
    expect(page.get_by_role("heading", name="Evening")).to_be_visible()
    there = page.url.rsplit("/", 1)[1]
    page = opened(room)
    sheet(page, "Students", "Students").get_by_role("button", name=f"Transfer {room.names[0]}").click()
    dialog = page.get_by_role("dialog", name="Transfer")
    dialog.locator('[name="/to"]').select_option(label="Evening")
    dialog.get_by_role("button", name="Transfer", exact=True).click()
    expect(page.get_by_text(f"{room.names[0]} is in Evening now.")).to_be_visible()
    [row] = room.call("GET", f"/v1/classes/{there}/rows")["rows"]
    values = [cell["value"] if isinstance(cell, dict) else cell for cell in row["cells"]]
    assert (row["name"], values) == (room.names[0], ["70", None, None])
