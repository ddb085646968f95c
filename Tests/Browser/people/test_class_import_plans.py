"""How a file is read for a class, without a server: the plan for a file, and what is sent when it is entered."""

import base64
import io
import itertools

import openpyxl
import pytest
from texts import LANGUAGES

TEXTS = LANGUAGES["en"]
# The plan for a file and a class, or the fault of the file, with what entering the plan sends and what it keeps in its
# cells.
PLAN = """async files => {
    const { ClassDesk } = await import('/app/pages/grid/desk.js');
    const { notesText, planOfTable } = await import('/app/pages/grid/file/match.js');
    const { tableOf } = await import('/app/pages/grid/file/reading.js');
    const { FileFault } = await import('/app/pages/grid/file/zip.js');
    const { wayOf } = await import('/app/pages/grid/paste.js');
    const { useTexts } = await import('/app/core/text/i18n.js');
    await useTexts('class');
    const state = { account: { id: 'ada' }, memberships: [{ institution: 'I', role: 'registrar', programs: [] }], connection: { kind: 'live' }, ended: {} };
    const app = { store: { state, set() {} }, http: {}, live: { watch: () => () => {}, people: () => ({ follow: () => () => {}, here() {} }) }, say() {}, redraw() {} };
    const made = ([title, most], number) => ({
        line: { id: title, number, parent: null, kind: 'item', fields: {}, state: 'open', posting: 'automatic', due: null },
        column: { line: title, label: title, takes: { type: 'number', choices: [] }, least: '0', most, best: most, statuses: ['excused'], fields: [], grade: 'value' },
    });
    const one = async ({ body, columns, students, figures, values, members }) => {
        const [put, kept] = [[], []];
        const author = { account: 'ada', of: () => [] };
        const told = cells => cells.map(({ row, line, text, change, was }) => ({ row, line, text, change, was }));
        const acts = { author, listen: () => () => {}, put: (_, id, cells) => put.push(...told(cells)), keep: (_, id, cells) => kept.push(...told(cells)), discard() {} };
        const all = Object.entries(columns).map(made);
        const taught = { id: 'C', v: 1, state: 'open', staff: [], figures: figures.map(label => ({ name: label, label })), columns: all.map(({ column }) => column), structure: { s: 1, lines: all.map(({ line }) => line) } };
        const desk = new ClassDesk(app, taught, { id: 'P', institution: 'I' }, { shape: { kinds: [] }, figures: [] }, acts, () => {});
        const cell = value => ({ value, status: null, late: null, fields: {}, held: false, notes: 0, marks: [] });
        const people = students.map(each => (typeof each === 'string' ? { id: each, name: each } : each));
        desk.model.take(people.map(({ id, name, givenName = null, familyName = null }, index) => ({
            id, v: 1, name, givenName, familyName, student: `account ${index}`, record: id, section: null, groups: [], figures: {}, given: {}, risk: [],
            cells: new Map(Object.entries(values[id] ?? {}).map(([line, value]) => [line, cell(value)])),
        })));
        try {
            const table = await tableOf(new Blob([Uint8Array.fromBase64(body)]));
            const learn = () => new Map(members.map(([account, studentNumber, login]) => [`account ${account}`, { studentNumber, login }]));
            const plan = await planOfTable(desk.model, table, (row, column) => desk.contents.of(row, column), [], learn);
            desk.entry.enterPlan({ ...plan, s: 1 });
            const cells = plan.cells.map(({ row, column, text, kind, fault }) => [row.name, column.title, text, kind, fault]);
            return { cells, counts: plan.counts, notes: plan.notes, told: notesText(plan.notes), way: wayOf(plan), put, kept };
        } catch (error) {
            if (!(error instanceof FileFault)) throw error;
            return { fault: error.message, ...error.args };
        } finally {
            desk.close();
        }
    };
    const found = [];
    for (const file of files) found.push(await one(file));
    return found;
}"""
COLUMNS = {"Midterm": "100", "Lab 1": "10"}
STUDENTS = ["Ada Beispiel", "Béatrice Évrard", "陈伟", "Dana O'Neill", "大阪花子", "Zoë Ångström"]


