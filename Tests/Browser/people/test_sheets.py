"""The sheets over a class, whose requests may be answered when another one is open."""

import pytest
from classroom import Classroom
from grid import holding, one_of, opened
from playwright.sync_api import expect

STAYING = {"staff"}
FRAMES = "async () => { for (let turn = 0; turn < 10; turn += 1) await new Promise(requestAnimationFrame); }"


@pytest.fixture
def room(staff):
    return Classroom(staff("teacher"), title="Hydraulics", students=1)


def test_what_is_saved_late_closes_no_sheet_opened_since(room):
    page = opened(room)
    held = holding(page, f"**{room.path}")
    page.get_by_role("button", name="Settings").click()
    settings = page.get_by_role("dialog", name="Settings of the class")
    settings.get_by_label("Name of the class").fill("Saved late")
    settings.get_by_role("button", name="Save").click()
    late = one_of(page, held)
    page.keyboard.press("Escape")
    expect(settings).to_have_count(0)
    page.get_by_role("button", name="History").click()
    history = page.get_by_role("dialog", name="History")
    expect(history).to_be_visible()
    late.continue_()
    expect(page.locator("h1")).to_have_text("Saved late")
    page.evaluate(FRAMES)
    expect(history).to_be_visible()
