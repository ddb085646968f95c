"""Tables of regulations on the page of the editor: as forms, and from a sheet."""

import re

import accessibility
import pytest
from playwright.sync_api import expect

SHEET = "\tUE11\tUE12\nR101\t37,5\t20\nSAÉ 1\t\t62,5\n"


@pytest.fixture
def page(newcomer):
    page = newcomer().open("/regulations/try")
    expect(page.get_by_text("No fault", exact=True)).to_be_visible()
    page.get_by_role("combobox", name="Start from").select_option("but-year")
    expect(text_of(page)).to_have_value(re.compile("^# Année de BUT"))
    page.get_by_role("button", name="Values").click()
    return page


def text_of(page):
    return page.get_by_role("textbox", name="Text of the regulations")


def test_a_cell_of_a_table_is_changed_in_the_text(page):
    cell = page.get_by_label("Coefficients, row 2, column 2")
    expect(cell).to_have_value("40")
    expect(page.get_by_label("Coefficients, row 1, column 2")).to_have_value("UE11")
    cell.fill("37,5")
    page.keyboard.press("Tab")
    expect(text_of(page)).to_have_value(re.compile("\n    R101 +37.5 +20 "))
    page.get_by_label("Coefficients, row 2, column 1").fill("R 101")
    page.keyboard.press("Tab")
    expect(text_of(page)).to_have_value(re.compile('\n    "R 101" +37.5 +20 '))
    expect(page.get_by_text("No fault", exact=True)).to_be_visible()


@pytest.mark.slow("reads a wrong sheet and a right one over a long document, and undoes what it put in")
def test_a_sheet_is_read_shown_and_put_into_the_text(page):
    before = text_of(page).input_value()
    page.get_by_role("button", name="Take from a sheet …").click()
    dialog = page.get_by_role("dialog")
    put = dialog.get_by_role("button", name="Put them in")
    expect(put).to_be_disabled()
    cells = dialog.get_by_label("Paste cells here")
    cells.fill("\tUE11\nR101\tx\n")
    page.keyboard.press("Tab")
    expect(dialog.locator(".fault")).to_have_text(
        "Line 2, column 2: “x” is not a number — leave the cell empty where there is none"
    )
    expect(put).to_be_disabled()
    assert accessibility.violations(page) == []
    cells.fill(SHEET)
    page.keyboard.press("Tab")
    expect(dialog.get_by_role("status")).to_have_text(
        "Read with tabs between cells and a decimal comma: rows 2, columns 2."
    )
    expect(dialog.locator("ins").filter(has_text="37.5")).to_have_count(1)
    assert accessibility.violations(page) == []
    put.click()
    expect(dialog).to_have_count(0)
    expect(text_of(page)).to_have_value(re.compile('\n    "SAÉ 1"     -  62.5\n'))
    expect(page.get_by_label("Coefficients, row 2, column 2")).to_have_value("37.5")
    # What was inserted counts as typed text: it can be undone.
    text_of(page).focus()
    page.keyboard.press("ControlOrMeta+z")
    expect(text_of(page)).to_have_value(before)


def test_a_sheet_comes_from_a_file(page):
    page.get_by_role("button", name="Take from a sheet …").click()
    dialog = page.get_by_role("dialog")
    file = {"name": "matrix.csv", "mimeType": "text/csv", "buffer": SHEET.replace("\t", ";").encode()}
    dialog.get_by_label("or choose a file (CSV)").set_input_files(file)
    expect(dialog.get_by_role("status")).to_contain_text("Read with semicolons between cells")
    large = {"name": "large.csv", "mimeType": "text/csv", "buffer": b"x;" * (200 << 10)}
    dialog.get_by_label("or choose a file (CSV)").set_input_files(large)
    expect(dialog.get_by_role("alert")).to_have_text("The file is larger than 256 KiB.")
    expect(dialog.get_by_role("button", name="Put them in")).to_be_disabled()
