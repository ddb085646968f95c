"""The grid without a page: rows and columns, order, selection, search, and the texts of the clipboard."""

import pytest

MODEL = """async () => {
    const { GridModel } = await import('/app/pages/grid/model.js');
    const model = new GridModel((row, column) => row[column.key] ?? '');
    model.setColumns(['a', 'b', 'c'].map(key => ({key, title: `Column ${key}`, path: ['Group']})));
    model.take([
        {id: '1', name: 'Élise', a: '9.50', b: '1'}, {id: '2', name: 'Ben', a: '10'}, {id: '3', name: 'Ada', a: '9.5', b: '-2'},
        {id: '4', name: 'ada 10', a: ''}, {id: '5', name: 'Ada 9', a: '123456789012345678901.1'},
    ]);
    STEPS
}"""
NAMES = "return model.order.map(row => row.name);"


def after(page, steps):
    return page.evaluate(MODEL.replace("STEPS", steps))


def test_rows_are_in_the_order_of_their_names(anywhere):
    assert after(anywhere, NAMES) == ["Ada", "Ada 9", "ada 10", "Ben", "Élise"]


@pytest.mark.parametrize(
    ("language", "order"), [("en", ["Zoë", "张", "李", "王"]), ("zh-Hans", ["李", "王", "张", "Zoë"])]
)
def test_names_are_ordered_by_the_language_of_the_page(anywhere, language, order):
    found = anywhere.evaluate(
        """async language => {
            const { chooseLanguage, language: before } = await import('/app/core/text/i18n.js');
            const { compareNames } = await import('/app/core/text/names.js');
            const old = before();
            await chooseLanguage(language);
            const names = ['王', 'Zoë', '张', '李'].sort(compareNames);
            await chooseLanguage(old);
            localStorage.removeItem('gradecast.language');
            return names;
        }""",
        language,
    )
    assert found == order


@pytest.mark.parametrize(
    ("language", "list", "text"),
    [("en", ["One.", None, "Two."], "One. Two."), ("zh-Hans", ["一。", "二。"], "一。二。")],
)
def test_sentences_follow_each_other_as_the_language_sets_them(anywhere, language, list, text):
    found = anywhere.evaluate(
        """async ([language, list]) => {
            const { chooseLanguage, language: before, sentences } = await import('/app/core/text/i18n.js');
            const old = before();
            await chooseLanguage(language);
            const found = sentences(list);
            await chooseLanguage(old);
            localStorage.removeItem('gradecast.language');
            return found;
        }""",
        [language, list],
    )
    assert found == text


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Évrard", "evrard"),
        ("O’Neill", "O'Neill"),
        ("Øystein Łuk", "oystein luk"),
        ("Strauß", "STRAUSS"),
        ("王 小明", "小明"),
    ],
)
def test_a_name_is_found_as_the_search_finds_it(anywhere, name, text):
    finds = "async ([name, text]) => { const { searchable } = await import('/app/core/text/names.js'); return searchable(name).includes(searchable(text)); }"
    assert anywhere.evaluate(finds, [name, text])
    assert not anywhere.evaluate(finds, [name, "x" + text])


def test_decimals_sort_exactly_and_ties_by_name_and_nothing_last(anywhere):
    assert after(anywhere, "model.sortBy('a');" + NAMES) == ["Ada", "Élise", "Ben", "Ada 9", "ada 10"]
    assert after(anywhere, "model.sortBy('a'); model.sortBy('a');" + NAMES) == [
        "Ada 9",
        "Ben",
        "Ada",
        "Élise",
        "ada 10",
    ]
    assert after(anywhere, "for (const _ of '123') model.sortBy('a');" + NAMES)[0:2] == ["Ada", "Ada 9"]


def test_several_columns_sort_one_after_the_other(anywhere):
    assert after(anywhere, "model.sortBy('b'); model.sortBy('a', true);" + NAMES)[:3] == ["Ada", "Élise", "Ben"]


def test_no_row_moves_while_results_are_entered(anywhere):
    steps = "model.sortBy('a'); model.take([{id: '2', name: 'Ben', a: '1'}]);"
    assert after(anywhere, steps + NAMES)[2] == "Ben"
    assert after(anywhere, steps + "model.arrange();" + NAMES)[0] == "Ben"


def test_the_person_stays_with_the_same_student_and_column(anywhere):
    steps = "model.go(3, 1); model.sortBy('a');"
    assert after(anywhere, steps + "return [model.activeRow.name, model.activeColumn.key];") == ["Ben", "b"]
    steps = "model.go(0, 2); model.setColumns([{key: 'new', title: '', path: []}, ...model.columns]);"
    assert after(anywhere, steps + "return model.activeColumn.key;") == "c"


