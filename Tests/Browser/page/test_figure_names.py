"""What figures and outcomes are called in histories: by their label of today, whatever they were named."""

NAMED = """async names => {
    const { SOME_KIND, figureName, outcomeName } = await import('/app/parts/record/figureNames.js');
    const label = en => ({ en, fr: en, 'zh-Hans': en });
    const scheme = {
        figures: [
            { name: 'total', kind: 'course', label: label('Total of a course') },
            { name: 'mean', kind: 'course', was: ['average'], label: label('Mean of a course') },
            { name: 'overall', kind: null, was: ['total', 'sum'], label: label('Overall') },
            { name: 'session', kind: null, family: true, was: ['term'], label: label('Session') },
        ],
        outcomes: [
            { name: 'result', kind: 'course', label: label('Result of a course') },
            { name: 'decision', kind: null, was: ['result'], label: label('Decision') },
        ],
        shape: { kinds: [{ kind: 'course', was: ['module'], fields: [] }, { kind: 'unit', fields: [] }] },
    };
    const kinds = { record: null, course: 'course', module: 'module', gone: 'gone', unit: 'unit', some: SOME_KIND };
    return names.map(([what, kind, name]) => (what === 'figure' ? figureName : outcomeName)(scheme, name, kinds[kind]));
}"""

NAMES = [
    ("figure", "record", "overall", "Overall"),
    ("figure", "record", "sum", "Overall"),
    # What the record had under a name is not what its entries have under that name today.
    ("figure", "record", "total", "Overall"),
    ("figure", "course", "total", "Total of a course"),
    ("figure", "some", "total", "Total of a course"),
    ("figure", "some", "average", "Mean of a course"),
    # An entry that is gone has no kind any more.
    ("figure", "record", "average", "Mean of a course"),
    ("figure", "some", "sum", "Overall"),
    ("figure", "unit", "total", "total"),
    # A history tells of entries by the kinds that they had.
    ("figure", "module", "total", "Total of a course"),
    ("figure", "gone", "total", "Total of a course"),
    ("outcome", "module", "result", "Result of a course"),
    ("figure", "record", "gone", "gone"),
    ("outcome", "record", "result", "Decision"),
    ("outcome", "record", "decision", "Decision"),
    ("outcome", "course", "result", "Result of a course"),
    ("outcome", "some", "result", "Result of a course"),
    ("outcome", "record", "gone", "gone"),
]


def test_a_name_has_the_label_of_today_of_what_it_was_the_name_of(anywhere):
    told = anywhere.evaluate(NAMED, [[what, kind, name] for what, kind, name, _ in NAMES])
    assert dict(zip(NAMES, told, strict=True)) == {case: case[-1] for case in NAMES}


def test_a_former_name_of_a_family_names_its_members(anywhere):
    today, before = anywhere.evaluate(NAMED, [["figure", "record", "session:x"], ["figure", "record", "term:x"]])
    assert today == before != "term:x"
