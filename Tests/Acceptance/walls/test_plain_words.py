"""Comments in plain words: constructions that a reader has to read twice, each with a better way to say it."""

import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
FOLDERS = ["Sources", "GradingKit", "Plugins", "Web"]
BETTER = {
    r"at the longest": "“at most”, before the time",
    r"another than": "“other than”, “different from”, or “has changed”",
    r"(?:are|be|become) others": "“differ” or “have changed”",
    r"than was seen": "“has changed since it was seen”",
    r"what waits to": "the name of what waits, such as “unsent edits”",
    r"of which there": "“that has”, or “with”",
    r"in the place of": "“instead of”, “replaces”, or “in place of”",
    r"the own": "whose it is: “one's own”, “the student's own”",
    r"what stands": "the thing itself: “the content”, “the text”, “the value”",
    r"stands? behind": "“follows” or “comes after”",
    r"says? of itself": "“the properties of”",
    r"the same of": "“the same for”",
    r"called so": "“has that name”",
    r"be it": "“even”, or “whether”",
    r"what is wrong with": "“the faults of”",
    r"(?:at most|by|from) so many": "“this many”, or the name of the number",
    r"`?(?:nil|null)`? where": "“if”, for a condition",
}
ANY = re.compile(rf"(?<!\w)(?:{'|'.join(BETTER)})\b")
COMMENT = re.compile(r"(?:^|\s)//+(?: (?P<line>.*))?$|^\s*/?\*+(?: (?P<block>.*))?$")


def comments(text: str) -> list[tuple[int, str]]:
    """The comments of a file of Swift or JavaScript, each in one line, with the number of its first line."""
    found: list[tuple[int, list[str]]] = []
    last = -1
    for number, line in enumerate(text.splitlines(), start=1):
        if ("//" in line or "*" in line) and (match := COMMENT.search(line)):
            words = (match["line"] or match["block"] or "").strip()
            if words and number == last + 1 and not line[: match.start()].strip():
                found[-1][1].append(words)
            else:
                found.append((number, [words]))
            last = number if words else -1
    return [(number, " ".join(words)) for number, words in found]


def findings(text: str) -> list[tuple[int, str, str]]:
    """The line, the words and the better way of each construction in the comments of a file."""
    return [
        (number, match[0], next(better for pattern, better in BETTER.items() if re.fullmatch(pattern, match[0])))
        for number, words in comments(text)
        for match in ANY.finditer(words)
    ]


@pytest.mark.parametrize("folder", FOLDERS)
def test_comments_use_plain_words(folder):
    found = [
        f"{path.relative_to(ROOT)}:{line}: “{words}”; better: {better}"
        for path in sorted((ROOT / folder).rglob("*"))
        if path.suffix in (".swift", ".js") and ".build" not in path.parts
        for line, words, better in findings(path.read_text())
    ]
    assert found == [], "\n" + "\n".join(found)


def test_a_construction_is_found_in_comments_alone_and_over_two_lines():
    text = """
let own = "the own"
/// Waits for `time` at the
/// longest.
let none = 0  // `nil` where there is none

/** The own, and the own. */
"""
    found = [(line, words) for line, words, _ in findings(text)]
    assert found == [(3, "at the longest"), (5, "`nil` where"), (7, "the own")]