def test_names_are_filtered_without_their_accents_and_columns_are_found(anywhere):
    assert after(anywhere, "model.setFilter('elise');" + NAMES) == ["Élise"]
    assert after(anywhere, "return model.find('BEN');") == {"row": 3, "column": 0}
    assert after(anywhere, "return model.find('column c');") == {"row": 0, "column": 2}
    assert after(anywhere, "return model.find('zzz');") is None


def test_a_selection_has_four_edges_whichever_way_it_was_drawn(anywhere):
    steps = "model.go(3, 2); model.go(1, 0, {extend: true}); return [model.range, model.selected.length, model.selected[0].length];"
    assert after(anywhere, steps) == [{"top": 1, "bottom": 3, "left": 0, "right": 2}, 3, 3]


def test_headers_are_reached_and_never_selected(anywhere):
    assert after(anywhere, "model.go(-5, -5); return model.active;") == {"row": -1, "column": -1}
    assert after(anywhere, "model.go(0, 0); model.go(-1, -1, {extend: true}); return model.active;") == {
        "row": 0,
        "column": 0,
    }


def test_the_edge_of_what_is_filled_is_where_sheets_put_it(anywhere):
    assert after(anywhere, "model.go(0, 0); return model.edge(1, 0);") == {"row": 1, "column": 0}
    assert after(anywhere, "model.go(1, 0); return model.edge(1, 0);") == {"row": 3, "column": 0}
    assert after(anywhere, "model.go(0, 0); return model.edge(0, 1);") == {"row": 0, "column": 1}
    assert after(anywhere, "model.go(0, 1); return model.edge(0, 1);") == {"row": 0, "column": 2}


def test_an_empty_class_has_headers_alone(anywhere):
    steps = "model.take([], ['1', '2', '3', '4', '5']); model.go(4, 1); return [model.active, model.activeRow, model.selected];"
    assert after(anywhere, steps) == [{"row": -1, "column": 1}, None, []]


@pytest.mark.parametrize(
    "text, rows",
    [
        ("a\tb\r\n1\t2\r\n", [["a", "b"], ["1", "2"]]),
        ('"a ""x""\ty"\tb\nc', [['a "x"\ty', "b"], ["c"]]),
        ('"two\nlines"\t2', [["two\nlines", "2"]]),
        ('"never closed\tb', [['"never closed', "b"]]),
        ("a\t", [["a", ""]]),
        ("", []),
        ("\n1", [[""], ["1"]]),
    ],
)
def test_what_spreadsheets_copy_is_read(anywhere, text, rows):
    read = "async text => (await import('/app/pages/grid/clipboard.js')).fromTSV(text, 20000)"
    assert anywhere.evaluate(read, text) == rows


@pytest.mark.parametrize(
    ("text", "mark", "written"),
    [
        ("plain", ",", "plain"),
        ("a,b", ",", '"a,b"'),
        ("a,b", ";", "a,b"),
        ('say "x"', ",", '"say ""x"""'),
        ("two\nlines", ",", '"two\nlines"'),
        ("=1+1", ",", "'=1+1"),
        ("'=1+1", ",", "''=1+1"),
        ("@x", ",", "'@x"),
        ("+x", ",", "'+x"),
        ("-x", ",", "'-x"),
        ("-3.5", ",", "-3.5"),
        ("-3,5", ";", "-3,5"),
        ("-1+cmd", ",", "'-1+cmd"),
    ],
)
def test_what_is_saved_for_a_spreadsheet_is_no_formula(anywhere, text, mark, written):
    call = "async ([text, mark]) => (await import('/app/pages/grid/clipboard.js')).toDelimited([[text]], mark)"
    assert anywhere.evaluate(call, [text, mark]) == written + "\r\n"


# A function of core/text/names.js for a person, given by the displayed, first and last name between slashes.
OF_NAMES = """async ([call, person, more]) => {
    const [name, givenName = null, familyName = null] = person.split('/').map(text => (text === '-' ? null : text));
    return (await import('/app/core/text/names.js'))[call]({ name, givenName, familyName }, more);
}"""


