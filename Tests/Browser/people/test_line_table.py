"""Columns and weights: one table of all lines, edited in place, rehearsed meanwhile and applied as one act."""

import board
import pytest
from accessibility import violations
from classroom import SMALL_PHONE, Classroom
from grid import LAB, MIDTERM, cell, head, opened
from playwright.sync_api import expect
from waiting import eventually

STAYING = {"staff"}
EXAMS, LABS, QUIET = 1, 2, 5


@pytest.fixture
def room(staff):
    room = Classroom(staff("teacher"), students=4)
    for row, line, value in ((0, MIDTERM, 80), (1, MIDTERM, 80), (0, LAB, 7), (1, LAB, 9)):
        room.enter(row, line, value)
    return room


def table(room, page=None):
    """The sheet, and the page below it."""
    page = page or opened(room)
    page.get_by_role("button", name="Columns").click()
    sheet = page.get_by_role("dialog", name="Columns and weights")
    expect(sheet.get_by_role("table", name="Lines of the class")).to_be_visible()
    return sheet, page


def field(sheet, name):
    return sheet.get_by_label(name, exact=True)


def lines(room):
    return room.call("GET", room.path)["class"]["structure"]["lines"]


def titles(room):
    return [line["fields"].get("title") or line["fields"]["category"] for line in lines(room)]


def weight_of(room, line):
    return next(each for each in lines(room) if each["id"] == room.lines[line])["fields"].get("weight")


def version(room):
    return room.call("GET", room.path)["class"]["v"]


def changed_elsewhere(room, line, **fields):
    step = {"op": "patch", "line": room.lines[line], "fields": fields}
    room.call("POST", f"{room.path}/changes", {"changes": [step]})


@pytest.mark.slow("tries, applies and undoes a change, and waits for the rehearsal and the grid")
def test_a_weight_is_tried_while_it_is_dragged_and_stored_when_it_is_applied(room):
    page = opened(room)
    expect(cell(page, 0, 3)).not_to_have_text("")
    before, total = version(room), cell(page, 0, 3).inner_text()
    sheet, _ = table(room, page)
    expect(sheet.locator(".line-sum")).to_have_text("“Compilers”: Weight adds up to 100. Each is a percentage.")
    field(sheet, "Weight of Exams, slider").fill("10")
    expect(field(sheet, "Weight of Exams")).to_have_value("10")
    expect(sheet.locator(".banner")).to_contain_text("This changes the figures of")
    expect(sheet.get_by_role("table", name="Students by letter")).to_be_visible()
    moves = [f"{room.names[0]}: C+ → C", f"{room.names[1]}: B → B+"]
    expect(sheet.locator(".changes li")).to_have_text(moves)
    sums = "“Compilers”: Weight adds up to 50. Each is a share of 50, unless the rules say otherwise."
    expect(sheet.locator(".line-sum")).to_have_text(sums)
    expect(sheet).to_contain_text("1 change is not applied yet")
    assert version(room) == before and violations(page) == []
    sheet.get_by_role("button", name="Apply").click()
    expect(sheet.get_by_text("The changes are applied.")).to_be_visible()
    expect(sheet).not_to_contain_text("not applied yet")
    assert (weight_of(room, EXAMS), version(room)) == (10, before + 1)
    # Undo is in the sheet, which stays open and shows the current state.
    sheet.get_by_role("button", name="Undo").click()
    expect(field(sheet, "Weight of Exams")).to_have_value("60")
    sheet.get_by_role("button", name="Close").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(cell(page, 0, 3)).to_have_text(total)


