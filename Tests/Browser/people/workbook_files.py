"""Reads workbooks as the page does, and makes the workbooks of the tests: with openpyxl, and by hand if no program
would write them in that way."""

import base64
import datetime
import io
import zipfile

import openpyxl
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from openpyxl.comments import Comment
from openpyxl.styles import NamedStyle
from openpyxl.utils.datetime import CALENDAR_MAC_1904
from openpyxl.worksheet.formula import ArrayFormula, DataTableFormula

# The result of reading each file: `{rows, faults}`, or the fault of the file with the details that it names.
READ = """async bodies => {
    const { tableOf } = await import('/app/pages/grid/file/reading.js');
    const { FileFault } = await import('/app/pages/grid/file/zip.js');
    const { useTexts } = await import('/app/core/text/i18n.js');
    await useTexts('record');
    const found = [];
    for (const body of bodies) {
        try {
            const { rows, faults } = await tableOf(new Blob([Uint8Array.fromBase64(body)]));
            found.push({ rows, faults: Object.fromEntries(faults) });
        } catch (error) {
            if (!(error instanceof FileFault)) throw error;
            found.push({ fault: error.message, ...error.args });
        }
    }
    return found;
}"""

OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
STRICT = "http://purl.oclc.org/ooxml/officeDocument/relationships"
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
STRICT_MAIN = "http://purl.oclc.org/ooxml/spreadsheetml/main"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
MIME = "application/vnd.openxmlformats-officedocument.spreadsheetml"
STRINGS = "<sst><si><t>Name</t></si><si><r><t>Mid</t></r><r><t xml:space='preserve'>term </t></r><rPh sb='0' eb='1'><t>spoken</t></rPh></si></sst>"
SHEET = "<row r='1'><c r='A1' t='s'><v>0</v></c><c r='B1' t='s'><v>1</v></c></row><row r='2'><c r='A2' t='inlineStr'><is><t>Ada</t></is></c><c r='B2'><v>66</v></c></row>"


def read(page, *bodies):
    return page.evaluate(READ, [base64.b64encode(body).decode() for body in bodies])


def packed(parts):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as file:
        for name, text in parts.items():
            file.writestr(name, text)
    return stream.getvalue()


def sheet(rows, after="", space=MAIN):
    return f"<worksheet xmlns='{space}'><sheetData>{rows}</sheetData>{after}</worksheet>"


def relations(targets, kinds=OFFICE):
    lines = (
        f"<Relationship Id='r{kind}' Type='{kinds}/{kind.split(' ')[0]}' Target='{target}'/>"
        for kind, target in targets.items()
    )
    return f"<Relationships xmlns='{PACKAGE}/relationships'>" + "".join(lines) + "</Relationships>"


def parts(rows=SHEET, strings=STRINGS, styles="<styleSheet/>"):
    names = {"worksheet": "worksheets/sheet1.xml", "sharedStrings": "sharedStrings.xml", "styles": "styles.xml"}
    return {
        "_rels/.rels": relations({"officeDocument": "xl/workbook.xml"}),
        "xl/workbook.xml": f"<workbook xmlns:r='{OFFICE}'><sheets><sheet name='One' sheetId='1' r:id='rworksheet'/></sheets></workbook>",
        "xl/_rels/workbook.xml.rels": relations(names),
        "xl/worksheets/sheet1.xml": sheet(rows),
        "xl/sharedStrings.xml": strings,
        "xl/styles.xml": styles,
    }


def workbook(rows, strings=STRINGS, styles="<styleSheet/>"):
    return packed(parts(rows, strings, styles))


# With openpyxl.


def saved(book):
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def of_rows(rows, book=None):
    book = book or openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    return book


FORMATS = (
    "General",
    "0%",
    "0.0\\%",
    '0.0"%"',
    '0" pts"',
    "# ?/?",
    "0.0E+0",
    "#,##0.0",
    "[$£-809]0.00",
    "[h]:mm",
    "d mmm",
    "00000",
    "@",
    '[$-409]0.0"h"',
    "\\m0",
    '"a""%"0',
    "0;0;0%",
    "[<=1]0%;0",
)


