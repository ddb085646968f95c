"""A teacher's class in the browser: entering by keyboard, pasting, columns and students, every view of it."""

import pytest
from accessibility import violations
from classroom import Classroom
from grid import LAB, MIDTERM, QUIET, cell, copied, cut, head, keys, names, opened, paste, said, settled, type_in
from playwright.sync_api import expect
from texts import LANGUAGES, shown
from waiting import eventually

STAYING = {"staff"}


@pytest.fixture
def room(staff):
    return Classroom(staff("teacher"), students=30)


@pytest.fixture
def small(staff):
    return Classroom(staff("teacher"), students=4)


@pytest.mark.slow("types thirty results key by key, since it is the keys that are counted")
def test_thirty_results_take_thirty_enters_and_no_mouse(room):
    page = room.teacher.open(room.page)
    expect(names(page).first).to_be_visible()
    page.locator(".grid-find").focus()
    keys(page, "Enter")
    type_in(page, *(str(number) for number in range(60, 90)))
    expect(cell(page, 29, 0)).to_have_text("89")
    settled(page)
    assert room.values(MIDTERM) == [str(60 + room_place(room, page, name)) for name in room.names]


def room_place(room, page, name):
    """The place of a student in the grid, which sorts by name."""
    order = page.evaluate("names => names.sort(new Intl.Collator(undefined, {numeric: true}).compare)", room.names)
    return order.index(name)


def test_typing_editing_clearing_and_the_way_back(small):
    page = opened(small)
    type_in(page, "71", "72")
    settled(page)
    keys(page, "ArrowUp", "F2")
    editor = page.locator(".grid-editor")
    expect(editor).to_have_value("72")
    page.keyboard.type(".5")
    keys(page, "Tab")
    expect(cell(page, 1, 0)).to_have_text("72.5")
    expect(cell(page, 1, 1)).to_be_focused()
    page.keyboard.type("9")
    keys(page, "Escape")
    expect(cell(page, 1, 1)).to_have_text("")
    expect(cell(page, 1, 1)).to_be_focused()
    # What waits is merged with what is typed over it into one act.
    settled(page)
    keys(page, "ArrowLeft", "Delete")
    expect(cell(page, 1, 0)).to_have_text("")
    settled(page)
    keys(page, "Control+z")
    expect(cell(page, 1, 0)).to_have_text("72.5")
    keys(page, "Control+z")
    expect(cell(page, 1, 0)).to_have_text("72")
    keys(page, "Control+y")
    expect(cell(page, 1, 0)).to_have_text("72.5")
    assert small.values(MIDTERM)[:2] == ["71", "72.5"]


def test_moving_selecting_filling_and_copying(small):
    page = opened(small)
    type_in(page, "10")
    keys(page, "ArrowUp", "Shift+ArrowDown", "Shift+ArrowDown", "Control+d")
    for row in range(3):
        expect(cell(page, row, 0)).to_have_text("10")
        expect(cell(page, row, 0)).to_have_attribute("aria-selected", "true")
    assert copied(page) == "10\n10\n10"
    keys(page, "Control+End")
    expect(cell(page, 3, 3)).to_be_focused()
    keys(page, "Home")
    expect(cell(page, 3, 0)).to_be_focused()
    keys(page, "Control+ArrowUp")
    expect(cell(page, 2, 0)).to_be_focused()
    keys(page, "Control+ArrowUp")
    expect(cell(page, 0, 0)).to_be_focused()
    keys(page, "ArrowUp")
    expect(head(page, 0)).to_be_focused()
    keys(page, "Enter")
    expect(page.get_by_role("dialog", name="Exams › Midterm")).to_be_visible()
    keys(page, "Escape")
    expect(head(page, 0)).to_be_focused()
    keys(page, "ArrowDown", "x")
    expect(cell(page, 0, 0)).to_have_attribute("title", "excused")
    settled(page)
    assert small.cell(0, MIDTERM) == {"value": "10", "status": "excused", "posted": True}
    keys(page, "m")
    expect(said(page)).to_have_text("There is a result: it is not missing.")


def test_the_wheel_changes_no_value_and_tab_leads_out(small):
    page = opened(small)
    type_in(page, "10")
    keys(page, "ArrowUp", "F2")
    page.mouse.wheel(0, 300)
    keys(page, "Enter")
    expect(cell(page, 0, 0)).to_have_text("10")
    keys(page, "Tab")
    assert page.evaluate("!document.activeElement.closest('.grid')")


