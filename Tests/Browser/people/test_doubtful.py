"""Results that are probably mistakes: which of them the page asks about, and that none is entered before a user
confirms it."""

from decimal import Decimal

import pytest
from accessibility import violations
from classroom import SMALL_PHONE, Classroom
from grid import LAB, MIDTERM, cell, kept, keys, opened, paste, said, settled, type_in
from playwright.sync_api import expect
from waiting import eventually

STAYING = {"staff"}

DOUBTS = """async cases => {
    const { doubtOf, standing } = await import('/app/pages/grid/doubtful.js');
    return cases.map(([value, best, others]) => doubtOf(value, best, standing(best, others)));
}"""


def doubts(page, *cases):
    return page.evaluate(DOUBTS, cases)


def test_nothing_up_to_the_maximum_is_asked_about(anywhere):
    maxima = ["5", "10", "20", "30", "50", "99.5", "100", "150", "1000"]
    usual = [[], [None, None], ["1", "2", "1.5", "0"], ["0"] * 5]
    cases = [
        (str(Decimal(most) * step / 20), most, others) for most in maxima for step in range(-1, 21) for others in usual
    ]
    assert len(cases) > 700
    assert set(doubts(anywhere, *cases)) == {None}


def test_everything_above_the_maximum_is_asked_about_and_a_lost_mark_is_named(anywhere):
    maxima = ["5", "10", "20", "30", "50", "99.5", "100", "150", "1000"]
    above = [(most, Decimal(most) * (100 + step) / 100) for most in maxima for step in (1, 2, 5, 10, 25, 49, 50)]
    found = doubts(anywhere, *[(str(value), most, [most, "1", None]) for most, value in above])
    assert found == [{"kind": "above", "limit": most, "likely": None} for most, _ in above]
    # Ten and a hundred times the intended value.
    for power in (10, 100):
        meant = [(most, f"{Decimal(most) * step / 100:f}") for most in maxima for step in range(75, 101)]
        slips = [(str(Decimal(value) * power), most, []) for most, value in meant]
        found = doubts(anywhere, *slips)
        # A hundredth is suggested if a tenth is above the maximum, too.
        assert [Decimal(each["likely"]) for each in found] == [Decimal(value) for _, value in meant]


@pytest.mark.parametrize(
    "value, best, others, kind, likely",
    [
        ("850", "100", [], "above", "85"),
        ("145", "20", [], "above", "14.5"),
        ("1450", "20", [], "above", "14.5"),
        ("9.75", "1", [], "above", "0.975"),
        ("100000", "20", [], "above", None),
        ("100.01", "100", [], "above", None),
        ("100.0", "100", [], None, None),
        # If the column has extra credit, more of it is usual; a lost decimal mark is not.
        ("107", "100", ["104", "80"], None, None),
        ("150", "100", ["104", "80"], None, None),
        ("150.1", "100", ["104", "80"], "above", "15.01"),
        ("850", "100", ["104", "80"], "above", "85"),
        # A mistake that somebody else entered does not make the next one usual.
        ("840", "100", ["850", "80"], "above", "84"),
        ("104", "100", ["850", "80"], "above", None),
        # Without a maximum, the other results show what is usual.
        ("850", None, ["85", "70", "92"], "far", "85"),
        ("460", None, ["85", "70", "92"], "far", "46"),
        ("459.9", None, ["85", "70", "92"], None, None),
        ("850", None, ["85", "70", None], None, None),
        ("850", None, ["0", "0", "0"], None, None),
        ("-850", None, ["85", "70", "92"], None, None),
        ("8", None, ["85", "70", "92"], None, None),
        ("99999999999999999999.1", "99999999999999999999", [], "above", None),
        ("ten", "100", [], None, None),
        ("", None, ["85", "70", "92"], None, None),
    ],
)
def test_cases(value, best, others, kind, likely, anywhere):
    [found] = doubts(anywhere, (value, best, others))
    assert (found and found["kind"], found and found["likely"]) == (kind, likely)


@pytest.fixture
def room(staff):
    return Classroom(staff("teacher"), students=4)


def note(page):
    return page.get_by_role("group", name="What is wrong in this cell")


ASKED = "950 is above the maximum of 100. Is that meant? Or is it 95?"
KEYS = "Enter once more enters it, Esc gives it up."
WAITS = "It waits in its cell until you say so."


def test_a_result_above_the_maximum_is_entered_when_it_is_said_to_be_meant(room):
    page = opened(room)
    type_in(page, "950")
    first = cell(page, 0, 0)
    expect(first).to_have_attribute("data-state", "doubtful")
    expect(first).to_have_attribute("aria-invalid", "true")
    expect(first).to_have_attribute("aria-description", ASKED)
    expect(said(page)).to_have_text(f"{ASKED} {WAITS}")
    expect(cell(page, 1, 0)).to_be_focused()
    keys(page, "ArrowUp")
    expect(note(page)).to_contain_text(f"{ASKED}{KEYS}")
    assert violations(page) == []
    assert room.values(MIDTERM)[0] is None
    keys(page, "Enter")
    expect(first).to_be_focused()
    expect(said(page)).to_have_text(f"{ASKED} {KEYS}")
    keys(page, "Enter")
    expect(cell(page, 1, 0)).to_be_focused()
    settled(page)
    assert room.values(MIDTERM)[0] == "950"
    # The column still does not accept other results like it, but accepts the same one.
    type_in(page, "940")
    expect(cell(page, 1, 0)).to_have_attribute("data-state", "doubtful")
    keys(page, "ArrowUp")
    type_in(page, "950")
    settled(page)
    assert room.values(MIDTERM)[:2] == ["950", "950"]


