"""Undo in a class: each undo takes back what it says, and nothing else."""

import re
import threading

import pytest
from classroom import Classroom
from conftest import lasting
from grid import MIDTERM, cell, head, holding, kept, keys, names, one_of, opened, ordered, paste, said, settled, type_in
from playwright.sync_api import expect
from waiting import eventually

STAYING = {"staff"}


@pytest.fixture
def small(staff):
    return Classroom(staff("teacher"), students=4)


def values(small, page, line=MIDTERM):
    """The values on the server, in the order in which the page shows the students."""
    return [small.cell(small.names.index(name), line) for name in names(page).all_inner_texts()]


UNDONE = re.compile("^Undone")
NOTHING = re.compile("^There is nothing to undo")


def test_a_message_takes_back_what_it_tells_of(newcomer, server):
    teacher = newcomer().sign_in(*server.sign_ins()["teacher"].values())
    lasting(teacher.page)
    small = Classroom(teacher, students=4)
    page = opened(small)
    head(page, 2).click()
    page.get_by_role("dialog").get_by_role("button", name="Show the results to students").click()
    expect(head(page, 2)).not_to_contain_text("not shown")
    cell(page, 0, 0).click()
    type_in(page, "88")
    settled(page)
    page.locator(".toast").get_by_role("button", name="Undo").last.click()
    expect(head(page, 2)).to_contain_text("not shown")
    expect(cell(page, 0, 0)).to_have_text("88")
    assert values(small, page)[0] == "88"


def test_taking_a_student_out_is_the_act_that_an_undo_takes_back(small):
    page = opened(small)
    order = ordered(page, small)
    type_in(page, "71")
    settled(page)
    page.get_by_role("button", name="Students", exact=True).click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_role("button", name=f"Take {order[3]} out").click()
    sheet.get_by_role("button", name="Take out").click()
    expect(sheet.get_by_role("heading", name="3 students")).to_be_visible()
    # The push may come before the answer, which makes undo possible.
    expect(said(page)).to_contain_text("has left the class")
    keys(page, "Escape")
    cell(page, 0, 0).click()
    keys(page, "Control+z")
    expect(names(page)).to_have_count(4)
    assert values(small, page)[0] == "71"
    page.get_by_role("button", name="History").click()
    lines = page.get_by_role("dialog").locator(".history > li")
    expect(lines.nth(0)).to_contain_text(f"You put {order[3]} into the class")
    expect(lines.nth(1)).to_contain_text(f"You took {order[3]} out of the class")


def test_a_paste_whose_first_result_stood_there_already_is_taken_back_as_a_whole(small, staff):
    page = opened(small)
    type_in(page, "50")
    settled(page)
    order = ordered(page, small)
    held = holding(page, re.compile("/v1/classes/.*/cells"))
    paste(page, "60\n70")
    expect(page.locator(".grid-plan")).to_be_visible()
    keys(page, "Enter")
    route = one_of(page, held)
    small.enter(small.names.index(order[1]), MIDTERM, 60, by=staff("registrar"))
    route.continue_()
    settled(page)
    expect(cell(page, 2, 0)).to_have_text("70")
    keys(page, "Control+z")
    expect(cell(page, 2, 0)).to_have_text("")
    assert values(small, page)[:3] == ["50", "60", None]


def test_an_undo_of_nothing_takes_back_no_older_act(small, staff):
    """Entering a value that is there already is not an act, and the act before it stays."""
    page = opened(small)
    type_in(page, "50")
    settled(page)
    order = ordered(page, small)
    held = holding(page, re.compile("/v1/classes/.*/rows/"))
    type_in(page, "60")
    route = one_of(page, held)
    small.enter(small.names.index(order[1]), MIDTERM, 60, by=staff("registrar"))
    route.continue_()
    settled(page)
    keys(page, "Control+z")
    expect(said(page)).to_have_text(NOTHING)
    assert values(small, page)[:2] == ["50", "60"]