def plans(page, bodies, columns=COLUMNS, students=STUDENTS, figures=(), values=None, members=()):
    """The plan for each of many files for the same class."""
    bodies = [body if isinstance(body, bytes) else body.encode() for body in bodies]
    shared = {
        "columns": columns,
        "students": list(students),
        "figures": list(figures),
        "values": values or {},
        "members": list(members),
    }
    return page.evaluate(PLAN, [{"body": base64.b64encode(body).decode(), **shared} for body in bodies])


def plan(page, body, **more):
    return plans(page, [body], **more)[0]


def sent(found):
    return {(cell["row"], cell["line"]): cell["change"].get("value") for cell in found["put"]}


def test_what_a_file_of_ours_says_beside_results_is_passed_over(anywhere):
    keys = ["name", "Midterm", "figure:grade", "figure:grade/letter", "Midterm/marks", "status", "row"]
    titles = ["Name", "Midterm", "Grade", "Grade (letter)", "Midterm: marks", "Status", "Row"]
    values = ["Ada Beispiel", "70", "86.5", "B+", "60 / 80", "audit", "Ada Beispiel"]
    found = plan(anywhere, "\n".join(",".join(line) for line in (titles, keys, values)) + "\n")
    assert found["cells"] == [["Ada Beispiel", "Midterm", "70", "new", None]]
    assert found["notes"]["columns"] == []


# Each text with its result when the cell holds 70; None for texts that are refused.
MEANT = {"70": "70", "70.0": "70", "80": "80", "80.00": "80", "abc": None, "-5": None, "85%": None, "101": None}


@pytest.mark.slow("reads 256 files, each in a worker of its own: all pairs of eight texts in both orders")
def test_what_a_plan_says_of_two_texts_for_one_place_is_what_is_sent(anywhere):
    """Both orders of every pair of texts: in an empty cell, in one that holds one of them, in two lines and in two
    columns."""
    cases = [(one, other, before) for one, other in itertools.product(MEANT, repeat=2) for before in (None, "70")]
    lines = [f"Name,Midterm\nAda Beispiel,{one}\nAda Beispiel,{other}\n" for one, other, _ in cases]
    columns = [f"Name,Midterm,Midterm\nAda Beispiel,{one},{other}\n" for one, other, _ in cases]
    for before in (None, "70"):
        own = [index for index, case in enumerate(cases) if case[2] == before]
        values = {"Ada Beispiel": {"Midterm": before}} if before else {}
        found = plans(anywhere, [bodies[index] for bodies in (lines, columns) for index in own], values=values)
        for (one, other, _), result in zip([cases[index] for index in own] * 2, found, strict=True):
            case = (one, other, before)
            alike = one == other or (MEANT[one] is not None and MEANT[one] == MEANT[other])
            if not alike:
                assert {tuple(cell[3:]) for cell in result["cells"]} == {("refused", TEXTS["file.twice"])}, case
                assert (result["put"], result["kept"], result["way"]) == ([], [], None), case
            elif MEANT[one] is None:
                assert (len(result["cells"]), result["put"], len(result["kept"])) == (1, [], 1), case
                assert result["way"] == TEXTS["paste.keep"], case
            elif MEANT[one] == before:
                assert (result["counts"]["same"], result["put"], result["way"]) == (1, [], None), case
            else:
                assert (len(result["cells"]), list(sent(result).values()), result["kept"]) == (1, [one], []), case


@pytest.mark.parametrize("third", ["70", "80", "abc"])
def test_a_third_text_makes_two_that_differ_no_better(anywhere, third):
    found = plan(anywhere, f"Name,Midterm\nAda Beispiel,70\nAda Beispiel,80\nAda Beispiel,{third}\n")
    assert (found["counts"]["refused"], found["put"], found["kept"]) == (3, [], [])


