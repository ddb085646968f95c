"""The lines of classes on the pages of records: read, tried, printed and followed."""

import board
import pytest
from classroom import Classroom
from playwright.sync_api import expect

# Staff stay, and others sign up anew in browsers that do.
STAYING = {"staff", "browser"}

LINES = [
    {"op": "add", "kind": "category", "in": "#0", "fields": {"category": "exams", "weight": 60}},
    {"op": "add", "kind": "category", "in": "#0", "fields": {"category": "labs", "weight": 60}},
    {"op": "add", "kind": "item", "in": "#1", "fields": {"title": "Midterm", "max": 30}},
    {"op": "add", "kind": "item", "in": "#2", "fields": {"title": "Lab 1", "max": 10}},
    {"op": "add", "kind": "item", "in": "#2", "fields": {"title": "Lab 2", "max": 10}},
    {"op": "add", "kind": "item", "in": "#2", "fields": {"title": "Lab 3", "max": 10}, "posting": "manual"},
]
MIDTERM, FIRST_LAB, SECOND_LAB, HIDDEN_LAB = 3, 4, 5, 6


class Year:
    """The demo student's record: two classes, and a course of its own that the teacher keeps."""

    def __init__(self, teacher, name):
        self.rooms = [Classroom(teacher, title=f"{title} {name}", lines=LINES) for title in ("Optics", "Statics")]
        room = self.rooms[0]
        self.row = room.names.index("Demo student")
        self.record = room.rows[self.row]["record"]
        self.own = f"Seminar {name}"
        fields = {"title": self.own, "quarter": 1, "year": 2027, "credits": 2}
        labs = {"kind": "category", "fields": {"category": "labs", "weight": 100}}
        item = {"kind": "item", "fields": {"title": "Talk", "score": 8, "max": 10}}
        add = {"kind": "course", "fields": fields, "children": [{**labs, "children": [item]}]}
        assert teacher.api("POST", f"/v1/records/{self.record}/entries", add)["status"] == 201
        for line, value in ((MIDTERM, 20), (FIRST_LAB, 9), (HIDDEN_LAB, 1)):
            room.enter(self.row, line, value)


def course(page, title):
    return page.locator(".course", has_text=title)


def opened(page, title):
    place = course(page, title)
    place.locator(".course-open").click()
    return place


def test_students_read_and_try_the_lines_of_their_classes(staff):
    teacher = staff("teacher")
    year = Year(teacher, "A")
    optics, statics = (room.title for room in year.rooms)
    page = staff("student").load(f"/records/{year.record}")
    own = opened(page, optics)
    expect(own.locator(".item-line", has_text="Midterm")).to_contain_text("20 / 30")
    expect(own.locator(".item-line", has_text="Lab 1")).to_contain_text("9 / 10")
    # A line whose results are not shown yet appears without its result.
    expect(own.locator(".item-line", has_text="Lab 3")).to_contain_text("– / 10")
    # The class's own warnings appear as well.
    expect(page.locator(".warnings")).to_contain_text(optics)
    expect(opened(page, statics).locator(".item-line", has_text="Midterm")).to_contain_text("– / 30")
    expect(opened(page, year.own).locator(".item-line", has_text="Talk")).to_contain_text("8 / 10")

    gpa = page.locator(".headline .figure")
    before = gpa.inner_text()
    page.get_by_role("button", name="What if?").click()
    expect(page.get_by_role("button", name="Back to the real record")).to_be_visible()
    # In a class, only results can be tried.
    expect(course(page, year.own).get_by_role("button", name="Add category")).to_be_visible()
    expect(own.locator(".course-panel .round, .course-panel .adders")).to_have_count(0)
    expect(own.locator(".swipe-label")).to_have_count(0)
    own.get_by_role("button", name="Midterm").click()
    sheet = page.get_by_role("dialog")
    expect(sheet.locator('[name="/fields/score"]')).to_have_value("20")
    expect(sheet.locator('[name="/fields/title"], [name="/fields/max"]')).to_have_count(0)
    expect(sheet.get_by_role("button", name="Delete")).to_have_count(0)
    sheet.locator('[name="/fields/score"]').fill("3")
    sheet.get_by_role("button", name="Save").click()
    expect(sheet).to_have_count(0)
    expect(own.locator(".item-line", has_text="Midterm")).to_contain_text("3 / 30")
    expect(gpa).not_to_have_text(before)
    page.get_by_role("button", name="Back to the real record").click()
    expect(gpa).to_have_text(before)
    expect(own.locator(".item-line", has_text="Midterm")).to_contain_text("20 / 30")


