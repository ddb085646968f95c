"""Results on their way into classes, without a page and without a class: kept, sent, not taken and given up."""

import pytest

ACTS = """async () => {
    const { CellActs } = await import('/app/core/edits/cellActs.js');
    const { Problem, Unreachable } = await import('/app/core/net/http.js');
    const { createSeal } = await import('/app/core/storage/seal.js');
    const seal = await createSeal('AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA');
    localStorage.clear();
    const sent = [];
    const lost = () => { throw new Unreachable('lost'); };
    const signedOut = () => { throw new Problem(401, { code: 'unauthenticated' }); };
    const refuse = (...faults) => { throw new Problem(422, { code: 'invalid', title: 'Invalid', faults }); };
    const taken = v => ({ body: { v, faults: [] } });
    let answer = lost;
    const http = { request: async (method, path, options) => {
        sent.push({ method, path, key: options.key, as: options.as, body: options.body });
        return answer(options);
    } };
    const make = () => new CellActs(http, () => ({ rest() {}, urge() {} }));
    const acts = make();
    await acts.open({ id: 'ada' }, seal);
    const ada = acts.author;
    const cell = (row, change, more = {}) => ({
        row, line: 'L', field: null, text: String(change.value ?? change.status ?? ''), title: 'Exam', change, back: { value: null }, was: { value: null }, s: 1, ...more });
    const put = (row, change, more) => { acts.put(ada, 'C', [cell(row, change)], more); return acts.flush(); };
    const shown = (author = ada) => author.of('C').map(act => [act.state, ...act.cells.map(({ row, change, was, left }) => [row, change, was, left?.state ?? null])]);
    const keys = () => Object.keys(localStorage).filter(key => key.startsWith('gradecast.cell.'));
    STEPS
}"""


def after(page, steps):
    return page.evaluate(ACTS.replace("STEPS", steps))


def test_what_waits_is_not_given_up_with_what_was_refused(anywhere):
    steps = "await put('1', {value: '72'}); acts.discard(ada, 'C'); return shown();"
    assert after(anywhere, steps) == [["waiting", ["1", {"value": "72"}, {"value": None}, None]]]


def test_a_status_over_a_waiting_result_leaves_the_result(anywhere):
    steps = "answer = signedOut; await put('1', {value: '72'}); await put('1', {status: 'excused'}); return shown();"
    both = {"value": "72", "status": "excused"}
    assert after(anywhere, steps) == [["waiting", ["1", both, {"value": None}, None]]]


def test_a_status_over_a_refused_result_leaves_the_result(anywhere):
    steps = "answer = () => refuse({path: '/cells/L', code: 'above'}); await put('1', {value: '160'}); answer = signedOut; STATUS; return shown();"
    refused = ["left", ["1", {"value": "160"}, {"value": None}, "refused"]]
    marked = ["waiting", ["1", {"status": "excused"}, {"value": None}, None]]
    assert after(anywhere, steps.replace("STATUS", "await put('1', {status: 'excused'})")) == [refused, marked]
    assert after(anywhere, steps.replace("STATUS", "await put('1', {value: '16'})")) == [
        ["waiting", ["1", {"value": "16"}, {"value": None}, None]]
    ]


def test_what_is_typed_while_a_result_is_refused_stands_on_what_was_there_before(anywhere):
    """The status that was typed meanwhile is still sent; the refused value stays."""
    steps = """
        let fail;
        answer = () => new Promise((resolve, reject) => { fail = reject; });
        const first = put('1', {value: '160'});
        while (!fail) await new Promise(requestAnimationFrame);
        acts.put(ada, 'C', [cell('1', {status: 'excused'}, {was: {value: '160'}})]);
        answer = signedOut;
        fail(new Problem(422, {code: 'invalid', faults: [{path: '/cells/L', code: 'above'}]}));
        await first; await acts.flush();
        return shown();"""
    assert after(anywhere, steps) == [
        ["left", ["1", {"value": "160"}, {"value": None}, "refused"]],
        ["waiting", ["1", {"status": "excused"}, {"value": None}, None]],
    ]


def test_a_result_that_may_have_arrived_goes_again_under_its_key_and_unchanged(anywhere):
    steps = """
        await put('1', {value: '71'});
        await put('1', {value: '72'});
        await ada.kept();
        const again = make();
        await again.open({ id: 'ada' }, seal);
        answer = () => taken(5);
        await again.flush();
        return [...new Set(sent.map(({ key, body }) => `${sent.findIndex(other => other.key === key) === 0} ${body.cells.L.value}`))];"""
    assert after(anywhere, steps) == ["true 71", "false 72"]


def test_what_went_together_goes_together_again(anywhere):
    steps = """
        answer = signedOut;
        for (const row of ['1', '2']) await put(row, {value: row});
        await acts.flush();
        const start = sent.length;
        answer = lost;
        await acts.flush();
        await put('3', {value: '3'});
        answer = () => taken(5);
        await acts.flush();
        return [...new Map(sent.slice(start).map(({ key, body }) => [key, body.cells.length ?? 1])).values()];"""
    assert after(anywhere, steps) == [2, 1]


def test_an_act_that_may_have_arrived_is_not_given_up(anywhere):
    steps = """
        await put('1', {value: '71'});
        const tried = acts.takeBack(ada, 'C', acts.lastWaiting(ada, 'C').id);
        answer = signedOut;
        await put('2', {value: '72'});
        acts.takeBack(ada, 'C', ada.of('C')[0].id);
        return [tried, shown().length];"""
    assert after(anywhere, steps) == [False, 2]
    steps = "answer = signedOut; await put('1', {value: '71'}); return [acts.takeBack(ada, 'C', ada.of('C')[0].id), shown()];"
    assert after(anywhere, steps) == [True, []]


