"""The menus of a cell and of a student: by the right button, by keys, by a long press, and what each of them does."""

import board
import pytest
from accessibility import violations
from classroom import SMALL_PHONE, Classroom
from grid import LAB, MIDTERM, cell, head, keys, names, opened, ordered, said, settled, type_in
from playwright.sync_api import expect
from texts import LANGUAGES, shown
from waiting import eventually

STAYING = {"staff"}
TOTAL = 3


@pytest.fixture
def small(staff):
    return Classroom(staff("teacher"), students=4)


def menu(page):
    return page.get_by_role("menu")


def choose(page, name, role="menuitem"):
    menu(page).get_by_role(role, name=name, exact=True).click()


def test_the_page_opens_with_the_focus_in_the_grid(small):
    page = small.teacher.open(small.page)
    expect(cell(page, 0, 0)).to_be_focused()
    type_in(page, "61")
    expect(cell(page, 0, 0)).to_have_text("61")
    expect(cell(page, 1, 0)).to_be_focused()
    settled(page)


def test_the_menu_of_a_cell_does_what_keys_do(small):
    page = opened(small)
    order = ordered(page, small)
    cell(page, 1, 0).click(button="right")
    expect(page.get_by_role("menu", name=f"Midterm, {order[1]}")).to_be_visible()
    expect(menu(page).get_by_role("menuitem").first).to_be_focused()
    assert violations(page) == []
    choose(page, "Edit")
    expect(menu(page)).to_have_count(0)
    page.keyboard.type("72")
    page.keyboard.press("Enter")
    expect(cell(page, 1, 0)).to_have_text("72")
    settled(page)
    cell(page, 1, 0).click(button="right")
    choose(page, "excused", "menuitemcheckbox")
    settled(page)
    assert small.cell(small.names.index(order[1]), MIDTERM)["status"] == "excused"
    cell(page, 1, 0).click(button="right")
    expect(menu(page).get_by_role("menuitemcheckbox", name="excused")).to_have_attribute("aria-checked", "true")
    choose(page, "Undo")
    expect(said(page)).to_have_text("Undone")
    cell(page, 1, 0).click(button="right")
    choose(page, "Comments")
    expect(page.get_by_role("dialog", name="Comments")).to_be_visible()
    keys(page, "Escape")
    expect(cell(page, 1, 0)).to_be_focused()
    cell(page, 1, 0).click(button="right")
    choose(page, "History of the cell")
    expect(page.get_by_role("dialog", name="History: Midterm")).to_contain_text("nothing → 72")
    keys(page, "Escape")
    cell(page, 1, 0).click(button="right")
    choose(page, "Clear")
    expect(cell(page, 1, 0)).to_have_text("")
    settled(page)


def test_the_keys_beside_what_a_menu_offers_are_those_that_hold_in_the_column(staff, small):
    page = opened(small)
    cell(page, 0, 0).click(button="right")
    expect(menu(page).get_by_role("menuitemcheckbox", name="excused").locator("kbd")).to_have_text("X")
    # In columns of letters, a letter without modifier is text.
    registrar = staff("registrar")
    document = registrar.api("GET", "/v1/regulations/library/glasgow")["body"]["document"]
    body = {"scheme": "regulations", "title": "Honours", "entry": "staff", "configuration": {"document": document}}
    program = registrar.api("POST", "/v1/institutions/demo/programs", body)["body"]["program"]["id"]
    board.publish(registrar, f"/v1/programs/{program}")
    essay = {"op": "add", "kind": "component", "in": "#0", "fields": {"title": "Essay", "weight": 1}}
    room = Classroom(registrar, "Optics", 1, lines=[essay], program=program, fields={"credits": 20})
    page = opened(room)
    cell(page, 0, 0).click(button="right")
    expect(menu(page).get_by_role("menuitemcheckbox", name="excused").locator("kbd")).to_have_text("Alt X")
    page.keyboard.press("Escape")
    page.keyboard.press("Alt+x")
    settled(page)
    assert room.cell(0, 1)["status"] == "excused"


