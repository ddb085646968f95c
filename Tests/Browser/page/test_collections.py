"""Rows of collections in the client: parts shown together, never two structures, never an older version."""

PLAY = """async messages => {
    const { createCollections } = await import('/app/core/data/collections.js');
    const told = [];
    const collections = createCollections();
    collections.follow('grid/C', shown => told.push(shown && {
        v: shown.place.v, structure: shown.structure, changed: [...shown.changed].sort(),
        rows: Object.fromEntries([...shown.rows].map(([id, row]) => [id, row.v])),
    }));
    for (const message of messages) {
        if (message === 'drop') collections.drop('grid/C');
        else collections.accept({ t: 'rows', topic: 'grid/C', ...message });
    }
    return { told, place: collections.place('grid/C') };
}"""

CONVERGES = """async () => {
    const { createCollections } = await import('/app/core/data/collections.js');
    const below = seed => { let s = seed >>> 0; return n => (s = Math.imul(s ^ (s >>> 15), 0x2c1b3c6d) + 0x9e3779b9 >>> 0) % n; };
    const rows = truth => truth.rows.map((v, id) => ({ id, v: Math.max(v, truth.at), s: truth.s }));
    const part = (truth, since, after) => rows(truth).filter(row => row.v > since && row.id > after).slice(0, 2);
    for (let seed = 1; seed <= 400; seed += 1) {
        const dice = below(seed);
        const truth = { v: 1, s: 1, at: 1, rows: [1, 1, 1] };
        let epoch = 1;
        let reading = null;
        let seen = new Map();
        let fault = null;
        const collections = createCollections((topic, shown) => {
            const list = [...shown.rows.values()];
            if (new Set(list.map(row => row.s)).size > 1) fault = 'two structures';
            for (const row of list) if (seen.get(`${shown.place.e}/${row.id}`) > row.v) fault = `row ${row.id} went back`;
            seen = new Map(list.map(row => [`${shown.place.e}/${row.id}`, row.v]));
        });
        const read = () => {
            const place = collections.place('grid/C');
            const since = place?.e === `e${epoch}` ? place.v : 0;
            reading ??= { since, v: truth.v, after: -1, e: `e${epoch}` };
            const list = part(truth, reading.since, reading.after);
            const more = list.length === 2;
            collections.accept({ t: 'rows', topic: 'grid/C', e: reading.e, from: reading.since, v: reading.v, s: truth.s, rows: list, ...(more ? { more } : {}) });
            reading = more ? { ...reading, after: list[1].id } : null;
        };
        const step = () => {
            const what = dice(12);
            if (what < 5) { truth.v += 1; truth.rows[dice(truth.rows.length)] = truth.v; }
            else if (what === 5) { truth.v += 1; truth.s += 1; truth.at = truth.v; }
            else if (what === 6) { truth.v += 1; truth.rows.push(truth.v); }
            else if (what === 7 && dice(4) === 0) { epoch += 1; reading = null; }
            else if (what === 8) reading = null;
            else read();
        };
        for (let count = 0; count < 150; count += 1) step();
        for (let count = 0; count < 2 * truth.rows.length + 4; count += 1) read();
        const shown = [...collections.get('grid/C').rows.values()].sort((a, b) => a.id - b.id);
        if (!fault && JSON.stringify(shown) !== JSON.stringify(rows(truth))) fault = 'other rows';
        if (fault) return `seed ${seed}: ${fault}`;
    }
    return 'converges';
}"""


def row(name, version, structure=1, **more):
    return {"id": name, "v": version, "s": structure} | more


def part(since, version, *rows, epoch="k", **more):
    return {"e": epoch, "from": since, "v": version, "s": 1, "rows": list(rows)} | more


def play(anywhere, *messages):
    return anywhere.evaluate(PLAY, list(messages))


def test_the_parts_of_a_sequence_are_shown_together_and_the_newer_row_stays(anywhere):
    result = play(
        anywhere,
        part(0, 5, row("a", 3), row("b", 5), more=True),
        part(0, 5, row("c", 7)),
        part(5, 6, row("c", 6), row("a", 6)),
        {"e": "k", "v": 6},
        part(5, 6, row("a", 9)),
        part(9, 10, row("a", 10)),
    )
    assert result["told"] == [
        {"v": 5, "structure": 1, "changed": ["a", "b", "c"], "rows": {"a": 3, "b": 5, "c": 7}},
        {"v": 6, "structure": 1, "changed": ["a"], "rows": {"a": 6, "b": 5, "c": 7}},
    ]
    assert result["place"] == {"e": "k", "v": 6}


def test_rows_of_two_structures_wait_for_the_rest(anywhere):
    result = play(
        anywhere,
        part(0, 5, row("a", 3), row("b", 5)),
        part(5, 6, row("a", 7, 2)),
        part(6, 7, row("a", 7, 2), row("b", 7, 2)),
    )
    assert [shown["structure"] for shown in result["told"]] == [1, 2]
    assert result["told"][-1] == {"v": 7, "structure": 2, "changed": ["a", "b"], "rows": {"a": 7, "b": 7}}


def test_another_epoch_replaces_everything_and_what_is_gone_goes(anywhere):
    result = play(
        anywhere,
        part(0, 5, row("a", 3), row("b", 5)),
        part(5, 6, row("b", 6, gone=True)),
        part(6, 9, row("a", 9), epoch="m"),
        part(0, 2, row("c", 1), epoch="m"),
        "drop",
    )
    assert [shown and shown["rows"] for shown in result["told"]] == [{"a": 3, "b": 5}, {"a": 3}, {"c": 1}, None]
    assert result["told"][2]["changed"] == ["a", "c"]
    assert result["place"] is None


def test_collections_converge_under_whatever_comes_in_between(anywhere):
    assert anywhere.evaluate(CONVERGES) == "converges"
