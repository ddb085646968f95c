"""The cells of a workbook, and which of its parts is which: with workbooks made by hand and by another program."""

import io

import openpyxl
import pytest
from workbook_files import (
    OFFICE,
    SHEET,
    STRICT,
    STRINGS,
    open_document,
    packed,
    parts,
    read,
    relations,
    sheet,
    table,
    workbook,
)
from workbook_files import cell as open_cell
from workbook_files import row as open_row

READ_ROWS = [["Name", "Midterm "], ["Ada", "66"]]


STYLES = (
    "<styleSheet><numFmts><numFmt numFmtId='170' formatCode='0.0\\ %'/><numFmt numFmtId='171' formatCode='yyyy&quot;%&quot;'/></numFmts>"
    "<cellXfs><xf/><xf numFmtId='9'/><xf numFmtId='170'/><xf numFmtId='171'/><xf numFmtId='14'/></cellXfs></styleSheet>"
)
# The content of a cell, with its text and its fault.
CELLS = {
    "<c r='A1'><v>61</v></c>": ("61", None),
    "<c r='A1' t='n'><v>6.1E1</v></c>": ("61", None),
    "<c r='A1'><f>60+1</f></c>": ("=60+1", "uncalculated"),
    "<c r='A1'><f>60+1</f><v/></c>": ("=60+1", "uncalculated"),
    "<c r='A1'><f>60+1</f><v></v></c>": ("=60+1", "uncalculated"),
    "<c r='A1'><f>IF(A2&lt;3,&quot;x&quot;,1)</f></c>": ('=IF(A2<3,"x",1)', "uncalculated"),
    "<c r='A1'><f t='shared' si='0'/></c>": ("=", "uncalculated"),
    "<c r='A1' t='str'><f>T(A2)</f></c>": ("=T(A2)", "uncalculated"),
    "<c r='A1' t='str'><f>T(A2)</f><v></v></c>": None,
    "<c r='A1' t='str'><f>T(A2)</f><v/></c>": None,
    "<c r='A1' t='str'><f>TEXT(84.5)</f><v>84.5</v></c>": ("84.5", None),
    "<c r='A1'><f>60+1</f><v>61</v></c>": ("61", None),
    "<c r='A1'><f t='shared' si='0'/><v>78</v></c>": ("78", None),
    "<c r='A1' t='e'><f>1/0</f><v>#DIV/0!</v></c>": ("#DIV/0!", "error"),
    "<c r='A1' t='e'><v>#N/A</v></c>": ("#N/A", "error"),
    "<c r='A1' t='b'><v>1</v></c>": ("yes", None),
    "<c r='A1' t='b'><f>TRUE()</f><v>0</v></c>": ("no", None),
    "<c r='A1' s='1'><v>0.85</v></c>": ("85%", "percentage"),
    "<c r='A1' s='2'><v>0.855</v></c>": ("85.5%", "percentage"),
    "<c r='A1' s='3'><v>45000</v></c>": ("2023-03-15", "date"),
    "<c r='A1' s='4'><f>TODAY()</f><v>45000</v></c>": ("2023-03-15", "date"),
    "<c r='A1' t='d'><v>2026-11-28T00:00:00</v></c>": ("2026-11-28T00:00:00", "date"),
    "<c r='A1' t='s'><v>1</v></c>": ("Midterm ", None),
    "<c r='A1' t='inlineStr'><is><t>Ada</t></is></c>": ("Ada", None),
    "<c r='A1' t='inlineStr'><is><r><rPr><b/></rPr><t>A</t></r><r><t>da</t></r><rPh><t>spoken</t></rPh></is></c>": (
        "Ada",
        None,
    ),
    "<c r='A1' t='inlineStr'><is><t>A_x000D__x000a_d_x005F_x000D_a</t></is></c>": ("A\r\nd_x000D_a", None),
    "<c r='A1' t='str'><v>A_x0041_</v></c>": ("AA", None),
    "<c r='A1' t='inlineStr'><is><t>O&#39;N<![CDATA[e<i>l&amp;]]>l<!-- no -->y</t></is></c>": ("O'Ne<i>l&amp;ly", None),
    "<c r='A1' t='inlineStr'><is><t/></is></c>": None,
    "<c r='A1'/>": None,
    "<c r='A1' s='1'></c>": None,
    "<x:c r='A1'><x:v>61</x:v></x:c>": ("61", None),
}


@pytest.mark.slow("reads more than thirty workbooks, each in a worker of its own")
def test_what_a_cell_is(anywhere):
    bodies = [workbook(f"<row r='1'>{cell}</row>", styles=STYLES) for cell in CELLS]
    for (cell, meant), found in zip(CELLS.items(), read(anywhere, *bodies), strict=True):
        text, fault = meant or (None, None)
        assert found["rows"] == ([[text]] if meant else []), cell
        assert found["faults"] == ({"0/0": fault} if fault else {}), cell