def test_the_menu_is_about_what_is_selected(small):
    page = opened(small)
    type_in(page, "50")
    settled(page)
    cell(page, 0, 0).click()
    keys(page, "Shift+ArrowDown", "Shift+ArrowDown", "Shift+F10")
    choose(page, "Fill down")
    settled(page)
    for place in range(3):
        expect(cell(page, place, 0)).to_have_text("50")
    # Outside the selection, the menu is about the cell under the pointer.
    cell(page, 0, 0).click()
    keys(page, "Shift+ArrowDown")
    cell(page, 2, 0).click(button="right")
    choose(page, "Clear")
    settled(page)
    expect(cell(page, 0, 0)).to_have_text("50")
    expect(cell(page, 2, 0)).to_have_text("")


def test_what_is_selected_is_copied(small):
    small.teacher.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = opened(small)
    type_in(page, "50", "60")
    settled(page)
    cell(page, 0, 0).click()
    keys(page, "Shift+ArrowDown")
    cell(page, 0, 0).click(button="right")
    choose(page, "Copy")
    expect(said(page)).to_have_text("2 cells copied")
    assert page.evaluate("navigator.clipboard.readText()") == "50\n60"


def test_what_was_copied_is_pasted_from_the_menu(small):
    small.teacher.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = opened(small)
    page.evaluate("navigator.clipboard.writeText('51\\n61')")
    cell(page, 1, 0).click(button="right")
    choose(page, "Paste")
    page.get_by_role("button", name="Enter these").click()
    settled(page)
    expect(cell(page, 1, 0)).to_have_text("51")
    expect(cell(page, 2, 0)).to_have_text("61")


def test_a_paste_goes_where_the_menu_was_opened_however_long_the_browser_asks(small):
    page = opened(small)
    page.evaluate("""() => {
        const asked = new Promise(resolve => { window.allow = () => resolve('52'); });
        navigator.clipboard.readText = () => asked;
    }""")
    cell(page, 1, 0).click(button="right")
    choose(page, "Paste")
    cell(page, 2, 0).click()
    page.evaluate("allow()")
    page.get_by_role("button", name="Enter these").click()
    settled(page)
    expect(cell(page, 1, 0)).to_have_text("52")
    expect(cell(page, 2, 0)).to_have_text("")


def test_nothing_to_paste_is_said(small):
    page = opened(small)
    page.evaluate("() => { navigator.clipboard.readText = async () => ''; }")
    cell(page, 1, 0).click(button="right")
    choose(page, "Paste")
    expect(said(page)).to_have_text("There is nothing to paste.")


def test_a_browser_that_does_not_let_the_page_read_says_how_to_paste(small):
    page = opened(small)
    page.evaluate(
        "() => { navigator.clipboard.readText = () => Promise.reject(new DOMException('', 'NotAllowedError')); }"
    )
    cell(page, 1, 0).click(button="right")
    choose(page, "Paste")
    expect(said(page)).to_have_text("The browser does not let the page paste. Press Ctrl+V.")


@pytest.mark.parametrize("key", ["Shift+F10", "ContextMenu"])
def test_a_menu_is_walked_by_keys(small, key):
    page = opened(small)
    keys(page, key)
    items = page.locator("[role=menu] [role^=menuitem]")
    expect(items.first).to_be_focused()
    keys(page, "ArrowUp")
    expect(items.last).to_be_focused()
    keys(page, "ArrowDown", "ArrowDown")
    expect(items.nth(1)).to_be_focused()
    keys(page, "End")
    expect(items.last).to_be_focused()
    keys(page, "Home")
    expect(items.first).to_be_focused()
    keys(page, "Escape")
    expect(menu(page)).to_have_count(0)
    expect(cell(page, 0, 0)).to_be_focused()
    keys(page, key)
    # Clicking elsewhere closes it.
    cell(page, 0, TOTAL).click()
    expect(menu(page)).to_have_count(0)
    expect(cell(page, 0, TOTAL)).to_be_focused()
    keys(page, key)
    choose(page, "Column: Grade")
    expect(page.get_by_role("dialog", name="Grade")).to_be_visible()


