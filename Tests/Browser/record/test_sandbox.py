"""A what-if without a page: its changes, one after the other."""

BOOK = """async steps => {
    const { SandboxBook } = await import('/app/core/data/book.js');
    const sent = [];
    const http = {
        get: async () => ({ body: { record: { entries: [{ id: 'a', kind: 'item', fields: {}, children: [] }], fields: {} }, standing: { changes: 0 }, classes: [] } }),
        async post(path, { changes }) {
            sent.push(changes);
            // The first answer comes last.
            await new Promise(resolve => setTimeout(resolve, sent.length === 1 ? 50 : 0));
            return { body: { changes: changes.length } };
        },
    };
    const book = await SandboxBook.over({ app: { http }, id: 'r', scheme: {}, program: {} });
    const add = { op: 'add', kind: 'item', fields: {}, children: [{ kind: 'item', fields: {} }] };
    STEPS
}"""


def test_changes_that_begin_beside_each_other_all_count(anywhere):
    steps = """
        await Promise.all([book.apply([add]), book.apply([{ op: 'patch', entry: 'a', fields: { score: '5' } }])]);
        return [book.count, book.saved.changes, book.record.entries.map(({ id, fields, children }) => [id, fields.score, children.map(one => one.id)])];
    """
    assert anywhere.evaluate(BOOK.replace("STEPS", steps)) == [2, 2, [["a", "5", []], ["new-1", None, ["new-2"]]]]


def test_a_deletion_is_taken_back_once(anywhere):
    steps = """
        const undo = await book.remove('a');
        await book.apply([add]);
        const gone = book.record.entries.map(({ id }) => id);
        await undo();
        await undo();
        return [gone, book.record.entries.map(({ id }) => id), book.count, sent.at(-1).length];
    """
    assert anywhere.evaluate(BOOK.replace("STEPS", steps)) == [["new-1"], ["a", "new-1"], 1, 1]
