"""The desk of a class and its rows without a server: bounds, late answers, names, and when rows have ended."""

import pytest

DESK = """async () => {
    const { ClassDesk } = await import('/app/pages/grid/desk.js');
    const { useTexts } = await import('/app/core/text/i18n.js');
    await useTexts('class');
    const account = {id: 'ada'};
    const state = {account, memberships: [{institution: 'I', role: 'registrar', programs: []}], connection: {kind: 'live'}, ended: {}};
    const asked = [];
    let answer = () => ({body: {}});
    const http = {get: async path => { asked.push(path); return answer(path); }};
    const said = [];
    const app = {store: {state, set(changes) { Object.assign(state, changes); }}, http, live: {watch: () => () => {}, people: () => ({follow: () => () => {}, here() {}})}, say: text => said.push(text), redraw() {}};
    const put = [];
    const author = {account: 'ada', of: () => []};
    let listener;
    const acts = {author, listen: heard => { listener = heard; return () => {}; }, put: (_, id, cells) => put.push(cells.length), keep: (_, id, cells) => put.push(-cells.length), discard() {}};
    const line = {id: 'L', number: 1, parent: null, kind: 'item', fields: {}, state: 'open', posting: 'automatic', due: null};
    const column = {line: 'L', label: 'Exam', takes: {type: 'number', choices: []}, least: '0', most: '100', best: '100', statuses: ['excused'], fields: [], grade: 'value'};
    const taught = {id: 'C', v: 1, state: 'open', staff: [], figures: [], columns: [column], structure: {s: 1, lines: [line]}};
    const scheme = {shape: {kinds: []}, figures: []};
    let draws = 0;
    const desk = new ClassDesk(app, taught, {id: 'P', institution: 'I'}, scheme, acts, () => { draws += 1; });
    const row = (id, v, value = null) => ({id, v, name: `Student ${id}`, record: `R${id}`, figures: {}, cells: new Map(value === null ? [] : [['L', {value, status: null, fields: {}, held: false}]])});
    STEPS
}"""


def on_desk(page, steps):
    return page.evaluate(DESK.replace("STEPS", steps))


def test_more_cells_than_one_act_takes_are_said_and_not_sent(anywhere):
    steps = """
        desk.model.take(Array.from({length: 20001}, (_, index) => row(String(index), 1, '5')));
        const [exam] = desk.model.columns;
        const places = count => desk.model.order.slice(0, count).map(row => ({row, column: exam}));
        desk.entry.clear(places(20001));
        desk.entry.setStatus(places(20001), 'excused');
        desk.entry.enterAll(places(20001).map(place => ({...place, text: '1,000'})));
        const before = put.length;
        desk.entry.clear(places(20000));
        return [before, put, said.length];"""
    assert on_desk(anywhere, steps) == [0, [20000], 3]


def test_a_grader_sees_whose_results_are_to_come_in_the_own_lines(anywhere):
    steps = """
        Object.assign(state.memberships[0], {role: 'teacher', programs: ['P']});
        const other = {...line, id: 'M', number: 2, kind: 'item'};
        const marked = {mode: 'double', tolerance: '1', rule: 'mean', open: false};
        const inside = {...line, id: 'N', number: 3, parent: 'L', marking: marked};
        const columns = ['L', 'M', 'N'].map(id => ({...column, line: id}));
        desk.setClass({...taught, v: 2, columns, structure: {s: 2, lines: [line, other, inside]}, staff: [{account: 'ada', role: 'grader', lines: ['L']}]});
        const cell = (value, marks = [], status = null) => ({value, status, fields: {}, held: false, marks});
        const of = (id, l, m, n) => ({...row(id, 2), cells: new Map(Object.entries({L: l, M: m, N: n}).filter(([, held]) => held))});
        const own = [{by: 'ada', value: '5'}];
        desk.model.take([
            of('1', cell('5'), null, cell('6')), of('2', null, cell('5'), cell('6')), of('3', cell('5'), cell('5'), cell(null, own)),
            of('4', cell('5'), cell('5'), cell(null, [{by: 'eve'}])), of('5', cell(null, [], 'excused'), null, cell('6')),
        ]);
        desk.model.setArrangement({only: new Set(['mine'])});
        const shown = () => desk.model.order.map(({id}) => id);
        const before = shown();
        desk.model.take([of('2', cell('7'), cell('5'), cell('6'))]);
        desk.model.take([of('1', null, null, cell('6'))]);
        return [desk.filters.hasOwnShare, before, shown(), desk.filters.countOf('mine')];"""
    assert on_desk(anywhere, steps) == [True, ["2", "4"], ["1", "2", "4"], 2]


def test_a_late_answer_covers_no_newer_value(anywhere):
    steps = """
        desk.rows.reach = async () => {};
        const [exam] = desk.model.columns;
        const shown = () => desk.contents.of(desk.model.rows.get('1'), exam).value;
        const answered = v => listener('C', {v, cells: [{row: '1', line: 'L', field: null, change: {value: '17'}}], ids: [], counters: null});
        desk.model.take([row('1', 6, '12')]);
        answered(5);
        const late = shown();
        answered(7);
        return [late, shown()];"""
    assert on_desk(anywhere, steps) == ["12", "17"]


