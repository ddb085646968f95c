"""What the history of a record says about a class's acts, without a server."""

import pytest

DRAWN = """async ([items, rounding]) => {
    const { historySheet } = await import('/app/parts/record/history.js');
    const { render } = await import('/app/core/page/dom.js');
    const { useTexts } = await import('/app/core/text/i18n.js');
    await useTexts('record');
    const figures = [
        { name: 'grade', kind: 'course', label: { en: 'Grade' } },
        { name: 'grade', kind: 'category', label: { en: 'Percent' } },
    ];
    const desk = {
        app: { http: { get: async () => ({ body: { items }, next: null }) } }, book: {
            id: 'r', editable: false, assemble: async () => {}, standing: { entries: { c: { figures: { grade: rounding } } }, figures: {} },
        },
        scheme: { figures, outcomes: [], shape: { kinds: [] } }, can: () => false, redraw() {}, close() {},
        entry: id => ({ c: { kind: 'course' }, q: { kind: 'item', fields: { max: '10' } } })[id] ?? null, pathText: id => (id === 'c' ? 'Algorithms' : ''),
        fieldLabel: (id, name) => name, fieldText: (id, name, value) => String(value),
    };
    const place = document.body.appendChild(document.createElement('div'));
    const sheet = historySheet(desk, 'gpa');
    await new Promise(resolve => setTimeout(resolve));
    render(place, sheet.view());
    const found = [...place.querySelectorAll('.history > li')].map(item => ({
        head: item.querySelector('strong').textContent, changes: [...item.querySelectorAll('.changes li')].map(line => line.textContent),
        foot: item.querySelector(':scope > p').textContent,
    }));
    const curve = place.querySelectorAll('.sparkline circle').length;
    place.remove();
    return found;
}"""


HUNDREDTHS = {"rounding": "halfUp", "scale": 2}


def history(page, items, rounding=HUNDREDTHS, script=DRAWN):
    return page.evaluate(script, [items, rounding])


def given(**figures):
    return {"figures": {name: {"current": value} for name, value in figures.items()}, "awaitsGrade": False}


def entry(**figures):
    return {"id": "c", "kind": "course", "fields": {"title": "Algorithms"}, "class": "k", "given": given(**figures)}


def item(before, after):
    step = {"op": "patch" if before else "add", "entry": "c", "before": before, "after": after}
    return {"version": 13, "at": "2026-11-29T10:00:00.000Z", "by": {"id": "t", "displayName": "Grace"}, "op": "class",
            "entry": None, "before": None, "after": [step], "figures": {}, "class": "k", "reason": None}  # fmt: skip


CASES = [
    ("169/2", "85", ["Grade: 84.5 → 85"]),
    ("265/3", "500/6", ["Grade: ≈ 88.33 → ≈ 83.33"]),
    ("84.505", "-4", ["Grade: ≈ 84.51 → -4"]),
    (None, "12.25", ["Grade: – → 12.25"]),
    ("ungraded", "7", ["Grade: – → 7"]),
    ("7", "7", []),
]


@pytest.mark.parametrize(("before", "after", "changes"), CASES)
def test_an_act_of_a_class_says_which_figures_changed_and_no_identifier(anywhere, before, after, changes):
    old = entry(grade=before, hiddenHelp="3") if before else None
    [line] = history(anywhere, [item(old, entry(grade=after, hiddenHelp="4"))])
    shown = [change.replace("−", "-") for change in line["changes"] if "Grade" in change]
    assert shown == changes
    assert not [change for change in line["changes"] if "hiddenHelp" in change]
    assert line["head"].endswith("Algorithms") and line["foot"] == "Grace · version 13"


# Each with the rounding of the figure.
SHOWN = [
    ("109/2", "halfUp", 0, "≈ 55"),
    ("109/2", "halfEven", 0, "≈ 54"),
    ("549/10", "truncate", 0, "≈ 54"),
    ("54.45", "ceiling", 1, "≈ 54.5"),
    ("55", "halfUp", 0, "55"),
    ("17/2", "halfUp", 1, "8.5"),
]


@pytest.mark.parametrize(("value", "mode", "scale", "text"), SHOWN)
def test_a_figure_that_a_class_set_reads_as_the_record_shows_it(anywhere, value, mode, scale, text):
    [line] = history(anywhere, [item(entry(grade="1"), entry(grade=value))], {"rounding": mode, "scale": scale})
    assert line["changes"] == [f"Grade: 1 → {text}"]


