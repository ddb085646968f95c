"""The elements that axe tests: everything that looks different, whatever else is in its list."""

import pytest
from accessibility import COLOURS, serious

ROW = "<li{look}><span>Algorithms</span> <b>{number} points</b></li>"
PALE = "color: #ccc"


@pytest.fixture
def listed(browser):
    """A page with a list of ten rows, some of which have a style of their own."""
    page = browser.new_page(reduced_motion="reduce")

    def show(styles, of_all=""):
        rows = [
            ROW.format(look=f' style="{styles[number]}"' if number in styles else "", number=number)
            for number in range(10)
        ]
        head = f"<title>List</title><style>body {{ color: #000; background: #fff }} {of_all}</style>"
        page.set_content(
            f"<!doctype html><html lang=en><head>{head}</head><main><ul>{''.join(rows)}</ul></main></html>"
        )
        return page

    yield show
    page.close()


def contrasts(page):
    return [(impact, rule) for impact, rule, *_ in serious(page, COLOURS)]


@pytest.mark.parametrize(
    ("styles", "of_all"),
    [
        ({7: PALE}, ""),
        ({6: "background: #333"}, ""),
        ({9: "opacity: 0.3"}, ""),
        ({}, f"li {{ {PALE} }}"),
        ({}, f"li:nth-child(2n) {{ {PALE} }}"),
        ({}, f"li:nth-child(8) b {{ {PALE} }}"),
    ],
    ids=["a row", "its background", "its opacity", "all rows", "every other row", "a part of a row"],
)
def test_what_cannot_be_read_is_found_in_any_row_of_a_list(listed, styles, of_all):
    assert contrasts(listed(styles, of_all)) == [("serious", "color-contrast")]


def test_rows_that_can_be_read_are_left_as_they_were(listed):
    page = listed({3: "color: #222"})
    before = page.content()
    assert contrasts(page) == []
    assert page.content() == before