@pytest.mark.slow("puts twenty thousand cells into one act, the most that a class takes at once")
@pytest.mark.parametrize("count", [2000, 20000])
def test_the_refused_cells_of_one_act_stay_one_act(anywhere, count):
    steps = """
        answer = () => refuse({path: '', code: 'class_closed', message: 'closed'});
        acts.put(ada, 'C', Array.from({length: COUNT}, (_, index) => cell(`r${index}`, {value: '81'})), {isWhole: true});
        await acts.flush();
        await ada.kept();
        const before = [ada.acts.length, ada.acts[0].cells.length, keys().length];
        acts.put(ada, 'C', [cell('r1', {value: '8'})]);
        acts.discard(ada, 'C', new Set(['r2/L']));
        return [before, ada.of('C').map(({ cells }) => cells.length)];""".replace("COUNT", str(count))
    kept = 1 if count == 2000 else 0  # The browser's storage has no room for the larger one.
    assert after(anywhere, steps) == [[1, count, kept], [count - 2, 1]]


def test_what_is_left_is_kept_before_the_act_goes(anywhere):
    """Closing the tab between the two steps loses nothing."""
    steps = """
        await ada.kept();
        const { setItem, removeItem } = Storage.prototype;
        const did = [];
        Storage.prototype.setItem = function (key, text) { did.push('kept'); setItem.call(this, key, text); };
        Storage.prototype.removeItem = function (key) { did.push('gone'); removeItem.call(this, key); };
        answer = () => refuse({path: '', code: 'class_closed'});
        await put('1', {value: '1'});
        await ada.kept();
        Object.assign(Storage.prototype, { setItem, removeItem });
        return did.slice(-2);"""
    assert after(anywhere, steps) == ["kept", "gone"]


def test_a_page_that_opens_again_finds_each_act_as_it_became(anywhere):
    """What was typed over one of two refused results is not beside it again, and what may have arrived keeps its key."""
    steps = """
        answer = () => refuse({path: '', code: 'class_closed'});
        acts.put(ada, 'C', [cell('1', {value: '160'}), cell('2', {value: '170'})], {isWhole: true});
        await acts.flush();
        answer = lost;
        await put('1', {value: '16'});
        await ada.kept();
        const before = shown();
        const again = make();
        await again.open({ id: 'ada' }, seal);
        await again.flush();
        return [before, shown(again.author), sent.slice(1).every(({ key }) => key === sent[1].key)];"""
    acts = [
        ["left", ["2", {"value": "170"}, {"value": None}, "refused"]],
        ["waiting", ["1", {"value": "16"}, {"value": None}, None]],
    ]
    assert after(anywhere, steps) == [acts, acts, True]


def test_what_the_browser_cannot_keep_outlives_the_session(anywhere):
    plain = """
        const other = make();
        await other.open({ id: 'bob' }, null);
        other.put(other.author, 'C', [cell('1', {value: '71'})]);
        await other.flush();
        await other.open(null);
        const between = other.counts.all;
        await other.open({ id: 'bob' }, null);
        return [between, shown(other.author).length, keys().length];"""
    assert after(anywhere, plain) == [0, 1, 0]
    full = """
        const { setItem } = Storage.prototype;
        Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };
        await put('1', {value: '71'});
        await ada.kept();
        Storage.prototype.setItem = setItem;
        await acts.open(null);
        await acts.open({ id: 'ada' }, seal);
        return [shown(acts.author).length, ada.isHolding, keys().length];"""
    assert after(anywhere, full) == [1, True, 0]


def test_what_one_typed_is_never_entered_as_another(anywhere):
    steps = """
        await acts.open({ id: 'bob' }, seal);
        acts.put(ada, 'C', [cell('1', {value: '66'})]);
        acts.keep(ada, 'C', [cell('2', {}, {left: {state: 'refused', faults: [], detail: null}})]);
        await acts.flush();
        await ada.kept();
        const whose = keys().map(key => key.split('.')[2]);
        const [as, counts] = [sent.map(each => each.as), acts.counts.all];
        await acts.open({ id: 'ada' }, seal);
        answer = () => taken(3);
        await acts.flush();
        return [whose, as, counts, sent.map(each => each.as)];"""
    assert after(anywhere, steps) == [["ada", "ada"], [], 0, ["ada"]]


def test_what_is_not_entered_is_counted(anywhere):
    steps = """
        await put('1', {value: '71'});
        acts.keep(ada, 'C', [cell('2', {}, {left: {state: 'refused', faults: [], detail: null}})]);
        localStorage.setItem('gradecast.cell.ada.x', 'of.anotherKey');
        await acts.flush();
        const counts = acts.counts;
        acts.discardLocked();
        return [counts, acts.counts.all, keys().length];"""
    assert after(anywhere, steps) == [{"all": 3, "waiting": 1, "undecided": 1, "locked": 1}, 2, 2]


def test_another_tab_says_which_version_an_act_made(anywhere):
    steps = """
        const other = make();
        await other.open({ id: 'ada' }, seal);
        const told = new Promise(resolve => acts.listen((taught, entered) => entered?.ids.length > 0 && resolve([taught, entered.v, entered.ids.length])));
        answer = signedOut;
        await put('1', {value: '71'});
        answer = () => taken(9);
        await ada.kept();
        await other.flush();
        return told;"""
    assert after(anywhere, steps) == ["C", 9, 1]
