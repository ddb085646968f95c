"""Results that are not in their class yet: nothing that was typed is lost, whatever happens to network, session and class."""

import pytest
from accessibility import violations
from classroom import Classroom
from grid import MIDTERM, cell, keys, opened, settled, type_in
from playwright.sync_api import expect


@pytest.fixture
def small(staff):
    return Classroom(staff("teacher"), students=4)


def test_without_a_network_results_wait_in_their_order_and_go_when_it_is_back(small, staff):
    page = opened(small)
    small.teacher.context.set_offline(True)
    type_in(page, "71", "72", "73")
    keys(page, "ArrowUp")
    type_in(page, "74")
    expect(page.locator('.grid-cell[data-state="waiting"]')).to_have_count(3)
    expect(page.locator(".banner.waiting")).to_contain_text("3 results wait")
    assert violations(page) == []
    small.teacher.context.set_offline(False)
    settled(page)
    assert small.values(MIDTERM)[:3] == ["71", "72", "74"]
    expect(page.locator(".banner.waiting")).to_have_count(0)


def test_what_waits_outlives_the_page_and_leaves_with_any_page(small):
    page = opened(small)
    page.route("**/v1/classes/**", lambda route: route.abort() if route.request.method != "GET" else route.continue_())
    type_in(page, "71")
    expect(cell(page, 0, 0)).to_have_attribute("data-state", "waiting")
    kept = page.evaluate(
        "Object.entries(localStorage).filter(([key]) => key.startsWith('gradecast.cell.')).map(([, text]) => text)"
    )
    assert len(kept) == 1 and "71" not in kept[0].split(".")
    small.teacher.page.close()
    small.teacher.page = small.teacher.window()
    small.teacher.open("/records")
    small.teacher.page.wait_for_function("!Object.keys(localStorage).some(key => key.startsWith('gradecast.cell.'))")
    assert small.values(MIDTERM)[0] == "71"


def test_a_result_that_is_refused_stays_through_a_reload(small):
    page = opened(small)
    type_in(page, "ninety")
    expect(cell(page, 0, 0)).to_have_attribute("data-state", "refused")
    page.reload()
    expect(cell(page, 0, 0)).to_have_text("ninety")
    expect(page.locator(".banner.refused")).to_contain_text("1 result was not entered")
    page.get_by_role("button", name="Go to the next one").click()
    expect(cell(page, 0, 0)).to_be_focused()
    keys(page, "Escape")
    expect(cell(page, 0, 0)).to_have_text("")
