"""Changes in the lines of a class that are not applied yet, without a page: texts, conflicts, order and sums."""

import pytest

DRAFT = """async () => {
    const { LineDraft } = await import('/app/pages/grid/sheets/lineDraft.js');
    const { useTexts } = await import('/app/core/text/i18n.js');
    await useTexts('class');
    const number = (name, more = {}) => ({name, type: 'number', label: name, ...more});
    const scheme = {shape: {kinds: [
        {kind: 'course', fields: [{name: 'title', type: 'text'}, number('credits')]},
        {kind: 'category', fields: [{name: 'name', type: 'text'}, number('weight'), {name: 'drop', type: 'integer'}]},
        {kind: 'item', fields: [{name: 'title', type: 'text'}, number('score', {grade: true, bestField: 'max'}), number('max'), number('weight'), number('late', {perStudent: true})]},
    ]}};
    const line = (id, parent, kind, fields) => ({id, parent, kind, fields, due: null, state: 'open', posting: 'automatic'});
    let lines = [
        line('R', null, 'course', {title: 'Logic', credits: 4}),
        line('A', 'R', 'category', {name: 'Exams', weight: '60'}),
        line('1', 'A', 'item', {title: 'Midterm', max: 100}), line('2', 'A', 'item', {title: 'Final', max: 100, weight: '0.1'}), line('3', 'A', 'item', {title: 'Oral', weight: '0.2'}),
        line('B', 'R', 'category', {name: 'Labs', weight: '40'}),
        line('C', 'R', 'category', {name: 'Talks'}),
    ];
    let known = {};
    const structure = () => (known.lines === lines ? known : (known = {lines}));
    const taught = () => ({structure: structure(), columns: ['1', '2', '3'].map(id => ({line: id}))});
    const draft = new LineDraft(() => ({taught: taught(), scheme}));
    const of = id => lines.find(each => each.id === id);
    const at = key => draft.columns.find(column => column.key === key);
    const weight = () => at('number/weight');
    const elsewhere = (id, fields, more = {}) => { lines = lines.map(each => each.id === id ? {...each, fields: {...each.fields, ...fields}, ...more} : each); };
    const order = () => draft.lines.map(({id}) => id).join('');
    STEPS
}"""


def drafted(page, steps):
    return page.evaluate(DRAFT.replace("STEPS", steps))


def test_columns_are_what_lines_share_and_counts_that_some_line_has(anywhere):
    steps = """
        const keys = () => draft.columns.map(({key}) => key).join(' ');
        const before = keys();
        elsewhere('A', {drop: 1});
        const cells = ['R', 'A', '1'].map(id => draft.columns.filter(column => draft.cell(of(id), column)).map(({key}) => key).join(' '));
        return [before, keys(), ...cells];"""
    assert drafted(anywhere, steps) == [
        "title number/weight best due sees",
        "title number/weight number/drop best due sees",
        "title",
        "title number/weight number/drop due",
        "title number/weight best due sees",
    ]


def test_changes_are_one_step_for_each_line_and_texts_that_say_the_same_none(anywhere):
    steps = """
        draft.type(of('A'), weight(), '55');
        draft.type(of('B'), weight(), '40.0');
        draft.type(of('1'), at('title'), ' Test ');
        draft.type(of('1'), at('due'), '2027-03-01');
        draft.type(of('1'), at('sees'), 'kept');
        draft.type(of('2'), weight(), '');
        draft.type(of('3'), at('best'), 'ten');
        const all = [draft.count, draft.steps];
        draft.clear();
        return [...all, draft.count, draft.steps];"""
    assert drafted(anywhere, steps) == [
        6,
        [
            {"op": "patch", "line": "A", "fields": {"weight": "55"}},
            {
                "op": "patch", "line": "1", "due": "2027-03-01", "state": "open", "posting": "manual",
                "fields": {"title": "Test"},
            },
            {"op": "patch", "line": "2", "fields": {"weight": None}},
        ],
        0,
        [],
    ]  # fmt: skip


def test_what_others_change_shows_where_one_types_nothing_and_is_a_conflict_where_one_does(anywhere):
    steps = """
        const look = id => { const {text, conflict} = draft.cell(of(id), weight()); return [text, conflict]; };
        draft.type(of('A'), weight(), '55');
        elsewhere('A', {weight: '70'});
        elsewhere('B', {weight: '30'});
        const met = ['A', 'B'].map(look);
        draft.type(of('A'), weight(), '56');
        const goesOn = look('A');
        draft.keep(of('A'), weight());
        const kept = look('A');
        elsewhere('A', {weight: '56.0'});
        const agreed = [look('A'), draft.count];
        elsewhere('A', {weight: '10'});
        draft.takeBack(of('A'), weight());
        lines = lines.filter(({id}) => id !== 'B');
        return [met, goesOn, kept, agreed, look('A'), draft.count];"""
    assert drafted(anywhere, steps) == [
        [["55", "70"], ["30", None]],
        ["56", "70"],
        ["56", None],
        [["56", None], 0],
        ["10", None],
        0,
    ]


@pytest.mark.parametrize(
    "steps, order",
    [
        ("draft.move(of('B'), -1)", "RBA123C"),
        ("draft.move(of('C'), -1); draft.move(of('C'), -1)", "RCA123B"),
        ("draft.move(of('1'), 1)", "RA213BC"),
        ("draft.move(of('3'), 1)", "RA123BC"),
        ("draft.move(of('1'), 1); draft.move(of('1'), -1)", "RA123BC"),
        ("draft.place(of('A'), null)", "RBCA123"),
        ("draft.place(of('1'), 'gone')", "RA123BC"),
        ("draft.move(of('2'), -1); lines = lines.filter(({id}) => id !== '1')", "RA23BC"),
    ],
)
def test_an_order_is_the_steps_that_lead_to_it(steps, order, anywhere):
    found = drafted(
        anywhere,
        f"{steps}; return [order(), draft.steps.map(({{line, before = null}}) => [line, before]), lines.map(({{id}}) => id)];",
    )
    shown, sent, now = found
    assert shown == order
    for line, sibling in sent:
        inside = "ABC" if line in "ABC" else "123"
        now.remove(line)
        ends = [index + 1 for index, each in enumerate(now) if each in inside]
        now.insert(now.index(sibling) if sibling else ends[-1], line)
    for inside in ("ABC", "123"):
        assert [each for each in now if each in inside] == [each for each in order if each in inside]
    assert (sent == []) == (order in ("RA123BC", "RA23BC"))


def test_weights_are_added_exactly_and_as_they_are_typed(anywhere):
    steps = """
        const sums = id => draft.sums(of(id)).map(({column, sum}) => [column.title, sum]);
        const before = [sums('R'), sums('A'), sums('B')];
        draft.type(of('C'), weight(), '-0.25');
        draft.type(of('B'), weight(), 'x');
        return [...before, sums('R')];"""
    assert drafted(anywhere, steps) == [
        [["weight", "100"]], [["weight", "0.3"]], [], [["weight", "59.75"]],
    ]  # fmt: skip


def test_what_is_no_number_is_said_at_once_and_not_sent(anywhere):
    steps = """
        draft.type(of('A'), weight(), '6o');
        return [draft.cell(of('A'), weight()).fault, draft.count, draft.steps];"""
    assert drafted(anywhere, steps) == ["Not a number", 1, []]