def test_a_formula_that_another_program_wrote_without_a_result_is_told(anywhere):
    book = openpyxl.Workbook()
    for row in (["Name", "Midterm"], ["Ada", "=60+1"], ["Bea", 70]):
        book.active.append(row)
    stream = io.BytesIO()
    book.save(stream)
    [found] = read(anywhere, stream.getvalue())
    assert found == {"rows": [["Name", "Midterm"], ["Ada", "=60+1"], ["Bea", "70"]], "faults": {"1/1": "uncalculated"}}


def named(book="xl/workbook.xml", targets=None, kinds=OFFICE, **files):
    """A workbook whose parts have other names, with the relationships that name them."""
    own = parts()
    folder, _, name = book.rpartition("/")
    made = {
        "_rels/.rels": relations({"officeDocument": files.pop("main", book)}, kinds),
        book: own["xl/workbook.xml"].replace(OFFICE, kinds),
        f"{folder}/_rels/{name}.rels".lstrip("/"): relations(targets, kinds),
    }
    for kind, part in (
        ("sheet", "xl/worksheets/sheet1.xml"),
        ("strings", "xl/sharedStrings.xml"),
        ("styles", "xl/styles.xml"),
    ):
        if kind in files:
            made[files[kind]] = own[part]
    return packed(made)


NAMES = {
    "its usual names": named(
        targets={"worksheet": "worksheets/sheet1.xml", "sharedStrings": "sharedStrings.xml"},
        sheet="xl/worksheets/sheet1.xml",
        strings="xl/sharedStrings.xml",
    ),
    "other capitals": named(
        targets={"worksheet": "Worksheets/SHEET1.xml", "sharedStrings": "sharedstrings.xml"},
        sheet="xl/worksheets/sheet1.xml",
        strings="xl/SharedStrings.xml",
    ),
    "names of its own": named(
        "book/workbook22.xml",
        {"worksheet": "tables/a.xml", "sharedStrings": "strings/texts.xml"},
        sheet="book/tables/a.xml",
        strings="book/strings/texts.xml",
    ),
    "absolute targets": named(
        "a/b/c.xml",
        {"worksheet": "/tables/a.xml", "sharedStrings": "/texts.xml"},
        main="/a/b/c.xml",
        sheet="tables/a.xml",
        strings="texts.xml",
    ),
    "targets above": named(
        "a/b/c.xml",
        {"worksheet": "../tables/./a.xml", "sharedStrings": "../../texts.xml"},
        main="./a/b/c.xml",
        sheet="a/tables/a.xml",
        strings="texts.xml",
    ),
    "signs as in addresses": named(
        targets={"worksheet": "my%20sheets/caf%C3%A9.xml", "sharedStrings": "100%.xml"},
        sheet="xl/my sheets/café.xml",
        strings="xl/100%.xml",
    ),
    "backslashes": named(
        targets={"worksheet": "worksheets\\a.xml", "sharedStrings": "s.xml"},
        sheet="xl\\worksheets\\a.xml",
        strings="xl/s.xml",
    ),
    "beside the root": named(
        "book.xml", {"worksheet": "a.xml", "sharedStrings": "s.xml"}, sheet="a.xml", strings="s.xml"
    ),
    "strict names of kinds": named(
        targets={"worksheet": "a.xml", "sharedStrings": "s.xml"}, kinds=STRICT, sheet="xl/a.xml", strings="xl/s.xml"
    ),
}


def test_parts_are_those_that_the_relationships_name(anywhere):
    for name, found in zip(NAMES, read(anywhere, *NAMES.values()), strict=True):
        assert found == {"rows": READ_ROWS, "faults": {}}, name


MISSING = {
    "a sheet": (named(targets={"worksheet": "a.xml"}), "xl/a.xml"),
    "strings": (named(targets={"worksheet": "a.xml", "sharedStrings": "s.xml"}, sheet="xl/a.xml"), "xl/s.xml"),
    "styles": (
        named(
            targets={"worksheet": "a.xml", "sharedStrings": "s.xml", "styles": "t.xml"},
            sheet="xl/a.xml",
            strings="xl/s.xml",
        ),
        "xl/t.xml",
    ),
    "strings that nothing names": (
        named(targets={"worksheet": "a.xml"}, sheet="xl/a.xml", strings="xl/sharedStrings.xml"),
        "sharedStrings.xml",
    ),
    "a sheet that nothing names": (named(targets={}), "One"),
    "the workbook": (packed({"_rels/.rels": relations({"officeDocument": "xl/workbook.xml"})}), "xl/workbook.xml"),
}