def formats():
    book = of_rows([[code, 0.855, 61.5] for code in FORMATS])
    for row, code in enumerate(FORMATS, 1):
        for column in (2, 3):
            book.active.cell(row, column).number_format = code
    return saved(book)


def dates(epoch=None):
    book = openpyxl.Workbook()
    if epoch:
        book.epoch = epoch
    day = datetime.datetime(2026, 11, 28, 13, 45, 30)
    for row in (
        [day, day.date(), day.time(), datetime.timedelta(hours=30, minutes=5)],
        [datetime.date(1904, 1, 2), datetime.date(1999, 12, 31)],
    ):
        book.active.append(row)
    return saved(book)


def iso_dates():
    book = of_rows([[datetime.date(2026, 11, 28), datetime.datetime(2026, 11, 28, 13, 45), datetime.time(13, 45)]])
    book.iso_dates = True
    return saved(book)


def values():
    rows = [
        ["Name", "Midterm"],
        ["Ada", True],
        ["Bea", False],
        ["Cem", "#N/A"],
        ["Dana", None],
        ["'Eve", "'61"],
        ["00042", 42],
        [" Zoë ", "61,5"],
    ]
    book = of_rows(rows)
    book.active["B8"].quotePrefix = True
    book.active["A9"].value, book.active["A9"].number_format = "=Ada", "@"
    book.active["A9"].data_type = "s"
    return saved(book)


def formulas():
    book = of_rows([["Name", "Sum", "Array", "Table"], ["Ada", "=60+1"], ["Bea", 70], ["Cem", "=B2*2"]])
    book.active["C2"] = ArrayFormula("C2:C4", "=B2:B4*2")
    book.active["D2"] = DataTableFormula("D2:D4", dt2D=False, r1="B2")
    return saved(book)


def rich():
    bold = InlineFont(b=True)
    book = of_rows(
        [
            [CellRichText("Mid", TextBlock(bold, "term"), " 1"), CellRichText(TextBlock(bold, " Ada "))],
            ["a\nb", "a\tb"],
            ["_x000D_", "a_x0041_"],
        ]
    )
    return saved(book)


def hidden():
    book = of_rows([["wrong"]])
    book.active.sheet_state = "hidden"
    book.create_sheet("Secret").sheet_state = "veryHidden"
    shown = book.create_sheet("Résultats ’26 & 大阪 <1>")
    for row in (["Name", "Hidden", "Midterm"], ["Ada", 1, 66], ["Bea", 2, 67]):
        shown.append(row)
    shown.row_dimensions[2].hidden = True
    shown.column_dimensions["B"].hidden = True
    book.active = 2
    book.move_sheet(shown, -1)
    return saved(book)


def merged():
    book = of_rows([["Class", None, None], ["Name", "Midterm", "Lab"], ["Ada", 66, 7], [None, 67, 8]])
    book.active.merge_cells("A1:C1")
    book.active.merge_cells("A3:A4")
    book.active["B3"].comment = Comment("77", "Ada")
    return saved(book)


def written_only():
    book = openpyxl.Workbook(write_only=True)
    results = book.create_sheet()
    for row in (["Name", "Midterm"], [], ["Ada", 66.5], [None, None, 7]):
        results.append(row)
    return saved(book)


def named_style():
    book = of_rows([[0.855, 0.5]])
    book.add_named_style(NamedStyle("Share", number_format="0.0%"))
    book.active["A1"].style = "Share"
    book.active["B1"].style = "Percent"
    return saved(book)


# By hand.

TYPES = f"""<Types xmlns='{PACKAGE}/content-types'><Default Extension='xml' ContentType='application/xml'/>
<Default Extension='rels' ContentType='application/vnd.openxmlformats-package.relationships+xml'/>
<Override PartName='/xl/workbook.xml' ContentType='{MIME}.sheet.main+xml'/><Override PartName='/xl/styles.xml' ContentType='{MIME}.styles+xml'/>
<Override PartName='/xl/sharedStrings.xml' ContentType='{MIME}.sharedStrings+xml'/>SHEETS</Types>"""
BARE = f"<styleSheet xmlns='{MAIN}'><fonts count='1'><font><sz val='11'/></font></fonts><fills count='1'><fill><patternFill patternType='none'/></fill></fills><borders count='1'><border/></borders>%s<cellStyleXfs count='2'><xf numFmtId='0'/><xf numFmtId='9'/></cellStyleXfs><cellXfs>%s</cellXfs></styleSheet>"