@pytest.mark.slow("opens two browsers, and makes a record of two classes and a course of its own")
def test_a_result_that_moves_no_figure_comes_to_the_open_page(staff):
    teacher = staff("teacher")
    year = Year(teacher, "B")
    room = year.rooms[0]
    page = staff("student").load(f"/records/{year.record}")
    own = opened(page, room.title)
    grade = own.locator(".course-row .figure")
    expect(own.locator(".item-line", has_text="Lab 2")).to_contain_text("– / 10")
    before = grade.inner_text()
    labs = own.locator(".category", has_text="Labs")
    labs.locator(".figure").click()
    sheet = page.get_by_role("dialog")
    expect(sheet.locator(".trace-label", has_text="Lab 1").first).to_be_visible()
    # As good as the lab before.
    room.enter(year.row, SECOND_LAB, 9)
    expect(sheet.locator(".trace-label", has_text="Lab 2").first).to_be_visible()
    page.keyboard.press("Escape")
    expect(own.locator(".item-line", has_text="Lab 2")).to_contain_text("9 / 10")
    expect(grade).to_have_text(before)
    # Results that are shown later appear, too.
    room.call("POST", f"{room.path}/post", {"lines": [room.lines[HIDDEN_LAB]]})
    expect(own.locator(".item-line", has_text="Lab 3")).to_contain_text("1 / 10")


def test_paper_has_the_lines_of_classes(staff):
    year = Year(staff("teacher"), "C")
    page = staff("student").load(f"/records/{year.record}")
    own = course(page, year.rooms[0].title)
    line = own.locator(".item-line", has_text="Midterm")
    expect(line).to_be_hidden()
    page.emulate_media(media="print")
    expect(line).to_be_visible()
    expect(line).to_contain_text("20 / 30")


def test_staff_change_nothing_of_a_class_in_the_record(staff):
    teacher = staff("teacher")
    year = Year(teacher, "D")
    page = teacher.open(f"/records/{year.record}")
    own = opened(page, year.rooms[0].title)
    # Staff see the result that students do not see.
    expect(own.locator(".item-line", has_text="Lab 3")).to_contain_text("1 / 10")
    expect(own.locator(".item-line", has_text="Midterm")).to_be_disabled()
    expect(own.locator(".course-panel .round, .course-panel .adders, .swipe-label")).to_have_count(0)
    other = opened(page, year.own)
    expect(other.get_by_role("button", name="Delete course")).to_be_visible()
    expect(other.locator(".item-line", has_text="Talk")).to_be_enabled()


UNIT = [
    {"op": "add", "kind": "subject", "in": "#0", "fields": {"title": "Algebra", "weight": 2}},
    {"op": "add", "kind": "subject", "in": "#0", "fields": {"title": "Analysis", "weight": 1}},
]
BOARD = [
    {"op": "add", "kind": "assessment", "in": "#0", "fields": {"name": name, "max": 100, "weight": weight}}
    for name, weight in (("Assignments", 30), ("Midterm", 30), ("Final", 40))
]


def published(registrar, scheme, title):
    body = {"scheme": scheme, "title": title, "entry": "staff"}
    if scheme == "regulations":
        body["configuration"] = {"document": registrar.api("GET", "/v1/regulations/library/iut")["body"]["document"]}
    program = registrar.api("POST", "/v1/institutions/demo/programs", body)["body"]["program"]["id"]
    board.publish(registrar, f"/v1/programs/{program}")
    return program


@pytest.mark.parametrize("scheme", ("chalkboard", "iut", "regulations"))
def test_other_schemes_draw_the_lines_of_classes(scheme, staff):
    registrar = staff("registrar")
    program = published(registrar, scheme, f"Classes of {scheme}")
    kind, line, lines, fields, values = {
        "chalkboard": ("course", ".board-part", BOARD, {"credits": 3}, (80, 90, 70))
    }.get(scheme, ("unit", ".subject" if scheme == "iut" else ".entry-card.level-3", UNIT, {"weight": 6}, (12, 8)))
    room = Classroom(registrar, title="Mathematics", lines=lines, program=program, root=kind, fields=fields)
    row = room.names.index("Demo student")
    for place, value in enumerate(values):
        room.enter(row, place + 1, value)
    page = staff("student").load(f"/records/{room.rows[row]['record']}")
    expect(page.locator(line)).to_have_count(len(values))
    for place, value in enumerate(values):
        expect(page.locator(line).nth(place)).to_contain_text(str(value))
    buttons = page.locator("main").get_by_role("button")
    expect(buttons.filter(has_text="Add")).to_have_count(0)
    page.emulate_media(media="print")
    expect(page.locator(line).first).to_be_visible()
    page.emulate_media(media="screen")

    page.get_by_role("button", name="What if?").click()
    expect(page.get_by_role("button", name="Back to the real record")).to_be_visible()
    figure = page.locator("button.figure, .board-gpa").first
    before = figure.inner_text()
    first = page.locator(line).first
    if scheme == "iut":
        first.get_by_role("button").click()
        first.locator("input[type=text]").fill("3")
        first.get_by_role("button", name="Save").click()
    else:
        (first if scheme == "chalkboard" else first.get_by_role("button", name="Edit")).click()
        sheet = page.get_by_role("dialog")
        expect(sheet.locator("input[type=text]")).to_have_count(1)
        sheet.locator("input[type=text]").fill("3")
        sheet.get_by_role("button", name="Save").click()
        expect(sheet).to_have_count(0)
    expect(figure).not_to_have_text(before)
    expect(first).to_contain_text("3")


