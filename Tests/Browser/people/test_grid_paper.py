"""The grid on paper: all students and all columns, though the screen shows only some of them."""

from classroom import Classroom
from playwright.sync_api import expect

PAPER = """async ([rows, columns]) => {
    const { Paper } = await import('/app/pages/grid/paper.js');
    const list = (count, name) => Array.from({ length: count }, (_, index) => ({ id: `${name}${index}`, key: `${name}${index}`, name: `${name} ${index}` }));
    const model = { order: list(rows, 'Student'), columns: list(columns, 'Item'), nameOf: ({ name }) => name };
    const host = document.createElement('div');
    const paper = new Paper({
        title: () => 'Logic', model, text: (row, column) => `${row.id}/${column.key}`,
        head: column => ({ above: 'Labs', title: column.name, below: null }),
    });
    paper.attach(host);
    dispatchEvent(new Event('beforeprint'));
    const tables = [...host.querySelectorAll('table')].map(table => ({
        caption: table.caption.textContent,
        head: [...table.tHead.rows[0].cells].map(cell => cell.textContent),
        rows: [...table.tBodies[0].rows].map(row => [...row.cells].map(cell => cell.textContent)),
    }));
    dispatchEvent(new Event('afterprint'));
    paper.detach();
    return [tables, host.childElementCount];
}"""


def test_every_student_and_every_column_is_on_paper_once(anywhere):
    tables, left = anywhere.evaluate(PAPER, [60, 20])
    assert [table["caption"] for table in tables] == ["Logic 1 / 3", "Logic 2 / 3", "Logic 3 / 3"]
    assert [len(table["head"]) for table in tables] == [9, 9, 5]
    for table, first in zip(tables, (0, 8, 16), strict=True):
        numbers = range(first, min(first + 8, 20))
        assert table["head"][1:] == [f"LabsItem {number}" for number in numbers]
        assert table["rows"] == [
            [f"Student {row}", *(f"Student{row}/Item{number}" for number in numbers)] for row in range(60)
        ]
    assert left == 0


def test_a_class_without_columns_is_an_empty_sheet(anywhere):
    assert anywhere.evaluate(PAPER, [3, 0]) == [[], 0]


def test_the_printer_gets_the_table_in_the_place_of_the_grid(staff):
    room = Classroom(staff("teacher"), title="Topology", students=3)
    room.enter(0, 4, 7)
    page = room.teacher.open(room.page)
    expect(page.locator(".grid-row:not([hidden]) .grid-name").first).to_be_visible()
    paper = page.locator(".grid-paper")
    expect(paper).to_be_hidden()
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(page.locator(".grid-host")).to_be_hidden()
    expect(paper.locator("tbody tr")).to_have_count(3)
    expect(paper.locator("tbody tr", has_text=room.names[0]).locator("td").nth(1)).to_have_text("7")
