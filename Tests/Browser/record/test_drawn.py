"""How a record with classes is drawn, and what may be done with it: functions of the page with a stored book."""

DESK = """async steps => {
    const { StoredBook, SandboxBook } = await import('/app/core/data/book.js');
    const { Desk } = await import('/app/parts/record/desk.js');
    const line = (id, fields, more) => ({ id, kind: 'item', status: null, fields, children: [], ...more });
    const link = (more = {}) => ({ id: 'c', kind: 'course', class: 'C', enrolment: 'E', fields: { title: 'Optics' }, children: [], ...more });
    const own = { id: 'o', kind: 'course', fields: { title: 'Own' }, children: [line('x', { title: 'Talk', score: 8 })] };
    const figure = display => ({ figures: { grade: { display, exact: display } } });
    const held = entries => ({ place: { e: 'e', v: 1 }, doc: {
        record: { id: 'r', fields: {}, entries },
        standing: { figures: {}, entries: { c: figure('70'), o: figure('80') }, outcomes: {}, warnings: [{ code: 'late', entry: 'o' }] },
    } });
    let now = held([link(), own]);
    const asked = [];
    let lines = [line('l', { title: 'Quiz', score: 7, max: 10 })];
    const http = {
        async get(path) {
            asked.push(path);
            return { body: structuredClone({
                record: { fields: {}, entries: [{ id: 'c', kind: 'course', fields: { title: 'Optics' }, children: lines }, own] },
                standing: {
                    figures: {}, entries: { c: figure('60'), o: figure('60'), l: figure('7') }, outcomes: {},
                    warnings: [{ code: 'weights', entry: 'c' }, { code: 'odd', entry: 'o' }],
                },
                classes: [{ entry: 'c', class: 'C', enrolment: 'E', complete: true }],
            }) };
        },
        async post() { return { body: { figures: {}, entries: {}, outcomes: {}, warnings: [] } }; },
    };
    const app = {
        http, redraw() {}, documents: { get: () => now }, store: { state: { edits: [] } },
        edits: { author: {}, of: () => waiting },
    };
    let waiting = [];
    const scheme = { shape: { fields: [], kinds: [
        { kind: 'course', label: {}, fields: [{ name: 'title', type: 'text' }], statuses: [] },
        { kind: 'item', parent: 'course', label: {}, statuses: [], fields: [
            { name: 'title', type: 'text' }, { name: 'score', type: 'number', grade: true }, { name: 'max', type: 'number' }] },
    ] } };
    const stored = new StoredBook(app, 'record/r', scheme, { entry: 'both' }, true);
    const desk = new Desk(app, stored, scheme);
    const names = entries => entries.map(entry => [entry.id, ...entry.children.map(child => child.id)]);
    STEPS
}"""


def run(page, steps):
    return page.evaluate(DESK.replace("STEPS", steps))


def test_lines_are_drawn_and_named_and_the_record_stays_as_it_is_stored(anywhere):
    steps = """
        const before = names(stored.drawn);
        await stored.assemble();
        const { standing } = stored;
        return [before, names(stored.drawn), names(stored.record.entries), desk.pathText('l'), standing.entries.l.figures.grade.display,
            standing.entries.c.figures.grade.display, standing.warnings.map(({ code }) => code), stored.drawn[1] === own];
    """
    assert run(anywhere, steps) == [
        [["c"], ["o", "x"]], [["c", "l"], ["o", "x"]], [["c"], ["o", "x"]], "Optics › Quiz", "7", "70", ["late", "weights"], True,
    ]  # fmt: skip


def test_an_edit_that_waits_is_drawn_beside_the_lines(anywhere):
    steps = """
        await stored.assemble();
        waiting = [{ state: 'waiting', id: 'w', ops: [{ op: 'patch', entry: 'x', fields: { score: 9 } }] }];
        app.store.state.edits = waiting;
        return [names(stored.drawn), desk.entry('x').fields.score, desk.entry('l').fields.score];
    """
    assert run(anywhere, steps) == [[["c", "l"], ["o", "x"]], 9, 7]


def test_the_lines_of_another_enrolment_are_not_those_of_this_one(anywhere):
    steps = """
        await stored.assemble();
        now = held([link({ enrolment: 'F' }), own]);
        const other = names(stored.drawn);
        now = held([own]);
        return [other, names(stored.drawn)];
    """
    assert run(anywhere, steps) == [[["c"], ["o", "x"]], [["o", "x"]]]


def test_a_row_that_tells_the_same_lines_is_not_read_again(anywhere):
    steps = """
        const row = { part: { entries: [{ id: 'c', kind: 'course', fields: {}, children: structuredClone(lines) }] } };
        const unread = stored.differs(link(), row);
        await stored.assemble();
        const same = stored.differs(link(), row);
        row.part.entries[0].children[0].fields.score = 8;
        return [unread, same, stored.differs(link(), row), stored.differs(link({ enrolment: 'F' }), row)];
    """
    assert run(anywhere, steps) == [True, False, True, True]


def test_those_who_ask_while_lines_are_read_share_one_more_reading(anywhere):
    steps = """
        const first = stored.assemble();
        await Promise.resolve();
        await Promise.resolve();
        await Promise.all([first, stored.assemble(), stored.assemble(), stored.assemble()]);
        const count = asked.length;
        now = held([own]);
        await stored.assemble();
        return [count, asked.length];
    """
    assert run(anywhere, steps) == [2, 2]


def test_of_a_class_results_alone_are_tried_and_nothing_is_changed(anywhere):
    steps = """
        await stored.assemble();
        const may = () => ['c', 'l', 'o', 'x'].map(id => desk.entry(id)).map(entry => [desk.mayEdit(entry), desk.mayAdd(entry), desk.mayRemove(entry)]);
        const real = may();
        desk.book = await SandboxBook.over(stored);
        const tried = may();
        const none = desk.mayEdit(desk.entry('l'), ['score']);
        await desk.book.apply([{ op: 'patch', entry: 'l', fields: { score: 10 } }]);
        return [real, tried, none, desk.entry('l').fields.score];
    """
    no, all_ = [False] * 3, [True] * 3
    assert run(anywhere, steps) == [[no, no, all_, all_], [no, [True, False, False], all_, all_], False, 10]


def test_rows_are_followed_as_long_as_they_stand_in_the_record_and_the_page_is_open(anywhere):
    steps = """
        const { ClassRows } = await import('/app/parts/record/classRows.js');
        const log = [];
        app.live = { watch: topic => { log.push(`+${topic}`); return () => log.push(`-${topic}`); } };
        app.say = text => log.push(text);
        const rows = new ClassRows(app, stored, true, () => log.push('lines'));
        const told = (...own) => ({ doc: { part: { entries: [{ id: 'c', children: structuredClone(own) }] } } });
        rows.follow();
        rows.follow();
        await stored.assemble();
        rows.onDocument('row/E', told(...lines));
        rows.onDocument('row/F', told());
        await rows.read();
        now = held([link({ enrolment: 'F' }), own]);
        rows.follow();
        const late = rows.read();
        rows.close();
        await late;
        return [log, asked.length];
    """
    assert run(anywhere, steps) == [["+row/E", "lines", "-row/E", "+row/F", "-row/F"], 3]