def test_what_a_plan_refuses_stays_in_its_cell_and_is_not_sent(anywhere):
    body = "Name;Midterm;Lab 1\nAda Beispiel;85%;7\n陈伟;-5;abc\nBéatrice Évrard;101;1,000\nDana O'Neill;60;11\n"
    found = plan(anywhere, body, values={"Dana O'Neill": {"Midterm": "50"}})
    assert sent(found) == {("Ada Beispiel", "Lab 1"): "7", ("Dana O'Neill", "Midterm"): "60"}
    # The values that the user saw are the precondition of each change.
    assert [cell["was"] for cell in found["put"]] == [{"value": None}, {"value": "50"}]
    refused = {(name, title): text for name, title, text, kind, _ in found["cells"] if kind == "refused"}
    assert refused == {(cell["row"], cell["line"]): cell["text"] for cell in found["kept"]}
    # They ask for no change: refused texts are not sent later, either.
    assert {tuple(cell["change"]) for cell in found["kept"]} == {()}
    counts = {"new": 1, "changed": 1, "cleared": 0, "same": 0, "doubtful": 0, "refused": len(refused)}
    assert found["counts"] == counts


def notes(found):
    """The notes about a file in addition to its cells."""
    return {name: titles for name, titles in found["notes"].items() if titles}


def test_a_title_of_an_item_and_of_a_figure_means_neither(anywhere):
    body = "Name,Midterm,Grade,Grade,Grade (letter),Total\nAda Beispiel,81.5,15,86.5,B+,9\n"
    columns = {"Midterm": "100", "Grade": "20"}
    found = plan(anywhere, body, columns=columns, figures=["Grade", "Total"])
    assert sent(found) == {("Ada Beispiel", "Midterm"): "81.5"}
    assert notes(found) == {"ambiguous": ["Grade", "Grade"], "figures": ["Grade (letter)", "Total"]}
    assert "1 title means more than one thing in this class and is not read: Grade." in found["told"]
    # A file that contains nothing else says so.
    found = plan(anywhere, "Name,Grade\nAda Beispiel,15\n", columns=columns, figures=["Grade"])
    assert (found["put"], found["way"], notes(found)) == ([], None, {"ambiguous": ["Grade"]})


def test_a_title_of_an_item_and_of_persons_means_neither_but_where_only_it_says_who(anywhere):
    columns = {"Midterm": "100", "Student": "10", "Login": "10"}
    both, alone, other = plans(
        anywhere,
        [
            "Name,Student,Midterm\nAda Beispiel,9,81.5\n",
            "Student,Midterm\nAda Beispiel,81.5\n",
            "Student,Midterm\nNobody,81.5\n",
        ],
        columns=columns,
    )
    assert (sent(both), notes(both)) == ({("Ada Beispiel", "Midterm"): "81.5"}, {"ambiguous": ["Student"]})
    assert (sent(alone), notes(alone)) == ({("Ada Beispiel", "Midterm"): "81.5"}, {})
    assert other == {"fault": "noStudents", "titles": "Student, Midterm"}


@pytest.mark.parametrize("title", ["Midterm (100)", "Midterm(100.0)", " MIDTERM  ( 12345 ) ", "Midterm（100）"])
def test_a_last_number_in_brackets_is_left_out_of_a_title_and_told(anywhere, title):
    found = plan(anywhere, f"Name,{title}\nAda Beispiel,81.5\n")
    assert (sent(found), notes(found)) == ({("Ada Beispiel", "Midterm"): "81.5"}, {"readAs": [title.strip()]})


def test_a_title_that_is_known_as_it_stands_keeps_its_number(anywhere):
    columns = {"Quiz": "10", "Quiz (2)": "10"}
    found = plan(anywhere, "Name,Quiz (2),Quiz (max)\nAda Beispiel,8,9\n", columns=columns)
    assert (sent(found), notes(found)) == ({("Ada Beispiel", "Quiz (2)"): "8"}, {"columns": ["Quiz (max)"]})


def test_two_heads_for_one_column_are_named_where_they_differ(anywhere):
    body = "Name,Midterm,Midterm (100)\nAda Beispiel,80,95\n陈伟,70,70.0\nZoë Ångström,,60\n"
    found = plan(anywhere, body)
    why = TEXTS["file.twoHeads"].format(one="Midterm", other="Midterm (100)")
    assert [cell[4] for cell in found["cells"]] == [why, why, None, None]
    assert sent(found) == {("陈伟", "Midterm"): "70", ("Zoë Ångström", "Midterm"): "60"}


