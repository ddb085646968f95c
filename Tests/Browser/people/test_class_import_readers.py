"""Reads cells of workbooks that were made by several programs and by hand, and compares them with what LibreOffice
shows and openpyxl reads.

`workbooks/expected.json` has the right reading of each cell by file, as its text, or as text and fault. If
LibreOffice shows something else (`shown`), the file says what and why. Workbooks that neither openpyxl nor plain ZIP
files can make are in the same folder.
"""

import functools
import io
import json
import pathlib

import openpyxl
import pytest
from openpyxl.utils import get_column_letter
from workbook_files import MADE, read

FOLDER = pathlib.Path(__file__).parent / "workbooks"
KNOWN = json.loads((FOLDER / "expected.json").read_text())
FILES = KNOWN["files"]
XLSX = [name for name in FILES if name.endswith(".xlsx") and "fault" not in FILES[name]]
# What openpyxl does not read, and what it reads differently, with the reason.
UNREAD = {
    "hand-strict.xlsx": "its truth values are numbers alone",
    "hand-truths.xlsx": "its truth values are numbers alone",
    "hand-numbers.xlsx": "it ends at the first number that is none",
    "hand-other-names.xlsx": "it looks for parts with their capitals",
}
WEEKDAYS = {f"{column}17": "it knows no format of East Asian days of the week" for column in "BCDEFG"}
ESCAPES = "it reads escaped letters as they stand"
OTHERWISE = {
    "libreoffice-dates-1904.xlsx": WEEKDAYS,
    "xlsxwriter-dates-1900.xlsx": WEEKDAYS,
    "xlsxwriter-dates-1904.xlsx": WEEKDAYS,
    "xlsxwriter-booleans-and-errors.xlsx": {
        "A4": "it knows no format of truth values",
        "B4": "it knows no format of truth values",
    },
    "hand-styles.xlsx": {
        "F1": WEEKDAYS["B17"],
        "G1": "it knows no dates among the formats that East Asian workbooks have",
    },
    "hand-texts.xlsx": dict.fromkeys(["A5", "A8", "A13"], ESCAPES),
    "libreoffice-texts.xlsx": {"A6": ESCAPES},
    "openpyxl-rich-texts.xlsx": {"A3": ESCAPES, "B3": ESCAPES},
    "xlsxwriter-texts.xlsx": {"A6": ESCAPES},
}


@functools.cache
def body(name):
    return MADE[name]() if name in MADE else (FOLDER / name).read_bytes()


@pytest.fixture(scope="module")
def readings(anywhere):
    return dict(zip(FILES, read(anywhere, *map(body, FILES)), strict=True))


def cells(found):
    """The cells that are not empty, by place, each as its text, or as text and fault."""
    places = {}
    for down, row in enumerate(found["rows"]):
        for across, text in enumerate(row):
            fault = found["faults"].pop(f"{down}/{across}", None)
            if text or fault:
                places[f"{get_column_letter(across + 1)}{down + 1}"] = [text, fault] if fault else text
    assert not found["faults"]
    return places


def expected(name):
    return {place: cell for row in FILES[name]["rows"] for place, cell in row.items()}


@pytest.mark.parametrize("name", FILES)
def test_each_cell_is_what_it_is(readings, name):
    if fault := FILES[name].get("fault"):
        assert readings[name] == {"fault": fault}
    else:
        assert cells(dict(readings[name], faults=dict(readings[name]["faults"]))) == expected(name)


@pytest.mark.filterwarnings("ignore::UserWarning:openpyxl")
@pytest.mark.parametrize("name", [name for name in XLSX if name not in UNREAD])
def test_plain_values_are_those_that_openpyxl_reads(readings, name):
    book = openpyxl.load_workbook(io.BytesIO(body(name)), data_only=True)
    sheet = next(sheet for sheet in book.worksheets if sheet.sheet_state == "visible")
    ours = expected(name)
    # Formats may reach down to the last possible row.
    near = sheet.iter_rows(max_row=min(sheet.max_row, 100), max_col=min(sheet.max_column, 500))
    theirs = {cell.coordinate: cell for row in near for cell in row if cell.value is not None}
    for place in sorted({*ours, *theirs} - {*OTHERWISE.get(name, {})}):
        reading = ours.get(place, "")
        text, fault = reading if isinstance(reading, list) else (reading, None)
        # openpyxl does not report missing results; it reads zeros instead.
        if fault == "uncalculated":
            assert place not in theirs or theirs[place].value == 0
        else:
            check(text, fault, theirs.get(place))


def check(text, fault, cell):
    """Compares a reading with a cell from openpyxl; numbers are doubles, of which fifteen digits count."""
    value = cell.value if cell else ""
    if isinstance(value, bool):
        assert (text, fault) == ("yes" if value else "no", None)
    elif isinstance(value, int | float) and not cell.is_date:
        number = value * 100 if fault == "percentage" else value
        assert float(text.removesuffix("%")) == float(f"{number:.15g}")
        assert fault == ("percentage" if text.endswith("%") else None)
    elif isinstance(value, str):
        assert (text, fault) == (value, "error" if cell and cell.data_type == "e" else None)
    else:
        assert fault == "date"


def test_what_libreoffice_shows_otherwise_is_told_with_a_reason():
    for name, file in FILES.items():
        for place, (shown, reason) in ((place, told) for row in file.get("shown", []) for place, told in row.items()):
            reading = expected(name).get(place, "")
            assert shown != (reading[0] if isinstance(reading, list) else reading), (name, place)
            assert reason in KNOWN["reasons"], (name, place)
    assert {path.name for path in FOLDER.iterdir()} == {"expected.json", *FILES} - {*MADE}