def test_the_menu_of_a_name_is_about_the_student(small):
    page = opened(small)
    order = ordered(page, small)
    names(page).nth(1).click(button="right")
    expect(page.get_by_role("menu", name=order[1])).to_be_visible()
    assert violations(page) == []
    choose(page, "History of the student")
    expect(page.get_by_role("dialog", name=f"History: {order[1]}")).to_contain_text(
        f"You put {order[1]} into the class"
    )
    keys(page, "Escape")
    expect(names(page).nth(1)).to_be_focused()
    keys(page, "Shift+F10")
    choose(page, "Take out")
    sheet = page.get_by_role("dialog")
    expect(sheet).to_contain_text(f"Take {order[1]} out of the class?")
    sheet.get_by_role("button", name="Take out").click()
    expect(names(page)).to_have_count(3)
    expect(sheet).to_have_count(0)
    names(page).first.click(button="right")
    choose(page, "Transfer")
    expect(page.get_by_role("dialog")).to_contain_text(order[0])
    keys(page, "Escape")
    names(page).first.click(button="right")
    choose(page, "One student")
    expect(page.locator(".student-part")).to_be_visible()
    page.get_by_role("button", name="Grid", exact=True).click()
    names(page).first.click(button="right")
    choose(page, "Record")
    page.wait_for_url("**/records/*")


def test_a_header_opens_the_menu_of_its_column(small):
    page = opened(small)
    head(page, 1).click(button="right")
    expect(page.get_by_role("dialog", name="Lab 1")).to_be_visible()


def test_who_may_not_enter_finds_nothing_that_enters(small, staff):
    registrar = staff("registrar")
    mine = small.teacher.api("GET", "/v1/accounts/me")["body"]["id"]
    other = registrar.api("GET", "/v1/accounts/me")["body"]["id"]
    small.call("POST", f"{small.path}/staff", {"account": other, "role": "teacher"})
    small.call("POST", f"{small.path}/staff", {"account": mine, "role": "observer"})
    page = opened(small)
    cell(page, 0, 0).click(button="right")
    expect(menu(page).get_by_role("menuitem")).to_have_text(
        ["CommentsC", "History of the cellH", "CopyCtrl C", "Column: Midterm"]
    )
    keys(page, "Escape")
    names(page).first.click(button="right")
    expect(menu(page).get_by_role("menuitem")).to_have_text(["One student", "Record", "History of the student"])


def hold(page, target):
    """Rests a finger on something; returns the function that lifts it."""
    target.evaluate("element => element.scrollIntoView({block: 'center'})")
    box = target.bounding_box()
    touch = page.context.new_cdp_session(page)
    point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    return lambda: touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_a_long_press_opens_the_menus_and_presses_nothing(small, newcomer):
    person = small.teacher_elsewhere(newcomer, has_touch=True)
    page = person.open(small.page)
    expect(names(page).first).to_be_visible()
    lift = hold(page, names(page).first)
    expect(menu(page)).to_be_visible()
    lift()
    expect(menu(page).get_by_role("menuitem", name="Record")).to_be_visible()
    expect(page.locator(".student-part")).to_have_count(0)
    menu(page).get_by_role("menuitem", name="History of the student").tap()
    expect(page.get_by_role("dialog")).to_be_visible()


@pytest.mark.slow("holds a finger on a phone of its own until the menu comes, in each language")
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_phone_has_the_menus_beside_each_result_in_each_language(small, newcomer, language):
    texts = LANGUAGES[language]
    english = {text for text in LANGUAGES["en"].values() if "{" not in text} - set(texts.values()) - {"Midterm"}
    person = small.teacher_elsewhere(newcomer, language, viewport=SMALL_PHONE, has_touch=True)
    page = person.open(f"{small.page}?view=column&of={small.lines[LAB]}")
    expect(page.locator(".marks li")).to_have_count(4)
    lift = hold(page, page.locator(".marks label").first)
    expect(menu(page).get_by_role("menuitem", name=texts["ledger.ofStudent"])).to_be_visible()
    assert violations(page) == []
    assert shown(page) & english == set()
    lift()
    keys(page, "Escape")
    expect(page.locator("input.mark").first).to_be_focused()
    keys(page, "Shift+F10")
    expect(menu(page).get_by_role("menuitem", name=texts["keys.history"])).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    assert shown(page) & english == set()
    choose(page, texts["status.missing"], "menuitemcheckbox")
    eventually(page, lambda: "missing" in [(small.cell(row, LAB) or {}).get("status") for row in range(4)])