MEMBERS = [
    (0, "00017", "ada"),
    (1, "2026-0002", "bea"),
    (2, None, "chen"),
    (3, "17a", None),
    (4, "5", "hana"),
    (5, "5", "zoe"),
]
# As what a row is told that means none.
SEVERAL, NOBODY = "several", "students"
# The student of a row, by the titles of its columns and its cells.
WHO = {
    ("Name", '"Beispiel, Ada"'): "Ada Beispiel",
    ("Name", '"O\'Neill, Dana"'): "Dana O'Neill",
    ("Student", "BÉATRICE  ÉVRARD"): "Béatrice Évrard",
    ("Last name,First name", "Beispiel,Ada"): "Ada Beispiel",
    ("Nom,Prénom", "Évrard,Béatrice"): "Béatrice Évrard",
    ("姓,名", "陈,伟"): "陈伟",
    ("Student number", "00017"): "Ada Beispiel",
    ("Numéro d’étudiant", "17"): "Ada Beispiel",
    ("学号", "2026-0002"): "Béatrice Évrard",
    ("Login", "CHEN"): "陈伟",
    ("Identifiant", "zoe"): "Zoë Ångström",
    # A number that two students have identifies neither, so the name beside it decides.
    ("Student number", "5"): SEVERAL,
    ("Student number,Name", "5,大阪花子"): "大阪花子",
    ("Student number,Login", "5,hana"): "大阪花子",
    # A row that fits two students identifies none.
    ("Student number,Name", "17,陈伟"): SEVERAL,
    ("Name,Login", "Ada Beispiel,bea"): SEVERAL,
    # A person of the same name with another number.
    ("Name,Student number", "Ada Beispiel,99"): NOBODY,
    ("Name,Student number", "陈伟,99"): "陈伟",
    ("Name,Login", "Ada Beispiel,nobody"): "Ada Beispiel",
}


def test_whom_a_row_is_about(anywhere):
    bodies = [f"{head},Midterm\n{who},81.5\n" for head, who in WHO]
    found = plans(anywhere, bodies, members=MEMBERS)
    for (case, student), result in zip(WHO.items(), found, strict=True):
        is_told = student in (SEVERAL, NOBODY)
        assert [row for row, _ in sent(result)] == ([] if is_told else [student]), case
        assert [name for name in (SEVERAL, NOBODY) if name in notes(result)] == ([student] if is_told else []), case


def test_of_namesakes_the_number_tells_which_one_is_meant(anywhere):
    students, members = ["Ada Beispiel", "Beispiel, Ada"], [(0, "17", None), (1, "18", None)]
    by_name, by_number = plans(
        anywhere,
        ["Name,Midterm\nAda Beispiel,81.5\n", "Name,Student number,Midterm\nAda Beispiel,18,81.5\n"],
        students=students,
        members=members,
    )
    assert (sent(by_name), notes(by_name)) == ({}, {"several": ["Ada Beispiel"]})
    assert sent(by_number) == {("Beispiel, Ada", "Midterm"): "81.5"}


def test_who_may_not_read_the_members_is_told_so_where_only_their_numbers_are_in_the_file(anywhere):
    alone, beside = plans(anywhere, ["Login,Midterm\nada,81.5\n", "Login,Name,Midterm\nada,Ada Beispiel,81.5\n"])
    assert alone == {"fault": "noMembers"}
    assert sent(beside) == {("Ada Beispiel", "Midterm"): "81.5"}


def test_rows_that_are_no_students_are_told_as_such(anywhere):
    others = [
        "Points Possible",
        "Mean",
        "Average:",
        "Student, Test",
        "Test Student",
        "Moyenne :",
        "Écart-type",
        "平均分",
        "满分",
    ]
    rows = "".join(f'"    {name}",50,7\n' for name in others)
    body = f"Name,Midterm,Lab 1\n,,\n{rows}Ada Beispiel,81.5,7\nGrace Hopper,1,1\n,95,\n"
    found = plan(anywhere, body)
    assert len(sent(found)) == 2
    assert notes(found) == {"students": ["Grace Hopper", f"row {len(others) + 5} (without a name)"], "others": others}
    assert f"{len(others)} rows are no students: Points Possible, Mean" in found["told"]
    # A student may have such a name.
    assert len(sent(plan(anywhere, "Name,Midterm\nMean,50\n", students=["Mean"]))) == 1