def test_sorting_and_finding(small):
    page = opened(small)
    type_in(page, "9", "10", "8.5")
    settled(page)
    head(page, 0).click()
    page.get_by_role("button", name="Sort descending").click()
    expect(head(page, 0)).to_have_attribute("aria-sort", "descending")
    expect(cell(page, 0, 0)).to_have_text("10")
    expect(cell(page, 3, 0)).to_have_text("")
    page.locator(".grid-corner").click()
    expect(cell(page, 0, 0)).to_have_text("9")
    eventually(page, lambda: sorted(names(page).all_inner_texts()) == sorted(small.names))
    page.keyboard.press("/")
    expect(page.locator(".grid-find")).to_be_focused()
    page.keyboard.type(small.names[2][:6])
    expect(names(page)).to_have_text([small.names[2]])
    page.locator(".grid-find").fill("Lab 2")
    keys(page, "Enter")
    expect(cell(page, 0, 2)).to_be_focused()


def test_a_paste_is_tried_first_and_its_two_bad_cells_are_mended_in_place(small):
    page = opened(small)
    paste(page, "81\t7\n82\tseven\n-3\t9\n84\t10")
    plan = page.locator(".grid-plan")
    expect(plan).to_contain_text("6 new, 2 refused")
    expect(page.locator('[data-state="paste-refused"]')).to_have_count(2)
    assert violations(page) == []
    assert small.values(MIDTERM) == [None] * 4
    keys(page, "Enter")
    expect(page.locator('.grid-cell[data-state="refused"]')).to_have_count(2)
    settled(page)
    assert small.values(MIDTERM) == ["81", "82", None, "84"]
    assert small.values(LAB) == ["7", None, "9", "10"]
    expect(cell(page, 2, 0)).to_have_text("-3")
    keys(page, "ArrowDown", "ArrowRight")
    expect(page.locator(".cell-note")).to_contain_text("Not a number")
    type_in(page, "7,5")
    keys(page, "ArrowLeft")
    type_in(page, "83")
    settled(page)
    expect(page.locator('.grid-cell[data-state="refused"]')).to_have_count(0)
    assert small.values(MIDTERM) == ["81", "82", "83", "84"]
    assert small.values(LAB) == ["7", "7.5", "9", "10"]
    # The whole paste is one act.
    keys(page, "Control+z", "Control+z")
    expect(cell(page, 1, 1)).to_have_text("")
    keys(page, "Control+z")
    expect(cell(page, 0, 0)).to_have_text("")
    assert small.values(LAB) == [None] * 4


def test_what_a_paste_a_cut_and_a_key_clear_is_called_cleared(small):
    page = opened(small)
    type_in(page, "71", "72", "73")
    settled(page)
    cell(page, 0, 0).click()
    # The cell in the middle is empty.
    paste(page, "71\n\n74")
    expect(said(page)).to_have_text("1 changed, 1 cleared, 1 the same")
    cleared = page.locator('[data-state="paste-cleared"]')
    expect(cleared).to_have_text("")
    expect(cleared).to_have_attribute("aria-description", "will be cleared: 72")
    assert violations(page) == []
    keys(page, "Enter")
    settled(page)
    assert small.values(MIDTERM) == ["71", None, "74", None]
    keys(page, "Shift+ArrowDown", "Shift+ArrowDown", "Delete")
    # Cells that were empty are not cleared.
    expect(said(page)).to_have_text("2 cells cleared")
    settled(page)
    assert small.values(MIDTERM) == [None] * 4
    cell(page, 0, 0).click()
    type_in(page, "75")
    keys(page, "ArrowUp")
    assert cut(page) == "75"
    expect(said(page)).to_have_text("1 cell cut")
    settled(page)
    assert small.values(MIDTERM) == [None] * 4


def test_a_paste_is_given_up_with_escape(small):
    page = opened(small)
    paste(page, "1\n2")
    expect(page.locator(".grid-plan")).to_be_visible()
    keys(page, "Escape")
    expect(page.locator(".grid-plan")).to_have_count(0)
    expect(cell(page, 0, 0)).to_have_text("")


def test_a_number_that_could_be_two_is_asked_about_in_its_cell(staff):
    room = Classroom(staff("teacher", locale="fr-FR"), students=2)
    page = opened(room)
    type_in(page, "1,000", "7,5")
    expect(cell(page, 1, 0)).to_have_text("7,5")
    settled(page)
    expect(cell(page, 0, 0)).to_have_attribute("data-state", "refused")
    assert room.values(MIDTERM) == [None, "7.5"]
    assert copied(page) == "7,5"