def test_the_whole_table_is_worked_by_keyboard_and_is_one_act(room):
    sheet, page = table(room)
    before, key = version(room), page.keyboard.press
    field(sheet, "Weight of Exams").focus()
    key("Control+a")
    page.keyboard.type("55.5")
    # The next row, the previous row and back: in the same column, only lines that have it.
    key("Enter")
    expect(field(sheet, "Weight of Midterm")).to_be_focused()
    key("ArrowDown")
    expect(field(sheet, "Weight of Labs")).to_be_focused()
    # The text of the field that gets the focus is selected: typing replaces it.
    page.keyboard.type("41")
    key("Shift+Enter")
    key("ArrowDown")
    expect(field(sheet, "Weight of Labs")).to_be_focused()
    key("Escape")
    expect(field(sheet, "Weight of Labs")).to_have_value("40")
    page.keyboard.type("4")
    key("ArrowDown")
    key("Tab")
    expect(field(sheet, "Maximum of Lab 1")).to_be_focused()
    page.keyboard.type("20")
    key("Tab")
    page.keyboard.type("03152027")
    key("Enter")
    expect(field(sheet, "Due on of Lab 2")).to_be_focused()
    key("Shift+Tab")
    key("Shift+Tab")
    key("Shift+Tab")
    expect(field(sheet, "Name of Lab 2")).to_be_focused()
    page.keyboard.type("Project")
    key("Alt+ArrowUp")
    expect(field(sheet, "Name of Lab 2")).to_be_focused()
    expect(sheet.locator(".visually-hidden[role=status]")).to_have_text("“Lab 2” is now number 1")
    expect(sheet).to_contain_text("6 changes are not applied yet")
    assert version(room) == before
    sheet.get_by_role("button", name="Apply").focus()
    key("Enter")
    expect(sheet.get_by_text("The changes are applied.")).to_be_visible()
    assert version(room) == before + 1
    assert titles(room) == ["Compilers", "exams", "Midterm", "labs", "Project", "Lab 1"]
    first = next(line for line in lines(room) if line["id"] == room.lines[LAB])
    assert (weight_of(room, EXAMS), weight_of(room, LABS)) == (55.5, 4)
    assert (first["fields"]["max"], first["due"]) == (20, "2027-03-15")
    key("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(head(page, 1).locator(".grid-title")).to_have_text("Project")


def test_lines_move_by_buttons_and_are_dragged_among_their_siblings(room):
    sheet, page = table(room)
    sheet.get_by_role("button", name="Move “Labs” up").click()
    rows = sheet.locator("tr[data-line]")
    names = ["Compilers", "Labs", "Lab 1", "Lab 2", "Exams", "Midterm"]

    def shown():
        return rows.evaluate_all(
            "all => all.map(row => row.querySelector('th input')?.value ?? row.querySelector('strong').textContent)"
        )

    def row(name):
        return rows.filter(has=page.get_by_label(f"Name of {name}", exact=True))

    eventually(page, lambda: shown() == names)
    grip = row("Lab 2").locator(".line-grip")
    # A line cannot be dropped on a line of another parent.
    grip.drag_to(row("Midterm"), target_position={"x": 60, "y": 4})
    expect(sheet).to_contain_text("1 change is not applied yet")
    grip.drag_to(row("Lab 1"), target_position={"x": 60, "y": 4})
    eventually(page, lambda: shown() == ["Compilers", "Labs", "Lab 2", "Lab 1", "Exams", "Midterm"])
    sheet.get_by_role("button", name="Apply").click()
    expect(sheet.get_by_text("The changes are applied.")).to_be_visible()
    assert titles(room) == ["Compilers", "labs", "Lab 2", "Lab 1", "exams", "Midterm"]
    sheet.get_by_role("button", name="Undo").click()
    eventually(page, lambda: titles(room) == ["Compilers", "exams", "Midterm", "labs", "Lab 1", "Lab 2"])


@pytest.mark.slow("changes three lines elsewhere, decides between both twice, and applies")
def test_what_others_change_meanwhile_is_shown_and_takes_nothing_away(room):
    sheet, page = table(room)
    field(sheet, "Weight of Exams").fill("55")
    changed_elsewhere(room, LABS, weight=30)
    expect(field(sheet, "Weight of Labs")).to_have_value("30")
    expect(field(sheet, "Weight of Exams")).to_have_value("55")
    changed_elsewhere(room, EXAMS, weight=70)
    expect(sheet.get_by_text("Changed meanwhile to 70; you have 55.")).to_be_visible()
    assert violations(page) == []
    # No other person's value is overwritten unseen: the conflict has to be decided first.
    field(sheet, "Weight of Midterm").fill("1")
    sheet.get_by_role("button", name="Apply").click()
    expect(field(sheet, "Weight of Exams")).to_be_focused()
    assert (weight_of(room, EXAMS), weight_of(room, MIDTERM)) == (70, None)
    sheet.get_by_role("button", name="Keep 55").click()
    expect(sheet.locator(".line-conflict")).to_have_count(0)
    changed_elsewhere(room, MIDTERM, weight=2)
    sheet.get_by_role("button", name="Take 2").click()
    expect(field(sheet, "Weight of Midterm")).to_have_value("2")
    sheet.get_by_role("button", name="Apply").click()
    expect(sheet.get_by_text("The changes are applied.")).to_be_visible()
    assert (weight_of(room, EXAMS), weight_of(room, LABS), weight_of(room, MIDTERM)) == (55, 30, 2)


@pytest.mark.slow("waits as long as a page waits for its live connection")
def test_a_change_that_the_class_does_not_show_yet_is_no_less_a_conflict(room, newcomer):
    # Pushes do not arrive, from the first one on. Who stays would have none in the tests after this one, either.
    teacher = room.teacher_elsewhere(newcomer)
    teacher.page.route_web_socket("**/*", lambda socket: None)
    sheet, page = table(room, opened(room, teacher))
    field(sheet, "Weight of Exams").fill("55")
    expect(sheet.locator(".banner")).to_be_visible()
    changed_elsewhere(room, EXAMS, weight=70)
    sheet.get_by_role("button", name="Apply").click()
    expect(sheet.get_by_text("Changed meanwhile to 70; you have 55.")).to_be_visible()
    assert weight_of(room, EXAMS) == 70


@pytest.mark.slow("applies twice, the first time against two changes that come in between")
def test_a_change_that_comes_while_one_applies_is_not_overwritten(room):
    sheet, page = table(room)
    field(sheet, "Weight of Exams").fill("55")
    expect(sheet.locator(".banner")).to_be_visible()
    late = [(LABS, 30), (EXAMS, 70)]

    def held(route):
        if late:
            line, weight = late.pop(0)
            changed_elsewhere(room, line, weight=weight)
        route.continue_()

    page.route(f"**{room.path}/changes", held)
    sheet.get_by_role("button", name="Apply").click()
    # The first change is in another cell, and is accepted; the second is in the same one, and has to be decided first.
    expect(sheet.get_by_text("Changed meanwhile to 70; you have 55.")).to_be_visible()
    # While it still applies, the change may come over the live channel; what is decided then goes with the next try.
    expect(sheet.get_by_role("button", name="Apply")).to_be_enabled()
    assert (weight_of(room, EXAMS), weight_of(room, LABS)) == (70, 30)
    sheet.get_by_role("button", name="Keep 55").click()
    sheet.get_by_role("button", name="Apply").click()
    expect(sheet.get_by_text("The changes are applied.")).to_be_visible()
    assert (weight_of(room, EXAMS), weight_of(room, LABS)) == (55, 30)


@pytest.mark.slow("waits for a deletion elsewhere to reach the open table, and applies the rest")
def test_what_stood_in_a_line_that_others_delete_is_told(room):
    sheet, page = table(room)
    field(sheet, "Maximum of Lab 1").fill("20")
    field(sheet, "Weight of Exams").fill("55")
    room.call("POST", f"{room.path}/changes", {"changes": [{"op": "delete", "line": room.lines[LAB]}]})
    expect(sheet.get_by_text("What you typed in 1 cell is lost: its line was deleted meanwhile.")).to_be_visible()
    expect(sheet).to_contain_text("1 change is not applied yet")
    sheet.get_by_role("button", name="Apply").click()
    expect(sheet.get_by_text("The changes are applied.")).to_be_visible()
    assert weight_of(room, EXAMS) == 55


@pytest.mark.slow("leaves in three ways, answers each question, and has axe read two of them")
def test_leaving_with_changes_asks_and_nothing_is_stored(room):
    room.teacher.open("/classes")
    sheet, page = table(room)
    before = version(room)
    field(sheet, "Weight of Exams").fill("55")
    question = page.get_by_role("dialog", name="Leave without applying?")
    for leave in (lambda: sheet.get_by_role("button", name="Close").click(), lambda: page.evaluate("history.back()")):
        leave()
        expect(question).to_contain_text("1 change is not applied. It will be lost.")
        assert violations(page) == []
        question.get_by_role("button", name="Cancel").click()
        expect(field(sheet, "Weight of Exams")).to_have_value("55")
    # In a changed cell, Esc takes the change back; then there is nothing to ask about.
    field(sheet, "Weight of Exams").focus()
    page.keyboard.press("Escape")
    expect(field(sheet, "Weight of Exams")).to_have_value("60")
    field(sheet, "Weight of Labs").fill("55")
    field(sheet, "Weight of Exams").focus()
    page.keyboard.press("Escape")
    question.get_by_role("button", name="Discard the changes").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert version(room) == before


@pytest.mark.slow("goes back three times over a form and a table, answering each question")
def test_back_asks_also_over_a_form_and_as_often_as_it_is_pressed(room):
    room.teacher.open("/classes")
    sheet, page = table(room)
    field(sheet, "Weight of Exams").fill("55")
    question = page.get_by_role("dialog", name="Leave without applying?")
    sheet.get_by_role("button", name="Edit “Lab 1”").click()
    expect(page.get_by_role("dialog", name="Edit “Lab 1”")).to_be_visible()
    for _ in range(2):
        page.evaluate("history.back()")
        expect(question).to_contain_text("1 change is not applied.")
        assert page.url.endswith(room.page)
    question.get_by_role("button", name="Cancel").click()
    expect(field(sheet, "Weight of Exams")).to_have_value("55")
    sheet.get_by_role("button", name="Close").click()
    question.get_by_role("button", name="Discard the changes").click()
    # The page can be left now.
    page.evaluate("history.back()")
    expect(page.get_by_role("heading", name="Classes", exact=True)).to_be_visible()


@pytest.mark.slow("holds an application back while more is typed, and then applies that too")
def test_what_is_typed_while_changes_are_applied_stays_to_be_applied(room):
    sheet, page = table(room)
    held = []
    page.route(f"**{room.path}/changes", lambda route: route.continue_() if held else held.append(route))
    field(sheet, "Weight of Exams").fill("44")
    field(sheet, "Weight of Midterm").fill("3")
    sheet.get_by_role("button", name="Apply").click()
    eventually(page, lambda: len(held) == 1)
    field(sheet, "Weight of Exams").fill("45")
    field(sheet, "Weight of Labs").fill("21")
    # Closing waits for the request, and then there is a change left to ask about.
    sheet.get_by_role("button", name="Close").click()
    held[0].continue_()
    expect(sheet.get_by_text("The changes are applied.")).to_be_visible()
    expect(sheet).to_contain_text("2 changes are not applied yet")
    assert (weight_of(room, EXAMS), weight_of(room, LABS)) == (44, 40)
    expect(field(sheet, "Weight of Exams")).to_have_value("45")
    expect(sheet.locator(".line-conflict")).to_have_count(0)
    sheet.get_by_role("button", name="Apply").click()
    expect(sheet).not_to_contain_text("not applied yet")
    assert (weight_of(room, EXAMS), weight_of(room, LABS)) == (45, 21)


@pytest.mark.slow("applies a date twice: first with a part gone, then with none")
def test_a_date_of_which_a_part_is_gone_is_not_stored_as_none(room):
    step = {"op": "patch", "line": room.lines[LAB], "due": "2027-03-15"}
    room.call("POST", f"{room.path}/changes", {"changes": [step]})
    sheet, page = table(room)
    due = field(sheet, "Due on of Lab 1")
    expect(due).to_have_value("2027-03-15")
    due.focus()
    page.keyboard.press("Backspace")
    expect(sheet.get_by_text("This date is not complete.")).to_be_visible()
    sheet.get_by_role("button", name="Apply").click()
    expect(due).to_be_focused()
    page.keyboard.press("Escape")
    expect(due).to_have_value("2027-03-15")
    expect(sheet).not_to_contain_text("not applied yet")
    due.fill("")
    sheet.get_by_role("button", name="Apply").click()
    expect(sheet.get_by_text("The changes are applied.")).to_be_visible()
    assert next(line for line in lines(room) if line["id"] == room.lines[LAB])["due"] is None


@pytest.mark.slow("adds, deletes and brings back lines over a table that waits below")
def test_the_forms_of_a_line_lead_back_to_what_is_not_applied_yet(room):
    sheet, page = table(room)
    field(sheet, "Weight of Exams").fill("55")
    sheet.get_by_role("button", name="Add item to “Labs”").click()
    form = page.get_by_role("dialog", name="Add item to “Labs”")
    form.locator('[name="/fields/title"]').fill("Lab 3")
    form.locator('[name="/fields/max"]').fill("10")
    form.get_by_role("button", name="Add").click()
    expect(field(sheet, "Name of Lab 3")).to_have_value("Lab 3")
    expect(field(sheet, "Weight of Exams")).to_have_value("55")
    sheet.get_by_role("button", name="Edit “Lab 1”").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    page.get_by_role("dialog", name="Delete “Lab 1”?").get_by_role("button", name="Delete").click()
    expect(field(sheet, "Name of Lab 1")).to_have_count(0)
    sheet.get_by_role("button", name="Undo").click()
    expect(field(sheet, "Name of Lab 1")).to_have_value("Lab 1")
    sheet.get_by_role("button", name="Late and missing work").click()
    page.get_by_role("dialog", name="Late and missing work").get_by_role("button", name="Cancel").click()
    expect(field(sheet, "Weight of Exams")).to_have_value("55")
    assert weight_of(room, EXAMS) == 60


@pytest.mark.slow("applies what two lines show, and waits for the grid below")
def test_what_students_see_is_chosen_in_the_row(room, staff):
    sheet, page = table(room)
    expect(field(sheet, "Students see of Lab 2")).to_have_value("kept")
    field(sheet, "Students see of Lab 2").select_option("results at once")
    field(sheet, "Students see of Lab 1").select_option("nothing at all")
    sheet.get_by_role("button", name="Apply").click()
    expect(sheet.get_by_text("The changes are applied.")).to_be_visible()
    states = {line["id"]: (line["state"], line["posting"]) for line in lines(room)}
    assert states[room.lines[QUIET]] == ("open", "automatic")
    assert states[room.lines[LAB]][0] == "draft"
    expect(head(page, 1).locator(".grid-below")).to_have_text("draft")


@pytest.mark.slow("waits for the rehearsal to refuse and to allow what is typed, and has axe read it")
def test_what_cannot_be_is_said_in_its_cell(room):
    sheet, page = table(room)
    field(sheet, "Weight of Exams").fill("6o")
    expect(sheet.get_by_text("Not a number")).to_be_visible()
    sheet.get_by_role("button", name="Apply").click()
    expect(field(sheet, "Weight of Exams")).to_be_focused()
    field(sheet, "Weight of Exams").fill("-1")
    fault = sheet.locator(".line-number .fault")
    expect(fault).to_have_count(1)
    expect(field(sheet, "Weight of Exams")).to_have_attribute("aria-describedby", fault.get_attribute("id"))
    assert violations(page) == []
    field(sheet, "Weight of Exams").fill("61")
    expect(fault).to_have_count(0)
    expect(sheet.locator(".alert")).to_have_count(0)


def test_what_the_rules_refuse_of_all_weights_together_is_said_until_it_is_mended(staff):
    registrar = staff("registrar")
    body = {"scheme": "chalkboard", "title": "Weights of a board", "entry": "staff"}
    program = registrar.api("POST", "/v1/institutions/demo/programs", body)["body"]["program"]["id"]
    board.publish(registrar, f"/v1/programs/{program}")
    parts = (("Assignments", 30), ("Midterm", 30), ("Final", 40))
    steps = [
        {"op": "add", "kind": "assessment", "in": "#0", "fields": {"name": name, "max": 100, "weight": weight}}
        for name, weight in parts
    ]
    room = Classroom(registrar, title="Logic", students=1, lines=steps, program=program, fields={"credits": 3})
    sheet, page = table(room, opened(room))
    field(sheet, "Weight of Midterm").fill("35")
    expect(sheet.get_by_role("alert")).to_have_text("Total weight should be 100")
    expect(sheet.locator(".line-sum")).to_contain_text("Weight adds up to 105.")
    field(sheet, "Weight of Final").fill("35")
    expect(sheet.get_by_role("alert")).to_have_count(0)
    expect(sheet.locator(".line-sum")).to_contain_text("Weight adds up to 100.")
    sheet.get_by_role("button", name="Apply").click()
    expect(sheet.get_by_text("The changes are applied.")).to_be_visible()
    assert [weight_of(room, line) for line in (1, 2, 3)] == [30, 35, 35]


@pytest.mark.parametrize("language", ("en", "fr", "zh-Hans"))
def test_the_table_is_cards_on_a_phone(language, room, newcomer):
    person = room.teacher_elsewhere(newcomer, language, viewport=SMALL_PHONE)
    page = person.load(room.page)
    names = {"en": "Columns", "fr": "Colonnes", "zh-Hans": "列"}
    page.get_by_role("button", name=names[language], exact=True).click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_role("slider").first.fill("15")
    expect(sheet.locator(".banner")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert sheet.evaluate("dialog => dialog.scrollWidth <= dialog.clientWidth")
    assert violations(page) == []


@pytest.mark.slow("saves three forms of lines one after the other, and waits for the table after each")
def test_the_form_of_a_line_asks_once_what_students_see(room):
    # Results that were shown stay visible until the user chooses something else.
    room.call("POST", f"{room.path}/post", {"lines": [room.lines[QUIET]]})
    room.call("PATCH", room.path, {"posting": "manual"})
    sheet, page = table(room)

    def state(title):
        found = next(line for line in lines(room) if line["fields"].get("title") == title)
        return found["state"], found["posting"]

    sheet.get_by_role("button", name="Edit “Lab 2”").click()
    form = page.get_by_role("dialog", name="Edit “Lab 2”")
    expect(form.get_by_label("Students see")).to_have_value("shown")
    form.locator('[name="/fields/max"]').fill("12")
    form.get_by_role("button", name="Save").click()
    expect(field(sheet, "Maximum of Lab 2")).to_have_value("12")
    assert state("Lab 2") == ("posted", "manual")
    sheet.get_by_role("button", name="Edit “Lab 2”").click()
    form.get_by_label("Students see").select_option("the column, and results when I show them")
    assert violations(page) == []
    form.get_by_role("button", name="Save").click()
    expect(field(sheet, "Students see of Lab 2")).to_have_value("kept")
    assert state("Lab 2") == ("open", "manual")
    # A new line is shown according to the setting of the class.
    sheet.get_by_role("button", name="Add item to “Labs”").click()
    added = page.get_by_role("dialog", name="Add item to “Labs”")
    expect(added.get_by_label("Students see")).to_have_value("kept")
    added.locator('[name="/fields/title"]').fill("Lab 3")
    added.locator('[name="/fields/max"]').fill("10")
    added.get_by_label("Students see").select_option("nothing at all")
    added.get_by_role("button", name="Add").click()
    expect(field(sheet, "Students see of Lab 3")).to_have_value("draft")
    assert state("Lab 3")[0] == "draft"
