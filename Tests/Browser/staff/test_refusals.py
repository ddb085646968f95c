"""Why a change of many records refused some of them, without a server."""

import pytest

DRAWN = """async item => {
    const { sweepList } = await import('/app/parts/program/sweeps.js');
    const { render } = await import('/app/core/page/dom.js');
    const { useTexts } = await import('/app/core/text/i18n.js');
    await useTexts('staff');
    await useTexts('record');
    const place = document.createElement('div');
    const job = { id: 'j', state: 'done', orderedAt: '2026-11-29T10:00:00.000Z', changed: 1, total: 9, ...item };
    render(place, sweepList({ items: [job] }, () => 'Version 2'));
    const reasons = [...place.querySelectorAll('details')];
    return reasons.map(reason => [
        reason.querySelector('summary').textContent, reason.querySelector('p').innerText,
        [...reason.querySelectorAll('a')].map(link => link.getAttribute('href')),
    ]);
}"""


def record(name, id="r"):
    return {"record": id, "account": None, "displayName": name}


CASES = [
    ("class_closed", 1, [record("Ada")], "1 record: its class is closed, and its result there would change", "Ada"),
    ("class_closed", 2, [record("Ada"), record(None, "s")],
     "2 records: their class is closed, and their results there would change", "Ada, Former student"),
    ("record_unreadable", 3, [record("Ada")], "3 records do not fit the new rules", "Ada and 2 more"),
    ("rules_unusable", 1, [record("Ada")],
     "1 record: the new rules have no place for the columns of its class", "Ada"),
    ("weights_sum", 2, [record("Ada")], "2 records: the rules refuse them (weights_sum)", "Ada and 1 more"),
]  # fmt: skip


@pytest.mark.parametrize(("code", "count", "records", "reason", "names"), CASES)
def test_a_refusal_says_why_and_whom_it_concerns(anywhere, code, count, records, reason, names):
    item = {"refused": count, "refusals": [{"code": code, "count": count, "records": records}]}
    links = [f"/records/{one['record']}" for one in records]
    assert anywhere.evaluate(DRAWN, item) == [[reason, names, links]]


def test_what_refused_nothing_gives_no_reasons(anywhere):
    assert anywhere.evaluate(DRAWN, {"refused": 0, "refusals": []}) == []