@pytest.mark.slow("shows, adds, deletes and brings back columns, each in its own sheet")
def test_columns_are_added_changed_posted_and_deleted(small):
    page = opened(small)
    type_in(page, "50")
    settled(page)
    head(page, 2).click()
    menu = page.get_by_role("dialog")
    expect(menu).to_contain_text("none of its results")
    menu.get_by_role("button", name="Show the results to students").click()
    expect(head(page, 2)).not_to_contain_text("not shown")
    page.get_by_role("button", name="Columns").click()
    sheet = page.get_by_role("dialog")
    assert violations(page) == []
    sheet.get_by_role("button", name="Add item to “Labs”").click()
    sheet.locator('[name="/fields/title"]').fill("Lab 3")
    sheet.locator('[name="/fields/max"]').fill("0")
    sheet.get_by_role("button", name="Add").click()
    expect(sheet.locator('[name="/fields/max"]')).to_have_attribute("aria-invalid", "true")
    sheet.locator('[name="/fields/max"]').fill("20")
    sheet.get_by_role("button", name="Add").click()
    expect(head(page, 3)).to_contain_text("Lab 3")
    page.get_by_role("dialog", name="Columns and weights").get_by_role("button", name="Close").click()
    head(page, 0).click()
    page.get_by_role("button", name="Edit", exact=True).click()
    sheet.get_by_role("button", name="Delete").click()
    expect(sheet).to_contain_text("1 result is in it")
    sheet.get_by_role("button", name="Delete").click()
    expect(head(page, 0)).to_contain_text("Lab 1")
    # The push may come before the answer, whose message has the undo button.
    page.locator(".toast", has_text="Midterm").get_by_role("button", name="Undo").click()
    expect(head(page, 0)).to_contain_text("Midterm")
    expect(cell(page, 0, 0)).to_have_text("50")


def test_students_come_and_go(small):
    page = opened(small)
    members = small.call("GET", "/v1/institutions/demo/members?role=student&limit=200")["items"]
    other = next(item for item in members if item["displayName"] not in small.names and "person-" not in item["login"])
    page.get_by_role("button", name="Students", exact=True).click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_label("Add a student").fill(other["displayName"])
    expect(sheet.get_by_role("button", name="Put into the class")).to_have_count(1)
    assert violations(page) == []
    sheet.get_by_label("Add a student").press("Enter")
    expect(sheet.get_by_role("heading", name="5 students")).to_be_visible()
    sheet.get_by_role("button", name=f"Take {other['displayName']} out").click()
    expect(sheet).to_contain_text("The results stay in the class")
    sheet.get_by_role("button", name="Take out").click()
    # The answer shows the students again; the push may come before it.
    expect(said(page)).to_contain_text("has left the class")
    expect(sheet.get_by_role("heading", name="4 students")).to_be_visible()
    keys(page, "Escape")
    expect(names(page)).to_have_count(4)


def test_the_history_says_who_did_what(small):
    page = opened(small)
    first = names(page).first.inner_text()
    type_in(page, "17")
    # Changes that wait together become one act.
    settled(page)
    keys(page, "ArrowUp", "Alt+x")
    expect(cell(page, 0, 0)).to_have_attribute("title", "excused")
    settled(page)
    page.get_by_role("button", name="History").click()
    sheet = page.get_by_role("dialog")
    expect(sheet).to_contain_text(f"You entered 17 for {first} in Midterm")
    expect(sheet).to_contain_text("as excused in Midterm")
    assert violations(page) == []


def test_a_class_is_made_from_the_shape_and_listed(staff):
    teacher = staff("teacher")
    program = Classroom(teacher, students=0).program
    page = teacher.open(f"/programs/{program}/classes")
    page.get_by_role("button", name="New class").click()
    sheet = page.get_by_role("dialog")
    sheet.locator('[name="/fields/title"]').fill("Operating Systems II")
    sheet.locator('[name="/fields/year"]').fill("12")
    sheet.get_by_role("button", name="Create the class").click()
    expect(sheet.locator('[name="/fields/year"]')).to_have_attribute("aria-invalid", "true")
    sheet.locator('[name="/fields/year"]').fill("2027")
    sheet.get_by_role("button", name="Create the class").click()
    page.wait_for_url("**/classes/*")
    expect(page.get_by_role("heading", name="Operating Systems II")).to_be_visible()
    teacher.open("/classes")
    expect(page.get_by_role("link", name="Operating Systems II").last).to_be_visible()