def test_who_types_without_looking_enters_the_following_results_in_their_rows(room):
    page = opened(room)
    type_in(page, "950", "77", "78")
    settled(page)
    assert room.values(MIDTERM) == [None, "77", "78", None]
    expect(cell(page, 0, 0)).to_have_attribute("data-state", "doubtful")


def test_it_is_given_up_or_corrected_and_never_stored(room):
    page = opened(room)
    type_in(page, "950")
    keys(page, "ArrowUp", "Escape")
    expect(cell(page, 0, 0)).to_have_text("")
    expect(note(page)).to_have_count(0)
    # What is typed over it replaces it.
    type_in(page, "950")
    keys(page, "ArrowUp")
    type_in(page, "95")
    expect(cell(page, 1, 0)).to_be_focused()
    # When the user moves on, the cell stays coloured and is announced like one that was not taken; Enter asks again
    # before it enters the result.
    type_in(page, "850")
    expect(page.get_by_text("1 result was not entered. Its cell says why.")).to_be_visible()
    expect(cell(page, 1, 0)).to_have_attribute("data-state", "doubtful")
    page.get_by_role("button", name="Try again").click()
    settled(page)
    assert room.values(MIDTERM)[:2] == ["95", None]
    cell(page, 0, 0).click()
    keys(page, "Enter", "Enter")
    expect(said(page)).to_contain_text("850 is above the maximum of 100.")
    expect(cell(page, 1, 0)).to_be_focused()
    assert room.values(MIDTERM)[1] is None
    keys(page, "Enter")
    settled(page)
    assert room.values(MIDTERM)[1] == "850"


def test_a_click_elsewhere_enters_nothing_doubtful_and_a_button_says_that_it_is_meant(room):
    page = opened(room)
    page.keyboard.type("104")
    cell(page, 2, 1).click()
    expect(cell(page, 0, 0)).to_have_attribute("data-state", "doubtful")
    assert room.values(MIDTERM)[0] is None and kept(page) == 1
    cell(page, 0, 0).click()
    note(page).get_by_role("button", name="Yes, 104 is meant").click()
    settled(page)
    expect(cell(page, 0, 0)).to_have_text("104")
    expect(cell(page, 0, 0)).to_be_focused()
    assert room.values(MIDTERM)[0] == "104"
    # From then on the column accepts extra credit; a lost decimal mark still needs confirmation.
    keys(page, "ArrowDown")
    type_in(page, "103", "110", "1050")
    expect(cell(page, 3, 0)).to_have_attribute("data-state", "doubtful")
    settled(page)
    assert room.values(MIDTERM) == ["104", "103", "110", None]


@pytest.mark.slow("types thirty-two results key by key, since it is the keys that must not stop")
def test_thirty_ordinary_results_are_typed_without_a_stop(room):
    page = opened(room)
    for turn in range(8):
        cell(page, 0, 0).click()
        type_in(page, *(str(60 + turn + row) for row in range(4)))
    settled(page)
    assert room.values(MIDTERM) == ["67", "68", "69", "70"]
    expect(page.locator('[data-state="doubtful"]')).to_have_count(0)


def test_a_paste_marks_what_is_doubtful_and_enters_it_when_it_is_confirmed(room):
    page = opened(room)
    paste(page, "95\t7\n950\t8\n85\t90")
    bar = page.get_by_role("group", name="Not entered yet:")
    expect(bar).to_contain_text("4 new, 2 doubtful, to be confirmed")
    expect(cell(page, 1, 0)).to_have_attribute("data-state", "paste-doubtful")
    expect(cell(page, 1, 0)).to_have_attribute("aria-description", ASKED)
    assert violations(page) == []
    keys(page, "Enter")
    settled(page)
    assert (room.values(MIDTERM), room.values(LAB)) == (["95", None, "85", None], ["7", "8", None, None])
    # Results that are not confirmed stay in their cells until the user decides.
    expect(cell(page, 1, 0)).to_have_attribute("data-state", "doubtful")
    expect(cell(page, 2, 1)).to_have_attribute("data-state", "doubtful")
    for row, column in ((1, 0), (2, 1)):
        cell(page, row, column).click()
        keys(page, "Escape")
    expect(page.locator('[data-state="doubtful"]')).to_have_count(0)
    cell(page, 0, 0).click()
    paste(page, "95\t7\n950\t8\n85\t90")
    bar.get_by_role("button", name="Enter all; 2 doubtful results are meant").click()
    settled(page)
    eventually(
        page, lambda: (room.values(MIDTERM), room.values(LAB)) == (["95", "950", "85", None], ["7", "8", "90", None])
    )