@pytest.mark.parametrize(
    ("person", "last", "first"),
    [
        ("Ada Lovelace", "Lovelace", "Ada"),
        (" Grace  Brewster Hopper ", "Hopper", "Grace Brewster"),
        ("王雨桐", "王雨桐", "王雨桐"),
        ("Student 9", "9", "Student"),
        ("", "", ""),
        ("Ada L./Augusta Ada/Lovelace", "Lovelace", "Augusta Ada"),
        ("Fatima Zahra El Idrissi/Fatima Zahra/El Idrissi", "El Idrissi", "Fatima Zahra"),
        # What is not said is taken from the displayed name.
        ("Ada Lovelace/Augusta/-", "Lovelace", "Augusta"),
        ("Ada Lovelace/-/Byron", "Byron", "Ada"),
    ],
)
def test_who_says_no_last_name_is_sorted_by_the_last_word(anywhere, person, last, first):
    shown = person.split("/")[0]
    assert anywhere.evaluate(OF_NAMES, ["sortNames", person, "last"]) == [last, first, shown]
    assert anywhere.evaluate(OF_NAMES, ["sortNames", person, "first"]) == [first, last, shown]
    assert anywhere.evaluate(OF_NAMES, ["sortNames", person, None]) == [shown]


@pytest.mark.parametrize(
    ("person", "by", "listed"),
    [
        ("Ada L./Ada/Lovelace", "last", "Lovelace, Ada"),
        ("Ada L./Ada/Lovelace", "first", "Ada L."),
        ("Ada L./Ada/Lovelace", None, "Ada L."),
        ("Ada L./Ada/-", "last", "Ada L."),
        ("Ada L./-/Lovelace", "last", "Ada L."),
        ("Ada L.", "last", "Ada L."),
        # Names that are written without a mark between last and first name.
        ("Yutong/雨桐/王", "last", "王雨桐"),
        ("Soojin/수진/박", "last", "박수진"),
        ("Hana/はな/小林", "last", "小林はな"),
    ],
)
def test_a_list_by_last_names_says_the_last_name_first(anywhere, person, by, listed):
    assert anywhere.evaluate(OF_NAMES, ["listedName", person, by]) == listed


@pytest.mark.parametrize(
    ("words", "is_named"),
    [("ada l", True), ("love", True), ("augusta lovelace", True), ("lovelace augusta", True), ("byron", False)],
)
def test_a_person_is_found_by_each_name(anywhere, words, is_named):
    assert anywhere.evaluate(OF_NAMES, ["isNamed", "Ada L./Augusta/Lovelace", words]) is is_named


PEOPLE = """
    const said = (id, name, givenName, familyName) => ({id, name, givenName, familyName, a: ''});
    model.take([], ['1', '2', '3', '4', '5']);
    model.take([
        said('1', 'Zoe', 'Béa', 'Curie'), said('2', 'Xavier', 'Bea', 'Curié'), said('3', 'Anne Curie', null, null),
        said('4', 'Ada', 'Éva', 'Abel'), said('5', 'Bob', 'Bob', 'Zabel'),
    ]);
"""


@pytest.mark.parametrize(
    ("by", "order"),
    [
        # The last names, then the first names, then the displayed names; with accents as the language sorts them.
        ("last", ["Abel, Éva", "Anne Curie", "Curie, Béa", "Curié, Bea", "Zabel, Bob"]),
        ("first", ["Anne Curie", "Xavier", "Zoe", "Bob", "Ada"]),
        (None, ["Ada", "Anne Curie", "Bob", "Xavier", "Zoe"]),
    ],
)
def test_students_are_sorted_by_last_first_or_displayed_names(anywhere, by, order):
    by = "null" if by is None else f"'{by}'"
    steps = f"{PEOPLE} model.setArrangement({{ names: {by} }}); return model.order.map(model.nameOf);"
    assert after(anywhere, steps) == order


def test_a_student_of_another_name_moves_to_the_place_of_it(anywhere):
    steps = f"""{PEOPLE}
        model.setArrangement({{ names: 'last' }});
        model.take([said('5', 'Bob', 'Bob', 'Aabel')]);
        const moved = model.order[0].id;
        model.setFilter('aabel bob');
        return [moved, model.order.map(({{ id }}) => id), model.find('bob aabel').row];"""
    assert after(anywhere, steps) == ["5", ["5"], 0]


@pytest.mark.parametrize(
    ("text", "names"), [("names=last", "last"), ("names=first", "first"), ("names=other", None), ("", None)]
)
def test_the_address_says_by_which_names(anywhere, text, names):
    script = """async text => {
        const { arrangementOf, queryOf } = await import('/app/pages/grid/arrangement.js');
        const arrangement = arrangementOf(new URLSearchParams(text));
        return [arrangement.names, queryOf(arrangement)];
    }"""
    assert anywhere.evaluate(script, text) == [names, [["names", names]] if names else []]


