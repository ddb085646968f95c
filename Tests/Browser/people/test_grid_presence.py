"""Two people in one grid: each sees where the other one works, and what the other one changed."""

import pytest
from accessibility import violations
from classroom import Classroom
from grid import cell, keys, opened, said, settled
from playwright.sync_api import expect


@pytest.fixture
def small(staff):
    return Classroom(staff("teacher"), students=4)


@pytest.mark.slow("waits in one grid for all that another tells: cell, typing, result, silence, leaving")
def test_each_sees_where_the_other_works_and_what_the_other_changed(small, staff):
    registrar = staff("registrar")
    mine, theirs = opened(small), opened(small, registrar)
    name = registrar.api("GET", "/v1/accounts/me")["body"]["displayName"]
    bar = mine.locator(".people-bar")
    expect(bar).to_contain_text(name)
    cell(theirs, 2, 1).click()
    expect(cell(mine, 2, 1)).to_have_attribute("data-tag", initials(name))
    expect(cell(mine, 2, 1)).to_have_attribute("title", f"{name} is here.")
    theirs.keyboard.type("7")
    expect(cell(mine, 2, 1)).to_have_attribute("title", f"{name} is typing here.")
    expect(bar.get_by_role("button")).to_have_attribute("title", f"{name} is typing: Lab 1, {small.names[2]}")
    keys(theirs, "Enter")
    settled(theirs)
    expect(cell(mine, 2, 1)).to_have_text("7")
    expect(cell(mine, 2, 1)).to_have_attribute("title", f"changed by {name}")
    expect(cell(mine, 3, 1)).to_have_attribute("data-tag", initials(name))
    assert violations(mine) == []
    # Pressing the name leads to the cell.
    bar.get_by_role("button").click()
    expect(cell(mine, 3, 1)).to_be_focused()
    expect(said(mine)).to_contain_text(f"Now here: {name}.")
    # A person who shows no cell is still named.
    theirs.get_by_label("Show others my cell").uncheck()
    expect(mine.locator("[data-tag]")).to_have_count(0)
    expect(bar).to_contain_text(name)
    theirs.reload()
    expect(cell(theirs, 0, 0)).to_be_visible()
    expect(theirs.get_by_label("Show others my cell")).not_to_be_checked()
    # In the view of one column, too.
    theirs.get_by_label("Show others my cell").check()
    mine.get_by_role("button", name="One column").click()
    cell(theirs, 1, 0).click()
    expect(mine.locator(".marks > li").nth(1).locator(".person-tag")).to_have_text(initials(name))
    theirs.close()
    expect(bar).to_have_count(0)


def initials(name):
    words = name.split()
    return (words[0][0] + words[-1][0] if len(words) > 1 else words[0][0]).upper()
