"""What figures and outcomes are called in histories: by their label of today, whatever they were named."""

NAMED = """async names => {
    const { figureName, outcomeName } = await import('/app/parts/record/figureNames.js');
    const label = en => ({ en, fr: en, 'zh-Hans': en });
    const scheme = {
        figures: [
            { name: 'overall', kind: null, was: ['total', 'sum'], label: label('Overall') },
            { name: 'total', kind: 'course', label: label('Total of a course') },
            { name: 'session', kind: null, family: true, was: ['term'], label: label('Session') },
        ],
        outcomes: [{ name: 'decision', kind: null, was: ['result'], label: label('Decision') }],
        shape: { kinds: [] },
    };
    return [
        ...names.map(name => figureName(scheme, name)), figureName(scheme, 'total', 'course'),
        outcomeName(scheme, 'result'), outcomeName(scheme, 'decision'), outcomeName(scheme, 'gone'),
    ];
}"""


def test_a_former_name_has_the_label_of_today_unless_another_figure_has_that_name(anywhere):
    names = ["overall", "sum", "total", "gone", "term:x"]
    figures = ["Overall", "Overall", "Total of a course", "gone", anywhere.evaluate(NAMED, ["session:x"])[0]]
    assert anywhere.evaluate(NAMED, names) == [*figures, "Total of a course", "Decision", "Decision", "gone"]