def test_an_act_that_another_tab_sent_is_taken_back_in_the_tab_that_made_it(small):
    page = opened(small)
    type_in(page, "50")
    settled(page)
    page.evaluate(
        """() => {
             window.own = window.fetch;
             window.fetch = (input, init) => (init?.method === 'PATCH' ? Promise.reject(new TypeError('lost')) : window.own(input, init));
           }"""
    )
    type_in(page, "60")
    expect(cell(page, 1, 0)).to_have_attribute("data-state", "waiting")
    other = small.teacher.window()
    other.goto(small.teacher.url + "/records")
    expect(cell(page, 1, 0)).not_to_have_attribute("data-state", "waiting")
    page.evaluate("() => { window.fetch = window.own; }")
    keys(page, "Control+z")
    expect(cell(page, 1, 0)).to_have_text("")
    expect(said(page)).to_have_text(UNDONE)
    assert values(small, page)[:2] == ["50", None]


def test_what_was_given_up_without_a_network_is_done_again(small):
    page = opened(small)
    small.teacher.context.set_offline(True)
    type_in(page, "71")
    expect(cell(page, 0, 0)).to_have_attribute("data-state", "waiting")
    keys(page, "Control+z")
    expect(cell(page, 0, 0)).to_have_text("")
    eventually(page, lambda: kept(page) == 0)
    keys(page, "Control+y")
    expect(cell(page, 0, 0)).to_have_text("71")
    small.teacher.context.set_offline(False)
    settled(page)
    assert values(small, page)[0] == "71"


def lose(page):
    """Requests arrive but their answers are lost, until the network is restored. A request may be on its way then."""
    is_mended = threading.Event()

    def pass_on(route):
        if route.request.method == "GET" or is_mended.is_set():
            return route.continue_()
        route.fetch()
        route.abort()

    page.route(re.compile("/v1/classes/.*/rows/"), pass_on)
    return is_mended.set


def test_what_has_arrived_is_undone_by_an_act_that_follows(small):
    page = opened(small)
    mend = lose(page)
    type_in(page, "71")
    expect(cell(page, 0, 0)).to_have_attribute("data-state", "waiting")
    keys(page, "Control+z")
    expect(said(page)).to_have_text(re.compile("^Will be undone once"))
    expect(cell(page, 0, 0)).to_have_text("")
    mend()
    settled(page)
    expect(page.locator(".banner.waiting")).to_have_count(0)
    assert values(small, page)[0] is None
    keys(page, "Control+y")
    expect(cell(page, 0, 0)).to_have_text("71")
    keys(page, "Control+z")
    expect(cell(page, 0, 0)).to_have_text("")


def test_an_act_whose_answer_was_lost_is_entered_once_and_taken_back(small, staff):
    """The repeated request gets the first one's answer, whatever others entered in between."""
    page = opened(small)
    type_in(page, "50")
    settled(page)
    mend = lose(page)
    type_in(page, "71")
    expect(cell(page, 1, 0)).to_have_attribute("data-state", "waiting")
    order = ordered(page, small)
    small.enter(small.names.index(order[3]), MIDTERM, 12, by=staff("registrar"))
    mend()
    settled(page)
    keys(page, "Control+z")
    expect(cell(page, 1, 0)).to_have_text("")
    assert values(small, page) == ["50", None, None, "12"]


def test_ones_own_undo_is_no_news(small):
    page = opened(small)
    type_in(page, "17")
    settled(page)
    page.evaluate(
        """() => {
             window.marked = 0;
             new MutationObserver(() => { window.marked += document.querySelectorAll('[data-state=fresh]').length; })
               .observe(document.querySelector('.grid'), {subtree: true, attributes: true, attributeFilter: ['data-state']});
           }"""
    )
    keys(page, "Control+z")
    expect(cell(page, 0, 0)).to_have_text("")
    expect(said(page)).to_have_text(UNDONE)
    keys(page, "Control+y")
    expect(cell(page, 0, 0)).to_have_text("17")
    assert page.evaluate("window.marked") == 0