ONE = "<sheet name='One' sheetId='1' r:id='rworksheet'/>"


def whole(rows, *, after="", strings="", styles="", sheets="", book="", head="", **more):
    """A workbook that every program opens: `strings` and `styles` replace the content of these parts."""
    made = parts(rows, f"<sst xmlns='{MAIN}'>{strings}</sst>", BARE % (styles or ("", "<xf numFmtId='0'/>")))
    made["xl/workbook.xml"] = (
        f"<workbook xmlns='{MAIN}' xmlns:r='{OFFICE}'>{head}<sheets>{sheets or ONE}</sheets>{book}</workbook>"
    )
    made["xl/worksheets/sheet1.xml"] = sheet(rows, after)
    made |= more.get("files", {})
    names = [name for name in made if name.startswith("xl/") and name.rpartition("/")[0].lower().endswith("worksheets")]
    shown = "".join(f"<Override PartName='/{name}' ContentType='{MIME}.worksheet+xml'/>" for name in names)
    return packed({"[Content_Types].xml": TYPES.replace("SHEETS", shown)} | made)


def inline(text):
    return f"<c t='inlineStr'><is><t>{text}</t></is></c>"


PLACELESS = f"<row>{inline('Name')}{inline('Midterm')}</row><row>{inline('Ada')}<c><v>66</v></c></row><row r='5'><c r='B5'><v>67</v></c><c><v>7</v></c></row><row><c><v>8</v></c></row>"


def prefixed():
    rows = (
        SHEET.replace("</", "</x:")
        .replace("<c", "<x:c")
        .replace("<row", "<x:row")
        .replace("<v", "<x:v")
        .replace("<is", "<x:is")
        .replace("<t>", "<x:t>")
    )
    files = {
        "xl/worksheets/sheet1.xml": f"<?xml version='1.0'?><x:worksheet xmlns:x='{MAIN}'><x:sheetData>{rows}</x:sheetData></x:worksheet>",
        "xl/sharedStrings.xml": f"<s:sst xmlns:s='{MAIN}'><s:si><s:t>Name</s:t></s:si><s:si><s:t>Midterm</s:t></s:si></s:sst>",
        "xl/workbook.xml": f"<w:workbook xmlns:w='{MAIN}' xmlns:other='{OFFICE}'><w:sheets><w:sheet name='One' sheetId='1' other:id='rworksheet'/></w:sheets></w:workbook>",
        "_rels/.rels": relations({"officeDocument": "xl/workbook.xml"})
        .replace("<Rel", "<p:Rel")
        .replace("</Rel", "</p:Rel")
        .replace("xmlns=", "xmlns:p="),
    }
    return whole("", files=files)


def strict():
    files = {name: text.replace(OFFICE, STRICT).replace(MAIN, STRICT_MAIN) for name, text in parts().items()}
    files["xl/worksheets/sheet1.xml"] = sheet(
        SHEET
        + "<row r='3'><c r='B3' t='d'><v>2026-11-28</v></c><c r='C3' t='b'><v>true</v></c><c r='D3' t='b'><v>false</v></c></row>",
        space=STRICT_MAIN,
    )
    files["xl/sharedStrings.xml"] = STRINGS.replace("<sst", f"<sst xmlns='{STRICT_MAIN}'")
    files["xl/styles.xml"] = (BARE % ("", "<xf numFmtId='0'/>")).replace(MAIN, STRICT_MAIN)
    files["xl/workbook.xml"] = files["xl/workbook.xml"].replace(
        "<workbook", f"<workbook conformance='strict' xmlns='{STRICT_MAIN}'"
    )
    return whole("", files=files)


