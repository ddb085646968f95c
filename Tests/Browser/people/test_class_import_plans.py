"""What a file says of a class, without a server: the plan for a file, and what is sent when it is entered."""

import base64
import itertools

import pytest
from texts import LANGUAGES

TEXTS = LANGUAGES["en"]
# The plan for a file over a class, or the fault of the file, with what entering the plan sends and what it keeps in its cells.
PLAN = """async files => {
    const { ClassDesk } = await import('/app/pages/grid/desk.js');
    const { planOfTable, unknownText } = await import('/app/pages/grid/file/match.js');
    const { readTable } = await import('/app/pages/grid/file/table.js');
    const { FileFault } = await import('/app/pages/grid/file/zip.js');
    const { wayOf } = await import('/app/pages/grid/paste.js');
    const { useTexts } = await import('/app/core/text/i18n.js');
    await useTexts('.class');
    const state = { account: { id: 'ada' }, memberships: [{ institution: 'I', role: 'registrar', programs: [] }], connection: { kind: 'live' }, ended: {} };
    const app = { store: { state, set() {} }, http: {}, live: { watch: () => () => {}, people: () => ({ follow: () => () => {}, here() {} }) }, say() {}, redraw() {} };
    const made = ([title, most], number) => ({
        line: { id: title, number, parent: null, kind: 'item', fields: {}, state: 'open', posting: 'automatic', due: null },
        column: { line: title, label: title, takes: { type: 'number', choices: [] }, least: '0', most, best: most, statuses: ['excused'], fields: [], grade: 'value' },
    });
    const one = async ({ body, columns, students, figures, values }) => {
        const [put, kept] = [[], []];
        const author = { account: 'ada', of: () => [] };
        const told = cells => cells.map(({ row, line, text, change, was }) => ({ row, line, text, change, was }));
        const acts = { author, listen: () => () => {}, put: (_, id, cells) => put.push(...told(cells)), keep: (_, id, cells) => kept.push(...told(cells)), discard() {} };
        const all = Object.entries(columns).map(made);
        const taught = { id: 'C', v: 1, state: 'open', staff: [], figures: figures.map(label => ({ name: label, label })), columns: all.map(({ column }) => column), structure: { s: 1, lines: all.map(({ line }) => line) } };
        const desk = new ClassDesk(app, taught, { id: 'P', institution: 'I' }, { shape: { kinds: [] }, figures: [] }, acts, () => {});
        const cell = value => ({ value, status: null, late: null, fields: {}, held: false, notes: 0, marks: [] });
        desk.model.take(students.map((name, index) => ({
            id: name, v: 1, name, student: `account ${index}`, record: name, section: null, groups: [], figures: {}, given: {}, risk: [],
            cells: new Map(Object.entries(values[name] ?? {}).map(([line, value]) => [line, cell(value)])),
        })));
        try {
            const table = await readTable(new Blob([Uint8Array.fromBase64(body)]));
            const plan = planOfTable(desk.model, table, (row, column) => desk.cell(row, column), []);
            if (!plan) return { fault: 'nothing' };
            desk.enterPlan({ ...plan, s: 1 });
            const cells = plan.cells.map(({ row, column, text, kind, fault }) => [row.name, column.title, text, kind, fault]);
            return { cells, counts: plan.counts, unknown: unknownText(plan.unknown), way: wayOf(plan), put, kept };
        } catch (error) {
            if (!(error instanceof FileFault)) throw error;
            return { fault: error.message };
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


def plans(page, bodies, columns=COLUMNS, students=STUDENTS, figures=(), values=None):
    """The plan for each of many files over the same class."""
    bodies = [body if isinstance(body, bytes) else body.encode() for body in bodies]
    shared = {"columns": columns, "students": list(students), "figures": list(figures), "values": values or {}}
    return page.evaluate(PLAN, [{"body": base64.b64encode(body).decode(), **shared} for body in bodies])


def plan(page, body, **more):
    return plans(page, [body], **more)[0]


def sent(found):
    return {(cell["row"], cell["line"]): cell["change"].get("value") for cell in found["put"]}


# Each text with the result that it is, over the 70 that stands there; None for those that are refused.
MEANT = {"70": "70", "70.0": "70", "80": "80", "80.00": "80", "abc": None, "-5": None, "85%": None, "101": None}


def test_what_a_plan_says_of_two_texts_for_one_place_is_what_is_sent(anywhere):
    """Both orders of every pair of texts: over nothing, over one of them, in two lines and in two columns."""
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
    # What was seen is the condition of each change.
    assert [cell["was"] for cell in found["put"]] == [{"value": None}, {"value": "50"}]
    refused = {(name, title): text for name, title, text, kind, _ in found["cells"] if kind == "refused"}
    assert refused == {(cell["row"], cell["line"]): cell["text"] for cell in found["kept"]}
    # Nothing is asked for: what was refused is not sent later, either.
    assert {tuple(cell["change"]) for cell in found["kept"]} == {()}
    assert found["counts"] == {"new": 1, "changed": 1, "same": 0, "refused": len(refused)}