CALCULATED = """async record => {
    const { recordToWire } = await import('/app/core/values/tree.js');
    const read = async path => (await fetch(path)).json();
    const { record: whole, standing, classes } = await read(`/v1/records/${record}/assembled`);
    const { program } = await read(`/v1/records/${record}/program`);
    const body = { scheme: program.scheme, configuration: program.configuration, ...recordToWire({ ...whole, classes }) };
    const answer = await fetch('/v1/evaluate', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
    const shown = ({ figures, entries, outcomes }) => [figures, ...whole.entries.map(({ id }) => entries[id].figures)]
        .map(all => Object.entries(all).map(([name, { exact }]) => [name, exact]))
        .concat(Object.entries(outcomes ?? {}).map(([name, { state }]) => [name, state]));
    if (!answer.ok) return [null, await answer.text()];
    return [shown(standing), shown(await answer.json())];
}"""


def test_a_record_that_is_calculated_again_keeps_what_was_given(staff):
    registrar = staff("registrar")
    registrar.open("/programs")
    # Two of three assessments, which the rules do not accept, and a total that is given beside them.
    program = published(registrar, "chalkboard", "Boards that are calculated again")
    room = Classroom(registrar, title="Logic", lines=BOARD, program=program, fields={"credits": 3})
    row = room.names.index("Demo student")
    for line in (1, 2):
        room.enter(row, line, 80)
    record = room.rows[row]["record"]
    fields = {"title": "Own", "credits": 3}
    children = [{"kind": "assessment", "fields": {**line["fields"], "points": 70}} for line in BOARD]
    answer = registrar.api(
        "POST", f"/v1/records/{record}/entries", {"kind": "course", "fields": fields, "children": children}
    )
    own = answer["body"]["entry"]["id"]
    given = {"given": {"figures": {"total": "91"}}, "reason": "Jury"}
    assert registrar.api("PATCH", f"/v1/records/{record}/entries/{own}", given)["status"] == 200
    stored, calculated = registrar.page.evaluate(CALCULATED, record)
    assert stored == calculated, calculated
    assert ["total", "91"] in stored[2] and ["total", None] in stored[1]
    # A total that the class gives counts, too.
    rows = [{"row": room.rows[row]["id"], "figures": {"total": "85"}, "was": {"total": None}}]
    over = registrar.api("POST", f"{room.path}/override", {"rows": rows, "reason": "Jury"})
    assert over["status"] == 200, over
    stored, calculated = registrar.page.evaluate(CALCULATED, record)
    assert stored == calculated and ["total", "85"] in stored[1]


def test_missing_work_is_no_result_until_one_is_tried(staff):
    year = Year(staff("teacher"), "E")
    room = year.rooms[0]
    room.call("POST", f"{room.path}/changes", {"changes": [{"op": "policy", "policy": {"missing": {"percent": 50}}}]})
    path = f"{room.path}/rows/{room.rows[year.row]['id']}"
    room.call("PATCH", path, {"cells": {room.lines[SECOND_LAB]: {"status": "missing"}}})
    page = staff("student").load(f"/records/{year.record}")
    own = opened(page, room.title)
    line, labs = (
        own.locator(".item-line", has_text="Lab 2"),
        own.locator(".category", has_text="Labs").locator(".figure"),
    )
    expect(line).to_contain_text("missing")
    expect(line).to_contain_text("– / 10")
    # 9 of 10, and half of the other one.
    expect(labs).to_have_text("70.00")
    page.get_by_role("button", name="What if?").click()
    expect(page.get_by_role("button", name="Back to the real record")).to_be_visible()
    line.click()
    sheet = page.get_by_role("dialog")
    sheet.locator('[name="/fields/score"]').fill("7")
    sheet.get_by_role("button", name="Save").click()
    expect(line).to_contain_text("7 / 10")
    expect(line).not_to_contain_text("missing")
    expect(labs).to_have_text("80.00")