def other_order():
    kinds = {
        "worksheet 1": "worksheets/sheet1.xml",
        "worksheet 2": "/xl/worksheets/sheet2.xml",
        "worksheet 3": "../xl/worksheets/sheet3.xml",
        "sharedStrings": "sharedStrings.xml",
        "styles": "styles.xml",
    }
    sheets = "".join(
        f"<sheet name='S{index}' sheetId='{10 - index}' r:id='rworksheet {index}'/>" for index in (3, 1, 2)
    )
    files = {
        f"xl/worksheets/sheet{index}.xml": sheet(f"<row r='1'><c r='A1'><v>{index}</v></c></row>")
        for index in (1, 2, 3)
    }
    return whole("", sheets=sheets, files=files | {"xl/_rels/workbook.xml.rels": relations(kinds)})


def other_names():
    kinds = {"worksheet": "Worksheets/DATA.XML", "sharedStrings": "sharedstrings.xml", "styles": "STYLES.xml"}
    made = parts()
    strings = made["xl/sharedStrings.xml"].replace("<sst", f"<sst xmlns='{MAIN}'")
    files = {
        "xl/worksheets/Data.xml": made["xl/worksheets/sheet1.xml"],
        "xl/sharedStrings.xml": strings,
        "xl/_rels/workbook.xml.rels": relations(kinds),
    }
    return whole("", files=files)


FORMULAS = """<row r='1'><c r='A1'><f t='shared' ref='A1:A3' si='0'>60+ROW()</f><v>61</v></c><c r='B1'><f t='shared' ref='B1:B3' si='1'>60+ROW()</f></c></row>
<row r='2'><c r='A2'><f t='shared' si='0'/><v>62</v></c><c r='B2'><f t='shared' si='1'/></c><c r='C2' t='str'><f>""</f><v></v></c><c r='D2' t='e'><f>1/0</f><v>#DIV/0!</v></c></row>
<row r='3'><c r='A3'><f t='shared' si='0'/><v>63</v></c><c r='B3'><f t='shared' si='1'/></c><c r='C3' t='b'><f>TRUE()</f><v>1</v></c><c r='D3' t='str'><f>"61"</f><v>61</v></c><c r='E3'><f>A3-63</f><v>0</v></c></row>"""
ARRAYS = "<row r='1'><c r='A1'><v>1</v></c><c r='B1'><f t='array' ref='B1:C2'>A1:A2*{1,2}</f></c></row><row r='2'><c r='A2'><v>2</v></c><c r='D2'><f t='array' ref='D2:D3'>A1:A2</f><v>1</v></c></row><row r='3'><c r='D3'><v>2</v></c></row>"
TEXTS = [
    "<si><t xml:space='preserve'> kept </t></si>",
    "<si><t> not kept </t></si>",
    "<si><r><rPr><b/></rPr><t>two</t></r><r><t xml:space='preserve'> runs</t></r></si>",
    "<si><t>東京</t><rPh sb='0' eb='2'><t>トウキョウ</t></rPh><phoneticPr fontId='0'/></si>",
    "<si><t>A_x000D_B</t></si>",
    "<si><t>_x005F_x000D_</t></si>",
    "<si><t>_X0041_</t></si>",
    "<si><t>_x00e9_</t></si>",
    "<si><t>a&amp;b&#233;&#x1F600;<![CDATA[<c>]]></t></si>",
    "<si><t/></si>",
    "<si/>",
    "<si><t>a\r\nb</t></si>",
    "<si><t>_xD83D__xDE00_</t></si>",
]
TEXT_ROWS = "".join(
    f"<row r='{index}'><c r='A{index}' t='s'><v>{index - 1}</v></c></row>" for index in range(1, len(TEXTS) + 1)
)
NUMBERS = [
    "66",
    " 66 ",
    "+66",
    "66.",
    ".5",
    "-0",
    "6.6E1",
    "6.6e+01",
    "1E-7",
    "0.1234567890123456789",
    "12345678901234567",
    "1E20",
    "1E400",
    "0x10",
    "1,5",
    "NaN",
]
NUMBER_ROWS = "".join(
    f"<row r='{index}'><c r='A{index}'><v>{text}</v></c></row>" for index, text in enumerate(NUMBERS, 1)
)
STYLED = (
    "<numFmts><numFmt numFmtId='9' formatCode='0.0'/><numFmt numFmtId='170' formatCode='0.0%'/><numFmt numFmtId='171' formatCode='aaaa'/></numFmts>",
    "<xf/><xf numFmtId='10'/><xf numFmtId='170' applyNumberFormat='0'/><xf xfId='1'/><xf numFmtId='9'/><xf numFmtId='171'/><xf numFmtId='27'/>",
)
STYLED_ROW = (
    "<row r='1' s='1' customFormat='1'>"
    + "".join(f"<c r='{letter}1' s='{index}'><v>0.5</v></c>" for index, letter in enumerate("ABCDEFG"))
    + "</row>"
)