def test_what_is_copied_is_read_back_and_too_much_is_refused(anywhere):
    found = anywhere.evaluate(
        """async () => {
             const { fromTSV, toTSV } = await import('/app/pages/grid/clipboard.js');
             const table = [['a\\tb', '"'], ['', 'x\\ny']];
             const many = 'x\\t'.repeat(30000);
             return [JSON.stringify(fromTSV(toTSV(table), 4)) === JSON.stringify(table), fromTSV(many, 20000), fromTSV('"'.repeat(1000001), 20000)?.length];
           }"""
    )
    assert found == [True, None, 1]


def test_another_scheme_has_letters_and_texts_of_its_own(anywhere):
    """Commands of one letter are only available in columns of numbers."""
    found = anywhere.evaluate(
        """async () => {
             const { commandOf } = await import('/app/pages/grid/keys.js');
             const key = (key, more = {}) => ({key, code: '', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...more});
             return [commandOf(key('x')), commandOf(key('x'), {letters: true}), commandOf(key('x', {altKey: true}), {letters: true}),
               commandOf(key('Process')), commandOf(key('a', {isComposing: true})), commandOf(key('?'))].map(command => command?.name ?? null);
           }"""
    )
    assert found == ["status", "type", "status", "type", None, "help"]


def test_an_act_of_too_many_cells_is_refused_before_it_is_sent(anywhere):
    found = anywhere.evaluate(
        """async () => {
             const { GridModel } = await import('/app/pages/grid/model.js');
             const { planOf } = await import('/app/pages/grid/paste.js');
             const model = new GridModel(() => '');
             model.setColumns(Array.from({length: 60}, (_, index) => ({key: `c${index}`, line: `c${index}`, field: null, type: 'text', title: '', path: [], statuses: []})));
             model.take(Array.from({length: 500}, (_, index) => ({id: `r${index}`, name: `${index}`})));
             const empty = {value: null, status: null, fields: {}, held: false};
             const plan = () => planOf(model, [['81']], () => empty, 20000)?.cells.length ?? null;
             model.go(0, 0);
             model.go(499, 59, {extend: true});
             const all = plan();
             model.go(499, 39, {extend: true});
             return [all, plan()];
           }"""
    )
    assert found == [None, 20000]


# The content of a cell, what is pasted over it, and the result.
FATES = {
    ("number", None, None, ""): ("same", "is there already"),
    ("number", None, None, "70"): ("new", "will be added"),
    ("number", "70", None, "70.0"): ("same", "is there already"),
    ("number", "70", None, "80"): ("changed", "will be changed"),
    ("number", "70", None, ""): ("cleared", "will be cleared: 70"),
    ("number", "70", None, " \u00a0"): ("cleared", "will be cleared: 70"),
    ("number", "0", None, ""): ("cleared", "will be cleared: 0"),
    ("number", None, "excused", ""): ("cleared", "will be cleared: excused"),
    ("number", "70", "excused", ""): ("cleared", "will be cleared: 70"),
    ("number", "70", None, "excused"): ("changed", "will be changed"),
    ("number", None, "excused", "0"): ("changed", "will be changed"),
    ("text", "a", None, ""): ("cleared", "will be cleared: a"),
    ("text", "a", None, "b"): ("changed", "will be changed"),
    ("delay", 90, None, ""): ("cleared", "will be cleared: 1 h 30 min"),
    ("delay", None, None, ""): ("same", "is there already"),
    ("number", "70", None, "-5"): ("refused", "Less than 0"),
    ("number", "70", None, "x"): ("refused", "Not a number"),
    ("number", "70", None, "85 %"): ("refused", "This is a percentage: of which scale? Write the result itself."),
}


def test_what_a_paste_clears_is_called_cleared(anywhere):
    found = anywhere.evaluate(
        """async cases => {
             const { countsOf, countsText, fateOf, kindOf } = await import('/app/pages/grid/paste.js');
             const { useTexts } = await import('/app/core/text/i18n.js');
             await Promise.all([useTexts('class'), useTexts('record')]);
             const cells = cases.map(([type, value, status, text]) => {
               const column = {key: 'L', line: 'L', field: type === 'delay' ? '@late' : null, type, title: '', path: [], statuses: ['excused'], statusLabels: {}, choices: [], least: '0', most: '100'};
               const held = {value: type === 'delay' ? null : value, late: type === 'delay' ? value : null, status, fields: {}, held: false, notes: 0, marks: []};
               return {column, text, ...kindOf(column, text, held)};
             });
             return [cells.map(cell => [cell.kind, fateOf(cell)]), countsText({counts: countsOf(cells), outside: 0})];
           }""",
        list(FATES),
    )
    assert dict(zip(FATES, map(tuple, found[0]), strict=True)) == FATES
    assert found[1] == "1 new, 4 changed, 7 cleared, 3 the same, 3 refused"