def test_a_new_class_asks_for_columns_and_students_until_it_has_both(staff):
    teacher = staff("teacher")
    page = teacher.open("/classes")
    page.get_by_role("button", name="New class").click()
    choice = page.get_by_role("dialog", name="In which program?")
    expect(choice).to_be_visible()
    assert violations(page) == []
    choice.get_by_role("button", name="Computer Science, class of 2027").click()
    sheet = page.get_by_role("dialog", name="New class")
    sheet.locator('[name="/fields/title"]').fill("Compilers III")
    sheet.locator('[name="/fields/year"]').fill("2027")
    sheet.locator('[name="/fields/credits"]').fill("4")
    sheet.get_by_role("button", name="Create the class").click()
    steps = page.get_by_role("region", name="This class is new")
    steps.get_by_role("button", name="Add students").click()
    roster = page.get_by_role("dialog", name="Students of the class")
    roster.get_by_label("Add a student").fill("Demo student")
    roster.get_by_role("button", name="Put into the class").click()
    expect(roster.get_by_role("heading", name="1 student")).to_be_visible()
    page.keyboard.press("Escape")
    expect(steps).to_contain_text("Done")
    assert violations(page) == []
    steps.get_by_role("button", name="Add columns").click()
    expect(page.get_by_role("dialog", name="Columns and weights")).to_be_visible()
    page.keyboard.press("Escape")
    path = f"/v1{page.url.removeprefix(teacher.url)}"
    add(teacher, path, "category", {"category": "exams", "weight": 60})
    add(teacher, path, "item", {"title": "Final", "max": 100})
    expect(steps).to_have_count(0)


def add(teacher, path, kind, fields):
    """Adds a line below the newest one, or adds the root."""
    lines = teacher.api("GET", path)["body"]["class"]["structure"]["lines"]
    newest = max(lines, key=lambda line: line["number"])["id"]
    changes = [{"op": "add", "kind": kind, "in": newest, "fields": fields}]
    answer = teacher.api("POST", f"{path}/changes", {"changes": changes})
    assert answer["status"] == 200, answer


def test_registrars_see_all_classes_of_their_institution(staff):
    room = Classroom(staff("teacher"), title="Category theory", students=0)
    page = staff("registrar").open("/classes")
    page.get_by_role("button", name="All of Demo College").click()
    more = page.get_by_role("button", name="More")
    expect(page.locator(f'a[href="{room.page}"]').or_(more).first).to_be_visible()
    assert violations(page) == []


@pytest.mark.slow("marks in two views of a phone of its own, and has axe read each")
def test_a_phone_marks_one_column_or_one_student_and_has_no_grid(staff):
    room = Classroom(staff("teacher", viewport={"width": 320, "height": 568}), students=4)
    page = room.teacher.open(room.page)
    fields = page.locator("input.mark")
    expect(fields).to_have_count(4)
    expect(page.locator(".grid")).to_have_count(0)
    fields.first.focus()
    type_in(page, "61", "62", "sixty", "64")
    expect(page.locator('[data-state="refused"] .mark-note')).to_contain_text("This is not a number")
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    fields.nth(2).fill("63")
    fields.nth(2).press("Enter")
    expect(fields.nth(3)).to_be_focused()
    fields.nth(3).press("Alt+x")
    expect(page.locator(".mark-status").nth(3)).to_have_value("excused")
    settled(page)
    assert room.values(MIDTERM) == ["61", "62", "63", "64"]
    page.get_by_role("button", name="One student").click()
    expect(page.locator(".total-figure")).to_contain_text("61")
    assert page.url.endswith("?view=student")
    assert violations(page) == []
    page.get_by_role("button", name="Next", exact=True).click()
    expect(page.locator(".total-figure")).to_contain_text("62")
    fields.nth(1).fill("5")
    fields.nth(1).press("Enter")
    expect(page.locator(".total-figure")).to_contain_text("57.2")
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


def test_a_student_sees_the_own_lines_and_what_the_total_can_become(small, staff):
    place = next((index for index, name in enumerate(small.names) if name == "Demo student"), None)
    small.enter(place, MIDTERM, 90)
    small.enter(place, QUIET, 1)
    row = small.rows[place]
    student = staff("student")
    page = student.open(f"/records/{row['record']}")
    page.get_by_role("button", name="History").click()
    expect(page.get_by_role("dialog").locator(".history strong").first).to_have_text("Changed in the class – Compilers")
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Results in “Compilers”").last.click()
    expect(page.locator(".total-figure")).to_contain_text("90")
    expect(page.locator(".range-ends")).to_contain_text("at least 54.00")
    expect(page.locator(".own-line", has_text="Lab 2")).to_contain_text("no result yet")
    expect(page.locator(".own-group", has_text="Exams")).to_contain_text("Weight: 60")
    assert violations(page) == []
    small.enter(place, LAB, 5)
    expect(page.locator(".own-line", has_text="Lab 1")).to_contain_text("5 of 10")


