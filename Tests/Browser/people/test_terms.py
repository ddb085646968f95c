"""Terms of an institution, and the periods of a class, in the browser."""

import pytest
from accessibility import violations
from classroom import SMALL_PHONE, Classroom
from grid import LAB, MIDTERM, cell, head, keys, opened, settled, type_in
from playwright.sync_api import expect


def make(page, kind, name, first, last, parent=None):
    form = page.locator("form")
    form.locator('[name="/kind"]').select_option(kind)
    if parent:
        form.locator('[name="/parent"]').select_option(label=parent)
    form.locator('[name="/title"]').fill(name)
    form.locator('[name="/from"]').fill(first)
    form.locator('[name="/until"]').fill(last)
    form.get_by_role("button", name="Create").click()
    expect(page.locator(".rows").get_by_text(name, exact=True)).to_be_visible()


@pytest.mark.slow("makes three terms by their form, and locks one under a grid that is open elsewhere")
def test_a_registrar_makes_and_locks_periods_and_the_grid_shows_them(staff):
    registrar = staff("registrar")
    institution = registrar.api("GET", "/v1/institutions/demo")["body"]["institution"]["id"]
    page = registrar.open(f"/institutions/{institution}/terms")
    make(page, "term", "Autumn", "2026-09-01", "2026-12-31")
    make(page, "period", "First half", "2026-09-01", "2026-10-31", "Autumn")
    make(page, "period", "Second half", "2026-11-01", "2026-12-31", "Autumn")
    # The fault is shown at its field.
    page.locator('form [name="/title"]').fill("Third half")
    page.locator('form [name="/from"]').fill("2026-12-31")
    page.locator('form [name="/until"]').fill("2027-01-31")
    page.get_by_role("button", name="Create").click()
    expect(page.locator('form [name="/from"]')).to_have_attribute("aria-invalid", "true")
    assert violations(page) == []

    room = Classroom(staff("teacher"), students=2)
    terms = registrar.api("GET", f"/v1/institutions/{institution}/terms")["body"]["items"]
    room.call("PATCH", room.path, {"term": terms[0]["id"]})
    dues = ((MIDTERM, "2026-10-10"), (LAB, "2026-11-20"))
    steps = [{"op": "patch", "line": room.lines[line], "due": due} for line, due in dues]
    room.call("POST", f"{room.path}/changes", {"changes": steps})
    grid = opened(room)
    grid.get_by_label("Period").select_option(label="First half")
    expect(head(grid, 0)).to_contain_text("Midterm")
    expect(head(grid, 1)).not_to_contain_text("Lab 1")
    cell(grid, 0, 0).click()
    type_in(grid, "70")
    settled(grid)
    # Locked elsewhere: the page is told, and its cells become read-only.
    page.get_by_role("button", name="Lock First half").click()
    expect(page.get_by_role("button", name="Unlock First half")).to_be_visible()
    expect(grid.get_by_label("Period").locator("option", has_text="First half (locked)")).to_be_attached()
    cell(grid, 0, 0).click()
    keys(grid, "8")
    expect(grid.locator("[role=status]", has_text="is locked").first).to_be_attached()
    assert room.values(MIDTERM)[0] == "70"
    grid.get_by_label("Period").select_option(label="All periods")
    expect(head(grid, 1)).to_contain_text("Lab 1")
    assert violations(grid) == []

    page.set_viewport_size(SMALL_PHONE)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for item in reversed(terms):
        if item["kind"] == "period":
            registrar.api("DELETE", f"/v1/institutions/{institution}/terms/{item['id']}")