def test_a_file_as_other_gradebooks_write_it(anywhere):
    body = (
        "\ufeffStudent,ID,SIS Login ID,Section,Midterm (101),Lab 1 (102),Current Score\r\n,,,,,,\r\n"
        "    Points Possible,,,,100.0,10.0,(read only)\r\n"
        '"Beispiel, Ada",9001,ada,Logic 1,81.5,7,80.1\r\n"Évrard, Béatrice",9002,bea,Logic 1,70,N/A,70\r\n'
        '"Student, Test",9999,f3a1,Logic 1,0,0,0\r\n'
    )
    found = plan(anywhere, body, members=MEMBERS)
    assert sent(found) == {
        ("Ada Beispiel", "Midterm"): "81.5",
        ("Ada Beispiel", "Lab 1"): "7",
        ("Béatrice Évrard", "Midterm"): "70",
    }
    assert [cell["text"] for cell in found["kept"]] == ["N/A"]
    assert notes(found) == {
        "others": ["Points Possible", "Student, Test"],
        "columns": ["ID", "Current Score", "Section"],
        "readAs": ["Midterm (101)", "Lab 1 (102)"],
    }


# What may be above the head, and which separators it may have.
ABOVE = [
    "",
    "\n",
    "sep={0}\n",
    "Logic 1, results of 28 November\n\n",
    "Logic 1; A, B\nRoom; 7; x\n",
    "\n" * 19,
    "A\tB\tC\n",
]


@pytest.mark.slow("reads 42 files, each in a worker of its own: what may stand above, by mark and quote")
def test_the_head_is_found_below_other_lines_by_each_mark(anywhere):
    cases = [(above, mark, quote) for above in ABOVE for mark in ",;\t" for quote in ("", '"')]
    bodies = []
    for above, mark, quote in cases:
        lines = [["Nom", "Lab 1", "Midterm"], ["Ada Beispiel", "7", "81.5"], ["Grace", "6", "70"]]
        text = "\r\n".join(mark.join(f"{quote}{field}{quote}" for field in line) for line in lines)
        bodies.append(above.format(mark) + text)
    found = plans(anywhere, bodies)
    for case, result in zip(cases, found, strict=True):
        assert sent(result) == {("Ada Beispiel", "Midterm"): "81.5", ("Ada Beispiel", "Lab 1"): "7"}, case
        assert notes(result) == {"students": ["Grace"]}, case


def test_a_mark_that_a_file_names_is_taken_whatever_else_stands_there(anywhere):
    found = plan(anywhere, "\ufeffsep=|\r\nName|Midterm|Lab 1\r\nAda Beispiel|81,5|7\r\n")
    assert sent(found) == {("Ada Beispiel", "Midterm"): "81.5", ("Ada Beispiel", "Lab 1"): "7"}


def test_a_head_below_the_twentieth_line_is_not_looked_for(anywhere):
    assert plan(anywhere, "x\n" * 20 + "Name,Midterm\nAda Beispiel,81.5\n") == {"fault": "noHead", "line": "x"}


FAULTS = {
    "": {"fault": "empty"},
    "\n , ,\n\n": {"fault": "empty"},
    "Logic 1,2026\nAda Beispiel,81.5\n": {"fault": "noHead", "line": "Logic 1, 2026"},
    "Who,Midterm,Lab 1\nAda Beispiel,81.5,7\n": {"fault": "noStudents", "titles": "Who, Midterm, Lab 1"},
    "Results\n\nName,Essay\nAda Beispiel,81.5\n": {"fault": "noResults", "titles": "Name, Essay"},
    "Name," + "x" * 80 + ",1,2,3,4,5,6,7,8,9,0\n": {
        "fault": "noResults",
        "titles": ", ".join(["Name", "x" * 60 + "…", *"12345678"]),
    },
}


def test_what_is_missing_in_a_file_is_said(anywhere):
    assert plans(anywhere, list(FAULTS)) == list(FAULTS.values())