def wide(name, encoding, text):
    return {
        name: f"<?xml version='1.0' encoding='{encoding}'?>{text}".encode(
            "utf-16" if encoding == "UTF-16" else encoding
        )
    }


STYLED_AGAIN = ("<numFmts><numFmt numFmtId='170' formatCode='0%'/></numFmts>", "<xf numFmtId='0'/><xf numFmtId='170'/>")
CODED = f"<worksheet xmlns='{MAIN}'><sheetData><row r='1'>{inline('Zoë')}<c><v>66</v></c></row></sheetData></worksheet>"

# Open documents by hand.

OASIS = "urn:oasis:names:tc:opendocument:xmlns"
SPACES = (
    " ".join(f"xmlns:{name}='{OASIS}:{name}:1.0'" for name in ("office", "style", "text", "table", "number"))
    + f" xmlns:of='{OASIS}:of:1.2' xmlns:calcext='urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0'"
)
ODS = "application/vnd.oasis.opendocument.spreadsheet"
MANIFEST = f"<manifest:manifest xmlns:manifest='{OASIS}:manifest:1.0'><manifest:file-entry manifest:full-path='/' manifest:media-type='{ODS}'/><manifest:file-entry manifest:full-path='content.xml' manifest:media-type='text/xml'/></manifest:manifest>"


def open_document(tables, styles="", spaces=SPACES, kind=ODS):
    content = f"<?xml version='1.0' encoding='UTF-8'?><office:document-content {spaces} office:version='1.2'><office:automatic-styles>{styles}</office:automatic-styles><office:body><office:spreadsheet>{tables}</office:spreadsheet></office:body></office:document-content>"
    return packed({"mimetype": kind, "content.xml": content, "META-INF/manifest.xml": MANIFEST})


def table(rows, name="One", more=""):
    return f"<table:table table:name='{name}'{more}>{rows}</table:table>"


def row(*cells, more=""):
    return f"<table:table-row{more}>{''.join(cells)}</table:table-row>"


def cell(kind=None, value=None, text=None, more="", name="value"):
    said = "" if kind is None else f" office:value-type='{kind}'"
    said += "" if value is None else f" office:{name}='{value}'"
    shown = "" if text is None else f"<text:p>{text}</text:p>"
    return f"<table:table-cell{said}{more}>{shown}</table:table-cell>"


def of_text(text):
    return cell("string", None, text)