def test_a_file_is_asked_about_in_the_same_words(room, newcomer):
    file = "Student,Midterm\n" + "".join(
        f"{name},{value}\n" for name, value in zip(room.names, (95, 950), strict=False)
    )
    page = room.teacher_elsewhere(newcomer, viewport=SMALL_PHONE).load(room.page)
    page.get_by_role("button", name="Import").click()
    sheet = page.get_by_role("dialog")
    chosen = {"name": "results.csv", "mimeType": "text/csv", "buffer": file.encode()}
    sheet.get_by_label("File").set_input_files(chosen)
    expect(sheet.locator(".import-plan")).to_contain_text("1 new, 1 doubtful, to be confirmed")
    expect(sheet.locator(".changes li").last).to_contain_text(ASKED)
    assert violations(page) == []
    sheet.get_by_role("button", name="Enter all; 1 doubtful result is meant").click()
    settled(page)
    eventually(page, lambda: room.values(MIDTERM)[:2] == ["95", "950"])


def test_in_lists_the_same_text_can_be_typed_again_before_the_page_is_drawn(room, newcomer):
    page = room.teacher_elsewhere(newcomer, viewport=SMALL_PHONE).load(room.page)
    first = page.locator(".marks > li").first
    page.locator(".marks input.mark").first.click()
    type_in(page, "950")
    expect(first).to_have_attribute("data-state", "doubtful")
    # In one task, so that nothing is drawn between.
    page.evaluate("""() => {
        const input = document.activeElement;
        const press = key => input.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
        press('Escape');
        input.value = '950';
        input.dispatchEvent(new InputEvent('input', { bubbles: true }));
        press('Enter');
    }""")
    page.evaluate("() => new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
    expect(first).to_have_attribute("data-state", "doubtful")
    expect(page.locator(".mark-note")).to_contain_text(ASKED)


def test_in_lists_a_second_enter_confirms_too(room, newcomer):
    page = room.teacher_elsewhere(newcomer, viewport=SMALL_PHONE).load(room.page)
    fields = page.locator(".marks input.mark")
    fields.first.click()
    type_in(page, "950")
    expect(fields.first).to_be_focused()
    expect(page.locator(".marks > li").first).to_have_attribute("data-state", "doubtful")
    expect(page.locator(".mark-note")).to_contain_text(ASKED)
    assert violations(page) == []
    keys(page, "Escape")
    expect(fields.first).to_have_value("")
    type_in(page, "950")
    expect(page.locator(".marks > li").first).to_have_attribute("data-state", "doubtful")
    assert room.values(MIDTERM)[0] is None
    keys(page, "Enter")
    expect(fields.nth(1)).to_be_focused()
    settled(page)
    assert room.values(MIDTERM)[0] == "950"


def test_results_under_codes_are_asked_about_as_well(room):
    step = {"op": "patch", "line": room.lines[MIDTERM], "marking": "anonymous"}
    room.call("POST", f"{room.path}/changes", {"changes": [step]})
    page = room.teacher.open(f"{room.page}?view=column&of={room.lines[MIDTERM]}")
    fields = page.locator(".marks input.mark")
    fields.first.click()
    type_in(page, "950")
    expect(page.locator(".mark-note")).to_contain_text(ASKED)
    expect(fields.first).to_be_focused()
    assert violations(page) == []
    keys(page, "Escape")
    expect(page.locator(".mark-note")).to_have_count(0)
    keys(page, "Control+a")
    type_in(page, "940")
    keys(page, "Enter")
    expect(fields.nth(1)).to_be_focused()
    expect(page.locator(".mark-note")).to_have_count(0)
    marked = lambda: room.call("GET", f"{room.path}/marking/{room.lines[MIDTERM]}")["codes"]  # noqa: E731
    eventually(page, lambda: [each for each in marked() if each.get("cell")])
    type_in(page, "940")
    expect(fields.nth(2)).to_be_focused()


def test_a_mark_of_two_is_asked_about_and_a_text_in_doubt_survives_loading(room):
    marking = {"mode": "double", "tolerance": "1", "rule": "mean"}
    step = {"op": "patch", "line": room.lines[MIDTERM], "marking": marking}
    room.call("POST", f"{room.path}/changes", {"changes": [step]})
    page = opened(room)
    type_in(page, "950")
    expect(cell(page, 0, 0)).to_have_attribute("data-state", "doubtful")
    page.reload()
    expect(cell(page, 0, 0)).to_have_text("950")
    expect(cell(page, 0, 0)).to_have_attribute("data-state", "doubtful")
    cell(page, 0, 0).click()
    keys(page, "Enter")
    expect(said(page)).to_contain_text(ASKED)
    keys(page, "Enter")
    settled(page)
    marks = room.call("GET", f"{room.path}/marking/{room.lines[MIDTERM]}")["marks"]
    assert [mark["value"] for mark in marks] == ["950"]