def test_names_are_asked_for_once_and_once_more_after_a_lost_network(anywhere):
    steps = """
        const { Unreachable } = await import('/app/core/net/http.js');
        answer = () => ({body: {staff: [{id: 'eve', displayName: 'Eve'}]}});
        const before = draws;
        for (let turn = 0; turn < 3; turn += 1) await desk.names.learn(row('1', 1), 'unknown');
        const drawn = draws - before;
        await desk.names.learn(row('2', 1), 'bob');
        const once = asked.length;
        answer = () => { throw new Unreachable('lost'); };
        for (let turn = 0; turn < 3; turn += 1) await desk.names.learn(row('3', 1), 'bob');
        const lost = asked.length;
        dispatchEvent(new Event('online'));
        await desk.names.learn(row('3', 1), 'bob');
        return [once, lost, asked.length, drawn];"""
    assert on_desk(anywhere, steps) == [2, 3, 4, 0]


def test_a_result_is_read_beside_a_status_by_its_own_label(anywhere):
    found = anywhere.evaluate(
        """async () => {
             const { useTexts } = await import('/app/core/text/i18n.js');
             await useTexts('class');
             const { empty, readTyped } = await import('/app/pages/grid/cells.js');
             const column = {field: null, type: 'number', choices: [], statuses: ['exempt'], statusLabels: {exempt: 'Dispensed'}};
             return ['5 (Dispensed)', 'dispensed', '5 (exempt)'].map(text => readTyped(column, text, empty).change);
           }"""
    )
    both = {"value": "5", "status": "exempt"}
    assert found == [both, {"status": "exempt"}, both]


def test_keys_while_a_paste_is_shown_are_those_of_an_editor_that_is_open(anywhere):
    found = anywhere.evaluate(
        """async () => {
             const { commandOf } = await import('/app/pages/grid/keys.js');
             const enter = {key: 'Enter', code: '', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false};
             return [commandOf(enter, {isPaste: true}).name, commandOf(enter, {isPaste: true, isEditing: true}).name];
           }"""
    )
    assert found == ["pasteEnter", "commit"]


ROWS = """async () => {
    const { ClassRows } = await import('/app/pages/grid/rows.js');
    const { Problem } = await import('/app/core/net/http.js');
    const state = {connection: {kind: 'live'}, ended: {'grid/C': 'forbidden'}};
    let follower;
    let answer = () => ({body: {e: 'k', from: 0, v: 1, s: 1, rows: [], more: false}, next: null});
    const asked = [];
    const app = {
        store: {state, set: changes => Object.assign(state, changes)}, redraw() {}, http: {get: async path => { asked.push(path); return answer(path); }},
        live: {collection: async (topic, heard) => { follower = heard; return () => {}; }},
    };
    const taken = [];
    let take = async rows => { taken.push(rows.map(({id}) => id)); return true; };
    const rows = new ClassRows(app, 'C', (list, about) => take(list, about));
    const push = async (v, all, changed) => { follower({place: {e: 'k', v}, structure: 1, rows: new Map(all.map(id => [id, {id, s: 1}])), changed: new Set(changed)}); await new Promise(resolve => setTimeout(resolve, 0)); };
    const start = async () => { const begun = rows.start(); await Promise.resolve(); await push(1, ['a', 'b'], ['a', 'b']); await begun; };
    STEPS
}"""


def on_rows(page, steps):
    return page.evaluate(ROWS.replace("STEPS", steps))


def test_rows_that_could_not_be_taken_in_are_taken_with_the_next(anywhere):
    steps = """
        await start();
        const well = take;
        take = async () => { throw new Error('the class cannot be read'); };
        await push(2, ['a', 'b'], ['a']);
        take = well;
        await push(3, ['a', 'b'], ['b']);
        answer = () => ({body: {e: 'k', from: 3, v: 4, s: 1, rows: [{id: 'a', s: 1}], more: false}, next: null});
        await rows.read();
        rows.close();
        return [taken, asked];"""
    assert on_rows(anywhere, steps) == [[["a", "b"], ["a", "b"], ["a"]], ["/v1/classes/C/rows?since=k.3"]]


@pytest.mark.parametrize(
    "status, body, ended",
    [(403, "null", False), (401, "{code: 'unauthenticated'}", False), (404, "{code: 'not_found'}", True)],
)
def test_only_the_servers_own_word_ends_the_rows(anywhere, status, body, ended):
    steps = """
        await start();
        answer = () => { throw new Problem(STATUS, BODY); };
        await rows.read();
        const isEnded = rows.isEnded;
        answer = () => ({body: {e: 'k', from: 1, v: 2, s: 1, rows: [{id: 'c', s: 1}], more: false}, next: null});
        await rows.read();
        rows.close();
        return [isEnded, taken.length];""".replace("STATUS", str(status)).replace("BODY", body)
    assert on_rows(anywhere, steps) == [ended, 1 if ended else 2]


def test_rows_that_had_ended_begin_again(anywhere):
    assert on_rows(
        anywhere, "const before = rows.isEnded; await start(); rows.close(); return [before, rows.isEnded];"
    ) == [True, False]