def test_a_part_that_is_named_and_not_there_is_told(anywhere):
    found = read(anywhere, *(body for body, _ in MISSING.values()))
    for (case, (_, name)), fault in zip(MISSING.items(), found, strict=True):
        assert fault == {"fault": "missingPart", "name": name}, case


@pytest.mark.parametrize(
    "states", ["hidden visible", "veryHidden hidden visible visible", "visible hidden", "hidden hidden"]
)
def test_the_first_sheet_that_is_not_hidden_is_read(anywhere, states):
    states = states.split()
    own = parts()
    # A sheet that only has a chart is not a table.
    kinds = {"chartsheet": "chart.xml"} | {f"worksheet {index}": f"{index}.xml" for index in range(len(states))}
    sheets = "".join(
        f"<sheet name='{index}' state='{state}' r:id='rworksheet {index}'/>" for index, state in enumerate(states)
    )
    own["xl/workbook.xml"] = f"<workbook><sheets><sheet name='Chart' r:id='rchartsheet'/>{sheets}</sheets></workbook>"
    own["xl/_rels/workbook.xml.rels"] = relations(kinds)
    for index in range(len(states)):
        own[f"xl/{index}.xml"] = sheet(f"<row r='1'><c r='A1'><v>{index}</v></c></row>")
    [found] = read(anywhere, packed(own))
    assert found["rows"] == [[str(states.index("visible") if "visible" in states else 0)]]


def test_a_string_that_is_not_there_is_no_empty_text(anywhere):
    bodies = [workbook(f"<row r='1'><c r='A1' t='s'><v>{index}</v></c></row>") for index in ("2", "-1", "x", "1.5")]
    assert read(anywhere, *bodies) == [{"fault": "unreadable"}] * 4


def test_an_open_document_that_is_no_spreadsheet_is_not_read(anywhere):
    body = packed({"mimetype": "application/vnd.oasis.opendocument.text", "content.xml": "<x/>"})
    assert read(anywhere, body) == [{"fault": "unreadable"}]


# Small files that unpack into large ones.
BOMBS = {
    "strings": workbook(SHEET, strings="<sst>" + "<si/>" * 6_000_000 + "</sst>"),
    "strings with ends": workbook(SHEET, strings="<sst>" + "<si></si>" * 200_001 + "</sst>"),
    "attributes": workbook("<row r='1' " + " ".join(f"a{index}=''" for index in range(1_500_000)) + "/>"),
    "equal attributes": workbook("<row r='1' " + "a='' " * 1_500_000 + "/>"),
    "129 attributes": workbook("<row r='1' " + "a='' " * 128 + "/>"),
    "tags": workbook("<c/>" * 6_000_000),
    "tags in a string": workbook(SHEET, strings="<sst><si>" + "<r/>" * 6_000_000 + "</si></sst>"),
    "merged cells over each other": packed(
        parts()
        | {
            "xl/worksheets/sheet1.xml": sheet(
                "".join(f"<row r='{row}'><c r='B{row}'><v>1</v></c></row>" for row in range(1, 1001)),
                "<mergeCells>" + "<mergeCell ref='A1:XFD1048576'/>" * 400_000 + "</mergeCells>",
            )
        }
    ),
    "formulas for whole columns": workbook("<row r='1'><c r='A1'><f t='array' ref='A1:A1048576'>1</f></c></row>"),
    "rows of an open document": open_document(
        table(open_row(open_cell("float", "1"), more=" table:number-rows-repeated='1048576'"))
    ),
    "cells of an open document": open_document(
        table(open_row(open_cell("float", "1", more=" table:number-columns-repeated='16384'")))
    ),
    "formulas of an open document": open_document(
        table(
            open_row(
                open_cell(
                    more=" table:formula='of:=1' table:number-matrix-columns-spanned='1' table:number-matrix-rows-spanned='1048576'"
                )
            )
        )
    ),
    "formats": workbook(SHEET, styles="<styleSheet><cellXfs>" + "<xf/>" * 6_000_000 + "</cellXfs></styleSheet>"),
}


@pytest.mark.parametrize("case", BOMBS)
def test_what_unpacks_into_much_is_refused(anywhere, case):
    assert len(BOMBS[case]) < 4 << 20
    assert read(anywhere, BOMBS[case]) == [{"fault": "tooLarge"}]


def test_what_is_just_as_much_as_may_be_is_read(anywhere):
    strings = STRINGS.replace("</sst>", "<si/>" * 199_998 + "</sst>")
    row = SHEET.replace("<row r='1'", "<row r='1' " + " ".join(f"a{index}=''" for index in range(127)))
    [found] = read(anywhere, workbook(row, strings=strings))
    assert found["rows"] == READ_ROWS