KINDS = table(
    row(
        cell("float", "66.5", "67"),
        cell("float", "0.30000000000000004"),
        cell("float", "-0"),
        cell("float", "1E2", "100"),
    )
    + row(
        cell("percentage", "0.855", "85.5%"),
        cell("percentage", "0.5"),
        cell("currency", "12.5", "12,50 €", " office:currency='EUR'"),
    )
    + row(
        cell("date", "2026-11-28", "28/11/26", name="date-value"),
        cell("date", "2026-11-28T13:45:00", "28 Nov", name="date-value"),
        cell("time", "PT30H05M00S", "30:05", name="time-value"),
    )
    + row(cell("boolean", "true", "VRAI", name="boolean-value"), cell("boolean", "false", "FAUX", name="boolean-value"))
    + row(
        cell("string", "said", "shown", name="string-value"),
        cell("string", "said", name="string-value"),
        of_text("00042"),
        of_text(""),
        cell(None, None, "untyped"),
        cell("void"),
    )
)
ERRORS = table(
    row(
        cell("string", "", "#DIV/0!", " table:formula='of:=1/0' calcext:value-type='error'", "string-value"),
        cell("float", "0", "Err:502", " table:formula='of:=X(' calcext:value-type='error'"),
        cell("string", None, "#N/A"),
        cell(None, None, None, " table:formula='of:=60+1'"),
        cell("float", "61", "61", " table:formula='of:=60+1'"),
        cell("string", "", None, " table:formula='of:=&quot;&quot;'", "string-value"),
        cell("string", None, "61", " table:formula='of:=&quot;61&quot;'"),
    )
)
SPANS = table(
    row(
        of_text("a<text:s/>b<text:s text:c='3'/>c"),
        of_text("a<text:tab/>b<text:line-break/>c"),
        of_text("  much \n  space  "),
        of_text("<text:span>O’N</text:span><text:a>eill</text:a>"),
    )
    + row(
        "<table:table-cell office:value-type='string'><text:p>two</text:p><text:p>paragraphs</text:p><text:p/></table:table-cell>",
        of_text(
            "<text:ruby><text:ruby-base>東京</text:ruby-base><text:ruby-text>トウキョウ</text:ruby-text></text:ruby>"
        ),
        "<table:table-cell office:value-type='float' office:value='66'><office:annotation><text:p>77</text:p></office:annotation><text:p>66</text:p></table:table-cell>",
        "<table:table-cell office:value-type='string'><office:annotation><text:p>a note</text:p></office:annotation><text:p>Ada</text:p></table:table-cell>",
        "<table:table-cell><office:annotation><text:p>a note alone</text:p></office:annotation></table:table-cell>",
    )
)
REPEATED = table(
    "<table:table-header-rows>"
    + row(
        of_text("Name"),
        cell("float", "7", "7", " table:number-columns-repeated='3'"),
        of_text("end"),
        cell(None, None, None, " table:number-columns-repeated='16379'"),
    )
    + "</table:table-header-rows><table:table-row-group>"
    + row(
        cell(None, None, None, " table:number-columns-repeated='2'"),
        of_text("twice"),
        more=" table:number-rows-repeated='2'",
    )
    + row(cell(None, None, None, " table:number-columns-repeated='16384'"), more=" table:number-rows-repeated='3'")
    + "</table:table-row-group>"
    + row(of_text("hidden"), more=" table:visibility='collapse'")
    + row(of_text("last"))
    + row(
        cell(None, None, None, " table:style-name='x' table:number-columns-repeated='16384'"),
        more=" table:number-rows-repeated='1048567'",
    )
)
COVERED = table(
    row(
        cell("string", None, "Class", " table:number-columns-spanned='2' table:number-rows-spanned='1'"),
        "<table:covered-table-cell office:value-type='float' office:value='9'><text:p>9</text:p></table:covered-table-cell>",
        of_text("Lab"),
    )
    + row("<table:covered-table-cell table:number-columns-repeated='2'/>", cell("float", "7", "7"))
)
HIDDEN_STYLES = "<style:style style:name='ta1' style:family='table'><style:table-properties table:display='false'/></style:style><style:style style:name='ta2' style:family='table'><style:table-properties table:display='true'/></style:style>"
HIDDEN_TABLES = (
    table(row(of_text("wrong")), "Secret", " table:style-name='ta1'")
    + table(row(of_text("right")), "Résultats ’26 &amp; 大阪", " table:style-name='ta2'")
    + table(row(of_text("later")), "Later")
)
CHANGES = (
    "<table:tracked-changes><table:cell-content-change table:id='ct1'><table:cell-address table:column='0' table:row='0' table:table='0'/><table:previous><table:change-track-table-cell office:value-type='float' office:value='1'><text:p>1</text:p></table:change-track-table-cell></table:previous></table:cell-content-change>"
    "<table:deletion table:id='ct2' table:type='row' table:position='3' table:table='0'/></table:tracked-changes>"
)
OTHER_SPACES = SPACES.replace(":office=", ":o=").replace(":text=", ":t=").replace(":table=", ":b=")


