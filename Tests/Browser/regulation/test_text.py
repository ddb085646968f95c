"""How the editor handles texts, without a page: places in bytes, the effect of a change, differences."""

import pytest


def call(page, module, steps, *arguments):
    return page.evaluate(
        f"async given => {{ const module = await import('/app/pages/regulation/{module}.js'); {steps} }}",
        list(arguments),
    )


def articles(page, call, text):
    return page.evaluate(
        f"async given => {{ const module = await import('/app/core/text/articles.js'); return module.{call}; }}", text
    )


@pytest.mark.parametrize("text", ["", "plain", "Unité d’enseignement", "成绩😀 grade", "😀", "a\nb"])
def test_places_in_bytes_are_places_in_the_text(anywhere, text):
    starts = call(
        anywhere, "source",
        "const place = module.placesOf(given[0]); return Array.from({length: given[1] + 2}, (_, at) => place(at));",
        text, len(text.encode()),
    )  # fmt: skip
    units = 0
    for character in text:
        byte = len(text[: text.index(character)].encode()) if text.count(character) == 1 else None
        if byte is not None:
            assert starts[byte] == units
        units += len(character.encode("utf-16-le")) // 2
    assert starts[-2:] == [units, units]


MOVED = "return module.moved(given[2], module.changeOf(given[0], given[1])).map(({start, end}) => [start, end]);"


def test_ranges_follow_a_change_unless_it_touches_them(anywhere):
    ranges = [{"start": 0, "end": 3}, {"start": 4, "end": 7}, {"start": 8, "end": 11}]
    assert call(anywhere, "source", MOVED, "one two six", "one two six", ranges) == [[0, 3], [4, 7], [8, 11]]
    assert call(anywhere, "source", MOVED, "one two six", "one toto six", ranges) == [[0, 3], [9, 12]]
    assert call(anywhere, "source", MOVED, "one two six", "oone two six", ranges) == [[5, 8], [9, 12]]
    assert call(anywhere, "source", MOVED, "one two six", "one two", ranges) == [[0, 3]]
    assert call(anywhere, "source", MOVED, "one two six", "", ranges) == []


def test_headings_within_blocks_are_none(anywhere):
    text = "Prose\n# One\na\n```rules\n# no\n```\n## Two\nb"
    titles = articles(anywhere, "articlesOf(given).map(one => one.title)", text)
    assert titles == ["", "One", "Two"]


@pytest.mark.parametrize(
    ("cited", "title"),
    [
        ("§1 Means", "§1 Means"),
        ("§2", "§2 Diploma"),
        ("§2 Diploma", "§2 Diploma"),
        ("§1", "§1 Means"),
        ("§9", None),
        ("Dip", None),
    ],
)
def test_an_article_is_found_by_its_heading_or_its_beginning(anywhere, cited, title):
    text = "# All\n## §1   Means\na\n```rules\n# §9\n```\n## §2 Diploma\nb"
    assert articles(anywhere, f"articleOf(given, '{cited}')?.title ?? null", text) == title


ROWS = """return module.differingArticles(given[0], given[1])
    .map(({title, rows}) => [title, ...rows.filter(row => !row.same).map(row => [row.before, row.after])]);"""


def test_versions_differ_by_article(anywhere):
    before = "# One\na\nb\n# Two\nc\n# Three\nd"
    after = "# One\na\nb\nx\n# Two\nC\n# Four\nd"
    assert call(anywhere, "difference", ROWS, before, before) == []
    assert call(anywhere, "difference", ROWS, before, after) == [
        ["One", [None, "x"]],
        ["Two", ["c", "C"]],
        ["Four", [None, "Four"], [None, "d"]],
        ["Three", ["Three", None], ["d", None]],
    ]


def test_the_greatest_texts_are_compared(anywhere):
    before = "# A\n" + "\n".join(f"a{line}" for line in range(20_000))
    after = "# A\n" + "\n".join(f"b{line}" for line in range(20_000))
    count = "return module.differingArticles(given[0], given[1])[0].rows.length;"
    assert call(anywhere, "difference", count, before, after) == 20_001


def test_what_is_the_same_is_left_out(anywhere):
    abridged = "return module.abridged(module.rowsOf(given[0], given[1])).map(row => row.skipped ?? row.after);"
    lines = [str(line) for line in range(9)]
    assert call(anywhere, "difference", abridged, lines, [*lines[:4], "x", *lines[5:]]) == [
        2,
        "2",
        "3",
        "x",
        "5",
        "6",
        2,
    ]