ELSEWHERE = [
    # By halves: the record shows 8.5 for 25/3 and says one decimal.
    ({"rounding": "halfUp", "scale": 1, "exact": "25/3", "display": "8.5"}, "≈ 8.33"),
    # The student has left, so that the record has no such figure any more.
    (None, "≈ 8.33"),
]


@pytest.mark.parametrize(("figure", "text"), ELSEWHERE)
def test_a_figure_of_which_the_record_does_not_tell_the_decimals_has_two(anywhere, figure, text):
    [line] = history(anywhere, [item(entry(grade="8"), entry(grade="25/3"))], figure)
    assert line["changes"] == [f"Grade: 8 → {text}"]


def test_a_history_says_when_the_student_joined_and_left_the_class(anywhere):
    joined, changed, left = item(None, entry()), item(entry(), entry(grade="7")), item(entry(grade="7"), None)
    left["after"] = [{"op": "delete", "entry": "c", "before": entry(grade="7"), "after": None}]
    lines = history(anywhere, [left, changed, joined])
    assert [line["head"].split(" – ")[0] for line in lines] == [
        "Left the class",
        "Changed in the class",
        "Joined the class",
    ]


CELLS = [
    ({"title": "Quiz 3", "line": "q", "before": {}, "after": {"values": {"score": "9"}}}, "Quiz 3: – → 9 / 10"),
    ({"title": "Quiz 3", "line": "q", "before": {"values": {"score": "9"}}, "after": {}}, "Quiz 3: 9 / 10 → –"),
    (
        {"title": "Quiz 3", "line": "q", "before": {"values": {"score": "9"}},
         "after": {"values": {"score": "9"}, "status": "excused", "late": 90}},
        "Quiz 3: 9 / 10 → 9 / 10, excused, 1 h 30 min late",
    ),
    ({"title": "Essay", "line": "e", "before": {}, "after": {"status": "missing"}}, "Essay: – → missing"),
    ({"title": None, "line": None, "before": {"values": {"x": "1"}}, "after": {"values": {"x": "2"}}}, "a deleted item: 1 → 2"),
]  # fmt: skip


def test_an_act_of_a_class_says_which_results_changed(anywhere):
    act = {**item(entry(grade="85"), entry(grade="85")), "cells": [cell for cell, _ in CELLS]}
    act |= {"shown": [{"line": "f", "title": "Final"}], "hidden": [{"line": "m", "title": "Midterm"}]}
    [line] = history(anywhere, [act])
    shown, hidden = "Final: results shown", "Midterm: results hidden"
    assert line["changes"] == [text for _, text in CELLS] + [shown, hidden]


# The figure after each change, oldest first with the minute, and the number of points in the chart.
CURVES = [
    ([(0, "3.00"), (1, "4.00"), (2, "3.00"), (5, "3.10")], 2),
    ([(0, "3.00"), (1, "4.00"), (12, "3.00")], 3),
    ([(0, "3.00"), (1, "3.00"), (2, "3.00")], 3),
    ([(0, "3.00"), (1, "4.00")], 2),
    ([(0, None), (1, "4.00"), (2, None), (3, "3.50")], 2),
]


@pytest.mark.parametrize(("changes", "drawn"), CURVES)
def test_the_chart_leaves_out_what_was_taken_back_at_once(anywhere, changes, drawn):
    items = [
        {**item(None, entry()), "version": number, "at": f"2026-11-29T10:{minute:02}:00.000Z", "figures": {"gpa": text}}
        for number, (minute, text) in enumerate(changes)
    ]
    points = history(anywhere, items[::-1], script=DRAWN.replace("return found;", "return curve;"))
    assert points == drawn


def test_a_record_that_is_too_long_to_be_assembled_has_its_history(anywhere):
    script = DRAWN.replace("assemble: async () => {}", "assemble: async () => { throw new Error('entry_limit'); }")
    act = {**item(entry(grade="85"), entry(grade="85")), "cells": [CELLS[0][0]]}
    [line] = history(anywhere, [act], script=script)
    assert [change.split(":")[0] for change in line["changes"]] == ["Quiz 3"]