def renamed(body):
    """The same document with other prefixes."""
    source = zipfile.ZipFile(io.BytesIO(body))
    content = source.read("content.xml").decode().replace(SPACES, "SPACES")
    for long, short in (("office:", "o:"), ("text:", "t:"), ("table:", "b:")):
        for sign in "</ ":
            content = content.replace(sign + long, sign + short)
    return packed(
        {"mimetype": ODS, "content.xml": content.replace("SPACES", OTHER_SPACES), "META-INF/manifest.xml": MANIFEST}
    )


MADE = {
    "openpyxl-formats.xlsx": formats,
    "openpyxl-dates-1900.xlsx": dates,
    "openpyxl-dates-1904.xlsx": lambda: dates(CALENDAR_MAC_1904),
    "openpyxl-iso-dates.xlsx": iso_dates,
    "openpyxl-values.xlsx": values,
    "openpyxl-formulas.xlsx": formulas,
    "openpyxl-rich-texts.xlsx": rich,
    "openpyxl-hidden.xlsx": hidden,
    "openpyxl-merged.xlsx": merged,
    "openpyxl-written-only.xlsx": written_only,
    "openpyxl-named-styles.xlsx": named_style,
    "hand-places-left-out.xlsx": lambda: whole(PLACELESS),
    "hand-prefixes.xlsx": prefixed,
    "hand-strict.xlsx": strict,
    "hand-other-order.xlsx": other_order,
    "hand-other-names.xlsx": other_names,
    "hand-formulas.xlsx": lambda: whole(FORMULAS),
    "hand-arrays.xlsx": lambda: whole(ARRAYS),
    "hand-calculated-on-load.xlsx": lambda: whole(FORMULAS, book="<calcPr fullCalcOnLoad='true'/>"),
    "hand-texts.xlsx": lambda: whole(TEXT_ROWS, strings="".join(TEXTS)),
    "hand-numbers.xlsx": lambda: whole(NUMBER_ROWS),
    "hand-styles.xlsx": lambda: whole(STYLED_ROW, styles=STYLED),
    "hand-truths.xlsx": lambda: whole(
        "<row r='1'>"
        + "".join(f"<c t='b'><v>{text}</v></c>" for text in ("1", "0", "true", "false", "TRUE", " 1 "))
        + "</row>"
    ),
    "hand-merged.xlsx": lambda: whole(
        "<row r='1'><c r='A1'><v>1</v></c><c r='B1'><v>2</v></c></row><row r='2'><c r='A2'><v>3</v></c><c r='B2'><v>4</v></c></row>",
        after="<mergeCells><mergeCell ref='A1:A2'/></mergeCells>",
    ),
    "hand-small-letters.xlsx": lambda: whole("<row r='1'><c r='a1'><v>66</v></c><c r='b1'><v>67</v></c></row>"),
    "hand-utf-16.xlsx": lambda: whole("", styles=STYLED_AGAIN, files=wide("xl/worksheets/sheet1.xml", "UTF-16", CODED)),
    "hand-latin-1.xlsx": lambda: whole("", files=wide("xl/worksheets/sheet1.xml", "ISO-8859-1", CODED)),
    "hand-byte-order-mark.xlsx": lambda: whole("", files={"xl/worksheets/sheet1.xml": CODED.encode("utf-8-sig")}),
    "hand-other-content.xlsx": lambda: whole(
        f"<row r='1'>{inline('Name')}</row>",
        after="<extLst><ext uri='{1}'><x14:row xmlns:x14='x'><c r='A9'><v>9</v></c></x14:row></ext></extLst>",
    ),
    "hand-kinds.ods": lambda: open_document(KINDS),
    "hand-errors.ods": lambda: open_document(ERRORS),
    "hand-texts.ods": lambda: open_document(SPANS),
    "hand-repeated.ods": lambda: open_document(REPEATED),
    "hand-covered.ods": lambda: open_document(COVERED),
    "hand-hidden.ods": lambda: open_document(HIDDEN_TABLES, HIDDEN_STYLES),
    "hand-tracked-changes.ods": lambda: open_document(CHANGES + table(row(cell("float", "66", "66")))),
    "hand-prefixes.ods": lambda: renamed(open_document(KINDS)),
    "hand-template.ods": lambda: open_document(table(row(cell("float", "66", "66"))), kind=f"{ODS}-template"),
}