def test_a_class_of_five_hundred_is_drawn_by_a_fixed_pool(staff):
    """Only the page's part: five hundred rows and sixty columns in the view, scrolled from end to end."""
    page = staff("teacher").open("/classes")
    found = page.evaluate(
        """async () => {
             const { GridModel } = await import('/app/pages/grid/model.js');
             const { GridView } = await import('/app/pages/grid/view.js');
             const model = new GridModel(() => '1');
             model.setColumns(Array.from({length: 60}, (_, index) => ({key: `c${index}`, title: `Column ${index}`, path: []})));
             model.take(Array.from({length: 500}, (_, index) => ({id: `r${index}`, name: `Student ${String(index).padStart(3, '0')}`})));
             const host = document.body.appendChild(document.createElement('div'));
             host.style.cssText = '';
             host.className = 'grid-host';
             host.style.height = '600px';
             const view = new GridView({
               model, label: () => 'Large', corner: () => 'Student', isDense: () => false, head: column => ({title: column.title, above: '', below: '', mark: null, sorted: null}),
               name: row => ({text: row.name, mark: null}), cell: (row, column) => ({text: `${row.id}${column.key}`}),
               onKey() {}, onOpen() {}, onMove() {}, onCommit() {}, onCancel() {}, onClipboard() {}, onScroll() {},
             });
             view.attach(host);
             const frame = () => new Promise(requestAnimationFrame);
             const pool = host.querySelectorAll('.grid-cell').length;
             const wrong = [];
             for (let step = 0; step <= 40; step += 1) {
               view.element.scrollTop = step * 450;
               view.element.scrollLeft = step * 160;
               await frame();
               await frame();
               const box = view.element.getBoundingClientRect();
               for (const cell of host.querySelectorAll('.grid-row:not([hidden]) .grid-cell:not([hidden])')) {
                 const {left, top} = cell.getBoundingClientRect();
                 if (left < box.left || top < box.top || left > box.right || top > box.bottom) continue;
                 const row = Number(cell.parentElement.getAttribute('aria-rowindex')) - 2;
                 const column = Number(cell.getAttribute('aria-colindex')) - 2;
                 if (cell.textContent !== `r${row}c${column}`) wrong.push(cell.textContent);
               }
             }
             return {pool, after: host.querySelectorAll('.grid-cell').length, wrong, last: host.textContent.includes('r499c59')};
           }"""
    )
    assert found["wrong"] == [] and found["last"]
    assert found["pool"] == found["after"] < 1500


@pytest.mark.slow("opens every sheet and view of a class in another browser, one after the other")
@pytest.mark.parametrize("language", ["fr", "zh-Hans"])
def test_no_view_of_a_class_speaks_english_to_others(small, newcomer, language):
    own = set(LANGUAGES[language].values())
    english = {text for text in LANGUAGES["en"].values() if "{" not in text} - own - {"Midterm"}
    person = small.teacher_elsewhere(newcomer, language)
    found = []

    def look(name):
        found.extend((name, text) for text in shown(person.page) if text in english or text in LANGUAGES["en"])

    page = opened(small, person)
    type_in(page, "abc")
    expect(cell(page, 0, 0)).to_have_attribute("data-state", "refused")
    keys(page, "ArrowUp")
    look("grid")
    for index in range(6):
        page.locator(".class-head .tool").nth(index).click()
        expect(page.locator("dialog")).to_be_visible()
        look(f"sheet {index}")
        keys(page, "Escape")
        expect(page.locator("dialog")).to_have_count(0)
    head(page, 0).click()
    expect(page.locator("dialog")).to_be_visible()
    look("menu")
    keys(page, "Escape")
    for index in (1, 2):
        page.locator(".segments button").nth(index).click()
        expect(page.locator(".marks")).to_be_visible()
        look(f"view {index}")
    person.open("/classes")
    look("classes")
    person.open(f"/programs/{small.program}/classes")
    page.locator(".program .button").first.click()
    expect(page.locator("dialog")).to_be_visible()
    look("new")
    assert found == []
    assert person.problems == []