TABLE = "Name,Épreuve 1\nBéatrice Évrard,14.5\nZoë Ångström,12\nMåns Öberg,11\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "windows-1252"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_file_is_read_in_each_usual_encoding(anywhere, encoding, end):
    mark = "\ufeff" if encoding in ("utf-16-le", "utf-16-be") else ""
    body = (mark + TABLE.replace(",", "\t").replace("\n", end)).encode(encoding)
    found = plan(anywhere, body, columns={"Épreuve 1": "20"}, students=[*STUDENTS, "Måns Öberg"])
    assert (sorted(sent(found).values()), notes(found)) == (["11", "12", "14.5"], {})


def test_letters_that_look_like_others_are_no_fault_of_an_old_encoding(anywhere):
    # "É" followed by a no-break space looks like two bytes of UTF-8.
    body = "Prénom et nom;Nom;CAFÉ\u00a0: été\n;Zoë Ångström;3\n".encode("windows-1252")
    found = plan(anywhere, body, columns={"CAFÉ : été": "20"})
    assert list(sent(found).values()) == ["3"]


@pytest.mark.parametrize("names", ["陈伟,学生", "大阪花子,没有,门", "王芳,李娜,张敏,刘洋"])
def test_an_encoding_of_east_asia_is_not_taken_for_a_damaged_one(anywhere, names):
    students = names.split(",")
    rows = "".join(f"{name},{index}\n" for index, name in enumerate(students))
    body = f"姓名,期中\n{rows}".encode("gb18030")
    choose = "async language => (await import('/app/core/text/i18n.js')).chooseLanguage(language)"
    anywhere.evaluate(choose, "zh-Hans")
    try:
        found = plan(anywhere, body, columns={"期中": "100"}, students=students)
    finally:
        # Other tests use the page after this one.
        anywhere.evaluate(choose, "en")
        anywhere.evaluate("localStorage.removeItem('gradecast.language')")
    assert len(sent(found)) == len(students)


@pytest.mark.slow("reads 163 files, each in a worker of its own: every place by every end of line")
def test_one_wrong_byte_is_told_with_its_line(anywhere):
    """Wherever it is in a file that has other multi-byte characters, and in files with every kind of line ends."""
    sound = TABLE.encode()
    places = [index for index, byte in enumerate(sound) if byte < 0x80 and byte not in b"\n"]
    bodies = [sound[:at] + b"\xe5" + sound[at + 1 :] for at in places]
    found = plans(anywhere, [body.replace(b"\n", end) for end in (b"\n", b"\r\n", b"\r") for body in bodies])
    lines = [sound[:at].count(b"\n") + 1 for at in places]
    assert found == [{"fault": "mixed", "line": line} for line in lines] * 3
    assert plan(anywhere, sound.replace("Måns Öberg".encode(), "Måns Öberg".encode("latin-1")))["line"] == 4


def test_half_a_letter_of_a_wide_encoding_is_no_text(anywhere):
    assert plan(anywhere, TABLE.encode("utf-16") + b"x") == {"fault": "unreadable"}


# Texts, and how our exports write them in delimited text.
GUARDED = {
    "=Ada": "'=Ada",
    "'=Ada": "''=Ada",
    "''=Ada": "'''=Ada",
    "-": "'-",
    "@x": "'@x",
    "'Ada": "'Ada",
    "'": "'",
    "it's =1": "it's =1",
}
FIRST_COLUMNS = """async bodies => {
    const { tableOf } = await import('/app/pages/grid/file/reading.js');
    return Promise.all(bodies.map(async body => (await tableOf(new Blob([Uint8Array.fromBase64(body)]))).rows.map(row => row[0])));
}"""


def test_a_text_comes_back_from_a_file_as_it_was(anywhere):
    book = openpyxl.Workbook()
    for text in ["Name", *GUARDED]:
        book.active.append([text, 1])
    for row in book.active.iter_rows():
        row[0].data_type = "s"
    workbook = io.BytesIO()
    book.save(workbook)
    delimited = ["\r\n".join(f'"{text}"{mark}1' for text in ["Name", *GUARDED.values()]) for mark in ",;\t"]
    bodies = [base64.b64encode(body).decode() for body in (*(text.encode() for text in delimited), workbook.getvalue())]
    assert anywhere.evaluate(FIRST_COLUMNS, bodies) == [["Name", *GUARDED]] * 4
